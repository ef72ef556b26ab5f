// What is settled and why, and what answers said against it, in the words of the page.
import { describe, expect, it } from '@jest/globals';
import type { CountedObservation } from '../../../../src/service/observations';
import type { ReadingFacts } from '../../../../src/sidebar/api/check';
import {
  decisionsOf,
  findingsOf,
  whyShown,
  withCheck,
} from '../../../../src/sidebar/page/connection/texts';
import { REPORT } from './events';

const NOTHING: ReadingFacts = { settings: {}, found: {}, reasons: {}, observations: [] };
const PERCENT: CountedObservation = {
  setting: 'roiUnit',
  value: 'percent',
  why: 'Profit divided by buy price is a hundredth of it.',
  count: 3,
  asin: 'B0XKT7M4QN',
};

describe('a decision', () => {
  it('is by a person before it is by an answer, and else assumed, each with why', () => {
    const decisions = decisionsOf({
      ...NOTHING,
      settings: { roiUnit: 'fraction' },
      found: { roiUnit: 'percent', feesName: 'cut' },
      reasons: { roiUnit: 'It fits.', feesName: 'It is the only one.' },
    });
    expect(decisions).toEqual([
      {
        ...{ what: 'roi-unit', setting: 'roiUnit', value: 'fraction' },
        ...{ decidedBy: 'you', why: 'You set it.' },
      },
      {
        ...{ what: 'money-unit', setting: 'moneyUnit', value: null, decidedBy: 'assumed' },
        why: 'No answer has shown its unit yet, so formulas show it as sent.',
      },
      {
        ...{ what: 'buy-price', setting: 'buyPriceName', value: null, decidedBy: 'assumed' },
        why: 'No answer has shown one yet, so the usual names are tried.',
      },
      expect.objectContaining({ what: 'sell-price', value: null }),
      expect.objectContaining({ what: 'eligible', value: 'eligible', decidedBy: 'assumed' }),
      {
        ...{ what: 'fees', setting: 'feesName', value: 'cut' },
        ...{ decidedBy: 'found', why: 'It is the only one.' },
      },
      {
        ...{ what: 'uk-market', setting: 'ukMarket', value: 'UK', decidedBy: 'assumed' },
        why: 'The service does not say how it writes the UK. A check can try other codes.',
      },
    ]);
  });
});

describe('a notice', () => {
  it('of a unit says how it is read and how it came, and offers the new way', () => {
    const facts = {
      ...NOTHING,
      settings: { roiUnit: 'fraction' },
      observations: [PERCENT],
    } as const;
    expect(findingsOf(facts)).toEqual([
      {
        kind: 'contradiction',
        what: 'roi-unit',
        message:
          'Formulas read ROI as a fraction, but for B0XKT7M4QN it came as a percentage. ' +
          'Profit divided by buy price is a hundredth of it. Nothing was changed.',
        action: 'If the service has changed, switch to the new form.',
        suggested: { roiUnit: 'percent' },
      },
    ]);
  });

  it('of a name quotes both', () => {
    const sighting = { ...PERCENT, setting: 'feesName', value: 'cut' } as const;
    const facts = { ...NOTHING, found: { feesName: 'fees' }, observations: [sighting] };
    expect(findingsOf(facts)[0]?.message).toBe(
      'Formulas read fees as "fees", but for B0XKT7M4QN it came as "cut". Nothing was changed.',
    );
  });

  it('of what a check told comes at once, and goes when it is settled so', () => {
    const check = { at: 'done', report: { ...REPORT, observations: [PERCENT] } } as const;
    const told = (roiUnit: 'fraction' | 'percent', observations: readonly CountedObservation[]) =>
      findingsOf(withCheck({ ...NOTHING, settings: { roiUnit }, observations }, check));
    expect(told('fraction', [])).toEqual([
      expect.objectContaining({ kind: 'contradiction', what: 'roi-unit' }),
    ]);
    expect(told('fraction', [PERCENT])).toHaveLength(1);
    expect(told('percent', [])).toEqual([]);
    expect(withCheck(NOTHING, { at: 'none' })).toBe(NOTHING);
  });

  it('of what is open comes when enough answers agree, and none is against them', () => {
    const seen = (...observations: readonly CountedObservation[]) =>
      findingsOf({ ...NOTHING, observations });
    expect(seen(PERCENT)).toEqual([
      {
        kind: 'could-settle',
        what: 'roi-unit',
        message: '3 answers say that ROI comes as a percentage. Formulas show it as it is sent.',
        action: 'Check again to confirm it.',
        suggested: { roiUnit: 'percent' },
      },
    ]);
    expect(seen({ ...PERCENT, count: 2 })).toEqual([]);
    expect(seen(PERCENT, { ...PERCENT, value: 'fraction', count: 1 })).toEqual([]);
  });
});

describe('what a cell makes of a field', () => {
  it.each([
    [6.4, 'A cell shows 6.4.'],
    [false, 'A cell shows FALSE.'],
    ['needs approval', 'A cell shows needs approval.'],
    [null, 'A cell stays blank.'],
  ])('shown as %j', (shown, text) => {
    expect(whyShown({ name: 'x', as: 'fees', value: '640', shown })).toBe(text);
  });

  it('is not said where it is what was sent', () => {
    expect(whyShown({ name: 'roi', as: 'roi', value: '0.4' })).toBeUndefined();
  });
});
