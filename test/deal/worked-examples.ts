// Offers with their sums, written out by hand: what the decision must come to.

import type { CellValue } from 'apps-script-host/sheet/model';
import type { CostInput, RateReading } from '../../src/product/cost';
import type { RuleKey } from '../../src/product/deal-rules';
import type { Figures } from '../../src/product/fields';
import type { Currency, Market } from '../../src/product/market';
import type { VatSide } from '../../src/product/vat';

export interface Example {
  readonly what: string;
  readonly market: Market;
  readonly rules?: { readonly [Key in RuleKey]?: CellValue };
  readonly side?: VatSide;
  readonly costs: { readonly [Key in CostInput]?: CellValue };
  readonly discountAs?: RateReading;
  readonly figures?: { readonly [Key in keyof Figures]?: CellValue };
  /** How old the figures are. */
  readonly days?: number;
  readonly exchange?: { readonly currency: Currency; readonly rate: number };
  /** "9.00×2 = 18.00" */
  readonly landed?: string;
  /** "24.00 − 6.20 − 10.00 = 7.80"; left out: there is no verdict. */
  readonly profit?: string;
  readonly verdict: string;
  readonly why?: string;
  /** Whether it stands in the docs. */
  readonly isTold?: true;
}

const us = (
  what: string,
  costs: Example['costs'],
  rest: Omit<Example, 'what' | 'market' | 'costs'>,
) => ({
  ...{ what, market: 'US' as const, costs },
  ...rest,
});

const uk = (
  what: string,
  rules: Example['rules'] & object,
  costs: Example['costs'],
  rest: Omit<Example, 'what' | 'market' | 'costs' | 'rules'>,
) => ({ ...{ what, market: 'UK' as const, rules, costs }, ...rest });

const TEN = { cost: 10 };
/** All that VAT in the UK follows from, so that amounts count as they stand. */
export const NOT_REGISTERED = {
  ukScheme: 'Not registered',
  ukCosts: 'With VAT',
  ukFees: 'With VAT',
};
const STANDARD = { ukScheme: 'Standard', ukCosts: 'Without VAT', ukFees: 'Without VAT' };
const FLAT = { ...NOT_REGISTERED, ukScheme: 'Flat rate', ukFlatRate: 0.075 };
const NOT_SET = { verdict: 'Maybe', why: 'VAT not set' } as const;
const BUY = { verdict: 'Buy' } as const;
const TOLD = { isTold: true } as const;

