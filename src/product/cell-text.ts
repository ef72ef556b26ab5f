// The text of a cell, a field or a paste as a person sees it. Every reader of typed text begins
// here.

/**
 * Characters that show nothing, as a class that formulas use as it stands (RE2): format characters,
 * controls, and whatever fonts are told to ignore, such as variation selectors and the blanks of
 * Hangul and Braille. Line breaks and tabs stay, because they separate words.
 */
export const UNSEEN_CLASS =
  String.raw`[\p{Cf}\x00-\x08\x0E-\x1F\x7F-\x9F\x{34F}\x{115F}\x{1160}\x{17B4}\x{17B5}` +
  String.raw`\x{180B}-\x{180F}\x{2065}\x{2800}\x{3164}\x{FE00}-\x{FE0F}\x{FFA0}\x{FFF0}-\x{FFF8}` +
  String.raw`\x{E0000}-\x{E0FFF}]`;

/** The same class as JavaScript writes it. */
const UNSEEN = new RegExp(UNSEEN_CLASS.replace(/\\x\{/g, '\\u{'), 'gu');

/** The text without characters that show nothing. Blanks stay. */
export const withoutUnseen = (text: string): string => text.replace(UNSEEN, '');

/** The text without characters that show nothing and without surrounding blanks. */
export function seenText(input: unknown): string {
  return withoutUnseen(String(input ?? '')).trim();
}

/** A header may be very long. */
const TITLE_CHARS = 250;

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
