// The form of a schedule: what to refresh, when, from what age, rules and limits.

import type { ComponentChildren } from 'preact';
import type { ListTask } from '../../../schedules/due';
import type { FormulasTask } from '../../../schedules/schedule';
import { Fold, Picker, Problem } from '../ui/fields';
import { asSentence, countText } from '../ui/texts';
import type { Effects } from './actions';
import { fieldId, RULES, type ScheduleForm } from './form';
import { type Edit, type FoldName, type ListView, TITLE_ID } from './state';
import {
  ageHint,
  boundLabel,
  hourText,
  listText,
  moreText,
  ORDER_CHOICES,
  RECURRENCES,
  ROW_CHOICES,
  rulesText,
  startsText,
  TICK_WORDS,
  VIEW_TEXTS,
  WEEKDAYS,
} from './texts';

/** What each part of the form is drawn from. */
interface PartProps {
  readonly edit: Edit;
  change(change: Partial<ScheduleForm>): void;
}

const HOURS = Array.from({ length: 24 }, (_, hour) => [String(hour), hourText(hour)] as const);

interface HourPickerProps {
  readonly id: string;
  readonly label: string;
  readonly hour: number;
  choose(hour: number): void;
}

function HourPicker({ id, label, hour, choose }: HourPickerProps) {
  return (
    <Picker
      id={id}
      label={label}
      value={String(hour)}
      options={HOURS}
      choose={(value) => choose(Number(value))}
    />
  );
}

/** A list that can be chosen: its value, its words and its task. */
type Choice = readonly [value: string, text: string, task: ListTask];

const optionOf = ({ sheetId, listId }: Pick<ListTask, 'sheetId' | 'listId'>): string =>
  `${sheetId} ${listId}`;

/** The lists to choose from: the schedule's own, and those of the active sheet. */
function listsOf({ look }: ListView, { form }: Edit): readonly Choice[] {
  const mine = look.schedules.find(({ id }) => id === form.id);
  const own = [mine?.settings.task, form.task].find((one) => one?.kind === 'list');
  const inView = look.lists.map(({ sheetId, listId, name }): Choice => {
    const task = own?.kind === 'list' ? own : EVERY_ROW;
    return [optionOf({ sheetId, listId }), listText(name), { ...task, sheetId, listId }];
  });
  if (own?.kind !== 'list' || inView.some(([value]) => value === optionOf(own))) return inView;
  return [[optionOf(own), listText(mine?.sheetName || null), own], ...inView];
}

const EVERY_ROW = { kind: 'list', rows: 'all', order: 'stalest' } as const;

/** Which rows a person has chosen, which stays with another list. */
const rowsOf = (task: ListTask | FormulasTask) =>
  task.kind === 'list' ? { rows: task.rows, order: task.order } : {};

function WhatPicker({ view, edit, change }: PartProps & { readonly view: ListView }) {
  const lists = listsOf(view, edit);
  const { task } = edit.form;
  const { formulaCells } = view.look;
  const formulas: FormulasTask = { kind: 'formulas' };
  const hasFormulas = formulaCells > 0 || task.kind === 'formulas';
  return (
    <Picker
      id="schedule-what"
      label={VIEW_TEXTS.what}
      value={task.kind === 'formulas' ? task.kind : optionOf(task)}
      options={[
        ...lists.map(([value, text]) => [value, text] as const),
        ...(hasFormulas ? [['formulas', countText(formulaCells, 'formula')] as const] : []),
      ]}
      choose={(wanted) => {
        const list = lists.find(([value]) => value === wanted);
        if (wanted === 'formulas') change({ task: formulas });
        else if (list !== undefined) change({ task: { ...list[2], ...rowsOf(task) } });
      }}
    />
  );
}

