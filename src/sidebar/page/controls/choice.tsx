// One thing to tick or to choose, with its explanation in one line below its name.
interface ChoiceProps {
  readonly type: 'checkbox' | 'radio';
  readonly id: string;
  /** The name shared by radios of which one is chosen. */
  readonly group?: string;
  readonly label: string;
  readonly hint: string;
  readonly isChecked: boolean;
  readonly isDisabled: boolean;
  choose(isChecked: boolean): void;
}

/** The hint stands outside the label: it describes the choice and is no part of its name. */
export function Choice(props: ChoiceProps) {
  const { type, id, group, label, hint, isChecked, isDisabled } = props;
  return (
    <div class="choice">
      <input
        type={type}
        id={id}
        name={group}
        checked={isChecked}
        disabled={isDisabled}
        aria-describedby={`${id}-hint`}
        onChange={(event) => props.choose(event.currentTarget.checked)}
      />
      <div>
        <label for={id}>{label}</label>
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      </div>
    </div>
  );
}
