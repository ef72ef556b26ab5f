// What stands between tabs and buttons on the Schedule page, in each of its views.
import type { ConnectionStatus } from '../../rpc-contract';
import { countText } from '../analyze/words';
import type { Hands, ListProps } from './buttons';
import { DigestCard } from './digest-card';
import { FORMULAS_EVERY_MORNING, formOf } from './form';
import { FormBody } from './form-body';
import { History } from './history';
import { ScheduleCard } from './schedule-card';
import { isNew, schedulesOf } from './state';
import { TITLE_ID } from './step';
import { clockOf, hourText } from './times';
import { allowanceTexts, whatText } from './words';

interface TitleProps {
  readonly text: string;
  readonly lead?: string;
  /** Where what follows speaks for itself to those who see it. */
  readonly isHeardOnly?: boolean;
}

function Title({ text, lead, isHeardOnly = false }: TitleProps) {
  return (
    <>
      <h1 id={TITLE_ID} tabIndex={-1} class={isHeardOnly ? 'heard' : undefined}>
        {text}
      </h1>
      {lead !== undefined && <p class="lead">{lead}</p>}
    </>
  );
}

const NONE_LEAD = 'A schedule refreshes figures automatically. Only out-of-date rows use calls.';
const FIRST_LEAD = 'Refreshes automatically. Only out-of-date rows use calls.';

/** Formulas that are not what the button makes: they are offered in a line of their own. */
function FormulasOffer({ view, hands }: ListProps) {
  const { formulaCells, suggestion } = view.look;
  if (formulaCells === 0 || suggestion === null) return null;
  const form = () => formOf(hands.newId(), FORMULAS_EVERY_MORNING);
  return (
    <li class="offer">
      <h2>{countText(formulaCells, 'formula')}</h2>
      <p class="caption">Cells with =ANALYZE, anywhere in the spreadsheet</p>
      <p class="links">
        <button
          class="link"
          type="button"
          onClick={() => hands.dispatch({ type: 'editWished', form: form() })}
        >
          Refresh formulas, too
        </button>
      </p>
    </li>
  );
}

/** What the button below makes with one press. */
function Suggestion({ view }: Pick<ListProps, 'view'>) {
  const { suggestion, suggestionSheet, formulaCells } = view.look;
  const settings = suggestion ?? FORMULAS_EVERY_MORNING;
  const { recurrence } = settings;
  const name = suggestion === null ? countText(formulaCells, 'formula') : suggestionSheet;
  return (
    <li class="offer">
      <h2>{name}</h2>
      <p class="caption">
        {whatText(settings)}
        {'hour' in recurrence && `, about ${hourText(recurrence.hour)}`}
      </p>
    </li>
  );
}

function NoSchedules(props: ListProps) {
  const { look } = props.view;
  if (look.suggestion === null && look.formulaCells === 0) {
    return (
      <>
        <Title text="No schedules yet" lead={NONE_LEAD} />
        <p class="lead">
          There is no list on this sheet. Go to the sheet that has your products, then look again.
        </p>
      </>
    );
  }
  return (
    <>
      <Title text="Fresh figures every morning" lead={FIRST_LEAD} />
      <ul class="offers">
        <Suggestion {...props} />
        <FormulasOffer {...props} />
      </ul>
    </>
  );
}

function Schedules(props: ListProps) {
  const { view, hands } = props;
  return (
    <>
      <Title text="Schedules" isHeardOnly />
      <DigestCard {...props} />
      <ul class="schedules">
        {schedulesOf(view).map((schedule) => (
          <ScheduleCard key={schedule.id} schedule={schedule} {...props} />
        ))}
      </ul>
      <History hands={hands} clock={props.clock} />
      <div class="caption allowance">
        {allowanceTexts(view.look.limits).map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
    </>
  );
}

interface ScheduleBodyProps {
  readonly hands: Hands;
  readonly connection: ConnectionStatus | null;
  readonly nowMs: number;
}

export function ScheduleBody({ hands, connection, nowMs }: ScheduleBodyProps) {
  const { view, edit } = hands.state;
  if (view.at === 'loading') {
    return (
      <>
        <Title text="Schedule" />
        <div class="bones" aria-hidden="true">
          <div class="bone" />
          <div class="bone" />
          <div class="bone" />
        </div>
      </>
    );
  }
  if (view.at === 'unreached')
    return <Title text="Schedule" lead="The schedules could not be read just now." />;
  if (edit !== null) {
    const title = isNew(view, edit) ? 'New schedule' : 'Change the schedule';
    return <FormBody view={view} edit={edit} hands={hands} title={title} />;
  }
  const props: ListProps = { view, hands, clock: clockOf(nowMs, view.look) };
  if (view.look.schedules.length > 0) return <Schedules {...props} />;
  return connection?.connected === false ? (
    <Title
      text="Connect your key first"
      lead="A schedule uses your own key. Enter it under Connection, then come back here."
    />
  ) : (
    <NoSchedules {...props} />
  );
}
