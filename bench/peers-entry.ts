// What other add-ons do about a key's limit: three strategies for runs and for cells.

import type { SliceReport } from './slice';
import { SLICE_MS, WRITE_EVERY_MS, WRITE_MS } from './slice';

export interface PeerSetup {
  readonly strategy: 'backoff' | 'sleep' | 'lock';
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly callsPerSecond: number;
  readonly burst: number;
}

/** The number of retries, and the wait before the first one, which doubles each time. */
const RETRIES = 5;
const BACKOFF_MS = 1_000;

/** The number of rows fetched together by strategies that ignore the limit. */
const ROWS_AT_ONCE = 50;

const LOCK_WAIT_MS = 25_000;
const STATE_SECONDS = 600;

type Request = GoogleAppsScript.URL_Fetch.URLFetchRequest;

function requestFor(asin: string, { baseUrl, apiKey }: PeerSetup): Request {
  return {
    url: `${baseUrl}/v1/analyze`,
    method: 'post',
    payload: { asin, market: 'US' },
    headers: { Authorization: `Bearer ${apiKey}` },
    muteHttpExceptions: true,
  };
}

/** Returns the products that were answered. */
function fetchAll(asins: readonly string[], setup: PeerSetup): readonly string[] {
  const responses = UrlFetchApp.fetchAll(asins.map((asin) => requestFor(asin, setup)));
  return asins.filter((_, i) => responses[i]?.getResponseCode() === 200);
}

/** Asks for all products, and again for refused ones, with a wait that doubles each time. */
function withBackoff(asins: readonly string[], setup: PeerSetup): readonly string[] {
  let answered = fetchAll(asins, setup);
  for (let retry = 0; retry < RETRIES && answered.length < asins.length; retry += 1) {
    Utilities.sleep(Math.round(BACKOFF_MS * 2 ** retry * (0.5 + Math.random())));
    const left = asins.filter((asin) => !answered.includes(asin));
    answered = [...answered, ...fetchAll(left, setup)];
  }
  return answered;
}

/** One lock, one read and one write for each call: our arithmetic without whole waves. */
function slotUnderLock({ callsPerSecond, burst }: PeerSetup): boolean {
  const lock = LockService.getDocumentLock();
  if (!lock.tryLock(LOCK_WAIT_MS)) return false;
  const cache = CacheService.getDocumentCache();
  const intervalMs = 1_000 / callsPerSecond;
  const nowMs = Date.now();
  const dueMs = Math.max(Number(cache?.get('due') ?? 0), nowMs) + intervalMs;
  cache?.put('due', String(dueMs), STATE_SECONDS);
  lock.releaseLock();
  Utilities.sleep(Math.max(0, Math.ceil(dueMs - burst * intervalMs - Date.now())));
  return true;
}

function askRows(asins: readonly string[], setup: PeerSetup): readonly string[] {
  if (setup.strategy === 'backoff') return withBackoff(asins, setup);
  if (setup.strategy === 'lock' && !slotUnderLock(setup)) return [];
  const answered = fetchAll(asins, setup);
  if (setup.strategy === 'sleep') Utilities.sleep(Math.round(1_000 / setup.callsPerSecond));
  return answered;
}

/** A slice of a run, with the same writes to the sheet as for all strategies. */
export function peerSlice(asins: readonly string[], setup: PeerSetup): SliceReport {
  const startMs = Date.now();
  const rows = setup.strategy === 'backoff' ? ROWS_AT_ONCE : 1;
  let taken = 0;
  let answered = 0;
  let writtenMs = startMs;
  while (taken < asins.length && Date.now() < startMs + SLICE_MS) {
    const batch = asins.slice(taken, taken + rows);
    taken += batch.length;
    answered += askRows(batch, setup).length;
    if (Date.now() < writtenMs + WRITE_EVERY_MS) continue;
    Utilities.sleep(WRITE_MS);
    writtenMs = Date.now();
  }
  Utilities.sleep(WRITE_MS);
  return { taken, again: [], answered };
}

/** A cell; if all tries fail it shows an error. */
export function peerCell(asin: string, setup: PeerSetup): number {
  const polite = setup.strategy === 'lock' ? slotUnderLock(setup) : true;
  if (setup.strategy === 'sleep') Utilities.sleep(Math.round(1_000 / setup.callsPerSecond));
  const answered = polite ? withBackoff([asin], setup) : [];
  if (answered.length === 0) throw new Error('Request failed with code 429');
  return answered.length;
}
