// The preview of a job: its rows, products and calls, the columns that it adds, and what needs
// attention. Reads the sheet, the tab and the cache, and asks nothing.

import type { Engine } from '../engine/engine';
import { type Failure, fail, isFailure } from '../failures/failure';
import { sentences } from '../failures/failure-words';
import { areaOf, type SheetCell } from '../google/cells';
import type { Quota } from '../limit/pace';
import type { Stop } from '../limit/stop';
import { isBarcode, productKey } from '../product/asin';
import { titleOf } from '../product/cell-text';
import { DEFAULT_MARKET } from '../product/market';
import { failureOfStop } from '../service/response';
import { type Choice, locationOf, wantedColumns } from './choice';
import { titlesToAdd } from './our-columns';
import {
  type ChosenList,
  isBarcodeFailure,
  isFreshRow,
  type ListRow,
  productOfRow,
  productsOf,
  type Repair,
  readChosenList,
  shownOf,
} from './rows';
import { readTitle } from './title-words';

/** Why a row needs attention: a problem of its product cell, or how it was interpreted. */
export type RowNote = { readonly row: number; readonly shown: string } & (
  | { readonly why: string }
  | { readonly repair: NonNullable<Repair>; readonly asin: string; readonly market: string }
  /** The row that has the same product first. */
  | { readonly first: number }
);

/** Rows that need attention, each with the reason. `count` is the full number. */
export interface RowList {
  readonly count: number;
  readonly rows: readonly RowNote[];
}

export interface Preview {
  readonly rows: number;
  readonly products: number;
  /** Products with recent enough figures. */
  readonly fresh: number;
  /** The first of the others that may have an answer from before the job, by key. */
  readonly first: readonly string[];
  readonly unreadable: RowList;
  /** How many different barcodes are among them, which a person has to name the products of. */
  readonly barcodes: number;
  readonly repaired: RowList;
  readonly duplicates: RowList;
  /** The titles of the columns that are added, in order. */
  readonly added: readonly string[];
  /** null while the rate is a guess. */
  readonly expectedMs: number | null;
  /** Why no calls are made with this key at present, if so. */
  readonly stop: Stop | undefined;
  /** Why a job cannot be started with this choice. */
  readonly problem: Failure | null;
}

/** At most this many rows of a list are shown. */
const LISTED_MAX = 200;

const shortList = (notes: readonly RowNote[]): RowList => ({
  count: notes.length,
  rows: notes.slice(0, LISTED_MAX),
});

export function preview(engine: Engine, choice: Choice): Preview | Failure {
  const { clock } = engine.platform;
  const { defaultMarket = DEFAULT_MARKET } = engine.connection.settings;
  const chosen = readChosenList(clock, choice, defaultMarket);
  if (isFailure(chosen)) return chosen;
  const { rows, sheet } = chosen;
  const products = productsOf(rows).size;
  const isAnew = choice.rows.kind === 'product';
  const open = openProducts(engine, chosen, isAnew);
  const fresh = products - open.length;
  const isFraction = engine.connection.settings.roiUnit !== undefined;
  const added = titlesToAdd(
    locationOf(sheet, choice),
    wantedColumns(choice, defaultMarket, isFraction),
  );
  const stop = engine.gate.stopped();
  // Other stops end by themselves: the job shows what is fresh and goes on after them.
  const isForGood = stop?.reason === 'key-refused' || stop?.reason === 'copied';
  const isRefused = isForGood && fresh < products;
  return {
    rows: rows.length,
    products,
    fresh,
    first: isAnew ? [] : open.slice(0, FIRST_MAX),
    unreadable: shortList([
      ...rows.flatMap(unreadableNote),
      ...mergedNotes(chosen, choice),
      ...barcodeNotes(chosen, choice),
    ]),
    barcodes: new Set(rows.flatMap(barcodeIn)).size,
    repaired: shortList(rows.flatMap(repairNote)),
    duplicates: shortList(duplicateNotes(rows)),
    added: isFailure(added) ? [] : added,
    expectedMs: expectedMsOf(engine, products - fresh),
    stop,
    problem: isRefused ? failureOfStop(stop, clock.nowMs()) : isFailure(added) ? added : null,
  };
}

