// How a cell is shown beside its colours, weight and number format, as one text that moves along with it.

/** What of a cell's look is kept here, in one text for each cell. */
export type LookOf =
  | 'borders'
  | 'direction'
  | 'family'
  | 'horizontal'
  | 'line'
  | 'size'
  | 'style'
  | 'vertical'
  | 'wrap';

const FIELD = '\n';
const IS = '=';

/** '' where nobody has chosen anything. */
export function lookIn(text: string, of: LookOf): string {
  if (text === '') return '';
  const start = `${of}${IS}`;
  const field = text.split(FIELD).find((each) => each.startsWith(start));
  return field === undefined ? '' : field.slice(start.length);
}

/** The same text for the same look, in whatever order it was chosen. */
export function withLook(text: string, of: LookOf, value: string): string {
  const start = `${of}${IS}`;
  const others = text === '' ? [] : text.split(FIELD).filter((each) => !each.startsWith(start));
  return (value === '' ? others : [...others, start + value]).sort().join(FIELD);
}

export const SIDES = ['top', 'left', 'bottom', 'right'] as const;
export type Side = (typeof SIDES)[number];

/** Each side: a line as it was described; null: no line; left out: as it was. */
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
