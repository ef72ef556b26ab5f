// Reads what is pasted into the form: a whole message with address, key and limit, lines of a
// settings file, an example call.

import type { Quota } from '../../../limit/pace';
import { seenText } from '../../../product/cell-text';

export interface Pasted {
  /** '': the text has none, or `choices` has several. */
  readonly baseUrl: string;
  /** Several addresses of which nothing in the text says which one is the service's. */
  readonly choices: readonly string[];
  /** '': the text has none, or several that are called keys. */
  readonly apiKey: string;
  /** null: the text names no limit. */
  readonly limit: Quota | null;
}

/** The most that the server stores; no service sells more. */
export const MOST_CALLS = 1_000_000;

/** Periods as operators write them, in seconds. */
const PERIODS: readonly (readonly [word: RegExp, seconds: number])[] = [
  [/^s(ec(ond)?s?)?$/i, 1],
  [/^m(in(ute)?s?)?$/i, 60],
  [/^h(((ou)?r)s?)?$/i, 3_600],
];

/**
 * "5 requests per second", "300/min", "60 rpm", "1 call every 2 seconds". A number for a day
 * describes a plan; as a limit it would space calls many seconds apart.
 */
const LIMITS = [
  /(?<![\d.,])(\d[\d,]*)\s*(?:[a-z]+\b\s*){0,2}?(?:\/|\bper\b|\ban?\b|\bevery\b|\beach\b|\bin\b)\s*(?:(\d+)\s*)?(s|m|h|secs?|mins?|hrs?|seconds?|minutes?|hours?)\b/gi,
  /(?<![\d.,])(\d[\d,]*)()\s*r(?:eq)?p([smh])\b/gi,
];

/**
 * The limit that a text names. If there are several, the one over the shortest time is the one that
 * spaces calls.
 */
export function limitIn(text: string): Quota | null {
  const found = LIMITS.flatMap((pattern) => [...text.matchAll(pattern)]).flatMap(
    ([, count = '', times, period = '']) => {
      const calls = Number(count.replaceAll(',', ''));
      const [, seconds = 0] = PERIODS.find(([word]) => word.test(period)) ?? [];
      const perSeconds = seconds * Number(times || 1);
      const isFit = calls >= 1 && calls <= MOST_CALLS && perSeconds >= 1;
      return isFit ? [{ calls, perSeconds }] : [];
    },
  );
  return found.sort((one, other) => one.perSeconds - other.perSeconds)[0] ?? null;
}

const ADDRESS = /https?:\/\/[^\s"'`<>,;|()[\]{}\\]+/gi;

/** "API_BASE", "apiKey" and "x-api-key" as words of a sentence. */
const asWords = (text: string): string =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean)
    .join(' ');

/** Words for what is read or visited, and never called. */
const TO_READ =
  /\b(docs?|documentation|guides?|help|instructions?|tutorials?|manual|reference|dashboard|portal|console|log ?in|sign ?(in|up)|support|status|terms|privacy|website|home ?page|blog|pricing|webhooks?|callback|redirect)\b/;

/** The end of what stands before the address of a service. */
const TO_CALL =
  /\b(api|base|service|server|host|endpoint|address|url|uri|root|domain)( (is|at|to|use|for|your|all|calls|requests|available|v))*$/;

