// A number that is typed and a checkbox, each on a line of a form.

import type { ComponentChildren } from 'preact';
import { Problem } from './fields';

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
