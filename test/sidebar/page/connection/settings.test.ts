// The settings of a service: typed, left empty, sent, summed up, and shown when they are wrong.
import { describe, expect, it } from '@jest/globals';
import { CONNECTED } from '../../../../playground/sidebar-states/connection-replies';
import type { ConnectionSettings } from '../../../../src/connection/connection';
import {
  draftOf,
  EMPTY_FORM,
  formOf,
  problemsOf,
  settingsText,
  withoutDialect,
} from '../../../../src/sidebar/page/connection/input';
import type { Connected } from '../../../../src/sidebar/page/connection/status';

const ALL: ConnectionSettings = {
  defaultMarket: 'UK',
  ukMarket: 'GB',
  roiUnit: 'percent',
  buyPriceName: 'cost',
  sellPriceName: 'price',
};
const SAVED: Connected = {
  ...CONNECTED,
  baseUrl: 'https://api.example.com',
  quota: null,
  sharing: 'me',
  settings: ALL,
};
const NOT_CONNECTED = { connected: false, demo: false } as const;
const FORM = { ...EMPTY_FORM, baseUrl: 'https://api.example.com' };

const sent = (typed: Partial<typeof FORM>) =>
  draftOf({ ...FORM, ...typed }, NOT_CONNECTED, 'k').settings;

describe('the settings of a draft', () => {
  it('are none where nothing is typed, so that stored ones are reset', () => {
    expect(sent({})).toEqual({});
  });

  it('leave out what is blank', () => {
    const typed = {
      ukMarket: ' ',
      buyPriceName: ' cost ',
      sellPriceName: '',
      roiUnit: '',
    } as const;
    expect(sent(typed)).toEqual({ buyPriceName: 'cost' });
  });

  it('are saved again as they were, when only something else is changed', () => {
    const form = { ...formOf(SAVED), calls: '7' };
    expect(draftOf(form, SAVED, '').settings).toEqual(ALL);
  });

  it('at another address are those that were typed for it, for its check decides the others', () => {
    const typed = { baseUrl: 'https://other.example.com', buyPriceName: 'landed' };
    const form = { ...formOf(SAVED), ...typed };
    expect(draftOf(form, SAVED, 'k').settings).toEqual({
      ...{ defaultMarket: 'UK', buyPriceName: 'landed' },
    });
    expect(withoutDialect(form)).toMatchObject({ defaultMarket: 'UK', roiUnit: '', ukMarket: '' });
  });

  it('do not repeat that the market is the US, which it is anyway', () => {
    const saved: Connected = { ...SAVED, settings: { defaultMarket: 'US' } };
    expect(draftOf(formOf(saved), saved, '').settings).toEqual({});
  });

  it.each(['GB', 'co.uk', 'uk_1', 'A1F83G8C2ARO7P', '', ' UK '])('%j may be the UK', (ukMarket) => {
    expect(problemsOf({ ...FORM, ukMarket }, NOT_CONNECTED, true)).toEqual({});
  });

  it.each(['United Kingdom', 'UK/GB', 'U&K', 'ÜK'])('%j may not be the UK', (ukMarket) => {
    expect(problemsOf({ ...FORM, ukMarket }, NOT_CONNECTED, true)).toEqual({
      ukMarket: 'Use only letters, digits and . _ -',
    });
  });
});

describe('the line that sums the settings up', () => {
  it.each<[ConnectionSettings, string]>([
    [{}, ''],
    [{ defaultMarket: 'UK', roiUnit: 'percent' }, 'Default market UK · ROI as percentage'],
    [{ roiUnit: 'fraction' }, 'ROI as fraction'],
    [{ ukMarket: 'gb', sellPriceName: 'price' }, 'UK as gb · sell price is price'],
    [{ buyPriceName: 'cost' }, 'Buy price is cost'],
  ])('%j is said as %j', (settings, text) => {
    expect(settingsText(settings)).toBe(text);
  });
});
