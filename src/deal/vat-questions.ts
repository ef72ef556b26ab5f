// What has to be asked about VAT before a list with UK offers is decided right, with what either
// answer makes of its first product. Pure.

import type { RuleKey } from '../product/deal-rules';
import { type CostTerms, vatOf } from '../product/offer-costs';
import { VAT_SCHEMES, VAT_SIDES } from '../product/vat';
import { decide } from '../product/verdict';
import type { Offer } from './offers';

export interface VatQuestion {
  readonly rule: 'ukScheme' | 'ukCosts' | 'ukFees';
  readonly choices: readonly {
    readonly value: string;
    /** My profit of the first product; null: it is not known. */
    readonly profit: number | null;
  }[];
}

/** The rules that are blank and count for offers in the UK. */
function openRules({ inUse, side, currency }: CostTerms): readonly VatQuestion['rule'][] {
  const isSaid = (key: RuleKey) => Boolean(inUse[key]);
  const bearsVat = currency !== 'USD' && side === null;
  return [
    ...(isSaid('ukScheme') ? [] : (['ukScheme'] as const)),
    ...(isSaid('ukCosts') || !bearsVat ? [] : (['ukCosts'] as const)),
    ...(isSaid('ukFees') ? [] : (['ukFees'] as const)),
  ];
}

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
  const profitOf = (rule: VatQuestion['rule'], value: string) => {
    const inUse = { ...terms.inUse, [rule]: value };
    const vat = vatOf({ ...terms, inUse }, 'UK');
    for (const offer of ofUk) {
      const { profit } = decide(offer, { ...offer.costs, vat }, (key) => inUse[key], null);
      if (profit !== null) return profit;
    }
    return null;
  };
  // What a flat rate makes is not known before its percentage is.
  const isKnown = (value: string) => value !== 'Flat rate' || Boolean(terms.inUse.ukFlatRate);
  return openRules(terms).map((rule) => ({
    rule,
    choices: (rule === 'ukScheme' ? VAT_SCHEMES : VAT_SIDES).map((value) => ({
      value,
      profit: isKnown(value) ? profitOf(rule, value) : null,
    })),
  }));
}
