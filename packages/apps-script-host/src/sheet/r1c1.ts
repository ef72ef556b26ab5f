// Writes formulas in R1C1 notation, in which a formula that was filled down or across is the same text
// in every cell, and reads them back.

import {
  BROKEN,
  type Coordinate,
  type Corner,
  type Reference,
  referenceText,
  replaceReferences,
  SHEET,
} from './formula-references';

interface Cell {
  readonly row: number;
  readonly column: number;
}

/**
 * In C3, "=A3+$B$1" is "=R[0]C[-2]+R1C2", and "=SUM(E:E)" is "=SUM(C[2]:C[2])". Google's pages show
 * R[-3]C[0], and do not say how a whole column is written.
 */
export function toR1C1(formula: string, cell: Cell): string {
  const part = (letter: string, coordinate: Coordinate | null, own: number) => {
    if (coordinate === null) return '';
    const { at, isFixed } = coordinate;
    return isFixed ? `${letter}${at}` : `${letter}[${at - own}]`;
  };
  const corner = ({ row, column }: Corner) =>
    part('R', row, cell.row) + part('C', column, cell.column);
  return replaceReferences(
    formula,
    ({ prefix, from, to }) => prefix + corner(from) + (to ? `:${corner(to)}` : ''),
  );
}

const COUNT = String.raw`(?:\[-?\d+\]|\d+)?`;
const CELL = `R${COUNT}C${COUNT}`;
const AREA = [
  `${CELL}(?::(?:${CELL}|C${COUNT}))?`,
  `C${COUNT}(?::C${COUNT})?`,
  `R${COUNT}(?::R${COUNT})?`,
].join('|');

/** Quoted texts, references and, so that nothing within is read, quoted names of sheets. */
const TOKEN = new RegExp(
  String.raw`"(?:[^"]|"")*"|(?<![\w.$!'\]])(${SHEET})?(${AREA})(?![\w(.!\[])|'(?:[^']|'')*'`,
  'gi',
);

const CORNER = new RegExp(`^(?:R(${COUNT}))?(?:C(${COUNT}))?$`, 'i');

/**
 * The formula for this cell. A reference in A1 notation has no meaning in R1C1 and becomes an error
 * here, as does one that leads out of the sheet.
 */
export function fromR1C1(formula: string, cell: Cell): string {
  const coordinate = (text: string | undefined, own: number): Coordinate | null => {
    if (text === undefined) return null;
    const [, relative] = /^\[(.*)\]$/.exec(text) ?? [];
    if (relative === undefined && text !== '') return { at: Number(text), isFixed: true };
    return { at: own + Number(relative ?? 0), isFixed: false };
  };
  const corner = (text: string): Corner => {
    const [, row, column] = CORNER.exec(text) ?? [];
    return { row: coordinate(row, cell.row), column: coordinate(column, cell.column) };
  };
  const read = (prefix: string, area: string): Reference => {
    const [from = '', to] = area.split(':');
    const start = corner(from);
    const isLine = start.row === null || start.column === null;
    const end = to === undefined ? null : corner(to);
    return { prefix, sheetName: null, from: start, to: end ?? (isLine ? start : null) };
  };
  const isOutside = (one: Corner | null) => (one?.row?.at ?? 1) < 1 || (one?.column?.at ?? 1) < 1;
  const found: string[] = [];
  // What is read is put aside, because "C5" in R1C1 would otherwise be read again as a cell.
  const rest = formula.replace(TOKEN, (text: string, prefix = '', area?: string) => {
    if (area === undefined) return text;
    const reference = read(prefix, area);
    const isBroken = isOutside(reference.from) || isOutside(reference.to);
    found.push(isBroken ? BROKEN : referenceText(reference));
    return MARK;
  });
  const broken = replaceReferences(rest, () => BROKEN);
  return broken.replaceAll(MARK, () => found.shift() ?? '');
}

/** Stands for a reference that has been read. No formula contains this character. */
const MARK = '\u0000';
