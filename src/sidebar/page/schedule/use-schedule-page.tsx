// The Schedule page as the frame shows it: its reducer, what it asks for, and what is kept.
import { useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import type { RpcFailure } from '../../rpc-contract';
import type { ScheduleSettings, ScheduleShown } from '../../schedule-contract';
import { useFocus } from '../frame/focus';
import { useKept } from '../frame/kept';
import type { ConnectedContext, Page } from '../frame/page';
import { useReturn } from '../frame/return';
import { createScheduleActions } from './actions';
import { buttonsOf } from './buttons';
import { FORM_DRAFT, formFrom } from './kept-form';
import { createRunNow } from './run-now';
import { ScheduleBody } from './schedule-body';
import { firstState } from './state';
import { step, TITLE_ID } from './step';
import { messagesOf, newsOf } from './summary';

/** Makes a schedule without the page: what went wrong, or the schedule as it is there now. */
export type MakeSchedule = (settings: ScheduleSettings) => Promise<ScheduleShown | RpcFailure>;

interface SchedulePage {
  readonly page: Page;
  readonly make: MakeSchedule;
}

function useSchedule({ rpc, drafts, pause, nowMs, connection }: ConnectedContext) {
  const [kept] = useState(() => formFrom(drafts.read(FORM_DRAFT)));
  const [state, dispatch] = useReducer(step, kept, firstState);
  const runNow = useMemo(() => createRunNow(rpc, dispatch, pause), [rpc, pause]);
  const actions = useMemo(() => createScheduleActions(rpc, dispatch, runNow), [rpc, runNow]);
  // With another key another word may be said of each of them.
  const isKeyMissing = connection?.connected === false;
  useEffect(() => {
    if (isKeyMissing) void actions.refresh();
    else void actions.load();
  }, [actions, isKeyMissing]);
  useKept(drafts, FORM_DRAFT, state.edit?.form ?? null);
  useFocus(state.focus);
  const isIdle = state.view.at === 'list' && state.edit === null && state.running === null;
  useReturn(TITLE_ID, isIdle, nowMs, actions.refresh);
  return { state, dispatch, runNow, actions, isIdle };
}

export function useSchedulePage(context: ConnectedContext): SchedulePage {
  const { state, dispatch, runNow, actions, isIdle } = useSchedule(context);
  const { connection, nowMs, goTo } = context;
  // A moment is a name that nobody has made up before, in base 36 to be short.
  const newId = () => Math.floor(nowMs()).toString(36);
  const hands = { state, actions, dispatch, toConnection: () => goTo('connection'), newId };
  const page: Page = {
    id: 'schedule',
    name: 'Schedule',
    news: newsOf(state),
    body: <ScheduleBody hands={hands} connection={connection} nowMs={nowMs()} />,
    buttons: buttonsOf(hands, connection),
    messages: messagesOf(hands),
    isLoading: state.view.at === 'loading',
    enter: () => {
      // Another sheet may be in view, from which a new schedule starts.
      if (isIdle) void actions.refresh();
    },
    leave: () => dispatch({ type: 'left' }),
    again: () => {
      runNow.wake();
      if (state.view.at === 'unreached') void actions.load();
    },
  };
  return { page, make: (settings) => actions.add(newId(), settings) };
}
