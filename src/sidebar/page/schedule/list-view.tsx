// Parts of the list of schedules: a card for each, what changed, past runs.

import { opensConnection } from '../../../failures/failure';
import type { Digest } from '../../../schedules/digest';
import type { RunShown, ScheduleShown } from '../../api/schedules';
import { FailureIcon, Link, NumberLine } from '../ui/fields';
import { HelpLink } from '../ui/help';
import { doneProducts, percentText, showLabel, UI_TEXTS } from '../ui/texts';
import type { Effects, ListProps } from './actions';
import { formOf, ticksOf } from './form';
import type { Running } from './state';
import {
  BUYS_LEAD,
  type Clock,
  changesWord,
  lastText,
  limitsText,
  momentText,
  nextText,
  ofText,
  onText,
  paceText,
  pastText,
  rulesText,
  sinceText,
  sofarText,
  VIEW_TEXTS,
  verbLabel,
  whatText,
} from './texts';

interface SwitchProps {
  readonly id: string;
  readonly isOn: boolean;
  /** The label for people who do not see what the switch belongs to. */
  readonly label: string;
  readonly isDisabled: boolean;
  toggle(isOn: boolean): void;
}

function Switch({ id, isOn, label, isDisabled, toggle }: SwitchProps) {
  return (
    <button
      class="switch"
      type="button"
      role="switch"
      id={id}
      aria-checked={isOn}
      aria-label={label}
      aria-disabled={isDisabled}
      onClick={isDisabled ? undefined : () => toggle(!isOn)}
    >
      <span class="switch-track" aria-hidden="true" />
      <span aria-hidden="true">{onText(isOn)}</span>
    </button>
  );
}

/** What the run waits for, if it is not the next answer. */
function leadOf({ isLost, isStopping }: Running): string | null {
  if (isLost) return VIEW_TEXTS.connectionLost;
  return isStopping ? VIEW_TEXTS.stopping : null;
}

function Progress({ running }: { readonly running: Running }) {
  const { status, totals } = running;
  const lead = leadOf(running);
  const isKnown = status !== null && status.products > 0;
  const done = status === null ? 0 : doneProducts(status);
  return (
    <div class="run-head schedule-run">
      <p>{isKnown ? ofText(done, status.products) : VIEW_TEXTS.runningNow}</p>
      <span class="percent">{isKnown && percentText(done, status.products)}</span>
      <progress
        aria-label={VIEW_TEXTS.productsDone}
        {...(isKnown && { max: status.products, value: done })}
      />
      <p class="caption">
        {isKnown && paceText(status)}
        {!isKnown && (totals.calls > 0 ? sofarText(totals) : VIEW_TEXTS.finding)}
      </p>
      {lead !== null && <p class="caption">{lead}</p>}
    </div>
  );
}

interface CardTroubleProps extends ListProps {
  readonly schedule: ScheduleShown;
}

interface Offer {
  readonly label: string;
  /** The label while the work is being done. */
  readonly busy: string | null;
  press(): void;
}

/** undefined if no button can help. */
function offerOf({ schedule, view, effects }: CardTroubleProps): Offer | undefined {
  const { id, remedy, problem } = schedule;
  if (remedy === 'schedule.adopt') {
    const { asked } = view;
    const busy = asked?.act === 'adopt' && asked.id === id ? VIEW_TEXTS.takingItOver : null;
    return { label: VIEW_TEXTS.takeItOver, busy, press: () => void effects.actions.adopt(id) };
  }
  if (!opensConnection(problem?.kind ?? '')) return undefined;
  return { label: UI_TEXTS.openConnection, busy: null, press: effects.toConnection };
}

function CardTrouble(props: CardTroubleProps) {
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
          <Link
            isDisabled={view.asked !== null}
            label={verbLabel(offer.label, name)}
            press={offer.press}
          >
            {offer.busy ?? offer.label}
          </Link>
        )}
        <HelpLink about={problem} />
      </div>
    </div>
  );
}

interface CardProps extends ListProps {
  readonly schedule: ScheduleShown;
}

function Times({ schedule, view, clock }: CardProps) {
  return (
    <dl class="times">
      <dt>{VIEW_TEXTS.last}</dt>
      <dd>{lastText(schedule, clock)}</dd>
      <dt>{VIEW_TEXTS.next}</dt>
      <dd>{nextText(schedule, view.look.trigger, clock)}</dd>
    </dl>
  );
}

