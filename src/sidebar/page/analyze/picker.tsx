// One thing to pick from a list, with its name beside it, as the Analyze page has its choices.
import type { Options } from '../connection/settings';

interface PickerProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly options: Options<string>;
  choose(value: string): void;
}

export function Picker({ id, label, value, options, choose }: PickerProps) {
  return (
    <div class="pick">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => choose(event.currentTarget.value)}>
        {options.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
