// A job under way or over: its progress, what failed, and whether to repeat it.

import { signal } from '@preact/signals-core';
import type { ComponentChildren } from 'preact';
import type { JobStatus } from '../../api/jobs';
import { goTo, newId, nowMs } from '../ui/app';
import { AGAIN, type AgainName, againNamed, againSettings } from '../ui/default-schedule';
import { Do, doing } from '../ui/doing';
import { Count, Link, NumberLine, Picker } from '../ui/fields';
import { HelpLink } from '../ui/help';
import type { BarButton, Messages } from '../ui/page';
import {
  AGAIN_WORDS,
  answeredText,
  countText,
  doneProducts,
  durationText,
  failedText,
  isOver,
  leftText,
  momentText,
  percentText,
  productsText,
  selectedText,
  showLabel,
  timeText,
  UI_TEXTS,
} from '../ui/texts';
import * as page from './analyze';
import { FIRST, SECOND } from './choice';
import { job, ours, task } from './list';

interface RunProps {
  readonly status: JobStatus;
}

// What failed

const select = task(async (call, jobId: string, kind: string, wanted: number) => {
  const { rows: shown } = await call('jobs.showFailed', { jobId, kinds: [kind] });
  return selectedText({ wanted, shown });
});

/** What failed; at the end with the rows that could not be read, as far as known here. */
function failuresOf(status: JobStatus): JobStatus['failures'] {
  const { unread = null } = ours.value ?? {};
  const isCounted = status.failures.some(({ kind }) => kind === 'bad-asin');
  if (!isOver(status) || unread === null || isCounted) return status.failures;
  return [unread, ...status.failures];
}

const sumOf = (failures: JobStatus['failures']): number =>
  failures.reduce((sum, { products }) => sum + products, 0);

/** The products that failed for a passing reason. */
const retryable = ({ failures }: JobStatus): number =>
  sumOf(failures.filter(({ passes }) => passes));

/** "34 answered, 22 got no answer."; '' where nothing is to be tried again. */
export function againText(status: JobStatus): string {
  const failed = retryable(status);
  if (failed === 0) return '';
  return `${answeredText(status.answered + status.cached)}, ${failed.toLocaleString()} got no answer.`;
}

/** null: a retry would change nothing. */
export function retryButton(status: JobStatus): BarButton | null {
  const failed = retryable(status);
  if (failed === 0) return null;
  return doing(page.retry, `Retry ${failed.toLocaleString()}`, UI_TEXTS.starting);
}

const attentionText = (count: number) => (count === 1 ? 'needs attention' : 'need attention');

function Failures({ status }: RunProps) {
  const failures = failuresOf(status);
  const count = sumOf(failures);
  if (count === 0) return null;
  const isEnd = isOver(status);
  const { barcodes = 0 } = ours.value ?? {};
  return (
    <li>
      <NumberLine count={count} words={isEnd ? attentionText(count) : 'failed'} tone="caution" />
      <ul class="failed">
        {failures.map(({ kind, products, message, action }) => (
          <li key={kind}>
            <span class="number">{failures.length > 1 && products.toLocaleString()}</span>
            <p>
              {message} <span class="hint">{action}</span>
            </p>
            <span class="verbs">
              <Do
                task={select}
                args={[status.jobId, kind, products]}
                label={showLabel(products, message)}
              >
                {UI_TEXTS.show}
              </Do>
              <HelpLink about={{ kind, message }} label={UI_TEXTS.help} />
            </span>
          </li>
        ))}
      </ul>
      {isEnd && barcodes > 0 && (
        <p class="hint below">
          {barcodes === 1
            ? '1 is a barcode: type its ASIN'
            : `${barcodes.toLocaleString()} are barcodes: type their ASINs`}{' '}
          in the tab “Analysis”.
        </p>
      )}
    </li>
  );
}

// Under way

export const soFar = (status: JobStatus): string =>
  `${doneProducts(status).toLocaleString()} of ${status.products.toLocaleString()}`;