interface VerbsProps {
  readonly schedule: ScheduleShown;
  readonly effects: Effects;
}

/** The name with the sheet, because two lists may have the same rhythm. */
const fullName = ({ name, sheetName }: ScheduleShown): string =>
  sheetName === '' ? name : `${name}, ${sheetName}`;

/**
 * The commands of a schedule: its owner has all of them, others can only remove it. Screen readers,
 * which read a verb alone, also get the schedule's name.
 */
function Verbs({ schedule, effects }: VerbsProps) {
  const { id, settings, isMine } = schedule;
  const { actions, dispatch } = effects;
  const remove = [
    'remove',
    VIEW_TEXTS.remove,
    () => dispatch({ type: 'removeWished', id }),
  ] as const;
  const own = [
    ['run', VIEW_TEXTS.runNow, () => void actions.run(schedule)],
    ['edit', VIEW_TEXTS.edit, () => dispatch({ type: 'editWished', form: formOf(id, settings) })],
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
          aria-label={verbLabel(label, fullName(schedule))}
          onClick={press}
        >
          {label}
        </button>
      ))}
    </p>
  );
}

/** The sheet's name, or the whole spreadsheet for formulas. */
const placeText = ({ sheetName }: ScheduleShown): string =>
  sheetName === '' ? VIEW_TEXTS.theWholeSpreadsheet : sheetName;

export function ScheduleCard(props: CardProps) {
  const { schedule, effects } = props;
  const { id, name, settings, isOn, isMine } = schedule;
  const { state, actions } = effects;
  const { running } = state;
  const isRunning = running?.id === id;
  const rules = rulesText(ticksOf(settings.rules));
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
          <span class="caption">{onText(isOn)}</span>
        )}
      </div>
      <p>{whatText(settings)}</p>
      <p class="caption">{placeText(schedule)}</p>
      {rules !== '' && <p class="caption">{`${VIEW_TEXTS.marks} ${rules}`}</p>}
      {limits !== '' && <p class="caption">{limits}</p>}
      {!isMine && <p class="caption">{VIEW_TEXTS.ofSomeoneElse}</p>}
      {isRunning ? <Progress running={running} /> : <Times {...props} />}
      {!isRunning && <CardTrouble {...props} />}
      {running === null && <Verbs schedule={schedule} effects={effects} />}
    </li>
  );
}

interface MarkedLineProps {
  readonly marked: Digest['marked'][number];
  show(): void;
}

function MarkedLine({ marked: { rule, count }, show }: MarkedLineProps) {
  return (
    <li>
      <NumberLine count={count} words={rule} tone="caution" />
      <button class="link" type="button" aria-label={showLabel(count, rule)} onClick={show}>
        {UI_TEXTS.show}
      </button>
    </li>
  );
}

/** Products that became worth buying, as many as there is room for. */
function Buys({ buys }: Pick<Digest, 'buys'>) {
  if (buys.length === 0) return null;
  return (
    <>
      <p class="hint under">{BUYS_LEAD}</p>
      <ul class="buys">
        {buys.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  );
}

export function DigestCard({ view, effects, clock }: ListProps) {
  const { digest } = view.look;
  if (digest === null) return null;
  const { actions } = effects;
  const { marked, changes } = digest;
  return (
    <section class="digest" aria-labelledby="schedule-digest">
      <div class="schedule-head">
        <h2 id="schedule-digest">{sinceText(digest.sinceMs, clock)}</h2>
        <Link isDisabled={view.asked !== null} press={() => void actions.seen(digest.atMs)}>
          {VIEW_TEXTS.dismiss}
        </Link>
      </div>
      <ul class="numbers">
        {marked.map((one) => (
          <MarkedLine key={one.rule} marked={one} show={() => void actions.show(one)} />
        ))}
        <li>
          <NumberLine count={changes} words={changesWord(changes)} />
        </li>
      </ul>
      <Buys {...digest} />
      <p class="hint under">{VIEW_TEXTS.changesHint}</p>
    </section>
  );
}

function RunLine({ run, clock }: { readonly run: RunShown; readonly clock: Clock }) {
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

export function History({ effects, clock }: Omit<ListProps, 'view'>) {
  const { state, actions, dispatch } = effects;
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
        {VIEW_TEXTS.history}
      </button>
      {past.at === 'asked' && <p class="caption">{UI_TEXTS.loading}</p>}
      {past.at === 'known' && past.runs.length === 0 && <p class="caption">{VIEW_TEXTS.noRuns}</p>}
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
