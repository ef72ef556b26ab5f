// One schedule of the list: what it does, when it did and will, what is wrong, what can be done.
import type { ScheduleShown } from '../../schedule-contract';
import type { Hands, ListProps } from './buttons';
import { CardTrouble } from './card-trouble';
import { formOf } from './form';
import { Progress } from './progress';
import { Switch } from './switch';
import { type Clock, momentText, nextText } from './times';
import { limitsText, outcomeText, whatText } from './words';

interface CardProps extends ListProps {
  readonly schedule: ScheduleShown;
}

/** "06:04 · 371 rows · 2 failed" */
function lastText(schedule: ScheduleShown, clock: Clock): string {
  const { last } = schedule;
  if (last === null) return 'not yet';
  return `${momentText(last.startedAtMs, clock)} · ${outcomeText(last, schedule)}`;
}

function Times({ schedule, view, clock }: CardProps) {
  return (
    <dl class="times">
      <dt>Last</dt>
      <dd>{lastText(schedule, clock)}</dd>
      <dt>Next</dt>
      <dd>{nextText(schedule, view.look.clock, clock)}</dd>
    </dl>
  );
}

interface VerbsProps {
  readonly schedule: ScheduleShown;
  readonly hands: Hands;
}

/** Two lists may have one rhythm: told apart by their sheets. */
const fullName = ({ name, sheetName }: ScheduleShown): string =>
  sheetName === '' ? name : `${name}, ${sheetName}`;

/**
 * Its maker can do everything with it, others can only end it. The name of the schedule is told to
 * those who hear only the verb.
 */
function Verbs({ schedule, hands }: VerbsProps) {
  const { id, settings, isMine } = schedule;
  const { actions, dispatch } = hands;
  const remove = ['remove', 'Remove', () => dispatch({ type: 'removeWished', id })] as const;
  const own = [
    ['run', 'Run now', () => void actions.run(schedule)],
    ['edit', 'Edit', () => dispatch({ type: 'editWished', form: formOf(id, settings) })],
  ] as const;
  const verbs = isMine ? [...own, remove] : [remove];
  return (
    <p class="links">
      {verbs.map(([verb, label, press]) => (
        <button
          key={verb}
          class="link"
          type="button"
          id={`schedule-${verb}-${id}`}
          aria-label={`${label}: ${fullName(schedule)}`}
          onClick={press}
        >
          {label}
        </button>
      ))}
    </p>
  );
}

/** '' where it is of no sheet, as formulas are. */
const placeText = ({ sheetName }: ScheduleShown): string =>
  sheetName === '' ? 'The whole spreadsheet' : sheetName;

export function ScheduleCard(props: CardProps) {
  const { schedule, hands } = props;
  const { id, name, settings, isOn, isMine } = schedule;
  const { state, actions } = hands;
  const { running } = state;
  const isRunning = running?.id === id;
  const limits = limitsText(settings);
  return (
    <li class="schedule">
      <div class="schedule-head">
        <h2>{name}</h2>
        {isMine ? (
          <Switch
            id={`schedule-switch-${id}`}
            isOn={isOn}
            label={fullName(schedule)}
            isDisabled={isRunning}
            toggle={(wished) => void actions.switchTo(id, wished)}
          />
        ) : (
          <span class="caption">{isOn ? 'on' : 'off'}</span>
        )}
      </div>
      <p>{whatText(settings)}</p>
      <p class="caption">{placeText(schedule)}</p>
      {limits !== '' && <p class="caption">{limits}</p>}
      {!isMine && <p class="caption">Somebody else’s: it runs with their key.</p>}
      {isRunning ? <Progress running={running} /> : <Times {...props} />}
      {!isRunning && <CardTrouble {...props} />}
      {running === null && <Verbs schedule={schedule} hands={hands} />}
    </li>
  );
}
