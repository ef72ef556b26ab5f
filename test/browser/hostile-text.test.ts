// Markup in every text that reaches the sidebar or the report: in a real browser it is text, and loads nothing.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { servedPage } from 'apps-script-host/services/html';
import type { Page } from 'playwright-core';
import { CONNECTED } from '../../playground/sidebar-states/connection-replies';
import { says } from '../../playground/sidebar-states/scripted-page';
import { unfold } from '../../playground/sidebar-states/sidebar-state';
import { reportPage } from '../../src/sidebar/support-report';
import { BUILT } from '../build-once';
import { eventually } from './eventually';
import { expectAccessible, expectHeard, press, settled, sidebarBrowser } from './sidebar-browser';

const HOSTILE =
  '</textarea></script><img src=x onerror="window.harmed=1"><script>window.harmed=1</script>';

const GRANT_URL = 'https://script.google.com/d/add-on/authorize?a=1&b="><i>';

/** Names of members that only take a few words that we know. */
const WORDS = [
  ...['sharing', 'kind', 'setting', 'field'],
  ...['roiUnit', 'moneyUnit', 'defaultMarket'],
];

/** Every text of a reply, but for those words. */
function hostile(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return WORDS.includes(name) ? value : HOSTILE;
  if (Array.isArray(value)) return value.map((one) => hostile(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([own, one]) => [own, hostile(one, own)]));
}

const STATUS = {
  ...CONNECTED,
  settings: { ukMarket: 'UK', buyPriceName: 'cost', sellPriceName: 'price', roiUnit: 'percent' },
  payer: { kind: 'yours', keyMask: '…4f2a', text: 'Formulas here use your key.' },
  cellCalls: { perDay: null, usedToday: 0 },
  demo: false,
};
const REPORT = {
  asin: 'B07FZ8S74R',
  market: 'US',
  latencyMs: 412,
  settings: { sellPriceName: 'price' },
  sent: {
    ...{ profit: 7.42, roi: null, fees: null, eligible: true, rank_drops_30d: 12 },
    ...{ buy_price: null, sell_price: 30 },
  },
  questions: [
    { setting: 'sellPriceName', field: 'sell_price', options: [{ value: 'price', amount: 30 }] },
  ],
  recognised: [{ name: 'profit', as: 'profit', value: '7.42' }],
};

/** Elements that hostile text would have made, and whether a script of its ran. */
async function harmIn(page: Page): Promise<unknown> {
  await settled(page);
  return page.evaluate(() => ({
    made: document.querySelectorAll('img, iframe, i, b, script:not(:only-of-type)').length,
    harmed: 'harmed' in window,
  }));
}

describe('hostile text', () => {
  const { open } = sidebarBrowser();

  it('in the status and in a check is shown as it was written', async () => {
    const page = await open({
      'connection.status': () => says(hostile(STATUS)),
      'connection.check': () => says(hostile(REPORT)),
    });
    await press(page, 'Check');
    await unfold(page, 'How figures are read');
    await page.getByText('Field names', { exact: true }).click();
    const shown = expect.stringContaining('<img src=x onerror=');
    await eventually(() => page.getByRole('table').innerText(), shown);
    expect(await harmIn(page)).toEqual({ made: 0, harmed: false });
  });

  it('in a failure is shown as it was written, with the link to where access is given', async () => {
    const failure = {
      kind: 'not-permitted',
      message: HOSTILE,
      action: HOSTILE,
      grantUrl: 'https://script.google.com/d/add-on/authorize',
    };
    const page = await open({
      'connection.status': () => says(STATUS),
      'connection.check': () => ({ ok: false, failure }),
    });
    await press(page, 'Check');
    const link = page.getByRole('alert').getByRole('link', { name: 'Allow it at Google' });
    await eventually(() => link.getAttribute('href'), failure.grantUrl);
    await eventually(() => link.getAttribute('target'), '_blank');
    const shown = expect.stringContaining('<img src=x');
    await eventually(() => page.getByRole('alert').innerText(), shown);
    expect(await harmIn(page)).toEqual({ made: 0, harmed: false });
    await expectAccessible(page);
  });

  it('in the report is shown as it was written, and the report can be copied', async () => {
    // What stands for a text in the page, or for what is replaced, is nothing but text in it.
    const text = `first line\n${HOSTILE} {grant} {report} $& $1 &lt;`;
    const page = await open({ 'connection.status': () => says(STATUS) }, 600, 440);
    const dialog = readFileSync(join(BUILT, 'Diagnostics.html'), 'utf8');
    await page.setContent(servedPage(reportPage(dialog, text, GRANT_URL)));
    const report = page.getByLabel('Send this to support');
    await eventually(() => report.inputValue(), text);
    const link = page.getByRole('link', { name: 'Allow what is missing' });
    await eventually(() => link.getAttribute('href'), GRANT_URL);
    await press(page, 'Copy');
    await expectHeard(page, 'Copied.');
    const selected = () =>
      report.evaluate((area: HTMLTextAreaElement) =>
        area.value.slice(area.selectionStart, area.selectionEnd),
      );
    await eventually(selected, text);
    expect(await harmIn(page)).toEqual({ made: 0, harmed: false });
    await expectAccessible(page);
  });
});
