// Encodes values that cross between a script and the host: JSON text, with marks for what JSON
// lacks.

/** An object with this one key represents a value that JSON cannot express. */
const MARK = '$';

type Marked =
  | { readonly [MARK]: 'undefined' }
  | { readonly [MARK]: 'number'; readonly text: string }
  | { readonly [MARK]: 'date'; readonly epochMs: number | null }
  | { readonly [MARK]: 'object'; readonly entries: readonly (readonly [string, unknown])[] };

/**
 * Recognises a date by its tag instead of instanceof, because the two sides have different Dates.
 */
function isDate(value: object): value is Date {
  return Object.prototype.toString.call(value) === '[object Date]';
}

function mark(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'undefined':
      return { [MARK]: 'undefined' } satisfies Marked;
    case 'number':
      if (Number.isFinite(value) && !Object.is(value, -0)) return value;
      return { [MARK]: 'number', text: Object.is(value, -0) ? '-0' : String(value) };
    case 'object':
      return value === null ? null : markObject(value);
    default:
      throw new TypeError(`A ${typeof value} cannot be passed.`);
  }
}

/** Most cells hold such values, and there may be a hundred thousand of them. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  return typeof value === 'string' || typeof value === 'boolean';
}

function markObject(value: object): unknown {
  if (Array.isArray(value)) return value.every(isPlain) ? value : value.map(mark);
  if (isDate(value)) {
    const epochMs = value.getTime();
    return { [MARK]: 'date', epochMs: Number.isNaN(epochMs) ? null : epochMs };
  }
  const entries = Object.entries(value).map(([key, entry]) => [key, mark(entry)] as const);
  if (MARK in value) return { [MARK]: 'object', entries };
  return Object.fromEntries(entries);
}

export function encode(value: unknown): string {
  return JSON.stringify(mark(value));
}

export function decode(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return text.includes(`{"${MARK}":`) ? unmark(value) : value;
}

function unmark(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(unmark);
  if (MARK in value) return unmarked(value as Marked);
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, unmark(entry)]));
}

function unmarked(marked: Marked): unknown {
  switch (marked[MARK]) {
    case 'undefined':
      return undefined;
    case 'number':
      return Number(marked.text);
    case 'date':
      return new Date(marked.epochMs ?? Number.NaN);
    case 'object':
      return Object.fromEntries(marked.entries.map(([key, entry]) => [key, unmark(entry)]));
  }
}
