// A job under way or over: its progress, what failed, and whether to repeat it.

import { useState } from 'preact/hooks';
import type { JobStatus } from '../../api/jobs';
import { AGAIN, type AgainName, againNamed } from '../ui/default-schedule';
import { Link, NumberLine, Picker } from '../ui/fields';
import { HelpLink } from '../ui/help';
import {
  AGAIN_WORDS,
  doneProducts,
  isOver,
  percentText,
  productsText,
  showLabel,
  UI_TEXTS,
} from '../ui/texts';
import { type Effects, retryOf } from './actions';
import { isSecondDue, SECOND } from './pair';
import type { JobView } from './state';
import {
  callsText,
  countOf,
  endBarcodesText,
  type FailedWords,
  failedWords,
  failuresOf,
  firstJobText,
  jobTitle,
  leadOf,
  needsAttentionText,
  nextCallText,
  paceText,
  pairText,
  retryAllLabel,
  scheduledText,
  startText,
  stateOf,
  VIEW_TEXTS,
} from './texts';

interface JobProps {
  readonly view: JobView;
  readonly effects: Effects;
}

/** Offers to repeat a job that this page has started. */
function Repeat({ view, effects }: JobProps) {
  const [when, setWhen] = useState<AgainName>(AGAIN[0][0]);
  const { ran } = effects.state;
  const { status, repeated } = view;
  const { jobId, listId, sheet } = status;
  if (ran?.jobId !== jobId || status.state !== 'done') return null;
  if (repeated !== null && repeated !== 'asked') {
    return (
      <p class="again" role="status">
        {scheduledText(repeated.name)}{' '}
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
        choose={(name) => setWhen(againNamed(name))}
      />
      <Link
        isDisabled={repeated === 'asked'}
        press={() => void effects.repeat({ sheetId: sheet.id, listId }, when)}
      >
        {repeated === 'asked' ? UI_TEXTS.adding : UI_TEXTS.schedule}
      </Link>
    </div>
  );
}

interface FailedProps extends Pick<JobProps, 'effects'> {
  readonly jobId: string;
  readonly failed: FailedWords;
  /** Whether it is the only kind of failure, whose number is already shown above. */
  readonly isOnly: boolean;
  /** Tries again; null: that would not help, or a button below does it. */
  readonly retry: (() => void) | null;
}

function Failed({ jobId, effects, failed, isOnly, retry }: FailedProps) {
  const { kind, products, message, action } = failed;
  return (
    <li>
      <span class="number">{!isOnly && products.toLocaleString()}</span>
      <p>
        {message} <span class="hint">{action}</span>
      </p>
      <span class="verbs">
        <button
          class="link"
          type="button"
          aria-label={showLabel(products, message)}
          onClick={() => void effects.actions.show({ jobId, kinds: [kind] }, products)}
        >
          {UI_TEXTS.show}
        </button>
        {retry !== null && (
          <Link label={retryAllLabel(products, message)} press={retry}>
            {VIEW_TEXTS.retry}
          </Link>
        )}
        <HelpLink about={failed} label={UI_TEXTS.help} />
      </span>
    </li>
  );
}

interface FailuresProps extends JobProps {
  /** What the number of products is followed by. */
  readonly named: (count: number) => string;
}

function Failures({ view, effects, named }: FailuresProps) {
  const { status } = view;
  const { ran } = effects.state;
  const isEnd = isOver(status);
  const failures = failuresOf(status, ran);
  const count = countOf(failures);
  if (count === 0) return null;
  const barcodes = ran?.jobId === status.jobId && isEnd ? ran.barcodes : 0;
  const isButtonTaken = isEnd && effects.next(status.sheet.id) !== null;
  const retry = isButtonTaken && view.asked === null ? retryOf(view, effects) : null;
  const words = failures.map(failedWords);
  const first = words.find(({ canRetry }) => canRetry);
  return (
    <li>
      <NumberLine count={count} words={named(count)} tone="caution" />
      <ul class="failed">
        {words.map((one) => (
          <Failed
            key={one.kind}
            jobId={status.jobId}
            effects={effects}
            failed={one}
            isOnly={words.length === 1}
            retry={one === first ? retry : null}
          />
        ))}
      </ul>
      {barcodes > 0 && <p class="hint below">{endBarcodesText(barcodes)}</p>}
    </li>
  );
}

function NextCall({ view }: Pick<JobProps, 'view'>) {
  const { nextCallAtMs } = view;
  if (nextCallAtMs === null) return null;
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

function Bar({ status }: { readonly status: JobStatus }) {
  const done = doneProducts(status);
  return (
    <>
      <span class="percent">{percentText(done, status.products)}</span>
      <progress
        aria-label={VIEW_TEXTS.productsDone}
        max={Math.max(1, status.products)}
        value={done}
      />
    </>
  );
}

interface CountProps {
  readonly count: number;
  readonly words: string;
}

function Count({ count, words }: CountProps) {
  if (count === 0) return null;
  return (
    <li>
      <NumberLine count={count} words={words} />
    </li>
  );
}

function UnderWay({ view, effects, nowMs }: JobBodyProps) {
  const { status } = view;
  const { pair } = effects.state;
  const isRunning = stateOf(view) === 'running';
  const pace = paceText(status, pair);
  const lead = leadOf(view);
  return (
    <>
      {isRunning && !view.isLost && pace !== '' && <p class="caption pace">{pace}</p>}
      {lead !== null && <p class="lead">{lead}</p>}
      {isRunning && <NextCall view={view} />}
      <ul class="numbers">
        <Count count={status.answered} words={VIEW_TEXTS.answered} />
        <Count count={status.cached} words={VIEW_TEXTS.noCallNeeded} />
        <Failures view={view} effects={effects} named={() => VIEW_TEXTS.failed} />
      </ul>
      <p class="caption">{startText(status, nowMs)}</p>
    </>
  );
}

/** The result of the first job, for the other market. The numbers below concern only the second. */
function FirstOfTwo({ effects }: Pick<JobProps, 'effects'>) {
  const outcome = effects.state.pair?.first.outcome;
  if (!outcome) return null;
  return (
    <>
      <p class="remark hint">{firstJobText(outcome)}</p>
      <p class="caption">{SECOND}</p>
    </>
  );
}

function Over({ view, effects, nowMs }: JobBodyProps) {
  const { status } = view;
  const { answered, cached, calls } = status;
  return (
    <>
      <p class="caption">{startText(status, nowMs)}</p>
      <FirstOfTwo effects={effects} />
      {effects.deals(status.sheet.id)}
      <ul class="numbers">
        <li>
          <NumberLine
            count={answered + cached}
            words={`${productsText(answered + cached)} ${VIEW_TEXTS.answered}`}
          />
        </li>
        <Count count={calls} words={callsText(calls)} />
        <Failures view={view} effects={effects} named={needsAttentionText} />
      </ul>
      {!isSecondDue(effects.state.pair, status) && <Repeat view={view} effects={effects} />}
    </>
  );
}

interface JobBodyProps extends JobProps {
  readonly nowMs: number;
}

export function JobBody(props: JobBodyProps) {
  const { view, effects } = props;
  const { status } = view;
  const pair = pairText(effects.state.pair, status);
  const isEnd = isOver(status);
  return (
    <>
      <div class="run-head">
        <h1 id="analyze-title" tabIndex={-1}>
          {jobTitle(view)}
        </h1>
        {!isEnd && <Bar status={status} />}
      </div>
      {pair !== '' && <p class={`caption ${isEnd ? '' : 'pace'}`}>{pair}</p>}
      {isEnd ? <Over {...props} /> : <UnderWay {...props} />}
    </>
  );
}
