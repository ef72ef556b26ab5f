// The methods for a list with decisions: cleaning up its products, decisions as formulas, tabs,
// filter and order.
//
// Everything pure happens in the page: what a cell becomes (deal/cleanup-plan), which columns are
// costs and what the formulas are (deal/decision-plan), the tab "Deal rules" (deal/rules-tab), the
// totals of a list (deal/summary, deal/summary-tab) and what to buy (deal/shopping-list). These
// methods read and change the sheet.

import * as z from 'zod/mini';
import { readingOf } from '../../connection/connection';
import { changeSchema, cleanUp } from '../../deal/cleanup';
import { CHANGES_MAX } from '../../deal/cleanup-plan';
import { applyDecisions, decisionsSchema, removeDecisions } from '../../deal/decision-columns';
import {
  filterList,
  inspectList,
  type ListInspection,
  listPlaceSchema,
  readList,
  readTab,
  sortList,
} from '../../deal/list';
import { cellChangesSchema, changeCells, makeTab } from '../../deal/tabs';
import { openEngine } from '../../engine/engine';
import { type Failure, isFailure } from '../../failures/failure';
import { lazySchema } from '../../platform/lazy-schema';
import { newTabSchema } from '../../platform/new-tab';
import { cellTextSchema, columnSchema } from '../../platform/sheet-schemas';
import { FIELDS } from '../../product/fields';
import { MARKETS, otherMarkets } from '../../product/market';
import { ownColumns, readSample } from '../../runs/inspect';
import { changesOf, logName } from '../../schedules/change-log';
import { BARCODES_TAB } from '../../table/barcodes';
import { listPositionSchema } from '../../table/list-position';
import { defineApi, nothingSchema, type PagePlatform } from './define-api';
import { described } from './failure-view';

/** A list as `deals.look` saw it, and its decisions. */
const decidedListSchema = lazySchema(() =>
  z.strictObject({ ...listPlaceSchema().shape, ...decisionsSchema().shape }),
);

/**
 * The value of an ROI of 100 %: 1 once the service's unit is known, because figures are then stored
 * as fractions.
 */
function roiScale(platform: PagePlatform): 1 | null {
  const engine = openEngine(platform);
  return !isFailure(engine) && readingOf(engine.connection).roiUnit !== undefined ? 1 : null;
}

export const dealsApi = defineApi({
  /** Reads the headers, the columns that runs fill, and the rules. Changes nothing. */
  'deals.look': {
    schema: listPositionSchema,
    handler(platform, place): ListInspection | Failure {
      const { market } = place;
      const others = market.kind === 'one' ? otherMarkets(market.market) : MARKETS;
      const found = inspectList(platform, place, (sheet) => {
        const cells = readSample(sheet);
        const of = (own: object) =>
          ownColumns(sheet, cells, { ...place, ...own, fields: FIELDS }).existing;
        return [of({}), ...others.map((one) => of({ market: { kind: 'one', market: one } }))];
      });
      return isFailure(found) ? found : { ...found, roiScale: roiScale(platform) };
    },
  },
  /** The rows with content in the product column, with their cells in these columns. */
  'deals.rows': {
    schema: () => z.strictObject({ ...listPlaceSchema().shape, columns: z.array(columnSchema()) }),
    handler: (platform, { columns, ...place }) => readList(platform, place, columns),
  },
  /** The logged changes of a product's numeric figures, newest first. Changes nothing. */
  'deals.history': {
    schema: () => z.strictObject({ product: cellTextSchema() }),
    handler: (platform, { product }) => changesOf(platform, product),
  },
  /** The name of the change log, for formulas that read it; creates the log if there is none. */
  'deals.log': { schema: nothingSchema, handler: (platform) => logName(platform) },
  /**
   * Writes the formulas into every row with a product, except for cells that a person has typed
   * over. Also adds missing columns, highlights texts and freezes the header.
   */
  'deals.apply': {
    schema: decidedListSchema,
    handler: (platform, { columns, marked, marks, ...place }) =>
      applyDecisions(platform, place, { columns, marked, marks }),
  },
  /**
   * Removes formulas and highlighting. What a person has typed stays, and a column without content
   * becomes blank.
   */
  'deals.remove': {
    schema: decidedListSchema,
    handler: (platform, { columns, marked, marks, ...place }) =>
      removeDecisions(platform, place, { columns, marked, marks }),
  },
  /** Adds a tab. If a tab already has its first name, that tab is returned or replaced. */
  'deals.tab': { schema: newTabSchema, handler: (platform, tab) => makeTab(platform, tab) },
  /**
   * Sets cells of a tab, such as targets, or inserts rows below its first row, unless other cells
   * no longer hold what was seen.
   */
  'deals.set': {
    schema: cellChangesSchema,
    handler: (platform, changes) => changeCells(platform, changes),
  },
  /** The tab "Barcodes"; null: there is none. */
  'deals.barcodes': {
    schema: nothingSchema,
    handler: ({ spreadsheet }) => readTab(spreadsheet.named(BARCODES_TAB)),
  },
  /**
   * Shows only rows with this text in the column; null: shows all again. Filters of other columns
   * stay.
   */
  'deals.filter': {
    schema: () =>
      z.strictObject({
        ...listPlaceSchema().shape,
        column: columnSchema(),
        only: z.nullable(cellTextSchema()),
      }),
    handler: (platform, { column: by, only, ...place }) => filterList(platform, place, by, only),
  },
  /**
   * Sorts the rows by the numbers in this column, highest first; rows without a number come last.
   */
  'deals.sort': {
    schema: () => z.strictObject({ ...listPlaceSchema().shape, column: columnSchema() }),
    handler: (platform, { column: by, ...place }) => sortList(platform, place, by),
  },
  /**
   * Changes cells of the product column that still hold what was seen, except for cells that a
   * formula fills. Returns those rows and the changes that undo this one.
   */
  'deals.cleanUp': {
    schema: () =>
      z.strictObject({
        ...listPlaceSchema().shape,
        changes: z.array(changeSchema()).check(z.maxLength(CHANGES_MAX)),
        isTrial: z.boolean(),
      }),
    handler(platform, { changes, isTrial, ...place }) {
      const done = cleanUp(platform, place, changes, isTrial);
      return isFailure(done) ? done : { ...done, problem: done.problem && described(done.problem) };
    },
  },
});
