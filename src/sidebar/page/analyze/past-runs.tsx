// The latest runs of this spreadsheet, folded away under the choices.
import type { PastRun } from '../../bulk-contract';
import type { Hands } from './buttons';
import { countText, momentText } from './words';

interface RunLineProps {
  readonly run: PastRun;
  readonly nowMs: number;
}

function RunLine({ run, nowMs }: RunLineProps) {
  const { rows, failed, calls, outcome } = run;
  const end = outcome === 'stopped' ? ['stopped'] : [];
  const failures = failed === 0 ? [] : [`${failed.toLocaleString()} failed`];
  const parts = [countText(rows, 'row'), countText(calls, 'call'), ...failures, ...end];
  return (
    <li class="past-run">
      <p>
        {momentText(run.startedAtMs, nowMs)} · {run.sheetName}
      </p>
      <p class="caption">
        {parts.join(' · ')} · by {run.isMine ? 'you' : 'somebody else'}
      </p>
    </li>
  );
}

interface PastRunsListProps {
  readonly hands: Hands;
  readonly nowMs: number;
}

export function PastRunsList({ hands, nowMs }: PastRunsListProps) {
  const { actions, state, dispatch } = hands;
  const { past } = state;
  const isOpen = past.at !== 'folded';
  return (
    <section class="past" aria-labelledby="analyze-past">
      <button
        class="link"
        type="button"
        id="analyze-past"
        aria-expanded={isOpen}
        onClick={() => (isOpen ? dispatch({ type: 'pastToggled' }) : void actions.past())}
      >
        Past runs
      </button>
      {past.at === 'asked' && <p class="caption">Looking them up</p>}
      {past.at === 'known' && past.runs.length === 0 && <p class="caption">There are none yet.</p>}
      {past.at === 'known' && (
        <ul>
          {past.runs.map((run) => (
            <RunLine key={run.startedAtMs} run={run} nowMs={nowMs} />
          ))}
        </ul>
      )}
    </section>
  );
}
