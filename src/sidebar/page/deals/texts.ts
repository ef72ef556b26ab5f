// What the Deals page says: what a list comes to, rules in words, messages.

import type { ListCell } from '../../../deal/list';
import type { SheetKind } from '../../../deal/new-sheet';
import type { DealSummary, Money } from '../../../deal/summary';
import type { RuleKey } from '../../../product/deal-rules';
import { type Messages, remedyOf, type Ways } from '../ui/page';
import { countText } from '../ui/texts';
import type { Act, DealsState } from './state';

export const TEXTS = {
  running: 'A run is under way',
  runningLead: 'Decisions are here once it has ended.',
  none: 'No list on this sheet',
  noneLead:
    'Go to the sheet that has your products, then look again. Or make a new sheet for deals.',
  newSheet: 'New deal sheet',
  newSheetLead: 'A tab for products, your costs, their figures and what to buy.',
  unreached: 'The sheet could not be read just now.',
  noFigures: 'Analyze this list first',
  noFiguresLead: 'Decisions need its profit, its fees or its sell price.',
  noSellPrice:
    'Decisions need the sell price. On Analyze, add Sell price under Write and run again. Saved figures use no calls.',
  noCost: 'Which column is your cost?',
  noCostLead: 'Choose the column with what you pay for a pack, or add one titled “Cost”.',
  decide: 'Decide with your own costs',
  decideLead:
    'Adds My profit, My ROI, Max buy, Verdict and Why. They follow at once when a cost or a rule changes, and use no calls.',
  vat: 'Fees are the service’s. Whether they include VAT is not known.',
  remove: 'Takes away the five decision columns’ formulas and colors. Figures and costs stay.',
} as const;

const whole = (amount: number) => Math.round(amount).toLocaleString();

/** "Outlay $1,240 · profit $512" */
export const moneyText = ({ sign, outlay, profit }: Money): string =>
  `Outlay ${sign}${whole(outlay)} · profit ${profit < 0 ? '−' : ''}${sign}${whole(Math.abs(profit))}`;

/** "14 of 57 pass" */
export function passText({ verdicts, rows, undecided }: DealSummary): string {
  const decided = rows - undecided;
  const { Buy: buys } = verdicts;
  if (decided === 0) return 'No decisions yet';
  return `${buys.toLocaleString()} of ${decided.toLocaleString()} ${buys === 1 ? 'passes' : 'pass'}`;
}

/** How one buys. */
export const KIND_WORDS: Readonly<Record<SheetKind, string>> = {
  wholesale: 'Wholesale',
  arbitrage: 'Arbitrage',
  restock: 'Restock',
};

/** @param hasSamples there is no key yet. */
export const sheetMadeText = (tab: string, hasSamples: boolean): string =>
  hasSamples
    ? `“${tab}” shows three samples. Change a cost and watch its verdict. Connect a key to analyze your own products.`
    : `“${tab}” is ready. Put your products into its first column, then run Analyze.`;

export const summaryMadeText = (tab: string): string =>
  `The tab “${tab}” has charts of this list, and follows it by itself.`;

/** Decisions fill in as figures come. */
export const undecidedText = (undecided: number): string =>
  `${countText(undecided, 'row')} without a decision yet`;

/** How a rule is asked for in a form of 268 pixels. */
export const RULE_WORDS: Readonly<
  Record<RuleKey, { readonly label: string; readonly unit: 'money' | '%' | 'days' | '' }>
> = {
  minProfit: { label: 'Profit at least', unit: 'money' },
  minRoi: { label: 'ROI at least', unit: '%' },
  minDrops: { label: 'Rank drops at least', unit: '' },
  maxFees: { label: 'Fees at most', unit: 'money' },
  maybeProfit: { label: 'Profit at least', unit: 'money' },
  maybeRoi: { label: 'ROI at least', unit: '%' },
  maybeDrops: { label: 'Rank drops at least', unit: '' },
  maybeFees: { label: 'Fees at most', unit: 'money' },
  eligibleOnly: { label: 'Must be eligible', unit: '' },
  staleDays: { label: 'Figures go stale after', unit: 'days' },
  pack: { label: 'Units in a pack', unit: '' },
  discount: { label: 'Supplier discount', unit: '%' },
  vat: { label: 'VAT on cost', unit: '%' },
  vatReclaimed: { label: 'VAT is reclaimed', unit: '' },
  prep: { label: 'Prep per unit', unit: 'money' },
  shipping: { label: 'Shipping per unit', unit: 'money' },
};

export const RULE_GROUPS: readonly {
  readonly name: string;
  readonly keys: readonly RuleKey[];
}[] = [
  { name: 'Buy', keys: ['minProfit', 'minRoi', 'minDrops', 'maxFees'] },
  { name: 'Maybe', keys: ['maybeProfit', 'maybeRoi', 'maybeDrops', 'maybeFees'] },
  { name: 'Buy and Maybe', keys: ['eligibleOnly', 'staleDays'] },
  {
    name: 'Costs without a column',
    keys: ['pack', 'discount', 'vat', 'vatReclaimed', 'prep', 'shipping'],
  },
];

/** Percents are typed as 30 and kept as 0.3. */
const scaleOf = (key: RuleKey) => (RULE_WORDS[key].unit === '%' ? 100 : 1);

export const shownNumber = (key: RuleKey, value: ListCell | undefined): string =>
  typeof value === 'number' ? String(Number((value * scaleOf(key)).toPrecision(12))) : '';

/** What was typed, with a comma or a point; null: not asked for; undefined: no number. */
export function typedNumber(key: RuleKey, text: string): number | null | undefined {
  const plain = text
    .trim()
    .replace(/[$£%\s]/g, '')
    .replace(',', '.');
  if (plain === '') return null;
  const value = Number(plain);
  if (!Number.isFinite(value) || value < 0) return undefined;
  return Number((value / scaleOf(key)).toPrecision(12));
}

const SPOKEN: Readonly<Record<Act, string>> = {
  decide: 'Adding decisions.',
  remove: 'Removing decisions.',
  filter: '',
  sort: 'Sorting.',
  shop: 'Making the shopping list.',
  summarize: 'Making the summary.',
  rules: '',
};

export function messagesOf({ view, notice }: DealsState, ways: Ways): Messages {
  if (view.at === 'unreached') return { failure: view.failure };
  if (view.at === 'none') {
    const { failure, isMaking } = view;
    const remedy = failure === null ? undefined : remedyOf(failure, ways);
    return { failure, remedy, spoken: isMaking ? 'Making the sheet.' : '' };
  }
  if (view.at !== 'list') return {};
  const { failure, asked, isRemoveAsked } = view;
  return {
    failure,
    remedy: failure === null ? undefined : remedyOf(failure, ways),
    notice: failure === null ? notice : null,
    question: isRemoveAsked ? TEXTS.remove : null,
    spoken: asked === null ? '' : SPOKEN[asked],
  };
}
