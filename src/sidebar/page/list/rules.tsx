// The rules of the supplier in use. Each change applies at once, in the tab and in every decision.

import { useState } from 'preact/hooks';
import type { ListView } from '../../../deal/list';
import type { Profile } from '../../../deal/rules';
import { RULES, type RuleRow } from '../../../deal/rules-tab';
import type { ShownList } from '../../../deal/shown-list';
import { seenText } from '../../../product/cell-text';
import { type RuleValues, USUAL } from '../../../product/deal-rules';
import { readNumber } from '../../../product/fields';
import { Unfold } from '../ui/doing';
import { Picker, Problem } from '../ui/fields';
import { chooseProfile, saveRules, setRule } from './deals';

type RuleValue = string | number | boolean | null;

interface RuleProps {
  readonly rule: RuleRow;
  readonly value: RuleValue | undefined;
  /** "$" */
  readonly sign: string;
}

/** Whether something else than the saving of rules is under way; it is waited for. */
const isOccupied = () => saveRules.isBlocked && !saveRules.isBusy;

/** "$", "%", "days" or ''. */
const unitOf = ({ kind }: RuleRow, sign: string): string =>
  kind === 'money' ? sign : kind === 'ratio' ? '%' : kind === 'days' ? kind : '';

/** Percentages are typed as 30 and stored as 0.3. */
const scaleOf = ({ kind }: Pick<RuleRow, 'kind'>) => (kind === 'ratio' ? 100 : 1);

const shownNumber = (rule: RuleRow, value: unknown): string =>
  typeof value === 'number' ? String(Number((value * scaleOf(rule)).toPrecision(12))) : '';

/** The number that was typed, as sheets and people write it; null: not required; undefined: no number. */
export function typedNumber(rule: Pick<RuleRow, 'kind'>, text: string): number | null | undefined {
  const value = readNumber(text.replace(/%/g, ''));
  if (value === null || value === undefined) return value;
  return value < 0 ? undefined : Number((value / scaleOf(rule)).toPrecision(12));
}

/**
 * What was typed and is not yet saved, or cannot be. Fields stay open while another rule is saved,
 * so that one can go from field to field; any other action is waited for.
 */
function useRule<Typed extends string | boolean>(
  { rule }: RuleProps,
  read: (typed: Typed) => RuleValue | undefined,
) {
  const [typed, setTyped] = useState<Typed | null>(null);
  const [refused, setRefused] = useState<Typed | null>(null);
  const save = async (now: Typed): Promise<void> => {
    setTyped(now);
    const value = read(now);
    setRefused(value === undefined ? now : null);
    if (value === undefined) return;
    await setRule(rule.key, value);
    setTyped((later) => (later === now ? null : later));
  };
  const isRefused = typed !== null && typed === refused;
  return { typed, setTyped, save, isRefused, waits: isOccupied() };
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

export function Figure(props: RuleProps) {
  const { rule, value, sign } = props;
  const { key, label, blank = 'any' } = rule;
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
      <Problem
        id={`${id}-problem`}
        text={isRefused ? 'Use a number, or leave it blank.' : undefined}
      />
    </li>
  );
}

function NewProfile() {
  const [name, setName] = useState('');
  const add = () => {
    const wanted = seenText(name);
    if (wanted === '' || isOccupied()) return;
    setName('');
    void chooseProfile(wanted);
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
        aria-label="Add a supplier"
        placeholder="Add a supplier"
        value={name}
        maxLength={40}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <button class="link" type="submit" aria-disabled={isOccupied()}>
        Add
      </button>
    </form>
  );
}

/** What else counts are lines of the sum. */
const TARGETS = RULES.filter(({ group }) => /^(Buy|Maybe)/.test(group));

interface RulesProps {
  readonly seen: ShownList;
  readonly sign: string;
}

/** The profile in use, in any case of letters, as the formulas of the tab find it. */
export const profileInUse = ({ rules }: ListView): Profile | undefined =>
  rules?.profiles.find(({ name }) => name.toLowerCase() === rules.profile.toLowerCase());

export function Rules({ seen, sign }: RulesProps) {
  const { rules } = seen.look;
  const inUse = profileInUse(seen.look);
  const isLost = rules !== null && inUse === undefined;
  const values: RuleValues = inUse?.values ?? USUAL;
  const shown = isLost ? [] : TARGETS;
  const profiles = [
    ...(isLost ? [['', 'Choose'] as const] : []),
    ...(rules?.profiles.map(({ name }) => [name, name] as const) ?? []),
  ];
  return (
    <Unfold
      id="deals-rules"
      name="Rules"
      hint={rules === null || profiles.length < 2 ? '' : rules.profile}
    >
      {rules !== null && profiles.length > 1 && (
        <Picker
          id="deals-profile"
          label="Supplier"
          value={inUse?.name ?? ''}
          options={profiles}
          choose={(name) => name !== '' && void chooseProfile(name)}
        />
      )}
      {isLost && (
        <p class="remark caution">
          The supplier in use is gone or was renamed. Choose the one to use.
        </p>
      )}
      {[...new Set(shown.map(({ group }) => group))].map((group) => (
        <fieldset key={group} class="rules">
          <legend>{group}</legend>
          <ul>
            {shown
              .filter((rule) => rule.group === group)
              .map((rule) => {
                const Field = rule.kind === 'flag' ? Flag : Figure;
                return <Field key={rule.key} rule={rule} value={values[rule.key]} sign={sign} />;
              })}
          </ul>
        </fieldset>
      ))}
      <NewProfile />
      <p class="hint">Rules are in the tab “Deal rules”. Changes there count at once, too.</p>
    </Unfold>
  );
}
