// The latest runs of the schedules, folded away under them.
import type { ScheduleRun } from '../../schedule-contract';
import type { ListProps } from './buttons';
import { type Clock, momentText } from './times';
import { pastText } from './words';

function RunLine({ run, clock }: { readonly run: ScheduleRun; readonly clock: Clock }) {
  return (
    <li class="past-run">
      <p>
        {momentText(run.startedAtMs, clock)} · {run.name}
      </p>
      <p class="caption">{pastText(run)}</p>
      {run.problem !== undefined && <p class="caption wrong">{run.problem.message}</p>}
    </li>
  );
}

export function History({ hands, clock }: Omit<ListProps, 'view'>) {
  const { state, actions, dispatch } = hands;
  const { past } = state;
  const isOpen = past.at !== 'folded';
  return (
    <section class="past" aria-labelledby="schedule-past">
      <button
        class="link"
        type="button"
        id="schedule-past"
        aria-expanded={isOpen}
        onClick={() => (isOpen ? dispatch({ type: 'historyToggled' }) : void actions.history())}
      >
        History
      </button>
      {past.at === 'asked' && <p class="caption">Looking it up</p>}
      {past.at === 'known' && past.runs.length === 0 && <p class="caption">Nothing ran yet.</p>}
      {past.at === 'known' && (
        <ul>
          {past.runs.map((run) => (
            <RunLine key={`${run.startedAtMs} ${run.name}`} run={run} clock={clock} />
          ))}
        </ul>
      )}
    </section>
  );
}
