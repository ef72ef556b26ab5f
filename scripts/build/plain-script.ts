// Writes a page's script so that nothing in it reads as a comment or as markup, and holds a whole page to
// that: Google serves inline scripts without what it takes for comments (decision 0011).
import { parse, type Token, tokTypes } from 'acorn';

/** What nothing may hold, so that whoever looks for comments, strings or tags, however badly, finds none. */
const MISREAD = /\/[/*]|<\/|<!--|-->|`|[^\n\x20-\x7e]/;
/** The same for a page as a whole, in which tags are tags. */
const MISREAD_IN_PAGE = /\/[/*]|`|[^\n\x20-\x7e]/;
/** How many characters of the longest of these can stand on one side of a joint. */
const REACH = 3;
/** Enough of the neighbourhood to find a place by. */
const SHOWN = 40;

const isPlain = (unit: string): boolean => /[\x20-\x5f\x61-\x7e]/.test(unit);

/** Means the character in strings and regular expressions; names of groups know the long form only. */
function escaped(unit: string): string {
  const code = unit.charCodeAt(0);
  const digits = code.toString(16);
  return code < 128 ? `\\x${digits.padStart(2, '0')}` : `\\u${digits.padStart(4, '0')}`;
}

/** The characters of a literal one by one, halves of a pair too; each with the backslash before it. */
function eachUnit(text: string, change: (unit: string, written: string) => string): string {
  return text.replace(/\\?(?:\r\n|[\s\S])/g, (written) => {
    const unit = written.length > 1 && written.startsWith('\\') ? written.slice(1) : written;
    return change(unit, written);
  });
}

function plainString(raw: string): string {
  const units = eachUnit(raw, (unit, written) => {
    if (written !== unit && /[\r\n\u2028\u2029]/.test(unit)) return '\\\n';
    if (unit === '<') return unit;
    return isPlain(unit) ? written : escaped(unit);
  });
  return units
    .replace(/(?<=\/)[/*]/g, '\\$&')
    .replace(/<(?=\/|!--)/g, '\\x3C')
    .replace(/(?<=--)>/g, '\\x3E');
}

/**
 * Without any slash inside. Of `<!--` the last character is the one written anew: the others may belong
 * to `(?<!`, or be the hyphen of a range.
 */
function plainRegExp(raw: string): string {
  const end = raw.lastIndexOf('/');
  const units = eachUnit(raw.slice(1, end), (unit, written) => {
    const mustChange = unit === '/' || written === '\\<' || !isPlain(unit);
    return mustChange ? escaped(unit) : written;
  });
  const body = units
    .replace(/(?<=<!-)-/g, '\\x2d')
    .replace(/(?<=--)>/g, '\\x3e')
    .replace(/<$/, '\\x3c');
  return `/${body}${raw.slice(end)}`;
}

/** Names, numbers and signs; only names can hold more than ASCII. */
function plainName(raw: string): string {
  return raw.replace(/[^\x20-\x7e]/gu, (point) => `\\u{${point.codePointAt(0)?.toString(16)}}`);
}

function plainToken({ type }: Token, raw: string): string {
  if (type === tokTypes.string) return plainString(raw);
  return type === tokTypes.regexp ? plainRegExp(raw) : plainName(raw);
}

/** What stood between two tokens: no comments, and of what is left only whether a line ends there. */
function plainGap(gap: string): string {
  if (/[\n\r\u2028\u2029]/.test(gap)) return '\n';
  return gap === '' ? '' : ' ';
}

function placeIn(text: string, at: number): string {
  return text.slice(Math.max(0, at - SHOWN), at + SHOWN).trim();
}

/**
 * The same program, token by token, in ASCII and without comments. Template literals are what the
 * bundler writes in another way; one that is left is refused, tagged or not.
 */
export function plainScript(script: string): string {
  const tokens: Token[] = [];
  parse(script, { ecmaVersion: 'latest', sourceType: 'script', onToken: tokens });
  const parts: string[] = [];
  let [last, end] = ['', 0];
  for (const token of tokens) {
    if (token.type === tokTypes.backQuote)
      throw new Error(`A page's script has a template literal: ${placeIn(script, token.start)}`);
    const text = plainToken(token, script.slice(token.start, token.end));
    const gap = plainGap(script.slice(end, token.start));
    const joint = last + gap + text.slice(0, REACH);
    // Two tokens side by side, as in `/a//2`, mean the same with a space between them.
    const part = (gap === '' && MISREAD.test(joint) ? ' ' : gap) + text;
    parts.push(part);
    last = (last + part).slice(-REACH);
    end = token.end;
  }
  return parts.join('').trim();
}

function check(text: string, misread: RegExp, where: string): void {
  const found = misread.exec(text);
  if (found === null) return;
  const sign = JSON.stringify(found[0]);
  throw new Error(
    `${where} holds ${sign}, which Google may misread: ${placeIn(text, found.index)}`,
  );
}

/** Throws with a plain sentence at the first place that Google could cut or misread. */
export function checkPlain(html: string): void {
  for (const [, script = ''] of html.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/gi))
    check(script, MISREAD, "A page's script");
  check(html, MISREAD_IN_PAGE, 'A page');
}
