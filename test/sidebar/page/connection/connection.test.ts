// The Settings page without a browser: what a person does, what is sent, and what is shown after it.
import { describe, expect, it, jest } from '@jest/globals';
import { CONNECTED, REPORT } from '../../../../playground/sidebar-states/connection-replies';
import { described } from '../../../../src/sidebar/api/failure-view';
import { fails, openPage, says } from '../open-page';

// Nothing here waits for a time, and what the page does by itself must not outlive a test.
jest.useFakeTimers({ doNotFake: ['setImmediate'] });

const NO_KEY = { connected: false, demo: false } as const;
const SAMPLES = { connected: false, demo: true } as const;
const FAILURE = { kind: 'unreachable', message: 'The service cannot be reached.' };
const REFUSED = described({ kind: 'key-refused' });
const DRAFT = { baseUrl: 'https://api.example.com', apiKey: 'k', quota: null } as const;
const FAILED = { refreshed: 0, failed: 0, left: 0, calls: 0, lacking: 0, ownRefresh: 0 };

const open = () =>
  openPage(() => ({
    ...(require('../../../../src/sidebar/page/connection/connection') as typeof import('../../../../src/sidebar/page/connection/connection')),
    ...(require('../../../../src/sidebar/page/ui/app') as Pick<
      typeof import('../../../../src/sidebar/page/ui/app'),
      'turned'
    >),
  }));

async function opened(status: object) {
  const { page, ...calls } = open();
  page.startConnection();
  expect(page.view.value).toBe('loading');
  await calls.last('connection.status').answer(says(status));
  /** What is due after a task. */
  const settled = async (ofNow: object) => {
    await jest.advanceTimersByTimeAsync(0);
    await calls.last('connection.status').answer(says(ofNow));
  };
  return { page, ...calls, settled };
}

describe('the Settings page', () => {
  it('says that it could not read the connection, and reads it when asked', async () => {
    const { page, last } = open();
    page.startConnection();
    await last('connection.status').answer(fails(FAILURE));
    expect(page.view.value).toBe('unreached');
    void page.load();
    await last('connection.status').answer(says(CONNECTED));
    expect(page.view.value).toBe('connected');
  });

  it('is the form without a key, and leaves it once one is saved, which is checked at once', async () => {
    const { page, last, count } = await opened(NO_KEY);
    expect([page.view.value, page.canLeave.value]).toEqual(['entering', false]);
    void page.save(DRAFT as never);
    page.leave();
    expect([page.view.value, page.save.isBusy]).toEqual(['entering', true]);
    await last('connection.save').answer(says(CONNECTED));
    expect([page.view.value, page.check.isBusy]).toEqual(['connected', true]);
    expect(count('connection.check')).toBe(1);
  });

  it('shows samples that another page has begun, but no form in which something is typed', async () => {
    const { page, last } = await opened(NO_KEY);
    page.turned.act();
    await last('connection.status').answer(says(SAMPLES));
    expect(page.view.value).toBe('sampling');
    const other = await opened(NO_KEY);
    other.page.edit({ baseUrl: 'https://api.example.com' });
    other.page.turned.act();
    await other.last('connection.status').answer(says(SAMPLES));
    expect([other.page.view.value, other.page.canLeave.value]).toEqual(['entering', true]);
  });

  it('shows the newer of two looks, whichever reply comes first', async () => {
    const { page, last } = await opened(CONNECTED);
    void page.refresh();
    const older = last('connection.status');
    void page.refresh();
    await last('connection.status').answer(says({ ...CONNECTED, keyMask: '…new1' }));
    await older.answer(says({ ...CONNECTED, keyMask: '…old1' }));
    expect(page.chip.value.parts).toContain('…new1');
  });

  it('keeps what was typed when saving fails, and says beside a field what the server says of it', async () => {
    const { page, last } = await opened(NO_KEY);
    page.edit({ baseUrl: 'https://api.example.com' });
    void page.save(DRAFT as never);
    await last('connection.save').answer(fails(FAILURE));
    expect(page.trouble.value).toEqual(FAILURE);
    const refusal = { kind: 'bad-key', message: 'This is no key.', action: 'Paste it again.' };
    void page.save(DRAFT as never);
    await last('connection.save').answer(fails({ ...refusal, field: 'apiKey' }));
    expect(page.trouble.value).toBeNull();
    expect(page.form.problems.value).toEqual({ apiKey: 'This is no key. Paste it again.' });
    expect(page.form.values.value?.baseUrl).toBe('https://api.example.com');
    page.mended(true);
    expect(page.form.problems.value).toEqual({});
  });

  it('opens a change with what is saved, and drops on the way back what was typed', async () => {
    const { page } = await opened(CONNECTED);
    page.change('quota');
    expect(page.form.values.value).toMatchObject({ calls: '60', perSeconds: 60, findOut: false });
    page.edit({ calls: '7' });
    page.leave();
    expect(page.view.value).toBe('connected');
    page.change('quota');
    expect(page.form.values.value).toMatchObject({ calls: '60' });
  });

  it('opens empty for a person’s own key where another’s is in use', async () => {
    const { page } = await opened({ ...CONNECTED, isOthers: true });
    page.change('apiKey');
    expect(page.form.values.value).toMatchObject({ baseUrl: '' });
  });

  it('asks before it removes a key, and keeps the rest, so that coming back is one paste', async () => {
    const { page, last, count } = await opened(CONNECTED);
    page.askToRemove();
    page.leave();
    expect([page.isRemoving.value, count('connection.clear')]).toEqual([false, 0]);
    page.askToRemove();
    void page.remove();
    await last('connection.clear').answer(fails(FAILURE));
    expect([page.view.value, page.trouble.value]).toEqual(['connected', FAILURE]);
    void page.remove();
    await last('connection.clear').answer(says(NO_KEY));
    expect([page.view.value, page.notice.value]).toEqual(['entering', 'The key was removed.']);
    const { baseUrl } = CONNECTED;
    expect(page.form.values.value).toMatchObject({ baseUrl, calls: '60', roiUnit: '' });
  });

  it('leads to the samples and back, and to the form from them', async () => {
    const { page, last } = await opened(NO_KEY);
    void page.openSamples();
    await last('demo.start').answer(says(SAMPLES));
    expect(page.view.value).toBe('sampling');
    await last('deals.newSheet').answer(says({ sheetId: 1, name: 'Samples' }));
    page.change('baseUrl');
    expect(page.view.value).toBe('entering');
    page.leave();
    expect(page.view.value).toBe('sampling');
    void page.stopSamples();
    await last('demo.stop').answer(says(NO_KEY));
    expect([page.view.value, page.notice.value]).toEqual(['entering', 'Samples are off.']);
  });
});

