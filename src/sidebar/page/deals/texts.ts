// The wording of the Deals page: totals of a list, rules, messages.

import type { ChangedColumn, ShownList } from '../../../deal/list';
import type { DealSummary, Money } from '../../../deal/offers';
import type { Past } from '../../../deal/product-card';
import type { RuleRow } from '../../../deal/rules-tab';
import type { VatQuestion } from '../../../deal/vat-questions';
import { about } from '../../../failures/duration';
import { kindOfStatus, sentencesForMany } from '../../../failures/failure';
import type { CostMeant, CostQuestion, ListColumn, PackUse } from '../../../list/cost-choice';
import type { CostKey } from '../../../product/cost';
import { readNumber } from '../../../product/fields';
import { marketRow } from '../../../product/market';
import type { Deal } from '../../../product/verdict';
import type { JobStatus } from '../../api/jobs';
import { type Messages, remedyOf, type Ways } from '../ui/page';
import { amountText, countText, momentText, ratioText } from '../ui/texts';
import type { ProductState } from './product-state';
import type { Act, DealsState } from './state';

export const TEXTS = {
  none: 'No list on this sheet',
  noneLead:
    'Go to the sheet that has your products, then look again. Or make a new sheet for deals.',
  newSheet: 'New deal sheet',
  newSheetLead: 'A tab for products, your costs, their figures and what to buy.',
  unreached: 'The sheet could not be read just now.',
  noFigures: 'Analyze this list first',
  noFiguresLead: 'Decisions need its figures.',
  noRate:
    'No exchange rate. In the tab “Deal rules”, type what 1 GBP is in USD beside “GBP to USD”.',
  noFlatRate: 'Your flat rate is missing, so nothing is taken off a sale. Type it under Rules.',
  noCost: 'Which column is your cost?',
  noCostLead:
    'Choose the column with what you pay for a pack, in the list’s currency, or add one titled “Cost”.',
  decide: 'Decide with your own costs',
  decideLead:
    'Adds Landed cost, My profit, My ROI, Max buy, Verdict and Why, and for the UK Net sale. They follow at once when a cost or a rule changes, and use no calls.',
  remove: 'Removes the formulas and colors of the decision columns. Figures and costs stay.',
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

/** @param hasSamples there is no key yet. */
export const sheetMadeText = (tab: string, hasSamples: boolean): string =>
  hasSamples
    ? `“${tab}” shows three samples. Change a cost and watch its verdict. Connect a key to analyze your own products.`
    : `“${tab}” is ready. Put your products into its first column, then run Analyze.`;

export const summaryMadeText = (tab: string): string =>
  `The tab “${tab}” has charts of this list and updates by itself.`;

/** They wait for figures, or cannot get any: their status says which. */
export const undecidedText = (undecided: number): string =>
  `${countText(undecided, 'row')} without a decision: see Analysis status.`;

/** "$", "%", "days" or ''. */
export const unitOf = ({ kind }: RuleRow, sign: string): string =>
  kind === 'money' ? sign : kind === 'ratio' ? '%' : kind === 'days' ? kind : '';

/** Percentages are typed as 30 and stored as 0.3. */
const scaleOf = ({ kind }: Pick<RuleRow, 'kind'>) => (kind === 'ratio' ? 100 : 1);

export const shownNumber = (rule: RuleRow, value: unknown): string =>
  typeof value === 'number' ? String(Number((value * scaleOf(rule)).toPrecision(12))) : '';

/** The number that was typed, as sheets and people write it; null: not required; undefined: no number. */
export function typedNumber(rule: Pick<RuleRow, 'kind'>, text: string): number | null | undefined {
  const value = readNumber(text.replace(/%/g, ''));
  if (value === null || value === undefined) return value;
  return value < 0 ? undefined : Number((value / scaleOf(rule)).toPrecision(12));
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

/** "Standard: profit £3.80" */
export const answerText = (value: string, profit: number | null): string =>
  profit === null ? value : `${value}: profit ${amountText(marketRow('UK').sign, profit)}`;

/** Above the questions about VAT. */
export const vatHint = (asked: readonly VatQuestion['rule'][]): string =>
  [
    asked.includes('ukScheme') ? 'Choose your VAT scheme to decide on UK offers. ' : '',
    'What you leave open is taken as it stands. Each answer shows what it makes of the first product.',
  ].join('');

/** The rate shown in the tab “Deal rules”. */
export const rateText = (rate: number): string =>
  `1 GBP = ${rate.toLocaleString(undefined, { maximumFractionDigits: 4 })} USD, in the tab “Deal rules”.`;

/** The figures of the card under the titles of the sheet's columns. */
export const FIGURE_WORDS = {
  myProfit: 'My profit',
  myRoi: 'My ROI',
  margin: 'Margin',
  maxBuy: 'Max buy',
  sell: 'Sell price',
  fees: 'Fees',
  profit: 'Profit',
  roi: 'ROI',
  buy: 'Buy price',
  eligible: 'Eligible',
  drops: 'Rank drops, 30 days',
} as const;

/** The buyer's price in a what-if. */
export const costLabel = (sign: string, pack: number): string =>
  pack > 1 ? `I pay ${sign} for a pack of ${pack}` : `I pay ${sign}`;

export const sellLabel = (sign: string): string => `It sells at ${sign}`;

/** "Row 10 · 9 of 57" */
export const placeText = (row: number, at: number, of: number): string =>
  `Row ${row} · ${at.toLocaleString()} of ${of.toLocaleString()}`;

/** "Maybe: profit $4.30, ROI 29.7%"; '' if nothing can be calculated. */
export const outcomeText = ({ verdict, profit, roi }: Deal, sign: string): string =>
  profit === null || roi === null
    ? ''
    : `${verdict}: profit ${amountText(sign, profit)}, ROI ${ratioText(roi)}`;

/** The two sides of the page. */
export const SIDE_WORDS = { list: 'Whole list', product: 'Selected row' } as const;

export const PRODUCT_TEXTS = {
  title: 'Selected row',
  none: 'No list on this sheet',
  noneLead: 'Go to the sheet that has your products, then look again.',
  unreached: 'The sheet could not be read just now.',
  noRow: 'No product in this row',
  noRowLead: 'Select a row of your list in the sheet, then press Show selected row.',
  unanalyzed: 'Not analyzed yet',
  noFiguresLead: 'Then this page shows each of its products.',
  unanalyzedLead: 'Analyze asks the service once, and shows the figures beside this row.',
  noKey: 'Connect a key to get its figures.',
  noCostColumn: 'To get a verdict, add a column titled “Cost”, or choose yours under Whole list.',
  noVerdictFees: 'The service gave no fees or sell price, so there is no verdict.',
  ofService: 'From the service',
  whatIf: 'What if',
  whatIfHint: 'An estimate: fees stay as they are.',
  previous: 'Previous row',
  next: 'Next row',
  select: 'Select it',
  chooseCost: 'Choose costs',
  page: 'Open product page',
  listed: 'Back to the list’s prices',
  notGiven: 'not given',
  ageUnknown: 'Analyzed at an unknown time',
} as const;

/** "14:02, about 3 h ago" */
export function ageText(fetchedAtMs: number | null, nowMs: number): string {
  if (fetchedAtMs === null) return PRODUCT_TEXTS.ageUnknown;
  const age = Math.max(0, nowMs - fetchedAtMs);
  return `Analyzed ${momentText(fetchedAtMs, nowMs)}, ${about(age)} ago`;
}

/** Why the latest try for a row failed, and what to do. */
export function rowFailureText(status: string): string {
  const kind = kindOfStatus(status);
  if (kind === null) return `The last try: “${status}”. Refresh it to try again.`;
  const { message, action } = sentencesForMany(kind, 1);
  return [message, action].filter(Boolean).join(' ');
}

export const PAST_TITLES = { roi: 'ROI over time', profit: 'Profit over time' } as const;

export const PAST_WORDS = {
  since: 'Since',
  roi: 'ROI',
  profit: 'Profit',
  before: 'Before that',
  all: 'All values',
} as const;

/** "From 66% to 78% in 3 changes" */
export const pastText = (first: string, last: string, changes: number): string =>
  `From ${first} to ${last} in ${countText(changes, 'change')}`;

/** An earlier value in the units of the card. */
export const pastValueText = (
  { field }: Pick<Past, 'field'>,
  value: number,
  { sign, isFraction }: { readonly sign: string; readonly isFraction: boolean },
): string => {
  if (field === 'profit') return amountText(sign, value);
  return isFraction ? ratioText(value) : value.toLocaleString();
};

/** The result of the job for one product; null: the row shows it. */
export function refreshedText({ state, answered, cached }: JobStatus): string | null {
  if (state === 'stopped') return 'Stopped. The row is as it was.';
  if (state === 'paused') return 'Paused. Continue under Analyze.';
  return answered + cached > 0 ? 'Figures are up to date.' : null;
}

const SPOKEN_OF_PRODUCT = { refresh: 'Refreshing.', stop: 'Stopping.', follow: '' } as const;

export function productMessages({ view, notice }: ProductState, ways: Ways): Messages {
  if (view.at === 'unreached') return { failure: view.failure };
  if (view.at !== 'card') return {};
  const { failure, asked } = view;
  return {
    failure,
    remedy: failure === null ? undefined : remedyOf(failure, ways),
    notice: failure === null ? notice : null,
    spoken: asked === null ? '' : SPOKEN_OF_PRODUCT[asked],
  };
}

/** The results of commands. */
export const NOTICES = {
  removed: 'Decisions removed.',
  allShown: 'All rows are shown again.',
  buysShown: 'Only buys are shown.',
  sorted: 'Sorted by My ROI, best first.',
  noBuys: 'No product is a Buy right now.',
  noQuantity: 'Every Buy has a quantity of 0.',
  noRoom: 'The tab “Deal rules” has no room for another profile. Remove one there first.',
} as const;

/** @param kept the number of cells that people have typed into. */
export function decidedText(rows: number, kept: number): string {
  const own = kept === 0 ? '' : ` ${countText(kept, 'cell')} left as you typed.`;
  return `Decisions added to ${countText(rows, 'row')}.${own}`;
}

export const shoppingMadeText = (buys: number, tab: string): string =>
  `${countText(buys, 'product')} copied to the tab “${tab}”.`;

/** At the end of a run. @param cost the column's name, such as “C “Cost””. */
export const whichToBuyText = (cost: string): string => `Which to buy? Your costs are in ${cost}.`;

/** @param columns "pack size in E “Pack”" */
export const alsoUsedText = (columns: readonly string[]): string =>
  `Also used: ${columns.join(', ')}.`;

/** For a new deal sheet. @param titles the titles of the buyer's own columns. */
export const sheetColumnsText = (titles: string, hasSamples: boolean): string =>
  `Your columns: ${titles}. Figures and decisions stand beside them${
    hasSamples ? ', shown for samples: no key needed.' : '.'
  }`;

/** "pack size in E “Pack”". */
export const costColumnText = (key: Exclude<CostKey, 'cost'>, column: ListColumn): string =>
  `${COST_WORDS[key]} in ${columnText(column)}`;

/** Columns that count for sellers and that decisions do not read. */
export const unusedText = (columns: readonly ListColumn[]): string =>
  `Not used: ${columns.map(columnText).join(', ')}.`;

/** "Quantity?" */
export function questionText({ role }: CostQuestion): string {
  const words = role === 'cost' ? 'cost' : COST_WORDS[role];
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}?`;
}

const PACK_WORDS: Readonly<Record<PackUse, string>> = {
  ignored: 'for one unit',
  divides: 'for a pack',
  multiplies: 'for one of a pack',
};

/** "C “Price”, for a pack: 9 ÷ 2 = 4.50". @param example the cells of a row. */
export function costText(
  { column, pack: use, packColumn }: CostMeant,
  example: ShownList['example'],
): string {
  if (use === undefined) return columnText(column);
  const meant = `${columnText(column)}, ${PACK_WORDS[use]}`;
  const cellOf = (one: ListColumn | undefined) => example[(one?.column ?? 0) - 1];
  const cost = cellOf(column);
  const units = cellOf(packColumn);
  if (typeof cost !== 'number' || typeof units !== 'number' || units <= 0) return meant;
  const sums: Readonly<Record<PackUse, string>> = {
    ignored: amountText('', cost),
    divides: `${cost} ÷ ${units} = ${amountText('', cost / units)}`,
    multiplies: `${cost} × ${units} = ${amountText('', cost * units)}`,
  };
  return `${meant}: ${sums[use]}`;
}

export const columnText = ({ letter, title }: ListColumn): string => `${letter} “${title}”`;

const COST_WORDS: Readonly<Record<Exclude<CostKey, 'cost'>, string>> = {
  quantity: 'quantity',
  pack: 'units in a case',
  multipack: 'units in one sale',
  discount: 'discount',
  prep: 'prep',
  shipping: 'shipping',
  other: 'other costs',
};

const ROLE_WORDS: Readonly<Record<ChangedColumn['role'], string>> = {
  product: 'product',
  market: 'market',
  cost: 'cost',
  quantity: 'quantity',
  pack: 'case size',
  multipack: 'multipack',
  discount: 'discount',
  prep: 'prep',
  shipping: 'shipping',
  other: 'other cost',
};

/** Why decisions say *Check columns*. */
export function changedText([first]: readonly ChangedColumn[]): string {
  if (first === undefined)
    return 'A column that the add-on fills was changed, so decisions wait. Fill it in again.';
  const { letter, was, now } = first;
  return `Column ${letter} was “${was}” and is “${now}” now. Decisions wait until you say what it holds.`;
}

/** "It is still the cost" */
export const stillText = ({ role }: ChangedColumn): string => `It is still the ${ROLE_WORDS[role]}`;

/** The words on a button while its command is carried out. */
export const BUSY_WORDS: Readonly<Record<Act, string>> = {
  decide: 'Adding',
  remove: 'Removing',
  filter: 'Filtering',
  sort: 'Sorting',
  shop: 'Copying',
  summarize: 'Making the summary',
  rules: 'Saving',
};

/** The number beside a slider, for people who do not see its position. */
export const exactLabel = (label: string): string => `${label}, exact`;

/** Titles, labels, hints and buttons of the views. */
export const VIEW_TEXTS = {
  keepDecisions: 'Keep them',
  makingTheSheet: 'Making the sheet',
  makeDealSheet: 'Make deal sheet',
  choose: 'Choose',
  market: 'Market',
  costsIn: 'Costs in',
  anyNumber: 'any',
  showSelectedRow: 'Show selected row',
  refreshing: 'Refreshing',
  looking: 'Looking',
  refreshThis: 'Refresh this',
  analyzeThis: 'Analyze this',
  reasons: 'Why the others fail',
  downloadCsv: 'Download it as CSV',
  showAllRows: 'Show all rows',
  showOnlyBuys: 'Show only buys',
  sortByRoi: 'Sort by ROI',
  makeSummaryTab: 'Make summary tab',
  openDeals: 'Open Deals',
  noneOfThese: 'None of these',
  caseSizeAsked:
    'Your cost is that of a case, and no column says how many are in it. Type it under Rules: “Units in a case”.',
  addCost: 'Add a column titled “Cost” to see which of these to buy.',
  addDecisions: 'Add decisions',
  chooseCost: 'Choose your cost',
  chooseColumns: 'Choose your columns',
  chooseCurrency: 'Choose the currency of costs',
  chooseScheme: 'Choose your VAT scheme',
  makeShoppingList: 'Make shopping list',
  myCost: 'My cost',
  fillInNewRows: 'Fill in new rows',
  chooseAgain: 'Choose again',
  removeDecisions: 'Remove decisions',
  kind: 'Kind',
  show: 'Show',
  newProfile: 'New profile, such as a supplier’s name',
  newProfileHint: 'New profile: a supplier',
  add: 'Add',
  rules: 'Rules',
  profile: 'Profile',
  lostProfile: 'The profile in use is gone or was renamed. Choose the one to use.',
  notNumber: 'Use a number, or leave it blank.',
  rulesHint: 'Rules are in the tab “Deal rules”. Changes there count at once, too.',
} as const;
