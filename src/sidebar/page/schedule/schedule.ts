// The Schedule page: what it knows, and what a person can do there.

import { computed, effect, signal, untracked } from '@preact/signals-core';
import type { NewsDigest } from '../../../schedules/digest';
import type { ScheduleSettings } from '../../../schedules/schedule';
import type { JobStatus } from '../../api/jobs';
import type { RunShown, ScheduleOverview, ScheduleShown } from '../../api/schedules';
import * as app from '../ui/app';
import { againSettings, FORMULAS_EVERY_MORNING } from '../ui/default-schedule';
import { createForm } from '../ui/form';
import { createPauses, isBusyHere, isOfTheWay } from '../ui/rpc-client';
import { type Call, createTasks, Failed } from '../ui/task';
import { countText, failedText, isOver, selectedText } from '../ui/texts';
import { formOf, problemsOf, type ScheduleForm, settingsOf } from './settings';

const { busy, failure, notice, task, quietly, cancel } = createTasks();

export { busy, failure, notice };

/** A run goes on while other things are done. */
const runs = createTasks({ failure, notice });

export const TITLE = 'schedule-title';
export const ADD = 'schedule-add';
export const KEEP = 'schedule-keep';

/** null: it was not read yet. */
export const look = signal<ScheduleOverview | null>(null);
/** The schedule whose removal the person has to confirm. */
export const removing = signal<ScheduleShown | null>(null);
export const form = createForm<ScheduleForm>('schedule-form', problemsOf);
/** null: they are folded. */
export const past = signal<readonly RunShown[] | null>(null);

export const isNew = computed(
  () => !look.value?.schedules.some(({ id }) => id === form.values.value?.id),
);

/** The default for a new schedule: the active sheet's list, else the formulas if there are any. */
export const suggestion = computed((): ScheduleSettings | null => {
  const { lists = [], formulaCells = 0 } = look.value ?? {};
  const [list] = lists;
  if (list !== undefined)
    return againSettings({ sheetId: list.sheetId, listId: list.listId }, 'daily');
  return formulaCells > 0 ? FORMULAS_EVERY_MORNING : null;
});

export const load = task(async (call) => {
  look.value = await call('schedule.look', {});
});

/** Reads them again when something may have changed. */
export const refresh = quietly(async (call) => {
  look.value = await call('schedule.look', {});
});

/** The same, unless it would disturb. */
export const refreshIdle = () => {
  if (look.value !== null && form.values.value === null && running.value === null) void refresh();
};

/** Which schedules are on determines the clock's state, so all is read again after a change. */
const put = (changed: Partial<ScheduleOverview>): void => {
  if (look.value !== null) look.value = { ...look.value, ...changed };
};

async function store(call: Call, id: string, settings: ScheduleSettings): Promise<string> {
  const isThere = look.value?.schedules.some((one) => one.id === id);
  put(await call('schedule.save', { id, settings }));
  if (form.values.value?.id === id) form.open(null);
  app.focus(TITLE);
  return isThere ? 'Schedule saved.' : 'Added. It is on.';
}

export const save = task((call) => {
  const values = form.values.value;
  if (values === null) throw new Error('No form is open.');
  return store(call, values.id, settingsOf(values));
}, refresh);

export const submit = (): void => {
  if (!save.isBusy && form.check()) void save();
};

export const addSuggested = task(
  (call) => store(call, app.newId(), suggestion.value ?? FORMULAS_EVERY_MORNING),
  refresh,
);

export function edit(id: string, settings: ScheduleSettings): void {
  cancel();
  form.open(formOf(id, settings));
  app.focus(TITLE);
}

/** The switch moves at once. */
export const switchTo = task(async (call, id: string, isOn: boolean) => {
  const { schedules = [] } = look.value ?? {};
  put({ schedules: schedules.map((one) => (one.id === id ? { ...one, isOn } : one)) });
  put(await call('schedule.switch', { id, isOn }));
}, refresh);

export const adopt = task(
  async (call, id: string) => put(await call('schedule.adopt', { id })),
  refresh,
);

export function askToRemove(schedule: ScheduleShown): void {
  removing.value = schedule;
  app.focus(KEEP);
}

export const remove = task(async (call) => {
  try {
    put(await call('schedule.remove', { id: removing.value?.id ?? '' }));
  } finally {
    removing.value = null;
  }
  app.focus(TITLE);
  return 'Schedule removed.';
}, refresh);

/** Solves what concerns all schedules. */
export const remedy = task(async (call, method: 'schedule.mend' | 'schedule.useHere') => {
  look.value = await call(method, {});
  app.focus(TITLE);
});

export const dismiss = task(async (call, atMs: number) => {
  await call('schedule.seen', { atMs });
  put({ digest: null });
  app.focus(TITLE);
});

export const show = task(async (call, { rule, count }: NewsDigest['marked'][number]) => {
  const { shown } = await call('schedule.show', { rule });
  const fewer = `${shown.toLocaleString()} of ${countText(count, 'row')} selected in the sheet.`;
  return selectedText({ wanted: count, shown }, fewer);
});

export const history = task(async (call) => {
  const isOpen = past.value !== null;
  past.value = null;
  if (!isOpen) past.value = (await call('schedule.history', {})).runs;
});

/** Escape and *Back*. */
export function leave(): void {
  const open = form.values.value;
  if (open !== null) {
    if (save.isBusy) return;
    const back = isNew.value ? ADD : `schedule-edit-${open.id}`;
    cancel();
    form.open(null);
    app.focus(back);
  } else if (removing.value !== null && !remove.isBusy) {
    app.focus(`schedule-remove-${removing.value.id}`);
    removing.value = null;
  }
}

// A run by hand

/**
 * The longest call that the server allows. A list shows its progress and can be stopped during a
 * call; formulas show progress only between two calls.
 */
