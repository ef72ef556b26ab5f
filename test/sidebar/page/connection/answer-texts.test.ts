// The answer of a check in a seller's words, and the choices for what it leaves open.
import { describe, expect, it } from '@jest/globals';
import type { ConnectionSettings } from '../../../../src/connection/connection';
import { answerText, choicesOf, readText } from '../../../../src/sidebar/page/connection/answer';

const SENT = {
  ...{ profit: 1_561, roi: 87.21, fees: 648, eligible: true, rank_drops_30d: 1_202 },
  ...{ buy_price: 1_790, sell_price: null },
} as const;
const SETTINGS = { roiUnit: 'percent', moneyUnit: 'hundredths' } as const;
const ANSWERED = { market: 'US', sent: SENT, questions: [] };

const MONEY = {
  setting: 'moneyUnit',
  options: [{ value: 'units' }, { value: 'hundredths' }],
} as const;
const ROI = { setting: 'roiUnit', options: [{ value: 'fraction' }, { value: 'percent' }] } as const;
const SELL = {
  setting: 'sellPriceName',
  field: 'sell_price',
  options: [{ value: '' }, { value: 'asking', amount: 3_999 }, { value: 'lowest', amount: 3_899 }],
} as const;

describe('what was read', () => {
  it('is in units that a seller knows, with the sign of the market', () => {
    expect(answerText(ANSWERED, SETTINGS)).toBe(
      'Profit $15.61 · ROI 87.2% · Fees $6.48 · Eligible yes · 1,202 rank drops · Buy price $17.90',
    );
    expect(answerText({ ...ANSWERED, market: 'UK' }, SETTINGS)).toMatch(/^Profit £15\.61 · /);
  });

  it('says what is not given, never 0, and leaves prices out that nobody promised', () => {
    const sent = { ...SENT, roi: null, fees: null, eligible: null, buy_price: null };
    expect(answerText({ ...ANSWERED, sent }, SETTINGS)).toBe(
      'Profit $15.61 · ROI not given · Fees not given · Eligible not given · 1,202 rank drops',
    );
  });

  it('is as sent where nothing is decided', () => {
    expect(answerText(ANSWERED, {})).toMatch(/^Profit \$1,561\.00 · ROI 87\.21 · Fees \$648\.00/);
  });

  it('is asked for where it could be otherwise', () => {
    expect(readText(ANSWERED, SETTINGS)).toMatch(/Buy price \$17\.90\.$/);
    const asked = { ...ANSWERED, questions: [MONEY] };
    expect(readText(asked, SETTINGS)).toMatch(/Buy price \$17\.90\. Is that right\?$/);
  });
});

describe('the choices of a question', () => {
  const labels = (question: typeof MONEY | typeof ROI | typeof SELL, settings = {}) =>
    choicesOf({ ...ANSWERED, questions: [question] }, question, {
      ...SETTINGS,
      ...settings,
    }).map(({ value, label }) => [value, label]);

  it('show what each would make of the answer', () => {
    expect(labels(ROI)).toEqual([
      ['fraction', 'ROI 8,721%'],
      ['percent', 'ROI 87.2%'],
    ]);
    expect(labels(MONEY)).toEqual([
      ['units', 'Profit $1,561.00 · Fees $648.00'],
      ['hundredths', 'Profit $15.61 · Fees $6.48'],
    ]);
    expect(labels(SELL)).toEqual([
      ['', 'Not in this answer'],
      ['asking', '$39.99'],
      ['lowest', '$38.99'],
    ]);
    expect(labels(SELL, { moneyUnit: 'units' })[1]).toEqual(['asking', '$3,999.00']);
  });

  it('change the answer that is shown', () => {
    const answered = { ...ANSWERED, questions: [SELL] };
    const shown = (settings: ConnectionSettings) =>
      answerText(answered, { ...SETTINGS, ...settings });
    expect(shown({})).not.toContain('Sell price');
    expect(shown({ sellPriceName: 'lowest' })).toMatch(/ · Sell price \$38\.99$/);
  });
});
