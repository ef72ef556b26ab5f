// A run under way or over: its progress, its failures, and whether to repeat it.

import { useState } from 'preact/hooks';
import type { BulkStatus } from '../../api/runs';
import { AGAIN, againSettings } from '../ui/default-schedule';
import { Link, NumberLine, Picker } from '../ui/fields';
import { HelpLink } from '../ui/help';
import { AGAIN_WORDS, doneRows, isOver, percentText, showLabel, UI_TEXTS } from '../ui/texts';
import type { Effects } from './actions';
import { isSecondDue, SECOND } from './pair';
import type { RunView } from './state';
import {
  callsText,
  type FailedWords,
  failedWords,
  firstRunText,
  foldLabel,
  keptText,
  moreText,
  needsAttentionText,
  nextCallText,
  notPlacedText,
  nowText,
  paceText,
  pairText,
  restText,
  retryRowsLabel,
  rowsToLookAt,
  runTitle,
  scheduledText,
  startText,
  stateOf,
  VIEW_TEXTS,
} from './texts';

interface RepeatProps {
  readonly view: RunView;
  readonly effects: Effects;
}

/**
 * Offers to repeat the run. Shows nothing if its choice is unknown, as for an earlier run or
 * somebody else's.
 */
function Repeat({ view, effects }: RepeatProps) {
  const [when, setWhen] = useState<string>(AGAIN[0][0]);
  const { ran, pair } = effects.state;
  const { status, repeated } = view;
  if (isSecondDue(pair, status)) return null;
  if (ran === null || ran.runId !== status.runId || status.state !== 'finished') return null;
  if (repeated !== null && repeated !== 'asked') {
    return (
      <p class="again" role="status">
        {scheduledText(repeated.name, ran.before !== undefined)}{' '}
        <button class="link" type="button" onClick={() => effects.toSchedule()}>
          {VIEW_TEXTS.openSchedule}
        </button>
      </p>
    );
  }
  return (
    <div class="again">
      <Picker
        id="analyze-again"
        label={VIEW_TEXTS.repeat}
        value={when}
        options={AGAIN.map(([name]) => [name, AGAIN_WORDS[name]] as const)}
        choose={setWhen}
      />
      <Link
        isDisabled={repeated === 'asked'}
        press={() =>
          void effects.repeat(
            [...(ran.before ? [ran.before] : []), ran.choice].map((one) =>
              againSettings(one, when),
            ),
          )
        }
      >
        {repeated === 'asked' ? UI_TEXTS.adding : UI_TEXTS.schedule}
      </Link>
    </div>
  );
}

interface StatusProps {
  readonly status: BulkStatus;
  readonly effects: Effects;
}

interface FailedProps extends StatusProps {
  readonly failed: FailedWords;
  /** Whether it is the only kind of failure, whose number is already shown above. */
  readonly isOnly: boolean;
  /** Whether the button below retries further kinds as well. */
  readonly isOneOfSeveral: boolean;
}

function Failed({ status, effects, failed, isOnly, isOneOfSeveral }: FailedProps) {
  const { kind, rows, message, action } = failed;
  const { runId } = status;
  const { actions, state } = effects;
  const isAsked = state.view.at === 'run' && state.view.asked !== null;
  return (
    <li>
      <span class="number">{!isOnly && rows.toLocaleString()}</span>
      <p>
        {message} <span class="hint">{action}</span>
      </p>
      <span class="verbs">
        <button
          class="link"
          type="button"
          aria-label={showLabel(rows, message)}
          onClick={() => void actions.show({ runId, failed: kind }, rows)}
        >
          {UI_TEXTS.show}
        </button>
        {isOneOfSeveral && (
          <Link
            isDisabled={isAsked}
            label={retryRowsLabel(rows, message)}
            press={() => void actions.retry(runId, [kind])}
          >
            {VIEW_TEXTS.retry}
          </Link>
        )}
        <HelpLink about={failed} label={UI_TEXTS.help} />
      </span>
    </li>
  );
}

function FailedList({ status, effects }: StatusProps) {
  const failures = status.failures.map(failedWords);
  const several = failures.filter(({ canRetry }) => canRetry).length > 1 && isOver(status);
  return (
    <ul class="failed">
      {failures.map((failed) => (
        <Failed
          key={failed.kind}
          status={status}
          effects={effects}
          failed={failed}
          isOnly={failures.length === 1 && failed.rows === rowsToLookAt(status)}
          isOneOfSeveral={several && failed.canRetry}
        />
      ))}
    </ul>
  );
}

/** Results without a row. Their products are named, because no row can be selected. */
function NotPlaced({ status, effects }: StatusProps) {
  const { count, products } = status.notPlaced;
  if (count === 0) return null;
  const isOpen = effects.state.openList === 'not-placed';
  const words = notPlacedText(count);
  const more = count - products.length;
  return (
    <li>
      <NumberLine count={count} words={words} />
      <button
        class="link"
        type="button"
        aria-expanded={isOpen}
        aria-label={foldLabel(isOpen, count, words)}
        onClick={() => effects.dispatch({ type: 'listToggled', list: 'not-placed' })}
      >
        {isOpen ? UI_TEXTS.hide : UI_TEXTS.show}
      </button>
      {isOpen && (
        <p class="hint below">
          {products.map(({ asin, market }) => `${asin} ${market}`).join(', ')}
          {more > 0 && ` ${moreText(more)}`}
        </p>
      )}
    </li>
  );
}

