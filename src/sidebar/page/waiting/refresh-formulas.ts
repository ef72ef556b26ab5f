// Has formulas worked out anew, call after call: those that failed, by itself; all that are old, when asked.
import type { FormulaRefresh, RpcFailure } from '../../rpc-contract';
import { countText } from '../analyze/words';
import type { RpcClient } from '../rpc-client';

/** One call's share: whoever stops it is heard so soon. */
const CALL_MS = 30_000;

export type Refreshing =
  | { readonly at: 'none' }
  | { readonly at: 'working'; readonly report: FormulaRefresh | null; readonly isStopping: boolean }
  | { readonly at: 'done'; readonly report: FormulaRefresh }
  | { readonly at: 'failed'; readonly failure: RpcFailure };

export interface FormulaRefresher {
  /** Those without figures, of which nothing is said where there are none; else all. */
  start(onlyFailed: boolean): Promise<void>;
  /** The call under way is finished first. */
  stop(): void;
}

export function createFormulaRefresher(
  rpc: RpcClient,
  dispatch: (event: { type: 'refreshed'; refreshing: Refreshing }) => void,
): FormulaRefresher {
  let runs = 0;
  let report: FormulaRefresh | null = null;
  let isStopping = false;
  const tell = (refreshing: Refreshing): void => dispatch({ type: 'refreshed', refreshing });
  return {
    async start(onlyFailed) {
      runs += 1;
      const run = runs;
      report = null;
      isStopping = false;
      if (!onlyFailed) tell({ at: 'working', report, isStopping });
      for (let since = {}; ; ) {
        const reply = await rpc('formulas.refresh', { maxMs: CALL_MS, onlyFailed, ...since });
        if (run !== runs) return;
        if (!reply.ok)
          return tell(onlyFailed ? { at: 'none' } : { at: 'failed', failure: reply.failure });
        const hasMoved = reply.value.calls > 0 || reply.value.refreshed > (report?.refreshed ?? 0);
        report = reply.value;
        since = { sinceMs: report.sinceMs };
        if (isStopping || report.left === 0 || report.problem !== undefined || !hasMoved) break;
        tell({ at: 'working', report, isStopping });
      }
      const isNews = !onlyFailed || refreshedText({ at: 'done', report }) !== NOTHING;
      tell(isNews ? { at: 'done', report } : { at: 'none' });
    },
    stop() {
      isStopping = true;
      tell({ at: 'working', report, isStopping });
    },
  };
}

const NOTHING = 'All formulas are up to date.';

/** What the quiet line says of it. @param isTold why nobody is answered stands elsewhere. */
export function refreshedText(refreshing: Refreshing, isTold = false): string {
  switch (refreshing.at) {
    case 'none':
      return '';
    case 'failed':
      return [refreshing.failure.message, refreshing.failure.action].filter(Boolean).join(' ');
    case 'working': {
      if (refreshing.isStopping) return 'Finishing current calls…';
      const { report } = refreshing;
      if (report === null) return 'Refreshing formulas…';
      return `Refreshing formulas: ${count(report.refreshed + report.failed)} done, ${count(report.left)} left.`;
    }
    case 'done': {
      const { refreshed, failed, refused = 0, left, ownRefresh, problem } = refreshing.report;
      const parts = [
        refreshed > 0 && `${countText(refreshed, 'formula')} refreshed.`,
        failed > refused && `${count(failed - refused)} without figures.`,
        refused > 0 && `${count(refused)} in protected cells.`,
        ownRefresh > 0 && `${count(ownRefresh)} with a refresh value of your own: change that.`,
        left > 0 && `${count(left)} left.`,
        ...(isTold ? [] : [problem?.message, problem?.action]),
      ];
      return parts.filter(Boolean).join(' ') || NOTHING;
    }
  }
}

const count = (of: number): string => of.toLocaleString();
