// Which column of a list holds what: its titles together say it, and the cells below confirm it. What only
// a person can say is a question. Pure.

import { visibleText } from '../product/cell-text';
import { EXTRAS, type ExtraCost } from '../product/cost';
import {
  amountIn,
  areCounts,
  areOther,
  type ColumnValues,
  countIn,
  isAmount,
  isTextOfNumber,
  isTick,
  isVatRate,
  most,
  packIn,
} from './column-values';
import {
  type ColumnRole,
  countsCases,
  LANDED_RANK,
  readTitle,
  type TitleMeaning,
  type TitleReading,
} from './title-words';

export interface TitledColumn {
  readonly title: string;
  /** As many of its cells as are at hand. */
  readonly values?: ColumnValues;
}

/** What a column holds. */
export interface ColumnReading {
  /** null: nothing that counts, or a question. */
  readonly role: ColumnRole | null;
  /** What the column may hold, if only a person can say. */
  readonly asks?: ColumnRole;
  /** What a cost is for; null: a person says. Left out: this is no cost. */
  readonly per?: 'unit' | 'case' | null;
}

/** Nothing is worked out from these: of equal titles the first counts, and none is asked. */
const LIGHT: readonly ColumnRole[] = [
  ...(['product', 'barcode', 'name', 'market', 'supplier', 'itemNumber'] as const),
];

const OTHERS: readonly ColumnRole[] = [
  ...LIGHT,
  ...EXTRAS,
  ...(['multipack', 'discount', 'vatRate', 'salesTax', 'ordered'] as const),
];

/** A title that is nothing but a number of units, or of the seller's own stock number. */
const consistsOf = ({ meanings }: TitleReading, ...words: readonly TitleMeaning[]): boolean =>
  [...meanings].every((meaning) => words.includes(meaning));

/** What a cost has in it by its title: all extras if it is landed, shipping if it is delivered. */
export function includedIn({ role, rank, meanings, text }: TitleReading): readonly ExtraCost[] {
  if (role !== 'cost') return [];
  if (rank === LANDED_RANK) return EXTRAS;
  const extras: readonly ExtraCost[] = text.includes(' inclprep ') ? ['prep'] : [];
  return meanings.has('delivered') ? [...extras, 'shipping'] : extras;
}

/** Prices of one unit are below what it retails at, and this share of it is a trifle. */
const TRIFLE = 0.15;
const SENSE_ROWS_MIN = 3;

/** This share of the rows says that a discount is in the cost already. */
const MOSTLY = 0.8;

/** More than a person buys of one product: the supplier's stock. */
const BOUGHT_MAX = 200;

const isBought = (count: number): boolean =>
  Number.isInteger(count) && count >= 0 && count <= BOUGHT_MAX;

/** In how many of the rows with all three the cost is the retail price less the discount: 0 to 1. */
function discountedShare(costs: ColumnValues, retail: ColumnValues, rates: ColumnValues): number {
  const rows = costs.flatMap((cost, row) => {
    const [paid, full, rate] = [cost, retail[row] ?? '', rates[row] ?? ''].map(amountIn);
    if (!paid || !full || !rate) return [];
    const left = full * (1 - (rate > 1 ? rate / 100 : rate));
    return [Math.abs(left - paid) <= 0.01 + paid / 50];
  });
  return rows.length === 0 ? 0 : rows.filter(Boolean).length / rows.length;
}

