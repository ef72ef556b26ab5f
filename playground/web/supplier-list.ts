// A supplier's offers as a sheet, with figures and verdicts that the add-on itself adds.
import type { ICellData, IWorkbookData } from '@univerjs/core';
import type { Host } from 'apps-script-host/host';
import type { Asked, Choice, JobStatus } from '../../src/sidebar/api/jobs';
import { SAMPLE_PRODUCTS } from '../api/samples';

const SUPPLIER_SHEET_ID = 'supplier-list';

interface Offer {
  readonly asin: string;
  /** Price of a pack, in dollars. */
  readonly cost: number;
  /** Blank: sold singly. */
  readonly pack?: number;
  /** Number of packs to buy. */
  readonly quantity: number;
}

const OFFERS: readonly Offer[] = [
  { asin: 'B0XKT7M4QN', cost: 8.4, quantity: 24 },
  { asin: 'B0RWD92FHC', cost: 42, pack: 6, quantity: 5 },
  { asin: 'B0TZ4LQ8KV', cost: 13.9, quantity: 12 },
  { asin: 'B0VNH3C6PD', cost: 13.5, quantity: 20 },
  { asin: 'B0QYG58JRT', cost: 66, pack: 12, quantity: 2 },
  { asin: 'B0SPM17WXB', cost: 14.75, quantity: 30 },
  { asin: 'B0WLF6D9TZ', cost: 17.2, quantity: 10 },
  { asin: 'B0PKC2X7VM', cost: 12.8, quantity: 8 },
  { asin: 'B0ZTN8R4GQ', cost: 71, quantity: 6 },
  { asin: 'B07FZ8S74R', cost: 15.6, quantity: 40 },
  { asin: 'B0YJD53LWH', cost: 26.4, pack: 4, quantity: 10 },
  { asin: 'B0XBQ91PKF', cost: 24.9, quantity: 6 },
  { asin: '0975124838', cost: 4.1, quantity: 15 },
  { asin: '081470932X', cost: 6.5, quantity: 15 },
  { asin: 'B0RHV76MZC', cost: 19.9, quantity: 4 },
  { asin: 'B08C1W5N87', cost: 13.2, quantity: 25 },
  { asin: 'B07XJ8C8F5', cost: 21.5, quantity: 12 },
  { asin: 'B00MNV8E0C', cost: 84, pack: 12, quantity: 3 },
];

const HEADERS = ['ASIN', 'Product', 'Pack cost', 'Pack', 'Order qty'];
const WIDTHS = [100, 200, 60, 48, 62];
/** The cost is the first number. */
const FIRST_NUMBER = 2;
const MONEY = '"$"#,##0.00';
const RIGHT = 3;
const TEXT_CELL = 1;
const NUMBER_CELL = 2;

export function supplierSheet(): NonNullable<IWorkbookData['sheets']>[string] {
  const header = { bl: 1, bg: { rgb: '#e8f0e9' }, cl: { rgb: '#0f5223' } };
  const text = (v: string): ICellData => ({ v, t: TEXT_CELL });
  const number = (v: number): ICellData => ({ v, t: NUMBER_CELL });
  const rows = OFFERS.map(({ asin, cost, pack, quantity }) => {
    const title = SAMPLE_PRODUCTS.find((product) => product.asin === asin)?.title ?? '';
    return [
      // Otherwise a code with only digits would become a number.
      { ...text(asin), t: /^\d+$/.test(asin) ? FORCED_TEXT : TEXT_CELL },
      text(title),
      { ...number(cost), s: { n: { pattern: MONEY } } },
      pack === undefined ? {} : number(pack),
      number(quantity),
    ];
  });
  const headers = HEADERS.map((title, at) => ({
    ...text(title),
    s: { ...header, ...(at >= FIRST_NUMBER && { ht: RIGHT }) },
  }));
  const lines = [headers, ...rows];
  return {
    id: SUPPLIER_SHEET_ID,
    name: 'Supplier list',
    rowCount: 200,
    columnCount: 26,
    defaultRowHeight: 24,
    defaultColumnWidth: 88,
    columnData: Object.fromEntries(WIDTHS.map((w, at) => [at, { w }])),
    // Verdicts are read together with the products they refer to.
    freeze: { xSplit: 2, ySplit: 1, startRow: 1, startColumn: 2 },
    cellData: Object.fromEntries(
      lines.map((line, row) => [row, Object.fromEntries(line.map((cell, at) => [at, cell]))]),
    ),
  };
}

const FORCED_TEXT = 4;

/** How long one call of the page asks for products. */
const ASK_MS = 60_000;

/**
 * Does what a user does in the sidebar with the list in view: a job over it, then *Add decisions*.
 */
export async function decideList(host: Host): Promise<void> {
  const { choice } = await call<{ readonly choice: Choice }>(host, 'list.look', {});
  // With the service's own sell price no profit needs to be estimated.
  const fields = [...choice.fields, 'sell_price'];
  const { status, queue } = await call<JobAtWork>(host, 'jobs.start', { ...choice, fields });
  const { jobId } = status;
  for (let products = queue; products.length > 0; ) {
    const asked = await call<Asked>(host, 'jobs.ask', { jobId, products, maxMs: ASK_MS });
    const { answers, calls } = asked;
    await call(host, 'jobs.record', { jobId, answers, calls });
    products = asked.left;
  }
  await call(host, 'deals.decide', { list: null, market: null, cost: null });
}

interface JobAtWork {
  readonly status: JobStatus;
  readonly queue: readonly string[];
}

/** The answer of one of the page's own calls. A failure is an error in the playground. */
async function call<Value>(host: Host, method: string, payload: unknown): Promise<Value> {
  const { value } = await host.start({
    functionName: 'rpc',
    args: [method, payload],
    door: 'sidebar',
  });
  const reply = value as { readonly ok: boolean; readonly value: Value } | undefined;
  if (!reply?.ok) throw new Error(`${method} did not answer: ${JSON.stringify(value)}`);
  return reply.value;
}
