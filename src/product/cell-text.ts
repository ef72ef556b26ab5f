// The text of a cell, a field or a paste as a person sees it. Every reader of typed text begins
// here.

/**
 * Characters that show nothing: format characters, controls, and whatever fonts are told to ignore,
 * such as variation selectors and the blanks of Hangul and Braille. Line breaks and tabs stay, because
 * they separate words.
 */
const UNSEEN = new RegExp(
  '[\\p{Cf}\\x00-\\x08\\x0E-\\x1F\\x7F-\\x9F\\u{34F}\\u{115F}\\u{1160}\\u{17B4}\\u{17B5}' +
    '\\u{180B}-\\u{180F}\\u{2065}\\u{2800}\\u{3164}\\u{FE00}-\\u{FE0F}\\u{FFA0}\\u{FFF0}-\\u{FFF8}' +
    '\\u{E0000}-\\u{E0FFF}]',
  'gu',
);

/** The text without characters that show nothing. Blanks stay. */
const withoutUnseen = (text: string): string => text.replace(UNSEEN, '');

/**
 * What no key has, as a class that formulas use as it stands (RE2): what shows nothing, line breaks,
 * and marks on letters. It is short, because the formula of each row holds it.
 */
export const KEYLESS_CLASS = String.raw`[\p{Cc}\p{Cf}\p{Co}\p{M}\x{115F}\x{1160}\x{2800}\x{3164}\x{FFA0}]`;

/** The same class as JavaScript writes it. */
const KEYLESS = new RegExp(KEYLESS_CLASS.replace(/\\x\{/g, '\\u{'), 'gu');

/** A text as it stands in a key. */
export const keyText = (text: string): string => text.replace(KEYLESS, '');

/** The text without characters that show nothing and without surrounding blanks. */
export function seenText(input: unknown): string {
  return withoutUnseen(String(input ?? '')).trim();
}

/** A header may be very long. */
export const TITLE_CHARS = 250;

/** The part of a header that identifies it. */
export const titleOf = (cell: unknown): string =>
  seenText(String(cell ?? '').slice(0, TITLE_CHARS));

/** How exports keep a sheet from changing a text: `="0306406152"`. */
const GUARDED = /^=\s*"((?:[^"]|"")*)"$/;

/**
 * Longer texts are read as they are: putting thousands of combining marks into their order takes
 * seconds.
 */
const NORMALIZED_CHARS_MAX = 2_000;

/**
 * The same for codes, names and amounts: full-width letters and digits become plain ones, and
 * `="0306406152"` is the text in its quotes.
 */
export function visibleText(input: unknown): string {
  const seen = seenText(input);
  const text = GUARDED.exec(seen)?.[1]?.replace(/""/g, '"') ?? seen;
  return (text.length > NORMALIZED_CHARS_MAX ? text : text.normalize('NFKC')).trim();
}
