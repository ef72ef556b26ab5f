// A run under way or over: how far it is, what failed, and whether to repeat it.

import { useState } from 'preact/hooks';
import type { BulkStatus } from '../../api/runs';
import { AGAIN, againSettings } from '../ui/default-schedule';
import { NumberLine, Picker } from '../ui/fields';
import { HelpLink } from '../ui/help';
import {
  countText,
  doneRows,
  isOver,
  leftText,
  momentText,
  percentText,
  rowsText,
  secondText,
} from '../ui/texts';
import type { Effects } from './actions';
import type { RunView } from './state';
import { type FailedWords, failedWords, rowsToLookAt, runTitle, stateOf } from './texts';

interface RepeatProps {
  readonly view: RunView;
  readonly hands: Effects;
}

/** "Every day at 6:00" in the middle of a sentence; names of days keep their letter. */
const inSentence = (name: string) => name.replace(/^Every/, 'every');

/** Nothing where it is not known what was chosen: in a run of before, or somebody else's. */
function Repeat({ view, hands }: RepeatProps) {
  const [when, setWhen] = useState<string>(AGAIN[0][0]);
  const { ran } = hands.state;
  const { status, repeated } = view;
  if (ran === null || ran.runId !== status.runId || status.state !== 'finished') return null;
  if (repeated !== null && repeated !== 'asked') {
    return (
      <p class="again" role="status">
        Scheduled: {inSentence(repeated.name)}.{' '}
        <button class="link" type="button" onClick={() => hands.toSchedule()}>
          Open Schedule
        </button>
      </p>
    );
  }
  return (
    <div class="again">
      <Picker
        id="analyze-again"
        label="Repeat"
        value={when}
        options={AGAIN.map(([name, label]) => [name, label] as const)}
        choose={setWhen}
      />
      <button
        class="link"
        type="button"
        disabled={repeated === 'asked'}
        onClick={() => void hands.repeat(againSettings(ran.choice, when))}
      >
        {repeated === 'asked' ? 'Adding' : 'Schedule'}
      </button>
    </div>
  );
}

interface StatusProps {
  readonly status: BulkStatus;
  readonly hands: Effects;
}

interface FailedProps extends StatusProps {
  readonly failed: FailedWords;
  /** The only kind there is: its number stands above it already. */
  readonly isOnly: boolean;
  /** The button below retries more than these. */
  readonly isOneOfSeveral: boolean;
}

function Failed({ status, hands, failed, isOnly, isOneOfSeveral }: FailedProps) {
  const { kind, rows, message, action } = failed;
  const { runId } = status;
  const { actions, state } = hands;
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
          aria-label={`Show: ${rows.toLocaleString()}. ${message}`}
          onClick={() => void actions.show({ runId, failed: kind }, rows)}
        >
          show
        </button>
        {isOneOfSeveral && (
          <button
            class="link"
            type="button"
            disabled={isAsked}
            aria-label={`Retry: ${rows.toLocaleString()}. ${message}`}
            onClick={() => void actions.retry(runId, [kind])}
          >
            retry
          </button>
        )}
        <HelpLink about={failed} label="help" />
      </span>
    </li>
  );
}

function FailedList({ status, hands }: StatusProps) {
  const failures = status.failures.map(failedWords);
  const several = failures.filter(({ canRetry }) => canRetry).length > 1 && isOver(status);
  return (
    <ul class="failed">
      {failures.map((failed) => (
        <Failed
          key={failed.kind}
          status={status}
          hands={hands}
          failed={failed}
          isOnly={failures.length === 1 && failed.rows === rowsToLookAt(status)}
          isOneOfSeveral={several && failed.canRetry}
        />
      ))}
    </ul>
  );
}

/** There is no row to select: their products are named instead. */
function NotPlaced({ status, hands }: StatusProps) {
  const { count, products } = status.notPlaced;
  if (count === 0) return null;
  const isOpen = hands.state.openList === 'not-placed';
  const words =
    count === 1
      ? 'row is gone, or its status was changed'
      : 'rows are gone, or their status was changed';
  const more = count - products.length;
  return (
    <li>
      <NumberLine count={count} words={words} />
      <button
        class="link"
        type="button"
        aria-expanded={isOpen}
        aria-label={`${isOpen ? 'Hide' : 'Show'}: ${count.toLocaleString()} ${words}`}
        onClick={() => hands.dispatch({ type: 'listToggled', list: 'not-placed' })}
      >
        {isOpen ? 'hide' : 'show'}
      </button>
      {isOpen && (
        <p class="hint below">
          {products.map(({ asin, market }) => `${asin} ${market}`).join(', ')}
          {more > 0 && ` and ${more.toLocaleString()} more`}
        </p>
      )}
    </li>
  );
}

interface RunBodyProps {
  readonly view: RunView;
  readonly hands: Effects;
  readonly nowMs: number;
}

function paceText({ expectedMs, rowsPerMinute }: BulkStatus): string {
  const rate =
    rowsPerMinute === null ? [] : [`${Math.round(rowsPerMinute).toLocaleString()} rows/min`];
  const left = expectedMs === null ? [] : [leftText(expectedMs)];
  return [...left, ...rate].join(' · ');
}

