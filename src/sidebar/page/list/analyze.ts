// Analyzing the list in view: what is chosen of it, what that costs, and the job that does it.

import { batch, computed, effect, signal } from '@preact/signals-core';
import type { Choice, JobPreview, JobStatus } from '../../api/jobs';
import * as app from '../ui/app';
import { type Call, createTasks, Failed, valueIn } from '../ui/task';
import { isOver } from '../ui/texts';
import { choiceFor, FIRST, inMarket, rowsOf, SECOND } from './choice';
import { need } from './deals';
import {
  elsewhere,
  inTheWay,
  isNextDue,
  job,
  look,
  onOther,
  ours,
  refresh,
  side,
  TITLE,
  task,
  toSheet,
  type Worked,
  worked,
} from './list';

/** Rows and calls are counted while other things are done. */
const counts = createTasks();
export const countFailure = counts.failure;

// What is chosen

/** Whether a list that has figures is to be analyzed again. */
export const isAgain = signal(false);
/** Whether rows are chosen to be analyzed. */
export const isAnalyzing = computed(() => isAgain.value || need.value === 'figures');
/** Whether rows that were added to a decided list are all that is to be analyzed. */
export const isForNewRows = computed(
  () => !isAnalyzing.value && need.value === 'nothing' && (look.value?.newRows ?? 0) > 0,
);

/** A choice that the person made and has not started a job with. */
const draft = app.kept<Choice | null>('analyze-choice', null);
/** The sheet whose list is for both markets. */
const bothSheet = app.kept<number | null>('analyze-both', null);

/** null: no product column was found or chosen yet. */
export const choice = computed(() => {
  const found = look.value && choiceFor(look.value, draft.value);
  const isBoth = found?.market.kind === 'one' && found.sheetId === bothSheet.value;
  const chosen = isBoth ? inMarket(found, FIRST) : found;
  return chosen && isForNewRows.value ? { ...chosen, rows: rowsOf('empty') } : chosen;
});
export const isBoth = computed(
  () => choice.value?.market.kind === 'one' && choice.value.sheetId === bothSheet.value,
);

export function choose(changed: Choice, isForBoth = isBoth.value): void {
  batch(() => {
    draft.value = changed;
    bothSheet.value = isForBoth ? changed.sheetId : null;
    // What was counted was another choice.
    plan.value = null;
  });
}

// What it comes to

interface Counted {
  readonly choice: Choice;
  readonly preview: JobPreview;
}

/** Rows and calls of the choice; null: they are not counted yet. */
export const plan = signal<(Counted & { readonly second: Counted | null }) | null>(null);

onOther(() => {
  isAgain.value = false;
  plan.value = null;
});

/** Whether another page offers to start, so that what it costs is counted. */
const isOffered = signal(false);

/** A choice with rows and figures, while it can be started. */
const countable = computed(() => {
  if (app.shownPage.value !== 'list' && !isOffered.value) return null;
  if (app.isKeyMissing.value || job.status.value !== elsewhere.value) return null;
  if (!isAnalyzing.value && !isForNewRows.value) return null;
  const [seen, chosen] = [look.value, choice.value];
  if (!seen || !chosen || chosen.fields.length === 0) return null;
  if (seen.shoppedFrom && !isAgain.value) return null;
  const isEmpty = seen.listRows === 0 && seen.choice?.productColumn === chosen.productColumn;
  return isEmpty ? null : chosen;
});

export const count = counts.task(async (call) => {
  const asked = countable.value;
  if (asked === null) return;
  const first = await call('jobs.preview', asked);
  const other = isBoth.value ? inMarket(asked, SECOND) : null;
  const second = other && { choice: other, preview: await call('jobs.preview', other) };
  plan.value = { choice: asked, preview: first, second };
});

// The job

/** The job as it stood when a person set the key right: what held it up is over. */
const mendedJob = signal('');
const standOf = ({ jobId, continued }: JobStatus): string => `${jobId} ${continued}`;

/** What holds the job up, else the preview. */
export const problem = computed(() => {
  const status = job.status.value;
  if (status === null)
    return plan.value?.preview.problem ?? plan.value?.second?.preview.problem ?? null;
  const isMended = mendedJob.value === standOf(status);
  return isMended && status.problem?.opensSettings ? null : (status.problem ?? null);
});

app.onMended(() => {
  const status = job.status.peek();
  mendedJob.value = status === null ? '' : standOf(status);
});

const NOTHING = { choice: null, unread: null, barcodes: 0, before: null };

export type Doing = 'running' | 'elsewhere' | 'paused' | 'over';

/** `elsewhere`: in another window of the same person. `paused`: nobody works on it. */
export const doing = computed((): Doing => {
  const status = job.status.value;
  if (status === null || isOver(status)) return 'over';
  if (status.state !== 'running') return 'paused';
  if (job.isHere.value) return 'running';
  if (job.failure.value !== null || !status.isWorkedOn) return 'paused';
  return status.isMine && !status.isScheduled ? 'elsewhere' : 'running';
});

