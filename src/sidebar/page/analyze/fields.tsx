// Which figures are written and where: one line, and unfolded a list to tick.
import type { BulkChoice, BulkField, BulkLook } from '../../bulk-contract';
import { fieldsText, placeText, withField } from './choice';
import { EDIT_FIELDS } from './step';

interface FieldsProps {
  readonly look: BulkLook;
  readonly choice: BulkChoice;
  readonly isOpen: boolean;
  toggle(): void;
  choose(choice: BulkChoice): void;
}

function Tick({ field, ...rest }: Omit<FieldsProps, 'isOpen' | 'toggle'> & { field: BulkField }) {
  const { look, choice, choose } = rest;
  const { name, title, column } = field;
  const id = `analyze-field-${name}`;
  return (
    <li class="tick">
      <input
        type="checkbox"
        id={id}
        checked={choice.fields.includes(name)}
        aria-describedby={`${id}-place`}
        onChange={() => choose(withField(look, choice, name))}
      />
      <label for={id}>{title}</label>
      <span class="hint" id={`${id}-place`}>
        {column === null ? 'new column' : `column ${column.letter}`}
      </span>
    </li>
  );
}

export function Fields(props: FieldsProps) {
  const { look, choice, isOpen, toggle } = props;
  const isNone = choice.fields.length === 0;
  return (
    <div class="pick">
      <span class="name">Write</span>
      <div class="written">
        <p>
          {isNone ? 'No figure is chosen' : fieldsText(look, choice)}{' '}
          {!isNone && <span class="hint">{placeText(look, choice)}</span>}
        </p>
        <button
          class="link"
          type="button"
          id={EDIT_FIELDS}
          aria-expanded={isOpen}
          aria-controls="analyze-fields"
          aria-label={isOpen ? 'Close the list of figures' : 'Edit what is written'}
          onClick={toggle}
        >
          {isOpen ? 'close' : 'edit'}
        </button>
      </div>
      <ul class="ticks" id="analyze-fields" hidden={!isOpen}>
        {look.fields.map((field) => (
          <Tick key={field.name} {...props} field={field} />
        ))}
      </ul>
    </div>
  );
}
