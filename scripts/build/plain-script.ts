// Writes a page's script so that nothing in it reads as a comment or as markup, and holds a whole page to
// that: Google serves inline scripts without what it takes for comments (decision 11).
import { type Token, tokenizer, tokTypes } from 'acorn';

/** What nothing may hold, so that whoever looks for comments, strings or tags, however badly, finds none. */
const MISREAD = /\/[/*]|<\/|<!--|-->|`|[^\n\x20-\x7e]/;
/** The same for a page as a whole, in which tags are tags. */
const MISREAD_IN_PAGE = /\/[/*]|`|[^\n\x20-\x7e]/;
/** Enough of the neighbourhood to find a place by. */
const SHOWN_CHARS = 40;

/** In the name of a group, only the longer form is one letter. */
function escaped(unit: string): string {
  const code = unit.charCodeAt(0).toString(16);
  return unit > '~' ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
}

/** `'http://x'` → `'http:\x2f\x2fx'`: what the signs match, with a backslash before it or without. */
const withoutSigns = (raw: string, signs: RegExp) =>
  raw.replace(/\\?[\s\S]/g, (written) =>
    signs.test(written.slice(-1)) ? escaped(written.slice(-1)) : written,
  );

/** A string or regular expression without signs; in the latter, `<` and `>` may belong to `(?<name>`. */
function plainToken({ type }: Token, raw: string): string {
  if (type === tokTypes.string)
    return raw[0] + withoutSigns(raw.slice(1, -1), /[/<>`]|[^\x20-\x7e]/) + raw[0];
  if (type !== tokTypes.regexp) return raw;
  const end = raw.lastIndexOf('/');
  return `/${withoutSigns(raw.slice(1, end), /[/`]|[^\x20-\x7e]/)}${raw.slice(end)}`;
}

/**
 * The same program without those signs in its strings and regular expressions.
 *
 * @param script as the bundler writes it: in ASCII, without comments and template literals. Throws where
 * something that Google may misread is left.
 */
export function plainScript(script: string): string {
  let plain = '';
  let end = 0;
  for (const token of tokenizer(script, { ecmaVersion: 'latest', sourceType: 'script' })) {
    plain += script.slice(end, token.start);
    plain += plainToken(token, script.slice(token.start, token.end));
    end = token.end;
  }
  check(plain.trim(), MISREAD, "A page's script");
  return plain.trim();
}

function check(text: string, misread: RegExp, where: string): void {
  const found = misread.exec(text);
  if (found === null) return;
  const place = text.slice(Math.max(0, found.index - SHOWN_CHARS), found.index + SHOWN_CHARS);
  const sign = JSON.stringify(found[0]);
  throw new Error(`${where} holds ${sign}, which Google may misread: ${place.trim()}`);
}

/** Throws with a plain sentence at the first place that Google could cut or misread. */
export function checkPlain(html: string): void {
  for (const [, script = ''] of html.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/gi))
    check(script, MISREAD, "A page's script");
  check(html, MISREAD_IN_PAGE, 'A page');
}
