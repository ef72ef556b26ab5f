// Reads and changes lists through the server for the Deals page. Nothing is kept between two calls.

import type { SentCosts } from '../../../deal/decision-columns';
import type { CostColumns } from '../../../deal/decision-plan';
import type { ListId, ListInspection, ReadList } from '../../../deal/list';
import type { SheetKind } from '../../../deal/new-sheet';
import { cardRows } from '../../../deal/product-card';
import { costRate, mendedRoiScale, newRulesTab, readRules } from '../../../deal/rules-tab';
import { type CostTerms, decidedRows } from '../../../deal/summary';
import { openQuestions, vatQuestions } from '../../../deal/vat-questions';
import { USUAL as USUAL_RULES } from '../../../product/deal-rules';
import type { Market } from '../../../product/market';
import { vatSideOf } from '../../../product/vat';
import type { RpcReply } from '../../api/define-api';
import type { RpcClient } from '../ui/rpc-client';
import type { CardList, Selected } from './product-state';
import type { ChosenCost, Found, NoList, ShownMarket } from './state';

/** A value, or the failure in its place. */
export type Result<Value> = RpcReply<Value>;

export const done = <Value>(value: Value) => ({ ok: true, value }) as const;

/** What a person has chosen about the list that is shown. */
export interface Chosen {
  readonly chosen: ChosenCost | null;
  readonly shown: ShownMarket | null;
}

export const listIdOf = ({ sheet, listId }: ListInspection): ListId => ({
  sheetId: sheet.id,
  listId,
});

/** The market whose figures are shown, for a list with both. */
export const marketOfBoth = ({ market, markets }: ListInspection): Market | null =>
  market !== 'column' && markets.includes('US') && markets.includes('UK') ? market : null;

/** The factor for costs. In a list of one market, costs are in its currency. */
function rateOf(look: ListInspection): number | null {
  const market = marketOfBoth(look);
  if (market === null) return 1;
  return look.rules === null ? null : costRate(readRules(look.rules), market);
}

/** What decides on all rows. Without the tab, the usual rules do. */
function termsIn({ look, costs }: Pick<ReadList, 'look' | 'costs'>): CostTerms {
  const rules = look.rules === null ? null : readRules(look.rules);
  const isOfBoth = marketOfBoth(look) !== null;
  return {
    inUse: rules?.inUse ?? USUAL_RULES,
    currency: isOfBoth ? (rules?.currency ?? null) : undefined,
    side: vatSideOf(costs.cost?.title ?? ''),
  };
}

const sentCosts = (costs: CostColumns): SentCosts =>
  Object.fromEntries(
    Object.entries(costs).map(([key, { column, title }]) => [key, { column, title }]),
  );

function foundIn(read: ReadList): Found {
  const { look, costs } = read;
  const isDecided = look.decisions.verdict !== undefined;
  const terms = termsIn(read);
  return {
    ...{ look, costs, rows: isDecided ? decidedRows(read, terms) : null },
    example: read.example,
    questions: costs.cost === undefined ? [] : vatQuestions(read, terms, rateOf(look)),
  };
}

/** Whether figures are needed to show what the answers to open questions make. */
const isAsking = (read: ReadList): boolean =>
  read.costs.cost !== undefined && openQuestions(read, termsIn(read)).length > 0;

function cardsIn(read: ReadList): CardList & Selected {
  const { look, costs, selected } = read;
  const terms = termsIn(read);
  const rows = cardRows(read, terms, rateOf(look));
  return { look, costs, rules: terms.inUse, rows, selected };
}

/** Reads and changes lists through the server. Nothing is kept between two calls. */
export function createDealDesk(rpc: RpcClient) {
  async function read(
    list: ListId | null,
    { chosen, shown }: Chosen,
    hasFigures: boolean,
  ): Promise<Result<ReadList | NoList>> {
    const { sheetId, title, pack } = chosen ?? {};
    const isChosen = sheetId !== undefined && title !== undefined;
    const reply = await rpc('deals.look', {
      list,
      market: shown?.market ?? null,
      cost: isChosen ? { sheetId, title, ...(pack !== undefined && { pack }) } : null,
      hasFigures,
    });
    if (!reply.ok) return reply;
    const { value } = reply;
    return done(value.look === null ? { at: 'none', hasProducts: value.hasProducts } : value);
  }

  /** The list in the active sheet, or this one. */
  async function find(wish: Chosen, list: ListId | null = null): Promise<Result<Found | NoList>> {
    const reply = await read(list, wish, false);
    if (!reply.ok) return reply;
    if ('at' in reply.value) return done(reply.value);
    if (!isAsking(reply.value)) return done(foundIn(reply.value));
    const { look } = reply.value;
    const full = await read(listIdOf(look), wish, true);
    return done(full.ok && !('at' in full.value) ? foundIn(full.value) : foundIn(reply.value));
  }

  return {
    find,
    /** All rows of a list with everything that a card shows, and the selected rows. */
    async findCards(
      wish: Chosen,
      list: ListId | null = null,
    ): Promise<Result<(CardList & Selected) | NoList>> {
      const reply = await read(list, wish, true);
      if (!reply.ok) return reply;
      return done('at' in reply.value ? reply.value : cardsIn(reply.value));
    },
    /** Makes sure of the tab of the rules, and that it has the unit of ROI. */
    async withRules(look: ListInspection): Promise<Result<unknown>> {
      if (look.rules === null) return rpc('deals.tab', newRulesTab(look.roiScale));
      const mended = mendedRoiScale(readRules(look.rules), look.roiScale);
      return mended === null ? done(null) : rpc('deals.set', mended);
    },
    /** Also creates the tab of rules, which the sheet's formulas read. */
    async newSheet(kind: SheetKind, hasSamples: boolean) {
      const begun = hasSamples ? await rpc('demo.start', {}) : null;
      if (begun?.ok === false) return begun;
      const rules = await rpc('deals.tab', newRulesTab(hasSamples ? 1 : null));
      return rules.ok ? rpc('deals.newSheet', { kind, hasSamples }) : rules;
    },
    decide: ({ look, costs }: Pick<Found, 'look' | 'costs'>) =>
      rpc('deals.decide', { ...listIdOf(look), costs: sentCosts(costs) }),
    remove: ({ look }: Pick<Found, 'look'>) => rpc('deals.remove', listIdOf(look)),
  };
}
