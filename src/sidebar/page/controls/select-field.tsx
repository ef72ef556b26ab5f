// A labelled field with a few values to choose from.

import { type Options, optionOf } from '../connection/settings';
import { Field } from './field';

interface SelectFieldProps<Value extends string> {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly options: Options<Value>;
  readonly value: Value;
  readonly isDisabled: boolean;
  choose(value: Value | ''): void;
}

export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { id, label, hint, options, value, isDisabled } = props;
  return (
    <Field id={id} label={label} hint={hint} problem={undefined}>
      {(describedBy) => (
        <select
          id={id}
          value={value}
          disabled={isDisabled}
          aria-describedby={describedBy}
          onChange={(event) => props.choose(optionOf(options, event.currentTarget.value))}
        >
          {options.map(([one, name]) => (
            <option key={one} value={one}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
