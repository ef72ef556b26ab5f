// Invented server replies for each state of a list, for pictures and tests.
import { described, failedProductsOf, type RpcFailure } from '../../src/sidebar/api/failure-view';
import type { JobPreview, JobStatus, ListInView } from '../../src/sidebar/api/jobs';

/** The afternoon that the pictures show, in ms since 1970. */
export const NOW_MS = Date.UTC(2026, 2, 12, 14, 6, 10);
const STARTED_MS = Date.UTC(2026, 2, 12, 14, 2, 0);
const MINUTE = 60_000;

const column = (at: number, title: string) => ({
  column: at,
  letter: String.fromCharCode(64 + at),
  title,
});

type Field = ListInView['fields'][number];

const field = (name: Field['name'], title: string, at: number | null, chosen = true) => ({
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
  hasCosts: false,
  listRows: 412,
  selectedRows: 1,
  toClean: 0,
  choice: {
    sheetId: 7,
    headerRow: 1,
    productColumn: 3,
    productTitle: 'ASIN',
    market: { kind: 'one', market: 'US' },
    rows: { kind: 'all' },
    fields: ['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d'],
  },
  newRows: 0,
  movedRows: 0,
  isTabGone: false,
  job: null,
  isSetAside: false,
} satisfies ListInView;

const { productColumn: _, ...BY_HAND } = LOOK.choice;

export const EMPTY_LOOK: ListInView = { ...LOOK, columns: [], listRows: 0, choice: null };

export const LOOK_WITHOUT_PRODUCTS: ListInView = {
  ...LOOK,
  choice: null,
  byHand: BY_HAND,
  nearest: { ...column(1, 'Supplier'), products: 3, sampled: 50 },
};

export const NO_ROWS = { count: 0, rows: [] };

export const PREVIEW: JobPreview = {
  rows: 412,
  products: 371,
  fresh: 70,
  calls: 301,
  first: [],
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
  unread: failedProductsOf('bad-asin', 12),
  barcodes: 0,
  added: ['ROI', 'Fees', 'Eligible', 'Rank drops 30d', 'Analysis status', 'Analyzed at'],
  googleCallsLeft: null,
  planCallsLeft: null,
  capCallsLeft: null,
};

/** A preview of a list in which some products are barcodes. */
export const WITH_BARCODES: JobPreview = {
  ...PREVIEW,
  unreadable: {
    count: 2,
    rows: ['4006381333931', '12345678905'].map((shown, at) => ({
      row: 14 + at,
      shown,
      why: `"${shown}" is a barcode. Use the ASIN.`,
    })),
  },
  unread: failedProductsOf('bad-asin', 2),
  barcodes: 2,
};

export const RUNNING: JobStatus = {
  jobId: 'k3f9',
  state: 'running',
  isMine: true,
  isWorkedOn: true,
  continued: 0,
  isScheduled: false,
  startedAtMs: STARTED_MS,
  sheet: LOOK.sheet,
  listId: 'a1',
  rows: 412,
  products: 371,
  answered: 150,
  cached: 32,
  failed: 5,
  left: 184,
  failures: [failedProductsOf('not-found', 5, 'US')],
  calls: 155,
  workedMs: 4 * MINUTE,
  expectedMs: 3.5 * MINUTE,
  next: [],
};

/** The same job once its end is known. */
export const FINISHED: JobStatus = {
  ...RUNNING,
  state: 'done',
  isWorkedOn: false,
  endedAtMs: STARTED_MS + 372_000,
  answered: 294,
  cached: 70,
  failed: 7,
  left: 0,
  failures: [failedProductsOf('not-found', 4, 'US'), failedProductsOf('service-busy', 3)],
  calls: 301,
  workedMs: 372_000,
  expectedMs: 0,
};

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

export const NONE_FOUND = described({
  kind: 'alike',
  count: 30,
  of: { kind: 'not-found' },
  market: 'US',
});

export const OTHER_UNITS = described({ kind: 'other-units', what: 'ROI 87.2' });

export const NO_PRODUCT: RpcFailure = {
  kind: 'run',
  message: 'These rows have no products. Choose other rows or another column.',
};
