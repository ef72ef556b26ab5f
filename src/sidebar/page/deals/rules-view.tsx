// The rules of the profile in use. Each change applies at once, in the tab and in every decision.

import { useState } from 'preact/hooks';
import type { ListCell } from '../../../deal/list';
import { RULES, readRules } from '../../../deal/rules-tab';
import type { RuleKey } from '../../../product/deal-rules';
import { Fold, Picker } from '../ui/fields';
import type { Effects } from './actions';
import type { ListView } from './state';
import { RULE_GROUPS, RULE_WORDS, shownNumber, typedNumber, VIEW_TEXTS } from './texts';

interface RulesProps {
  readonly view: ListView;
  readonly effects: Effects;
  /** "$" */
  readonly sign: string;
}

type Values = { readonly [Key in RuleKey]?: ListCell };

const USUAL: Values = Object.fromEntries(
  RULES.map(({ key, usual }) => [key, usual === '' ? null : usual]),
);

interface RuleProps extends RulesProps {
  readonly name: RuleKey;
  readonly value: ListCell | undefined;
}

function Flag({ name, value, view, effects }: RuleProps) {
  const id = `deals-${name}`;
  return (
    <li class="tick">
      <input
        type="checkbox"
        id={id}
        checked={value === true}
        disabled={view.asked !== null}
        onChange={({ currentTarget }) => void effects.actions.setRule(name, currentTarget.checked)}
      />
      <label for={id}>{RULE_WORDS[name].label}</label>
    </li>
  );
}

function Rule(props: RuleProps) {
  const { name, value, view, effects, sign } = props;
  if (RULES.find(({ key }) => key === name)?.kind === 'flag') return <Flag {...props} />;
  const { label, unit } = RULE_WORDS[name];
  const id = `deals-${name}`;
  const shown = shownNumber(name, value);
  return (
    <li class="rule">
      <label for={id}>
        {label}
        {unit !== '' && <span class="hint"> {unit === 'money' ? sign : unit}</span>}
      </label>
      <input
        id={id}
        inputMode="decimal"
        value={shown}
        placeholder={VIEW_TEXTS.anyNumber}
        disabled={view.asked !== null}
        onChange={({ currentTarget }) => {
          const typed = typedNumber(name, currentTarget.value);
          if (typed === undefined) currentTarget.value = shown;
          else void effects.actions.setRule(name, typed);
        }}
      />
    </li>
  );
}

function NewProfile({ view, effects }: Omit<RulesProps, 'sign'>) {
  const [name, setName] = useState('');
  const add = () => {
    const wanted = name.trim();
    if (wanted === '') return;
    setName('');
    void effects.actions.addProfile(wanted);
  };
  return (
    <form
      class="rule"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <input
        id="deals-new-profile"
        aria-label={VIEW_TEXTS.newProfile}
        placeholder={VIEW_TEXTS.newProfileHint}
        value={name}
        maxLength={40}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <button class="link" type="submit" disabled={view.asked !== null}>
        {VIEW_TEXTS.add}
      </button>
    </form>
  );
}

export function Rules(props: RulesProps) {
  const { view, effects } = props;
  const { rules } = view.look;
  const read = rules === null ? null : readRules(rules);
  const values: Values = read?.profiles.find(({ name }) => name === read.profile)?.values ?? USUAL;
  const profiles = read?.profiles.map(({ name }) => [name, name] as const) ?? [];
  return (
    <Fold
      id="deals-rules"
      name={VIEW_TEXTS.rules}
      hint={read === null || profiles.length < 2 ? '' : read.profile}
      isOpen={effects.state.areRulesOpen}
      toggle={(isOpen) => effects.dispatch({ type: 'rulesToggled', isOpen })}
    >
      {read !== null && profiles.length > 1 && (
        <Picker
          id="deals-profile"
          label={VIEW_TEXTS.profile}
          value={read.profile}
          options={profiles}
          choose={(name) => void effects.actions.chooseProfile(name)}
        />
      )}
      {RULE_GROUPS.map(({ name: group, keys }) => (
        <fieldset key={group} class="rules">
          <legend>{group}</legend>
          <ul>
            {keys.map((name) => (
              <Rule key={name} {...props} name={name} value={values[name]} />
            ))}
          </ul>
        </fieldset>
      ))}
      <NewProfile view={view} effects={effects} />
      <p class="hint">{VIEW_TEXTS.rulesHint}</p>
    </Fold>
  );
}
