// What pages do in a world of people: a job of one person or another, Sort by ROI, a shopping list; and what
// must hold of each, whatever was done to the list before.

import type { CellValue } from 'apps-script-host/sheet/model';
import { type Book, COLLEAGUE, DOCUMENT, KEYS, OWNER, type Who } from '../book';
import { type Line, marketOf, momentIn, productIn } from './checker';
import { cellsOf, LIST, listView } from './view';

type Value = Readonly<Record<string, unknown>>;

/** What a method of the page gives; null: it failed. */
export const given = (
  book: Book,
  method: string,
  payload: object = {},
  who: Who = {},
): Value | null => book.rpc(method, payload, {}, who).value ?? null;

const FIELDS = ['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d', 'buy_price', 'sell_price'];

/** A colleague with a key of their own, in the owner's spreadsheet. */
export const AS_COLLEAGUE: Who = { userEmail: COLLEAGUE, documentId: DOCUMENT };

type Begun = (job: { readonly jobId: unknown; readonly products: readonly string[] }) => void;

/**
 * One job over the list, as a page works it off.
 *
 * @returns whether it came to its end.
 */
export function analyze(book: Book, who: Who = {}, onBegun: Begun = () => {}): boolean {
  const looked = given(book, 'list.look', {}, who);
  const wish = { ...(looked?.choice as object), rows: { kind: 'all' }, fields: FIELDS };
  const begun = given(book, 'jobs.start', wish, who);
  const jobId = (begun?.status as Value | undefined)?.jobId;
  let products = (begun?.queue ?? []) as readonly string[];
  let isWhole = begun !== null;
  if (products.length > 0) onBegun({ jobId, products });
  for (let round = 0; products.length > 0 && round < 5; round += 1) {
    const asked = given(book, 'jobs.ask', { jobId, products, maxMs: 60_000 }, who);
    const { answers, calls, left } = asked ?? {};
    const recorded = given(book, 'jobs.record', { jobId, answers, calls }, who);
    isWhole &&= asked !== null && recorded !== null;
    products = (left ?? []) as readonly string[];
  }
  return isWhole && products.length === 0;
}

/** A copy of the spreadsheet, made in the middle of a job, asks for nothing. */
export function copySpends(
  book: Book,
  number: number,
  job: Parameters<Begun>[0],
  { userEmail = OWNER }: Who,
): boolean {
  const copy = { id: `copy ${number}`, name: 'Copy', ownerEmail: userEmail, editors: [] };
  book.host.copyDocument(DOCUMENT, copy, true);
  const before = book.service.calls.length;
  const who = { userEmail, documentId: copy.id };
  given(book, 'jobs.ask', { ...job, maxMs: 60_000 }, who);
  return book.service.calls.length > before;
}

/** Rows whose figures were fetched with the key of somebody else, after a job of the owner's own. */
export function othersFigures({ grid, service }: Book, isMixed: boolean): readonly string[] {
  const view = listView(grid, LIST);
  const { values, formulas } = cellsOf(grid, LIST);
  const [product = 0, status = 0, at = 0] = ['product', 'status', 'analyzed_at'].map((role) =>
    view.columns.get(role),
  );
  return values.slice(view.headerRow).flatMap((cells, down) => {
    const texts = formulas[view.headerRow + down] ?? [];
    const isOurs = [status, at].every((column) => texts[column - 1]?.includes('INDEX('));
    const asin = productIn(cells[product - 1] ?? '');
    const isPlain = texts[product - 1] === '' && cells[product - 1] === asin;
    if (!isOurs || !isPlain || asin === '' || cells[status - 1] !== 'OK') return [];
    const calls = service.callsOf(`${asin}|${marketOf(view, cells, isMixed)}`);
    const moment = cells[at - 1] ?? '';
    const answered = calls.filter((one) => momentIn([one], moment)).at(-1);
    if (answered === undefined || answered.key === KEYS[0]) return [];
    return [`row ${view.headerRow + down + 1} (${asin}) was fetched by a colleague`];
  });
}

/** The list in view as the List page sees it; null: it sees none. */
export function dealWish(book: Book): object | null {
  const value = given(book, 'deals.look', {
    ...{ list: null, market: null, cost: null, shows: 'totals' },
  });
  const look = value?.look as
    | { readonly sheet: { readonly id: number }; readonly listId: string; readonly market: unknown }
    | undefined;
  if (!look) return null;
  return { list: { sheetId: look.sheet.id, listId: look.listId }, market: look.market, cost: null };
}

/** What stands in a person's own column of notes beside each product that is there once. */
function notesIn({ grid }: Book): ReadonlyMap<string, CellValue> {
  const view = listView(grid, LIST);
  const at = cellsOf(grid, LIST).values.slice(view.headerRow);
  const product = (view.columns.get('product') ?? 0) - 1;
  const titles = cellsOf(grid, LIST).values[view.headerRow - 1] ?? [];
  const note = titles.indexOf(NOTE);
  const texts = at.map((cells) => String(cells[product] ?? ''));
  const isOnce = (text: string) => text !== '' && texts.indexOf(text) === texts.lastIndexOf(text);
  const own = at.flatMap((cells, down): [string, CellValue][] => {
    const text = texts[down] ?? '';
    return isOnce(text) && note >= 0 ? [[text, cells[note] ?? '']] : [];
  });
  return new Map(own);
}

export const NOTE = 'Note';

/** *Sort by ROI* leaves beside each product what stood there, formulas of a person's own included; an error is told by itself. */
export function sortTears(book: Book): readonly string[] {
  const wish = dealWish(book);
  if (wish === null) return [];
  const before = notesIn(book);
  given(book, 'deals.sort', wish);
  return [...notesIn(book)]
    .filter(([text, note]) => before.has(text) && before.get(text) !== note)
    .filter(([, note]) => !String(note).startsWith('#'))
    .map(([text, note]) => `sorting changed the note beside ${text}: ${before.get(text)}, ${note}`);
}

/** The lines of the shopping lists that the page makes of the list in view. */
export function shoppingLines(book: Book): readonly Line[] {
  const { grid } = book;
  const before = new Set(grid.sheets().map(({ id }) => id));
  const wish = dealWish(book);
  if (wish !== null) given(book, 'deals.shop', wish);
  return grid
    .sheets()
    .filter(({ id, name }) => !before.has(id) && /^Shopping/.test(name))
    .flatMap(({ id }): readonly Line[] => cellsOf(grid, id).values.slice(1))
    .filter(([, product]) => product !== 'Total');
}
