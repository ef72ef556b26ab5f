// What each cell of a spreadsheet may show, worked out anew from what a person sees in its row: the
// product's text, its market, the costs, and what the service has said of that product.

import { columnNumber } from 'apps-script-host/sheet/a1-notation';
import { isDate } from 'apps-script-host/sheet/date-serial';
import type { CellValue } from 'apps-script-host/sheet/model';
import type { PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { FIELDS, type Field, fieldTitle } from '../../../src/product/fields';
import { tabIn } from '../seen';
import type { Call } from '../service';
import { type Cells, cellsOf, isHiddenRole, type ListView, listView } from './view';

type CallsOf = (product: string) => readonly Call[];

/** How decisions are worked out from the row, for one market, by the rules of a new tab. */
interface Factors {
  readonly cost: number;
  readonly net: number;
  readonly fee: number;
}

/** A list as it was when decisions were added. */
export interface Bound {
  readonly titles: ReadonlyMap<string, string>;
  /** A formula of each column of ours, without what it refers to. */
  readonly shapes: ReadonlyMap<string, string>;
  readonly factors: ReadonlyMap<string, Factors>;
  readonly isMixed: boolean;
}

/** The rules of a new tab. */
const RULES = { profit: 3, roi: 0.3, drops: 5, skipProfit: 1.5, skipRoi: 0.15, skipDrops: 1 };

const REFERENCE =
  /"(?:[^"]|"")*"|#REF!|(?:'[^']+'|[A-Za-z_]\w*)!(?=[$A-Z#])|\$?[A-Z]{1,3}(?:\$?\d+)(?![\w(])|\$?[A-Z]{1,3}:\$?[A-Z]{1,3}(?![\w(])/g;

