// The form for address, key, limit, sharing and settings.

import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import type { Sharing } from '../../../connection/connection-store';
import type { Quota } from '../../../quota/rate';
import type { ConnectionStatus } from '../../api/connection';
import { Choice, Field, Fold, Problem, SelectField } from '../ui/fields';
import {
  addressAndKey,
  type ConnectionForm,
  DEFAULT_MARKETS,
  FORM_ID,
  MONEY_UNITS,
  ownOf,
  PRICE_NAME_CHARS_MAX,
  type Problems,
  periodName,
  ROI_UNITS,
  settingsOf,
  settingsText,
  tidyKey,
  UK_MARKET_CHARS_MAX,
  USUAL_PERIODS_SECONDS,
} from './form';
import { VIEW_TEXTS } from './texts';

/** Only of a long key may the end be shown: of a short one it would be too much of it. */
const SHORTEST_SHOWN_LENGTH = 16;
const SHOWN_LENGTH = 4;

function keyHintOf(was: ConnectionStatus, key: string): string {
  if (key.length >= SHORTEST_SHOWN_LENGTH) {
    return `Ends in …${key.slice(-SHOWN_LENGTH)}, ${key.length} characters.`;
  }
  const own = ownOf(was);
  if (own !== null) return `Leave empty to keep ${own.keyMask}.`;
  return VIEW_TEXTS.keyHint;
}

interface KeyFieldProps {
  readonly input: RefObject<HTMLInputElement>;
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

/** A limit as its fields hold it. */
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
        <span aria-hidden="true">per</span>
        <select
          aria-label={VIEW_TEXTS.per}
          value={String(form.perSeconds)}
          disabled={form.findOut || isSaving}
          onChange={(event) => edit({ perSeconds: Number(event.currentTarget.value) })}
        >
          {periods.map((seconds) => (
            <option key={seconds} value={String(seconds)}>
              {periodName(seconds)}
            </option>
          ))}
        </select>
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

/** What the choice is called, here and where it is summed up. */
const SHARING_NAMES: Readonly<Record<Sharing, string>> = {
  me: 'Me and my spreadsheets',
  spreadsheet: 'This spreadsheet’s formulas',
};

const SHARING_HINTS: Readonly<Record<Sharing, string>> = {
  me: 'Your runs and schedules, and formulas in spreadsheets you own, whoever edits them.',
  spreadsheet: 'Everyone who edits here spends your calls. The key is not shown to them.',
};

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
          // The chosen one takes the focus when this field is to be changed or mended.
          id={choice === sharing ? 'sharing' : `sharing-${choice}`}
          label={SHARING_NAMES[choice]}
          hint={SHARING_HINTS[choice]}
          isChecked={choice === sharing}
          isDisabled={isSaving}
          choose={() => edit({ sharing: choice })}
        />
      ))}
      <Problem id="sharing-problem" text={problem} />
    </fieldset>
  );
}

type TextSetting =
  | 'cellsPerDay'
  | 'ukMarket'
  | 'buyPriceName'
  | 'sellPriceName'
  | 'eligibleName'
  | 'feesName';

interface SettingsFieldsProps {
  readonly form: ConnectionForm;
  readonly problems: Problems;
  readonly isOpen: boolean;
  readonly isSaving: boolean;
  edit(change: Partial<ConnectionForm>): void;
  toggle(isOpen: boolean): void;
}

interface TextSettingProps extends SettingsFieldsProps {
  readonly id: TextSetting;
  readonly label: string;
  readonly hint: string;
  readonly placeholder?: string;
  readonly charsMax?: number;
  readonly inputMode?: 'numeric';
}

function TextField(props: TextSettingProps) {
  const { id, form, problems } = props;
  const problem = problems[id];
  return (
    <Field id={id} label={props.label} hint={props.hint} problem={problem}>
      {(describedBy) => (
        <input
          id={id}
          type="text"
          inputMode={props.inputMode}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder={props.placeholder ?? 'Detect'}
          maxLength={props.charsMax ?? PRICE_NAME_CHARS_MAX}
          value={form[id]}
          readOnly={props.isSaving}
          aria-invalid={problem !== undefined}
          aria-describedby={describedBy}
          onInput={(event) => props.edit({ [id]: event.currentTarget.value })}
        />
      )}
    </Field>
  );
}

/** The names that the service may give to what we read. */
const NAMES = [
  ['buyPriceName', 'Name of the buy price', 'If a check does not read it as buy_price.'],
  ['sellPriceName', 'Name of the sell price', 'If a check does not read it as sell_price.'],
  ['eligibleName', 'Name of “eligible”', 'If a check does not read it as eligible.'],
  ['feesName', 'Name of the fees', 'If a check does not read them as fees.'],
] as const;

