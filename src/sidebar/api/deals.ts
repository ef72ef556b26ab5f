// The methods for a list with decisions: its rows, decisions as formulas, tabs, filter and order.
//
// What is pure happens in the page: the tab "Deal rules" (deal/rules-tab), the totals of a list
// (deal/summary, deal/summary-tab), the card of one product (deal/product-card) and what to buy
// (deal/shopping-list). The server says which columns are which, and builds the formulas.

import * as z from 'zod/mini';
import { analysisRows, openAnalysisTab } from '../../analysis/analysis-tab';
import { isDemo } from '../../connection/connection';
import { makeDealSheet } from '../../deal/deal-sheet';
import { decideOnList, removeDecisions, sentCostsSchema } from '../../deal/decision-columns';
import {
  filterList,
  listIdSchema,
  type NoList,
  type ReadList,
  readDeals,
  shownListSchema,
  sortByRoi,
} from '../../deal/list';
import { SHEET_KINDS } from '../../deal/new-sheet';
import { cellChangesSchema, changeCells, makeTab } from '../../deal/tabs';
import { cellsEngine, openEngine } from '../../engine/engine';
import { type Failure, isFailure, runProblem } from '../../failures/failure';
import { newTabSchema } from '../../google/new-tab';
import { type Platform, RECORD_LOCK_WAIT_MS } from '../../google/platform';
import { cellTextSchema } from '../../google/sheet-schemas';
import { DEFAULT_MARKET, MARKETS } from '../../product/market';
import { changesOf } from '../../schedules/change-log';
import { lazySchema } from '../../schema/stored-record';
import { defineApi } from './define-api';

/** A list and the market of the decisions in question. */
const shownDecisionsSchema = lazySchema(() =>
  z.strictObject({
    ...listIdSchema().shape,
    market: z.union([z.literal('column'), z.literal(MARKETS)]),
  }),
);

/** Whether the service's ROI is known to be a fraction by now, and stored as one. */
function isFraction(platform: Platform): boolean {
  const engine = openEngine(platform);
  return !isFailure(engine) && engine.connection.settings.roiUnit !== undefined;
}

/** @param hasSamples while samples are shown, which are answered without a key. */
function newSheet(platform: Platform, kind: (typeof SHEET_KINDS)[number], hasSamples: boolean) {
  const engine = hasSamples ? cellsEngine(platform, platform.clock.nowMs()) : openEngine(platform);
  if (hasSamples && isFailure(engine)) return engine;
  const { defaultMarket = DEFAULT_MARKET } = isFailure(engine) ? {} : engine.connection.settings;
  const samples = !isFailure(engine) && isDemo(engine.connection) ? engine : null;
  const roiIsFraction = samples !== null || isFraction(platform);
  return makeDealSheet(platform, kind, samples, { defaultMarket, roiIsFraction });
}

export const dealsApi = defineApi({
  /** Reads the list of the active sheet with its decisions, and the rules. Changes nothing. */
  'deals.look': {
    schema: shownListSchema,
    handler: (platform, shown): ReadList | NoList | Failure =>
      readDeals(shown, isFraction(platform) ? 1 : null, () => analysisRows(platform.clock)),
  },
  /** The logged changes of a product's numeric figures, newest first. Changes nothing. */
  'deals.history': {
    schema: () => z.strictObject({ product: cellTextSchema() }),
    handler: (_platform, { product }) => changesOf(product),
  },
  /**
   * Adds the columns of decisions that are missing and writes their formulas into every row, except
   * for cells that a person has typed over. Also highlights verdicts.
   */
  'deals.decide': {
    schema: () => z.strictObject({ ...listIdSchema().shape, costs: sentCostsSchema() }),
    handler(platform, { costs, ...place }) {
      // One at a time, so that two people do not add the same columns twice.
      const outcome = platform.lock.run(RECORD_LOCK_WAIT_MS, () => {
        const tab = openAnalysisTab(platform.clock);
        return isFailure(tab) ? tab : decideOnList(tab, place, costs, isFraction(platform));
      });
      return outcome.held ? outcome.value : runProblem('busy');
    },
  },
  /**
   * Removes formulas and highlighting. What a person has typed stays, and a column without content
   * becomes blank.
   */
  'deals.remove': {
    schema: listIdSchema,
    handler: (_platform, place) => removeDecisions(place),
  },
  /** Adds a sheet for deals with figures and decisions. The tab of the rules must be there. */
  'deals.newSheet': {
    schema: () => z.strictObject({ kind: z.literal(SHEET_KINDS), hasSamples: z.boolean() }),
    handler: (platform, { kind, hasSamples }) => newSheet(platform, kind, hasSamples),
  },
  /** Adds a tab. If a tab already has its first name, that tab is returned or replaced. */
  'deals.tab': { schema: newTabSchema, handler: (_platform, tab) => makeTab(tab) },
  /**
   * Sets cells of a tab, such as targets, unless other cells no longer hold what was seen.
   */
  'deals.set': {
    schema: cellChangesSchema,
    handler: (_platform, changes) => changeCells(changes),
  },
  /** Shows only rows with this verdict; null: shows all again. Filters of other columns stay. */
  'deals.filter': {
    schema: () =>
      z.strictObject({ ...shownDecisionsSchema().shape, only: z.nullable(cellTextSchema()) }),
    handler: (_platform, { market, only, ...place }) => filterList(place, market, only),
  },
  /**
   * Sorts the rows by My ROI, highest first; rows without one come last. Refused where that would
   * move what is no product.
   */
  'deals.sort': {
    schema: shownDecisionsSchema,
    handler: (platform, { market, ...place }) =>
      sortByRoi(place, market, () => analysisRows(platform.clock)),
  },
});
