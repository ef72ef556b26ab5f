// What was kept of the connection form is looked through: another version may have written it.
import { describe, expect, it } from '@jest/globals';
import {
  type ConnectionForm,
  EMPTY_FORM,
  formFrom,
} from '../../../../src/sidebar/page/connection/form';

const FORM: ConnectionForm = {
  baseUrl: 'https://api.example.com',
  calls: '12',
  perSeconds: 3600,
  findOut: true,
  sharing: 'spreadsheet',
  defaultMarket: 'UK',
  ukMarket: 'GB',
  roiUnit: 'percent',
  buyPriceName: 'cost',
  sellPriceName: ' price',
  moneyUnit: 'units',
  cellsPerDay: '500',
};

describe('a kept connection form', () => {
  it('comes back as it was typed', () => {
    expect(formFrom(JSON.parse(JSON.stringify(FORM)))).toEqual(FORM);
  });

  it.each([
    ...[null, 7, 'text', []],
    { calls: 7, perSeconds: 'x', sharing: 'all' },
    { defaultMarket: 'FR', ukMarket: 7, roiUnit: 'per mille', buyPriceName: null },
  ])('of %j is an empty form or none', (kept) => {
    expect(formFrom(kept) ?? EMPTY_FORM).toEqual(EMPTY_FORM);
  });
});
