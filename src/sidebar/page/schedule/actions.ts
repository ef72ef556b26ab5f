// What a person can do on the Schedule page, running a schedule by hand, and the page's buttons and
// messages.

import { opensConnection } from '../../../failures/failure';
import type { Digest } from '../../../schedules/digest';
import type { ScheduleSettings } from '../../../schedules/schedule';
import type { ConnectionStatus } from '../../api/connection';
import type { RpcFailure } from '../../api/failure-view';
import type { JobStatus } from '../../api/jobs';
import type { Payload } from '../../api/methods';
import type { ScheduleOverview, ScheduleShown } from '../../api/schedules';
import { againSettings, FORMULAS_EVERY_MORNING } from '../ui/default-schedule';
import type { BarButton, Buttons, Messages, Remedy } from '../ui/page';
import type { RpcClient } from '../ui/rpc-client';
import { createPauses, isOfTheWay } from '../ui/rpc-client';
import { isOver, UI_TEXTS } from '../ui/texts';
import { formOf, problemsOf, type ScheduleForm, settingsOf } from './form';
import {
  ADD_ID,
  type Asked,
  type Edit,
  isNew,
  KEEP_ID,
  type ListView,
  type Notice,
  type Running,
  type ScheduleEvent,
  type ScheduleState,
} from './state';
import {
  CLOCK_MISSING,
  type Clock,
  NOT_SAVED,
  noticeText,
  problemTexts,
  progressText,
  removeQuestion,
  SPOKEN,
  VIEW_TEXTS,
} from './texts';

/**
 * The longest call that the server allows. A list shows its progress and can be stopped during a
 * call.
 */
const LIST_MS = 300_000;
/** Shorter, because formulas show progress only between two calls. */
const FORMULAS_MS = 60_000;
const LOOK_EVERY_MS = 2_000;
const RETRY_MS = 2_000;
const RETRY_MS_MAX = 60_000;

interface RunNow {
  /** Runs a schedule until it is complete, stopped or fails; only one at a time. */
  start(schedule: ScheduleShown, anyway?: boolean): Promise<void>;
  /** Calls under way are finished first. */
  stop(): Promise<void>;
  /** Ends all pauses, so that waiting calls are tried again at once. */
  wake(): void;
}

interface Current {
  status: JobStatus | null;
  isStopping: boolean;
  /** The id of the job that was told to stop. */
  stopped: string | null;
}

export function createRunNow(
  rpc: RpcClient,
  dispatch: (event: ScheduleEvent) => void,
  pause: (ms: number) => Promise<void>,
): RunNow {
  const { rest, wake } = createPauses(pause);
  let current: Current | null = null;

  /** Stops a list's job in the middle of a call, which is possible once the job is known. */
  async function stopJob(run: Current, { jobId }: JobStatus): Promise<void> {
    if (run.stopped === jobId) return;
    run.stopped = jobId;
    const reply = await rpc('jobs.setState', { jobId, state: 'stopped' });
    if (!reply.ok) run.stopped = null;
  }

  async function look(run: Current): Promise<void> {
    while (current === run) {
      await rest(LOOK_EVERY_MS);
      if (current !== run) return;
      const reply = await rpc('jobs.status', {});
      if (current !== run || !reply.ok || reply.value === null || isOver(reply.value)) continue;
      run.status = reply.value;
      dispatch({ type: 'statusArrived', status: reply.value });
      if (run.isStopping) void stopJob(run, reply.value);
    }
  }

  /** @return the failure, or null if it ended without one. */
  async function work(sent: Payload<'schedule.run'>, run: Current): Promise<RpcFailure | null> {
    let retryMs = RETRY_MS;
    for (;;) {
      const reply = await rpc('schedule.run', sent);
      if (reply.ok) {
        dispatch({ type: 'sliceDone', run: reply.value.run });
        const { againInMs } = reply.value;
        if (againInMs === null || run.isStopping) return reply.value.run.problem ?? null;
        retryMs = RETRY_MS;
        await rest(againInMs);
      } else if (isOfTheWay(reply.failure) && !run.isStopping) {
        dispatch({ type: 'linkLost' });
        await rest(retryMs);
        retryMs = Math.min(RETRY_MS_MAX, 2 * retryMs);
      } else return run.isStopping ? null : reply.failure;
      if (run.isStopping) return null;
    }
  }

  return {
    async start({ id, settings }, anyway = false) {
      if (current !== null) return;
      const run: Current = { status: null, isStopping: false, stopped: null };
      current = run;
      dispatch({ type: 'runAsked', id });
      const isList = settings.task.kind === 'list';
      if (isList) void look(run);
      const maxMs = isList ? LIST_MS : FORMULAS_MS;
      const failure = await work({ id, maxMs, ...(anyway && { anyway }) }, run);
      current = null;
      dispatch({ type: 'runEnded', failure });
    },
    async stop() {
      if (current === null || current.isStopping) return;
      current.isStopping = true;
      dispatch({ type: 'stopAsked' });
      wake();
      if (current.status !== null) await stopJob(current, current.status);
    },
    wake,
  };
}

