// A schedule that is made or changed: what, when, how old; what most people never need is folded.
import type { ComponentChildren } from 'preact';
import { Picker } from '../analyze/picker';
import { Problem } from '../controls/field';
import { Fold } from '../controls/fold';
import { ageHint } from './age';
import type { Hands } from './buttons';
import { fieldId } from './form';
import { HourPicker, type PartProps } from './form-parts';
import { MoreFields, moreText } from './more-fields';
import { RuleFields } from './rule-fields';
import { rulesText } from './rules';
import type { Edit, FoldName, ListView } from './state';
import { TITLE_ID } from './step';
import { WhatPicker } from './what-picker';
import { RECURRENCES, WEEKDAYS } from './words';

const DAYS = Array.from({ length: 31 }, (_, at) => [String(at + 1), `${at + 1}.`] as const);

function WhenPickers({ edit, change }: PartProps) {
  const { every, hour, weekday, day } = edit.form;
  return (
    <>
      <Picker
        id="schedule-every"
        label="When"
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
          label="On"
          value={String(weekday)}
          // A week begins on Monday, though its number is 1.
          options={[1, 2, 3, 4, 5, 6, 0].map((at) => [String(at), WEEKDAYS[at] ?? ''] as const)}
          choose={(value) => change({ weekday: Number(value) })}
        />
      )}
      {every === 'monthly' && (
        <Picker
          id="schedule-day"
          label="On the"
          value={String(day)}
          options={DAYS}
          choose={(value) => change({ day: Number(value) })}
        />
      )}
      {every !== 'hourly' && (
        <HourPicker
          id="schedule-hour"
          label="At"
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
      <label for={id}>Older than</label>
      <span class="days">
        <input
          id={id}
          inputMode="decimal"
          value={edit.form.maxAge}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-unit ${id}-problem ${id}-hint`}
          onInput={({ currentTarget }) => change({ maxAge: currentTarget.value })}
        />
        <span id={`${id}-unit`}>hours</span>
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
  readonly hands: Hands;
  readonly title: string;
}

export function FormBody({ view, edit, hands, title }: FormBodyProps) {
  const { dispatch, actions } = hands;
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
        <p class="hint under">
          Newer figures are skipped. Starts within{' '}
          {view.look.clock.everyMinutes >= 60 ? 'the hour' : 'minutes'} ({view.look.timeZone}).
        </p>
        {form.task.kind === 'list' &&
          fold(
            'rules',
            'Mark rows when',
            rulesText(form.ticks) || 'Nothing is marked',
            <RuleFields {...part} />,
          )}
        {fold('more', 'More', moreText(form), <MoreFields {...part} />)}
      </fieldset>
      {/* For Enter in a field. The bar's button cannot be it: the click that opened the form would
      send it, as it is the same element. */}
      <button class="heard" type="submit" tabIndex={-1} aria-hidden="true">
        Save
      </button>
    </form>
  );
}
