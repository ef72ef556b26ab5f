// The list in view and the job over it: what the page has read of them, and when it reads them again.

import { batch, computed, effect, signal } from '@preact/signals-core';
import type { ChosenCost, ListId, ListSelection, ListView } from '../../../deal/list';
import type { NoList, ShownList } from '../../../deal/shown-list';
import { HOUR } from '../../../failures/duration';
import type { Market } from '../../../product/market';
import type { RpcFailure } from '../../api/failure-view';
import type { Choice, JobPreview, JobStatus, ListInView } from '../../api/jobs';
import * as app from '../ui/app';
import { createJob } from '../ui/job';
import { ANALYZE_SHEET } from '../ui/page';
import { type Call, createTasks, Failed } from '../ui/task';
import { isOver } from '../ui/texts';

/** What a person has the page do with the list: one thing at a time. */
const work = createTasks();
const { quietly } = work;
export const { failure, notice, idle, progress, task } = work;

/** Receive the focus after a step, so that a screen reader reads them. */
export const TITLE = 'list-title';
export const CARD_TITLE = 'deals-product-title';

// What was read

/** The sheet as it was read last; null: it was not. */
export const look = signal<ListInView | null>(null);
/** The same of what its rows come to. */
const seen = signal<ShownList | NoList | null>(null);
/** null: the sheet in view has no list that was analyzed. */
export const list = computed(() => (seen.value?.look ? seen.value : null));
/** The side of the page that was shown last. */
export const side = app.kept<'list' | 'product'>('deals-side', 'list');
/** Whether the person wants a new sheet, whatever is in view. */
export const isNewWished = signal(app.opens === 'new-deal-sheet');

/** Whether the person says anew what counts for decisions that there are. */
export const isChoosing = signal(false);
/** What the person has chosen of the columns. */
export const chosenCost = app.kept<ChosenCost | null>('deals-costs', null);
/** The market that is shown of a list with both. */
export const shownMarket = signal<Market | null>(null);

export const isSameList = (one: ListView, other: ListView): boolean =>
  one.sheet.id === other.sheet.id && one.listId === other.listId;

/** What is asked about the list in view, or about this one. */
export const selectionOf = (of: ListId | null = null): ListSelection => ({
  ...{ list: of, market: shownMarket.value, cost: chosenCost.value },
});

export const listIdOf = ({ sheet, listId }: ListView): ListId => ({ sheetId: sheet.id, listId });

// The job

export const job = createJob(app.rpc, app.pause, app.nowMs);

/** What is known of the job that this page worked on last, besides its status. */
export interface Worked {
  readonly jobId: string;
  /** null: it was started elsewhere. */
  readonly choice: Choice | null;
  /** Rows that could not be read, and how many different barcodes were among them. */
  readonly unread: JobPreview['unread'];
  readonly barcodes: number;
  /** How the job for the first market ended, if it is for the second one. */
  readonly before: JobStatus | null;
}

export const worked = app.kept<Worked | null>('analyze-worked', null);

/** The same, if it is the job that is shown. */
export const ours = computed(() =>
  worked.value?.jobId === job.status.value?.jobId ? worked.value : null,
);
export const isInView = ({ sheet }: JobStatus): boolean =>
  (look.value?.sheet.id ?? sheet.id) === sheet.id;
/** A job under way over another sheet than the one in view. */
export const elsewhere = computed(() => {
  const status = job.status.value;
  return status === null || isOver(status) || isInView(status) ? null : status;
});
/** The same, if another job has to wait for it. A schedule begins anew what was cut off. */
export const inTheWay = computed(() => {
  const status = elsewhere.value;
  return status?.isScheduled && !status.isWorkedOn ? null : status;
});
export const isNextDue = computed(() => {
  const status = job.status.value;
  if (status === null) return look.value?.isNextDue === true;
  return isOver(status) && status.next[0]?.isMine === true;
});
/** Nothing is under way in the sheet in view, so that it may have changed otherwise. */
const isFree = () => job.status.value === null || isOver(job.status.value);

