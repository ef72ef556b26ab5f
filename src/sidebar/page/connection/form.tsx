// The form for address, key, limit, sharing and settings.

import { useSignal } from '@preact/signals';
import type { Sharing } from '../../../connection/connection';
import type { ConnectionStatus } from '../../api/connection';
import { Unfold } from '../ui/doing';
import { Choice, Field, Problem, Select } from '../ui/fields';
import { Title } from '../ui/heading';
import { edit, form, KEY, mended, save, submit, TITLE, tidy } from './connection';
import {
  type ConnectionForm,
  DIALECT_NAMES,
  FIELDS,
  type FieldName,
  moreSettingsText,
  SHARING_WORDS,
  USUAL_NAMES,
} from './input';
import { readPaste, tidyKey } from './pasted';
import { ownOf, periodName, USUAL_PERIODS_SECONDS } from './status';

interface PartProps {
  readonly values: ConnectionForm;
}

interface KeyFieldProps {
  readonly was: ConnectionStatus;
  onPaste(event: ClipboardEvent): void;
}

/** The end of a key is shown only if the key is long; of a short one it would reveal too much. */
const SHORTEST_SHOWN_LENGTH = 16;
const SHOWN_LENGTH = 4;

function keyHintOf(was: ConnectionStatus, key: string): string {
  if (key.length >= SHORTEST_SHOWN_LENGTH)
    return `Ends in …${key.slice(-SHOWN_LENGTH)}, ${key.length} characters.`;
  const own = ownOf(was);
  return own === null
    ? 'Kept at Google for this add-on. Only the last 4 characters are shown.'
    : `Leave empty to keep ${own.keyMask}.`;
}

function KeyField({ was, onPaste }: KeyFieldProps) {
  const hint = useSignal(keyHintOf(was, ''));
  const problem = form.problems.value[KEY];
  return (
    <Field id={KEY} label="Key" hint={hint.value} problem={problem}>
      {(describedBy) => (
        <input
          id={KEY}
          type="password"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          required={ownOf(was) === null}
          aria-invalid={problem !== undefined}
          aria-describedby={describedBy}
          onInput={({ currentTarget }) => {
            const key = tidyKey(currentTarget.value);
            if (key !== currentTarget.value) currentTarget.value = key;
            hint.value = keyHintOf(was, key);
            mended(key !== '');
          }}
          onPaste={onPaste}
        />
      )}
    </Field>
  );
}

function LimitField({ values: { findOut, calls, perSeconds } }: PartProps) {
  const problem = form.problems.value.quota;
  const periods = [...new Set([...USUAL_PERIODS_SECONDS, perSeconds])];
  return (
    <fieldset class="field">
      <legend>Limit</legend>
      <div class="limit">
        <input
          id="quota"
          type="text"
          inputMode="numeric"
          autocomplete="off"
          aria-label="Calls"
          value={findOut ? '' : calls}
          disabled={findOut}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : 'quota-problem'}
          onInput={(event) => edit({ calls: event.currentTarget.value })}
        />
        <span aria-hidden="true">per</span>
        <Select
          label="Per"
          options={periods.map((seconds) => [String(seconds), periodName(seconds)])}
          value={String(perSeconds)}
          isDisabled={findOut}
          choose={(seconds) => edit({ perSeconds: Number(seconds) })}
        />
      </div>
      <Problem id="quota-problem" text={problem} />
      <Choice
        type="checkbox"
        id="find-out"
        label="Detect automatically"
        hint="Starts slowly, then speeds up to your key’s limit."
        isChecked={findOut}
        isDisabled={false}
        choose={(isOn) => edit({ findOut: isOn })}
      />
    </fieldset>
  );
}

const CHOICES: readonly Sharing[] = ['me', 'spreadsheet'];

function SharingField({ values: { sharing } }: PartProps) {
  return (
    <fieldset class="field">
      <legend>Who uses it</legend>
      {CHOICES.map((choice) => (
        <Choice
          key={choice}
          type="radio"
          group="sharing"
          id={`sharing-${choice}`}
          {...SHARING_WORDS[choice]}
          isChecked={choice === sharing}
          isDisabled={false}
          choose={() => edit({ sharing: choice })}
        />
      ))}
    </fieldset>
  );
}

