// A list with decisions by keyboard.
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { DEALS_STATES, offerOf, reads } from '../../playground/sidebar-states/deals-states';
import { type Script, says } from '../../playground/sidebar-states/scripted-page';
import { summaryOf } from '../../src/deal/offers';
import { eventually } from './eventually';
import { expectAccessible, expectNoSidewaysScrolling, sidebarBrowser } from './sidebar-browser';

const decided = DEALS_STATES.find(({ name }) => name === 'decided')?.script ?? {};

const stateOf = (wanted: string): Script =>
  DEALS_STATES.find(({ name }) => name === wanted)?.script ?? {};

/** The script with one method that answers only when the test lets it. */
function held(method: 'deals.rules' | 'deals.sort') {
  const waiting: (() => void)[] = [];
  const { [method]: reply } = decided;
  const script: Script = {
    ...decided,
    [method]: async (payload: unknown) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return reply?.(payload) ?? says(null);
    },
  };
  const isAsked = () => waiting.length > 0;
  return { script, isAsked, answer: () => waiting.shift()?.() };
}

/** What has the focus, by its id or else its words. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.id || (document.activeElement?.textContent ?? ''));

describe('a list with decisions, by keyboard', () => {
  const { open, calls } = sidebarBrowser();

  it('lets one type from rule to rule while the first is saved, and saves both', async () => {
    const { script, isAsked, answer } = held('deals.rules');
    const page = await open(script);
    await page.getByText('Rules', { exact: true }).click();
    await page.locator('#deals-minProfit').focus();
    await page.keyboard.type('4');
    await page.keyboard.press('Tab');
    await eventually(isAsked, true);
    await page.keyboard.type('44');
    expect(await focused(page)).toBe('deals-minRoi');
    answer();
    await page.getByText('Saving', { exact: true }).waitFor({ state: 'detached' });
    await eventually(() => page.locator('#deals-minRoi').inputValue(), '44');
    await page.keyboard.press('Tab');
    await eventually(isAsked, true);
    answer();
    await eventually(() => focused(page), 'deals-minMargin');
    const set = calls.filter(({ method }) => method === 'deals.rules');
    expect(set).toHaveLength(2);
  });

  it('leads from the button that waits to the first question, answered by keyboard', async () => {
    const page = await open(stateOf('vat-asked'));
    await page.getByText('3 questions left').waitFor();
    const add = page.getByRole('button', { name: 'Add decisions' });
    expect(await add.getAttribute('aria-disabled')).toBe('true');
    await add.focus();
    await page.keyboard.press('Enter');
    await eventually(() => focused(page), 'deals-sum-tax');
    expect(calls.filter(({ method }) => method === 'deals.decide')).toHaveLength(0);
    await page.keyboard.press('ArrowDown');
    const rules = () => calls.filter(({ method }) => method === 'deals.rules');
    await eventually(
      () => rules().map(({ payload }) => payload),
      [{ values: { ukCosts: 'With VAT' } }],
    );
    // Each answer says what it makes of the product.
    const schemes = page.getByLabel('VAT scheme').locator('option');
    expect(await schemes.allInnerTexts()).toContainEqual(
      expect.stringMatching(/^Standard: profit £\d/),
    );
  });

  it('works out another product by its arrows, and takes a cost from nowhere or of one value', async () => {
    const page = await open(stateOf('undecided'));
    const sum = page.getByRole('region', { name: 'What counts' });
    await sum.getByText('Stoneware mug · row 5').waitFor();
    expect(await sum.getByRole('listitem').allInnerTexts()).toContainEqual(
      expect.stringMatching(/My profit\s+\$17\.35 · 433\.8%/),
    );
    await page.getByRole('button', { name: 'Next product' }).focus();
    await page.keyboard.press('Enter');
    await sum.getByText('Bamboo cutting board · row 6').waitFor();
    const next = page.getByRole('button', { name: 'Next product' });
    expect(await next.getAttribute('aria-disabled')).toBe('true');
    await page.getByText('Not counted').click();
    await page.getByLabel('Prep', { exact: true }).selectOption('One value for all');
    await page.getByLabel('Prep for a sale').fill('0.35');
    await page.keyboard.press('Enter');
    const rules = () => calls.filter(({ method }) => method === 'deals.rules');
    await eventually(() => rules().map(({ payload }) => payload), [{ values: { prep: 0.35 } }]);
    await expectAccessible(page);
    await page.getByLabel('to buy').selectOption('None');
    const looks = () => calls.filter(({ method }) => method === 'deals.look');
    await eventually(
      () => looks().some(({ payload }) => JSON.stringify(payload).includes('"quantity":""')),
      true,
    );
  });

  it('says what is no number and keeps it, until it is one', async () => {
    const page = await open(decided);
    await page.getByText('Rules', { exact: true }).click();
    const field = page.locator('#deals-minProfit');
    await field.fill('abc');
    await page.keyboard.press('Tab');
    await page.getByText('Use a number, or leave it blank.').waitFor();
    expect(await field.inputValue()).toBe('abc');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await expectAccessible(page);
    await expectNoSidewaysScrolling(page);
    const saved = () => calls.filter(({ method }) => method === 'deals.rules').length;
    const before = saved();
    await field.fill('$1,200');
    await page.keyboard.press('Tab');
    await page.getByText('Use a number, or leave it blank.').waitFor({ state: 'detached' });
    await eventually(saved, before + 1);
  });

  it('leaves the focus on a link while its action is carried out', async () => {
    const { script, isAsked, answer } = held('deals.sort');
    const page = await open(script);
    await page.getByRole('button', { name: 'Sort by ROI' }).focus();
    await page.keyboard.press('Enter');
    await eventually(isAsked, true);
    expect(await focused(page)).toBe('Sort by ROI');
    answer();
    await page.getByText('Sorted by My ROI, best first.').waitFor();
    expect(await focused(page)).toBe('Sort by ROI');
  });

  it('adds no profile while the list is sorted, and keeps its name', async () => {
    const { script, isAsked, answer } = held('deals.sort');
    const page = await open(script);
    await page.getByText('Rules', { exact: true }).click();
    await page.getByRole('button', { name: 'Sort by ROI' }).click();
    await eventually(isAsked, true);
    const saved = () => calls.filter(({ method }) => method === 'deals.rules').length;
    const before = saved();
    await page.locator('#deals-new-profile').fill('Northern');
    await page.keyboard.press('Enter');
    expect(saved()).toBe(before);
    expect(await page.locator('#deals-new-profile').inputValue()).toBe('Northern');
    answer();
    await page.getByText('Sorted by My ROI, best first.').waitFor();
  });

  it('filters and sorts rows only where they have verdicts', async () => {
    const page = await open({
      ...decided,
      'deals.look': () =>
        reads({}, { summary: summaryOf([offerOf(0, {}), offerOf(1, { verdict: 'No verdict' })]) }),
    });
    await page.getByRole('heading', { name: '0 of 1 to buy' }).waitFor();
    for (const verb of ['Show only buys', 'Sort by ROI'])
      expect(await page.getByRole('button', { name: verb }).count()).toBe(0);
  });
});
