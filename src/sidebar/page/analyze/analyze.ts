// The Analyze page: what it knows, and what a person can do there.

import { batch, computed, effect, signal, untracked } from '@preact/signals-core';
import { opensConnection } from '../../../failures/failure';
import { isBarcode } from '../../../product/asin';
import type { Choice, JobPreview, JobStatus, ListInView } from '../../api/jobs';
import * as app from '../ui/app';
import { createJob } from '../ui/job';
import { ANALYZE_SHEET } from '../ui/page';
import { createTasks, Failed, valueIn } from '../ui/task';
import { isOver } from '../ui/texts';
import { choiceFor, FIRST, inMarket, SECOND, secondChoice } from './choice';

const { failure, notice, cancel, task, quietly } = createTasks();
/** Rows and calls are counted while other things are done. */
const counts = createTasks();
const countFailure = counts.failure;

export { countFailure, failure, notice, task };

/** Receives the focus after a step, so that a screen reader reads it. */
export const TITLE = 'analyze-title';

// The list

/** The sheet as it was read last; null: it was not. */
export const look = signal<ListInView | null>(null);
/** A choice that the person made and has not started a job with. */
const draft = app.kept<Choice | null>('analyze-choice', null);
/** The sheet whose list is for both markets. */
const bothSheet = app.kept<number | null>('analyze-both', null);

/** null: no product column was found or chosen yet. */
export const choice = computed(() => {
  const found = look.value && choiceFor(look.value, draft.value);
  const isBoth = found?.market.kind === 'one' && found.sheetId === bothSheet.value;
  return isBoth ? inMarket(found, FIRST) : found;
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

/** A choice with rows and figures, while it is shown. */
const countable = computed(() => {
  if (app.shownPage.value !== 'analyze') return null;
  const [seen, chosen] = [look.value, choice.value];
  if (at.value !== 'choosing' || !seen || !chosen || chosen.fields.length === 0) return null;
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

export const job = createJob(app.rpc, app.pause, app.nowMs);

/** The job as it stood when a person set the key right: what held it up is over. */
const mendedJob = signal('');
const standOf = ({ jobId, continued }: JobStatus): string => `${jobId} ${continued}`;

/** What holds the job up, else the preview. */
export const problem = computed(() => {
  const status = job.status.value;
  if (status === null)
    return plan.value?.preview.problem ?? plan.value?.second?.preview.problem ?? null;
  const isMended = mendedJob.value === standOf(status);
  return isMended && opensConnection(status.problem?.kind ?? '') ? null : (status.problem ?? null);
});

app.onMended(() => {
  const status = job.status.peek();
  mendedJob.value = status === null ? '' : standOf(status);
});

/** What is known of the job that this page worked on last, besides its status. */
interface Worked {
  readonly jobId: string;
  /** null: it was started elsewhere. */
  readonly choice: Choice | null;
  /** Rows that could not be read, and how many different barcodes were among those shown. */
  readonly unreadable: number;
  readonly barcodes: number;
  /** What follows it for the other market, and how the first job ended. */
  readonly next: Choice | null;
  readonly nextMs: number | null;
  readonly before: JobStatus | null;
}

const NOTHING = {
  choice: null,
  unreadable: 0,
  barcodes: 0,
  next: null,
  nextMs: null,
  before: null,
};

const worked = app.kept<Worked | null>('analyze-worked', null);

/** The same, if it is the job that is shown. */
export const ours = computed(() =>
  worked.value?.jobId === job.status.value?.jobId ? worked.value : null,
);
export const isSecondDue = computed(
  () => job.status.value?.state === 'done' && (ours.value?.next ?? null) !== null,
);
const endedJob = computed(() => {
  const status = job.status.value;
  return status !== null && isOver(status) && !isSecondDue.value ? status.jobId : null;
});

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

export const at = computed(() => {
  if (job.status.value !== null) return 'job';
  if (app.isKeyMissing.value) return 'noKey';
  if (look.value !== null) return 'choosing';
  return load.isBusy ? 'loading' : 'unreached';
});

// What a person can do

function arrive(seen: ListInView): void {
  const isOther = look.value !== null && look.value.sheet.id !== seen.sheet.id;
  batch(() => {
    look.value = seen;
    // What was said and counted was about the sheet that was in view before.
    if (isOther) {
      cancel();
      plan.value = null;
    }
    if (seen.isSetAside)
      failure.value = {
        kind: 'page-set-aside',
        message: 'Some saved details of earlier runs were damaged and are set aside.',
        action: 'Your sheet is unchanged. If a run was under way, start it again.',
      };
    if (seen.job !== null) void job.show(seen.job, worked.value?.jobId);
  });
}

/** Reads the sheet, and finds a job that is under way, or one whose end was not seen. */
export const load = task(async (call) => {
  batch(() => {
    look.value = null;
    plan.value = null;
    job.close();
  });
  const seen = await call('list.look', {});
  const last = seen.job ?? (worked.value && (await call('jobs.status', {})));
  if (seen.job === null && last !== null && last.jobId === worked.value?.jobId) void job.show(last);
  arrive(seen);
});

/** Reads the sheet again when it may have changed. What the person is doing stays. */
export const refresh = quietly(async (call) => {
  if (at.value === 'choosing') arrive(await call('list.look', {}));
});

export const newRun = (): void => {
  worked.value = null;
  void load();
};

async function begin(chosen: Choice, known: Partial<Worked>, counted?: JobPreview) {
  const { jobId } = valueIn(await job.start(chosen, counted));
  batch(() => {
    worked.value = { ...NOTHING, ...known, choice: chosen, jobId };
    plan.value = null;
  });
  app.focus(TITLE);
}

/** Asks for what was shown. */
export const start = task(async () => {
  if (plan.value === null) return;
  const { choice: chosen, preview: seen, second } = plan.value;
  const { count: unreadable, rows } = seen.unreadable;
  const barcodes = new Set(rows.map(({ shown }) => shown).filter(isBarcode)).size;
  const next = { next: second?.choice ?? null, nextMs: second?.preview.expectedMs ?? null };
  counts.cancel();
  await begin(chosen, { unreadable, barcodes, ...next }, seen);
  draft.value = null;
});

/** Starts the job for the other market from the list as the first job left it. */
export const startSecond = task(async (call) => {
  const run = ours.value;
  if (!run?.next) return;
  const next = secondChoice(run.next, await call('list.look', {}));
  if (next === null)
    throw new Failed({
      kind: 'page-list-moved',
      message: 'The list is not where it was.',
      action: 'Press New run and choose its column again.',
    });
  await begin(next, { ...run, next: null, before: job.status.value });
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

/** All that happens by itself. @param ended the end of a job is shown. */
export function startAnalyze(ended: () => void): void {
  const when = (is: () => unknown, act: () => unknown) =>
    effect(() => void (is() && untracked(act)));
  when(() => !app.isKeyMissing.value, load);
  when(() => app.connection.value?.connected, refresh);
  when(() => failure.value?.kind === 'run', refresh);
  when(() => look.value && [countable.value, isBoth.value][0], count);
  when(() => isSecondDue.value, startSecond);
  when(() => endedJob.value, ended);
  when(
    () => job.isHere.value && ours.value === null && job.status.value?.jobId,
    () => {
      worked.value = { ...NOTHING, jobId: job.status.value?.jobId ?? '' };
    },
  );
  effect(() => {
    app.sheetName.value = look.value?.sheet.name ?? null;
  });
  app.onReturn([TITLE, ANALYZE_SHEET], refresh);
}