export interface ScheduleActions {
  load(): Promise<void>;
  /** The same without any message, for when the sheet may have changed. */
  refresh(): Promise<void>;
  /** Saves the form if it has no problems. */
  save(form: ScheduleForm): Promise<void>;
  /** Adds a schedule without a form. @return the failure, or the new schedule as stored. */
  add(id: string, settings: ScheduleSettings): Promise<ScheduleShown | RpcFailure>;
  switchTo(id: string, isOn: boolean): Promise<void>;
  remove(id: string): Promise<void>;
  adopt(id: string): Promise<void>;
  mend(): Promise<void>;
  useHere(): Promise<void>;
  /** Dismisses the digest whose newest line is of this moment. */
  seen(atMs: number): Promise<void>;
  show(marked: Digest['marked'][number]): Promise<void>;
  history(): Promise<void>;
  /** @param anyway also refreshes what is not old enough. */
  run(schedule: ScheduleShown, anyway?: boolean): Promise<void>;
  stop(): Promise<void>;
}

export function createScheduleActions(
  rpc: RpcClient,
  dispatch: (event: ScheduleEvent) => void,
  runNow: RunNow,
): ScheduleActions {
  /**
   * Counts answers to what a person did: an overview requested before one would show schedules as
   * they were, with a digest that was dismissed.
   */
  let changes = 0;
  const look = async (failed: (failure: RpcFailure) => void): Promise<void> => {
    const before = changes;
    const reply = await rpc('schedule.look', {});
    if (reply.ok && before !== changes) return look(failed);
    if (reply.ok) dispatch({ type: 'lookArrived', look: reply.value });
    else failed(reply.failure);
  };
  const refresh = () => look(() => undefined);

  const act = async (
    asked: Asked,
    method: 'schedule.switch' | 'schedule.remove' | 'schedule.adopt',
    payload: { readonly id: string; readonly isOn: boolean } | { readonly id: string },
  ): Promise<void> => {
    dispatch({ type: 'actAsked', asked });
    const reply = await rpc(method, payload);
    changes += 1;
    if (!reply.ok) return dispatch({ type: 'actFailed', failure: reply.failure });
    dispatch({ type: 'actDone', schedules: reply.value.schedules });
    // Which schedules are on determines the clock's state and its allowances.
    await refresh();
  };

  const change = async (act: 'mend' | 'useHere'): Promise<void> => {
    dispatch({ type: 'actAsked', asked: { act } });
    const reply = await rpc(`schedule.${act}`, {});
    changes += 1;
    if (reply.ok) dispatch({ type: 'lookChanged', look: reply.value });
    else dispatch({ type: 'actFailed', failure: reply.failure });
  };

  const add: ScheduleActions['add'] = async (id, settings) => {
    dispatch({ type: 'actAsked', asked: { act: 'add', id } });
    const reply = await rpc('schedule.save', { id, settings });
    changes += 1;
    if (!reply.ok) {
      dispatch({ type: 'actFailed', failure: reply.failure });
      return reply.failure;
    }
    const { schedules } = reply.value;
    dispatch({ type: 'saved', id, schedules });
    void refresh();
    const made = schedules.find((one) => one.id === id);
    return made ?? NOT_SAVED;
  };

  const save: ScheduleActions['save'] = async (form) => {
    const problems = problemTexts(problemsOf(form));
    if (Object.keys(problems).length > 0) return dispatch({ type: 'problemsFound', problems });
    dispatch({ type: 'saveAsked' });
    const { id } = form;
    const reply = await rpc('schedule.save', { id, settings: settingsOf(form) });
    changes += 1;
    if (!reply.ok) return dispatch({ type: 'saveFailed', failure: reply.failure });
    dispatch({ type: 'saved', id, schedules: reply.value.schedules });
    await refresh();
  };

  return {
    load: () => {
      dispatch({ type: 'lookAsked' });
      return look((failure) => dispatch({ type: 'lookFailed', failure }));
    },
    refresh,
    save,
    add,
    switchTo: (id, isOn) => act({ act: 'switch', id, isOn }, 'schedule.switch', { id, isOn }),
    remove: (id) => act({ act: 'remove', id }, 'schedule.remove', { id }),
    adopt: (id) => act({ act: 'adopt', id }, 'schedule.adopt', { id }),
    mend: () => change('mend'),
    useHere: () => change('useHere'),
    seen: async (atMs) => {
      dispatch({ type: 'actAsked', asked: { act: 'seen' } });
      const reply = await rpc('schedule.seen', { atMs });
      changes += 1;
      if (reply.ok) dispatch({ type: 'digestSeen' });
      else dispatch({ type: 'actFailed', failure: reply.failure });
    },
    show: async ({ rule, count }) => {
      const reply = await rpc('schedule.show', { rule });
      if (reply.ok) dispatch({ type: 'rowsShown', wanted: count, shown: reply.value.shown });
      else dispatch({ type: 'showFailed', failure: reply.failure });
    },
    history: async () => {
      dispatch({ type: 'historyToggled' });
      const reply = await rpc('schedule.history', {});
      if (reply.ok) dispatch({ type: 'historyArrived', runs: reply.value.runs });
      else dispatch({ type: 'historyFailed', failure: reply.failure });
    },
    run: async (schedule, anyway) => {
      await runNow.start(schedule, anyway);
      await refresh();
    },
    stop: () => runNow.stop(),
  };
}

