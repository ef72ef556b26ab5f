// What the page may send to be saved.

import { describe, expect, it } from '@jest/globals';
import { draftSchema } from '../../src/connection/connection';

describe('a draft', () => {
  const draft = {
    baseUrl: 'https://api.example.com',
    apiKey: 'k',
    quota: null,
    sharing: 'me',
  };
  const passes = (more: object) => draftSchema().safeParse({ ...draft, ...more }).success;

  it.each([
    {},
    { quota: { calls: 5, perSeconds: 1 } },
    { quota: { calls: 1, perSeconds: 86_400, burst: 1 } },
    { sharing: 'spreadsheet' },
    { settings: { roiUnit: 'percent' } },
    { settings: { moneyUnit: 'hundredths', buyPriceName: 'costs' } },
    { cellsPerDay: 200 },
    { cellsPerDay: null },
    { apiKey: '' },
  ])('may say %j', (more) => {
    expect(passes(more)).toBe(true);
  });

  it.each([
    { quota: { calls: 0.5, perSeconds: 1 } },
    { quota: { calls: -5, perSeconds: 1 } },
    { quota: { calls: 5, perSeconds: 1, burst: 0 } },
    { quota: { calls: '5', perSeconds: 1 } },
    { quota: { calls: 5 } },
    { sharing: 'everybody' },
    { settings: { ukMarket: 'a b' } },
    { settings: { roiUnit: 'ratio' } },
    { settings: { moneyUnit: 'cents' } },
    { cellsPerDay: 0 },
    { answered: true },
    { settings: { feesName: 'costs' } },
    { apiKey: 'k'.repeat(2_001) },
    { fingerprint: 'mine' },
    { version: 1 },
  ])('may not say %j', (more) => {
    expect(passes(more)).toBe(false);
  });
});
