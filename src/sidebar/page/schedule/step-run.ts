// What happens to a schedule that runs now: how far it is, a lost line, its end. Pure.
import type { RpcFailure } from '../../rpc-contract';
import type { ScheduleRun } from '../../schedule-contract';
import { isOver } from '../analyze/state';
import { countText } from '../analyze/words';
import type { Running, ScheduleEvent, ScheduleState, Totals } from './state';

export type RunEvent = Extract<
  ScheduleEvent,
  { type: `run${string}` | 'statusArrived' | 'sliceDone' | 'linkLost' | 'stopAsked' }
>;

const NOTHING: Totals = { refreshed: 0, failed: 0, calls: 0, changes: 0 };

const plus = (totals: Totals, run: ScheduleRun): Totals => ({
  refreshed: totals.refreshed + run.refreshed,
  failed: totals.failed + run.failed,
  calls: totals.calls + run.calls,
  changes: totals.changes + run.changes,
});

const REST = 'The rest goes on in the next hour.';

function endText({ totals, isStopping, isLeft }: Running): string {
  const { refreshed, failed, calls, changes } = totals;
  const end = isStopping ? 'Stopped. ' : '';
  if (refreshed + failed === 0 && isLeft && !isStopping)
    return `This hour’s calls are used up. ${REST}`;
  if (refreshed + failed === 0)
    return `${end}${isStopping ? 'What was written stays.' : 'Everything is up to date.'}`;
  const bad = failed === 0 ? '' : `, ${failed.toLocaleString()} failed`;
  const news = changes === 0 ? '' : ` ${countText(changes, 'change')} noted.`;
  return `${end}${refreshed.toLocaleString()} refreshed with ${countText(calls, 'call')}${bad}.${news}${isLeft && !isStopping ? ` ${REST}` : ''}`;
}

function afterEnd(state: ScheduleState, failure: RpcFailure | null): ScheduleState {
  const { running, view } = state;
  if (running === null) return state;
  const ended = { ...state, running: null, focus: { to: `schedule-run-${running.id}` } };
  if (failure === null) return { ...ended, notice: endText(running) };
  return view.at === 'list' ? { ...ended, view: { ...view, failure } } : ended;
}

export function stepRun(state: ScheduleState, event: RunEvent): ScheduleState {
  const { running, view } = state;
  if (event.type === 'runAsked') {
    if (running !== null || view.at !== 'list') return state;
    const { id } = event;
    return {
      ...state,
      view: { ...view, failure: null },
      running: {
        id,
        status: null,
        totals: NOTHING,
        isLeft: false,
        isStopping: false,
        isLost: false,
      },
      notice: null,
    };
  }
  if (running === null) return state;
  switch (event.type) {
    case 'statusArrived':
      // The run before this one, until the first call has begun its own.
      if (isOver(event.status)) return state;
      return { ...state, running: { ...running, status: event.status, isLost: false } };
    case 'sliceDone': {
      const totals = plus(running.totals, event.run);
      const isLeft = event.run.outcome === 'part';
      return { ...state, running: { ...running, totals, isLeft, isLost: false } };
    }
    case 'linkLost':
      return { ...state, running: { ...running, isLost: true } };
    case 'stopAsked':
      return { ...state, running: { ...running, isStopping: true } };
    case 'runEnded':
      return afterEnd(state, event.failure);
  }
}
