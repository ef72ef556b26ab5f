// What is settled about a service and why, and what its answers said against it, in words.

import { type Sighting, settleable } from '../../../analysis/sightings';
import type { ConnectionSettings, ReadingFacts } from '../../rpc-contract';
import type { Check } from './state';

/** What the description of the service leaves open and each connection settles. */
export type DecisionName =
  | 'roi-unit'
  | 'money-unit'
  | 'buy-price'
  | 'sell-price'
  | 'eligible'
  | 'fees'
  | 'uk-market';

type FoundName = Exclude<keyof ConnectionSettings, 'defaultMarket'>;

export interface Decision {
  readonly what: DecisionName;
  /** A unit, a name as the service writes it, a form; null where nothing is known. */
  readonly value: string | null;
  /** you: a setting · found: told by answers · assumed: nothing told it yet. */
  readonly decidedBy: 'you' | 'found' | 'assumed';
  /** A whole sentence. */
  readonly why: string;
  /** The setting that overrides it. */
  readonly setting: FoundName;
}

/** Something that changed at the service, or that could be settled now. */
export interface Notice {
  readonly kind: 'contradiction' | 'could-settle';
  readonly what: DecisionName;
  /** Whole sentences: what was seen, and what to do. */
  readonly message: string;
  readonly action: string;
  /** The setting that would follow what was seen, for a button that saves it. */
  readonly suggested?: ConnectionSettings;
}

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

export function decisionsOf({ settings, found, reasons }: ReadingFacts): readonly Decision[] {
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

/**
 * A check tells at once what its answer said against a setting. The status knows only what answers
 * of formulas said, and what was settled since.
 */
export const withCheck = (facts: ReadingFacts, check: Check): ReadingFacts =>
  check.at === 'done'
    ? { ...facts, sightings: merged(facts.sightings, check.report.sightings) }
    : facts;

function merged(seen: readonly Sighting[], news: readonly Sighting[]): readonly Sighting[] {
  const isKnown = (one: Sighting) =>
    seen.some(({ setting, value }) => setting === one.setting && value === one.value);
  return [...seen, ...news.filter((one) => !isKnown(one))];
}

export function noticesOf({ settings, found, sightings }: ReadingFacts): readonly Notice[] {
  const reading = { ...found, ...settings };
  // What is settled the way it was seen is no news any more.
  const against = sightings.filter(
    ({ setting, value }) =>
      setting === 'ukMarket' || ![undefined, value].includes(reading[setting]),
  );
  return [
    ...against.map((one) => contradiction(one, reading[one.setting])),
    ...settleable(sightings, reading).map(couldSettle),
  ];
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
