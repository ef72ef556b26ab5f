// The form that connects a key, or changes what is connected.
import type { RefObject } from 'preact';
import type { ConnectionStatus } from '../../rpc-contract';
import { Field } from '../controls/field';
import { type ConnectionForm, ownOf, type Problems } from './form';
import { KeyField } from './key-field';
import { LimitField } from './limit-field';
import { addressAndKey } from './pasted';
import { SettingsFields } from './settings-fields';

export const FORM_ID = 'connection-form';

interface EntryFormProps {
  readonly was: ConnectionStatus;
  readonly form: ConnectionForm;
  readonly problems: Problems;
  readonly isSaving: boolean;
  readonly areSettingsOpen: boolean;
  /** The key is read from its field when the form is sent, and is nowhere else. */
  readonly keyInput: RefObject<HTMLInputElement>;
  keyTyped(): void;
  edit(change: Partial<ConnectionForm>): void;
  tidy(): void;
  toggleSettings(isOpen: boolean): void;
  submit(): void;
}

export function EntryForm(props: EntryFormProps) {
  const { was, form, problems, isSaving } = props;
  const isChange = ownOf(was) !== null;
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    if (!isSaving) props.submit();
  };
  // Whoever was sent both in one message pastes it once.
  const onPaste = (event: ClipboardEvent): void => {
    const pasted = addressAndKey(event.clipboardData?.getData('text') ?? '');
    const field = props.keyInput.current;
    if (pasted === null || field === null || isSaving) return;
    event.preventDefault();
    props.edit({ baseUrl: pasted.baseUrl });
    field.value = pasted.apiKey;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.focus();
  };
  return (
    <form id={FORM_ID} novalidate onSubmit={onSubmit} aria-busy={isSaving}>
      <h1 id="connection-title" tabIndex={-1}>
        {isChange ? 'Change the connection' : 'Connect your key'}
      </h1>
      {!isChange && (
        <p class="lead">
          Paste the whole message with your address and key. We’ll test it with one call.
        </p>
      )}
      <Field id="baseUrl" label="Address" problem={problems.baseUrl}>
        {(describedBy) => (
          <input
            id="baseUrl"
            type="url"
            inputMode="url"
            autocomplete="off"
            spellcheck={false}
            placeholder="https://"
            value={form.baseUrl}
            readOnly={isSaving}
            required
            aria-invalid={problems.baseUrl !== undefined}
            aria-describedby={describedBy}
            onInput={(event) => props.edit({ baseUrl: event.currentTarget.value })}
            onBlur={props.tidy}
            onPaste={onPaste}
          />
        )}
      </Field>
      <KeyField
        onPaste={onPaste}
        input={props.keyInput}
        was={was}
        problem={problems.apiKey}
        isSaving={isSaving}
        typed={props.keyTyped}
      />
      <LimitField form={form} problem={problems.quota} isSaving={isSaving} edit={props.edit} />
      <SettingsFields
        form={form}
        problems={problems}
        isOpen={props.areSettingsOpen}
        isSaving={isSaving}
        edit={props.edit}
        toggle={props.toggleSettings}
      />
    </form>
  );
}
