// Figures: their names, as everybody writes them, and their values, as services do.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { fieldValue, readFieldNames, unknownField } from '../../src/product/arguments';
import {
  ALL_FIELDS,
  type Analysis,
  DEFAULT_FIELDS,
  FIELDS,
  fieldOfName,
  figuresBy,
  readCount,
  readEligibility,
  readFees,
  readNumber,
  readRatio,
  ruleWords,
  type WordedRule,
} from '../../src/product/fields';

// Field names: ours, everybody else's, the ones that only look alike, and slips of the keyboard.
describe('the names of figures', () => {
  const NOW = 1_760_000_000_000;

  const MUG: Analysis = {
    figures: {
      ...figuresBy(() => null),
      profit: 9.85,
      roi: 0.8565,
      fees: 11.64,
      eligible: true,
      rank_drops_30d: 66,
      buy_price: 11.5,
      sell_price: null,
    },
    extras: [
      ['currency', 'USD'],
      ['Sales Rank', 4_211],
      ['hazmat', false],
      ['brand', null],
      ['__proto__', 'only a name'],
    ],
    fetchedAtMs: NOW - 3 * 3_600_000,
  };

  it('the fields are the five of the contract, unless others are asked for', () => {
    expect(DEFAULT_FIELDS).toEqual(['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d']);
    expect(FIELDS.slice(5)).toEqual(['buy_price', 'sell_price']);
    expect(ALL_FIELDS).toEqual([...FIELDS, 'age', 'as_of']);
  });

  describe('a name', () => {
    it.each([
      ...['buy_price', 'buyPrice', 'Buy Price', 'BUY-PRICE', 'cost', 'cost_price', 'cogs', 'COG'],
      ...['product_cost', 'sourcePrice', 'purchase_price', 'purchasePrice', 'buy_cost'],
    ])('%s is what the product costs', (name) => {
      expect(fieldOfName(name)).toBe('buy_price');
    });

    it.each([
      ...['sell_price', 'sellPrice', 'selling_price', 'price', 'buyBoxPrice', 'bb_price'],
      ...['amazonPrice', 'sale_price', 'salePrice', 'buy_box_price', 'buybox', 'current_price'],
    ])('%s is what the product sells at', (name) => {
      expect(fieldOfName(name)).toBe('sell_price');
    });

    it.each([
      ['netProfit', 'profit'],
      ['net_profit', 'profit'],
      ['ROI', 'roi'],
      ['roi %', 'roi'],
      ['Return on Investment', 'roi'],
      ['totalFees', 'fees'],
      ['total_fees', 'fees'],
      ['can sell', 'eligible'],
      ['Eligibility', 'eligible'],
      ['rank_drops_30d', 'rank_drops_30d'],
      ['Rank drops 30d', 'rank_drops_30d'],
      ['Rank drops (30d)', 'rank_drops_30d'],
      ['salesRankDrops30', 'rank_drops_30d'],
    ])('%s is %s', (name, field) => {
      expect(fieldOfName(name)).toBe(field);
    });

    it.each([
      ...['buyer', 'buy_price_vat', 'price_history', 'profit_margin', 'margin', 'rank', 'fee_note'],
      ...['rank_drops_90d', 'salesRankDrops90', 'constructor', '__proto__', 'toString', '', ' '],
    ])('%p is none of ours', (name) => {
      expect(fieldOfName(name)).toBeUndefined();
    });
  });

  describe('a list of names', () => {
    it.each([
      ['commas', ['profit, roi'], ['profit', 'roi']],
      ['semicolons', ['profit;roi'], ['profit', 'roi']],
      ['lines', ['profit\nroi'], ['profit', 'roi']],
      ['other names', ['Cost, buyBoxPrice'], ['buy_price', 'sell_price']],
      ["the service's own names", ['currency, Sales Rank'], ['currency', 'Sales Rank']],
      ['one name', ['ROI'], ['roi']],
      ['the same name twice', ['roi, roi'], ['roi', 'roi']],
      ['header cells', ['Profit', 'Sell price'], ['profit', 'sell_price']],
      ['a blank header', ['Profit', '', null, 'ROI'], ['profit', '', '', 'roi']],
      ['a header with a comma', ['Profit, net', 'ROI'], ['Profit, net', 'roi']],
      ['a comma too many', ['profit,,roi'], ['profit', 'roi']],
      ['a comma at the end', ['profit, roi,'], ['profit', 'roi']],
      ['wide letters and a wide comma', ['ｐｒｏｆｉｔ，roi'], ['profit', 'roi']],
      ['signs that nobody sees', ['\uFEFFprofit', 'roi\u200B'], ['profit', 'roi']],
    ])('with %s', (_, cells, names) => {
      expect(readFieldNames(cells)).toEqual(names);
    });

    it('of nothing is empty', () => {
      for (const cells of [[], [''], [' , '], [null], ['', '']])
        expect(readFieldNames(cells)).toEqual([]);
    });

    it('of "all" is every figure, in order, and then their age', () => {
      expect(readFieldNames(['all'])).toEqual([...FIELDS, 'age', 'as_of']);
      expect(readFieldNames([' ALL '])).toEqual(ALL_FIELDS);
      expect(readFieldNames(['all, verdict'])).toEqual([...ALL_FIELDS, 'verdict']);
      expect(readFieldNames(['why', 'All'])).toEqual(['why', ...ALL_FIELDS]);
    });
  });

  describe('the value of a field', () => {
    it('is the figure, by any of its names', () => {
      expect(fieldValue(MUG, 'profit', NOW)).toBe(9.85);
      expect(fieldValue(MUG, 'Buy price', NOW)).toBe(11.5);
      expect(fieldValue(MUG, 'eligible', NOW)).toBe(true);
    });

    it('is null for a figure that is not known', () => {
      expect(fieldValue(MUG, 'sell_price', NOW)).toBeNull();
    });

    it("is that of the service's own field, without regard to case, spaces and dashes", () => {
      expect(fieldValue(MUG, 'currency', NOW)).toBe('USD');
      expect(fieldValue(MUG, 'sales-rank', NOW)).toBe(4_211);
      expect(fieldValue(MUG, 'hazmat', NOW)).toBe(false);
      expect(fieldValue(MUG, 'brand', NOW)).toBeNull();
      expect(fieldValue(MUG, '__proto__', NOW)).toBe('only a name');
    });

    it('is a blank column for a blank name', () => {
      expect(fieldValue(MUG, '', NOW)).toBeNull();
    });

    it('is its age in whole days, or the moment it was fetched', () => {
      expect(fieldValue(MUG, 'Age', NOW)).toBe(0);
      expect(fieldValue(MUG, 'as of', NOW)).toEqual(new Date(NOW - 3 * 3_600_000));
      expect(fieldValue(MUG, 'age', NOW + 50 * 3_600_000)).toBe(2);
      expect(fieldValue(MUG, 'age', NOW - 86_400_000)).toBe(0);
    });

    it('is never taken from the service where it has a meaning here', () => {
      const sent: Analysis = {
        ...MUG,
        extras: [
          ['age', 'new'],
          ['as_of', 'today'],
        ],
      };
      expect(fieldValue(sent, 'age', NOW)).toBe(0);
      expect(fieldValue(sent, 'as_of', NOW)).toBeInstanceOf(Date);
    });

    it('does not exist for a name that the service did not send', () => {
      for (const name of ['profitt', 'constructor', 'toString', 'length', 'hasOwnProperty'])
        expect(fieldValue(MUG, name, NOW)).toBeUndefined();
    });
  });

  describe('a slip', () => {
    it.each([
      ['profitt', 'profit'],
      ['prfit', 'profit'],
      ['elligible', 'eligible'],
      ['rank_drop_30d', 'rank_drops_30d'],
      ['sel price', 'sell_price'],
      ['curency', 'currency'],
      ['feees', 'fees'],
      ['Hazmatt', 'hazmat'],
    ])('%s: did you mean %s?', (name, nearest) => {
      expect(unknownField(name, [MUG])).toEqual({ kind: 'bad-field', input: name, nearest });
    });

    it('far from every name is given none', () => {
      expect(unknownField('velocity', [MUG])).toEqual({ kind: 'bad-field', input: 'velocity' });
    });

    it('of any length is shown in 40 characters, and found quickly', () => {
      const input = 'p'.repeat(100_000);
      expect(unknownField(input, [MUG])).toMatchObject({ input: 'p'.repeat(40) });
    });

    it('of one letter in a long name is always understood', () => {
      fc.assert(
        fc.property(fc.constantFrom(...FIELDS), fc.nat(20), (field, at) => {
          const cut = at % field.length;
          const slip = `${field.slice(0, cut)}q${field.slice(cut + 1)}`;
          const short = field.length <= 3;
          if (short || slip === field) return;
          expect(unknownField(slip, [])).toMatchObject({ nearest: field });
        }),
      );
    });
  });
});

