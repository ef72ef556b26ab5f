// What the service's description leaves open: how each of it is read now, why, and the way to change it.
import { useState } from 'preact/hooks';
import { Fold } from '../controls/fold';
import type { Decision, DecisionName } from './decisions';
import type { Change } from './state';

const NAMES: Readonly<Record<DecisionName, string>> = {
  'roi-unit': 'ROI',
  'money-unit': 'Money',
  'buy-price': 'Buy price',
  'sell-price': 'Sell price',
  eligible: 'Eligible',
  fees: 'Fees',
  'uk-market': 'UK',
};

/** Units in words; names stand as the service writes them. */
const VALUES: Readonly<Record<string, string>> = {
  percent: 'percentage',
  units: 'amounts',
  hundredths: 'cents or pence',
};

const DECIDERS: Readonly<Record<Decision['decidedBy'], string>> = {
  you: 'Set by you',
  found: 'Confirmed',
  assumed: 'Guessed',
};

/** "3 confirmed, 2 guessed" */
function decidersText(decisions: readonly Decision[]): string {
  const counts = (['you', 'found', 'assumed'] as const).map((decidedBy) => {
    const count = decisions.filter((one) => one.decidedBy === decidedBy).length;
    return count === 0 ? '' : `${count} ${DECIDERS[decidedBy].toLowerCase()}`;
  });
  return counts.filter(Boolean).join(', ');
}

interface DecisionsFoldProps {
  readonly decisions: readonly Decision[];
  readonly isBusy: boolean;
  /** null where the connection is somebody else's. */
  readonly change: ((change: Change) => void) | null;
  /** Asks for the UK under other names; null where that may not be. */
  readonly tryMarkets: (() => void) | null;
}

function DecisionLine({ decision, isBusy, change, tryMarkets }: LineProps) {
  const { what, value, why, decidedBy, setting } = decision;
  const name = NAMES[what];
  return (
    <li class="decision">
      <p class="what">
        <span class="caption">{name}</span>
        <span class="value">{value === null ? 'as sent' : (VALUES[value] ?? value)}</span>
        {change !== null && (
          <button
            class="link"
            type="button"
            id={`change-${setting}`}
            disabled={isBusy}
            aria-label={`Change ${name}`}
            onClick={() => change(setting)}
          >
            Change
          </button>
        )}
      </p>
      <p class="caption">{decidedBy === 'you' ? why : `${DECIDERS[decidedBy]}. ${why}`}</p>
      {what === 'uk-market' && tryMarkets !== null && decidedBy === 'assumed' && (
        <button class="link" type="button" disabled={isBusy} onClick={tryMarkets}>
          Find out with a few calls
        </button>
      )}
    </li>
  );
}

interface LineProps extends Omit<DecisionsFoldProps, 'decisions'> {
  readonly decision: Decision;
}

export function DecisionsFold({ decisions, ...others }: DecisionsFoldProps) {
  const [isOpen, toggle] = useState(false);
  if (decisions.length === 0) return null;
  return (
    <Fold
      id="connection-decisions"
      name="Field mapping"
      hint={decidersText(decisions)}
      isOpen={isOpen}
      toggle={toggle}
    >
      <ul class="decisions">
        {decisions.map((decision) => (
          <DecisionLine key={decision.what} decision={decision} {...others} />
        ))}
      </ul>
    </Fold>
  );
}
