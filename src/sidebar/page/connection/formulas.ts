// Formulas while the sidebar is open: products that wait for the key's limit are asked for, formulas
// are refreshed when a person asks, and one line tells how far that is.

import { computed, signal } from '@preact/signals-core';
import type { ConnectionStatus, FormulaFollow, FormulaRefresh } from '../../api/connection';
import type { RpcFailure } from '../../api/failure-view';
import { connection, pause, rpc } from '../ui/app';
import { createTasks, Failed } from '../ui/task';
import { countText } from '../ui/texts';

const sentences = (of: Pick<RpcFailure, 'message' | 'action'> | null): string =>
  [of?.message, of?.action].filter(Boolean).join(' ');

/** "80 formulas refreshed. 3 without figures." What is counted is named once. */
const counted = (counts: readonly (readonly [number, string])[]): string =>
  counts
    .filter(([number]) => number > 0)
    .map(([number, what], at) =>
      at === 0 ? `${countText(number, 'formula')} ${what}` : `${number.toLocaleString()} ${what}`,
    )
    .join(' ');

// A refresh

/** The length of one call; stopping takes effect after it. */
const REFRESH_CALL_MS = 30_000;

const refreshes = createTasks();
/** How far it is; '' for a refresh that is not shown, because it may have nothing to do. */
const progress = signal('');
const isStopping = signal(false);
/** Formulas that no refresh reaches. */
export const lacking = signal(0);
/** Why more time would not help. */
const problem = signal<RpcFailure | null>(null);

export const isRefreshing = computed(() => refreshes.busy.value !== null && progress.value !== '');

/** What is over is no longer of interest once the person does something else. */
export function forget(): void {
  if (refreshes.busy.peek() !== null) return;
  refreshes.cancel();
  begin('');
}

function begin(text: string): void {
  progress.value = text;
  isStopping.value = false;
  lacking.value = 0;
  problem.value = null;
}

/** What a refresh has changed or met; '' for nothing. */
function refreshedText({
  refreshed,
  failed,
  left,
  lacking: lack,
  ownRefresh,
}: FormulaRefresh): string {
  const counts = counted([
    [refreshed, 'refreshed.'],
    [failed, 'without figures.'],
    [lack, 'not refreshed yet.'],
    [ownRefresh, 'with a refresh value of your own: change that.'],
  ]);
  const rest = left > 0 ? `${countText(left, 'product')} left to ask for.` : '';
  return [counts, rest].filter(Boolean).join(' ');
}

const addedText = ({ added, refused, left }: FormulaFollow): string =>
  counted([
    [added, 'will follow each refresh.'],
    [refused, 'in protected cells.'],
    [left, 'left.'],
  ]);

/** @param onlyFailed where formulas show no figures, with no word if there are none; else all. */
export const refresh = refreshes.task(async (call, onlyFailed: boolean) => {
  begin(onlyFailed ? '' : 'Refreshing formulas…');
  const isShown = () => progress.value !== '';
  for (;;) {
    const report = await call('formulas.refresh', { maxMs: REFRESH_CALL_MS, onlyFailed }).catch(
      (error) => {
        if (error instanceof Failed && !isShown()) return null;
        throw error;
      },
    );
    if (report === null) return;
    const { left, calls } = report;
    const goesOn = left > 0 && calls > 0 && report.problem === undefined;
    if (!goesOn || isStopping.value) {
      const news = refreshedText(report);
      const isIdle = news === '' && report.problem === undefined;
      if (!isShown() && isIdle) return;
      lacking.value = report.lacking;
      problem.value = report.problem ?? null;
      return isIdle ? 'All formulas are up to date.' : news;
    }
    progress.value = `Refreshing formulas: ${countText(left, 'product')} left.`;
  }
});

/** Formulas without figures are refreshed, unless a refresh is shown: it reaches them as well. */
export function refreshFailed(): void {
  if (!isRefreshing.peek()) void refresh(true);
}

