// Whether the page started: one that did not says so by itself, one that did never does.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { servedPage } from 'apps-script-host/services/html';
import { connected } from '../../playground/sidebar-states/connection-replies';
import { ADD_ON_NAME } from '../../src/failures/add-on-name';
import { reportPage } from '../../src/sidebar/support-report';
import { BUILT } from '../build-once';
import { eventually } from './eventually';
import { expectAccessible, expectHeard, press, settled, sidebarBrowser } from './sidebar-browser';

/** How long the page may take before it says that it did not start, ms. */
const PATIENCE_MS = 5_000;

/** The page with its own script, which is the last, made into another. */
const withScript = (change: (script: string) => string) => (html: string) => {
  const [start, end] = [html.lastIndexOf('<script>') + 8, html.lastIndexOf('</script>')];
  return html.slice(0, start) + change(html.slice(start, end)) + html.slice(end);
};

describe('a page that does not start', () => {
  const { open, faults } = sidebarBrowser();
  const openStill = (changed: (html: string) => string) =>
    open(connected, 300, 640, { changed, isTimeStill: true });

  it.each([
    ['was cut on its way', (script: string) => script.slice(0, -41_000), 'SyntaxError'],
    ['is lost', () => '', ''],
    ['breaks while it starts', (script: string) => `throw Error("broken");${script}`, 'broken'],
    [
      'breaks after it took the shell away',
      () => 'document.getElementById("sidebar").textContent="";throw Error("broken")',
      'broken',
    ],
  ])(
    'because its script %s says so after five seconds, and what to do',
    async (_, change, fault) => {
      const page = await openStill(withScript(change));
      const notice = page.getByRole('alert');
      await page.clock.runFor(PATIENCE_MS - 1);
      expect(await notice.textContent()).toBe('');
      await page.clock.runFor(1);
      expect((await notice.innerText()).split(/\n+/)).toEqual([
        'The sidebar did not start',
        `Close it and open it again: Extensions, ${ADD_ON_NAME}, Open sidebar.`,
        'If it still does not start, choose Run diagnostics there and send the report to support.',
        expect.stringMatching(/^Version \d+\.\d+\.\d+$/),
      ]);
      await notice.getByRole('heading', { name: 'The sidebar did not start' }).waitFor();
      expect(await page.getByText('Looking for your key').isVisible()).toBe(false);
      await page.clock.resume();
      // A page that took its shell away has no landmark any more.
      if (fault !== 'broken') await expectAccessible(page);
      const wanted =
        fault === '' ? [] : [expect.stringMatching(/Unexpected|Invalid|missing|broken/)];
      expect(faults.splice(0)).toEqual(wanted);
    },
  );

  it('but starts late takes its notice back', async () => {
    const page = await openStill(withScript((script) => `startLate=()=>{${script}}`));
    await page.clock.runFor(PATIENCE_MS);
    await page.getByRole('alert').getByText('The sidebar did not start').waitFor();
    await page.evaluate('startLate()');
    await page.clock.resume();
    await page.getByText('The sidebar did not start').waitFor({ state: 'detached' });
    await page.clock.runFor(PATIENCE_MS);
    await page.getByText('60/min').waitFor();
    expect(await page.locator('#not-started').count()).toBe(0);
    await expectAccessible(page);
  });
});

describe('a page that starts', () => {
  const { open } = sidebarBrowser();

  it.each(['outside-strings', 'everywhere'] as const)(
    'never says anything else, where Google cuts %s',
    async (cut) => {
      const changed = (html: string) => servedPage(html, cut);
      const page = await open(connected, 300, 640, { changed, isTimeStill: true });
      await page.clock.resume();
      await page.getByText('60/min').waitFor();
      await page.clock.runFor(12 * PATIENCE_MS);
      await settled(page);
      expect(await page.locator('#not-started').count()).toBe(0);
      expect(await page.getByText('did not start').count()).toBe(0);
    },
  );
});

describe('the report', () => {
  const { open, faults } = sidebarBrowser();
  const built = readFileSync(join(BUILT, 'Diagnostics.html'), 'utf8');
  const html = reportPage(built, 'first line\nsecond line', null);
  const BY_HAND =
    'To copy it, click into the text and press Ctrl+A, then Ctrl+C (⌘A, ⌘C on a Mac).';

  it('says how to copy it by hand where its script does not start', async () => {
    const changed = () => servedPage(html).replace('copy.onclick', 'copy onclick');
    const page = await open({}, 600, 440, { changed });
    await expectHeard(page, BY_HAND);
    expect(await page.getByRole('button').count()).toBe(0);
    await eventually(() => page.getByRole('textbox').inputValue(), 'first line\nsecond line');
    await expectAccessible(page);
    expect(faults.splice(0)).toEqual([expect.stringContaining('Unexpected identifier')]);
  });

  it.each(['outside-strings', 'everywhere'] as const)(
    'has a button for it, where Google cuts %s',
    async (cut) => {
      const page = await open({}, 600, 440, { changed: () => servedPage(html, cut) });
      await expectHeard(page, '');
      await press(page, 'Copy');
      await expectHeard(page, 'Copied.');
      // Nothing is missing, so nothing is to be allowed.
      expect(await page.getByText('Allow what is missing').isVisible()).toBe(false);
      expect(await page.getByRole('link').count()).toBe(0);
      await expectAccessible(page);
    },
  );

  it('says how to copy it by hand where the browser does not let the button', async () => {
    const page = await open({}, 600, 440, { changed: () => servedPage(html) });
    await expectHeard(page, '');
    await page.evaluate('document.execCommand = () => false');
    await press(page, 'Copy');
    await expectHeard(page, BY_HAND);
    await expectAccessible(page);
  });
});