/** An example call: `curl … \`, `POST`, `fetch("`, "Send your requests to". */
const CALL =
  /\bcurl\b(?:[^\n]|\\\r?\n)*$|\b(?:GET|POST|PUT)\s+$|\b(?:fetch|post|get|request|open)\(\s*["'`]?$|\b(?:requests?|calls?) to:?\s+$/;

/** The longest line that is a label of the one below it. */
const LABEL_CHARS_MAX = 60;

interface Address {
  readonly url: string;
  /** Whether the text says that this is the address to call, or one to read. */
  readonly isCalled: boolean;
  readonly isRead: boolean;
}

/** Where a key must not be sent by mistake: scheme, host and port. */
const hostOf = (url: string): string => /^https?:\/\/[^/?#]+/i.exec(url)?.[0].toLowerCase() ?? '';

const endOf = ({ index = 0, 0: whole }: RegExpMatchArray): number => index + whole.length;

/** The addresses in a text, with what is said of each right before it, above it or behind it. */
function addressesIn(text: string): readonly Address[] {
  const found = [...text.matchAll(ADDRESS)];
  return found.map((match, at) => {
    const last = found[at - 1];
    const next = found[at + 1];
    const before = text.slice(last === undefined ? 0 : endOf(last), match.index);
    const [beside = '', ...lines] = before.split('\n').reverse();
    // The last of them is the rest of the line of the address before.
    const whole = last === undefined ? lines : lines.slice(0, -1);
    const [above = ''] = whole.filter((line) => asWords(line) !== '');
    const clause = beside.split(/[,;|]|[.!?]\s/).pop() ?? '';
    const [behind = ''] = text.slice(endOf(match), next?.index).split(/[\n,;|]|[.!?]\s/);
    const isLabelAbove = asWords(beside) === '' && above.length <= LABEL_CHARS_MAX;
    const said = asWords(isLabelAbove ? above : clause) || asWords(behind);
    const url = match[0].replace(/[.:]+$/, '');
    const isRead = TO_READ.test(said) || TO_READ.test(asWords(url));
    return { url, isRead, isCalled: CALL.test(before) || (TO_CALL.test(said) && !isRead) };
  });
}

/** The first address of each host. */
const oneOfEach = (addresses: readonly Address[]): readonly string[] =>
  [
    ...new Map(addresses.map(({ url }) => [hostOf(url), url] as const).reverse()).values(),
  ].reverse();

/**
 * The address to call; '' if the text names none. Several: it does not say which one, and a key
 * that is sent to the wrong one is lost.
 */
function addressOf(addresses: readonly Address[]): Pick<Pasted, 'baseUrl' | 'choices'> {
  const called = oneOfEach(addresses.filter(({ isCalled }) => isCalled));
  const unread = addresses.filter(({ isRead }) => !isRead);
  const isOneHost = oneOfEach(addresses).length === 1;
  const fit = called.length > 0 ? called : oneOfEach(isOneHost ? unread : addresses);
  const [baseUrl = ''] = fit;
  return fit.length > 1 ? { baseUrl: '', choices: fit } : { baseUrl, choices: [] };
}

/** The signs of which keys consist. */
const SIGNS = '[\\w.~+/=-]';

/** Shorter words are ordinary ones. */
const KEY_CHARS_MIN = 8;

const KEY = new RegExp(`^(?=.*[\\d_.~+/=-])${SIGNS}{${KEY_CHARS_MIN},}$`);

/** A word that may be a key: long, and with at least one digit or sign. */
const isKey = (word: string): boolean => KEY.test(word);

/** What is called a key: `API_KEY=…`, "Your key is …", `"apiKey":"…"`, "Bearer …". */
const NAMED_KEY = new RegExp(
  `(?:key|token|secret|password|bearer)["'\`]?(?:\\s*(?::|=>?)|\\s+is:?|\\s)\\s*["'\`<([]?(?:bearer\\s+)?(${SIGNS}+)(?=(["'\`]|\\s*$)?)`,
  'gim',
);

/** The key in a text without its addresses; '' if there is none, or several are called keys. */
function keyOf(text: string): string {
  const named = [...text.matchAll(NAMED_KEY)].flatMap(([, word = '', end]) => {
    const key = word.replace(/\.+$/, '');
    return isKey(key) || (end !== undefined && key.length >= KEY_CHARS_MIN) ? [key] : [];
  });
  const different = [...new Set(named)];
  if (different.length > 0) return different.length === 1 ? (different[0] ?? '') : '';
  const words = text
    .split(/[\s"'`<>,;:|()[\]{}]+/)
    // `NAME=value`, but not the end of a key in base64. No key ends with a full stop.
    .map((word) => word.replace(/^[A-Za-z][\w.-]*=(?=[^=])/, '').replace(/\.+$/, ''));
  const [longest = ''] = words.filter(isKey).sort((one, other) => other.length - one.length);
  return longest;
}

/** The name in front of an address, as in `export API_BASE="https://…"`. */
const NAME_OF_ADDRESS = new RegExp(`[\\w.-]*\\s*=\\s*["'\`]?(?=${ADDRESS.source})`, 'gi');

/** null for a text without an address, and for an address alone: it is pasted as it is. */
export function readPaste(pasted: string): Pasted | null {
  const text = seenText(pasted)
    .split(/\s*\r?\n|\r/)
    .join('\n');
  const addresses = addressesIn(text);
  if (addresses.length === 0 || addresses[0]?.url === text) return null;
  const others = text.replace(NAME_OF_ADDRESS, ' ').replace(ADDRESS, ' ');
  const apiKey = keyOf(others);
  return { ...addressOf(addresses), apiKey, limit: limitIn(others.replace(apiKey, ' ')) };
}

/** The same for a box that takes an address or a key alone, too; null if a text has neither. */
export function readMessage(pasted: string): Pasted | null {
  const whole = readPaste(pasted);
  if (whole !== null) return whole;
  const text = seenText(pasted);
  const isAddress = /^https?:/i.test(text);
  const apiKey = isAddress ? '' : keyOf(text);
  if (!isAddress && apiKey === '') return null;
  const limit = limitIn(text.replace(apiKey, ' '));
  return { baseUrl: isAddress ? tidyAddress(text) : '', choices: [], apiKey, limit };
}

/**
 * Turns a host alone into an https address, as a browser's address bar does. An example of a call
 * is often pasted whole; its query is no part of the address.
 */
export function tidyAddress(text: string): string {
  const typed = seenText(text);
  const address = (readPaste(typed)?.baseUrl || typed).replace(/[?#].*$/s, '');
  return address === '' || /^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https://${address}`;
}

/**
 * Removes what is often copied along with a key: spaces, invisible characters, quotes, its name,
 * "Bearer".
 */
export function tidyKey(text: string): string {
  return seenText(text)
    .replace(
      /^(?:export\s+|set\s+|-H\s+)?["'`]?[\w-]*(?:key|token|secret|authorization)["'`]?\s*(?::|=>?)\s*(?=[^=\s])/i,
      '',
    )
    .replace(/^["'`]?bearer\s+/i, '')
    .replace(/\s/g, '')
    .replace(/^["'`]+|["'`]+[,;]?$/g, '');
}
