// The Schedule page for the frame: its reducer, its body and what it keeps.

import { useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import type { ConnectionStatus } from '../../api/connection';
import { FORMULAS_EVERY_MORNING } from '../ui/default-schedule';
import { Skeleton, Title } from '../ui/heading';
import { useFocus, useKept, useReturn } from '../ui/hooks';
import type { ConnectedContext, MakeSchedule, Page } from '../ui/page';
import { countText, UI_TEXTS } from '../ui/texts';
import {
  buttonsOf,
  createRunNow,
  createScheduleActions,
  type Effects,
  type ListProps,
  messagesOf,
  newsOf,
  suggestionOf,
} from './actions';
import { FORM_DRAFT, formFrom, formOf } from './form';
import { FormBody } from './form-view';
import { DigestCard, History, ScheduleCard } from './list-view';
import { firstState, isNew, schedulesOf, step, TITLE_ID } from './state';
import { clockOf, offerText, runTimeText, VIEW_TEXTS } from './texts';

/** Offers a schedule for formulas if the button makes one for something else. */
function FormulasOffer({ view, effects }: ListProps) {
  const { formulaCells, lists } = view.look;
  if (formulaCells === 0 || lists.length === 0) return null;
  const form = () => formOf(effects.newId(), FORMULAS_EVERY_MORNING);
  return (
    <li class="offer">
      <h2>{countText(formulaCells, 'formula')}</h2>
      <p class="caption">{VIEW_TEXTS.formulasHint}</p>
      <p class="links">
        <button
          class="link"
          type="button"
          onClick={() => effects.dispatch({ type: 'editWished', form: form() })}
        >
          {VIEW_TEXTS.formulasToo}
        </button>
      </p>
    </li>
  );
}

/** What the button below makes with one press. */
function Suggestion({ view }: Pick<ListProps, 'view'>) {
  const [list] = view.look.lists;
  const settings = suggestionOf(view) ?? FORMULAS_EVERY_MORNING;
  const name = list?.name ?? countText(view.look.formulaCells, 'formula');
  return (
    <li class="offer">
      <h2>{name}</h2>
      <p class="caption">{offerText(settings)}</p>
    </li>
  );
}

function NoSchedules(props: ListProps) {
  if (suggestionOf(props.view) === null) {
    return (
      <>
        <Title id={TITLE_ID} text={VIEW_TEXTS.noSchedulesYet} lead={VIEW_TEXTS.noSchedulesLead} />
        <p class="lead">{VIEW_TEXTS.noList}</p>
      </>
    );
  }
  return (
    <>
      <Title id={TITLE_ID} text={VIEW_TEXTS.everyMorning} lead={VIEW_TEXTS.firstLead} />
      <ul class="offers">
        <Suggestion {...props} />
        <FormulasOffer {...props} />
      </ul>
    </>
  );
}

function Schedules(props: ListProps) {
  const { view, effects } = props;
  return (
    <>
      <Title id={TITLE_ID} text={VIEW_TEXTS.schedules} isHeardOnly />
      <DigestCard {...props} />
      <ul class="schedules">
        {schedulesOf(view).map((schedule) => (
          <ScheduleCard key={schedule.id} schedule={schedule} {...props} />
        ))}
      </ul>
      <History effects={effects} clock={props.clock} />
      <p class="caption allowance">{runTimeText(view.look.limits)}</p>
    </>
  );
}

interface ScheduleBodyProps {
  readonly effects: Effects;
  readonly connection: ConnectionStatus | null;
  readonly nowMs: number;
}

function ScheduleBody({ effects, connection, nowMs }: ScheduleBodyProps) {
  const { view, edit } = effects.state;
  if (view.at === 'loading') {
    return (
      <>
        <Title id={TITLE_ID} text={UI_TEXTS.schedule} />
        <Skeleton rows={3} />
      </>
    );
  }
  if (view.at === 'unreached')
    return <Title id={TITLE_ID} text={UI_TEXTS.schedule} lead={VIEW_TEXTS.unreached} />;
  if (edit !== null) {
    const title = isNew(view, edit) ? VIEW_TEXTS.newSchedule : VIEW_TEXTS.changeTheSchedule;
    return <FormBody view={view} edit={edit} effects={effects} title={title} />;
  }
  const props: ListProps = { view, effects, clock: clockOf(nowMs, view.look) };
  if (view.look.schedules.length > 0) return <Schedules {...props} />;
  return connection?.connected === false ? (
    <Title id={TITLE_ID} text={VIEW_TEXTS.noKey} lead={VIEW_TEXTS.noKeyLead} />
  ) : (
    <NoSchedules {...props} />
  );
}

interface SchedulePage {
  readonly page: Page;
  readonly make: MakeSchedule;
}

function useSchedule({ rpc, drafts, pause, nowMs, connection }: ConnectedContext) {
  const [kept] = useState(() => formFrom(drafts.read(FORM_DRAFT)));
  const [state, dispatch] = useReducer(step, kept, firstState);
  const runNow = useMemo(() => createRunNow(rpc, dispatch, pause), [rpc, pause]);
  const actions = useMemo(() => createScheduleActions(rpc, dispatch, runNow), [rpc, runNow]);
  // With another key, each schedule may have another problem.
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
  // The present moment serves as a new id, in base 36 to be short.
  const newId = () => Math.floor(nowMs()).toString(36);
  const effects = {
    state,
    actions,
    dispatch,
    newId,
    toConnection: () => goTo('connection'),
    toAnalyze: () => goTo('analyze'),
  };
  const page: Page = {
    id: 'schedule',
    name: UI_TEXTS.schedule,
    news: newsOf(state),
    body: <ScheduleBody effects={effects} connection={connection} nowMs={nowMs()} />,
    buttons: buttonsOf(effects, connection),
    messages: messagesOf(effects),
    isLoading: state.view.at === 'loading',
    enter: () => {
      // Another sheet may be active, which a new schedule starts from.
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
