// A form: its values, which are kept, and its problems, which show once a person tried to send it.

import { batch, computed, signal } from '@preact/signals-core';
import type { ComponentChildren } from 'preact';
import { kept } from './app';
import { Problem } from './fields';

/** @param id of the form's element, and the name under which it is kept. */
export function createForm<Values extends object>(
  id: string,
  problemsOf: (values: Values) => Readonly<Partial<Record<string, string>>>,
) {
  /** null: the form is not open. */
  const values = kept<Values | null>(id, null);
  const isTried = signal(false);
  const problems = computed(() =>
    isTried.value && values.value !== null ? problemsOf(values.value) : {},
  );
  return {
    ...{ id, values, problems },
    open(opened: Values | null) {
      batch(() => {
        isTried.value = false;
        values.value = opened;
      });
    },
    change(changed: Partial<Values>) {
      if (values.value !== null) values.value = { ...values.value, ...changed };
    },
    /** Whether it can be sent; if not, the first problem is unfolded and has the focus. */
    check(): boolean {
      isTried.value = true;
      if (Object.keys(problems.value).length === 0) return true;
      setTimeout(() => {
        const wrong = document.querySelector<HTMLElement>(`#${id} [aria-invalid="true"]`);
        wrong?.closest('details')?.setAttribute('open', '');
        wrong?.focus();
      });
      return false;
    },
  };
}

interface TypedProps {
  readonly id: string;
  readonly label: string;
  readonly unit: string;
  readonly value: string;
  readonly problem: string | undefined;
  readonly hint?: string;
  readonly placeholder?: string;
  change(value: string): void;
}

/** A number with its unit, typed. */
export function Typed({ id, label, unit, value, problem, hint = '', ...rest }: TypedProps) {
  return (
    <div class="pick">
      <label for={id}>{label}</label>
      <span class="days">
        <input
          id={id}
          inputMode="decimal"
          value={value}
          placeholder={rest.placeholder}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-unit ${id}-problem ${id}-hint`}
          onInput={({ currentTarget }) => rest.change(currentTarget.value)}
        />
        <span id={`${id}-unit`}>{unit}</span>
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

interface CheckProps {
  readonly id: string;
  readonly label: string;
  readonly isChecked: boolean;
  change(isChecked: boolean): void;
  /** What follows on the same line. */
  readonly children?: ComponentChildren;
}

export function Check({ id, label, isChecked, change, children }: CheckProps) {
  return (
    <div class="tick">
      <input
        type="checkbox"
        id={id}
        checked={isChecked}
        onChange={({ currentTarget }) => change(currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {children}
    </div>
  );
}
