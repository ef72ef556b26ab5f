// What the parts of the form share: what each is drawn from, and the choice of an hour.
import { Picker } from '../analyze/picker';
import type { ScheduleForm } from './form';
import type { Edit } from './state';
import { hourText } from './times';

/** What each part of the form is drawn from. */
export interface PartProps {
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

export function HourPicker({ id, label, hour, choose }: HourPickerProps) {
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
