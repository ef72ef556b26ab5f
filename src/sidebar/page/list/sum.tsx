// One product worked out line by line, for the list and for its selected row.

import type { ShownList } from '../../../deal/list';
import type { Offer } from '../../../deal/offers';
import { type SumLine, type SumRole, sumOf, type Why } from '../../../deal/sum';
import type { ListColumn } from '../../../list/cost-choice';
import { DEFAULT_MARKET, type Market, marketRow } from '../../../product/market';
import type { Deal } from '../../../product/verdict';
import { amountText, ratioText } from '../ui/texts';

/** `C “Price”` */
const columnText = ({ letter, title }: ListColumn): string => `${letter} “${title}”`;

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

/** Lines that are there whatever the list has. */
const ALWAYS: readonly SumRole[] = ['cost', 'landed', 'sale', 'vat', 'fees', 'profit'];
const COUNTS: readonly SumRole[] = ['pack', 'multipack', 'quantity'];

/** Where the list's products are sold, unless its rows say it. */
const marketOf = ({ look }: ShownList): Market =>
  look.market === 'column' ? DEFAULT_MARKET : look.market;

interface SumProps {
  readonly seen: ShownList;
  readonly row: Offer;
  readonly deal: Deal;
}

/** "With VAT", "Standard 20%", "for all" */
function ruleText({ role }: SumLine, { terms: { inUse } }: ShownList, isUk: boolean): string {
  const rate = (key: 'ukRate' | 'ukFlatRate' | 'usTax') =>
    typeof inUse[key] === 'number' ? ` ${ratioText(inUse[key])}` : '';
  if (role === 'vat')
    return `${inUse.ukScheme}${inUse.ukScheme === 'Flat rate' ? rate('ukFlatRate') : rate('ukRate')}`;
  if (role === 'fees') return String(inUse.ukFees);
  if (role === 'tax') return isUk ? String(inUse.ukCosts) : rate('usTax');
  return 'for all';
}

function fromText(line: SumLine, seen: ShownList, isUk: boolean): string {
  const { from, role } = line;
  if (from === null) return '';
  if (from === 'title')
    return role === 'tax' ? `${seen.terms.side}, by its title` : 'by the title of the cost';
  if (from === 'cost') return 'in the cost';
  return from === 'all' ? ruleText(line, seen, isUk) : columnText(from);
}

function valueText({ role, amount }: SumLine, sign: string, { roi }: Deal): string {
  if (amount === null) return '–';
  if (COUNTS.includes(role)) return amount.toLocaleString();
  const money = amountText(sign, amount);
  return role === 'profit' && roi !== null ? `${money} · ${ratioText(roi)}` : money;
}

/** What a row's verdict follows from. */
export function Sum({ seen, row, deal }: SumProps) {
  const market = row.product?.market ?? marketOf(seen);
  const { sign } = marketRow(market);
  const lines = sumOf(seen, row, market, deal).filter(
    ({ role, from, isUnsure }) => from !== null || isUnsure || ALWAYS.includes(role),
  );
  return (
    <ul class="sum">
      {lines.map((line) => (
        <li key={line.role} class={line.sign === '=' ? 'strong' : undefined}>
          <span>
            {line.sign} {WORDS[line.role]}
          </span>
          <span class="hint">{fromText(line, seen, row.paidIn === 'UK')}</span>
          <span class="amount">{valueText(line, sign, deal)}</span>
        </li>
      ))}
    </ul>
  );
}

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
    drops: ['Rank drops', value.toLocaleString(), String, 'from'] as const,
    fees: ['Fees', money(Math.ceil(value * 100 - 1e-6) / 100), money, 'up to'] as const,
  };
  if (by === 'eligible' || by === 'age') return reason;
  const [name, shown, textOf, from] = texts[by];
  const other = maybe === undefined ? '' : `, Maybe ${from} ${textOf(maybe)}`;
  return `${name} ${shown} (Buy ${from} ${textOf(buy)}${other})`;
}
