// Defines what google.script.run lets through between the page and the server. Both sides use it.

/** Google's words in the page for an argument that cannot be sent. */
const ILLEGAL_VALUE = 'Failed due to illegal value in property: ';
export const ILLEGAL_RESULT =
  'The script completed but the returned value is not a supported return type.';

function isPlain(value: object): boolean {
  const tag = Object.prototype.toString.call(value);
  return tag === '[object Object]' || tag === '[object Array]';
}

/** The name of the first part that is not a number, text, boolean, null, array or plain object. */
function illegalPart(value: unknown, name: string, above: readonly object[]): string | null {
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') {
    return name;
  }
  if (typeof value !== 'object' || value === null) return null;
  if (!isPlain(value) || above.includes(value)) return name;
  for (const [key, part] of Object.entries(value)) {
    const illegal = illegalPart(part, key, [...above, value]);
    if (illegal !== null) return illegal;
  }
  return null;
}

/** Why the page's call fails before it reaches the server. null: it goes through. */
export function illegalArgument(args: readonly unknown[]): string | null {
  const illegal = illegalPart(args, '', []);
  return illegal === null ? null : ILLEGAL_VALUE + illegal;
}

/** True for names that a page cannot call, because the page has no function of that name. */
export function isHiddenFromPage(functionName: string): boolean {
  return functionName.endsWith('_') || !/^[A-Za-z_$][\w$]*$/.test(functionName);
}

/**
 * A value as it arrives on the other side: `undefined` becomes null in an array, and a member that
 * is `undefined` disappears.
 */
export function asSent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((part) => asSent(part) ?? null);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(entries.map(([key, part]) => [key, asSent(part)]));
}

export function resultForPage(value: unknown): unknown {
  if (illegalPart(value, '', []) !== null) throw new Error(ILLEGAL_RESULT);
  return asSent(value) ?? null;
}
