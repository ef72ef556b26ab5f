// Lines: texts that keep many things by key, where one is found or replaced without reading the others.

/** Begins every line, also the first, so that a key is found whole or not at all. */
const LINE = '\n';

/** Ends a key and every part behind it. JSON writes both marks as escapes. */
const TAB = '\t';

/** The parts of the line with this key, or undefined where the text has none. */
export function partsOf(text: string, key: string): readonly string[] | undefined {
  const mark = `${LINE}${key}${TAB}`;
  const at = text.indexOf(mark);
  if (at < 0) return undefined;
  const end = text.indexOf(LINE, at + 1);
  return text.slice(at + mark.length, end < 0 ? text.length : end).split(TAB);
}

/** All lines, each as its key and its parts. */
export function linesOf(text: string): readonly (readonly string[])[] {
  return text
    .split(LINE)
    .slice(1)
    .map((line) => line.split(TAB));
}

/**
 * The text of lines as long as they fit, in their order. One that is too long even alone is left out
 * and takes no other with it.
 */
export function textOf(lines: readonly (readonly string[])[], bytesMax: number): string {
  const texts = lines.map((line) => LINE + line.join(TAB));
  const whole = texts.join('');
  if (whole.length * BYTES_OF_UNIT_MAX <= bytesMax) return whole;
  const kept: string[] = [];
  let bytes = 0;
  for (const text of texts) {
    const added = bytesOf(text);
    if (added > bytesMax) continue;
    bytes += added;
    if (bytes > bytesMax) break;
    kept.push(text);
  }
  return kept.join('');
}

/** In UTF-8 a UTF-16 unit takes three bytes at most. */
const BYTES_OF_UNIT_MAX = 3;

/** The length in UTF-8. Halves of surrogate pairs count two each; JSON escapes those that are alone. */
export function bytesOf(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x80) bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return bytes;
}
