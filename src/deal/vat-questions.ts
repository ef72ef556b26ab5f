// What has to be asked about VAT before offers in the UK are decided, with what each answer makes of
// the first of them. Pure.

import { type CostTerms, paidIn, vatOf } from '../product/offer-costs';
import { VAT_RATES, VAT_SCHEMES, VAT_SIDES, type VatGap, vatGaps } from '../product/vat';
import { decide } from '../product/verdict';
import type { Offer } from './offers';

export interface VatQuestion {
  readonly rule: VatGap;
  /** None: it is a percentage of the seller's own. */
  readonly choices: readonly {
    readonly value: string | number;
    /** My profit of the first product; null: it is not known. */
    readonly profit: number | null;
  }[];
}

const CHOICES: Readonly<Record<VatGap, readonly (string | number)[]>> = {
  ukScheme: VAT_SCHEMES,
  ukRate: VAT_RATES,
  ukFlatRate: [],
  ukCosts: VAT_SIDES,
  ukFees: VAT_SIDES,
};

/** What is blank and counts for offers in the UK. */
const openRules = (terms: CostTerms): readonly VatGap[] =>
  vatGaps((key) => terms.inUse[key], { sale: 'UK', costs: paidIn(terms, 'UK') }, terms.side);

/** Whether anything may have to be asked. */
export const hasOpenRules = (terms: CostTerms): boolean => openRules(terms).length > 0;

/** @param isOfUk whether the list has figures of the UK; else only its rows can tell. */
export function vatQuestions(
  offers: readonly Offer[],
  terms: CostTerms,
  isOfUk: boolean,
): readonly VatQuestion[] {
  const ofUk = offers.filter(({ product }) => product?.market === 'UK');
  if (!isOfUk && ofUk.length === 0) return [];
  const profitOf = (rule: VatGap, value: string | number) => {
    const inUse = { ...terms.inUse, [rule]: value };
    const answered = { ...terms, inUse };
    // What a rate makes is not known before its percentage is.
    if (openRules(answered).some((gap) => gap === 'ukRate' || gap === 'ukFlatRate')) return null;
    const vat = { ...vatOf(answered, 'UK'), isSaid: true };
    for (const offer of ofUk) {
      const { profit } = decide(offer, { ...offer.costs, vat }, (key) => inUse[key], null);
      if (profit !== null) return profit;
    }
    return null;
  };
  return openRules(terms).map((rule) => ({
    rule,
    choices: CHOICES[rule].map((value) => ({ value, profit: profitOf(rule, value) })),
  }));
}
