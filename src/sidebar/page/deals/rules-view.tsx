// The rules of the profile in use. Each change applies at once, in the tab and in every decision.

import { useState } from 'preact/hooks';
import { RULES, type RuleRow } from '../../../deal/rules-tab';
import { seenText } from '../../../product/cell-text';
import { type RuleValues, USUAL } from '../../../product/deal-rules';
import { Fold, Picker, Problem } from '../ui/fields';
import type { Effects } from './actions';
import type { ListView } from './state';
import { shownNumber, typedNumber, unitOf, VIEW_TEXTS } from './texts';

interface RulesProps {
  readonly view: ListView;
  readonly effects: Effects;
  /** "$" */
  readonly sign: string;
}

type RuleValue = string | number | boolean | null;

interface RuleProps extends RulesProps {
  readonly rule: RuleRow;
  readonly value: RuleValue | undefined;
}

/** Whether another action than the saving of rules is under way; it is waited for. */
const isOccupied = ({ asked }: RulesProps['view']) => asked !== null && asked !== 'rules';

/**
 * What was typed and is not yet saved, or cannot be. Fields stay open while another rule is saved,
 * so that one can go from field to field; any other action is waited for.
 */
function useRule<Typed extends string | boolean>(
  { rule, view, effects }: RuleProps,
  read: (typed: Typed) => RuleValue | undefined,
) {
  const [typed, setTyped] = useState<Typed | null>(null);
  const [refused, setRefused] = useState<Typed | null>(null);
  const save = async (now: Typed): Promise<void> => {
    setTyped(now);
    const value = read(now);
    setRefused(value === undefined ? now : null);
    if (value === undefined) return;
    await effects.actions.setRule(rule.key, value);
    setTyped((later) => (later === now ? null : later));
  };
  const isRefused = typed !== null && typed === refused;
  return { typed, setTyped, save, isRefused, waits: isOccupied(view) };
}

function Flag(props: RuleProps) {
  const { rule, value } = props;
  const id = `deals-${rule.key}`;
  const { typed, save, waits } = useRule<boolean>(props, (isOn) => isOn);
  return (
    <li class="tick">
      <input
        type="checkbox"
        id={id}
        checked={typed ?? value === true}
        aria-disabled={waits}
        onClick={(event) => {
          if (waits) event.preventDefault();
        }}
        onChange={({ currentTarget }) => void save(currentTarget.checked)}
      />
      <label for={id}>{rule.label}</label>
    </li>
  );
}

function Figure(props: RuleProps) {
  const { rule, value, sign } = props;
  const { key, label, blank = VIEW_TEXTS.anyNumber } = rule;
  const unit = unitOf(rule, sign);
  const id = `deals-${key}`;
  const { typed, setTyped, save, isRefused, waits } = useRule<string>(props, (text) =>
    typedNumber(rule, text),
  );
  return (
    <li class="rule">
      <label for={id}>
        {label}
        {unit !== '' && <span class="hint"> {unit}</span>}
      </label>
      <input
        id={id}
        inputMode="decimal"
        value={typed ?? shownNumber(rule, value)}
        placeholder={blank}
        readOnly={waits}
        aria-invalid={isRefused}
        aria-describedby={isRefused ? `${id}-problem` : undefined}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onChange={({ currentTarget }) => void save(currentTarget.value)}
      />
      <Problem id={`${id}-problem`} text={isRefused ? VIEW_TEXTS.notNumber : undefined} />
    </li>
  );
}

function Choice(props: RuleProps & { readonly choices: readonly string[] }) {
  const { rule, value, choices, view, effects } = props;
  const { key, label, blank = VIEW_TEXTS.choose } = rule;
  return (
    <li>
      <Picker
        id={`deals-${key}`}
        label={label}
        value={choices.find((one) => one === value) ?? ''}
        options={[['', blank] as const, ...choices.map((one) => [one, one] as const)]}
        choose={(one) => {
          if (!isOccupied(view)) void effects.actions.setRule(key, one === '' ? null : one);
        }}
      />
    </li>
  );
}

function Rule(props: RuleProps) {
  const { kind, choices } = props.rule;
  if (choices !== undefined) return <Choice {...props} choices={choices} />;
  return kind === 'flag' ? <Flag {...props} /> : <Figure {...props} />;
}

function NewProfile({ view, effects }: Pick<RulesProps, 'view' | 'effects'>) {
  const [name, setName] = useState('');
  const add = () => {
    const wanted = seenText(name);
    if (wanted === '' || isOccupied(view)) return;
    setName('');
    void effects.actions.chooseProfile(wanted);
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
      <button class="link" type="submit" aria-disabled={isOccupied(view)}>
        {VIEW_TEXTS.add}
      </button>
    </form>
  );
}

/** The rules that count for this list, but those that are asked about above. */
function shownRules({ look, questions }: ListView): readonly RuleRow[] {
  const { market, markets } = look;
  const isOther = (name: 'US' | 'UK') => market !== 'column' && !markets.includes(name);
  return RULES.filter(
    ({ key }) =>
      !questions.some(({ rule }) => rule === key) &&
      !(key.startsWith('uk') && isOther('UK')) &&
      !(key === 'usTax' && isOther('US')),
  );
}

export function Rules(props: RulesProps) {
  const { view, effects } = props;
  const { rules } = view.look;
  // In any case of letters, as the formulas of the tab find it.
  const isInUse = (name: string) => name.toLowerCase() === rules?.profile.toLowerCase();
  const inUse = rules?.profiles.find(({ name }) => isInUse(name));
  const isLost = rules !== null && inUse === undefined;
  const values: RuleValues = inUse?.values ?? USUAL;
  const shown = isLost ? [] : shownRules(view);
  const profiles = [
    ...(isLost ? [['', VIEW_TEXTS.choose] as const] : []),
    ...(rules?.profiles.map(({ name }) => [name, name] as const) ?? []),
  ];
  return (
    <Fold
      id="deals-rules"
      name={VIEW_TEXTS.rules}
      hint={rules === null || profiles.length < 2 ? '' : rules.profile}
      isOpen={effects.state.areRulesOpen}
      toggle={(isOpen) => effects.dispatch({ type: 'rulesToggled', isOpen })}
    >
      {rules !== null && profiles.length > 1 && (
        <Picker
          id="deals-profile"
          label={VIEW_TEXTS.profile}
          value={inUse?.name ?? ''}
          options={profiles}
          choose={(name) => name !== '' && void effects.actions.chooseProfile(name)}
        />
      )}
      {isLost && <p class="remark caution">{VIEW_TEXTS.lostProfile}</p>}
      {[...new Set(shown.map(({ group }) => group))].map((group) => (
        <fieldset key={group} class="rules">
          <legend>{group}</legend>
          <ul>
            {shown
              .filter((rule) => rule.group === group)
              .map((rule) => (
                <Rule key={rule.key} {...props} rule={rule} value={values[rule.key]} />
              ))}
          </ul>
        </fieldset>
      ))}
      <NewProfile view={view} effects={effects} />
      <p class="hint">{VIEW_TEXTS.rulesHint}</p>
    </Fold>
  );
}
