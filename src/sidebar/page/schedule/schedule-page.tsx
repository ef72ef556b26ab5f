// The Schedule page for the frame: the view that is shown, and its messages.

import type { RpcFailure } from '../../api/failure-view';
import type { ScheduleOverview } from '../../api/schedules';
import { goTo, isKeyMissing, newId } from '../ui/app';
import { FORMULAS_EVERY_MORNING } from '../ui/default-schedule';
import { doing, removal, unreadView } from '../ui/doing';
import { Link } from '../ui/fields';
import { Title } from '../ui/heading';
import type { Messages, Page, Remedy, View } from '../ui/page';
import { countText, failedText, UI_TEXTS } from '../ui/texts';
import { Cards, isStuck, whatText } from './cards';
import { formView } from './form';
import * as page from './schedule';
import { clockOf, hourText } from './times';

const { TITLE } = page;

/** What the button below makes with one press. */
function Offers({ seen: { lists, formulaCells } }: { readonly seen: ScheduleOverview }) {
  const settings = page.suggestion.value;
  const formulas = countText(formulaCells, 'formula');
  if (settings === null)
    return (
      <>
        <Title
          id={TITLE}
          text="No schedules yet"
          lead="A schedule refreshes figures automatically. Only out-of-date figures use calls."
        />
        <p class="lead">Analyze the list on this sheet first. Then a schedule can refresh it.</p>
      </>
    );
  const { recurrence } = settings;
  return (
    <>
      <Title
        id={TITLE}
        text="Fresh figures every morning"
        lead="Refreshes automatically. Only out-of-date figures use calls."
      />
      <ul class="offers">
        <li class="offer">
          <h2>{lists[0]?.name ?? formulas}</h2>
          <p class="caption">
            {whatText(settings)}
            {'hour' in recurrence && `, about ${hourText(recurrence.hour)}`}
          </p>
        </li>
        {formulaCells > 0 && lists.length > 0 && (
          <li class="offer">
            <h2>{formulas}</h2>
            <p class="caption">Cells with =ANALYZE, anywhere in the spreadsheet</p>
            <Link press={() => page.edit(newId(), FORMULAS_EVERY_MORNING)}>
              Refresh formulas, too
            </Link>
          </li>
        )}
      </ul>
    </>
  );
}

function buttonsOf(seen: ScheduleOverview): View['buttons'] {
  if (page.removing.value !== null)
    return removal(page.remove, 'Remove schedule', { id: page.KEEP, press: page.leave });
  if (page.running.value !== null)
    return page.running.value.isStopping
      ? { primary: { label: UI_TEXTS.stopping, isBusy: true } }
      : { primary: { label: UI_TEXTS.stop, press: page.stopRun } };
  const isFirst = seen.schedules.length === 0;
  if (isFirst && isKeyMissing.value)
    return { primary: { label: UI_TEXTS.connectKey, press: () => goTo('connection') } };
  const settings = page.suggestion.value;
  if (settings === null)
    return {
      primary: { label: UI_TEXTS.openList, press: () => goTo('list') },
      second: { label: UI_TEXTS.lookAgain, press: () => void page.refresh() },
    };
  const add = { id: page.ADD, press: () => page.edit(newId(), settings) };
  if (!isFirst) return { primary: { ...add, label: 'Add schedule' } };
  return {
    primary: doing(page.addSuggested, 'Refresh every morning', UI_TEXTS.adding, { id: page.ADD }),
    ...(!page.addSuggested.isBusy && {
      second: { ...add, id: 'schedule-other', label: 'Choose another schedule' },
    }),
  };
}

