// The form for address, key, limit, sharing and settings.

import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import type { Sharing } from '../../../connection/connection';
import type { Quota } from '../../../limit/limit';
import type { ConnectionStatus } from '../../api/connection';
import { Choice, Field, Fold, Problem, Select } from '../ui/fields';
import { Title } from '../ui/heading';
import {
  type ConnectionForm,
  DIALECT_NAMES,
  FIELDS,
  type FieldName,
  FORM_ID,
  type FormField,
  ownOf,
  type Problems,
  settingsOf,
  USUAL_NAMES,
  USUAL_PERIODS_SECONDS,
} from './form';
import { readPaste, tidyKey } from './pasted';
import {
  FIELD_WORDS,
  keepKeyText,
  keyEndText,
  moreSettingsText,
  optionsOf,
  periodName,
  SHARING_WORDS,
  VIEW_TEXTS,
} from './texts';

/** The end of a key is shown only if the key is long; of a short one it would reveal too much. */
const SHORTEST_SHOWN_LENGTH = 16;
const SHOWN_LENGTH = 4;

function keyHintOf(was: ConnectionStatus, key: string): string {
  if (key.length >= SHORTEST_SHOWN_LENGTH) {
    return keyEndText(key.slice(-SHOWN_LENGTH), key.length);
  }
  const own = ownOf(was);
  if (own !== null) return keepKeyText(own.keyMask);
  return VIEW_TEXTS.keyHint;
}

interface KeyFieldProps {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly was: ConnectionStatus;
  readonly problem: string | undefined;
  readonly isSaving: boolean;
  typed(): void;
  onPaste(event: ClipboardEvent): void;
}

function KeyField({ input, was, problem, isSaving, typed, onPaste }: KeyFieldProps) {
  const [hint, setHint] = useState(() => keyHintOf(was, ''));
  const onInput = (event: { readonly currentTarget: HTMLInputElement }): void => {
    const field = event.currentTarget;
    const key = tidyKey(field.value);
    if (key !== field.value) field.value = key;
    setHint(keyHintOf(was, key));
    typed();
  };
  return (
    <Field id="apiKey" label={VIEW_TEXTS.key} hint={hint} problem={problem}>
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

/** A limit as the values of its fields. */
const limitFields = ({ calls, perSeconds }: Quota): Partial<ConnectionForm> => ({
  calls: String(calls),
  perSeconds,
  findOut: false,
});

interface LimitFieldProps {
  readonly form: ConnectionForm;
  readonly problem: string | undefined;
  readonly isSaving: boolean;
  edit(change: Partial<ConnectionForm>): void;
}

function LimitField({ form, problem, isSaving, edit }: LimitFieldProps) {
  const isUsual = USUAL_PERIODS_SECONDS.includes(form.perSeconds);
  const periods = isUsual ? USUAL_PERIODS_SECONDS : [form.perSeconds, ...USUAL_PERIODS_SECONDS];
  return (
    <fieldset class="field">
      <legend>{VIEW_TEXTS.limit}</legend>
      <div class="limit">
        <input
          id="quota"
          type="text"
          inputMode="numeric"
          autocomplete="off"
          aria-label={VIEW_TEXTS.calls}
          value={form.findOut ? '' : form.calls}
          disabled={form.findOut}
          readOnly={isSaving}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : 'quota-problem'}
          onInput={(event) => edit({ calls: event.currentTarget.value })}
        />
        <span aria-hidden="true">{VIEW_TEXTS.perSign}</span>
        <Select
          label={VIEW_TEXTS.per}
          options={periods.map((seconds) => [String(seconds), periodName(seconds)])}
          value={String(form.perSeconds)}
          isDisabled={form.findOut || isSaving}
          choose={(seconds) => edit({ perSeconds: Number(seconds) })}
        />
      </div>
      <Problem id="quota-problem" text={problem} />
      <Choice
        type="checkbox"
        id="find-out"
        label={VIEW_TEXTS.detectAutomatically}
        hint={VIEW_TEXTS.detectHint}
        isChecked={form.findOut}
        isDisabled={isSaving}
        choose={(findOut) => edit({ findOut })}
      />
    </fieldset>
  );
}

const CHOICES: readonly Sharing[] = ['me', 'spreadsheet'];

interface SharingFieldProps {
  readonly sharing: Sharing;
  readonly problem: string | undefined;
  readonly isSaving: boolean;
  edit(change: Partial<ConnectionForm>): void;
}

function SharingField({ sharing, problem, isSaving, edit }: SharingFieldProps) {
  return (
    <fieldset class="field">
      <legend>{VIEW_TEXTS.whoUsesIt}</legend>
      {CHOICES.map((choice) => (
        <Choice
          key={choice}
          type="radio"
          group="sharing"
          // The selected one receives the focus when this field is to be changed or corrected.
          id={choice === sharing ? 'sharing' : `sharing-${choice}`}
          {...SHARING_WORDS[choice]}
          isChecked={choice === sharing}
          isDisabled={isSaving}
          choose={() => edit({ sharing: choice })}
        />
      ))}
      <Problem id="sharing-problem" text={problem} />
    </fieldset>
  );
}

interface SettingsFieldsProps {
  readonly form: ConnectionForm;
  readonly problems: Problems;
  readonly isOpen: boolean;
  readonly isSaving: boolean;
  edit(change: Partial<ConnectionForm>): void;
  toggle(isOpen: boolean): void;
}

/** A field from the table, either with text or with options. */
function TableField(props: SettingsFieldsProps & { readonly name: FieldName }) {
  const { name, form, isSaving } = props;
  const { options, charsMax, isCount }: FormField = FIELDS[name];
  const { label, hint, placeholder } = FIELD_WORDS[name];
  const problem = props.problems[name];
  const put = (text: string) => props.edit({ [name]: text });
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
            value={form[name]}
            readOnly={isSaving}
            aria-invalid={problem !== undefined}
            aria-describedby={describedBy}
            onInput={(event) => put(event.currentTarget.value)}
          />
        ) : (
          <Select
            id={name}
            options={optionsOf(name, options)}
            value={form[name]}
            isDisabled={isSaving}
            describedBy={describedBy}
            choose={put}
          />
        )
      }
    </Field>
  );
}

