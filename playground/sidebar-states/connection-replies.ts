// Replies that bring the Connection page into its states: one connection with one change each.
import type { CheckReport, ReadingFacts } from '../../src/sidebar/api/check';
import type { ConnectionStatus } from '../../src/sidebar/api/connection';
import { described, type RpcFailure } from '../../src/sidebar/api/failure-view';
import { type Script, says } from './scripted-page';

const READING: ReadingFacts = {
  settings: {},
  found: {
    sellPriceName: 'buyBoxPrice',
    roiUnit: 'percent',
    moneyUnit: 'units',
    feesName: 'fba_fees + referral_fee',
  },
  reasons: {
    sellPriceName: 'It fits profit, fees and ROI.',
    roiUnit: 'Profit divided by buy price is a hundredth of it.',
    moneyUnit: 'Amounts came with decimals.',
    feesName: 'Fees came in parts, which are added up.',
  },
  observations: [],
};

export type Connected = Extract<ConnectionStatus, { connected: true }>;

export const CONNECTED: Connected = {
  connected: true,
  baseUrl: 'https://api.example.com',
  keyMask: '…4f2a',
  quota: { calls: 60, perSeconds: 60 },
  sharing: 'me',
  ...READING,
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
  owner: null,
  payer: {
    kind: 'copied',
    keyMask: '…4f2a',
    text: "The original's key (…4f2a) makes no calls here until you allow it.",
  },
  stopped: {
    kind: 'copied',
    message: 'The key shared in the original makes no calls in this copy.',
    action: 'Press "Use the key here".',
  },
} as const satisfies Partial<Connected>;

export const REPORT: CheckReport = {
  asin: 'B07FZ8S74R',
  market: 'US',
  latencyMs: 412,
  recognised: [
    { name: 'profit', as: 'profit', value: '7.42' },
    {
      name: 'roi',
      as: 'roi',
      value: '41.2',
      shown: 0.412,
    },
    { name: 'eligible', as: 'eligible', value: 'true' },
    { name: 'bsr_rank', as: 'bsr_rank', value: '1840' },
    { name: 'buyBoxPrice', as: 'sell_price', value: '39.99' },
    { name: 'warehouse_note', as: null, value: 'in stock' },
  ],
  ...READING,
};

export const REFUSED: RpcFailure = {
  kind: 'key-refused',
  message: 'The service refused the key.',
  action: 'Check the key, or ask the service operator.',
  requestId: 'req_8c41f0',
};

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