// What a person can do

/** Chooses rows of a list again that has figures; what its last job came to is no more shown. */
export function again(): void {
  batch(() => {
    worked.value = null;
    job.close();
    isAgain.value = true;
  });
  app.focus(TITLE);
  void refresh();
}

export function leave(): void {
  if (!isAgain.value) return;
  batch(() => {
    isAgain.value = false;
    plan.value = null;
  });
  app.focus(TITLE);
}

async function begin(chosen: Choice, known: Partial<Worked>, counted?: JobPreview) {
  const { jobId } = valueIn(await job.start(chosen, counted));
  batch(() => {
    worked.value = { ...NOTHING, ...known, choice: chosen, jobId };
    plan.value = null;
    isAgain.value = false;
    side.value = 'list';
  });
  app.focus(TITLE);
}

/** Has these lists follow the job under way; none: takes back what was to follow of this sheet. */
async function queueNext(call: Call, sheetId: number, choices: readonly Choice[]): Promise<void> {
  const jobId = job.status.value?.jobId ?? '';
  const { status } = await call('jobs.queueNext', { jobId, sheetId, choices: [...choices] });
  await job.show(status);
}

/** Asks for what was shown. */
export const start = task(async (call) => {
  if (plan.value === null) return;
  const { choice: chosen, preview: seen, second } = plan.value;
  const { unread, barcodes } = seen;
  counts.cancel();
  const isFollowing = inTheWay.value !== null;
  if (!isFollowing) await begin(chosen, { unread, barcodes }, seen);
  const waiting = [...(isFollowing ? [chosen] : []), ...(second === null ? [] : [second.choice])];
  if (waiting.length > 0) await queueNext(call, chosen.sheetId, waiting);
  batch(() => {
    plan.value = null;
    isAgain.value = false;
    draft.value = null;
  });
  app.focus(TITLE);
});

/** Leads to the list that is analyzed before the one in view. */
export const toRun = task(async (call) => {
  if (elsewhere.value !== null) await toSheet(call, elsewhere.value.sheet.id);
});

/** Takes back what was to follow the job. */
export const unqueue = task(async (call) => {
  if (look.value !== null) await queueNext(call, look.value.sheet.id, []);
});

/** Begins what follows the job that is over, unless somebody has done so. */
const beginNext = task(async (call) => {
  const before = job.status.value;
  const begun = await call('jobs.beginNext', {});
  if (begun === null) return;
  const { status, queue, choice: chosen } = begun;
  batch(() => {
    worked.value = {
      ...{ ...NOTHING, jobId: status.jobId, choice: chosen },
      before: before?.sheet.id === status.sheet.id ? before : null,
    };
    job.begin(status, queue);
  });
});

export const pause = task(async () => void valueIn(await job.setState('paused')));
export const stop = task(async () => void valueIn(await job.setState('stopped')));
export const resume = task(async () => void valueIn(await job.setState('running')));

/** The market to try for a list of which nothing was found; null: it is not the question. */
export const otherMarket = computed(() => {
  const asked = job.status.value?.problem?.market;
  if (asked === undefined || ours.value?.choice?.market.kind !== 'one') return null;
  return asked === FIRST ? SECOND : FIRST;
});

export const tryOther = task(async () => {
  const chosen = ours.value?.choice;
  const market = otherMarket.value;
  if (!chosen || market === null) return;
  valueIn(await job.setState('stopped'));
  await begin(inMarket(chosen, market), {});
});

/** Starts a job over the rows that failed. */
export const retry = task(async (call) => {
  const { sheet } = job.status.value ?? {};
  let chosen = ours.value?.choice ?? null;
  if (chosen === null) {
    const seen = await call('list.look', {});
    if (seen.sheet.id === sheet?.id) chosen = seen.choice;
  }
  if (chosen === null)
    throw new Failed({
      kind: 'page-list-moved',
      message: `The list is in “${sheet?.name}”.`,
      action: 'Go to that sheet and try again.',
    });
  await begin({ ...chosen, rows: { kind: 'failed' } }, {});
});

/** All that happens by itself. @param isStartOffered whether another page offers to start the list. */
export function startAnalyze(isStartOffered: () => boolean = () => false): void {
  const { when } = app;
  effect(() => {
    isOffered.value = isStartOffered();
  });
  when(() => look.value && [countable.value, isBoth.value][0], count);
  when(() => isNextDue.value, beginNext);
  when(
    () => job.isHere.value && ours.value === null && job.status.value?.jobId,
    () => {
      worked.value = { ...NOTHING, jobId: job.status.value?.jobId ?? '' };
    },
  );
}
