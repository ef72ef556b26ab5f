// Invented server replies for each state of the Analyze page, for pictures and tests.
import type { ListInspection } from '../../src/deal/list';
import type { RpcFailure } from '../../src/sidebar/api/failure-view';
import type {
  BulkField,
  BulkInspection,
  BulkPreflight,
  BulkStatus,
  PastRun,
} from '../../src/sidebar/api/runs';

/** The afternoon that the pictures show, in ms since 1970. */
export const NOW_MS = Date.UTC(2026, 2, 12, 14, 6, 10);
const STARTED_MS = Date.UTC(2026, 2, 12, 14, 2, 0);
const MINUTE = 60_000;

const column = (at: number, title: string) => ({
  column: at,
  letter: String.fromCharCode(64 + at),
  title,
});

const field = (name: BulkField['name'], title: string, at: number | null, chosen = true) => ({
  name,
  title,
  column: at === null ? null : column(at, title),
  chosen,
});

export const LOOK = {
  sheet: { id: 7, name: 'Wholesale March' },
  columns: [column(1, 'Supplier'), column(2, 'Title'), column(3, 'ASIN'), column(4, 'Profit')],
  fields: [
    field('profit', 'Profit', 4),
    field('roi', 'ROI', null),
    field('fees', 'Fees', null),
    field('eligible', 'Eligible', null),
    field('rank_drops_30d', 'Rank drops 30d', null),
    field('buy_price', 'Buy price', null, false),
    field('sell_price', 'Sell price', null, false),
  ],
  listRows: 412,
  selectedRows: 1,
  toClean: 0,
  choice: {
    sheetId: 7,
    headerRow: 1,
    productColumn: 3,
    market: { kind: 'one', market: 'US' },
    rows: { kind: 'all' },
    fields: ['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d'],
  },
  run: null,
  isSetAside: false,
} satisfies BulkInspection;

const { productColumn: _, ...BY_HAND } = LOOK.choice;

export const EMPTY_LOOK: BulkInspection = { ...LOOK, columns: [], listRows: 0, choice: null };

export const LOOK_WITHOUT_PRODUCTS: BulkInspection = {
  ...LOOK,
  choice: null,
  byHand: BY_HAND,
  nearest: { ...column(1, 'Supplier'), products: 3, sampled: 50 },
};

export const NO_ROWS = { count: 0, rows: [] };

export const PREFLIGHT: BulkPreflight = {
  rows: 412,
  products: 371,
  fresh: 70,
  calls: 301,
  again: 0,
  expectedMs: 5.2 * MINUTE,
  unreadable: {
    count: 12,
    rows: [
      { row: 14, shown: 'B0-UNKNOWN', why: 'An ASIN has ten letters and digits.' },
      { row: 87, shown: 'see invoice', why: 'An ASIN has ten letters and digits.' },
      { row: 203, shown: '9780306406158', why: 'The check digit of this ISBN is wrong.' },
    ],
  },
  repaired: {
    count: 3,
    rows: [
      {
        ...{ row: 31, shown: '975124838' },
        ...{ repair: 'leading-zeros', asin: '0975124838', market: 'US' },
      },
    ],
  },
  duplicates: { count: 29, rows: [] },
  kept: NO_ROWS,
  added: ['ROI', 'Fees', 'Eligible', 'Rank drops 30d', 'Analysis status', 'Analyzed at'],
  replaced: 0,
  areApart: false,
  googleCallsLeft: 599,
  planCallsLeft: null,
  capCallsLeft: null,
};

/** A preview of a list in which some products are barcodes. */
export const WITH_BARCODES: BulkPreflight = {
  ...PREFLIGHT,
  unreadable: {
    count: 3,
    rows: ['4006381333931', '12345678905', '4006381333931'].map((shown, at) => ({
      ...{ row: 14 + at, shown },
      why: `"${shown}" is a barcode. Use the ASIN, or for runs the tab "Barcodes".`,
    })),
  },
};