/** Unless it says otherwise, an offer sells at 24.00 with fees of 6.20. */
export const EXAMPLES: readonly Example[] = [
  us('a cost alone', TEN, { profit: '24.00 − 6.20 − 10.00 = 7.80', ...BUY, ...TOLD }),
  us(
    'a discount of 10%',
    { cost: 10, discount: 0.1 },
    {
      discountAs: 'fraction',
      ...{ landed: '10.00×90÷100 = 9.00', profit: '24.00 − 6.20 − 9.00 = 8.80', ...BUY },
    },
  ),
  us(
    'a discount written as 10',
    { cost: 10, discount: 10 },
    {
      ...{ landed: '10.00×90÷100 = 9.00', profit: '24.00 − 6.20 − 9.00 = 8.80', ...BUY },
    },
  ),
  us(
    'a discount of 0.5 beside others of 5 and 10',
    { cost: 10, discount: 0.5 },
    {
      discountAs: 'percent',
      ...{ landed: '10.00×995÷1000 = 9.95', profit: '24.00 − 6.20 − 9.95 = 7.85', ...BUY },
    },
  ),
  us(
    'a discount of 0.5, which may be either',
    { cost: 10, discount: 0.5 },
    {
      ...{ verdict: 'No verdict', why: 'Check discount' },
    },
  ),
  us(
    'a discount of 100%',
    { cost: 10, discount: '100%' },
    {
      ...{ verdict: 'No verdict', why: 'Check discount' },
    },
  ),
  us(
    'a discount of "12,5%"',
    { cost: 8, discount: '12,5%' },
    {
      ...{ landed: '8.00×875÷1000 = 7.00', profit: '24.00 − 6.20 − 7.00 = 10.80', ...BUY },
    },
  ),
  us(
    'a case of 12',
    { cost: 48, pack: 12 },
    {
      figures: { sell_price: 12, fees: 4.1 },
      ...{ landed: '48.00÷12 = 4.00', profit: '12.00 − 4.10 − 4.00 = 3.90', ...BUY, ...TOLD },
    },
  ),
  us(
    'singles sold as two',
    { cost: 9, multipack: 2 },
    {
      figures: { sell_price: 30, fees: 8.2 },
      ...{ landed: '9.00×2 = 18.00', profit: '30.00 − 8.20 − 18.00 = 3.80' },
      ...{ verdict: 'Maybe', why: 'ROI under 30%', ...TOLD },
    },
  ),
  us(
    'three of a case of 12',
    { cost: 36, pack: 12, multipack: 3 },
    {
      ...{ landed: '36.00÷12×3 = 9.00', profit: '24.00 − 6.20 − 9.00 = 8.80', ...BUY },
    },
  ),
  us(
    'prep, shipping and other',
    { cost: 10, prep: 0.6, shipping: 0.45, other: 0.1 },
    {
      landed: '10.00 + 0.60 + 0.45 + 0.10 = 11.15',
      ...{ profit: '24.00 − 6.20 − 11.15 = 6.65', ...BUY, ...TOLD },
    },
  ),
  us('sales tax of 8% on costs', TEN, {
    rules: { usTax: 0.08 },
    ...{ landed: '10.00×108÷100 = 10.80', profit: '24.00 − 6.20 − 10.80 = 7.00', ...BUY, ...TOLD },
  }),
  us('sales tax that "Cost inc tax" has already', TEN, {
    ...{ rules: { usTax: 0.08 }, side: 'With VAT' },
    ...{ profit: '24.00 − 6.20 − 10.00 = 7.80', ...BUY },
  }),
  us('returns of 3%', TEN, {
    rules: { returns: 0.03 },
    ...{ profit: '24.00 − 24.00×3÷100 − 6.20 − 10.00 = 7.08', ...BUY, ...TOLD },
  }),
  us(
    'all of it',
    { cost: 120, pack: 10, multipack: 2, discount: 5, prep: 0.6, shipping: 0.9, other: 0.1 },
    {
      ...{ rules: { usTax: 8, returns: 2 }, figures: { sell_price: 60, fees: 14.5 } },
      landed: '120.00×108÷100×95÷100÷10×2 + 0.60 + 0.90 + 0.10 = 26.22',
      ...{ profit: '60.00 − 60.00×2÷100 − 14.50 − 26.224 = 18.08', ...BUY },
    },
  ),
  us('values for the whole list', TEN, {
    rules: { pack: 4, multipack: 2, discount: 0.1, prep: 0.5, shipping: 0.3, other: 0.2 },
    landed: '10.00×90÷100÷4×2 + 0.50 + 0.30 + 0.20 = 5.50',
    ...{ profit: '24.00 − 6.20 − 5.50 = 12.30', ...BUY },
  }),
  us(
    'a column instead of the value for the list',
    { cost: 10, pack: 2 },
    {
      ...{ rules: { pack: 4 }, landed: '10.00÷2 = 5.00', profit: '24.00 − 6.20 − 5.00 = 12.80' },
      ...BUY,
    },
  ),
  us('a US seller, whatever is set for the UK', TEN, {
    rules: { ...STANDARD, ukCosts: 'Without VAT', ukFees: 'Without VAT' },
    ...{ profit: '24.00 − 6.20 − 10.00 = 7.80', ...BUY },
  }),

  uk('not registered', NOT_REGISTERED, TEN, {
    profit: '24.00 − 6.20 − 10.00 = 7.80',
    ...BUY,
    ...TOLD,
  }),
  uk('no scheme chosen', { ...NOT_REGISTERED, ukScheme: '' }, TEN, { ...NOT_SET, ...TOLD }),
  uk('no side of the costs said', { ...NOT_REGISTERED, ukCosts: '' }, TEN, NOT_SET),
  uk('no side of the fees said', { ...STANDARD, ukFees: '' }, TEN, NOT_SET),
  uk('standard rate, which is blank', { ...STANDARD, ukRate: '' }, TEN, NOT_SET),
  uk('flat rate without its percentage', { ...FLAT, ukFlatRate: '' }, { cost: 13 }, NOT_SET),
  uk('costs in dollars, and no scheme', { ...NOT_REGISTERED, ukScheme: '' }, TEN, {
    ...{ exchange: { currency: 'USD', rate: 1.25 }, ...NOT_SET },
  }),
  us('costs in pounds, and no scheme', TEN, {
    ...{ exchange: { currency: 'GBP', rate: 1.25 }, ...NOT_SET },
  }),
  uk(
    'not registered, fees without VAT at a rate of 0',
    { ...NOT_REGISTERED, ukRate: 0, ukFees: 'Without VAT' },
    TEN,
    {
      figures: { sell_price: 18.8, fees: 5.5 },
      profit: '18.80 − 5.50×120÷100 − 10.00 = 2.20',
      ...{ verdict: 'Maybe', why: 'Profit under £3; ROI under 30%' },
    },
  ),
  uk('standard rate of 0, fees with VAT', { ...STANDARD, ukRate: 0, ukFees: 'With VAT' }, TEN, {
    ...{ profit: '24.00 − 6.20×100÷120 − 10.00 = 8.83', ...BUY },
  }),
  uk('not registered, "Cost ex VAT"', NOT_REGISTERED, TEN, {
    ...{ side: 'Without VAT', landed: '10.00×120÷100 = 12.00' },
    ...{ profit: '24.00 − 6.20 − 12.00 = 5.80', ...BUY, ...TOLD },
  }),
  uk('not registered, "Cost inc VAT"', NOT_REGISTERED, TEN, {
    ...{ side: 'With VAT', profit: '24.00 − 6.20 − 10.00 = 7.80', ...BUY },
  }),
  uk(
    'not registered, costs without VAT by the rule',
    { ...NOT_REGISTERED, ukCosts: 'Without VAT' },
    TEN,
    {
      ...{ landed: '10.00×120÷100 = 12.00', profit: '24.00 − 6.20 − 12.00 = 5.80', ...BUY },
    },
  ),
  uk('the title before the rule', { ...NOT_REGISTERED, ukCosts: 'Without VAT' }, TEN, {
    ...{ side: 'With VAT', profit: '24.00 − 6.20 − 10.00 = 7.80', ...BUY },
  }),
  uk('not registered, fees without VAT', { ...NOT_REGISTERED, ukFees: 'Without VAT' }, TEN, {
    ...{ profit: '24.00 − 6.20×120÷100 − 10.00 = 6.56', ...BUY, ...TOLD },
  }),
  uk('not registered, fees with VAT', { ...NOT_REGISTERED, ukFees: 'With VAT' }, TEN, {
    ...{ profit: '24.00 − 6.20 − 10.00 = 7.80', ...BUY },
  }),
  uk('standard rate, "Cost ex VAT"', STANDARD, TEN, {
    side: 'Without VAT',
    ...{ profit: '24.00 − 24.00×20÷120 − 6.20 − 10.00 = 3.80', ...BUY, ...TOLD },
  }),
  uk('standard rate, "Cost inc VAT"', STANDARD, TEN, {
    ...{ side: 'With VAT', landed: '10.00×100÷120 = 8.33' },
    ...{ profit: '24.00 − 24.00×20÷120 − 6.20 − 10.00×100÷120 = 5.47', ...BUY, ...TOLD },
  }),
  uk('standard rate, costs with VAT by the rule', { ...STANDARD, ukCosts: 'With VAT' }, TEN, {
    landed: '10.00×100÷120 = 8.33',
    ...{ profit: '24.00 − 24.00×20÷120 − 6.20 − 10.00×100÷120 = 5.47', ...BUY },
  }),
  uk('standard rate, fees with VAT', { ...STANDARD, ukFees: 'With VAT' }, TEN, {
    ...{ profit: '24.00 − 24.00×20÷120 − 6.20×100÷120 − 10.00 = 4.83', ...BUY, ...TOLD },
  }),
  uk('standard rate, fees without VAT', { ...STANDARD, ukFees: 'Without VAT' }, TEN, {
    ...{ profit: '24.00 − 24.00×20÷120 − 6.20 − 10.00 = 3.80', ...BUY },
  }),
  uk('a rate of 5%', { ...STANDARD, ukRate: 5 }, TEN, {
    ...{ profit: '24.00 − 24.00×5÷105 − 6.20 − 10.00 = 6.66', ...BUY },
  }),
  uk('a rate of 0, as for books', { ...STANDARD, ukRate: 0 }, TEN, {
    ...{ profit: '24.00 − 6.20 − 10.00 = 7.80', ...BUY, ...TOLD },
  }),
  uk(
    'standard rate, two of a case with VAT',
    STANDARD,
    { cost: 48, pack: 12, multipack: 2 },
    {
      ...{ side: 'With VAT', figures: { sell_price: 30, fees: 7 } },
      landed: '48.00×100÷120÷12×2 = 6.67',
      ...{ profit: '30.00 − 30.00×20÷120 − 7.00 − 48.00×100÷120÷12×2 = 11.33', ...BUY },
    },
  ),
  uk('standard rate, returns of 4%', { ...STANDARD, returns: 0.04 }, TEN, {
    profit: '24.00 − 24.00×20÷120 − 24.00×4÷100 − 6.20 − 10.00 = 2.84',
    ...{ verdict: 'Maybe', why: 'Profit under £3; ROI under 30%', ...TOLD },
  }),
  uk(
    'standard rate, prep and shipping as they are',
    STANDARD,
    { cost: 10, prep: 0.5, shipping: 0.3 },
    {
      landed: '10.00 + 0.50 + 0.30 = 10.80',
      profit: '24.00 − 24.00×20÷120 − 6.20 − 10.80 = 3.00',
      ...{ verdict: 'Maybe', why: 'ROI under 30%' },
    },
  ),
  uk('flat rate of 7.5%', FLAT, TEN, {
    ...{ profit: '24.00 − 24.00×75÷1000 − 6.20 − 10.00 = 6.00', ...BUY, ...TOLD },
  }),
  uk('flat rate of 16.5, "Cost ex VAT"', { ...FLAT, ukFlatRate: 16.5 }, TEN, {
    ...{ side: 'Without VAT', landed: '10.00×120÷100 = 12.00' },
    profit: '24.00 − 24.00×165÷1000 − 6.20 − 12.00 = 1.84',
    ...{ verdict: 'Maybe', why: 'Profit under £3; ROI under 30%', ...TOLD },
  }),
  uk('flat rate, "Cost inc VAT"', FLAT, TEN, {
    ...{ side: 'With VAT', profit: '24.00 − 24.00×75÷1000 − 6.20 − 10.00 = 6.00', ...BUY },
  }),
  uk('flat rate, fees without VAT', { ...FLAT, ukFees: 'Without VAT' }, TEN, {
    ...{ profit: '24.00 − 24.00×75÷1000 − 6.20×120÷100 − 10.00 = 4.76', ...BUY },
  }),
  uk('flat rate, returns of 5%', { ...FLAT, returns: 0.05 }, TEN, {
    ...{ profit: '24.00 − 24.00×75÷1000 − 24.00×5÷100 − 6.20 − 10.00 = 4.80', ...BUY },
  }),

  us('costs in pounds, at 1.25 dollars', TEN, {
    ...{ exchange: { currency: 'GBP', rate: 1.25 }, rules: NOT_REGISTERED },
    ...{ landed: '10.00×125÷100 = 12.50', profit: '24.00 − 6.20 − 12.50 = 5.30', ...BUY, ...TOLD },
  }),
  us(
    'costs in pounds without VAT that is not reclaimed',
    { cost: 10, prep: 1 },
    {
      ...{ exchange: { currency: 'GBP', rate: 1.25 }, side: 'Without VAT', rules: NOT_REGISTERED },
      landed: '(10.00×120÷100 + 1.00)×125÷100 = 16.25',
      profit: '24.00 − 6.20 − 16.25 = 1.55',
      ...{ verdict: 'Skip', why: 'Profit under $3; ROI under 30%' },
    },
  ),
  uk('costs in dollars', STANDARD, TEN, {
    exchange: { currency: 'USD', rate: 1.25 },
    landed: '10.00×100÷125 = 8.00',
    ...{ profit: '24.00 − 24.00×20÷120 − 6.20 − 8.00 = 5.80', ...BUY },
  }),

  us(
    '"$1,234.50"',
    { cost: '$1,234.50' },
    {
      figures: { sell_price: 2_000, fees: 250 },
      ...{ landed: '1234.50 = 1234.50', profit: '2000.00 − 250.00 − 1234.50 = 515.50', ...BUY },
    },
  ),
  us(
    '"1,234"',
    { cost: '1,234' },
    {
      figures: { sell_price: 2_000, fees: 250 },
      ...{ landed: '1234.00 = 1234.00', profit: '2000.00 − 250.00 − 1234.00 = 516.00', ...BUY },
    },
  ),
  us(
    '"4,50 USD"',
    { cost: '4,50\u00a0USD' },
    {
      ...{ figures: { sell_price: 12, fees: 4 }, landed: '4.50 = 4.50' },
      ...{ profit: '12.00 − 4.00 − 4.50 = 3.50', ...BUY },
    },
  ),
  us(
    '="4.50" of an export, and prep of "0,125"',
    { cost: '="4.50"', prep: '0,125' },
    {
      ...{ figures: { sell_price: 12, fees: 4 }, landed: '4.50 + 0.125 = 4.63' },
      ...{ profit: '12.00 − 4.00 − 4.625 = 3.38', ...BUY },
    },
  ),
  uk(
    '"£4.50"',
    NOT_REGISTERED,
    { cost: '£4.50' },
    {
      ...{ figures: { sell_price: 12, fees: 4 }, landed: '4.50 = 4.50' },
      ...{ profit: '12.00 − 4.00 − 4.50 = 3.50', ...BUY },
    },
  ),
  us(
    '"£12.50" in a US list',
    { cost: '£12.50' },
    { verdict: 'No verdict', why: 'Check cost', ...TOLD },
  ),
  us(
    '"12 or so", and a case of 6-12, which is a date',
    { cost: '12 or so', pack: 46_185 },
    {
      ...{ verdict: 'No verdict', why: 'Check cost; Check case size' },
    },
  ),
  us('no cost', {}, { verdict: 'No verdict', why: 'No cost' }),
  us('no fees', TEN, { figures: { fees: '' }, verdict: 'No verdict', why: 'No fees' }),
  us('no sell price', TEN, {
    figures: { sell_price: '' },
    verdict: 'No verdict',
    why: 'No sell price',
  }),
  us('a sell price that follows from the buy price', TEN, {
    figures: { sell_price: '', buy_price: 9, profit: 6, fees: 5 },
    profit: '9.00 + 5.00 + 6.00 − 5.00 − 10.00 = 5.00',
    ...{ ...BUY, why: 'Sell price estimated' },
  }),

  us(
    'a profit of exactly 3.00',
    { cost: 7 },
    {
      ...{ figures: { sell_price: 15, fees: 5 }, profit: '15.00 − 5.00 − 7.00 = 3.00', ...BUY },
    },
  ),
  us(
    'a profit of 2.99',
    { cost: 7.01 },
    {
      ...{ figures: { sell_price: 15, fees: 5 }, profit: '15.00 − 5.00 − 7.01 = 2.99' },
      ...{ verdict: 'Maybe', why: 'Profit under $3' },
    },
  ),
  us(
    'an ROI of exactly 30%',
    { cost: 20 },
    {
      ...{ figures: { sell_price: 34, fees: 8 }, profit: '34.00 − 8.00 − 20.00 = 6.00', ...BUY },
    },
  ),
  us(
    'an ROI just under 30%',
    { cost: 20.01 },
    {
      ...{ figures: { sell_price: 34, fees: 8 }, profit: '34.00 − 8.00 − 20.01 = 5.99' },
      ...{ verdict: 'Maybe', why: 'ROI under 30%' },
    },
  ),
  us('a profit of 1.50 and an ROI of 15%', TEN, {
    ...{ figures: { sell_price: 16.5, fees: 5 }, profit: '16.50 − 5.00 − 10.00 = 1.50' },
    ...{ verdict: 'Maybe', why: 'Profit under $3; ROI under 30%' },
  }),
  us('a profit of 1.49', TEN, {
    ...{ figures: { sell_price: 16.49, fees: 5 }, profit: '16.49 − 5.00 − 10.00 = 1.49' },
    ...{ verdict: 'Skip', why: 'Profit under $3; ROI under 30%' },
  }),
  us('5 rank drops', TEN, {
    ...{ figures: { rank_drops_30d: 5 }, profit: '24.00 − 6.20 − 10.00 = 7.80', ...BUY },
  }),
  us('4 rank drops', TEN, {
    ...{ figures: { rank_drops_30d: 4 }, profit: '24.00 − 6.20 − 10.00 = 7.80' },
    ...{ verdict: 'Maybe', why: 'Rank drops under 5' },
  }),
  us('no rank drop', TEN, {
    ...{ figures: { rank_drops_30d: 0 }, profit: '24.00 − 6.20 − 10.00 = 7.80' },
    ...{ verdict: 'Skip', why: 'Rank drops under 5' },
  }),
  us('fees of exactly the limit', TEN, {
    ...{ rules: { maxFees: 6.2 }, profit: '24.00 − 6.20 − 10.00 = 7.80', ...BUY },
  }),
  us('fees over the limit', TEN, {
    ...{ rules: { maxFees: 6 }, profit: '24.00 − 6.20 − 10.00 = 7.80' },
    ...{ verdict: 'Maybe', why: 'Fees over $6' },
  }),
  us('figures of exactly 7 days', TEN, {
    ...{ days: 7, profit: '24.00 − 6.20 − 10.00 = 7.80', ...BUY },
  }),
  us('figures of 8 days', TEN, {
    ...{ days: 8, profit: '24.00 − 6.20 − 10.00 = 7.80' },
    ...{ verdict: 'Maybe', why: 'Figures older than 7 days' },
  }),
  us('what may not be sold', TEN, {
    ...{ figures: { eligible: false }, profit: '24.00 − 6.20 − 10.00 = 7.80' },
    ...{ verdict: 'Skip', why: 'Not eligible' },
  }),
  us('what needs approval', TEN, {
    ...{ figures: { eligible: 'Needs approval' }, profit: '24.00 − 6.20 − 10.00 = 7.80' },
    ...{ verdict: 'Maybe', why: 'Needs approval' },
  }),
  us(
    'an ROI of exactly 300%',
    { cost: 4 },
    {
      ...{ figures: { sell_price: 20, fees: 4 }, profit: '20.00 − 4.00 − 4.00 = 12.00', ...BUY },
    },
  ),
  us(
    'an ROI over 300%',
    { cost: 3 },
    {
      ...{ profit: '24.00 − 6.20 − 3.00 = 14.80', ...BUY, why: 'Check units and cost', ...TOLD },
    },
  ),
];