const LIST_MS = 300_000;
const FORMULAS_MS = 60_000;
const LOOK_EVERY_MS = 2_000;
const RETRY_MS = 2_000;
const RETRY_MS_MAX = 60_000;

export interface Running {
  readonly id: string;
  /** The progress of a list; null for formulas, and while it is unknown. */
  readonly status: JobStatus | null;
  /** Results so far, added up over its calls. */
  readonly refreshed: number;
  readonly failed: number;
  readonly calls: number;
  readonly changes: number;
  /** Whether due products were left because calls or time ran out. */
  readonly isLeft: boolean;
  readonly isStopping: boolean;
  /** Whether Google cannot be reached at present. The page tries again by itself. */
  readonly isLost: boolean;
}

const NOTHING = { refreshed: 0, failed: 0, calls: 0, changes: 0, status: null } as const;
const FRESH = { isLeft: false, isStopping: false, isLost: false } as const;

export const running = signal<Running | null>(null);
/** The schedule of which no product was old enough. */
export const upToDate = signal<ScheduleShown | null>(null);

const { rest, wake } = createPauses(app.pause);

export { wake };

const note = (changed: Partial<Running>): void => {
  if (running.value !== null) running.value = { ...running.value, ...changed };
};

/** Stops a list's job in the middle of a call, which is possible once the job is known. */
const stopJob = async (jobId: string | undefined): Promise<void> => {
  if (jobId !== undefined) await app.rpc('jobs.setState', { jobId, state: 'stopped' });
};

export function stopRun(): void {
  if (running.value?.isStopping !== false) return;
  note({ isStopping: true });
  wake();
  void stopJob(running.value.status?.jobId);
}

async function watch(): Promise<void> {
  const { id } = running.value ?? {};
  for (;;) {
    await rest(LOOK_EVERY_MS);
    if (running.value === null || running.value.id !== id) return;
    const reply = await app.rpc('jobs.status', {});
    // A job that is over is still the previous run's.
    if (!reply.ok || reply.value === null || isOver(reply.value)) continue;
    const isFirst = running.value?.status?.jobId !== reply.value.jobId;
    note({ status: reply.value, isLost: false });
    if (isFirst && running.value?.isStopping) void stopJob(reply.value.jobId);
  }
}

async function work({ id, settings }: ScheduleShown, anyway: boolean): Promise<void> {
  const maxMs = settings.task.kind === 'list' ? LIST_MS : FORMULAS_MS;
  const isStopping = () => running.value?.isStopping !== false;
  for (let retryMs = RETRY_MS; !isStopping(); ) {
    const reply = await app.rpc('schedule.run', { id, maxMs, ...(anyway && { anyway }) });
    const before = running.value ?? NOTHING;
    if (reply.ok) {
      const { run: slice, againInMs } = reply.value;
      note({
        refreshed: before.refreshed + slice.refreshed,
        failed: before.failed + slice.failed,
        calls: before.calls + slice.calls,
        changes: before.changes + slice.changes,
        isLeft: slice.outcome === 'part',
        isLost: false,
      });
      const isKeptOut = slice.problem !== undefined && isBusyHere(slice.problem);
      // The clock would come back for it in an hour.
      if (isStopping() || (againInMs === null && !isKeptOut)) {
        if (slice.problem !== undefined) throw new Failed(slice.problem);
        return;
      }
      retryMs = RETRY_MS;
      app.waitsFor.value = isKeptOut ? slice.problem : null;
      await rest(againInMs ?? RETRY_MS);
    } else if (isStopping()) return;
    else if (isOfTheWay(reply.failure)) {
      note({ isLost: true });
      await rest(retryMs);
      retryMs = Math.min(RETRY_MS_MAX, 2 * retryMs);
    } else throw new Failed(reply.failure);
  }
}

function endText({ id, refreshed, failed, calls, changes, isStopping, isLeft }: Running): string {
  const isOn = look.value?.schedules.some((one) => one.id === id && one.isOn);
  const later = isOn
    ? 'The rest continues in the next hour.'
    : 'The schedule is off: run it again in the next hour for the rest.';
  if (refreshed + failed === 0) {
    if (isStopping) return 'Stopped. What was written stays.';
    return isLeft ? `This hour’s calls are used up. ${later}` : 'Everything is up to date.';
  }
  const bad = failed === 0 ? '' : `, ${failedText(failed)}`;
  const news = changes === 0 ? '' : ` ${countText(changes, 'change')} noted.`;
  const tail = isLeft && !isStopping ? ` ${later}` : '';
  const head = isStopping ? 'Stopped. ' : '';
  return `${head}${refreshed.toLocaleString()} refreshed with ${countText(calls, 'call')}${bad}.${news}${tail}`;
}

/** Runs a schedule until it is complete, stopped or fails. @param anyway also what is fresh. */
export const run = runs.task(async (_, schedule: ScheduleShown, anyway: boolean) => {
  upToDate.value = null;
  running.value = { id: schedule.id, ...NOTHING, ...FRESH };
  if (schedule.settings.task.kind === 'list') void watch();
  try {
    await work(schedule, anyway);
    const { refreshed, failed, isLeft, isStopping } = running.value;
    if (refreshed + failed === 0 && !isLeft && !isStopping) upToDate.value = schedule;
    return endText(running.value);
  } finally {
    running.value = null;
    app.waitsFor.value = null;
    app.focus(`schedule-run-${schedule.id}`);
  }
}, refresh);

/** All that happens by itself. */
export function startSchedule(): void {
  // With another key, each schedule may have another problem.
  effect(() => void (app.isKeyMissing.value ? untracked(refresh) : untracked(load)));
  app.onReturn([TITLE], refreshIdle);
}