/** The list's rows, as the button that lists them reads them. */
export const BARCODE_ROWS = WITH_BARCODES.unreadable.rows.map(({ row, shown }) => ({
  ...{ row, product: null },
  cells: [shown, 'Fineliner, 10 colours'],
}));

/** The list as decisions see it. */
export const LIST_LOOK: ListInspection = {
  sheet: LOOK.sheet,
  rows: 412,
  titles: ['Supplier', 'Title', 'ASIN', 'Profit'],
  columns: LOOK.columns,
  figures: [],
  beside: [],
  roiScale: null,
  rules: null,
};

/** A column with every value that can be cleaned up, and some that cannot. */
export const UNTIDY_ROWS = (
  [
    [4, 'https://www.amazon.com/Echo-Dot/dp/B07FZ8S74R/ref=sr_1_1?keywords=echo'],
    [9, '978-0-306-40615-7'],
    [31, 975124838],
    [40, ' b08n5wrwnw'],
    [52, 'ABCD123456 '],
    [60, 'https://www.amazon.com/dp/B07FZ8S74R'],
    [71, '4006381333931'],
  ] as const
).map(([row, cell]) => ({ row, product: null, cells: [cell] }));

export const RUNNING: BulkStatus = {
  runId: 'k3f9',
  state: 'running',
  isMine: true,
  startedAtMs: STARTED_MS,
  sheet: LOOK.sheet,
  rows: 412,
  answered: 170,
  cached: 32,
  failed: 5,
  left: 205,
  failures: [{ kind: 'not-found', rows: 5 }],
  calls: 175,
  workedMs: 4 * MINUTE,
  rowsPerMinute: 57.6,
  expectedMs: 3.5 * MINUTE,
  currentRows: [201, 240],
  notPlaced: { count: 0, products: [] },
  keptCells: 0,
  leftOut: 0,
  workers: 1,
  rescueMinutes: 60,
};

export const FINISHED: BulkStatus = {
  ...RUNNING,
  state: 'finished',
  endedAtMs: STARTED_MS + 372_000,
  answered: 304,
  cached: 87,
  failed: 19,
  left: 0,
  failures: [
    { kind: 'bad-asin', rows: 12 },
    { kind: 'not-found', rows: 4 },
    { kind: 'service-busy', rows: 3 },
  ],
  calls: 301,
  workedMs: 372_000,
  currentRows: null,
  notPlaced: {
    count: 2,
    products: [
      { asin: 'B0XKT7M4QN', market: 'US' },
      { asin: 'B0RWD92FHC', market: 'US' },
    ],
  },
};

export const PAST_RUNS: readonly PastRun[] = [
  {
    startedAtMs: STARTED_MS - 60 * MINUTE,
    endedAtMs: STARTED_MS - 54 * MINUTE,
    isMine: true,
    sheetName: 'Wholesale March',
    outcome: 'finished',
    rows: 412,
    answered: 371,
    cached: 36,
    failed: 5,
    calls: 366,
  },
  {
    startedAtMs: STARTED_MS - 26 * 60 * MINUTE,
    endedAtMs: STARTED_MS - 26 * 60 * MINUTE + 90_000,
    isMine: false,
    sheetName: 'Clearance',
    outcome: 'stopped',
    rows: 2_150,
    answered: 88,
    cached: 0,
    failed: 0,
    calls: 88,
  },
];

export const PROTECTED: RpcFailure = {
  kind: 'protected',
  message: 'These cells are protected.',
  action: 'Ask the owner for access, or use another sheet.',
};
export const SHEET_GONE: RpcFailure = {
  kind: 'run',
  message: 'The sheet was deleted. Undo that to continue, or stop the run.',
};
export const SPENT: RpcFailure = {
  kind: 'google-limit',
  message: "Google's daily call limit is used up. Calls continue within 24 hours.",
};

export const NO_PRODUCT: RpcFailure = {
  kind: 'run',
  message: 'These rows have no products. Choose other rows or another column.',
};
