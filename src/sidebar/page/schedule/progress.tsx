// How far a schedule is that runs now, in the place of its times.

import type { BulkStatus } from '../../bulk-contract';
import { doneRows } from '../analyze/summary';
import { countText, leftText, percentText, secondText } from '../analyze/words';
import type { Running } from './state';

function sofarText({ totals: { refreshed, failed, calls } }: Running): string {
  const bad = failed === 0 ? [] : [`${failed.toLocaleString()} failed`];
  return [`${refreshed.toLocaleString()} refreshed`, ...bad, countText(calls, 'call')].join(' · ');
}

function paceText({ expectedMs, answered, cached, failed, nextCallAtMs }: BulkStatus): string {
  const left = expectedMs === null ? [] : [leftText(expectedMs)];
  const bad = failed === 0 ? [] : [`${failed.toLocaleString()} failed`];
  const next = nextCallAtMs === undefined ? [] : [`next call at ${secondText(nextCallAtMs)}`];
  return [...left, `${(answered + cached).toLocaleString()} answered`, ...bad, ...next].join(' · ');
}

/** What it waits for, where that is not the next answer. */
function leadOf({ isLost, isStopping }: Running): string | null {
  if (isLost) return 'Trying again by itself. Progress saved.';
  return isStopping ? 'Finishing current calls… What was written stays.' : null;
}

export function Progress({ running }: { readonly running: Running }) {
  const { status, totals } = running;
  const lead = leadOf(running);
  const isKnown = status !== null && status.rows > 0;
  const done = status === null ? 0 : doneRows(status);
  return (
    <div class="run-head schedule-run">
      <p>
        {isKnown ? `${done.toLocaleString()} of ${status.rows.toLocaleString()}` : 'Running now'}
      </p>
      <span class="percent">{isKnown && percentText(done, status.rows)}</span>
      <progress aria-label="Rows done" {...(isKnown && { max: status.rows, value: done })} />
      <p class="caption">
        {isKnown && paceText(status)}
        {!isKnown && (totals.calls > 0 ? sofarText(running) : 'Looking for what is out of date')}
      </p>
      {lead !== null && <p class="caption">{lead}</p>}
    </div>
  );
}