export function titleOf(status: JobStatus): string {
  if (status.state === 'done') return `Done in ${durationText(status.workedMs)}`;
  if (status.state === 'stopped') return `Stopped at ${soFar(status)}`;
  return page.doing.value === 'paused' ? `Paused at ${soFar(status)}` : soFar(status);
}

const SAVED = 'Progress saved. Figures found so far stay.';

/** Why a job is not simply running here; '' if it is. */
export function whyOf({ state, isMine, isScheduled, resumesAtMs }: JobStatus): string {
  if (job.isLost.value) return 'Trying again by itself. Progress saved.';
  if (page.pause.isBusy) return 'Finishing current calls…';
  if (page.stop.isBusy) return 'Finishing current calls… Figures found so far stay.';
  if (page.doing.value === 'elsewhere') return 'Another window of yours is working on it.';
  if (page.doing.value === 'running') {
    if (isScheduled) return 'Started by a schedule.';
    return isMine ? '' : 'Someone else’s run, with their key.';
  }
  if (state === 'paused') return 'Progress saved. You can sort or edit rows meanwhile.';
  if (state === 'blocked' && resumesAtMs !== undefined)
    return `Progress saved. We’ll retry at ${timeText(resumesAtMs)}. Press Continue to try now.`;
  if (state === 'blocked' || job.failure.value !== null) return SAVED;
  const who = isMine ? '' : ' with your key';
  return `Progress saved. It resumes by itself within the hour. Press Continue to resume now${who}.`;
}

/** The market that follows for the same list; undefined: none. */
const marketAfter = ({ next, sheet }: JobStatus) =>
  next.find(({ sheetId }) => sheetId === sheet.id)?.market;

/** "4 min left · then UK"; '' while nothing is known. */
const paceText = (status: JobStatus): string =>
  [
    ...(status.expectedMs === null ? [] : [leftText(status.expectedMs)]),
    ...(marketAfter(status) === undefined ? [] : [`then ${marketAfter(status)}`]),
  ].join(' · ');

export function UnderWay({ status }: RunProps) {
  const [done, pace] = [doneProducts(status), paceText(status)];
  const isRunning = page.doing.value === 'running' && !page.pause.isBusy && !page.stop.isBusy;
  const callAtMs = job.nextCallAtMs.value;
  return (
    <>
      <div class="run-head">
        <span class="percent">{percentText(done, status.products)}</span>
        <progress aria-label="Products done" max={Math.max(1, status.products)} value={done} />
      </div>
      <Pair status={status} />
      {isRunning && !job.isLost.value && pace !== '' && <p class="caption pace">{pace}</p>}
      {isRunning && callAtMs !== null && (
        <p class="waits">
          The key’s limit is reached.
          <br />
          <strong>Next call at {timeText(callAtMs)}</strong>
          <br />
          <span class="hint">Others may use this key, too.</span>
        </p>
      )}
      <ul class="numbers">
        <Count count={status.answered} words="answered" />
        <Count count={status.cached} words="no call needed" />
        <Failures status={status} />
      </ul>
      <Origin status={status} />
    </>
  );
}

function Origin({ status }: RunProps) {
  const { sheet, startedAtMs, isMine } = status;
  const who = isMine ? UI_TEXTS.you : UI_TEXTS.someoneElse;
  return (
    <p class="caption">{`“${sheet.name}” · started ${momentText(startedAtMs, nowMs())} by ${who}`}</p>
  );
}

/** Which of the two markets of a list is meant. */
function Pair({ status }: RunProps) {
  if (!ours.value?.before) return null;
  const words = isOver(status) ? `${FIRST} and ${SECOND}` : `${FIRST} is done, now ${SECOND}`;
  return <p class="caption pace">{words}</p>;
}

// Over

const again = signal<AgainName>(AGAIN[0][0]);
/** The schedule that was made from a job. */
const made = signal({ jobId: '', name: '' });

const repeat = task(async (call, { jobId, sheet, listId }: JobStatus) => {
  const id = newId();
  const settings = againSettings({ sheetId: sheet.id, listId }, again.value);
  const { schedules } = await call('schedule.save', { id, settings });
  const { name = '' } = schedules.find((one) => one.id === id) ?? {};
  made.value = { jobId, name: name.replace(/^Every/, 'every') };
});

