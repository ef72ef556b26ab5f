// Single figures as services write them: numbers, text, money, percentages, fees in parts, yes and no.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { readCount, readEligibility, readFees, readNumber } from '../../src/product/figures';

describe('a number', () => {
  it.each([
    ['12.5', 12.5],
    ['12,5', 12.5],
    ['12,50', 12.5],
    ['-12,50', -12.5],
    ['1,234.50', 1234.5],
    ['1.234,50', 1234.5],
    ['1 234,50', 1234.5],
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

  it('stays as it is, pence and all', () => {
    for (const number of [0, -0.01, 1150, 3299, 1e-9, 0.1 + 0.2])
      expect(readNumber(number)).toBe(number);
  });

  it.each([null, undefined, '', '  ', 'N/A', 'n/a', 'null', 'None', '-', '—'])(
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
    ['parts that say their rates', { referral: { amount: 4.95, percent: 15 }, pick: 6.69 }, 11.64],
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
    expect(readFees(true)).toBeUndefined();
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

  it.each(['APPROVAL_REQUIRED', 'approval required', 'needs approval', 'gated', 'Gated'])(
    '%p needs approval',
    (value) => {
      expect(readEligibility(value)).toBe('needs approval');
    },
  );

  it('of a list of restrictions is what the list says', () => {
    expect(readEligibility([{ reasonCode: 'APPROVAL_REQUIRED' }])).toBe('needs approval');
    expect(readEligibility([{ reasonCode: 'NOT_ELIGIBLE' }])).toBe(false);
    expect(readEligibility(['brand'])).toBe(false);
  });

  it.each([null, undefined, '', 'unknown', 'UNKNOWN', 'n/a', 'null'])('%p is unknown', (value) => {
    expect(readEligibility(value)).toBeNull();
  });

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
    for (const value of [null, undefined, '', 'n/a', -1, '-1']) expect(readCount(value)).toBeNull();
  });

  it.each([3.5, '3,5', -3, true, {}, [66], 'many'])('is not %p', (value) => {
    expect(readCount(value)).toBeUndefined();
  });
});
