// The form for address, key, limit and settings.

import { signal } from '@preact/signals-core';
import { useEffect } from 'preact/hooks';
import { seenText } from '../../../product/cell-text';
import type { ConnectionStatus } from '../../api/connection';
import { focus } from '../ui/app';
import { Unfold } from '../ui/doing';
import { Choice, Field, Problem, Select, TextField } from '../ui/fields';
import { Title } from '../ui/heading';
import {
  CONNECT,
  edit,
  form,
  hasKey,
  KEY,
  MESSAGE,
  mended,
  save,
  submit,
  TITLE,
  tidy,
} from './connection';
import {
  type ConnectionForm,
  DIALECT_NAMES,
  FIELDS,
  type FieldName,
  moreSettingsText,
  USUAL_NAMES,
} from './input';
import { type Pasted, readMessage, readPaste, tidyKey } from './pasted';
import { hostOf, ownOf, periodName, USUAL_PERIODS_SECONDS } from './status';

interface PartProps {
  readonly values: ConnectionForm;
}

interface TypedProps extends PartProps {
  readonly was: ConnectionStatus;
}

/** Several addresses in a pasted message, of which nothing in it says which one is called. */
const choices = signal<readonly string[]>([]);
/** What may be shown of the typed key. */
const keySeen = signal('');
/** Whether the box has a text without address and key. */
const isUnread = signal(false);

