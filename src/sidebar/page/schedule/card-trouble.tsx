// What is wrong with one schedule, with the one thing to do about it.
import type { ScheduleShown } from '../../schedule-contract';
import { OF_THE_CONNECTION } from '../analyze/summary';
import { FailureIcon } from '../frame/icons';
import type { Hands, ListProps } from './buttons';
import { REMEDIES } from './summary';

interface CardTroubleProps extends ListProps {
  readonly schedule: ScheduleShown;
}

/** What a press does; undefined where words have to do. */
function remedyOf(schedule: ScheduleShown, { actions, toConnection }: Hands) {
  const { id, remedy, problem } = schedule;
  switch (remedy) {
    case 'schedule.adopt':
      return () => void actions.adopt(id);
    case 'schedule.switch':
      return () => void actions.switchTo(id, true);
    case 'schedule.mend':
      return () => void actions.mend();
    case 'schedule.useHere':
      return () => void actions.useHere();
    default:
      return OF_THE_CONNECTION.includes(problem?.kind ?? '') ? toConnection : undefined;
  }
}

export function CardTrouble({ schedule, view, hands }: CardTroubleProps) {
  const { name, problem, remedy } = schedule;
  const { asked } = view;
  if (problem === undefined) return null;
  const press = remedyOf(schedule, hands);
  const [label, busy] = remedy === undefined ? ['Open Connection', ''] : REMEDIES[remedy];
  const isBusy = remedy === `schedule.${asked?.act}`;
  return (
    <div class="trouble">
      <FailureIcon />
      <div>
        <p>
          <strong>{problem.message}</strong> {problem.action}
        </p>
        {problem.grantUrl !== undefined && (
          <a class="link" href={problem.grantUrl} target="_blank" rel="noopener noreferrer">
            Allow it at Google
          </a>
        )}
        {press !== undefined && (
          <button
            class="link"
            type="button"
            disabled={asked !== null}
            aria-label={`${label}: ${name}`}
            onClick={press}
          >
            {isBusy ? busy : label}
          </button>
        )}
      </div>
    </div>
  );
}