function startText({ startedAtMs, isMine, sheet }: BulkStatus, nowMs: number): string {
  const who = isMine ? 'you' : 'somebody else';
  return `“${sheet.name}” · started ${momentText(startedAtMs, nowMs)} by ${who}`;
}

function restText({ rescueMinutes, isMine }: BulkStatus): string {
  if (rescueMinutes === undefined) return 'Progress saved. Rows may be sorted or edited.';
  const within = rescueMinutes < 60 ? `${rescueMinutes} minutes` : 'the hour';
  const who = isMine ? '' : ' with your key';
  return `Progress saved. It resumes by itself within ${within}; Continue to resume now${who}.`;
}

/** What is said under the bar; null where nothing is special. */
function leadOf(view: RunView): string | null {
  const { status, isDriven } = view;
  if (view.isLost) return 'Trying again by itself. Progress saved.';
  switch (stateOf(view)) {
    case 'running':
      if (status.isScheduled === true) return 'A schedule is at work on it.';
      return status.isMine || isDriven ? null : 'Someone else’s run, with their key.';
    case 'pausing':
      return 'Finishing current calls…';
    case 'stopping':
      return 'Finishing current calls… What was written stays.';
    case 'paused':
      return 'Progress saved. Rows may be sorted or edited.';
    case 'interrupted':
      return restText(status);
    case 'stuck':
      return status.isHeldUp === true
        ? 'Progress saved. We’ll retry about every hour; Continue to try now.'
        : 'Progress saved. What was written stays.';
    default:
      return null;
  }
}

function NextCall({ status }: { readonly status: BulkStatus }) {
  const { nextCallAtMs } = status;
  if (nextCallAtMs === undefined) return null;
  return (
    <p class="waits">
      The key’s limit is reached.
      <br />
      <strong>Next call at {secondText(nextCallAtMs)}</strong>
      <br />
      <span class="hint">Others may use this key, too.</span>
    </p>
  );
}

function Bar({ status }: { readonly status: BulkStatus }) {
  const done = doneRows(status);
  return (
    <>
      <span class="percent">{percentText(done, status.rows)}</span>
      <progress aria-label="Rows done" max={Math.max(1, status.rows)} value={done} />
    </>
  );
}

function Counts({ view, hands }: Omit<RunBodyProps, 'nowMs'>) {
  const { status } = view;
  const { answered, cached, failed, left, currentRows } = status;
  return (
    <>
      <ul class="numbers">
        <li>
          <NumberLine count={answered} words="answered" />
        </li>
        <li>
          <NumberLine count={cached} words="no call needed" />
        </li>
        {failed > 0 && (
          <li>
            <NumberLine count={failed} words="failed" tone="caution" />
            <FailedList status={status} hands={hands} />
          </li>
        )}
        <li>
          <NumberLine count={left} words="left" />
        </li>
        <NotPlaced status={status} hands={hands} />
      </ul>
      <Kept status={status} />
      {currentRows !== null && stateOf(view) === 'running' && (
        <p class="caption now">Now: {rowsText(...currentRows)}</p>
      )}
    </>
  );
}

/** What the run left alone: cells of its rows, and whole rows of the choice. */
function Kept({ status: { keptCells, leftOut } }: { readonly status: BulkStatus }) {
  const cells = keptCells === 0 ? [] : [countText(keptCells, 'cell')];
  const rows = leftOut === 0 ? [] : [countText(leftOut, 'row')];
  const what = [...rows, ...cells].join(' and ');
  return what === '' ? null : <p class="remark hint">{what} left as you wrote them</p>;
}

function Over({ view, hands, nowMs }: RunBodyProps) {
  const { status } = view;
  const { answered, cached, calls } = status;
  const look = rowsToLookAt(status);
  return (
    <>
      <p class="caption">{startText(status, nowMs)}</p>
      <ul class="numbers">
        <li>
          <NumberLine count={answered + cached} words="answered" />
        </li>
        <li>
          <NumberLine count={calls} words={calls === 1 ? 'call' : 'calls'} />
        </li>
        {look > 0 && (
          <li>
            <NumberLine
              count={look}
              words={look === 1 ? 'needs attention' : 'need attention'}
              tone="caution"
            />
            <FailedList status={status} hands={hands} />
          </li>
        )}
        <NotPlaced status={status} hands={hands} />
      </ul>
      <Kept status={status} />
      {hands.deals(status.sheet.id)}
      <Repeat view={view} hands={hands} />
    </>
  );
}

export function RunBody(props: RunBodyProps) {
  const { view, hands, nowMs } = props;
  const { status } = view;
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
      {isOver ? (
        <Over {...props} />
      ) : (
        <>
          {state === 'running' && !view.isLost && <p class="caption pace">{paceText(status)}</p>}
          {lead !== null && <p class="lead">{lead}</p>}
          {state === 'running' && <NextCall status={status} />}
          <Counts view={view} hands={hands} />
          <p class="caption">{startText(status, nowMs)}</p>
        </>
      )}
    </>
  );
}
