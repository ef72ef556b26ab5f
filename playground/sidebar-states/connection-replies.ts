// Replies that bring the Settings page into its states: one connection with one change each.
import type { CheckReport } from '../../src/sidebar/api/check';
import type { ConnectionStatus } from '../../src/sidebar/api/connection';
import { described } from '../../src/sidebar/api/failure-view';
import { type Script, says } from './scripted-page';

const SETTINGS = {
  roiUnit: 'percent',
  moneyUnit: 'units',
  sellPriceName: 'buyBoxPrice',
} as const;

export type Connected = Extract<ConnectionStatus, { connected: true }>;

export const CONNECTED: Connected = {
  connected: true,
  baseUrl: 'https://api.example.com',
  keyMask: '…4f2a',
  quota: { calls: 60, perSeconds: 60 },
  sharing: 'me',
  settings: SETTINGS,
  payer: {
    kind: 'owner',
    keyMask: '…4f2a',
    text: "Formulas here use the owner's key (…4f2a).",
  },
  cellCalls: { perDay: null, usedToday: 312 },
  waiting: 0,
};

export const SHARED: Partial<Connected> = {
  sharing: 'spreadsheet',
  payer: { kind: 'yours', keyMask: '…4f2a', text: 'Formulas here use your key.' },
};

/** A key that came with a copy of the spreadsheet and belongs to someone else. */
export const COPIED = {
  sharing: 'spreadsheet',
  isOthers: true,
  payer: {
    kind: 'copied',
    keyMask: '…4f2a',
    text: "The original's key (…4f2a) makes no calls here until you allow it.",
  },
  stopped: described({ kind: 'copied' }),
} as const satisfies Partial<Connected>;

export const REPORT: CheckReport = {
  asin: 'B07FZ8S74R',
  market: 'US',
  latencyMs: 412,
  settings: SETTINGS,
  sent: {
    ...{ profit: 15.61, roi: 87.2, fees: 6.48, eligible: true, rank_drops_30d: 202 },
    ...{ buy_price: 17.9, sell_price: 39.99 },
  },
  questions: [],
  recognised: [
    { name: 'profit', as: 'profit', value: '15.61' },
    { name: 'roi', as: 'roi', value: '87.2' },
    { name: 'fees', as: 'fees', value: '6.48' },
    { name: 'eligible', as: 'eligible', value: 'true' },
    { name: 'rank_drops_30d', as: 'rank_drops_30d', value: '202' },
    { name: 'cost', as: 'buy_price', value: '17.9' },
    { name: 'buyBoxPrice', as: 'sell_price', value: '39.99' },
    { name: 'warehouse_note', as: null, value: 'in stock' },
  ],
};

/** An answer in whole numbers without prices, which leaves both units open, and a sell price. */
export const OPEN_REPORT: CheckReport = {
  ...REPORT,
  settings: { roiUnit: 'fraction', moneyUnit: 'hundredths' },
  sent: {
    ...{ profit: 1_561, roi: 0.872, fees: 648, eligible: true, rank_drops_30d: 202 },
    ...{ buy_price: null, sell_price: null },
  },
  questions: [
    { setting: 'roiUnit', options: [{ value: 'fraction' }, { value: 'percent' }] },
    { setting: 'moneyUnit', options: [{ value: 'units' }, { value: 'hundredths' }] },
    {
      setting: 'sellPriceName',
      field: 'sell_price',
      options: [
        { value: '' },
        { value: 'asking', amount: 3_999 },
        { value: 'lowest', amount: 3_999 },
      ],
    },
  ],
  recognised: [
    { name: 'profit', as: 'profit', value: '1561' },
    { name: 'roi', as: 'roi', value: '0.872' },
    { name: 'asking', as: null, value: '3999' },
    { name: 'lowest', as: null, value: '3999' },
  ],
};

export const REFUSED = described({ kind: 'key-refused', requestId: 'req_8c41f0' });

/** Google's storage for a person's properties is full. */
export const STORE_FULL = described({ kind: 'store-full', holder: 'you' });

export const firstRun: Script = {
  'connection.status': () => says({ connected: false, demo: false }),
  'connection.save': () => says(CONNECTED),
  'connection.check': () => says(REPORT),
};

export const connected: Script = { ...firstRun, 'connection.status': () => says(CONNECTED) };

/** A connection that differs from the usual one. */
export function connectedWith(change: Partial<Connected>, more: Script = {}): Script {
  return { ...connected, 'connection.status': () => says({ ...CONNECTED, ...change }), ...more };
}

/** One call a day, as reported by the service and trusted until noon of a day long past. */
export const TOLD: NonNullable<Connected['learned']> = {
  calls: 1,
  perSeconds: 86_400,
  sure: true,
  toldUntilMs: new Date(2026, 0, 5, 12).getTime(),
};

/** The replies after the service's report has been discarded. */
export const RELEARNED: Script = {
  'connection.relearn': () =>
    says({ ...CONNECTED, quota: null, learned: { calls: 1, perSeconds: 1, sure: false } }),
};
