// The rules of the profile in use. Each change applies at once, in the tab and in every decision.

import { useState } from 'preact/hooks';
import type { ListCell } from '../../../deal/list';
import { profileNamed, RULES, readRules } from '../../../deal/rules-tab';
import { seenText } from '../../../product/cell-text';
import { type RuleKey, USUAL } from '../../../product/deal-rules';
import { Fold, Picker, Problem } from '../ui/fields';
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

interface RuleProps extends RulesProps {
  readonly name: RuleKey;
  readonly value: ListCell | undefined;
}

/** Whether another action than the saving of rules is under way; it is waited for. */
const isOccupied = ({ asked }: RulesProps['view']) => asked !== null && asked !== 'rules';

/**
 * What was typed and is not yet saved, or cannot be. Fields stay open while another rule is saved,
 * so that one can go from field to field; any other action is waited for.
 */
function useRule<Typed extends string | boolean>(
  { name, view, effects }: RuleProps,
  read: (typed: Typed) => ListCell | undefined,
) {
  const [typed, setTyped] = useState<Typed | null>(null);
  const [refused, setRefused] = useState<Typed | null>(null);
  const save = async (now: Typed): Promise<void> => {
    setTyped(now);
    const value = read(now);
    setRefused(value === undefined ? now : null);
    if (value === undefined) return;
    await effects.actions.setRule(name, value);
    setTyped((later) => (later === now ? null : later));
  };
  const isRefused = typed !== null && typed === refused;
  return { typed, setTyped, save, isRefused, waits: isOccupied(view) };
}

function Flag(props: RuleProps) {
  const { name, value } = props;
  const id = `deals-${name}`;
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
      <label for={id}>{RULE_WORDS[name].label}</label>
    </li>
  );
}

function Figure(props: RuleProps) {
  const { name, value, sign } = props;
  const { label, unit, blank = VIEW_TEXTS.anyNumber } = RULE_WORDS[name];
  const id = `deals-${name}`;
  const { typed, setTyped, save, isRefused, waits } = useRule<string>(props, (text) =>
    typedNumber(name, text),
  );
  return (
    <li class="rule">
      <label for={id}>
        {label}
        {unit !== '' && <span class="hint"> {unit === 'money' ? sign : unit}</span>}
      </label>
      <input
        id={id}
        inputMode="decimal"
        value={typed ?? shownNumber(name, value)}
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
  const { name, value, choices, view, effects } = props;
  const { label, blank = VIEW_TEXTS.choose } = RULE_WORDS[name];
  return (
    <li>
      <Picker
        id={`deals-${name}`}
        label={label}
        value={choices.find((one) => one === value) ?? ''}
        options={[['', blank] as const, ...choices.map((one) => [one, one] as const)]}
        choose={(one) => {
          if (!isOccupied(view)) void effects.actions.setRule(name, one === '' ? null : one);
        }}
      />
    </li>
  );
}

function Rule(props: RuleProps) {
  const { kind, choices } = RULES.find(({ key }) => key === props.name) ?? {};
  if (choices !== undefined) return <Choice {...props} choices={choices} />;
  return kind === 'flag' ? <Flag {...props} /> : <Figure {...props} />;
}

function NewProfile({ view, effects }: Pick<RulesProps, 'view' | 'effects'>) {
  const [name, setName] = useState('');
  const add = () => {
    const wanted = seenText(name);
    if (wanted === '' || isOccupied(view)) return;
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
      <button class="link" type="submit" aria-disabled={isOccupied(view)}>
        {VIEW_TEXTS.add}
      </button>
    </form>
  );
}

/** The rules that count for this list, but those that are asked about above. */
function groupsOf({ look, questions }: ListView): typeof RULE_GROUPS {
  const { market, markets } = look;
  const other = (name: 'US' | 'UK') => market !== 'column' && !markets.includes(name);
  const isShown = (key: RuleKey) =>
    !questions.some(({ rule }) => rule === key) &&
    !(key.startsWith('uk') && other('UK')) &&
    !(key === 'usTax' && other('US'));
  return RULE_GROUPS.map((group) => ({ ...group, keys: group.keys.filter(isShown) })).filter(
    ({ keys }) => keys.length > 0,
  );
}

export function Rules(props: RulesProps) {
  const { view, effects } = props;
  const { rules } = view.look;
  const read = rules === null ? null : readRules(rules);
  const inUse = read && profileNamed(read, read.profile);
  const isLost = read !== null && inUse === undefined;
  const values: Values = inUse?.values ?? USUAL;
  const profiles = [
    ...(isLost ? [['', VIEW_TEXTS.choose] as const] : []),
    ...(read?.profiles.map(({ name }) => [name, name] as const) ?? []),
  ];
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
          value={inUse?.name ?? ''}
          options={profiles}
          choose={(name) => name !== '' && void effects.actions.chooseProfile(name)}
        />
      )}
      {isLost && <p class="remark caution">{VIEW_TEXTS.lostProfile}</p>}
      {(isLost ? [] : groupsOf(view)).map(({ name: group, keys }) => (
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
