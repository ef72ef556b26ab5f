// More about a failure, beside it: a panel that a keyboard opens and closes, with what the docs say.
import { describe, expect, it } from '@jest/globals';
import { CONNECTED, connected } from '../../playground/sidebar-states/connection-replies';
import { refuses, says } from '../../playground/sidebar-states/scripted-page';
import { described } from '../../src/sidebar/api/failure-view';
import { eventually } from './eventually';
import { expectAccessible, press, settled, sidebarBrowser } from './sidebar-browser';

const REFUSED = described({ kind: 'unreachable' });
const LINK = `Learn more: ${REFUSED.message}`;

describe('the help beside a failure', () => {
  const { open } = sidebarBrowser();

  const failing = async () => {
    const page = await open({ ...connected, 'connection.check': () => refuses(REFUSED) });
    await press(page, 'Check');
    await page.getByRole('button', { name: LINK }).waitFor();
    return page;
  };

  it('opens by Enter with its title read out, and Escape gives the focus back and closes no more', async () => {
    const page = await failing();
    await page.getByRole('button', { name: LINK }).press('Enter');
    const panel = page.getByRole('dialog', { name: REFUSED.message });
    await panel.waitFor();
    await eventually(() => page.evaluate(() => document.activeElement?.id), 'help-title');
    const said = await panel.innerText();
    expect(said).toContain('If it never worked, check the address under Settings.');
    expect(said).not.toMatch(/[*`]/);
    await expectAccessible(page);
    await page.setViewportSize({ width: 150, height: 320 });
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await eventually(() => panel.isVisible(), false);
    await eventually(() => page.evaluate(() => document.activeElement?.ariaLabel), LINK);
    expect(await page.getByRole('alert').innerText()).toContain(REFUSED.message);
  });

  it('stays open while the failure goes, and then the focus is on the tab', async () => {
    let isDown = true;
    const script = {
      ...connected,
      'connection.status': () => (isDown ? refuses(REFUSED) : says(CONNECTED)),
    };
    const page = await open(script);
    await page.getByRole('button', { name: LINK }).click();
    isDown = false;
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await eventually(() => page.getByRole('alert').innerText(), '');
    await settled(page);
    await page.getByRole('button', { name: 'Close' }).click();
    await eventually(
      () => page.evaluate(() => document.activeElement?.getAttribute('role')),
      'tab',
    );
  });
});
