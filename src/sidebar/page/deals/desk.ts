// Reads and changes lists through the server for the Deals page. Nothing is kept between two calls.

import {
  type CostColumns,
  costColumnsOf,
  costInUse,
  decisionColumnsOf,
  decisionsFor,
  isOfBoth,
  ownColumnsOf,
} from '../../../deal/decision-plan';
import type { ListInspection } from '../../../deal/list';
import { newDealSheet, type SheetKind } from '../../../deal/new-sheet';
import { cardColumns, cardRows } from '../../../deal/product-card';
import {
  costRate,
  hasExchange,
  mendedRoiScale,
  newRulesTab,
  readRules,
} from '../../../deal/rules-tab';
import { areDecided, askedColumns, decidedRows } from '../../../deal/summary';
import { BETTER_TITLE } from '../../../product/deal-formulas';
import { USUAL as USUAL_RULES } from '../../../product/deal-rules';
import { MARKETS, type Market } from '../../../product/market';
import type { RpcReply } from '../../api/define-api';
import type { RpcClient } from '../ui/rpc-client';
import type { CardList, Selected } from './product-state';
import type { ChosenCost, Found, NoList, Place, ShownMarket } from './state';

/** A value, or the failure in its place. */
export type Result<Value> = RpcReply<Value>;

export const done = <Value>(value: Value) => ({ ok: true, value }) as const;

type LookedAt = Pick<Found, 'place' | 'look' | 'costs'>;

/** To remove this column, its title is enough. */
const BETTER = { title: BETTER_TITLE, formula: '', kind: 'text', width: 0 } as const;

/**
 * The market of the list that the person has chosen to see, else the one that was last analyzed.
 */
const marketIn = ({ sheetId, market }: Place, shown: ShownMarket | null): Place['market'] =>
  market.kind === 'one' && shown?.sheetId === sheetId
    ? { kind: 'one', market: shown.market }
    : market;

/**
 * The cost columns by their titles. The cost itself is in the column that the decisions read, else
 * in the one that the person has chosen for them.
 */
function costsOf(look: ListInspection, chosen: ChosenCost | null): CostColumns {
  const isOfList = chosen?.sheetId === look.sheet.id;
  const mine = ownColumnsOf(look).find(({ title }) => isOfList && title === chosen.title);
  const meant = mine && { column: mine, isOfPack: chosen?.isOfPack };
  return costColumnsOf(look, costInUse(look) ?? meant);
}

/** The market whose figures are shown, for a list with both. */
export const marketOfBoth = ({ place, look }: Pick<Found, 'place' | 'look'>): Market | null =>
  place.market.kind === 'one' && isOfBoth(look) ? place.market.market : null;

/** The factor for costs. In a list of one market, costs are in its currency. */
function rateOf(place: Place, look: ListInspection): number | null {
  const market = marketOfBoth({ place, look });
  if (market === null) return 1;
  return look.rules === null ? null : costRate(readRules(look.rules), market);
}

/** The currency of costs in a list of both markets; undefined: it is that of each row's market. */
function currencyIn(place: Place, look: ListInspection) {
  if (marketOfBoth({ place, look }) === null) return undefined;
  return look.rules === null ? null : readRules(look.rules).currency;
}