// Single figures as services write them: numbers, text, money, percentages, fees in parts, yes and no.
describe('the values of figures', () => {
  describe('a number', () => {
    it.each([
      ['12.5', 12.5],
      ['12,5', 12.5],
      ['12,50', 12.5],
      ['-12,50', -12.5],
      ['1,234.50', 1234.5],
      ['1.234,50', 1234.5],
      ['1 234,50', 1234.5],
      ['1\u202f234\u202f567', 1_234_567],
      ['- $ 3.20', -3.2],
      ['1,234', 1234],
      ['1,234,567', 1234567],
      ['12,345,678.90', 12345678.9],
      ['0,5', 0.5],
      ['0,4123', 0.4123],
      ['0,412', 0.412],
      ['-0,412', -0.412],
      ['$12.50', 12.5],
      ['-$12.50', -12.5],
      ['£1,234.50', 1234.5],
      ['12.50 USD', 12.5],
      ['US$12.50', 12.5],
      ['GBP 7', 7],
      ['12.5%', 0.125],
      ['12,5 %', 0.125],
      ['-3%', -0.03],
      ['150%', 1.5],
      ['\u22124.2', -4.2],
      ['+4', 4],
      ['.5', 0.5],
      ['5.', 5],
      ['1e3', 1000],
      ['0', 0],
    ])('%s is %d', (text, number) => {
      expect(readNumber(text)).toBeCloseTo(number, 10);
    });

    it.each(['12 50', '3 20', '$12.50 $3', '$12.50 $300', '£1 2', '3£20', '1 2345'])(
      '%s is none: these are two',
      (text) => {
        expect(readNumber(text)).toBeUndefined();
      },
    );

    it('stays as it is, pence and all', () => {
      for (const number of [0, -0.01, 1150, 3299, 1e-9, 0.1 + 0.2])
        expect(readNumber(number)).toBe(number);
    });

    it.each([null, undefined, '', '  ', 'N/A', 'n/a', 'null', 'None', '-', '—', '–', '--'])(
      'is not given by %p',
      (value) => {
        expect(readNumber(value)).toBeNull();
      },
    );

    it.each([
      ...[true, false, Number.NaN, Number.POSITIVE_INFINITY, {}, [], [5]],
      ...['abc', '1e999', '-1e999', '0x10', '1.2.3', '1,23,456', '12 or 13', '--5', '%', '1_000'],
      ...['Infinity', 'NaN', '=1+1', '5-', '12,5,0'],
    ])('is not %p', (value) => {
      expect(readNumber(value)).toBeUndefined();
    });

    it('is not a text as long as a body, which is not even read', () => {
      const beganMs = performance.now();
      expect(readNumber(`${'1'.repeat(250_000)}x`)).toBeUndefined();
      expect(performance.now() - beganMs).toBeLessThan(1_000);
    });

    it('is the same written by JSON and read again', () => {
      fc.assert(
        fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
          expect(readNumber(String(number))).toBeCloseTo(number, 10);
          expect(readNumber(JSON.parse(JSON.stringify({ number })).number)).toBe(number || 0);
        }),
      );
    });

    it('reads alike with a decimal comma and with a decimal point', () => {
      fc.assert(
        fc.property(
          fc.integer({ min: -99_999, max: 99_999 }),
          fc.constantFrom(1, 2, 4),
          (n, digits) => {
            const text = (n / 10 ** digits).toFixed(digits);
            expect(readNumber(text.replace('.', ','))).toBe(readNumber(text));
          },
        ),
      );
    });

    it('is finite, null or undefined, whatever is sent', () => {
      fc.assert(
        fc.property(fc.anything(), (value) => {
          const number = readNumber(value);
          expect(number === null || number === undefined || Number.isFinite(number)).toBe(true);
        }),
        { numRuns: 1_000 },
      );
    });
  });

  describe('a ratio', () => {
    it.each([
      ['percent', 15, 0.15],
      ['percent', '15', 0.15],
      ['percent', '15%', 0.15],
      ['percent', null, null],
      ['percent', 'much', undefined],
      ['fraction', 0.15, 0.15],
      ['fraction', '15%', 0.15],
    ] as const)('sent as a %s, %j is %j', (unit, sent, ratio) => {
      expect(readRatio(sent, unit)).toBe(ratio);
    });
  });

  describe('fees', () => {
    it.each([
      ['a number', 11.64, 11.64],
      ['text', '11,64', 11.64],
      ['a total', { referral: 4.95, fulfilment: 6.69, total: 11.64 }, 11.64],
      ['a total in camel case', { totalFees: 11.64, referral: 4.95 }, 11.64],
      ['a total with an underscore', { total_fees: '11.64', referral: 4.95 }, 11.64],
      ['parts', { referral: 4.95, fulfilment: 6.69 }, 11.64],
      ['parts as text', { referral: '4.95', fulfilment: '6.69' }, 11.64],
      ['parts with unknown ones', { referral: 4.95, storage: null }, 4.95],
      ['parts of parts', { referral: 4.95, fulfilment: { pick: 3.69, weight: 3 } }, 11.64],
      [
        'parts that say their rates',
        { referral: { amount: 4.95, percent: 15 }, pick: 6.69 },
        11.64,
      ],
      [
        'parts that say their percentages beside them',
        { referral: 4.95, referral_percent: 15, referralPct: 15, 'referral %': 15, pick: 6.69 },
        11.64,
      ],
      ['a rate that is an amount', { referral: 4.95, shipping_rate: 6.69 }, 11.64],
      ['a total in parts', { total: { amount: 11.64, currency: 'USD' }, pick: 6.69 }, 11.64],
      ['a grand total', { grandTotal: 11.64, referral: 4.95 }, 11.64],
      ['a total fee', { total_fee: 11.64, referral: 4.95 }, 11.64],
      ['parts and their currency', { referral: 4.95, fulfilment: 6.69, currency: 'USD' }, 11.64],
    ])('as %s', (_, value, total) => {
      expect(readFees(value)).toBeCloseTo(total, 10);
    });

    it('that are not given stay unknown, and are never 0', () => {
      for (const value of [null, undefined, '', {}, { referral: null }, { total: null }])
        expect(readFees(value)).toBeNull();
    });

    it('with a part that is no figure are no figure, and never a smaller sum', () => {
      expect(readFees({ referral: 4.95, fulfilment: 'on request' })).toBeUndefined();
      expect(readFees({ total: 'on request', referral: 4.95 })).toBeUndefined();
      expect(readFees({ referral: [4.95] })).toBeUndefined();
      expect(readFees({ amount: 985, currency: 'USD', exponent: 2 })).toBeUndefined();
      expect(readFees({ referral: { value: 985, scale: 100 }, fba: 3 })).toBeUndefined();
      expect(readFees(true)).toBeUndefined();
    });

    it('that are a percentage are no amount', () => {
      for (const fees of ['15%', { referral: '15 %', pick: 3.5 }, { total: '15%' }])
        expect(readFees(fees)).toBeUndefined();
      expect(readCount('300%')).toBeUndefined();
    });
  });

  describe('eligibility', () => {
    it.each([true, 'true', 'Yes', 'y', 1, '1', 'ALLOWED_TO_SELL', 'eligible', 'Ungated', 'OK', []])(
      '%p is a yes',
      (value) => {
        expect(readEligibility(value)).toBe(true);
      },
    );

    it.each([
      ...[false, 'false', 'No', 'n', 0, '0', 'NOT_ELIGIBLE', 'not eligible', 'Not-Allowed'],
      ...['restricted', 'ineligible', ' BLOCKED '],
    ])('%p is a no', (value) => {
      expect(readEligibility(value)).toBe(false);
    });

    it.each([
      'APPROVAL_REQUIRED',
      'approval required',
      'Approval needed',
      'requires-approval',
      'Needs approval',
      'gated',
      'Gated',
    ])('%p needs approval', (value) => {
      expect(readEligibility(value)).toBe('Needs approval');
    });

    it('of a list of restrictions is what the list says', () => {
      expect(readEligibility([{ reasonCode: 'APPROVAL_REQUIRED' }])).toBe('Needs approval');
      expect(readEligibility([{ reasonCode: 'NOT_ELIGIBLE' }])).toBe(false);
      expect(readEligibility(['brand'])).toBe(false);
    });

    it.each([null, undefined, '', 'unknown', 'UNKNOWN', 'n/a', 'null'])(
      '%p is unknown',
      (value) => {
        expect(readEligibility(value)).toBeNull();
      },
    );

    it.each([{}, { eligible: true }, 2, -1, 'maybe', 'yes and no', 'not sure', Number.NaN])(
      '%p says neither',
      (value) => {
        expect(readEligibility(value)).toBeUndefined();
      },
    );

    it('is a no only where something was said', () => {
      fc.assert(
        fc.property(fc.anything({ maxDepth: 1 }), (value) => {
          if (readEligibility(value) === false) expect(value === null || value === '').toBe(false);
        }),
      );
    });
  });

  describe('a count', () => {
    it.each([
      [66, 66],
      ['66', 66],
      ['1,204', 1204],
      [0, 0],
      ['12.0', 12],
    ])('%p is %d', (value, count) => {
      expect(readCount(value)).toBe(count);
    });

    it('that is not given stays unknown', () => {
      for (const value of [null, undefined, '', 'n/a', -1, '-1'])
        expect(readCount(value)).toBeNull();
    });

    it.each([3.5, '3,5', -3, true, {}, [66], 'many'])('is not %p', (value) => {
      expect(readCount(value)).toBeUndefined();
    });
  });
});

// Rules in words: one wording for the page, the sheet, the digest and the mail.
describe('the words of a rule', () => {
  it.each<[string, WordedRule]>([
    ['No longer eligible', { kind: 'no-longer-eligible' }],
    ['ROI fell under 20%', { kind: 'fell-under', field: 'roi', bound: 0.2 }],
    // 0.07 * 100 is 7.000000000000001
    ['ROI rose over 7%', { kind: 'rose-over', field: 'roi', bound: 0.07 }],
    ['Profit fell under 2.50', { kind: 'fell-under', field: 'profit', bound: 2.5 }],
    ['Sell price rose over 30', { kind: 'rose-over', field: 'sell_price', bound: 30 }],
    ['Rank drops doubled', { kind: 'doubled', field: 'rank_drops_30d' }],
    ['Rank drops fell under 4', { kind: 'fell-under', field: 'rank_drops_30d', bound: 4 }],
  ])('%s', (words, rule) => {
    expect(ruleWords(rule)).toBe(words);
  });
});
