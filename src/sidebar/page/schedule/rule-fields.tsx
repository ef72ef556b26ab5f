// The changes that rows are marked for: each to be ticked, some with a bound to be typed.
import { Problem } from '../controls/field';
import type { PartProps } from './form-parts';
import { RULES } from './rules';

type Rule = (typeof RULES)[number];

/** Its name and its bound are one sentence: "ROI falls under 20 %". */
function RuleField({ rule, edit, change }: PartProps & { readonly rule: Rule }) {
  const { name, label, bound } = rule;
  const { ticks } = edit.form;
  const tick = ticks[name];
  const problem = edit.problems[name];
  const id = `schedule-${name}`;
  const put = (changed: Partial<typeof tick>) =>
    change({ ticks: { ...ticks, [name]: { ...tick, ...changed } } });
  return (
    <li>
      <div class="tick">
        <input
          type="checkbox"
          id={`${id}-on`}
          checked={tick.isOn}
          onChange={({ currentTarget }) => put({ isOn: currentTarget.checked })}
        />
        <label for={`${id}-on`}>{label}</label>
        {bound !== undefined && (
          <span class="bound">
            <input
              id={id}
              inputMode="decimal"
              value={tick.bound}
              aria-label={`${label}${bound.unit === '' ? '' : `, ${bound.unit}`}`}
              aria-invalid={problem !== undefined}
              aria-describedby={`${id}-problem`}
              // Whoever types a bound wants its rule.
              onInput={({ currentTarget }) => put({ bound: currentTarget.value, isOn: true })}
            />
            <span class="unit" aria-hidden="true">
              {bound.unit}
            </span>
          </span>
        )}
      </div>
      <Problem id={`${id}-problem`} text={problem} />
    </li>
  );
}

export function RuleFields(props: PartProps) {
  return (
    <>
      <ul class="rules">
        {RULES.map((rule) => (
          <RuleField key={rule.name} rule={rule} {...props} />
        ))}
      </ul>
      <p class="hint under">
        Marked in the column “What changed”, and told here the next time you look.
      </p>
    </>
  );
}
