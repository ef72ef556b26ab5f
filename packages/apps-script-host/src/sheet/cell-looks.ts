// Keeps a cell's looks apart from colours, weight and number format, as one text that moves with
// the cell.

/** The looks that this text holds. */
export type LookOf =
  | 'backgroundTheme'
  | 'borders'
  | 'direction'
  | 'family'
  | 'fontTheme'
  | 'horizontal'
  | 'line'
  | 'rotation'
  | 'size'
  | 'style'
  | 'vertical'
  | 'wrap';

const FIELD = '\n';
const IS = '=';

/** '' if the look has not been chosen. */
export function lookIn(text: string, of: LookOf): string {
  if (text === '') return '';
  const start = `${of}${IS}`;
  const field = text.split(FIELD).find((each) => each.startsWith(start));
  return field === undefined ? '' : field.slice(start.length);
}

/** Gives the same text for the same looks, whatever the order in which they were chosen. */
export function withLook(text: string, of: LookOf, value: string): string {
  const start = `${of}${IS}`;
  const others = text === '' ? [] : text.split(FIELD).filter((each) => !each.startsWith(start));
  return (value === '' ? others : [...others, start + value]).sort().join(FIELD);
}

export const SIDES = ['top', 'left', 'bottom', 'right'] as const;
export type Side = (typeof SIDES)[number];

/** The line on each side as it was described. null: no line. Left out: unchanged. */
export type Lines = Partial<Readonly<Record<Side, string | null>>>;

export function withLines(text: string, lines: Lines): string {
  const now = new Map(
    lookIn(text, 'borders')
      .split(';')
      .filter((each) => each !== '')
      .map((each) => each.split(':') as [Side, string]),
  );
  for (const side of SIDES) {
    const line = lines[side];
    if (line === null) now.delete(side);
    else if (line !== undefined) now.set(side, line);
  }
  const kept = SIDES.flatMap((side) => (now.has(side) ? `${side}:${now.get(side)}` : []));
  return withLook(text, 'borders', kept.join(';'));
}
