// The form that connects a key, or changes what is connected.
import type { RefObject } from 'preact';
import type { ConnectionStatus } from '../../rpc-contract';
import { Field } from './field';
import { type ConnectionForm, ownOf, type Problems } from './form';
import { KeyField } from './key-field';
import { LimitField } from './limit-field';
import { SettingsFields } from './settings-fields';
import { SharingField } from './sharing-field';

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
  return (
    <form id={FORM_ID} novalidate onSubmit={onSubmit} aria-busy={isSaving}>
      <h1 id="title" tabIndex={-1}>
        {isChange ? 'Change the connection' : 'Connect your key'}
      </h1>
      {!isChange && (
        <p class="lead">Enter what the service gave you. One call then shows that it works.</p>
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
          />
        )}
      </Field>
      <KeyField
        input={props.keyInput}
        was={was}
        problem={problems.apiKey}
        isSaving={isSaving}
        typed={props.keyTyped}
      />
      <LimitField form={form} problem={problems.quota} isSaving={isSaving} edit={props.edit} />
      <SharingField
        sharing={form.sharing}
        problem={problems.sharing}
        isSaving={isSaving}
        edit={props.edit}
      />
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
