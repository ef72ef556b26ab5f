// What has to be asked about VAT before a list with UK offers is decided right, with what either
// answer makes of its first product. Pure.

import type { RuleKey } from '../product/deal-rules';
import { VAT_SCHEMES, VAT_SIDES } from '../product/vat';
import { decide } from '../product/verdict';
import type { ReadList } from './list';
import { cardRows } from './product-card';
import type { CostTerms } from './summary';

export interface VatQuestion {
  readonly rule: 'ukScheme' | 'ukCosts' | 'ukFees';
  readonly choices: readonly {
    readonly value: string;
    /** My profit of the first product; null: it is not known. */
    readonly profit: number | null;
  }[];
}

/** Whether offers of a list are sold in the UK. */
function hasUk({ look, rows }: Pick<ReadList, 'look' | 'rows'>): boolean {
  if (look.market === 'column') return rows.some(({ product }) => product?.market === 'UK');
  return look.markets.includes('UK');
}

/** The rules that are blank and count for this list. */
export function openQuestions(
  read: Pick<ReadList, 'look' | 'rows'>,
  { inUse, side, currency }: CostTerms,
): readonly VatQuestion['rule'][] {
  if (!hasUk(read)) return [];
  const isSaid = (key: RuleKey) => Boolean(inUse[key]);
  const bearsVat = currency !== 'USD' && side === null;
  return [
    ...(isSaid('ukScheme') ? [] : (['ukScheme'] as const)),
    ...(isSaid('ukCosts') || !bearsVat ? [] : (['ukCosts'] as const)),
    ...(isSaid('ukFees') ? [] : (['ukFees'] as const)),
  ];
}

/** @param rate see `costRate`. */
export function vatQuestions(
  read: ReadList,
  terms: CostTerms,
  rate: number | null,
): readonly VatQuestion[] {
  const { inUse } = terms;
  const profitOf = (rule: VatQuestion['rule'], value: string) => {
    const rules = { ...inUse, [rule]: value };
    for (const row of cardRows(read, { ...terms, inUse: rules }, rate)) {
      if (row.product?.market !== 'UK') continue;
      const { profit } = decide(row, row.costs, (key) => rules[key], null);
      if (profit !== null) return profit;
    }
    return null;
  };
  // What a flat rate makes is not known before its percentage is.
  const isKnown = (value: string) => value !== 'Flat rate' || Boolean(inUse.ukFlatRate);
  return openQuestions(read, terms).map((rule) => ({
    rule,
    choices: (rule === 'ukScheme' ? VAT_SCHEMES : VAT_SIDES).map((value) => ({
      value,
      profit: isKnown(value) ? profitOf(rule, value) : null,
    })),
  }));
}
