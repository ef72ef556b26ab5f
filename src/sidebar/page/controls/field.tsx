// One labelled field: its label above, and below it either a hint or what is wrong with it.
import type { ComponentChildren } from 'preact';
import { FailureIcon } from '../frame/icons';

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
  /** Given the ids of what describes the control, for its `aria-describedby`. */
  children(describedBy: string | undefined): ComponentChildren;
}

export function Field({ id, label, hint: usualHint, problem, children }: FieldProps) {
  // One thing to read at a time: while something is wrong, that.
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