// Reading

const forgetting: (() => void)[] = [];
/** What is chosen and counted of a list is forgotten when another one is in view. */
export const onOther = (forget: () => void): void => void forgetting.push(forget);

interface Read {
  /** Which it is of all that were begun. */
  readonly turn: number;
  /** null: nothing can be analyzed without a key. */
  readonly next: ListInView | null;
  /** A failure: the list can be analyzed all the same. */
  readonly found: ShownList | NoList | RpcFailure;
}

const rowsOf = (call: Call, selection: ListSelection) =>
  call('deals.look', { ...selection, shows: isChoosing.value ? 'sum' : 'totals' });

/** Beyond this, the counts are shown as they are. */
const LOOKS_MAX = 20;
const LOOK_EACH_MS = 1_000;

/**
 * What the rows of a list come to once two looks agree: Sheets works out what was written row by row, and
 * until then some rows are decided by what they no longer show.
 */
async function settledRowsOf(call: Call, selection: ListSelection): ReturnType<typeof rowsOf> {
  let before = null;
  for (let looks = 1; ; looks += 1) {
    const seen = await rowsOf(call, selection);
    const now = JSON.stringify(seen.look && seen.summary);
    if (now === 'null' || now === before || looks === LOOKS_MAX) return seen;
    before = now;
    if (looks > 1 && progress.value !== null)
      progress.value = { ...progress.value, words: 'The sheet is calculating' };
    await app.pause(LOOK_EACH_MS);
  }
}

let begun = 0;
/** The latest of those that have arrived. */
let newest = 0;

async function read(call: Call, rows = rowsOf): Promise<Read> {
  begun += 1;
  const turn = begun;
  const [next, found] = await Promise.all([
    app.isKeyMissing.value ? null : call('list.look', {}),
    rows(call, selectionOf()).catch((error) => {
      if (error instanceof Failed) return error.failure;
      throw error;
    }),
  ]);
  return { turn, next, found };
}

const isFailed = (found: Read['found']): found is RpcFailure => 'kind' in found;

/** Whether this is another list than the one that was in view. */
function isOtherThan(next: ListInView | null, found: Read['found']): boolean {
  const before = list.value?.look;
  const after = isFailed(found) ? null : found.look;
  if (before && after) return !isSameList(before, after);
  const sheetId = look.value?.sheet.id ?? before?.sheet.id;
  return sheetId !== undefined && sheetId !== (next?.sheet.id ?? after?.sheet.id);
}

/** What is said about a list ends when another one is in view, and so does the end of its job. */
function arrive({ turn, next, found }: Read): void {
  const isOther = isOtherThan(next, found);
  // What a job has written is read for a while, and the person may have gone to another sheet meanwhile.
  if (isOther && turn < newest) return;
  newest = Math.max(newest, turn);
  const isEndOver = next !== null && endIsOver(next, isOther);
  batch(() => {
    look.value = next;
    if (!isFailed(found)) seen.value = found;
    else if (isOther) seen.value = null;
    if (isOther) {
      failure.value = null;
      notice.value = '';
      forgetChoices();
    }
    if (isFailed(found)) failure.value = found;
    if (next === null) return;
    if (next.isSetAside)
      failure.value = {
        kind: 'page-set-aside',
        message: 'Some saved details of earlier runs were damaged and are set aside.',
        action: 'Your sheet is unchanged. If a run was under way, start it again.',
      };
    // What is over stays so, whatever was read meanwhile.
    if (next.job !== null && next.job.jobId !== job.status.value?.jobId)
      void job.show(next.job, worked.value?.jobId);
    else if (next.job === null && isEndOver) job.close();
  });
}

/**
 * Whether what the last job came to is no longer shown: another list is in view than the one that the
 * job was over, or a decided list has new rows by now.
 */
function endIsOver({ sheet, newRows }: ListInView, isOther: boolean): boolean {
  const last = job.status.value;
  if (last === null || !isFree()) return false;
  const isBack = look.value?.sheet.id !== sheet.id && last.sheet.id === sheet.id;
  const hasMore = newRows > 0 && (list.value?.summary ?? null) !== null;
  return isOther ? !isBack : hasMore || last.sheet.id !== sheet.id;
}

