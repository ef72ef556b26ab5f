// A switch, told by the place of its knob and by a word, not by its colour alone.

interface SwitchProps {
  readonly id: string;
  readonly isOn: boolean;
  /** What is switched, for those who do not see where it stands. */
  readonly label: string;
  readonly isDisabled: boolean;
  toggle(isOn: boolean): void;
}

export function Switch({ id, isOn, label, isDisabled, toggle }: SwitchProps) {
  return (
    <button
      class="switch"
      type="button"
      role="switch"
      id={id}
      aria-checked={isOn}
      aria-label={label}
      aria-disabled={isDisabled}
      onClick={isDisabled ? undefined : () => toggle(!isOn)}
    >
      <span class="switch-track" aria-hidden="true" />
      <span aria-hidden="true">{isOn ? 'on' : 'off'}</span>
    </button>
  );
}
