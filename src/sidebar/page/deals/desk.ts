// Reads and makes lists by way of the server, for what the Deals page shows; nothing is kept between two calls.

import {
  type CostColumns,
  costColumnsOf,
  decisionColumnsOf,
  decisionsFor,
  ownColumnsOf,
} from '../../../deal/decision-plan';
import type { ListInspection } from '../../../deal/list';
import { newDealSheet, type SheetKind } from '../../../deal/new-sheet';
import { cardColumns, cardRows } from '../../../deal/product-card';
import { mendedRoiScale, newRulesTab, readRules, rulesInUse } from '../../../deal/rules-tab';
import { askedColumns, decidedRows } from '../../../deal/summary';
import { USUAL as USUAL_RULES } from '../../../product/deal-rules';
import type { RpcReply } from '../../api/define-api';
import type { RpcClient } from '../ui/rpc-client';
import type { CardList, Selected } from './product-state';
import type { ChosenCost, Found, NoList, Place } from './state';

/** A value, or the failure that stands for it. */
export type Result<Value> = RpcReply<Value>;

export const done = <Value>(value: Value) => ({ ok: true, value }) as const;

type LookedAt = Pick<Found, 'place' | 'look' | 'costs'>;

/** The costs as their titles tell, but for the column that a person chose. */
function costsOf(look: ListInspection, chosen: ChosenCost | null): CostColumns {
  const found = costColumnsOf(look);
  if (chosen?.sheetId !== look.sheet.id) return found;
  const mine = ownColumnsOf(look).find(({ title }) => title === chosen.title);
  return mine === undefined ? found : { ...found, cost: mine };
}

/** Reads and writes lists by way of the server; nothing is kept between two calls. */
export function createDealDesk(rpc: RpcClient) {
  const listOf = (place: Place, { titles }: ListInspection) => ({ ...place, titles });

  async function rowsOf(place: Place, look: ListInspection, costs: CostColumns) {
    if (decisionColumnsOf(look).verdict === undefined) return done(null);
    const asked = askedColumns(look, costs);
    const reply = await rpc('deals.rows', {
      ...listOf(place, look),
      columns: asked.columns,
    });
    if (!reply.ok) return reply;
    const inUse = look.rules === null ? {} : rulesInUse(readRules(look.rules));
    return done(decidedRows(reply.value.rows, asked, inUse));
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

  /** Where the list on view stands. */
  async function findPlace(): Promise<Result<Place | NoList>> {
    const reply = await rpc('bulk.look', {});
    if (!reply.ok) return reply;
    const { choice, run } = reply.value;
    if (choice === null) return done({ at: 'none', isRunning: run !== null });
    const { sheetId, headerRow, productColumn, market } = choice;
    return done({ sheetId, headerRow, productColumn, market });
  }

  /** Every row of a list with all that a card shows, and the rows that are selected. */
  async function cards({ place, look, costs }: LookedAt): Promise<Result<CardList & Selected>> {
    const asked = cardColumns(look, costs, place.productColumn);
    const reply = await rpc('deals.rows', { ...listOf(place, look), columns: asked.columns });
    if (!reply.ok) return reply;
    const rules = look.rules === null ? USUAL_RULES : rulesInUse(readRules(look.rules));
    const rows = cardRows(reply.value.rows, asked, look, rules);
    return done({ place, look, costs, rules, rows, selected: reply.value.selected });
  }

  return {
    /** The list on view. */
    async find(chosen: ChosenCost | null): Promise<Result<Found | NoList>> {
      const place = await findPlace();
      if (!place.ok) return place;
      return 'at' in place.value ? done(place.value) : inspect(place.value, chosen);
    },
    /** The same for cards. */
    async findCards(chosen: ChosenCost | null): Promise<Result<(CardList & Selected) | NoList>> {
      const place = await findPlace();
      if (!place.ok) return place;
      if ('at' in place.value) return done(place.value);
      const looked = await lookAt(place.value, chosen);
      return looked.ok ? cards(looked.value) : looked;
    },
    cards,
    lookAt: inspect,
    /** The look with the rules in it; the tab is made where there is none. */
    async withRules(place: Place, look: ListInspection, chosen: ChosenCost | null) {
      if (look.rules !== null) {
        const mended = mendedRoiScale(readRules(look.rules), look.roiScale);
        if (mended === null) return done(look);
        const reply = await rpc('deals.set', mended);
        return reply.ok ? done(look) : reply;
      }
      const made = await rpc('deals.tab', newRulesTab(look.roiScale));
      if (!made.ok) return made;
      const again = await inspect(place, chosen);
      return again.ok ? done(again.value.look) : again;
    },
    /** With the rules that its formulas read. */
    async newSheet(kind: SheetKind, hasSamples: boolean) {
      const begun = hasSamples ? await rpc('demo.start', {}) : null;
      if (begun?.ok === false) return begun;
      const rules = await rpc('deals.tab', newRulesTab(hasSamples ? 1 : null));
      return rules.ok ? rpc('deals.tab', newDealSheet(kind, hasSamples)) : rules;
    },
    decisions: (place: Place, look: ListInspection, costs: CostColumns) => ({
      ...listOf(place, look),
      ...decisionsFor(look, costs),
    }),
    listOf,
  };
}
