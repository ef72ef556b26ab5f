// One paste for address and key: what an operator's message says of both.

export interface Pasted {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Shorter words beside an address are words. */
const KEY_CHARS_MIN = 8;

const ADDRESS = /https?:\/\/[^\s"'<>,;]+/i;
/** Letters, digits and the signs that keys are written with, a digit or a sign among them. */
const KEY = /^(?=.*[\d_.~+/=-])[\w.~+/=-]+$/;

/** null unless the text has both; then the address and the longest word that can be a key. */
export function addressAndKey(text: string): Pasted | null {
  const [baseUrl] = ADDRESS.exec(text) ?? [];
  if (baseUrl === undefined) return null;
  const words = text
    .replace(baseUrl, ' ')
    .split(/[\s"'`<>,;:|]+/)
    .filter((word) => word.length >= KEY_CHARS_MIN && KEY.test(word));
  const [apiKey] = words.sort((one, other) => other.length - one.length);
  return apiKey === undefined ? null : { baseUrl: baseUrl.replace(/[.)\]]+$/, ''), apiKey };
}
