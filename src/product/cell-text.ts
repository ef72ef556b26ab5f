// The text of a cell, a field or a paste as a person sees it. Every reader of typed text begins
// here.

/**
 * Characters that show nothing: format characters, controls, and whatever fonts are told to ignore,
 * such as variation selectors and the blanks of Hangul and Braille. Line breaks and tabs stay,
 * because they separate words.
 */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]|(?![\t-\r])\p{Cc}/gu;

/** The text without characters that show nothing and without surrounding blanks. */
export function seenText(input: unknown): string {
  return String(input ?? '')
    .replace(UNSEEN, '')
    .trim();
}

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