function viewNow(seen: ScheduleOverview | null): View {
  if (seen === null)
    return unreadView(
      page.load,
      { id: TITLE, text: UI_TEXTS.schedule },
      'The schedules could not be read just now.',
    );
  const values = page.form.values.value;
  if (values !== null) return formView(values, seen);
  const buttons = buttonsOf(seen);
  if (seen.schedules.length > 0)
    return { body: <Cards seen={seen} clock={clockOf(seen)} />, buttons };
  if (!isKeyMissing.value) return { body: <Offers seen={seen} />, buttons };
  const lead = 'A schedule uses your own key. Enter it under Settings, then come back here.';
  return { body: <Title id={TITLE} text="Connect your key first" lead={lead} />, buttons };
}

type RemedyName = NonNullable<ScheduleOverview['remedy']>;

/** The problem of all schedules together, and the method that solves it. */
function troubleOf({
  problem,
  remedy,
  trigger,
}: ScheduleOverview): readonly [RpcFailure, RemedyName | undefined] | null {
  if (problem !== undefined) return [problem, remedy];
  if (trigger.state !== 'missing')
    return trigger.problem === undefined ? null : [trigger.problem, undefined];
  const missing = {
    kind: 'schedule',
    why: 'clock-missing',
    message: 'Nothing starts your schedules any more.',
    action: 'Set the clock again.',
  };
  return [trigger.problem ?? missing, 'schedule.mend'];
}

/** @param name the server's method, if there is one. */
function remedyOf(failure: RpcFailure, name?: RemedyName): Remedy | undefined {
  if (name === 'schedule.useHere')
    return { label: 'Use the schedules here', press: () => void page.remedy(name) };
  if (name === 'schedule.mend')
    return { label: 'Set the clock again', press: () => void page.remedy(name) };
  return failure.opensSettings
    ? { label: UI_TEXTS.openConnection, press: () => goTo('connection') }
    : undefined;
}

/** For screen readers: how far a run is. */
function progressText(): string {
  const { status = null, isStopping = false } = page.running.value ?? {};
  if (status === null || isStopping) return '';
  const bad = status.failed === 0 ? '' : `, ${failedText(status.failed)}`;
  const done = Math.max(0, status.products - status.left).toLocaleString();
  return `${done} of ${countText(status.products, 'product')} done${bad}.`;
}

function messages(seen: ScheduleOverview | null): Messages {
  const own = page.failure.value;
  if (seen === null) return { failure: own };
  const said = { progress: progressText() };
  if (own !== null) return { ...said, failure: own, remedy: remedyOf(own) };
  const going = page.removing.value;
  const question = going && `“${going.name}” will be removed. What it wrote stays in the sheet.`;
  // Problems of other schedules are shown once this one is done.
  const isBusyHere = page.form.values.value !== null || question !== null;
  const trouble = isBusyHere ? null : troubleOf(seen);
  if (trouble !== null) {
    const [failure, name] = trouble;
    const remedy = page.busy.value === null ? remedyOf(failure, name) : undefined;
    return { ...said, failure, remedy };
  }
  const fresh = page.upToDate.value;
  const isOffered =
    fresh?.settings.task.kind === 'list' && fresh.isMine && page.notice.value !== '';
  const anyway = { label: 'Refresh anyway', press: () => void (fresh && page.run(fresh, true)) };
  return {
    ...said,
    question,
    notice: page.notice.value || null,
    remedy: isOffered ? anyway : undefined,
  };
}

/** Why a person on another page should look; '' if there is nothing new. */
function newsOf(seen: ScheduleOverview | null): string {
  if (seen === null) return '';
  if (seen.schedules.some(isStuck) || troubleOf(seen) !== null) return 'needs attention';
  return seen.digest === null ? '' : 'has news';
}

export function schedulePage(): Page {
  const seen = page.look.value;
  return {
    id: 'schedule',
    name: UI_TEXTS.schedule,
    news: newsOf(seen),
    ...viewNow(seen),
    messages: messages(seen),
    isLoading: seen === null && page.load.isBusy,
    leave: page.leave,
    // Another sheet may be active, which a new schedule starts from.
    enter: page.refreshIdle,
    again: () => {
      page.wake();
      if (seen === null) void page.load();
    },
  };
}