/** A formula without what it refers to: one for all rows and places of its column. */
const shapeOf = (formula: string): string =>
  formula
    .replace(REFERENCE, (part) => {
      if (part.startsWith('"')) return part;
      return part.endsWith('!') && part !== '#REF!' ? '' : '#';
    })
    .replace(/#:#/g, '#');

/** What a row holds, by role. */
type Row = (role: string) => CellValue;

const rowIn =
  ({ columns }: ListView, cells: readonly CellValue[] = []): Row =>
  (role) =>
    cells[(columns.get(role) ?? 0) - 1] ?? '';

/** A date is a number to formulas, and costs count as texts, too. */
function numberIn(value: CellValue): number {
  if (value instanceof Date) return value.getTime() / DAY_MS + DAYS_TO_1970;
  return typeof value === 'number' || /^[0-9]+$/.test(String(value)) ? Number(value) : Number.NaN;
}

const DAY_MS = 86_400_000;
const DAYS_TO_1970 = 25_569;

/** A column that was one of dates shows a number as a date. */
const isNear = (one: CellValue, other: number, within = 0.011) =>
  (typeof one === 'number' || one instanceof Date) && Math.abs(numberIn(one) - other) <= within;

export function boundIn(grid: PlainGrid, sheetId: number): Bound {
  const view = listView(grid, sheetId);
  const { values, formulas } = cellsOf(grid, sheetId);
  const isMixed = view.marketColumn !== null;
  const at = (cells: readonly (readonly CellValue[])[], row: number, column: number) =>
    String(cells[row - 1]?.[column - 1] ?? '');
  const factors = new Map<string, Factors>();
  for (const cells of values.slice(view.headerRow)) {
    const row = rowIn(view, cells);
    const n = (role: string) => numberIn(row(role));
    const market = marketOf(view, cells, isMixed);
    if (Number.isNaN(n('myProfit')) || factors.has(market)) continue;
    const prep = n('prep') || 0;
    factors.set(market, {
      cost: (n('landedCost') - prep) / n('cost'),
      net: n('netSale') / n('sell_price'),
      fee: (n('netSale') - n('landedCost') - n('myProfit')) / n('fees'),
    });
  }
  return {
    titles: new Map([...view.columns].map(([role, c]) => [role, at(values, view.headerRow, c)])),
    shapes: new Map(
      [...view.columns].map(([role, c]) => [role, shapeOf(at(formulas, view.headerRow + 1, c))]),
    ),
    ...{ factors, isMixed },
  };
}

export function marketOf(
  { marketColumn }: ListView,
  cells: readonly CellValue[],
  isMixed: boolean,
): string {
  if (!isMixed) return 'US';
  const said = String(cells[(marketColumn ?? 0) - 1] ?? '');
  return said === '' ? 'US' : said.trim().toUpperCase();
}

const ASIN = /^B0[0-9A-Z]{8}$|^[0-9]{9}[0-9X]$/;

/** Any product that a person would read in a cell. */
export const productIn = (value: CellValue) => {
  const text = String(value).trim().toUpperCase();
  return ASIN.test(text) ? text : (/\/DP\/([0-9A-Z]{10})\b/.exec(text)?.[1] ?? '');
};

/** Columns that show what the tab keeps of a product. */
type Kept = Field | 'status' | 'analyzed_at';

const isKept = (role: string | undefined): role is Kept =>
  isField(role) || role === 'status' || role === 'analyzed_at';

/** Whether a cell shows what is known of the product. A word in place of *OK* says nothing of one. */
function isOwn(callsOf: CallsOf, product: string, role: Kept, value: CellValue): boolean {
  if (role === 'status') return value !== OK || isAnalyzed(callsOf, product);
  if (role === 'analyzed_at') return isMoment(callsOf, product, value);
  return isAmong(value, saidOf(callsOf, product, role));
}

const OK = 'OK';

/** Words in its place, as people type them, too. */
export const NOT_OK = ['Not found', 'Waiting'];

const isAnalyzed = (callsOf: CallsOf, product: string) =>
  callsOf(product).some(({ figures }) => figures !== null);

/** An answer is kept soon after it has come. */
const KEPT_WITHIN_MS = 300_000;

/** Whether a cell, a date or its number, says when the product was fetched. */
const isMoment = (callsOf: CallsOf, product: string, value: CellValue): boolean =>
  momentIn(callsOf(product), value);

export const momentIn = (calls: readonly Call[], value: CellValue): boolean =>
  calls.some(({ atMs }) => {
    const sinceMs = (numberIn(value) - DAYS_TO_1970) * DAY_MS - atMs;
    return sinceMs > -1_000 && sinceMs < KEPT_WITHIN_MS;
  });

/** What the service has said of a product, the latest last. */
const saidOf = (callsOf: CallsOf, product: string, field: Field): readonly CellValue[] =>
  callsOf(product).flatMap(({ figures }) =>
    figures === null ? [] : [figures[fieldTitle(field)] ?? ''],
  );

const isField = (role: string | undefined): role is Field => FIELDS.includes(role as Field);

/** Whether a cell shows one of these; a column that was a person's may show a price as a date. */
const isAmong = (value: CellValue, said: readonly CellValue[]): boolean =>
  said.includes(value) ||
  (value instanceof Date && said.some((one) => isNear(value, numberIn(one))));

/** An error, and a blank, is no figure. */
const isShown = (value: CellValue) =>
  value !== '' && !(typeof value === 'string' && value.startsWith('#'));

/** A cell that shows what it may not. */
export interface Wrong {
  readonly role: string;
  readonly words: string;
}

/** What is wrong in all sheets. */
export function wrongsIn(grid: PlainGrid, bound: Bound, callsOf: CallsOf): readonly Wrong[] {
  const tab = tabIn(grid);
  return grid.sheets().flatMap(({ id, name }) => {
    if (id === tab || /rules/i.test(name)) return [];
    const view = listView(grid, id);
    const cells = cellsOf(grid, id);
    const lookup = (row: number, column: number) =>
      /"¦(\w+)=\(/.exec(cells.formulas[row]?.[column] ?? '')?.[1];
    const isList = view.headerRow > 0 && view.columns.has('product');
    // A list's own verdicts follow from what stands in their rows, figures that a person pasted included.
    const verdicts = isList ? (view.columns.get('verdict') ?? 0) : 0;
    return [
      ...anywhere(name, cells, lookup, verdicts, bound, callsOf),
      ...(isList
        ? [...inList(view, cells, lookup, bound, callsOf), ...aside(view, cells, lookup, bound)]
        : []),
    ];
  });
}

type Lookup = (row: number, column: number) => string | undefined;

/**
 * Wherever formulas were copied or dragged to: the row of a figure must have that figure's product, and
 * a *Buy* beside a product be one that is bought at some number in its row.
 */
function anywhere(
  name: string,
  { values, formulas }: Cells,
  lookup: Lookup,
  verdicts: number,
  { isMixed, shapes, factors }: Bound,
  callsOf: CallsOf,
): readonly Wrong[] {
  const markets = isMixed ? ['US', 'UK'] : ['US'];
  return formulas.flatMap((row, down) =>
    row.flatMap((formula, right): readonly Wrong[] => {
      const value = values[down]?.[right] ?? '';
      if (formula === '' || !isShown(value)) return [];
      const read = BOUGHT.exec(formula);
      if (read !== null && value === 'BUY') {
        const figure = values[Number(read[2]) - 1]?.[columnNumber(read[1] ?? '') - 1] ?? '';
        const words = `${name} row ${down + 1}: bought without a figure`;
        return figure === '' ? [{ role: BUY, words }] : [];
      }
      const products = (values[down] ?? []).map(productIn).filter((asin) => asin !== '');
      const keys = products.flatMap((asin) => markets.map((market) => `${asin}|${market}`));
      const role = lookup(down, right);
      const wrong = { role: role ?? BUY, words: `${name} row ${down + 1}: ${value}` };
      const beside = `beside ${products.join(' ')}`;
      if (isKept(role)) {
        // A word in place of *OK* says nothing of any product.
        if (role === 'status' && value !== OK) return [];
        if (keys.some((product) => isOwn(callsOf, product, role, value))) return [];
        return [{ ...wrong, words: `figure ${wrong.words} as ${role} ${beside}` }];
      }
      const isVerdict = value === 'Buy' && shapeOf(formula) === shapes.get('verdict');
      if (!isVerdict || keys.length === 0 || right + 1 === verdicts) return [];
      const numbers = [0, ...(values[down] ?? []).filter((cell) => typeof cell === 'number')];
      const isBought = keys.some((product) =>
        numbers.some((cost) => isGood(callsOf, product, factors, cost)),
      );
      return isBought ? [] : [{ ...wrong, words: `decision ${wrong.words} ${beside}` }];
    }),
  );
}

/** A person's own formula, which a blank must not pass: a text is greater than every number. */
const BOUGHT = /^=IF\(([A-Z]+)(\d+)>3[;,]"BUY"/;

/** The role of a *Buy* wherever it stands. */
const BUY = 'buy';

/** Whether a product can be bought at this cost, whatever is not said of it. */
function isGood(
  callsOf: CallsOf,
  product: string,
  factors: Bound['factors'],
  cost: number,
): boolean {
  const factor = factors.get(product.split('|')[1] ?? '');
  return callsOf(product).some(({ figures }) => {
    const of = (field: Field) => figures?.[fieldTitle(field)] ?? '';
    if (of('eligible') !== 'Yes' || factor === undefined) return false;
    const sell = of('sell_price');
    const paid = sell === '' ? numberIn(of('buy_price')) + numberIn(of('profit')) : Number.NaN;
    const left =
      (sell === '' ? paid + numberIn(of('fees')) : numberIn(sell)) * factor.net -
      numberIn(of('fees')) * factor.fee;
    const landed = cost * factor.cost;
    return left - landed >= RULES.profit && left >= landed * (1 + RULES.roi);
  });
}

const FIGURES = ['fees', 'sell_price', 'buy_price', 'profit', 'eligible', 'rank_drops_30d'];
const COSTS = ['cost', 'prep'];
const DECISIONS = ['landedCost', 'netSale', 'myProfit', 'myRoi', 'maxBuy', 'verdict'];

/** The columns on which a decision rests: the sell price follows from other figures where there is none. */
function readBy(role: string, row: Row): readonly string[] {
  if (role === 'landedCost') return COSTS;
  if (role === 'netSale') return isText(row('sell_price')) ? FIGURES.slice(0, 4) : ['sell_price'];
  if (role === 'maxBuy') return ['fees', 'sell_price', 'prep'];
  return [...FIGURES, ...COSTS];
}

function inList(
  view: ListView,
  { values, formulas }: Cells,
  lookup: Lookup,
  bound: Bound,
  callsOf: CallsOf,
): readonly Wrong[] {
  const titles = values[view.headerRow - 1] ?? [];
  const titleNow = (role: string) => String(titles[(view.columns.get(role) ?? 0) - 1] ?? '');
  /** Where a row was pushed to the side with the titles, its cells stand under their own. */
  const holds = (role: string, place: number, right: number) =>
    isKept(role)
      ? lookup(place, right) === role
      : DECISIONS.includes(role) &&
        shapeOf(formulas[place]?.[right] ?? '') === bound.shapes.get(role);
  const pushedTo = (role: string, place: number) =>
    titles.findIndex(
      (title, right) => title === bound.titles.get(role) && holds(role, place, right),
    );
  const isPushed = (role: string, place: number) =>
    !holds(role, place, (view.columns.get(role) ?? 0) - 1) && pushedTo(role, place) >= 0;
  /** A column with another title than when decisions were added: nobody said what it is now. */
  const retitled = (role: string, row: Row, place: number) =>
    readBy(role, row).find(
      (one) =>
        view.columns.has(one) &&
        !isPushed(one, place) &&
        bound.titles.has(one) &&
        titleNow(one).toLowerCase() !== bound.titles.get(one)?.toLowerCase(),
    );
  /** Cells that were pushed to the side are read where they are by then. */
  const isOursIn = (role: string, place: number) =>
    (formulas[place]?.[(view.columns.get(role) ?? 0) - 1] ?? '') !== '';
  return values.slice(view.headerRow).flatMap((cells, down) => {
    const place = view.headerRow + down;
    const inPlace = rowIn(view, cells);
    const row: Row = (role) =>
      isPushed(role, place) ? (cells[pushedTo(role, place)] ?? '') : inPlace(role);
    const market = marketOf(view, cells, bound.isMixed);
    const product = `${productIn(row('product')) || otherProduct(cells)}|${market}`;
    const latest = (field: Field) => saidOf(callsOf, product, field).at(-1) ?? '';
    return [...view.columns].flatMap(([role, column]): readonly Wrong[] => {
      const formula = formulas[place]?.[column - 1] ?? '';
      const value = row(role);
      if (formula === '' || !isShown(value) || shapeOf(formula) !== bound.shapes.get(role))
        return [];
      const where = `row ${place + 1} (${row('product')}) ${role}`;
      if (isKept(role)) {
        // Rows of the former list have their products and markets elsewhere: they are judged anywhere.
        const isOther = lookup(place, column - 1) !== role || productIn(row('product')) === '';
        if (isOther || isOwn(callsOf, product, role, value)) return [];
        return [{ role, words: `figure ${where}: ${value}` }];
      }
      if (!DECISIONS.includes(role)) return [];
      const isSaid =
        role === 'verdict' ? ['Buy', 'Maybe', 'Skip'].includes(String(value)) : !isText(value);
      if (!isSaid) return [];
      const status = row('status');
      const isTyped = NOT_OK.includes(String(status)) && !isOursIn('status', place);
      if (isTyped && role !== 'landedCost')
        return [{ role, words: `decision ${where}: ${value}, of ${status}` }];
      const other = retitled(role, row, place);
      if (other !== undefined)
        return [{ role, words: `title ${where}: ${value}, and ${other} has another title` }];
      const factors = bound.factors.get(market);
      // What has been cut away may still be read, and is that of the row's product.
      const known: Row = (one) => {
        const shown = row(one);
        if (one === 'netSale' && isText(shown))
          return numberIn(known('sell_price')) * (factors?.net ?? 1);
        if (one === 'landedCost') return shown || landedOf(row, factors);
        if (one === 'myProfit') return shown || profitOf(known, factors) || '';
        if (one === 'myRoi') return shown || roiOf(known, factors);
        if (one === 'analyzed_at') return shown || CUT_AWAY;
        return shown || (isField(one) ? latest(one) : '');
      };
      const rows = [row, known];
      const isFresh = rows.map((one) => {
        const at = one('analyzed_at');
        // A date that a person has put there is theirs, as a number is that they type over a figure.
        const isTyped = isDate(at) && !isOursIn('analyzed_at', place);
        return at === CUT_AWAY || isTyped || isMoment(callsOf, product, at);
      });
      const isRight = (one: Row, at: number) =>
        factors !== undefined && isDecided(role, value, one, factors, isFresh[at] === true);
      if (rows.some(isRight)) return [];
      return [{ role, words: `decision ${where}: ${value}, of ${said(row)}` }];
    });
  });
}

/** What is shown under the title of another column of the add-on, as where cells are copied to the side. */
function aside(
  { headerRow, columns }: ListView,
  { values, formulas }: Cells,
  lookup: Lookup,
  { titles, shapes }: Bound,
): readonly Wrong[] {
  const amounts = DECISIONS.filter((role) => role !== 'verdict');
  return values.slice(headerRow).flatMap((cells, down) => {
    const place = headerRow + down;
    return [...columns].flatMap(([role, column]): readonly Wrong[] => {
      const title = values[headerRow - 1]?.[column - 1];
      const value = cells[column - 1] ?? '';
      const shape = shapeOf(formulas[place]?.[column - 1] ?? '');
      if (shape === '' || !isShown(value) || title !== titles.get(role)) return [];
      const amount = isText(value) ? undefined : amounts.find((one) => shapes.get(one) === shape);
      const shown = lookup(place, column - 1) ?? amount;
      if (shown === undefined || shown === role || isHiddenRole(role)) return [];
      return [{ role, words: `aside row ${place + 1} ${role}: ${value}, which is ${shown}` }];
    });
  });
}

/** Where the column of products was bound anew, rows of the former list hold theirs in another. */
const otherProduct = (cells: readonly CellValue[]) => cells.map(productIn).find(Boolean) ?? '';

const isText = (value: CellValue) => typeof value === 'string';

/** In place of a moment that stands in another cell by now. */
const CUT_AWAY = 'cut away';

const said = (row: Row) =>
  [...COSTS, ...FIGURES, ...DECISIONS, 'reasons'].map((role) => `${role} ${row(role)}`).join(', ');

const landedOf = (row: Row, factors: Factors | undefined): number =>
  numberIn(row('cost')) * (factors?.cost ?? 1) + (row('prep') === '' ? 0 : numberIn(row('prep')));

const leftOf = (row: Row, factors: Factors | undefined): number =>
  numberIn(row('netSale')) - numberIn(row('fees')) * (factors?.fee ?? 1);

const profitOf = (row: Row, factors: Factors | undefined): number =>
  leftOf(row, factors) - numberIn(row('landedCost'));

const roiOf = (row: Row, factors: Factors | undefined): number =>
  leftOf(row, factors) / numberIn(row('landedCost')) - 1;

/** Whether the decision follows from what the row shows. */
function isDecided(
  role: string,
  value: CellValue,
  row: Row,
  factors: Factors,
  isFresh: boolean,
): boolean {
  const { cost, net, fee } = factors;
  const n = (name: string) => numberIn(row(name));
  const prep = row('prep') === '' ? 0 : n('prep');
  const left = n('netSale') - n('fees') * fee;
  switch (role) {
    case 'landedCost':
      return isNear(value, landedOf(row, factors));
    case 'netSale': {
      const sell = isText(row('sell_price')) ? Number.NaN : n('sell_price');
      return isNear(value, (sell || n('buy_price') + n('fees') + n('profit')) * net);
    }
    case 'myProfit':
      return isNear(value, left - n('landedCost'));
    case 'myRoi':
      return isNear(value, left / n('landedCost') - 1, 0.001);
    case 'maxBuy': {
      const most = Math.min(left / (1 + RULES.roi), left - RULES.profit);
      return isNear(value, Math.max(0, (most - prep) / cost), 0.02);
    }
    default:
      return !Number.isNaN(n('myProfit')) && value === verdictOf(row, isFresh);
  }
}

/** @param isFresh whether it is known when the figures were fetched: others are for no *Buy*. */
function verdictOf(row: Row, isFresh: boolean): string {
  const [profit, roi] = [numberIn(row('myProfit')), numberIn(row('myRoi'))];
  const [drops, eligible] = [row('rank_drops_30d'), row('eligible')];
  // A text that a person has put there is no count: unknown, and unknown is neither Buy nor Skip.
  const isCounted = typeof drops === 'number';
  const isGood = profit >= RULES.profit && roi >= RULES.roi && isCounted && drops >= RULES.drops;
  if (isGood && eligible === 'Yes' && isFresh) return 'Buy';
  const isBad = profit < RULES.skipProfit || roi < RULES.skipRoi || eligible === 'No';
  return isBad || (isCounted && drops < RULES.skipDrops) ? 'Skip' : 'Maybe';
}

/** A line of a shopping list: a product, its market, how many, and what one costs. */
export type Line = readonly CellValue[];

/** Lines of a shopping list that no row of the list says now. */
export function wrongLines(
  grid: PlainGrid,
  sheetId: number,
  lines: readonly Line[],
  isMixed: boolean,
): readonly string[] {
  const view = listView(grid, sheetId);
  const rows = cellsOf(grid, sheetId).values.slice(view.headerRow);
  return lines.flatMap(([asin, , market, , , , cost]) => {
    const isHere = rows.some((cells) => {
      const row = rowIn(view, cells);
      const isProduct =
        productIn(row('product')) === asin && marketOf(view, cells, isMixed) === market;
      return isProduct && row('verdict') === 'Buy' && row('cost') === cost;
    });
    return isHere ? [] : [`line ${asin} ${market} ${cost}`];
  });
}
