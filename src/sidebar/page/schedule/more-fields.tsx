// What most schedules never need: which rows, in what order, how many calls an hour, quiet hours.
import type { ListTask } from '../../schedule-contract';
import { Picker } from '../analyze/picker';
import type { Options } from '../connection/settings';
import { Problem } from '../controls/field';
import { fieldId, type ScheduleForm } from './form';
import { HourPicker, type PartProps } from './form-parts';
import { hourText } from './times';

const ROWS: Options<ListTask['rows']> = [
  ['all', 'All rows'],
  ['starred', 'Starred rows'],
  ['failed', 'Failed before'],
];
const ORDERS: Options<ListTask['order']> = [
  ['stalest', 'Oldest figures'],
  ['starred', 'Starred rows'],
];

const nameOf = <Value extends string>(options: Options<Value>, value: Value): string =>
  options.find(([one]) => one === value)?.[1] ?? '';

/** "All rows, no limit an hour, no quiet hours": what stands in the fold. */
export function moreText({ task, calls, isQuiet, fromHour, toHour }: ScheduleForm): string {
  const rows = task.kind === 'list' ? [nameOf(ROWS, task.rows)] : [];
  const limit = calls.trim() === '' ? 'no limit an hour' : `${calls.trim()} calls an hour`;
  const quiet = isQuiet ? `quiet ${hourText(fromHour)}–${hourText(toHour)}` : 'no quiet hours';
  const text = [...rows, limit, quiet].join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function ListPickers({ task, change }: { readonly task: ListTask } & Pick<PartProps, 'change'>) {
  const isStarry = task.rows === 'starred' || task.order === 'starred';
  return (
    <>
      <Picker
        id="schedule-rows"
        label="Rows"
        value={task.rows}
        options={ROWS}
        choose={(value) => {
          const rows = ROWS.find(([one]) => one === value)?.[0];
          if (rows !== undefined) change({ task: { ...task, rows } });
        }}
      />
      <Picker
        id="schedule-order"
        label="First"
        value={task.order}
        options={ORDERS}
        choose={(value) => {
          const order = ORDERS.find(([one]) => one === value)?.[0];
          if (order !== undefined) change({ task: { ...task, order } });
        }}
      />
      {isStarry && (
        <p class="hint">Starred: rows with anything in a column headed “Star” or “Starred”.</p>
      )}
    </>
  );
}

function CallsField({ edit, change }: PartProps) {
  const id = fieldId('calls');
  const problem = edit.problems.calls;
  return (
    <div class="pick">
      <label for={id}>At most</label>
      <span class="days">
        <input
          id={id}
          inputMode="numeric"
          value={edit.form.calls}
          placeholder="any"
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-unit ${id}-problem`}
          onInput={({ currentTarget }) => change({ calls: currentTarget.value })}
        />
        <span id={`${id}-unit`}>calls an hour</span>
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
        <label for="schedule-is-quiet">Quiet hours, when nothing starts</label>
      </div>
      {isQuiet && (
        <>
          <HourPicker
            id={fieldId('quiet')}
            label="From"
            hour={fromHour}
            choose={(hour) => change({ fromHour: hour })}
          />
          <HourPicker
            id="schedule-quiet-to"
            label="To"
            hour={toHour}
            choose={(hour) => change({ toHour: hour })}
          />
          <Problem id="schedule-quiet-problem" text={edit.problems.quiet} />
        </>
      )}
    </>
  );
}

export function MoreFields(props: PartProps) {
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
