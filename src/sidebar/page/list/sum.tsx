// One product worked out line by line, and why its verdict is what it is.

import type { ComponentChildren } from 'preact';
import type { Offer } from '../../../deal/offers';
import { AS_LISTED, dealAt } from '../../../deal/product-card';
import type { ShownList } from '../../../deal/shown-list';
import { type SumLine, type SumRole, sumOf, vatMarketOf, type Why } from '../../../deal/sum';
import type { ListColumn } from '../../../list/cost-choice';
import type { RuleKey } from '../../../product/deal-rules';
import {
  DEFAULT_MARKET,
  hasVat,
  type Market,
  marketRow,
  type VatMarket,
} from '../../../product/market';
import { salesTaxRule, vatRule } from '../../../product/vat';
import type { Deal } from '../../../product/verdict';
import { nowMs } from '../ui/app';
import { amountText, ratioText } from '../ui/texts';

/** `C “Price”` */
export const columnText = ({ letter, title }: ListColumn): string => `${letter} “${title}”`;

const WORDS: Readonly<Record<SumRole, string>> = {
  cost: 'Cost',
  tax: 'VAT on it',
  discount: 'Discount',
  pack: 'in a case',
  multipack: 'in one sale',
  prep: 'Prep',
  shipping: 'Shipping',
  other: 'Other costs',
  landed: 'Landed cost',
  sale: 'Sells at',
  returns: 'Returns',
  vat: 'VAT',
  fees: 'Fees',
  profit: 'My profit',
  quantity: 'to buy',
};

/** "Sales tax" */
export const wordOf = ({ role }: SumLine, { paidIn }: Worked): string =>
  role === 'tax' && !hasVat(paidIn) ? 'Sales tax' : WORDS[role];

/** Lines that are there whatever the list has. */
const ALWAYS: readonly SumRole[] = ['cost', 'landed', 'sale', 'vat', 'fees', 'profit'];

export const isCounted = ({ role, from, isUnsure }: SumLine): boolean =>
  from !== null || isUnsure || ALWAYS.includes(role);

const COUNTS: readonly SumRole[] = ['pack', 'multipack', 'quantity'];

/** Where the list's products are sold, unless its rows say it. */
const marketOf = ({ look }: ShownList): Market =>
  look.market === 'column' ? DEFAULT_MARKET : look.market;

export interface Worked {
  readonly seen: ShownList;
  /** null: the list has no product yet. */
  readonly row: Offer | null;
  readonly market: Market;
  /** Of whose tax the cost is. */
  readonly paidIn: Market;
  /** Whose VAT the lines of sale and fees are about; undefined: there is none. */
  readonly vatMarket: VatMarket | undefined;
  readonly sign: string;
  readonly deal: Deal | null;
  readonly lines: readonly SumLine[];
}

export function workedOut(seen: ShownList, row: Offer | null): Worked {
  const market = row?.product?.market ?? marketOf(seen);
  const deal = row === null ? null : dealAt(row, AS_LISTED, seen.terms.inUse, nowMs());
  return {
    ...{ seen, row, market, deal, paidIn: row?.paidIn ?? market, sign: marketRow(market).sign },
    vatMarket: vatMarketOf(seen, row, market),
    lines: sumOf(seen, row, market, deal),
  };
}

// What a line is taken from, in words

/** "With VAT", "Standard 20%", "for all" */
function ruleText({ role }: SumLine, { seen, paidIn, vatMarket }: Worked): string {
  const { inUse } = seen.terms;
  const textOf = (key: RuleKey) => {
    const value = inUse[key] ?? '';
    return typeof value === 'number' ? ratioText(value) : String(value);
  };
  if (role === 'tax')
    return textOf(hasVat(paidIn) ? vatRule(paidIn, 'Costs') : salesTaxRule(paidIn));
  if (vatMarket !== undefined && role === 'fees') return textOf(vatRule(vatMarket, 'Fees'));
  if (vatMarket !== undefined && role === 'vat') {
    const scheme = textOf(vatRule(vatMarket, 'Scheme'));
    const column = scheme === 'Flat rate' ? undefined : seen.costs.vatRate;
    if (column !== undefined) return `${scheme}, ${columnText(column)}`;
    return `${scheme} ${textOf(vatRule(vatMarket, scheme === 'Flat rate' ? 'FlatRate' : 'Rate'))}`;
  }
  return 'for all';
}

export function fromText(line: SumLine, worked: Worked): string {
  const { from, role } = line;
  if (role === 'sale') return worked.row === null ? '' : `on Amazon ${worked.market}`;
  if (from === null) return '';
  if (from === 'title')
    return role === 'tax' ? `${worked.seen.terms.side}, by its title` : 'by the title of the cost';
  if (from === 'cost') return 'in the cost';
  return from === 'all' ? ruleText(line, worked) : columnText(from);
}

function valueText({ role, amount }: SumLine, { sign, deal }: Worked): string {
  if (amount === null) return '–';
  if (COUNTS.includes(role)) return amount.toLocaleString();
  const money = amountText(sign, amount);
  return role === 'profit' && deal?.roi != null ? `${money} · ${ratioText(deal.roi)}` : money;
}

export interface LineProps {
  readonly line: SumLine;
  readonly worked: Worked;
}

interface ShownLineProps extends LineProps {
  readonly ask?: string | undefined;
  readonly children?: ComponentChildren;
}

export function Line({ line, worked, ask, children }: ShownLineProps) {
  const { sign, isUnsure } = line;
  return (
    <li class={isUnsure ? 'unsure' : sign === '=' ? 'strong' : undefined}>
      <span class="what">{`${sign} ${wordOf(line, worked)}`}</span>
      {children ?? <span class="hint">{fromText(line, worked)}</span>}
      {(!isUnsure || line.amount !== null) && <span class="amount">{valueText(line, worked)}</span>}
      {ask !== undefined && <span class="ask">{ask}</span>}
    </li>
  );
}

/** What a row's verdict follows from. */
export function Sum({ seen, row }: { readonly seen: ShownList; readonly row: Offer }) {
  const worked = workedOut(seen, row);
  return (
    <ul class="sum">
      {worked.lines.filter(isCounted).map((line) => (
        <Line key={line.role} line={line} worked={worked} />
      ))}
    </ul>
  );
}

// Why a verdict is what it is

/** Rounded away from the target, which else would look as if it were met: 29.96% of 30%. */
const missedRatio = (value: number) => ratioText(Math.floor(value * 1000 + 1e-6) / 1000);

/** "ROI 11% (Buy from 30%, Maybe from 15%)" */
export function whyText({ reason, missed, targets: [buy, maybe] }: Why, sign: string): string {
  if (missed === null || missed.value === null || buy === undefined) return reason;
  const { by, value } = missed;
  const money = (amount: number) => amountText(sign, amount);
  const texts = {
    profit: ['Profit', money(Math.floor(value * 100 + 1e-6) / 100), money, 'from'] as const,
    roi: ['ROI', missedRatio(value), ratioText, 'from'] as const,
    margin: ['Margin', missedRatio(value), ratioText, 'from'] as const,
    drops: ['Rank drops', value.toLocaleString(), String, 'from'] as const,
    fees: ['Fees', money(Math.ceil(value * 100 - 1e-6) / 100), money, 'up to'] as const,
  };
  if (by === 'eligible' || by === 'age') return reason;
  const [name, shown, textOf, from] = texts[by];
  const other = maybe === undefined ? '' : `, Maybe ${from} ${textOf(maybe)}`;
  return `${name} ${shown} (Buy ${from} ${textOf(buy)}${other})`;
}
