// Fields, options, folds and icons that several pages use.

import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { Options } from './texts';

export interface NumberLineProps {
  readonly count: number;
  readonly words: string;
  /** Numbers without a tone need no attention. */
  readonly tone?: 'caution';
}

interface IconProps {
  readonly path: string;
}

function Icon({ path }: IconProps) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path d={path} fill="currentColor" />
    </svg>
  );
}

/** A disc with an exclamation mark cut out. */
export function FailureIcon() {
  return <Icon path="M10 2a8 8 0 1 1 0 16a8 8 0 0 1 0-16zM9 5.5v5.5h2V5.5zM9 12.5v2h2v-2z" />;
}

/** A disc with a tick cut out. */
export function DoneIcon() {
  return <Icon path="M10 2a8 8 0 1 1 0 16a8 8 0 0 1 0-16zM9 14l5.5-5.5L13 7l-4 4-2-2-1.5 1.5z" />;
}

interface ProblemProps {
  readonly id: string;
  readonly text: string | undefined;
}

export function Problem({ id, text }: ProblemProps) {
  if (text === undefined) return null;
  return (
    <p class="problem" id={id}>
      <FailureIcon />
      {text}
    </p>
  );
}

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly problem: string | undefined;
  /** Receives the ids of the elements that describe the control, for its `aria-describedby`. */
  children(describedBy: string | undefined): ComponentChildren;
}

export function Field({ id, label, hint: usualHint, problem, children }: FieldProps) {
  // A problem replaces the hint, so that there is one thing to read.
  const hint = problem === undefined ? usualHint : undefined;
  const ids = [
    ...(problem === undefined ? [] : [`${id}-problem`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
  ];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(ids.length === 0 ? undefined : ids.join(' '))}
      <Problem id={`${id}-problem`} text={problem} />
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly type: 'checkbox' | 'radio';
  readonly id: string;
  /** The name that radio buttons of one group share. */
  readonly group?: string;
  readonly label: string;
  readonly hint: string;
  readonly isChecked: boolean;
  readonly isDisabled: boolean;
  choose(isChecked: boolean): void;
}

/** The hint is outside the label: it describes the option and is not part of its name. */
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

interface SelectProps {
  readonly id?: string;
  /** The name for screen readers if there is no visible label. */
  readonly label?: string;
  readonly options: Options<string>;
  readonly value: string;
  readonly isDisabled?: boolean;
  readonly describedBy?: string | undefined;
  choose(value: string): void;
}

export function Select(props: SelectProps) {
  return (
    <select
      id={props.id}
      aria-label={props.label}
      value={props.value}
      disabled={props.isDisabled}
      aria-describedby={props.describedBy}
      onChange={(event) => props.choose(event.currentTarget.value)}
    >
      {props.options.map(([one, name]) => (
        <option key={one} value={one}>
          {name}
        </option>
      ))}
    </select>
  );
}

interface PickerProps extends SelectProps {
  readonly id: string;
  readonly label: string;
}

/** The label is to the left of the field. */
export function Picker({ label, ...select }: PickerProps) {
  return (
    <div class="pick">
      <label for={select.id}>{label}</label>
      <Select {...select} />
    </div>
  );
}

interface LinkProps {
  readonly id?: string | undefined;
  /** A label for screen readers if the words alone say too little. */
  readonly label?: string;
  readonly isDisabled?: boolean;
  /** Whether the part that it unfolds is open. */
  readonly isOpen?: boolean;
  press(): void;
  readonly children: ComponentChildren;
}

/** A button that looks like a link. Unlike `disabled`, being busy does not take its focus away. */
export function Link({ id, label, isDisabled, isOpen, press, children }: LinkProps) {
  return (
    <button
      class="link"
      type="button"
      id={id}
      aria-disabled={isDisabled}
      aria-label={label}
      aria-expanded={isOpen}
      onClick={isDisabled === true ? undefined : press}
    >
      {children}
    </button>
  );
}

interface FoldProps {
  readonly id: string;
  readonly name: string;
  /** A summary of the content while it is folded. */
  readonly hint?: string;
  readonly isOpen: boolean;
  readonly describedBy?: string | undefined;
  toggle(isOpen: boolean): void;
  readonly children: ComponentChildren;
}

export function Fold({ id, name, hint = '', isOpen, describedBy, toggle, children }: FoldProps) {
  const summary = useRef<HTMLElement>(null);
  const onToggle = ({ currentTarget }: { readonly currentTarget: HTMLDetailsElement }): void => {
    const isOpened = currentTarget.open;
    if (isOpened !== isOpen) toggle(isOpened);
    // If it was opened because of a problem inside, the focus is there, and that has to stay
    // visible.
    if (isOpened && document.activeElement === summary.current)
      currentTarget.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isOpen) return;
    // Escape closes only the innermost open part, so that typed text stays.
    event.stopPropagation();
    toggle(false);
    summary.current?.focus();
  };
  return (
    <details class="fold" open={isOpen} onToggle={onToggle} onKeyDown={onKeyDown}>
      <summary ref={summary} id={id} aria-describedby={describedBy}>
        <span class="name">{name}</span>
        {!isOpen && hint !== '' && <span class="hint">{hint}</span>}
      </summary>
      {children}
    </details>
  );
}

/** Two cells of the grid of numbers; the rest of the line follows them. */
export function NumberLine({ count, words, tone }: NumberLineProps) {
  return (
    <>
      <span class={`number ${tone ?? ''}`}>{count.toLocaleString()}</span>
      <span>{words}</span>
    </>
  );
}
