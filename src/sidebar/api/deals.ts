// The methods for a list with decisions: its offers, decisions as formulas, rules, tabs, filter and order.

import * as z from 'zod/mini';
import { analysisRows, openAnalysisTab } from '../../analysis/analysis-tab';
import { whileLeased } from '../../analysis/leased';
import { isDemo } from '../../connection/connection';
import { makeDealSheet } from '../../deal/deal-sheet';
import {
  DECIDE_PARTS,
  decideOnList,
  keepBound,
  removeAllColumns,
  removeDecisions,
} from '../../deal/decision-columns';
import { listIdSchema, selectionSchema } from '../../deal/list';
import { markOrdered } from '../../deal/mark-ordered';
import { SHEET_KINDS } from '../../deal/new-sheet';
import { changeRules, rulesChangeSchema } from '../../deal/rules';
import { makeShoppingList } from '../../deal/shopping-list';
import { LIST_SHOWS, showList } from '../../deal/shown-list';
import { filterList, showCounted, sortByRoi } from '../../deal/sort-list';
import { summarize } from '../../deal/summary-tab';
import { openEngine } from '../../engine/doors';
import { isFailure } from '../../failures/failure';
import { cellTextSchema } from '../../google/cells';
import type { Platform } from '../../google/platform';
import { BOUND_ROLES } from '../../list/tagged-list';
import { DEFAULT_MARKET } from '../../product/market';
import { defineApi } from './define-api';

/** Whether the service's ROI is known to be a fraction by now, and stored as one. */
function isRoiAFraction(platform: Platform): boolean {
  const engine = openEngine(platform, 'list');
  return !isFailure(engine) && engine.connection.settings.roiUnit !== undefined;
}

/** @param hasSamples while samples are shown, which are answered without a key. */
function newSheet(platform: Platform, kind: (typeof SHEET_KINDS)[number], hasSamples: boolean) {
  const engine = openEngine(platform, hasSamples ? 'waiting' : 'list');
  if (hasSamples && isFailure(engine)) return engine;
  const { defaultMarket = DEFAULT_MARKET } = isFailure(engine) ? {} : engine.connection.settings;
  const samples = !isFailure(engine) && isDemo(engine.connection) ? engine : null;
  const roiIsFraction = samples !== null || isRoiAFraction(platform);
  return makeDealSheet(platform, kind, samples, { defaultMarket, roiIsFraction });
}

const readTab = (platform: Platform) => () => analysisRows(platform.clock);

export const dealsApi = defineApi({
  /** The list of the active sheet with its totals and the rules; if asked for, with products. Changes nothing. */
  'deals.look': {
    schema: () => z.strictObject({ ...selectionSchema().shape, shows: z.literal(LIST_SHOWS) }),
    handler: (platform, { shows, ...selection }) =>
      showList(selection, shows, isRoiAFraction(platform), readTab(platform)),
  },
  /**
   * Adds the columns of decisions that are missing and writes their formulas into every row, except
   * for cells that a person has typed over. Also highlights verdicts. `until` ends it after a part, so
   * that a page can tell how far it is.
   */
  'deals.decide': {
    schema: () =>
      z.strictObject({
        ...selectionSchema().shape,
        until: z.exactOptional(z.literal(DECIDE_PARTS)),
      }),
    handler: (platform, { until, ...selection }) =>
      whileLeased(platform, 'adding decisions', () => {
        const tab = openAnalysisTab(platform.clock);
        return isFailure(tab) ? tab : decideOnList(tab, selection, isRoiAFraction(platform), until);
      }),
  },
  /** A column with another title is still what decisions took it for. */
  'deals.keepBound': {
    schema: () => z.strictObject({ ...listIdSchema().shape, role: z.literal([...BOUND_ROLES]) }),
    handler: (platform, { role, ...listId }) =>
      whileLeased(platform, 'checking columns', () => keepBound(listId, role)),
  },
  /**
   * Removes formulas and highlighting. What a person has typed stays, and a column without content
   * becomes blank.
   */
  'deals.remove': {
    schema: listIdSchema,
    handler: (platform, listId) =>
      whileLeased(platform, 'removing decisions', () => removeDecisions(listId)),
  },
  /** The same for every column of ours, of figures too. Gives what they showed, as choices. */
  'deals.removeColumns': {
    schema: listIdSchema,
    handler: (platform, listId) =>
      whileLeased(platform, 'removing columns', () => removeAllColumns(listId)),
  },
  /** Changes rules, in the tab *Deal rules*, which is made where it is missing. */
  'deals.rules': {
    schema: rulesChangeSchema,
    handler: (platform, change) =>
      whileLeased(platform, 'changing rules', () => changeRules(change)),
  },
  /** Adds a sheet for deals with figures and decisions. */
  'deals.newSheet': {
    schema: () => z.strictObject({ kind: z.literal(SHEET_KINDS), hasSamples: z.boolean() }),
    handler: (platform, { kind, hasSamples }) => newSheet(platform, kind, hasSamples),
  },
  /** Opens a tab with the products to buy, a new one if they have changed, and gives the same as a file. */
  'deals.shop': {
    schema: selectionSchema,
    handler: (platform, selection) =>
      whileLeased(platform, 'making a shopping list', () =>
        makeShoppingList(platform, selection, readTab(platform)),
      ),
  },
  /** Notes beside the rows on a shopping list that they are ordered. */
  'deals.markOrdered': {
    schema: () => z.strictObject({ ...selectionSchema().shape, lines: z.array(cellTextSchema()) }),
    handler: (platform, { lines, ...selection }) =>
      whileLeased(platform, 'noting what is ordered', () => {
        const date = new Date(platform.clock.nowMs());
        return markOrdered(selection, readTab(platform), lines, date);
      }),
  },
  /** Adds the tab with a list's summary in place of an earlier one. */
  'deals.summarize': {
    schema: selectionSchema,
    handler: (platform, selection) =>
      whileLeased(platform, 'making a summary', () => summarize(selection, readTab(platform))),
  },
  /** Shows only rows with this verdict; null: shows all again. Filters of other columns stay. */
  'deals.filter': {
    schema: () =>
      z.strictObject({ ...selectionSchema().shape, only: z.nullable(cellTextSchema()) }),
    handler: (platform, { only, ...selection }) =>
      whileLeased(platform, 'filtering a list', () => filterList(selection, only)),
  },
  /** Selects the rows that have this verdict or reason; null: those without a decision. */
  'deals.showCounted': {
    schema: () =>
      z.strictObject({ ...selectionSchema().shape, words: z.nullable(cellTextSchema()) }),
    handler: (platform, { words, ...selection }) =>
      showCounted(selection, words, readTab(platform)),
  },
  /**
   * Sorts the rows by My ROI, highest first; rows without one come last. Refused where that would
   * move what is no product.
   */
  'deals.sort': {
    schema: selectionSchema,
    handler: (platform, selection) =>
      whileLeased(platform, 'sorting a list', () => sortByRoi(selection, readTab(platform))),
  },
});
