// What is wrong with one schedule, with the one thing to do about it.

import { concernOf } from '../../../analysis/failure';
import type { ScheduleShown } from '../../schedule-contract';
import { FailureIcon } from '../frame/icons';
import type { ListProps } from './buttons';

interface CardTroubleProps extends ListProps {
  readonly schedule: ScheduleShown;
}

interface Offer {
  readonly label: string;
  /** While it is being done. */
  readonly busy: string | null;
  press(): void;
}

/** undefined where words have to do. */
function offerOf({ schedule, view, hands }: CardTroubleProps): Offer | undefined {
  const { id, remedy, problem } = schedule;
  if (remedy === 'schedule.adopt') {
    const { asked } = view;
    const busy = asked?.act === 'adopt' && asked.id === id ? 'Taking it over' : null;
    return { label: 'Take it over', busy, press: () => void hands.actions.adopt(id) };
  }
  if (concernOf(problem?.kind ?? '') !== 'connection') return undefined;
  return { label: 'Open Connection', busy: null, press: hands.toConnection };
}

export function CardTrouble(props: CardTroubleProps) {
  const { schedule, view } = props;
  const { name, problem } = schedule;
  if (problem === undefined) return null;
  const offer = offerOf(props);
  return (
    <div class="trouble">
      <FailureIcon />
      <div>
        <p>
          <strong>{problem.message}</strong> {problem.action}
        </p>
        {offer !== undefined && (
          <button
            class="link"
            type="button"
            disabled={view.asked !== null}
            aria-label={`${offer.label}: ${name}`}
            onClick={offer.press}
          >
            {offer.busy ?? offer.label}
          </button>
        )}
      </div>
    </div>
  );
}