export interface Effects {
  readonly state: ScheduleState;
  readonly actions: ScheduleActions;
  dispatch(event: ScheduleEvent): void;
  toConnection(): void;
  toAnalyze(): void;
  /** An id for a new schedule. */
  newId(): string;
}

/** What a view is drawn from. */
export interface ListProps {
  readonly view: ListView;
  readonly effects: Effects;
  readonly clock: Clock;
}

/** The default for a new schedule: the active sheet's list, else the formulas if there are any. */
export function suggestionOf({ look }: ListView): ScheduleSettings | null {
  const [list] = look.lists;
  if (list !== undefined) {
    const { sheetId, listId } = list;
    return againSettings({ sheetId, listId }, 'daily');
  }
  return look.formulaCells > 0 ? FORMULAS_EVERY_MORNING : null;
}

function editButtons(view: ListView, edit: Edit, { actions, dispatch }: Effects): Buttons {
  if (edit.isSaving) return { primary: { label: UI_TEXTS.saving, isBusy: true } };
  return {
    primary: {
      label: isNew(view, edit) ? VIEW_TEXTS.addSchedule : VIEW_TEXTS.save,
      press: () => void actions.save(edit.form),
    },
    second: { id: 'schedule-back', label: UI_TEXTS.back, press: () => dispatch({ type: 'left' }) },
  };
}

function removeButtons(view: ListView, id: string, { actions, dispatch }: Effects): Buttons {
  if (view.asked?.act === 'remove') return { primary: { label: UI_TEXTS.removing, isBusy: true } };
  return {
    primary: {
      label: VIEW_TEXTS.removeSchedule,
      isDangerous: true,
      press: () => void actions.remove(id),
    },
    second: { id: KEEP_ID, label: UI_TEXTS.keepIt, press: () => dispatch({ type: 'left' }) },
  };
}

/** The first schedule takes a single press; a second button is for people who want another one. */
function firstButtons(settings: ScheduleSettings, view: ListView, effects: Effects): Buttons {
  const { actions, dispatch, newId } = effects;
  if (view.asked?.act === 'add') return { primary: { label: UI_TEXTS.adding, isBusy: true } };
  return {
    primary: {
      id: ADD_ID,
      label: VIEW_TEXTS.everyMorningButton,
      press: () => void actions.add(newId(), settings),
    },
    second: {
      id: 'schedule-other',
      label: VIEW_TEXTS.anotherSchedule,
      press: () => dispatch({ type: 'editWished', form: formOf(newId(), settings) }),
    },
  };
}

function listButtons(view: ListView, effects: Effects, isKeyMissing: boolean): Buttons {
  const { state, actions, dispatch, newId, toConnection, toAnalyze } = effects;
  if (view.removing !== null) return removeButtons(view, view.removing, effects);
  if (state.running !== null)
    return state.running.isStopping
      ? { primary: { label: UI_TEXTS.stopping, isBusy: true } }
      : { primary: { label: UI_TEXTS.stop, press: () => void actions.stop() } };
  const isFirst = view.look.schedules.length === 0;
  if (isFirst && isKeyMissing)
    return { primary: { label: UI_TEXTS.connectKey, press: toConnection } };
  const settings = suggestionOf(view);
  const again: BarButton = { label: UI_TEXTS.lookAgain, press: () => void actions.refresh() };
  if (settings === null)
    return { primary: { label: UI_TEXTS.openAnalyze, press: toAnalyze }, second: again };
  if (isFirst) return firstButtons(settings, view, effects);
  return {
    primary: {
      id: ADD_ID,
      label: VIEW_TEXTS.addSchedule,
      press: () => dispatch({ type: 'editWished', form: formOf(newId(), settings) }),
    },
  };
}

