// The letters of a column, as sheets show them.

/** @param column counts from 1: 1 is "A", 28 is "AB". */
export function columnLetters(column: number): string {
  const rest = (column - 1) % 26;
  const before = column > 26 ? columnLetters((column - 1 - rest) / 26) : '';
  return before + String.fromCharCode(65 + rest);
}