/** A rule's name and its bound form one sentence: "ROI falls under 20%". */
function TickRow({
  rule: row,
  edit,
  change,
}: PartProps & { readonly rule: (typeof RULES)[number] }) {
  const { name, bound } = row;
  const label = TICK_WORDS[name];
  const { ticks } = edit.form;
  const tick = ticks[name];
  const problem = edit.problems[name];
  const id = `schedule-${name}`;
  const put = (changed: Partial<typeof tick>) =>
    change({ ticks: { ...ticks, [name]: { ...tick, ...changed } } });
  return (
    <li>
      <div class="tick">
        <input
          type="checkbox"
          id={`${id}-on`}
          checked={tick.isOn}
          onChange={({ currentTarget }) => put({ isOn: currentTarget.checked })}
        />
        <label for={`${id}-on`}>{label}</label>
        {bound !== undefined && (
          <span class="bound">
            <input
              id={id}
              inputMode="decimal"
              value={tick.bound}
              aria-label={boundLabel(name, bound.unit)}
              aria-invalid={problem !== undefined}
              aria-describedby={`${id}-problem`}
              // A person who types a bound wants its rule.
              onInput={({ currentTarget }) => put({ bound: currentTarget.value, isOn: true })}
            />
            <span class="unit" aria-hidden="true">
              {bound.unit}
            </span>
          </span>
        )}
      </div>
      <Problem id={`${id}-problem`} text={problem} />
    </li>
  );
}

function RuleFields(props: PartProps) {
  return (
    <>
      <ul class="rules">
        {RULES.map((rule) => (
          <TickRow key={rule.name} rule={rule} {...props} />
        ))}
      </ul>
      <p class="hint under">{VIEW_TEXTS.markedHint}</p>
    </>
  );
}

function ListPickers({ task, change }: { readonly task: ListTask } & Pick<PartProps, 'change'>) {
  const isStarry = task.rows === 'starred' || task.order === 'starred';
  return (
    <>
      <Picker
        id="schedule-rows"
        label={VIEW_TEXTS.rows}
        value={task.rows}
        options={ROW_CHOICES}
        choose={(value) => {
          const rows = ROW_CHOICES.find(([one]) => one === value)?.[0];
          if (rows !== undefined) change({ task: { ...task, rows } });
        }}
      />
      <Picker
        id="schedule-order"
        label={VIEW_TEXTS.first}
        value={task.order}
        options={ORDER_CHOICES}
        choose={(value) => {
          const order = ORDER_CHOICES.find(([one]) => one === value)?.[0];
          if (order !== undefined) change({ task: { ...task, order } });
        }}
      />
      {isStarry && <p class="hint">{VIEW_TEXTS.starredHint}</p>}
      <p class="hint">{VIEW_TEXTS.skipHint}</p>
    </>
  );
}