interface RunBodyProps {
  readonly view: RunView;
  readonly effects: Effects;
  readonly nowMs: number;
}

/** The line under the progress bar; null if there is nothing special to say. */
function leadOf(view: RunView): string | null {
  const { status, isDriven } = view;
  if (view.isLost) return VIEW_TEXTS.connectionLost;
  switch (stateOf(view)) {
    case 'running':
      if (status.isScheduled === true) return VIEW_TEXTS.ofSchedule;
      return status.isMine || isDriven ? null : VIEW_TEXTS.ofSomeoneElse;
    case 'pausing':
      return VIEW_TEXTS.pausing;
    case 'stopping':
      return VIEW_TEXTS.stopping;
    case 'paused':
      return VIEW_TEXTS.paused;
    case 'interrupted':
      return restText(status);
    case 'stuck':
      return status.isHeldUp === true ? VIEW_TEXTS.heldUp : VIEW_TEXTS.stuck;
    default:
      return null;
  }
}

function NextCall({ status }: { readonly status: BulkStatus }) {
  const { nextCallAtMs } = status;
  if (nextCallAtMs === undefined) return null;
  return (
    <p class="waits">
      {VIEW_TEXTS.limitReached}
      <br />
      <strong>{nextCallText(nextCallAtMs)}</strong>
      <br />
      <span class="hint">{VIEW_TEXTS.sharedKey}</span>
    </p>
  );
}

function Bar({ status }: { readonly status: BulkStatus }) {
  const done = doneRows(status);
  return (
    <>
      <span class="percent">{percentText(done, status.rows)}</span>
      <progress aria-label={VIEW_TEXTS.rowsDone} max={Math.max(1, status.rows)} value={done} />
    </>
  );
}

function Counts({ view, effects }: Omit<RunBodyProps, 'nowMs'>) {
  const { status } = view;
  const { answered, cached, failed, left, currentRows } = status;
  return (
    <>
      <ul class="numbers">
        <li>
          <NumberLine count={answered} words={VIEW_TEXTS.answered} />
        </li>
        <li>
          <NumberLine count={cached} words={VIEW_TEXTS.noCallNeeded} />
        </li>
        {failed > 0 && (
          <li>
            <NumberLine count={failed} words={VIEW_TEXTS.failed} tone="caution" />
            <FailedList status={status} effects={effects} />
          </li>
        )}
        <li>
          <NumberLine count={left} words={VIEW_TEXTS.left} />
        </li>
        <NotPlaced status={status} effects={effects} />
      </ul>
      <Kept status={status} />
      {currentRows !== null && stateOf(view) === 'running' && (
        <p class="caption now">{nowText(currentRows)}</p>
      )}
    </>
  );
}

/** What the run left alone: cells in its rows, and whole rows of the choice. */
function Kept({ status }: { readonly status: BulkStatus }) {
  const text = keptText(status);
  return text === '' ? null : <p class="remark hint">{text}</p>;
}

/** The result of the first run for the other market. The numbers below concern only the second. */
function FirstOfTwo({ effects }: Pick<RunBodyProps, 'effects'>) {
  const outcome = effects.state.pair?.first.outcome;
  if (!outcome) return null;
  return (
    <>
      <p class="remark hint">{firstRunText(outcome)}</p>
      <p class="caption">{SECOND}</p>
    </>
  );
}

function Over({ view, effects, nowMs }: RunBodyProps) {
  const { status } = view;
  const { answered, cached, calls } = status;
  const look = rowsToLookAt(status);
  return (
    <>
      <p class="caption">{startText(status, nowMs)}</p>
      <FirstOfTwo effects={effects} />
      {effects.deals(status.sheet.id)}
      <ul class="numbers">
        <li>
          <NumberLine count={answered + cached} words={VIEW_TEXTS.answered} />
        </li>
        <li>
          <NumberLine count={calls} words={callsText(calls)} />
        </li>
        {look > 0 && (
          <li>
            <NumberLine count={look} words={needsAttentionText(look)} tone="caution" />
            <FailedList status={status} effects={effects} />
          </li>
        )}
        <NotPlaced status={status} effects={effects} />
      </ul>
      <Kept status={status} />
      <Repeat view={view} effects={effects} />
    </>
  );
}

export function RunBody(props: RunBodyProps) {
  const { view, effects, nowMs } = props;
  const { status } = view;
  const { pair } = effects.state;
  const state = stateOf(view);
  const isOver = state === 'finished' || state === 'stopped';
  const lead = leadOf(view);
  return (
    <>
      <div class="run-head">
        <h1 id="analyze-title" tabIndex={-1}>
          {runTitle(view)}
        </h1>
        {!isOver && <Bar status={status} />}
      </div>
      {pairText(pair, status) !== '' && (
        <p class={`caption ${isOver ? '' : 'pace'}`}>{pairText(pair, status)}</p>
      )}
      {isOver ? (
        <Over {...props} />
      ) : (
        <>
          {state === 'running' && !view.isLost && (
            <p class="caption pace">{paceText(status, pair)}</p>
          )}
          {lead !== null && <p class="lead">{lead}</p>}
          {state === 'running' && <NextCall status={status} />}
          <Counts view={view} effects={effects} />
          <p class="caption">{startText(status, nowMs)}</p>
        </>
      )}
    </>
  );
}
