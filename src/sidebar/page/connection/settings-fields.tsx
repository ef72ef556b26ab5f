// What the service's description leaves open, folded away: most people never need it.
import { useRef } from 'preact/hooks';
import { Field, Problem } from './field';
import type { ConnectionForm, Problems } from './form';
import { SelectField } from './select-field';
import {
  DEFAULT_MARKETS,
  PRICE_NAME_CHARS_MAX,
  ROI_UNITS,
  settingsOf,
  settingsText,
  UK_MARKET_CHARS_MAX,
} from './settings';

type NameSetting = 'ukMarket' | 'buyPriceName' | 'sellPriceName';

interface SettingsFieldsProps {
  readonly form: ConnectionForm;
  readonly problems: Problems;
  readonly isOpen: boolean;
  readonly isSaving: boolean;
  edit(change: Partial<ConnectionForm>): void;
  toggle(isOpen: boolean): void;
}

interface NameFieldProps extends SettingsFieldsProps {
  readonly id: NameSetting;
  readonly label: string;
  readonly hint: string;
  readonly placeholder: string;
  readonly charsMax: number;
}

function NameField(props: NameFieldProps) {
  const { id, form, problems } = props;
  const problem = problems[id];
  return (
    <Field id={id} label={props.label} hint={props.hint} problem={problem}>
      {(describedBy) => (
        <input
          id={id}
          type="text"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder={props.placeholder}
          maxLength={props.charsMax}
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

function Fields(props: SettingsFieldsProps) {
  const { form, isSaving, edit } = props;
  return (
    <>
      <SelectField
        id="defaultMarket"
        label="Default market"
        hint="For formulas that name no market."
        options={DEFAULT_MARKETS}
        value={form.defaultMarket}
        isDisabled={isSaving}
        choose={(defaultMarket) => edit({ defaultMarket })}
      />
      <NameField
        {...props}
        id="ukMarket"
        label="Name of the UK"
        hint="How the service writes this market."
        placeholder="UK"
        charsMax={UK_MARKET_CHARS_MAX}
      />
      <SelectField
        id="roiUnit"
        label="ROI is sent as"
        hint="Once set, formulas always get the fraction."
        options={ROI_UNITS}
        value={form.roiUnit}
        isDisabled={isSaving}
        choose={(roiUnit) => edit({ roiUnit })}
      />
      <NameField
        {...props}
        id="buyPriceName"
        label="Name of the buy price"
        hint="If a check does not read it as buy_price."
        placeholder="Find out"
        charsMax={PRICE_NAME_CHARS_MAX}
      />
      <NameField
        {...props}
        id="sellPriceName"
        label="Name of the sell price"
        hint="If a check does not read it as sell_price."
        placeholder="Find out"
        charsMax={PRICE_NAME_CHARS_MAX}
      />
    </>
  );
}

export function SettingsFields(props: SettingsFieldsProps) {
  const { form, problems, isOpen, toggle } = props;
  const summary = useRef<HTMLElement>(null);
  const text = settingsText(settingsOf(form));
  const isWrong = problems.settings !== undefined;
  const onToggle = ({ currentTarget }: { readonly currentTarget: HTMLDetailsElement }): void => {
    const isOpened = currentTarget.open;
    toggle(isOpened);
    // Opened by what is wrong inside, it has the focus there, and that is what must be seen.
    if (isOpened && document.activeElement === summary.current)
      currentTarget.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isOpen) return;
    // The nearest thing that is open is closed, and no more: what was typed stays.
    event.stopPropagation();
    toggle(false);
    summary.current?.focus();
  };
  return (
    <details class="settings" open={isOpen} onToggle={onToggle} onKeyDown={onKeyDown}>
      <summary
        ref={summary}
        id="settings"
        aria-describedby={isWrong ? 'settings-problem' : undefined}
      >
        <span class="name">Settings for this service</span>
        {!isOpen && text !== '' && <span class="hint">{text}</span>}
      </summary>
      <Problem id="settings-problem" text={problems.settings} />
      <Fields {...props} />
    </details>
  );
}
