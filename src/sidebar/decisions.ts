// What is settled about a service and why, and what its answers said against it, as the page shows it.

import type { Sighting } from '../analysis/sightings';
import { type Connection, type FoundName, readingOf } from '../connection/connection';
import type { Decision, DecisionName, Notice } from './rpc-contract';

interface Matter {
  readonly what: DecisionName;
  /** In the middle of a sentence. */
  readonly name: string;
  /** What is done as long as nothing is settled. */
  readonly assumed: string | null;
  readonly why: string;
}

const AS_SENT = 'Formulas show it as it is sent, since no answer has told its unit yet.';
const BY_NAME = 'The usual names are looked for, since no answer has shown one yet.';

const MATTERS: Readonly<Record<FoundName, Matter>> = {
  roiUnit: { what: 'roi-unit', name: 'ROI', assumed: null, why: AS_SENT },
  moneyUnit: { what: 'money-unit', name: 'money', assumed: null, why: AS_SENT },
  buyPriceName: { what: 'buy-price', name: 'the buy price', assumed: null, why: BY_NAME },
  sellPriceName: { what: 'sell-price', name: 'the sell price', assumed: null, why: BY_NAME },
  eligibleName: { what: 'eligible', name: 'eligibility', assumed: 'eligible', why: BY_NAME },
  feesName: { what: 'fees', name: 'fees', assumed: 'fees', why: BY_NAME },
  ukMarket: {
    what: 'uk-market',
    name: 'the UK',
    assumed: 'UK',
    why: 'The service does not say how it writes the UK. A check can try other ways.',
  },
};

const SETTINGS = Object.keys(MATTERS) as FoundName[];

export function decisionsOf({ settings, found, reasons }: Connection): readonly Decision[] {
  return SETTINGS.map((setting) => {
    const { what, assumed, why } = MATTERS[setting];
    const [said, seen] = [settings[setting], found[setting]];
    if (said !== undefined)
      return { what, setting, value: said, decidedBy: 'you', why: 'You set it.' };
    if (seen !== undefined)
      return { what, setting, value: seen, decidedBy: 'found', why: reasons[setting] ?? '' };
    return { what, setting, value: assumed, decidedBy: 'assumed', why };
  });
}

/** So many answers that agree settle a unit at the next check, even where the check tells nothing. */
export const AGREEING_MIN = 3;

/**
 * What was seen that is not settled, where it is clear: often enough, and unopposed. Of the UK answers
 * tell only that it is not what was asked for, which settles nothing.
 */
export function settleable(
  sightings: readonly Sighting[],
  connection: Connection,
): readonly Sighting[] {
  const reading = readingOf(connection);
  return sightings.filter(({ setting, value, count }) => {
    if (setting === 'ukMarket') return false;
    const isOpposed = sightings.some((one) => one.setting === setting && one.value !== value);
    return reading[setting] === undefined && count >= AGREEING_MIN && !isOpposed;
  });
}

export function noticesOf(
  sightings: readonly Sighting[],
  connection: Connection,
): readonly Notice[] {
  const reading = readingOf(connection);
  const open = settleable(sightings, connection).map(couldSettle);
  const against = sightings.filter(
    ({ setting }) => setting === 'ukMarket' || reading[setting] !== undefined,
  );
  return [...against.map((one) => contradiction(one, reading[one.setting])), ...open];
}

const UNIT_WORDS: Readonly<Record<string, string>> = {
  fraction: 'a fraction',
  percent: 'a percentage',
  units: 'units',
  hundredths: 'hundredths',
};

function words(value: string): string {
  return UNIT_WORDS[value] ?? `"${value}"`;
}

function contradiction({ setting, value, why, asin }: Sighting, settled = ''): Notice {
  const { what, name } = MATTERS[setting];
  if (setting === 'ukMarket')
    return {
      kind: 'contradiction',
      what,
      message: `${why} The service may not know the UK under the name that is sent.`,
      action: 'Check again and let it try other names.',
    };
  return {
    kind: 'contradiction',
    what,
    message:
      `Formulas read ${name} as ${words(settled)}, but for ${asin} it came as ${words(value)}. ` +
      `${value in UNIT_WORDS ? `${why} ` : ''}Nothing was changed.`,
    action: 'If the service has changed, take over the new way.',
    suggested: { [setting]: value },
  };
}

function couldSettle({ setting, value, count }: Sighting): Notice {
  const { what, name } = MATTERS[setting];
  return {
    kind: 'could-settle',
    what,
    message:
      `${count} answers say that ${name} comes as ${words(value)}. ` +
      'Formulas show it as it is sent.',
    action: 'Check again to settle it.',
    suggested: { [setting]: value },
  };
}