/** @param chosen the place of the column that a person takes for the cost, whatever its title says. */
export function readTitles(
  columns: readonly TitledColumn[],
  chosen?: number,
): readonly ColumnReading[] {
  const titles = columns.map(({ title }) => readTitle(title));
  const titleAt = (at: number) => titles[at] as TitleReading;
  const valuesAt = (at: number) => columns[at]?.values ?? [];
  const isConfirmed = titles.map(({ role }, at) => role === null || !areOther(role, valuesAt(at)));
  const readings = columns.map((): ColumnReading => ({ role: null }));
  const all = columns.map((_, at) => at);
  const possible = (role: ColumnRole) =>
    all.filter((at) => titleAt(at).role === role && isConfirmed[at]);
  const sure = (role: ColumnRole) =>
    possible(role).filter((at) => titleAt(at).rank > 1 && !titleAt(at).isOpen);
  const best = (of: readonly number[]) => {
    const highest = Math.max(...of.map((at) => titleAt(at).rank));
    return of.filter((at) => titleAt(at).rank === highest);
  };
  const take = (at: number, role: ColumnRole) => {
    readings[at] = { role };
  };
  const ask = (of: readonly number[], asks: ColumnRole) => {
    for (const at of of) readings[at] = { role: null, asks };
  };
  const has = (at: number, meaning: TitleMeaning) => titleAt(at).meanings.has(meaning);
  const saying = (pattern: RegExp) => all.filter((at) => pattern.test(titleAt(at).text));
  const hasProducts = sure('product').length > 0;
  const isOfSeller = hasProducts || saying(/ (platform|max price) /).length > 0;

  for (const role of OTHERS) readOther(role);
  confirmOthers();
  const pack = readPack();
  readCost();
  readQuantity();
  return readings;

  function readOther(role: ColumnRole): void {
    // A stock number beside ASINs, or in the seller's own orders and prices, is the seller's own.
    const isOwn = (at: number) =>
      role === 'itemNumber' && isOfSeller && consistsOf(titleAt(at), 'item', 'sku');
    const clear = sure(role).filter((at) => !isOwn(at));
    const top = role === 'barcode' ? clear : best(clear);
    const taken = role === 'barcode' ? top : top.slice(0, 1);
    if (top.length === 1 || LIGHT.includes(role)) for (const at of taken) take(at, role);
    else ask(top.length > 0 ? top : possible(role), role);
  }

  /** What the cells say of columns that would be asked about. */
  function confirmOthers(): void {
    const isMarket = /^(us|uk|usa|gb|(www\.)?amazon\.(com|co\.uk))$/i;
    for (const at of possible('market'))
      if (
        most(valuesAt(at), (value) => isMarket.test(visibleText(value))) === true &&
        !readings.some(({ role }) => role === 'market')
      )
        take(at, 'market');
    // A title such as "VAT" may stand above amounts, and "Tax code" above codes of another system.
    for (const at of possible('vatRate')) {
      const areRates = most(valuesAt(at), isVatRate);
      const isTaken = readings.some(({ role }, position) => role === 'vatRate' && position !== at);
      if (areRates === false)
        readings[at] = { role: null, ...(titleAt(at).rank > 1 && { asks: 'vatRate' }) };
      else if (areRates === true && !isTaken && !titleAt(at).isOpen) take(at, 'vatRate');
    }
    const amounts = all.filter(
      (at) => readings[at]?.asks === 'other' && !titleAt(at).isOpen && most(valuesAt(at), isAmount),
    );
    // Of a duty beside a tariff, a person says which.
    if (amounts.length === 1) for (const at of amounts) take(at, 'other');
    for (const at of all) {
      const { asks } = readings[at] ?? {};
      if (asks === 'ordered' && most(valuesAt(at), isTick)) take(at, asks);
      // "Set of 2" is not the price of one.
      if (readings[at]?.role === 'multipack' && !areCounts(valuesAt(at))) ask([at], 'multipack');
    }
  }

  function readPack(): number | undefined {
    const clear = sure('pack');
    const hasCases = clear.some((at) => titleAt(at).rank === 5);
    const packs = best(clear.filter((at) => titleAt(at).rank === 5 || !hasCases));
    const [only] = packs;
    // "Outer" beside "Inner"
    const isRivalled =
      only !== undefined &&
      titleAt(only).rank < 5 &&
      possible('pack').some((at) => titleAt(at).rank === 1);
    if (
      packs.length === 1 &&
      only !== undefined &&
      !isRivalled &&
      saying(/ unit (qty|quantity) /).length === 0
    ) {
      take(only, 'pack');
      return only;
    }
    ask(packs.length > 0 && !isRivalled ? packs : possible('pack'), 'pack');
    return undefined;
  }

  /** A landed cost, else a unit's cost, else a case's. */
  function readCost(): void {
    const clear = sure('cost');
    // A quantity in cases is of what has the price of a case.
    const isInCases = sure('quantity').some((at) => countsCases(columns[at]?.title ?? ''));
    const ofCases = clear.filter(isOfCase);
    const single = isInCases && ofCases.length > 0 ? [] : clear.filter((at) => !isOfCase(at));
    const pool = best(single.length > 0 ? single : ofCases);
    // What replaces it, and a "cost" that is not understood beside what is only a "price".
    const isRival = (at: number) =>
      (titleAt(at).isOpen &&
        has(at, 'rival') &&
        !(['former', 'digits', 'unknown'] as const).some((meaning) => has(at, meaning)) &&
        / (new|now|next|current|latest|updated|revised|replacement|special) /.test(
          titleAt(at).text,
        )) ||
      (titleAt(at).isOpen &&
        has(at, 'cost') &&
        !pool.some((candidate) => has(candidate, 'cost'))) ||
      (has(at, 'landed') && !pool.some((candidate) => has(candidate, 'landed')));
    // A price after a discount, beside one that says nothing of discounts.
    const isAfter = (at: number) => titleAt(at).text.includes(' AFTER_DISCOUNT ');
    const isLess = (at: number) => isAfter(at) && !pool.some(isAfter);
    const rivals =
      pool.length === 0
        ? []
        : possible('cost').filter(
            (at) => isLess(at) || ((titleAt(at).rank > 1 || has(at, 'landed')) && isRival(at)),
          );
    const isUnclear = (at: number) =>
      has(at, 'cost') &&
      !has(at, 'sale') &&
      !/ (total|ext|extended|line|value) /.test(titleAt(at).text) &&
      isConfirmed[at] === true &&
      readings[at]?.role === null;
    // "4.80 inc VAT", "$4.50 ea": a cost that cannot be read is not passed over.
    const isText = (at: number) =>
      titleAt(at).role === 'cost' &&
      titleAt(at).rank > 1 &&
      most(valuesAt(at), isTextOfNumber) === true;
    const named = possible('cost');
    const unclear = all.filter((at) => isUnclear(at) || isText(at));
    const weak = pool.length > 0 ? [] : named.length > 0 ? named : unclear;
    const [first] = weak;
    const isPaid =
      weak.length === 1 &&
      first !== undefined &&
      titleAt(first).role === 'cost' &&
      has(first, 'price') &&
      consistsOf(titleAt(first), 'price', 'own') &&
      !hasProducts &&
      makesSense(first, 'unit');
    const only = pool.length === 1 && rivals.length === 0 ? pool[0] : isPaid ? first : undefined;
    const cost = chosen ?? only;
    if (cost === undefined) ask([...pool, ...rivals, ...weak], 'cost');
    else takeCost(cost, single.length < clear.length);
  }

  /** @param isBesideCase whether the list has a price of the case as well. */
  function takeCost(cost: number, isBesideCase: boolean): void {
    readings[cost] = { role: 'cost', per: whatFor(cost, isBesideCase) };
    const drop = (at: number) => {
      readings[at] = { role: null };
    };
    const included = includedIn(titleAt(cost));
    for (const at of all) {
      const { role, asks } = readings[at] ?? { role: null };
      if (included.some((extra) => extra === (role ?? asks))) drop(at);
    }
    const discounts = all.filter((at) => readings[at]?.role === 'discount');
    const isNet =
      titleAt(cost).text.includes(' AFTER_DISCOUNT ') || (has(cost, 'net') && discounts.length > 0);
    for (const at of discounts) {
      const retail = valuesAt(retailColumn(/ (rrp|msrp|mrp|srp|rsp|retail|list) /) ?? -1);
      const share = isNet ? 1 : discountedShare(valuesAt(cost), retail, valuesAt(at));
      if (share >= MOSTLY) drop(at);
      else if (share > 0) ask([at], 'discount');
    }
  }

  /** A column of what units retail at, by its title. */
  function retailColumn(titled: RegExp): number | undefined {
    const isRetail = (at: number) => !has(at, 'foreign') && most(valuesAt(at), isAmount) === true;
    return saying(titled).find(isRetail);
  }

  function isOfCase(at: number): boolean {
    return has(at, 'case') || has(at, 'pack') || titleAt(at).size !== undefined;
  }

  function whatFor(cost: number, isBesideCase: boolean): 'unit' | 'case' | null {
    // On an invoice the price of a unit is the price of what was counted.
    const isInvoice =
      saying(/ (total|amount) /).length > 0 &&
      titles.some((title) => consistsOf(title, 'quantity')) &&
      !has(cost, 'cost');
    // A pack that cannot be read, or a measure such as "CS" in some row, leaves open what the cost is for.
    const isMeasure = (title: string) =>
      /\b(uom|u\/m|units? of measure|sold (by|in|per)|sell(ing)? unit|unit of sale)\b|^unit$/i.test(
        title,
      );
    const isCase = /^(per )?(cs|case|bx|box|ctn|carton|dz|dozen|pk|pack|tray)s?\b/i;
    const isByCase = columns.some(
      ({ title, values = [] }) =>
        isMeasure(title) && most(values, (value) => !isCase.test(visibleText(value))) === false,
    );
    const isPacked = titles.some(({ role }) => role === 'pack');
    const isUnit = isBesideCase || (!isByCase && (!isPacked || (has(cost, 'unit') && !isInvoice)));
    // "Cost each (case of 6)" may be for either.
    const isCount =
      /\d ?(pack|pk|ct)\b/i.test(columns[cost]?.title ?? '') ||
      (has(cost, 'unit') && titleAt(cost).size !== undefined);
    if (!isCount && isOfCase(cost)) return 'case';
    if (!isCount && isUnit) return 'unit';
    if (makesSense(cost, 'unit')) return 'unit';
    return makesSense(cost, 'case') ? 'case' : null;
  }

  /**
   * Whether costs make sense as those of units, or of cases, beside what one unit retails at: in all of at
   * least three rows this reading is below it, and the other one above it or a trifle.
   */
  function makesSense(cost: number, as: 'unit' | 'case'): boolean {
    const retail = retailColumn(/ (rrp|msrp|mrp|srp|rsp|retail) /);
    if (retail === undefined) return false;
    const shares = valuesAt(cost).flatMap((value, row) => {
      const [unit, price] = [amountIn(value), amountIn(valuesAt(retail)[row] ?? '')];
      const size = pack === undefined ? 1 : packIn(valuesAt(pack)[row] ?? '');
      if (!unit || !price || !size || (pack !== undefined && size < 2)) return [];
      return [{ ofUnit: unit / price, ofCase: unit / size / price }];
    });
    return (
      shares.length >= SENSE_ROWS_MIN &&
      shares.every(({ ofUnit, ofCase }) =>
        as === 'unit'
          ? ofUnit < 1 && (ofCase < TRIFLE || ofCase === ofUnit)
          : ofUnit >= 1 && ofCase < 1,
      )
    );
  }

  /**
   * How many to buy. A bare "Qty" beside products, or in the manifest of a lot, is that; elsewhere it may be
   * a stock.
   */
  function readQuantity(): void {
    const exact = sure('quantity');
    const isText = (at: number) =>
      most(valuesAt(at), hasProducts ? isTick : (value) => countIn(value) === null) === true;
    const areBought = (at: number) => most(valuesAt(at), (value) => isBought(countIn(value) ?? -1));
    // "Buy" beside the cost may say how many.
    const isBuying = (at: number) =>
      has(at, 'buying') &&
      consistsOf(titleAt(at), 'buying', 'own') &&
      readings[at]?.role === null &&
      readings[at]?.asks === undefined &&
      areBought(at) === true;
    const bare = all.filter(
      (at) =>
        isBuying(at) ||
        (titleAt(at).role === 'quantity' &&
          (titleAt(at).rank === 1 || titleAt(at).isOpen) &&
          !isText(at)),
    );
    const isOfLot = saying(/ (lpn|pallet|lot) | (unit|ext|extended) retail /).length > 0;
    const isOwn =
      hasProducts &&
      titles.some((title) => consistsOf(title, 'sku') || title.text.includes(' seller sku '));
    const [only] = exact.length > 0 ? exact : bare;
    const isExact = exact.length === 1;
    const isClear =
      bare.length === 1 &&
      only !== undefined &&
      consistsOf(titleAt(only), 'quantity') &&
      (hasProducts || isOfLot) &&
      !isOwn &&
      areBought(only) !== false;
    if (only !== undefined && (isExact || (exact.length === 0 && isClear))) take(only, 'quantity');
    else ask(exact.length > 0 ? exact : bare, 'quantity');
  }
}