function unreadableNote({ row, shown, content }: ListRow): readonly RowNote[] {
  if (content.kind !== 'unreadable') return [];
  return [{ row, shown, why: sentences(content.failure).message }];
}

const barcodeIn = ({ shown, content }: ListRow): readonly string[] =>
  content.kind === 'unreadable' && isBarcodeFailure(content.failure) ? [shown] : [];

/** The further rows of merged product cells, whose offers have no product of their own. */
function mergedNotes(
  { sheet, size, rows }: ChosenList,
  { headerRow, productColumn: column }: Choice,
): readonly RowNote[] {
  const area = areaOf(headerRow + 1, column, size.lastRow - headerRow);
  return (sheet.merges(area) ?? []).flatMap((merge): readonly RowNote[] => {
    const first = rows.find(({ row }) => row === merge.row);
    if (first === undefined) return [];
    const { shown } = first;
    const why = sentences(fail({ kind: 'bad-asin', input: shown, why: 'merged' })).message;
    const mergedRows = Array.from({ length: merge.rowCount - 1 }, (_, at) => merge.row + 1 + at);
    return mergedRows.map((row) => ({ row, shown, why }));
  });
}

/** The rows of a list of ASINs that have a barcode instead. */
function barcodeNotes(
  { sheet, size, rows }: ChosenList,
  { headerRow, productColumn, rows: { kind } }: Choice,
): readonly RowNote[] {
  const rowCount = size.lastRow - headerRow;
  if (kind !== 'all' || headerRow === 0 || rows.length === rowCount) return [];
  const [titles = []] = sheet.values(areaOf(headerRow, 1, 1, size.lastColumn)) ?? [];
  const isOfBarcodes = (title: SheetCell) => readTitle(titleOf(title)).role === 'barcode';
  if (isOfBarcodes(titles[productColumn - 1] ?? '')) return [];
  const filled = new Set(rows.map(({ row }) => row));
  const cellsIn = (at: number) => sheet.values(areaOf(headerRow + 1, at + 1, rowCount)) ?? [];
  const columns = titles.flatMap((title, at) => (isOfBarcodes(title) ? [cellsIn(at)] : []));
  return Array.from({ length: rowCount }, (_, at) => at).flatMap((at): readonly RowNote[] => {
    const [cell] = columns.flatMap((cells) => cells[at]?.[0] ?? '').filter(isBarcode);
    const row = headerRow + 1 + at;
    if (cell === undefined || filled.has(row)) return [];
    const failure = fail({ kind: 'bad-asin', input: shownOf(cell), why: 'no-asin' });
    return [{ row, shown: '', why: sentences(failure).message }];
  });
}

function repairNote({ row, shown, content }: ListRow): readonly RowNote[] {
  if (content.kind !== 'product' || content.repair === null) return [];
  return [{ row, shown, repair: content.repair, ...content.product }];
}

function duplicateNotes(rows: readonly ListRow[]): readonly RowNote[] {
  const firstRows = new Map<string, number>();
  return rows.flatMap((listRow): readonly RowNote[] => {
    const product = productOfRow(listRow);
    if (product === null) return [];
    const { row, shown } = listRow;
    const first = firstRows.get(productKey(product));
    if (first !== undefined) return [{ row, shown, first }];
    firstRows.set(productKey(product), row);
    return [];
  });
}

/** More than are answered before a job has begun, with a usual key. */
const FIRST_MAX = 200;

/**
 * The products that have to be asked, by key.
 *
 * @param isAnew whether they are asked whatever is known.
 */
function openProducts(engine: Engine, { rows }: ChosenList, isAnew: boolean): readonly string[] {
  if (isAnew) return [...productsOf(rows).keys()];
  const nowMs = engine.platform.clock.nowMs();
  const stale = rows.filter((row) => !isFreshRow(row, engine.fetchedWith, nowMs));
  const open = [...productsOf(stale).keys()];
  const found = engine.cache.find(open, { triesAgain: true }, nowMs);
  return open.filter((key) => !found.has(key));
}

/** null while the rate is still a guess. */
function expectedMsOf({ connection, gate }: Engine, calls: number): number | null {
  const learned = gate.learned();
  const quota: Quota | undefined | null = connection.quota ?? (learned?.sure ? learned : null);
  return quota ? (calls * quota.perSeconds * 1_000) / quota.calls : null;
}
