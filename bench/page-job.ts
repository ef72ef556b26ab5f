// A job as the bench measures it: the page's own loop, against the bundle in a host in virtual time.

import { effect } from '@preact/signals-core';
import type { Host } from 'apps-script-host/host';
import type { CellValue } from 'apps-script-host/sheet/model';
import type { PlainGrid } from 'apps-script-host/sheet/plain-grid';
import type { Choice, JobPreview, JobStatus } from '../src/sidebar/api/jobs';
import type { Payload, RpcMethod } from '../src/sidebar/api/methods';
import { createJob } from '../src/sidebar/page/ui/job';
import {
  createRpcClient,
  type RpcClient,
  type ScriptRunner,
} from '../src/sidebar/page/ui/rpc-client';
import { isOver } from '../src/sidebar/page/ui/texts';

/** If many calls fail, at most two in a row do. */
const TRIES_MAX = 3;

/** The step in which time passes; between two steps the page receives replies and does what is due. */
const STEP_MS = 50;

/** The name of the tab with the figures. */
const TAB = 'Analysis';

const none = () => undefined;

/** A page's google.script.run connected to this host. @param who left out: the spreadsheet's owner. */
const runnerTo = (
  host: Host,
  who: { readonly userEmail?: string },
  onValue: (value: unknown) => void = none,
  onError: (error: unknown) => void = none,
): ScriptRunner => ({
  withSuccessHandler: (handler) => runnerTo(host, who, handler, onError),
  withFailureHandler: (handler) => runnerTo(host, who, onValue, handler),
  rpc: (method, payload) => {
    const call = { functionName: 'rpc', args: [method, payload], door: 'sidebar' } as const;
    void host
      .start({ ...call, ...who })
      .then(({ ok, value, error }) => (ok ? onValue(value) : onError(error)));
  },
});

const pauseOf =
  (host: Host) =>
  (ms: number): Promise<void> =>
    new Promise((wake) => host.at(host.nowMs() + ms, wake));

/** @param kept hears of each call that somebody else's work in the sheet keeps out. */
export function pageRpc(
  host: Host,
  kept: () => void = none,
  who: { readonly userEmail?: string } = {},
): RpcClient {
  const browser = { runner: runnerTo(host, who), isOnline: () => true };
  const waits = (busy: unknown) => busy !== null && kept();
  return createRpcClient(browser, { ended: none, pause: pauseOf(host), waits });
}

/** A call made before the measurement starts, and repeated if Google failed it. */
export async function asked<Method extends RpcMethod>(
  host: Host,
  rpc: RpcClient,
  method: Method,
  payload: Payload<Method>,
) {
  for (let tries = 1; ; tries += 1) {
    const call = rpc(method, payload);
    await host.run();
    const reply = await call;
    if (reply.ok) return reply.value;
    if (tries === TRIES_MAX) throw new Error(`${method}: ${reply.failure.message}`);
  }
}

/** Lets time pass until this ends. */
export async function passed<T>(host: Host, end: Promise<T>): Promise<T> {
  let isPast = false;
  const over = end.finally(() => {
    isPast = true;
  });
  while (!isPast) {
    await host.run(host.nowMs() + STEP_MS);
    await new Promise((next) => setImmediate(next));
  }
  return over;
}

/** When a product was first answered in the tab that lists look up. */
export function watchTab(grid: PlainGrid, nowMs: () => number): () => number | undefined {
  let firstMs: number | undefined;
  grid.onChange(() => {
    if (firstMs !== undefined) return;
    const tab = grid.sheets().find(({ name }) => name === TAB);
    if (tab !== undefined && rowsOf(grid, tab.id).some((row) => row.includes('OK')))
      firstMs = nowMs();
  });
  return () => firstMs;
}

function rowsOf(grid: PlainGrid, id: number): readonly (readonly CellValue[])[] {
  const { lastRow, lastColumn } = grid.size(id);
  const area = { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn };
  return lastRow === 0 || lastColumn === 0 ? [] : grid.values(id, area);
}

export interface JobEnd {
  readonly status: JobStatus;
  readonly tookMs: number;
  /** From the click until the page first showed an answer. */
  readonly shownMs: number;
}

/** Works on a job from the click on Start until the page says that it is over. */
export function runJob(
  host: Host,
  rpc: RpcClient,
  choice: Choice,
  counted: Pick<JobPreview, 'first' | 'products'>,
  mostMs: number,
): Promise<JobEnd> {
  const clickMs = host.nowMs();
  let shownMs: number | undefined;
  const end = new Promise<JobEnd>((resolve, reject) => {
    const job = createJob(rpc, pauseOf(host), host.nowMs);
    const hear = (status: JobStatus) => {
      const tookMs = host.nowMs() - clickMs;
      if (status.answered > 0) shownMs ??= tookMs;
      if (status.state === 'done') resolve({ status, tookMs, shownMs: shownMs ?? tookMs });
      else if (isOver(status)) reject(new Error(`The job is ${status.state}.`));
      else if (tookMs > mostMs) reject(new Error('The job does not end.'));
    };
    effect(() => {
      if (job.failure.value !== null) reject(new Error(JSON.stringify(job.failure.value)));
      if (job.status.value !== null) hear(job.status.value);
    });
    void job.start(choice, counted).then((reply) => {
      if (!reply.ok) reject(new Error(JSON.stringify(reply.failure)));
    });
  });
  return passed(host, end);
}