describe('a check', () => {
  const settings = { roiUnit: 'fraction' } as const;

  it('goes on while something else is done, and what it decided is in force at once', async () => {
    const { page, last } = await opened({ ...CONNECTED, settings: {} });
    void page.check();
    page.change('quota');
    await last('connection.check').answer(says({ ...REPORT, settings }));
    expect(page.view.value).toBe('entering');
    page.leave();
    expect(page.report.value).toMatchObject({ settings });
  });

  it('is not mistaken for one of another key: an answer from before a save is dropped', async () => {
    const { page, last, calls } = await opened(CONNECTED);
    void page.check();
    const former = last('connection.check');
    void page.save(DRAFT as never);
    await last('connection.save').answer(says(CONNECTED));
    expect(calls.filter(({ method }) => method === 'connection.check')).toHaveLength(2);
    await former.answer(says(REPORT));
    expect([page.report.value, page.check.isBusy]).toEqual([null, true]);
  });

  it('that is refused shows in the chip, until another page meets a key that is answered', async () => {
    const { page, last, settled } = await opened(CONNECTED);
    void page.check();
    await last('connection.check').answer(fails(REFUSED));
    await settled({ ...CONNECTED, stopped: REFUSED });
    expect([page.chip.value.parts.at(-1), page.trouble.value]).toEqual(['refused', REFUSED]);
    page.turned.act();
    await last('connection.status').answer(says(CONNECTED));
    expect([page.chip.value.parts.at(-1), page.trouble.value]).toEqual(['60/min', null]);
  });

  it('that is answered after a stop has the formulas that failed calculated again', async () => {
    const { page, last, count, settled } = await opened({ ...CONNECTED, stopped: REFUSED });
    void page.check();
    await last('connection.check').answer(says(REPORT));
    await settled(CONNECTED);
    expect(last('formulas.refresh').payload).toMatchObject({ onlyFailed: true });
    await last('formulas.refresh').answer(says(FAILED));
    void page.check();
    await last('connection.check').answer(says(REPORT));
    await settled(CONNECTED);
    expect(count('formulas.refresh')).toBe(1);
  });
});

it('sharing says what it did, or why it failed, until the next thing is done', async () => {
  const { page, last } = await opened(CONNECTED);
  void page.share('spreadsheet');
  await last('connection.share').answer(fails(FAILURE));
  expect(page.trouble.value).toEqual(FAILURE);
  void page.share('spreadsheet');
  expect(page.trouble.value).toBeNull();
  await last('connection.share').answer(says(CONNECTED));
  expect(page.notice.value).toBe('Formulas in this spreadsheet now use your key.');
  expect(last('formulas.refresh').payload).toMatchObject({ onlyFailed: true });
});
