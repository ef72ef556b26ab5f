// The text of a cell as a person sees it.

/**
 * Longer texts are read as they are: putting thousands of combining marks into their order takes
 * seconds.
 */
const NORMALIZED_CHARS_MAX = 2_000;

/**
 * The text without surrounding blanks and without zero-width characters, which come with pasted
 * text; full-width letters and digits become plain ones.
 */
export function visibleText(input: unknown): string {
  const text = String(input ?? '').replace(/[\u200B-\u200F\u202A-\u202E\u2060\uFEFF]/g, '');
  return (text.length > NORMALIZED_CHARS_MAX ? text : text.normalize('NFKC')).trim();
}
