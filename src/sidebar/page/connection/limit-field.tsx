// How fast the key may be used: a number of calls per period, or to be found out.
import { Choice } from '../controls/choice';
import { Problem } from '../controls/field';
import { type ConnectionForm, periodName, USUAL_PERIODS_SECONDS } from './form';

interface LimitFieldProps {
  readonly form: ConnectionForm;
  readonly problem: string | undefined;
  readonly isSaving: boolean;
  edit(change: Partial<ConnectionForm>): void;
}

export function LimitField({ form, problem, isSaving, edit }: LimitFieldProps) {
  const isUsual = USUAL_PERIODS_SECONDS.includes(form.perSeconds);
  const periods = isUsual ? USUAL_PERIODS_SECONDS : [form.perSeconds, ...USUAL_PERIODS_SECONDS];
  return (
    <fieldset class="field">
      <legend>Limit</legend>
      <div class="limit">
        <input
          id="quota"
          type="text"
          inputMode="numeric"
          autocomplete="off"
          aria-label="Calls"
          value={form.findOut ? '' : form.calls}
          disabled={form.findOut}
          readOnly={isSaving}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : 'quota-problem'}
          onInput={(event) => edit({ calls: event.currentTarget.value })}
        />
        <span aria-hidden="true">per</span>
        <select
          aria-label="Per"
          value={String(form.perSeconds)}
          disabled={form.findOut || isSaving}
          onChange={(event) => edit({ perSeconds: Number(event.currentTarget.value) })}
        >
          {periods.map((seconds) => (
            <option key={seconds} value={String(seconds)}>
              {periodName(seconds)}
            </option>
          ))}
        </select>
      </div>
      <Problem id="quota-problem" text={problem} />
      <Choice
        type="checkbox"
        id="find-out"
        label="Detect automatically"
        hint="Starts slowly, then speeds up to your key’s limit."
        isChecked={form.findOut}
        isDisabled={isSaving}
        choose={(findOut) => edit({ findOut })}
      />
    </fieldset>
  );
}
