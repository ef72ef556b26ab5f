// The field for the key: never shown, never stored, and forgiving about how it was copied.
import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import type { ConnectionStatus } from '../../rpc-contract';
import { Field } from '../controls/field';
import { ownOf, tidyKey } from './form';

/** Only of a long key may the end be shown: of a short one it would be too much of it. */
const SHORTEST_SHOWN_LENGTH = 16;
const SHOWN_LENGTH = 4;

function hintOf(was: ConnectionStatus, key: string): string {
  if (key.length >= SHORTEST_SHOWN_LENGTH) {
    return `Ends in …${key.slice(-SHOWN_LENGTH)}, ${key.length} characters.`;
  }
  const own = ownOf(was);
  if (own !== null) return `Leave empty to keep ${own.keyMask}.`;
  return 'Stored securely by Google. Only the last 4 characters are shown.';
}

interface KeyFieldProps {
  readonly input: RefObject<HTMLInputElement>;
  readonly was: ConnectionStatus;
  readonly problem: string | undefined;
  readonly isSaving: boolean;
  typed(): void;
  onPaste(event: ClipboardEvent): void;
}

export function KeyField({ input, was, problem, isSaving, typed, onPaste }: KeyFieldProps) {
  const [hint, setHint] = useState(() => hintOf(was, ''));
  const onInput = (event: { readonly currentTarget: HTMLInputElement }): void => {
    const field = event.currentTarget;
    const key = tidyKey(field.value);
    if (key !== field.value) field.value = key;
    setHint(hintOf(was, key));
    typed();
  };
  return (
    <Field id="apiKey" label="Key" hint={hint} problem={problem}>
      {(describedBy) => (
        <input
          id="apiKey"
          ref={input}
          type="password"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          readOnly={isSaving}
          required={ownOf(was) === null}
          aria-invalid={problem !== undefined}
          aria-describedby={describedBy}
          onInput={onInput}
          onPaste={onPaste}
        />
      )}
    </Field>
  );
}
