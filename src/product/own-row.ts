// What formulas of ours ask of the cells that they name, because references follow cells that people
// cut, drag, delete or insert. Pure.

/**
 * Whether a cell is in the formula's row and sheet still, and under its title, as arguments of AND:
 * "ROW(B5)=ROW();SHEET(B5)=SHEET();COLUMN(B5)=COLUMN(B1)"
 */
export const isInPlace = (cell: string, title: string): string =>
  `ROW(${cell})=ROW();SHEET(${cell})=SHEET();COLUMN(${cell})=COLUMN(${title})`;

/**
 * Whether a formula is in its own column still: where cells of the row were moved to the side, it is no
 * longer under its title.
 */
export const isInOwnColumn = (title: string): string => `COLUMN(${title})=COLUMN()`;

/**
 * Whether a hidden cell is worked out. A value that was pasted over it, even its own, would stay when the
 * product or the costs of its row change.
 */
export const isWorkedOut = (cell: string): string => `ISFORMULA(${cell})`;

/**
 * A number as a hidden cell holds it, a million less: -999995.65 for 4.35. So a figure or a cost that a
 * person has put there is none. A million leaves nine decimals.
 */
export const hiddenNumber = (number: string): string => `${number}-10^6`;

/**
 * The sum of numbers in hidden cells, in an order in which no sum is large that is added to, for the sake of
 * its decimals. It comes first where more is added.
 */
export const shownSum = (cells: readonly string[]): string =>
  cells.map((one) => `${one}+10^6`).join('+');

/** The number in a hidden cell. */
export const shownNumber = (cell: string): string => `(${cell}+10^6)`;

/** Whether all of these hidden cells hold numbers, which add up to less than half a million. */
export const areHiddenNumbers = (cells: string, count: number): string =>
  `(ROUND(SUM(${cells})/10^6)=-${count})`;

/** A factor near 1 as a hidden cell holds it, below 0: a million less would leave too few decimals. */
export const hiddenFactor = (factor: string): string => `-EXP(${factor})`;

/** The factor in a hidden cell; an error if it holds no number below 0. */
export const shownFactor = (cell: string): string => `LN(-${cell})`;

/** Stands in the title cell of a hidden helper while columns have the titles that they were bound with. */
export const TITLES_OK = 'OK';

/** Stands in its place where a column has another title, and in the decisions that read it. */
export const CHECK_COLUMNS = 'Check columns';

/** What decisions say of a product that the tab knows nothing of. */
export const NOT_ANALYZED = 'Not analyzed';