/** Offers to repeat a job that this page has started. */
function Repeat({ status }: RunProps) {
  if (!ours.value?.choice || status.state !== 'done') return null;
  if (made.value.jobId === status.jobId)
    return (
      <p class="again" role="status">
        Scheduled: {made.value.name}. <Link press={() => goTo('schedule')}>Open Schedule</Link>
      </p>
    );
  return (
    <div class="again">
      <Picker
        id="analyze-again"
        label="Repeat"
        value={again.value}
        options={AGAIN.map(([name]) => [name, AGAIN_WORDS[name]] as const)}
        choose={(name) => {
          again.value = againNamed(name);
        }}
      />
      <Do task={repeat} args={[status]} meanwhile={UI_TEXTS.adding}>
        {UI_TEXTS.schedule}
      </Do>
    </div>
  );
}

/** The result of the first job, for the other market. The numbers below concern only the second. */
function FirstOfTwo() {
  const { before } = ours.value ?? {};
  if (!before) return null;
  const { answered, cached, calls, failed } = before;
  const parts = [answeredText(answered + cached), countText(calls, 'call')];
  if (failed > 0) parts.push(failedText(failed));
  return (
    <>
      <p class="remark hint">
        {FIRST}: {parts.join(' · ')}
        {failed > 0 && `. To try them again, choose ${FIRST} and Failed before.`}
      </p>
      <p class="caption">{SECOND}</p>
    </>
  );
}

interface OverProps extends RunProps {
  /** Whether the buttons of the page are for something else than trying again. */
  readonly offersRetry: boolean;
  readonly children: ComponentChildren;
}

export function Over({ status, offersRetry, children }: OverProps) {
  const failed = retryable(status);
  const answered = status.answered + status.cached;
  return (
    <>
      <Pair status={status} />
      <Origin status={status} />
      <FirstOfTwo />
      <ul class="numbers">
        <li>
          <NumberLine count={answered} words={`${productsText(answered)} answered`} />
        </li>
        <Count count={status.calls} words={status.calls === 1 ? 'call' : 'calls'} />
        <Failures status={status} />
        {offersRetry && failed > 0 && (
          <li>
            <Do task={page.retry} args={[]} meanwhile={UI_TEXTS.starting}>
              Retry {failed.toLocaleString()}
            </Do>
          </li>
        )}
      </ul>
      {children}
      <Repeat status={status} />
    </>
  );
}

// What can be done

export const stopButton = () =>
  doing(page.stop, UI_TEXTS.stop, UI_TEXTS.stopping, { id: 'analyze-stop' });

/** Pauses a job or continues it. One of a schedule is stopped: the clock would continue it. */
export function goOnButton({ problem, isScheduled }: JobStatus): BarButton {
  const now = page.doing.value;
  if (page.stop.isBusy || (now === 'running' && isScheduled)) return stopButton();
  if (now === 'running') return doing(page.pause, 'Pause', 'Pausing');
  const here = now === 'elsewhere' ? 'Continue here' : 'Continue';
  return doing(page.resume, problem?.market === undefined ? here : 'Go on', 'Resuming…');
}

/** Where nothing of a list was found: in the other market, once the job is stopped; null: not the question. */
export function otherMarketButton(): BarButton | null {
  const other = page.stop.isBusy ? null : page.otherMarket.value;
  return other && doing(page.tryOther, `Try ${other}`, UI_TEXTS.starting);
}

/** For screen readers: what others see in the bar, in one sentence. */
export function heard(status: JobStatus): Messages {
  const failed = status.failed === 0 ? '' : `, ${failedText(status.failed)}`;
  if (page.doing.value === 'running')
    return { progress: `${soFar(status)} products done${failed}.` };
  if (status.state !== 'done') return { spoken: `${titleOf(status)} products.` };
  const count = sumOf(failuresOf(status));
  const needs = count === 0 ? '' : ` ${count.toLocaleString()} ${attentionText(count)}.`;
  return {
    spoken: `Done. ${countText(status.answered + status.cached, 'product')} answered.${needs}`,
  };
}
