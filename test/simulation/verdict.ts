// Whether a world is intact: every row has its own product's figures, and no cell of the person's
// has changed.

import type { CellValue } from 'apps-script-host/sheet/model';
import { saidIn } from '../table/status-cells';
import type { BulkWorld } from './bulk-world';
import { noteOf, remarkOf } from './bulk-world';

/** What the add-on writes beside a product, by header. */
export type Figures = Readonly<Record<string, CellValue>>;

const FIGURES = ['Profit', 'ROI', 'Fees', 'Eligible', 'Rank drops 30d'];
const STATUS = 'Analysis status';
const AT = 'Analyzed at';

export interface Table {
  readonly titles: readonly string[];
  readonly rows: readonly (readonly CellValue[])[];
}

export function tableOf({ grid, sheetId }: Pick<BulkWorld, 'grid' | 'sheetId'>): Table {
  const { lastRow, lastColumn } = grid.size(sheetId);
  const area = { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn };
  const [titles = [], ...rows] = grid.values(sheetId, area);
  return { titles: titles.map(String), rows };
}

/** Figures by ASIN, taken from a world in which nothing went wrong. */
export function truthOf(world: BulkWorld): ReadonlyMap<string, Figures> {
  const { titles, rows } = tableOf(world);
  const cell = (row: readonly CellValue[], title: string) => row[titles.indexOf(title)] ?? '';
  return new Map(
    rows.map((row) => [
      String(cell(row, 'ASIN')),
      Object.fromEntries(FIGURES.map((title) => [title, cell(row, title)])),
    ]),
  );
}

export interface Expectations {
  readonly truth: ReadonlyMap<string, Figures>;
  /** Titles that people have given to columns meanwhile, by their former titles. */
  readonly renamed: ReadonlyMap<string, string>;
  /** ASINs that people typed or pasted during the run, which the run need not know. */
  readonly typed: ReadonlySet<string>;
  /** ASINs of rows whose product was typed over. */
  readonly typedOver: ReadonlySet<string>;
  /**
   * What people typed in place of figures, '' for nothing; either this or the figure is correct.
   */
  readonly handled: ReadonlySet<CellValue>;
}

/** The errors in the table, in words; none for an intact world. */
export function wrongsOf(table: Table, expected: Expectations): readonly string[] {
  const { titles } = table;
  // A column that was renamed before the run knew it belongs to the person, and the run makes
  // another one.
  const titleNow = (title: string) =>
    titles.includes(title) ? title : (expected.renamed.get(title) ?? title);
  const places = new Map(
    ['Note', 'ASIN', 'Remark', STATUS, AT, ...FIGURES].map((title) => [
      title,
      titles.indexOf(titleNow(title)),
    ]),
  );
  const gone = [...places].filter(([, place]) => place < 0).map(([title]) => title);
  if (gone.length > 0) return [`The columns ${gone.join(', ')} are gone.`];
  const wrongs: string[] = [];
  const foreign = titles
    .map((title, at) => ({ title, at }))
    .filter(({ at }) => ![...places.values()].includes(at));
  table.rows.forEach((row, down) => {
    const cell = (title: string) => row[places.get(title) ?? -1] ?? '';
    const tell = (text: string) => wrongs.push(`Row ${down + 2} (${cell('ASIN')}): ${text}`);
    const asin = String(cell('ASIN'));
    for (const { title, at } of foreign)
      if ((row[at] ?? '') !== '') tell(`the column "${title}" holds ${String(row[at])}`);
    if (asin === '') {
      const ours = [STATUS, AT, ...FIGURES].filter((title) => cell(title) !== '');
      if (ours.length > 0) tell(`holds ${ours.join(', ')} although there is no product`);
      return;
    }
    if (cell('Note') !== noteOf(asin) || cell('Remark') !== remarkOf(asin))
      tell(`the person's cells are ${cell('Note')} and ${cell('Remark')}`);
    checkFigures(asin, cell, expected, tell);
  });
  return wrongs;
}

function checkFigures(
  asin: string,
  cell: (title: string) => CellValue,
  { truth, typed, typedOver, handled }: Expectations,
  tell: (text: string) => void,
): void {
  const status = saidIn(cell(STATUS));
  const named = /^OK ([0-9A-Z]{10}) US(?:, kept: .+)?$/.exec(status)?.[1];
  const figures = FIGURES.map((title) => cell(title));
  if (named === undefined) {
    if (status !== '' || !typed.has(asin)) tell(`was not analyzed: "${status}"`);
    if (figures.some((figure) => figure !== '' && !handled.has(figure)))
      tell('holds figures without a status');
    return;
  }
  // A person who types another product beside figures sees from the status whose figures they are.
  if (named !== asin && !(typed.has(asin) && typedOver.has(named))) tell(`says "${status}"`);
  const own = truth.get(named);
  if (own === undefined) return;
  const wrong = FIGURES.filter((title) => cell(title) !== own[title] && !handled.has(cell(title)));
  if (wrong.length > 0)
    tell(
      `has other figures: ${wrong.map((title) => `${title} ${String(cell(title))} for ${String(own[title])}`).join(', ')}`,
    );
}

/** Rows that are missing or duplicated according to the people's own count. */
export function lostOrDoubled(
  table: Table,
  titleOfAsin: string,
  there: ReadonlyMap<string, number>,
): readonly string[] {
  const place = table.titles.indexOf(titleOfAsin);
  const counts = new Map<string, number>();
  for (const row of table.rows) {
    const asin = String(row[place] ?? '');
    if (asin !== '') counts.set(asin, (counts.get(asin) ?? 0) + 1);
  }
  return [...new Set([...there.keys(), ...counts.keys()])]
    .filter((asin) => (there.get(asin) ?? 0) !== (counts.get(asin) ?? 0))
    .map((asin) => `${asin} stands ${counts.get(asin) ?? 0} times, not ${there.get(asin) ?? 0}`);
}