function DeveloperFold(props: SettingsFieldsProps) {
  const [isOpened, setOpened] = useState(false);
  const isWrong = DIALECT_NAMES.some((name) => props.problems[name] !== undefined);
  return (
    <Fold
      id="developer-settings"
      name={VIEW_TEXTS.forDevelopers}
      hint={VIEW_TEXTS.forDevelopersHint}
      isOpen={isOpened || isWrong}
      toggle={setOpened}
    >
      {DIALECT_NAMES.map((name) => (
        <TableField key={name} name={name} {...props} />
      ))}
    </Fold>
  );
}

function SettingsFields(props: SettingsFieldsProps) {
  const { form, problems, isOpen, toggle } = props;
  const isWrong = problems.settings !== undefined;
  return (
    <Fold
      id="settings"
      name={VIEW_TEXTS.moreSettings}
      hint={moreSettingsText(form.sharing, settingsOf(form))}
      isOpen={isOpen}
      describedBy={isWrong ? 'settings-problem' : undefined}
      toggle={toggle}
    >
      <Problem id="settings-problem" text={problems.settings} />
      <SharingField
        sharing={form.sharing}
        problem={problems.sharing}
        isSaving={props.isSaving}
        edit={props.edit}
      />
      {USUAL_NAMES.map((name) => (
        <TableField key={name} name={name} {...props} />
      ))}
      <DeveloperFold {...props} />
    </Fold>
  );
}

interface WhichAddressProps {
  readonly choices: readonly string[];
  readonly chosen: string;
  readonly isSaving: boolean;
  choose(baseUrl: string): void;
}

/** A pasted message has several addresses, and nothing in it says which one is called. */
function WhichAddress({ choices, chosen, isSaving, choose }: WhichAddressProps) {
  return (
    <fieldset class="field" id="which-address">
      <legend>{VIEW_TEXTS.whichAddress}</legend>
      {choices.map((address, at) => (
        <Choice
          key={address}
          type="radio"
          group="which-address"
          id={`which-address-${at}`}
          label={address}
          hint=""
          isChecked={address === chosen}
          isDisabled={isSaving}
          choose={() => choose(address)}
        />
      ))}
    </fieldset>
  );
}

interface EntryFormProps {
  readonly was: ConnectionStatus;
  readonly form: ConnectionForm;
  readonly problems: Problems;
  readonly isSaving: boolean;
  readonly areSettingsOpen: boolean;
  /** The key is read from its input when the form is submitted and is stored nowhere else. */
  readonly keyInput: RefObject<HTMLInputElement | null>;
  keyTyped(): void;
  edit(change: Partial<ConnectionForm>): void;
  tidy(): void;
  toggleSettings(isOpen: boolean): void;
  submit(): void;
}

export function EntryForm(props: EntryFormProps) {
  const { was, form, problems, isSaving } = props;
  const [choices, setChoices] = useState<readonly string[]>([]);
  const isChange = ownOf(was) !== null;
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    if (!isSaving) props.submit();
  };
  const typed = (baseUrl: string): void => {
    setChoices([]);
    props.edit({ baseUrl });
  };
  // A person who received address and key in one message can paste both at once.
  const onPaste = (event: ClipboardEvent): void => {
    const pasted = readPaste(event.clipboardData?.getData('text') ?? '');
    const field = props.keyInput.current;
    if (pasted === null || field === null || isSaving) return;
    event.preventDefault();
    const { baseUrl, limit } = pasted;
    setChoices(pasted.choices);
    props.edit({ baseUrl, ...(limit && limitFields(limit)) });
    if (pasted.apiKey === '') return;
    field.value = pasted.apiKey;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.focus();
  };
  return (
    <form id={FORM_ID} novalidate onSubmit={onSubmit} aria-busy={isSaving}>
      <Title
        id="connection-title"
        text={isChange ? VIEW_TEXTS.changeTheConnection : VIEW_TEXTS.connectYourKey}
        {...(!isChange && { lead: VIEW_TEXTS.connectLead })}
      />
      <Field id="baseUrl" label={VIEW_TEXTS.address} problem={problems.baseUrl}>
        {(describedBy) => (
          <input
            id="baseUrl"
            type="url"
            inputMode="url"
            autocomplete="off"
            spellcheck={false}
            placeholder={VIEW_TEXTS.addressStart}
            value={form.baseUrl}
            readOnly={isSaving}
            required
            aria-invalid={problems.baseUrl !== undefined}
            aria-describedby={describedBy}
            onInput={(event) => typed(event.currentTarget.value)}
            onBlur={props.tidy}
            onPaste={onPaste}
          />
        )}
      </Field>
      {choices.length > 0 && (
        <WhichAddress
          choices={choices}
          chosen={form.baseUrl}
          isSaving={isSaving}
          choose={(baseUrl) => props.edit({ baseUrl })}
        />
      )}
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
