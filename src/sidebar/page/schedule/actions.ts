// What the Schedule page asks of the server; every answer becomes an event.
import type { RpcFailure } from '../../rpc-contract';
import type { Marked, ScheduleSettings, ScheduleShown } from '../../schedule-contract';
import type { RpcClient } from '../rpc-client';
import { problemsOf, type ScheduleForm, settingsOf } from './form';
import type { RunNow } from './run-now';
import type { Asked, ScheduleEvent } from './state';

export interface ScheduleActions {
  load(): Promise<void>;
  /** The same without a word, for when the sheet may have changed. */
  refresh(): Promise<void>;
  /** What stands in the form, if nothing in it is wrong. */
  save(form: ScheduleForm): Promise<void>;
  /** Without a form. @return what went wrong, or the new schedule as it is there now. */
  add(id: string, settings: ScheduleSettings): Promise<ScheduleShown | RpcFailure>;
  switchTo(id: string, isOn: boolean): Promise<void>;
  remove(id: string): Promise<void>;
  adopt(id: string): Promise<void>;
  mend(): Promise<void>;
  useHere(): Promise<void>;
  seen(): Promise<void>;
  show(marked: Marked): Promise<void>;
  history(): Promise<void>;
  run(schedule: ScheduleShown): Promise<void>;
  stop(): Promise<void>;
}

export function createScheduleActions(
  rpc: RpcClient,
  dispatch: (event: ScheduleEvent) => void,
  runNow: RunNow,
): ScheduleActions {
  /** What was put away so far: a look that was asked for before would bring it back. */
  let putAway = 0;
  const look = async (failed: (failure: RpcFailure) => void): Promise<void> => {
    const before = putAway;
    const reply = await rpc('schedule.look', {});
    if (reply.ok && before !== putAway) return look(failed);
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
    if (!reply.ok) return dispatch({ type: 'actFailed', failure: reply.failure });
    dispatch({ type: 'actDone', schedules: reply.value.schedules });
    // Whether the clock is on, and what it is allowed, follows from which schedules are on.
    await refresh();
  };

  const change = async (act: 'mend' | 'useHere'): Promise<void> => {
    dispatch({ type: 'actAsked', asked: { act } });
    const reply = await rpc(`schedule.${act}`, {});
    if (reply.ok) dispatch({ type: 'lookChanged', look: reply.value });
    else dispatch({ type: 'actFailed', failure: reply.failure });
  };

  const add: ScheduleActions['add'] = async (id, settings) => {
    dispatch({ type: 'actAsked', asked: { act: 'add', id } });
    const reply = await rpc('schedule.save', { id, settings });
    if (!reply.ok) {
      dispatch({ type: 'actFailed', failure: reply.failure });
      return reply.failure;
    }
    const { schedules } = reply.value;
    dispatch({ type: 'saved', id, schedules });
    void refresh();
    const made = schedules.find((one) => one.id === id);
    return made ?? { kind: 'internal', message: 'The schedule was not kept. Try again.' };
  };

  const save: ScheduleActions['save'] = async (form) => {
    const problems = problemsOf(form);
    if (Object.keys(problems).length > 0) return dispatch({ type: 'problemsFound', problems });
    dispatch({ type: 'saveAsked' });
    const { id } = form;
    const reply = await rpc('schedule.save', { id, settings: settingsOf(form) });
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
    seen: async () => {
      dispatch({ type: 'actAsked', asked: { act: 'seen' } });
      const reply = await rpc('schedule.seen', {});
      putAway += 1;
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
    run: async (schedule) => {
      await runNow.start(schedule);
      await refresh();
    },
    stop: () => runNow.stop(),
  };
}