export function buttonsOf(effects: Effects, connection: ConnectionStatus | null): Buttons {
  const { view, edit } = effects.state;
  switch (view.at) {
    case 'loading':
      return { primary: { label: UI_TEXTS.loading, isBusy: true } };
    case 'unreached':
      return { primary: { label: UI_TEXTS.tryAgain, press: () => void effects.actions.load() } };
    case 'list':
      if (edit !== null) return editButtons(view, edit, effects);
      return listButtons(view, effects, connection?.connected === false);
  }
}

type RemedyName = NonNullable<ScheduleOverview['remedy']>;

/** The problem of all schedules together, and the method that solves it. */
function troubleOf({ look }: ListView): readonly [RpcFailure, RemedyName | undefined] | null {
  if (look.problem !== undefined) return [look.problem, look.remedy];
  const { state, problem } = look.trigger;
  if (state === 'missing') return [problem ?? CLOCK_MISSING, 'schedule.mend'];
  return problem === undefined ? null : [problem, undefined];
}

/** @param name the server's method, if there is one. */
function remedyOf(
  failure: RpcFailure,
  name: RemedyName | undefined,
  { actions, toConnection }: Effects,
): Remedy | undefined {
  if (name === 'schedule.useHere')
    return { label: VIEW_TEXTS.useHere, press: () => void actions.useHere() };
  if (name === 'schedule.mend')
    return { label: VIEW_TEXTS.setClock, press: () => void actions.mend() };
  return opensConnection(failure.kind)
    ? { label: UI_TEXTS.openConnection, press: toConnection }
    : undefined;
}

function announcementOf({ view, edit, running }: ScheduleState): string {
  if (view.at !== 'list') return '';
  if (edit?.isSaving) return VIEW_TEXTS.savingIt;
  if (view.asked !== null) return SPOKEN[view.asked.act];
  if (running === null) return '';
  return running.isStopping ? VIEW_TEXTS.stoppingIt : VIEW_TEXTS.runningIt;
}

/** One sentence for people who do not see the progress bar. */
function progressOf(running: Running | null): string {
  if (running === null || running.status === null || running.isStopping) return '';
  return progressText(running.status);
}

/**
 * A person who runs an up-to-date list again may want newer figures, which are available for calls.
 */
function newsAfter(
  notice: Notice | null,
  { state, actions }: Effects,
): Pick<Messages, 'notice' | 'remedy'> {
  if (notice?.kind !== 'up-to-date') return { notice: noticeText(notice) };
  const all = state.view.at === 'list' ? state.view.look.schedules : [];
  const schedule = all.find(({ id }) => id === notice.id);
  const isOffered = schedule?.settings.task.kind === 'list' && schedule.isMine;
  const press = () => void (schedule && actions.run(schedule, true));
  return {
    notice: noticeText(notice),
    remedy: isOffered ? { label: VIEW_TEXTS.refreshAnyway, press } : undefined,
  };
}

export function messagesOf(effects: Effects): Messages {
  const { state } = effects;
  const { view, notice, running, past, edit } = state;
  if (view.at === 'loading') return {};
  if (view.at === 'unreached') return { failure: view.failure };
  const said = { spoken: announcementOf(state), progress: progressOf(running) };
  const own = view.failure ?? (past.at === 'failed' ? past.failure : null);
  if (own !== null) return { ...said, failure: own, remedy: remedyOf(own, undefined, effects) };
  const going = view.look.schedules.find(({ id }) => id === view.removing);
  const question = going === undefined ? null : removeQuestion(going.name);
  // Problems of other schedules are shown once this one is done.
  const trouble = edit === null && question === null ? troubleOf(view) : null;
  if (trouble === null) return { ...said, ...newsAfter(notice, effects), question };
  const [failure, name] = trouble;
  const remedy = view.asked === null ? remedyOf(failure, name, effects) : undefined;
  return { ...said, failure, remedy };
}

/** Why a person on another page should look, shown on the tab; '' if there is nothing new. */
export function newsOf({ view }: ScheduleState): string {
  if (view.at !== 'list') return '';
  const { digest, schedules } = view.look;
  if (troubleOf(view) !== null || schedules.some(({ problem }) => problem !== undefined))
    return VIEW_TEXTS.needsAttention;
  return digest === null ? '' : VIEW_TEXTS.hasNews;
}
