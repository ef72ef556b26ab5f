// The settings of a service: typed, left empty, sent, summed up, and shown when they are wrong.
import { describe, expect, it } from '@jest/globals';
import type { ConnectionSettings } from '../../../../src/connection/connection';
import type { RpcFailure } from '../../../../src/sidebar/api/failure-view';
import {
  type Connected,
  draftOf,
  EMPTY_FORM,
  formOf,
  problemsOf,
  withoutDialect,
} from '../../../../src/sidebar/page/connection/form';
import {
  changeOpened,
  checkEnded,
  checkStarted,
  edited,
  failed,
  left,
  saved,
  settingsToggled,
  statusArrived,
  submitted,
} from '../../../../src/sidebar/page/connection/state';
import {
  announcementOf,
  problemTexts,
  settingsText,
} from '../../../../src/sidebar/page/connection/texts';
import { CONNECTED, REPORT, stateAfter } from './events';

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
    const form = { ...formOf(SAVED, EMPTY_FORM), calls: '7' };
    expect(draftOf(form, SAVED, '').settings).toEqual(ALL);
  });

  it('at another address are those that were typed for it, for its check decides the others', () => {
    const typed = { baseUrl: 'https://other.example.com', buyPriceName: 'landed' };
    const form = { ...formOf(SAVED, EMPTY_FORM), ...typed };
    expect(draftOf(form, SAVED, 'k').settings).toEqual({
      ...{ defaultMarket: 'UK', buyPriceName: 'landed' },
    });
    expect(withoutDialect(form)).toMatchObject({ defaultMarket: 'UK', roiUnit: '', ukMarket: '' });
  });

  it('do not repeat that the market is the US, which it is anyway', () => {
    const saved: Connected = { ...SAVED, settings: { defaultMarket: 'US' } };
    expect(draftOf(formOf(saved, EMPTY_FORM), saved, '').settings).toEqual({});
  });

  it.each(['GB', 'co.uk', 'uk_1', 'A1F83G8C2ARO7P', '', ' UK '])('%j may be the UK', (ukMarket) => {
    expect(problemsOf({ ...FORM, ukMarket }, NOT_CONNECTED, true)).toEqual({});
  });

  it.each(['United Kingdom', 'UK/GB', 'U&K', 'ÜK'])('%j may not be the UK', (ukMarket) => {
    expect(problemTexts(problemsOf({ ...FORM, ukMarket }, NOT_CONNECTED, true))).toEqual({
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

describe('the part that is folded away', () => {
  const notConnected = statusArrived(NOT_CONNECTED);
  const connected = statusArrived(SAVED);
  const refused = (field: RpcFailure['field']) => {
    const words = { kind: 'bad-request', message: 'Check what you entered under settings.' };
    const failure = field === undefined ? words : { ...words, field };
    return failed('save', failure);
  };

  it('is closed at first, and opens and closes when asked', () => {
    expect(stateAfter(notConnected).areSettingsOpen).toBe(false);
    const opened = stateAfter(notConnected, settingsToggled(true));
    expect(opened.areSettingsOpen).toBe(true);
    expect(settingsToggled(false)(opened).areSettingsOpen).toBe(false);
  });

  it('is open where it is what is to be changed, and closed where it is not', () => {
    const opened = stateAfter(connected, changeOpened('settings'));
    expect(opened).toMatchObject({ areSettingsOpen: true, focus: { to: 'settings' } });
    expect(changeOpened('quota')(left(opened)).areSettingsOpen).toBe(false);
  });

  it('opens where something in it is wrong, even if the focus goes further up first', () => {
    const problems = { baseUrl: 'No address.', ukMarket: 'No market.' };
    expect(stateAfter(notConnected, submitted(problems))).toMatchObject({
      areSettingsOpen: true,
      focus: { to: 'baseUrl' },
    });
  });

  it('stays closed where something else is wrong', () => {
    const problems = { quota: 'Not a number.' };
    expect(stateAfter(notConnected, submitted(problems)).areSettingsOpen).toBe(false);
  });

  it('opens with what the server says of it, until any of it is mended', () => {
    const told = stateAfter(connected, changeOpened('quota'), submitted({}), refused('settings'));
    expect(told).toMatchObject({
      ...{ mode: 'entering', problems: { settings: 'Check what you entered under settings.' } },
      areSettingsOpen: true,
      focus: { to: 'settings' },
    });
    const mended = edited({ buyPriceName: 'cost' })(told);
    expect(mended.problems).toEqual({});
  });

  it('leaves a refusal that names no field to the message above the buttons', () => {
    expect(stateAfter(notConnected, submitted({}), refused(undefined))).toMatchObject({
      problems: {},
      failure: { message: 'Check what you entered under settings.' },
    });
  });

  it('is closed again after saving', () => {
    const opened = stateAfter(notConnected, settingsToggled(true), submitted({}));
    expect(saved(SAVED)(opened).areSettingsOpen).toBe(false);
  });
});

describe('a check that brought nothing back', () => {
  it('is heard as what it means: the key is good, the product is not known', () => {
    const state = stateAfter(
      statusArrived(SAVED),
      checkStarted(1),
      checkEnded(1, { at: 'done', report: REPORT }),
    );
    expect(announcementOf(state)).toBe(
      'The key works, but the service does not know the product used for checking.',
    );
  });
});
