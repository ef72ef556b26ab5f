// What the service's description leaves open, folded away: most people never need it.
import { Field, Problem } from '../controls/field';
import { Fold } from '../controls/fold';
import { SelectField } from '../controls/select-field';
import type { ConnectionForm, Problems } from './form';
import {
  DEFAULT_MARKETS,
  MONEY_UNITS,
  PRICE_NAME_CHARS_MAX,
  ROI_UNITS,
  settingsOf,
  settingsText,
  UK_MARKET_CHARS_MAX,
} from './settings';
import { SHARING_NAMES, SharingField } from './sharing-field';

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
        label="Daily call limit for formulas"
        hint="In this spreadsheet. Formulas then say that they wait until tomorrow."
        placeholder="No limit"
        inputMode="numeric"
      />
      <SelectField
        id="defaultMarket"
        label="Default market"
        hint="For formulas that name no market."
        options={DEFAULT_MARKETS}
        value={form.defaultMarket}
        isDisabled={isSaving}
        choose={(defaultMarket) => edit({ defaultMarket })}
      />
      <TextField
        {...props}
        id="ukMarket"
        label="UK market code"
        hint="How the service writes this market."
        placeholder="UK"
        charsMax={UK_MARKET_CHARS_MAX}
      />
      <SelectField
        id="roiUnit"
        label="ROI is sent as"
        hint="Formulas get the fraction once it is known."
        options={ROI_UNITS}
        value={form.roiUnit}
        isDisabled={isSaving}
        choose={(roiUnit) => edit({ roiUnit })}
      />
      <SelectField
        id="moneyUnit"
        label="Money is sent as"
        hint="Formulas get whole amounts once it is known."
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

function hintOf(form: ConnectionForm): string {
  const set = settingsText(settingsOf(form));
  const user = `Used by ${SHARING_NAMES[form.sharing].toLowerCase()}`;
  return set === '' ? user : `${user} · ${set}`;
}

export function SettingsFields(props: SettingsFieldsProps) {
  const { form, problems, isOpen, toggle } = props;
  const isWrong = problems.settings !== undefined;
  return (
    <Fold
      id="settings"
      name="More settings"
      hint={hintOf(form)}
      isOpen={isOpen}
      describedBy={isWrong ? 'settings-problem' : undefined}
      toggle={toggle}
    >
      <Problem id="settings-problem" text={problems.settings} />
      <Fields {...props} />
    </Fold>
  );
}
