// Methods for a list as it is decided on: its products cleaned up, decisions as formulas, tabs, filter and order.
//
// What is pure is worked out in the page: what a cell is to become (deal/cleanup-plan), which columns
// are costs and what the formulas say (deal/decision-plan), the tab "Deal rules" (deal/rules-tab), what
// a list comes to (deal/summary, deal/summary-tab) and what is to be bought (deal/shopping-list). The
// methods here read the sheet and change it.

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

/** A list as `deals.look` saw it: its place and `titles`. */
const list = () => ({ ...listPlace(), titles: listOf(text()) });

const textMarks = () =>
  listOf(record({ text: text(), background: text(), color: text(), isBold: flag() }));

const decisions = () =>
  record({
    ...list(),
    /** The columns of the decision, left to right; one that is missing is added at the end. */
    columns: listOf(
      record({
        title: text(),
        /** With "{3}" for the cell of column 3 of the list, "{Verdict}" for that of a decision. */
        formula: text(),
        kind: oneOf('money', 'ratio', 'text'),
        width: upTo(PIXELS_MAX),
      }),
    ),
    /** How the texts of the column with this title are shown. */
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

/** What ROI is of where the service's unit is known: figures are kept as fractions then. */
function roiScale(platform: PagePlatform): 1 | null {
  const engine = openEngine(platform, platform.clock.nowMs());
  return !isFailure(engine) && readingOf(engine.connection).roiUnit !== undefined ? 1 : null;
}

export const dealsApi = defineApi({
  /** Headers, the columns that runs fill, the rules. Changes nothing. */
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
  /** Rows with something in the column of products, with their cells of these columns. */
  'deals.rows': {
    schema: () => record({ ...list(), columns: listOf(column()) }),
    handler: (platform, { columns, ...place }) => readList(platform, place, columns),
  },
  /** Numbers of a product that changed, as the change log has them, the newest first. Changes nothing. */
  'deals.history': {
    schema: () => record({ product: text() }),
    handler: (platform, { product }) => changesOf(platform, product),
  },
  /** The name of the change log, for formulas that read it; made where there is none. */
  'deals.log': { schema: nothing, handler: (platform) => logName(platform) },
  /**
   * Writes the formulas into every row with a product, but for cells that a person has typed over;
   * adds the columns that are missing, marks texts by colour, freezes the header.
   */
  'deals.apply': {
    schema: decisions,
    handler: (platform, { columns, marked, marks, ...place }) =>
      applyDecisions(platform, place, { columns, marked, marks }),
  },
  /** Takes formulas and marks away; what a person typed stays, and a column that is empty then is blank. */
  'deals.remove': {
    schema: decisions,
    handler: (platform, { columns, marked, marks, ...place }) =>
      removeDecisions(platform, place, { columns, marked, marks }),
  },
  /** Adds a tab; where its first name is there already, that tab is answered, or replaced. */
  'deals.tab': { schema: newTab, handler: (platform, tab) => makeTab(platform, tab) },
  /** Sets cells of a tab, such as targets, or puts rows in below its first, unless others do not hold any more what was seen in them. */
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
  /** Shows the rows alone whose cell of this column is so; null: all again. Other columns' filters stay. */
  'deals.filter': {
    schema: () => record({ ...list(), column: column(), only: orNone(text()) }),
    handler: (platform, { column: by, only, ...place }) => filterList(platform, place, by, only),
  },
  /** Puts the rows in order by numbers in this column, the highest first; rows without one go last. */
  'deals.sort': {
    schema: () => record({ ...list(), column: column() }),
    handler: (platform, { column: by, ...place }) => sortList(platform, place, by),
  },
  /**
   * Changes cells of the column of products that still hold what was seen in them, but for those that
   * a formula fills: these rows are answered, and what takes the changes back in the same way.
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