/** Adds the refresh argument to formulas that have none. */
export const addArguments = refreshes.task(async (call) => {
  begin('Adding to formulas…');
  let added = 0;
  for (;;) {
    const report = await call('formulas.follow', { maxMs: REFRESH_CALL_MS });
    const { left, calls } = report;
    added += report.added;
    const hasMoved = calls > 0 || report.added > 0;
    const goesOn = left > 0 && hasMoved && report.problem === undefined;
    if (!goesOn || isStopping.value) {
      problem.value = report.problem ?? null;
      return addedText({ ...report, added });
    }
    progress.value = `Adding to formulas: ${left.toLocaleString()} left.`;
  }
});

/** Stops after the call under way. */
export const stop = (): void => {
  isStopping.value = true;
};

// Products that wait

/**
 * The length of one call: short enough that the number shown keeps changing, and far below Google's
 * six minutes.
 */
const WAITING_CALL_MS = 20_000;

/** After a call that settled nothing, the next ones come later and later, but they do come. */
const PAUSE_MS = 30_000;
const PAUSE_MS_MAX = 300_000;

type Waiting =
  | { readonly at: 'none' }
  | { readonly at: 'working'; readonly left: number }
  | { readonly at: 'done'; readonly isShown: boolean }
  | { readonly at: 'stopped'; readonly failure: RpcFailure };

const waiting = signal<Waiting>({ at: 'none' });
let isWorking = false;
let connections = 0;

async function workOff(): Promise<void> {
  let pauseMs = PAUSE_MS;
  for (;;) {
    const current = connections;
    const reply = await rpc('waiting.work', { maxMs: WAITING_CALL_MS });
    // The result belongs to a connection that was replaced meanwhile.
    if (current !== connections) continue;
    if (!reply.ok) {
      if (waiting.value.at === 'working') waiting.value = { at: 'stopped', failure: reply.failure };
      return;
    }
    const { left, settled, isShown } = reply.value;
    if (left > 0) waiting.value = { at: 'working', left };
    // The end is not told where it concerns another connection.
    else if (waiting.value.at === 'working') waiting.value = { at: 'done', isShown };
    if (left === 0) return;
    if (settled > 0) pauseMs = PAUSE_MS;
    else {
      await pause(pauseMs);
      pauseMs = Math.min(PAUSE_MS_MAX, 2 * pauseMs);
    }
  }
}

/** Begins if products wait, unless a call is already under way. */
export function takeWaiting(status: ConnectionStatus): void {
  if (!status.connected || status.waiting === 0) return;
  waiting.value = { at: 'working', left: status.waiting };
  if (isWorking) return;
  isWorking = true;
  void workOff().finally(() => {
    isWorking = false;
  });
}

/** The connection was replaced. */
export function renewWaiting(): void {
  connections += 1;
  waiting.value = { at: 'none' };
}

// In words

/** @param isTold whether the reason for a delay is shown above. */
function refreshLine(isTold: boolean): string {
  if (isRefreshing.value) return isStopping.value ? 'Finishing current calls…' : progress.value;
  const why = isTold ? '' : sentences(problem.value);
  return [sentences(refreshes.failure.value), refreshes.notice.value, why]
    .filter(Boolean)
    .join(' ');
}

function waitingLine(isTold: boolean): string {
  const now = waiting.value;
  switch (now.at) {
    case 'none':
      return '';
    case 'working':
      return now.left === 1
        ? '1 product waits for the key’s limit. Asking for it now.'
        : `${now.left.toLocaleString()} products wait for the key’s limit. Asking for them now.`;
    case 'done':
      return now.isShown
        ? 'All waiting products are answered.'
        : 'All waiting products are answered. Refresh formulas to show them.';
    case 'stopped': {
      const why = isTold ? '' : sentences(now.failure);
      return ['Some products still wait for the key’s limit.', why].filter(Boolean).join(' ');
    }
  }
}

/** The line above the buttons; '' if there is nothing to tell. */
export const line = computed((): string => {
  const isTold = connection.value?.connected === true && connection.value.stopped !== undefined;
  return [refreshLine(isTold), waitingLine(isTold)].filter(Boolean).join(' ');
});