/** Reads and changes lists through the server. Nothing is kept between two calls. */
export function createDealDesk(rpc: RpcClient) {
  const listOf = (place: Place, { titles }: ListInspection) => ({ ...place, titles });

  async function rowsOf(place: Place, look: ListInspection, costs: CostColumns) {
    // Our verdict reads the other two columns; a verdict column without them is somebody else's.
    const { verdict, myProfit, myRoi } = decisionColumnsOf(look);
    if (!verdict || !myProfit || !myRoi) return done(null);
    const asked = askedColumns(look, costs);
    const reply = await rpc('deals.rows', {
      ...listOf(place, look),
      columns: asked.columns,
    });
    if (!reply.ok) return reply;
    const inUse = look.rules === null ? {} : readRules(look.rules).inUse;
    const rows = decidedRows(
      reply.value.rows,
      asked,
      inUse,
      rateOf(place, look),
      currencyIn(place, look),
    );
    return done(areDecided(rows) ? rows : null);
  }

  async function lookAt(place: Place, chosen: ChosenCost | null): Promise<Result<LookedAt>> {
    const reply = await rpc('deals.look', place);
    if (!reply.ok) return reply;
    return done({ place, look: reply.value, costs: costsOf(reply.value, chosen) });
  }

  async function inspect(place: Place, chosen: ChosenCost | null): Promise<Result<Found>> {
    const looked = await lookAt(place, chosen);
    if (!looked.ok) return looked;
    const { look, costs } = looked.value;
    const rows = await rowsOf(place, look, costs);
    return rows.ok ? done({ place, look, costs, rows: rows.value }) : rows;
  }

  /** The place of the list in the active sheet. */
  async function findPlace(shown: ShownMarket | null): Promise<Result<Place | NoList>> {
    const reply = await rpc('bulk.look', {});
    if (!reply.ok) return reply;
    const { choice, run } = reply.value;
    if (choice === null) return done({ at: 'none', isRunning: run !== null });
    const { sheetId, headerRow, productColumn } = choice;
    const market = marketIn(choice, shown);
    return done({ sheetId, headerRow, productColumn, market });
  }

  /** All rows of a list with everything that a card shows, and the selected rows. */
  async function cards({ place, look, costs }: LookedAt): Promise<Result<CardList & Selected>> {
    const asked = cardColumns(look, costs, place.productColumn);
    const reply = await rpc('deals.rows', { ...listOf(place, look), columns: asked.columns });
    if (!reply.ok) return reply;
    const rules = look.rules === null ? USUAL_RULES : readRules(look.rules).inUse;
    const rows = cardRows(
      reply.value.rows,
      asked,
      look,
      rules,
      rateOf(place, look),
      currencyIn(place, look),
    );
    return done({ place, look, costs, rules, rows, selected: reply.value.selected });
  }

  /**
   * Changes decisions for one market after the other if the list has both. The last one also gets
   * the comparison.
   */
  async function change(
    method: 'deals.apply' | 'deals.remove',
    found: LookedAt,
    chosen: ChosenCost | null,
  ): Promise<Result<{ readonly rows: number; readonly kept: number }>> {
    const isOne = marketOfBoth(found) === null;
    const markets = isOne ? [null] : MARKETS;
    let [rows, kept] = [0, 0];
    for (const market of markets) {
      const place: Place =
        market === null ? found.place : { ...found.place, market: { kind: 'one', market } };
      const looked = market === null ? done(found) : await lookAt(place, chosen);
      if (!looked.ok) return looked;
      const { look, costs } = looked.value;
      const { columns, ...marks } = decisionsFor(look, costs, market, place.market);
      const own = columns.filter(({ title }) => title !== BETTER_TITLE);
      const isLast = market === markets.at(-1);
      const last = method === 'deals.remove' ? [...own, BETTER] : columns;
      const reply = await rpc(method, {
        ...{ ...listOf(place, look), ...marks, columns: isLast ? last : own },
      });
      if (!reply.ok) return reply;
      rows = reply.value.rows;
      kept += reply.value.kept;
    }
    return done({ rows, kept });
  }

  return {
    /** The list in the active sheet. */
    async find(
      chosen: ChosenCost | null,
      shown: ShownMarket | null,
    ): Promise<Result<Found | NoList>> {
      const place = await findPlace(shown);
      if (!place.ok) return place;
      return 'at' in place.value ? done(place.value) : inspect(place.value, chosen);
    },
    /** The same for cards. */
    async findCards(
      chosen: ChosenCost | null,
      shown: ShownMarket | null,
    ): Promise<Result<(CardList & Selected) | NoList>> {
      const place = await findPlace(shown);
      if (!place.ok) return place;
      if ('at' in place.value) return done(place.value);
      const looked = await lookAt(place.value, chosen);
      return looked.ok ? cards(looked.value) : looked;
    },
    cards,
    lookAt: inspect,
    /**
     * The inspection with the rules. Creates the tab of rules if there is none, or if it lacks
     * currencies that are needed.
     */
    async withRules(place: Place, look: ListInspection, chosen: ChosenCost | null) {
      const isOfOne = marketOfBoth({ place, look }) === null;
      if (look.rules !== null && (isOfOne || hasExchange(look.rules))) {
        const mended = mendedRoiScale(readRules(look.rules), look.roiScale);
        if (mended === null) return done(look);
        const reply = await rpc('deals.set', mended);
        return reply.ok ? done(look) : reply;
      }
      const made = await rpc('deals.tab', newRulesTab(look.roiScale, look.rules));
      if (!made.ok) return made;
      const again = await inspect(place, chosen);
      return again.ok ? done(again.value.look) : again;
    },
    /** Also creates the tab of rules, which the sheet's formulas read. */
    async newSheet(kind: SheetKind, hasSamples: boolean) {
      const begun = hasSamples ? await rpc('demo.start', {}) : null;
      if (begun?.ok === false) return begun;
      const rules = await rpc('deals.tab', newRulesTab(hasSamples ? 1 : null));
      return rules.ok ? rpc('deals.tab', newDealSheet(kind, hasSamples)) : rules;
    },
    decide: (found: LookedAt, chosen: ChosenCost | null) => change('deals.apply', found, chosen),
    remove: (found: LookedAt, chosen: ChosenCost | null) => change('deals.remove', found, chosen),
    listOf,
  };
}