/** Fills the form with what a text has. */
function fill({ baseUrl, choices: several, apiKey, limit }: Pasted): void {
  choices.value = several;
  edit({
    ...((baseUrl !== '' || several.length > 0) && { baseUrl }),
    ...(limit && { ...limit, calls: String(limit.calls), findOut: false }),
  });
  const field = document.getElementById(KEY);
  if (apiKey === '' || !(field instanceof HTMLInputElement)) return;
  field.value = apiKey;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

const pastedIn = (event: ClipboardEvent): string => event.clipboardData?.getData('text') ?? '';

/** A whole message may be pasted into the field of the address or of the key, too. */
function onPaste(event: ClipboardEvent): void {
  const pasted = readPaste(pastedIn(event));
  if (pasted === null) return;
  event.preventDefault();
  fill(pasted);
  document.getElementById(KEY)?.focus();
}

/** The end of a key is shown only if the key is long; of a short one it would reveal too much. */
const SHORTEST_SHOWN_LENGTH = 16;
const SHOWN_LENGTH = 4;

const seenOf = (key: string): string =>
  key.length < SHORTEST_SHOWN_LENGTH
    ? ''
    : `…${key.slice(-SHOWN_LENGTH)}, ${key.length} characters`;

function keyHint(was: ConnectionStatus): string {
  if (keySeen.value !== '') return `Ends in ${keySeen.value}.`;
  const own = ownOf(was);
  return own === null
    ? 'Kept at Google for this add-on. Only the last 4 characters are shown.'
    : `Leave empty to keep ${own.keyMask}.`;
}

function KeyField({ was }: Pick<TypedProps, 'was'>) {
  return (
    <TextField
      id={KEY}
      label="Key"
      hint={keyHint(was)}
      problem={form.problems.value[KEY]}
      isSecret
      isRequired={ownOf(was) === null}
      typed={(input) => {
        const key = tidyKey(input.value);
        if (key !== input.value) input.value = key;
        keySeen.value = seenOf(key);
        mended(key !== '');
      }}
      pasted={onPaste}
    />
  );
}

function AddressField({ values: { baseUrl } }: PartProps) {
  return (
    <TextField
      id="baseUrl"
      label="Address"
      problem={form.problems.value.baseUrl}
      keyboard="url"
      placeholder="https://"
      value={baseUrl}
      isRequired
      typed={({ value }) => {
        choices.value = [];
        edit({ baseUrl: value });
      }}
      left={tidy}
      pasted={onPaste}
    />
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

/** A field from the table, either with text or with options. */
function TableField({ name, values }: PartProps & { readonly name: FieldName }) {
  const { label, hint, placeholder, options, charsMax, isCount } = FIELDS[name];
  const field = { id: name, label, hint, problem: form.problems.value[name] };
  const put = (text: string) => edit({ [name]: text });
  if (options === undefined)
    return (
      <TextField
        {...field}
        keyboard={isCount ? 'numeric' : undefined}
        placeholder={placeholder}
        charsMax={charsMax}
        value={values[name]}
        typed={({ value }) => put(value)}
      />
    );
  return (
    <Field {...field}>
      {(describedBy) => (
        <Select
          id={name}
          options={options}
          value={values[name]}
          describedBy={describedBy}
          choose={put}
        />
      )}
    </Field>
  );
}

function WhichAddress({ values: { baseUrl } }: PartProps) {
  if (choices.value.length === 0) return null;
  return (
    <fieldset class="field" id="which-address">
      <legend>Which address is called for analyses?</legend>
      {choices.value.map((address, at) => (
        <Choice
          key={address}
          type="radio"
          group="which-address"
          id={`which-address-${at}`}
          label={address}
          hint=""
          isChecked={address === baseUrl}
          isDisabled={false}
          choose={() => edit({ baseUrl: address })}
        />
      ))}
    </fieldset>
  );
}

/** Empties the box if its text has something, so that a key does not stay in view. */
function readBox(box: HTMLTextAreaElement, text: string): boolean {
  const read = readMessage(text);
  isUnread.value = read === null && seenText(text) !== '';
  if (read === null) return false;
  box.value = '';
  fill(read);
  if (form.values.value?.baseUrl && hasKey.value) focus(CONNECT);
  return true;
}

function MessageBox() {
  const problem = isUnread.value ? 'No address and no key was found in this text.' : undefined;
  return (
    <Field id={MESSAGE} label="Paste the message with your address and key" problem={problem}>
      {(describedBy) => (
        <textarea
          id={MESSAGE}
          rows={3}
          autocomplete="off"
          spellcheck={false}
          aria-invalid={problem !== undefined}
          aria-describedby={describedBy}
          onPaste={(event) => {
            if (readBox(event.currentTarget, pastedIn(event))) event.preventDefault();
          }}
          onChange={({ currentTarget }) => readBox(currentTarget, currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** What was read of the message. */
function Read({ values: { baseUrl, calls, perSeconds, findOut } }: PartProps) {
  const parts = [
    ...(baseUrl === '' ? [] : [hostOf(baseUrl)]),
    ...(hasKey.value ? [`key ${keySeen.value || 'typed'}`] : []),
    ...(findOut ? [] : [`${calls} per ${periodName(perSeconds)}`]),
  ];
  return (
    <div class="read" aria-live="polite">
      {parts.length > 0 && <p>{`Read: ${parts.join(' · ')}`}</p>}
    </div>
  );
}

/** On the first run a message is pasted; what it lacks is typed. */
function FirstFields({ values, was }: TypedProps) {
  return (
    <>
      <MessageBox />
      <Read values={values} />
      <WhichAddress values={values} />
      <Unfold id="by-hand" name="Type it instead" hint="Address, key and limit">
        <AddressField values={values} />
        <KeyField was={was} />
        <LimitField values={values} />
      </Unfold>
    </>
  );
}

function OwnFields({ values, was }: TypedProps) {
  return (
    <>
      <AddressField values={values} />
      <WhichAddress values={values} />
      <KeyField was={was} />
      <LimitField values={values} />
    </>
  );
}

export function ConnectionFields({ values, was }: TypedProps) {
  const isNew = ownOf(was) === null;
  const Fields = isNew ? FirstFields : OwnFields;
  // What was typed goes with the form, as its key does.
  useEffect(
    () => () => {
      choices.value = [];
      keySeen.value = '';
      isUnread.value = false;
    },
    [],
  );
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
          lead="Your analysis service sends you an address and a key. One call tests them."
        />
      ) : (
        <Title id={TITLE} text="Change the connection" />
      )}
      <fieldset class="plain" disabled={save.isBusy}>
        <Fields values={values} was={was} />
        <Unfold
          id="settings"
          name="More settings"
          hint={moreSettingsText(values) || 'Daily limit, default market'}
        >
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