function CallsField({ edit, change }: PartProps) {
  const id = fieldId('calls');
  const problem = edit.problems.calls;
  return (
    <div class="pick">
      <label for={id}>{VIEW_TEXTS.atMost}</label>
      <span class="days">
        <input
          id={id}
          inputMode="numeric"
          value={edit.form.calls}
          placeholder={VIEW_TEXTS.anyNumber}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-unit ${id}-problem`}
          onInput={({ currentTarget }) => change({ calls: currentTarget.value })}
        />
        <span id={`${id}-unit`}>{VIEW_TEXTS.callsAnHour}</span>
      </span>
      <div class="below">
        <Problem id={`${id}-problem`} text={problem} />
      </div>
    </div>
  );
}

function QuietFields({ edit, change }: PartProps) {
  const { isQuiet, fromHour, toHour } = edit.form;
  return (
    <>
      <div class="tick">
        <input
          type="checkbox"
          id="schedule-is-quiet"
          checked={isQuiet}
          onChange={({ currentTarget }) => change({ isQuiet: currentTarget.checked })}
        />
        <label for="schedule-is-quiet">{VIEW_TEXTS.quietHours}</label>
      </div>
      {isQuiet && (
        <>
          <HourPicker
            id={fieldId('quiet')}
            label={VIEW_TEXTS.from}
            hour={fromHour}
            choose={(hour) => change({ fromHour: hour })}
          />
          <HourPicker
            id="schedule-quiet-to"
            label={VIEW_TEXTS.to}
            hour={toHour}
            choose={(hour) => change({ toHour: hour })}
          />
          <Problem id="schedule-quiet-problem" text={edit.problems.quiet} />
        </>
      )}
    </>
  );
}

function MoreFields(props: PartProps) {
  const { edit, change } = props;
  const { task } = edit.form;
  return (
    <div class="picks folded">
      {task.kind === 'list' && <ListPickers task={task} change={change} />}
      <CallsField {...props} />
      <QuietFields {...props} />
    </div>
  );
}

const DAYS = Array.from({ length: 31 }, (_, at) => [String(at + 1), `${at + 1}.`] as const);

function WhenPickers({ edit, change }: PartProps) {
  const { every, hour, weekday, day } = edit.form;
  return (
    <>
      <Picker
        id="schedule-every"
        label={VIEW_TEXTS.when}
        value={every}
        options={RECURRENCES}
        choose={(value) => {
          const chosen = RECURRENCES.find(([kind]) => kind === value)?.[0];
          if (chosen !== undefined) change({ every: chosen });
        }}
      />
      {every === 'weekly' && (
        <Picker
          id="schedule-weekday"
          label={VIEW_TEXTS.on}
          value={String(weekday)}
          // The list begins with Monday, although its number is 1.
          options={[1, 2, 3, 4, 5, 6, 0].map((at) => [String(at), WEEKDAYS[at] ?? ''] as const)}
          choose={(value) => change({ weekday: Number(value) })}
        />
      )}
      {every === 'monthly' && (
        <Picker
          id="schedule-day"
          label={VIEW_TEXTS.onThe}
          value={String(day)}
          options={DAYS}
          choose={(value) => change({ day: Number(value) })}
        />
      )}
      {every !== 'hourly' && (
        <HourPicker
          id="schedule-hour"
          label={VIEW_TEXTS.at}
          hour={hour}
          choose={(chosen) => change({ hour: chosen })}
        />
      )}
    </>
  );
}

function AgeField({ edit, change }: PartProps) {
  const id = fieldId('maxAge');
  const problem = edit.problems.maxAge;
  const hint = ageHint(edit.form);
  return (
    <div class="pick">
      <label for={id}>{VIEW_TEXTS.olderThan}</label>
      <span class="days">
        <input
          id={id}
          inputMode="decimal"
          value={edit.form.maxAge}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-unit ${id}-problem ${id}-hint`}
          onInput={({ currentTarget }) => change({ maxAge: currentTarget.value })}
        />
        <span id={`${id}-unit`}>{VIEW_TEXTS.hours}</span>
      </span>
      <div class="below">
        <Problem id={`${id}-problem`} text={problem} />
        {hint !== '' && (
          <p class="hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

interface FormBodyProps {
  readonly view: ListView;
  readonly edit: Edit;
  readonly effects: Effects;
  readonly title: string;
}

export function FormBody({ view, edit, effects, title }: FormBodyProps) {
  const { dispatch, actions } = effects;
  const { form, open } = edit;
  const part: PartProps = {
    edit,
    change: (change) => dispatch({ type: 'formChanged', form: { ...form, ...change } }),
  };
  const fold = (name: FoldName, label: string, hint: string, children: ComponentChildren) => (
    <Fold
      id={`schedule-fold-${name}`}
      name={label}
      hint={hint}
      isOpen={open[name]}
      toggle={(isOpen) => dispatch({ type: 'foldToggled', fold: name, isOpen })}
    >
      {children}
    </Fold>
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!edit.isSaving) void actions.save(form);
      }}
    >
      <h1 id={TITLE_ID} tabIndex={-1}>
        {title}
      </h1>
      <fieldset class="plain" disabled={edit.isSaving}>
        <div class="picks">
          <WhatPicker view={view} {...part} />
          <WhenPickers {...part} />
          <AgeField {...part} />
        </div>
        <p class="hint under">{startsText(view.look)}</p>
        {form.task.kind === 'list' &&
          fold(
            'rules',
            VIEW_TEXTS.markRows,
            asSentence(rulesText(form.ticks)) || VIEW_TEXTS.nothingMarked,
            <RuleFields {...part} />,
          )}
        {fold('more', VIEW_TEXTS.more, moreText(form), <MoreFields {...part} />)}
      </fieldset>
      {/* Lets Enter in a field submit the form. The bar's button cannot do that: it is the same
      element that opened the form, so the opening click would submit it. */}
      <button class="heard" type="submit" tabIndex={-1} aria-hidden="true">
        {VIEW_TEXTS.save}
      </button>
    </form>
  );
}