function forgetChoices(): void {
  for (const one of forgetting) one();
}

/** Reads what the rows of a list come to by now, wherever the person is. */
export async function reread(call: Call, selection = selectionOf()): Promise<void> {
  seen.value = await rowsOf(call, selection);
}

/** The same after formulas or figures were written. */
export async function rereadSettled(call: Call, selection: ListSelection): Promise<void> {
  seen.value = await settledRowsOf(call, selection);
}

export const readAll = async (call: Call): Promise<void> => arrive(await read(call));

/** Brings another sheet into view. */
export async function toSheet(call: Call, sheetId: number): Promise<void> {
  await call('list.showSheet', { sheetId });
  await readAll(call);
  app.focus(TITLE);
}

/** A person who comes back later than this is told nothing of what the last job came to. */
const TOLD_MS = 12 * HOUR;

/**
 * Whether an opened page begins with what the last job came to: this page's own, or one that ended while
 * no page was open and left something to do.
 */
function isWorthTelling(last: JobStatus, { sheet }: ListInView): boolean {
  const isInView = last.sheet.id === sheet.id;
  if (last.jobId === worked.value?.jobId) return isInView || !isOver(last);
  const { isMine, isScheduled, endedAtMs = 0, failures } = last;
  const isFresh = isMine && !isScheduled && app.nowMs() < endedAtMs + TOLD_MS;
  return isInView && isFresh && failures.some(({ passes }) => passes);
}

async function tell(call: Call, seen: ListInView): Promise<void> {
  const last = await call('jobs.status', {});
  if (last !== null && isWorthTelling(last, seen)) void job.show(last);
}

const tellQuietly = quietly(async (call) => {
  const seen = look.value;
  if (seen !== null && job.status.value === null) await tell(call, seen);
});

/** Reads the sheet, and finds a job that is under way, or one whose end was not seen. */
export const load = task(async (call) => {
  batch(() => {
    look.value = null;
    seen.value = null;
    job.close();
    forgetChoices();
  });
  const both = await read(call);
  const { next } = both;
  if (next?.job === null && worked.value !== null) await tell(call, next);
  arrive(both);
}, tellQuietly);

/** Reads the sheet again when it may have changed. What the person is doing stays. */
export const refresh = quietly(async (call) => {
  if (isNewWished.value) return;
  if (isFree() || elsewhere.value !== null || (await isOtherInView(call))) await readAll(call);
});

/** A sheet that a job works on is not read beside it. */
async function isOtherInView(call: Call): Promise<boolean> {
  const selected = await call('list.selected', { column: 1 });
  return selected !== null && selected.sheetId !== look.value?.sheet.id;
}

/** The same at the end of a job, which has written figures a moment ago. */
const refreshSettled = quietly(async (call) => arrive(await read(call, settledRowsOf)));

/** Whether what a job has written is being read: what was counted before is over. */
export const isOutcomeDue = signal(false);

async function readOutcome(): Promise<void> {
  isOutcomeDue.value = true;
  try {
    await idle();
    await refreshSettled();
  } finally {
    isOutcomeDue.value = false;
  }
}

export function enter(): void {
  if (look.value !== null || seen.value !== null) void refresh();
  else if (!load.isBusy) void load();
}

export function toList(): void {
  side.value = 'list';
  enter();
}

/** All that happens by itself. */
export function startList(): void {
  const { when } = app;
  when(() => !app.isKeyMissing.value, load);
  when(() => app.connection.value?.connected, refresh);
  when(() => failure.value?.kind === 'run', refresh);
  when(() => isFree() && job.status.value?.jobId, readOutcome);
  effect(() => {
    app.sheetName.value = look.value?.sheet.name ?? null;
  });
  app.onReturn([TITLE, CARD_TITLE, ANALYZE_SHEET], refresh);
}