/** A field from the table, either with text or with options. */
function TableField({ name, values }: PartProps & { readonly name: FieldName }) {
  const { label, hint, placeholder, options, charsMax, isCount } = FIELDS[name];
  const problem = form.problems.value[name];
  const put = (text: string) => edit({ [name]: text });
  return (
    <Field id={name} label={label} hint={hint} problem={problem}>
      {(describedBy) =>
        options === undefined ? (
          <input
            id={name}
            type="text"
            inputMode={isCount ? 'numeric' : undefined}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            placeholder={placeholder}
            maxLength={charsMax}
            value={values[name]}
            aria-invalid={problem !== undefined}
            aria-describedby={describedBy}
            onInput={(event) => put(event.currentTarget.value)}
          />
        ) : (
          <Select
            id={name}
            options={options}
            value={values[name]}
            describedBy={describedBy}
            choose={put}
          />
        )
      }
    </Field>
  );
}

interface WhichAddressProps {
  readonly choices: readonly string[];
  readonly chosen: string;
}

/** A pasted message has several addresses, and nothing in it says which one is called. */
function WhichAddress({ choices, chosen }: WhichAddressProps) {
  return (
    <fieldset class="field" id="which-address">
      <legend>Which address is called for analyses?</legend>
      {choices.map((address, at) => (
        <Choice
          key={address}
          type="radio"
          group="which-address"
          id={`which-address-${at}`}
          label={address}
          hint=""
          isChecked={address === chosen}
          isDisabled={false}
          choose={() => edit({ baseUrl: address })}
        />
      ))}
    </fieldset>
  );
}

export function ConnectionFields({ values, was }: PartProps & { readonly was: ConnectionStatus }) {
  const choices = useSignal<readonly string[]>([]);
  const isNew = ownOf(was) === null;
  const { baseUrl: problem } = form.problems.value;
  // A person who received address and key in one message can paste both at once.
  const onPaste = (event: ClipboardEvent): void => {
    const pasted = readPaste(event.clipboardData?.getData('text') ?? '');
    const field = document.getElementById(KEY);
    if (pasted === null || !(field instanceof HTMLInputElement)) return;
    event.preventDefault();
    const { baseUrl, limit } = pasted;
    choices.value = pasted.choices;
    edit({ baseUrl, ...(limit && { ...limit, calls: String(limit.calls), findOut: false }) });
    if (pasted.apiKey === '') return;
    field.value = pasted.apiKey;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.focus();
  };
  return (
    <form
      id={form.id}
      novalidate
      aria-busy={save.isBusy}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {isNew ? (
        <Title
          id={TITLE}
          text="Connect your key"
          lead="Paste the whole message with your address and key. We’ll test it with one call."
        />
      ) : (
        <Title id={TITLE} text="Change the connection" />
      )}
      <fieldset class="plain" disabled={save.isBusy}>
        <Field id="baseUrl" label="Address" problem={problem}>
          {(describedBy) => (
            <input
              id="baseUrl"
              type="url"
              inputMode="url"
              autocomplete="off"
              spellcheck={false}
              placeholder="https://"
              value={values.baseUrl}
              required
              aria-invalid={problem !== undefined}
              aria-describedby={describedBy}
              onInput={(event) => {
                choices.value = [];
                edit({ baseUrl: event.currentTarget.value });
              }}
              onBlur={tidy}
              onPaste={onPaste}
            />
          )}
        </Field>
        {choices.value.length > 0 && (
          <WhichAddress choices={choices.value} chosen={values.baseUrl} />
        )}
        <KeyField was={was} onPaste={onPaste} />
        <LimitField values={values} />
        <Unfold id="settings" name="More settings" hint={moreSettingsText(values)}>
          <SharingField values={values} />
          {USUAL_NAMES.map((name) => (
            <TableField key={name} name={name} values={values} />
          ))}
          <Unfold
            id="developer-settings"
            name="For developers"
            hint="Market code, units and field names"
          >
            {DIALECT_NAMES.map((name) => (
              <TableField key={name} name={name} values={values} />
            ))}
          </Unfold>
        </Unfold>
      </fieldset>
    </form>
  );
}
