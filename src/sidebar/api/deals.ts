// The methods for a list with decisions: cleaning up its products, decisions as formulas, tabs,
// filter and order.
//
// Everything pure happens in the page: what a cell becomes (deal/cleanup-plan), which columns are
// costs and what the formulas are (deal/decision-plan), the tab "Deal rules" (deal/rules-tab), the
// totals of a list (deal/summary, deal/summary-tab) and what to buy (deal/shopping-list). These
// methods read and change the sheet.

import { readingOf } from '../../connection/connection';
import { cleanUp } from '../../deal/cleanup';
import { CHANGES_MAX } from '../../deal/cleanup-plan';
import { applyDecisions, removeDecisions } from '../../deal/decision-columns';
import {
  filterList,
  inspectList,
  type ListInspection,
  readList,
  readTab,
  sortList,
} from '../../deal/list';
import { changeCells, makeTab } from '../../deal/tabs';
import { openEngine } from '../../engine/engine';
import { type Failure, isFailure } from '../../failures/failure';
import {
  either,
  flag,
  listOf,
  nothing,
  number,
  oneOf,
  optional,
  orNone,
  record,
  textLike,
  text as textUpTo,
  upTo,
  wholeNumber,
} from '../../platform/schema';
import { FIELDS } from '../../product/fields';
import { MARKETS, otherMarkets } from '../../product/market';
import { ownColumns, readSample } from '../../runs/inspect';
import { COLUMNS_MAX, listPlace } from '../../runs/run';
import { changesOf, logName } from '../../schedules/change-log';
import { BARCODES_TAB } from '../../table/barcodes';
import { defineApi, type PagePlatform } from './define-api';
import { described } from './failure-view';

/** The longest texts are formulas. */
const TEXT_CHARS_MAX = 10_000;
const PIXELS_MAX = 2_000;

const text = () => textUpTo(TEXT_CHARS_MAX);
const column = () => wholeNumber(COLUMNS_MAX);
const cell = () => either(text(), number(), flag());
/** "B3", "B3:C9" or "B3:C" */
const address = () => textLike(/^[A-Z]{1,3}\d+(:[A-Z]{1,3}\d*)?$/);

/** A list as `deals.look` saw it: its place and its `titles`. */
const list = () => ({ ...listPlace(), titles: listOf(text()) });

const textMarks = () =>
  listOf(record({ text: text(), background: text(), color: text(), isBold: flag() }));

const decisions = () =>
  record({
    ...list(),
    /** The columns of the decision from left to right; a missing one is added at the end. */
    columns: listOf(
      record({
        title: text(),
        /**
         * "{3}" stands for the cell in column 3 of the list, "{Verdict}" for the cell of that
         * decision.
         */
        formula: text(),
        kind: oneOf('money', 'ratio', 'text'),
        width: upTo(PIXELS_MAX),
      }),
    ),
    /** The title of the highlighted column, and the styles of its texts. */
    marked: text(),
    marks: textMarks(),
  });

const newTab = () =>
  record({
    title: text(),
    cells: listOf(listOf(cell())),
    formulas: listOf(record({ at: address(), formula: text() })),
    names: listOf(record({ name: text(), at: address() })),
    styles: listOf(
      record({
        at: address(),
        format: optional(text()),
        isBold: optional(flag()),
        background: optional(text()),
        color: optional(text()),
        choices: optional(either(address(), listOf(text()))),
      }),
    ),
    widths: listOf(upTo(PIXELS_MAX)),
    frozenRows: upTo(PIXELS_MAX),
    isShown: optional(oneOf(true)),
    replaces: optional(oneOf(true)),
    charts: optional(
      listOf(
        record({
          type: oneOf('COLUMN', 'PIE', 'SCATTER'),
          title: text(),
          of: address(),
          row: column(),
          column: column(),
        }),
      ),
    ),
    marked: optional(record({ column: column(), firstRow: column(), marks: textMarks() })),
  });

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
    schema: () => record(listPlace()),
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
    schema: () => record({ ...list(), columns: listOf(column()) }),
    handler: (platform, { columns, ...place }) => readList(platform, place, columns),
  },
  /** The logged changes of a product's numeric figures, newest first. Changes nothing. */
  'deals.history': {
    schema: () => record({ product: text() }),
    handler: (platform, { product }) => changesOf(platform, product),
  },
  /** The name of the change log, for formulas that read it; creates the log if there is none. */
  'deals.log': { schema: nothing, handler: (platform) => logName(platform) },
  /**
   * Writes the formulas into every row with a product, except for cells that a person has typed
   * over. Also adds missing columns, highlights texts and freezes the header.
   */
  'deals.apply': {
    schema: decisions,
    handler: (platform, { columns, marked, marks, ...place }) =>
      applyDecisions(platform, place, { columns, marked, marks }),
  },
  /**
   * Removes formulas and highlighting. What a person has typed stays, and a column without content
   * becomes blank.
   */
  'deals.remove': {
    schema: decisions,
    handler: (platform, { columns, marked, marks, ...place }) =>
      removeDecisions(platform, place, { columns, marked, marks }),
  },
  /** Adds a tab. If a tab already has its first name, that tab is returned or replaced. */
  'deals.tab': { schema: newTab, handler: (platform, tab) => makeTab(platform, tab) },
  /**
   * Sets cells of a tab, such as targets, or inserts rows below its first row, unless other cells
   * no longer hold what was seen.
   */
  'deals.set': {
    schema: () =>
      record({
        sheetId: upTo(Number.MAX_SAFE_INTEGER),
        seen: listOf(record({ at: address(), value: text() })),
        cells: listOf(record({ at: address(), value: cell() })),
        rows: optional(listOf(listOf(cell()))),
      }),
    handler: (platform, changes) => changeCells(platform, changes),
  },
  /** The tab "Barcodes"; null: there is none. */
  'deals.barcodes': {
    schema: nothing,
    handler: ({ spreadsheet }) => readTab(spreadsheet.named(BARCODES_TAB)),
  },
  /**
   * Shows only rows with this text in the column; null: shows all again. Filters of other columns
   * stay.
   */
  'deals.filter': {
    schema: () => record({ ...list(), column: column(), only: orNone(text()) }),
    handler: (platform, { column: by, only, ...place }) => filterList(platform, place, by, only),
  },
  /**
   * Sorts the rows by the numbers in this column, highest first; rows without a number come last.
   */
  'deals.sort': {
    schema: () => record({ ...list(), column: column() }),
    handler: (platform, { column: by, ...place }) => sortList(platform, place, by),
  },
  /**
   * Changes cells of the product column that still hold what was seen, except for cells that a
   * formula fills. Returns those rows and the changes that undo this one.
   */
  'deals.cleanUp': {
    schema: () =>
      record({
        ...list(),
        changes: listOf(
          record({ row: upTo(Number.MAX_SAFE_INTEGER), seen: cell(), put: cell(), format: text() }),
          CHANGES_MAX,
        ),
        isTrial: flag(),
      }),
    handler(platform, { changes, isTrial, ...place }) {
      const done = cleanUp(platform, place, changes, isTrial);
      return isFailure(done) ? done : { ...done, problem: done.problem && described(done.problem) };
    },
  },
});