function Fields(props: SettingsFieldsProps) {
  const { form, isSaving, edit } = props;
  return (
    <>
      <SharingField
        sharing={form.sharing}
        problem={props.problems.sharing}
        isSaving={isSaving}
        edit={edit}
      />
      <TextField
        {...props}
        id="cellsPerDay"
        label={VIEW_TEXTS.cellLimit}
        hint={VIEW_TEXTS.cellLimitHint}
        placeholder={VIEW_TEXTS.noLimit}
        inputMode="numeric"
      />
      <SelectField
        id="defaultMarket"
        label={VIEW_TEXTS.defaultMarket}
        hint={VIEW_TEXTS.defaultMarketHint}
        options={DEFAULT_MARKETS}
        value={form.defaultMarket}
        isDisabled={isSaving}
        choose={(defaultMarket) => edit({ defaultMarket })}
      />
    </>
  );
}

/** How the service writes what is read here: found out by a check, and seldom set by hand. */
function DeveloperFields(props: SettingsFieldsProps) {
  const { form, isSaving, edit } = props;
  return (
    <>
      <TextField
        {...props}
        id="ukMarket"
        label={VIEW_TEXTS.ukMarketCode}
        hint={VIEW_TEXTS.ukMarketHint}
        placeholder="UK"
        charsMax={UK_MARKET_CHARS_MAX}
      />
      <SelectField
        id="roiUnit"
        label={VIEW_TEXTS.roiIsSentAs}
        hint={VIEW_TEXTS.roiHint}
        options={ROI_UNITS}
        value={form.roiUnit}
        isDisabled={isSaving}
        choose={(roiUnit) => edit({ roiUnit })}
      />
      <SelectField
        id="moneyUnit"
        label={VIEW_TEXTS.moneyIsSentAs}
        hint={VIEW_TEXTS.moneyHint}
        options={MONEY_UNITS}
        value={form.moneyUnit}
        isDisabled={isSaving}
        choose={(moneyUnit) => edit({ moneyUnit })}
      />
      {NAMES.map(([id, label, hint]) => (
        <TextField key={id} {...props} id={id} label={label} hint={hint} />
      ))}
    </>
  );
}

const DEVELOPER_SETTINGS: readonly (keyof Problems)[] = [
  ...(['ukMarket', 'roiUnit', 'moneyUnit'] as const),
  ...NAMES.map(([id]) => id),
];

function DeveloperFold(props: SettingsFieldsProps) {
  const [isOpened, setOpened] = useState(false);
  const isWrong = DEVELOPER_SETTINGS.some((name) => props.problems[name] !== undefined);
  return (
    <Fold
      id="developer-settings"
      name={VIEW_TEXTS.forDevelopers}
      hint={VIEW_TEXTS.forDevelopersHint}
      isOpen={isOpened || isWrong}
      toggle={setOpened}
    >
      <DeveloperFields {...props} />
    </Fold>
  );
}

function settingsHintOf(form: ConnectionForm): string {
  const set = settingsText(settingsOf(form));
  const user = `Used by ${SHARING_NAMES[form.sharing].toLowerCase()}`;
  return set === '' ? user : `${user} · ${set}`;
}

function SettingsFields(props: SettingsFieldsProps) {
  const { form, problems, isOpen, toggle } = props;
  const isWrong = problems.settings !== undefined;
  return (
    <Fold
      id="settings"
      name={VIEW_TEXTS.moreSettings}
      hint={settingsHintOf(form)}
      isOpen={isOpen}
      describedBy={isWrong ? 'settings-problem' : undefined}
      toggle={toggle}
    >
      <Problem id="settings-problem" text={problems.settings} />
      <Fields {...props} />
      <DeveloperFold {...props} />
    </Fold>
  );
}

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
    const { baseUrl, limit } = pasted;
    props.edit({ baseUrl, ...(limit && limitFields(limit)) });
    field.value = pasted.apiKey;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.focus();
  };
  return (
    <form id={FORM_ID} novalidate onSubmit={onSubmit} aria-busy={isSaving}>
      <h1 id="connection-title" tabIndex={-1}>
        {isChange ? VIEW_TEXTS.changeTheConnection : VIEW_TEXTS.connectYourKey}
      </h1>
      {!isChange && <p class="lead">{VIEW_TEXTS.connectLead}</p>}
      <Field id="baseUrl" label={VIEW_TEXTS.address} problem={problems.baseUrl}>
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
