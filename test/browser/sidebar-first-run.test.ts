// From installed to answered cells, in the playground: the real bundle, three clicks and one paste.

import { describe, it } from '@jest/globals';
import { eventually } from './eventually';
import { openPlayground, openSidebar } from './open-playground';

describe('the first run', () => {
  const { playground, page, sidebar, presses } = openPlayground({ firstRun: true });

  it('takes three clicks and one paste to an answer of the service', async () => {
    const { baseUrl } = playground().sandbox;
    const message = `Address: ${baseUrl}\nKey: ${playground().key.name}`;
    await page().evaluate((text) => navigator.clipboard.writeText(text), message);
    await openSidebar(page());
    await sidebar().getByRole('heading', { name: 'Connect your key' }).waitFor();
    // The cursor is in the first field already.
    await page().keyboard.press('ControlOrMeta+V');
    await sidebar().getByText(`${playground().key.name.length} characters`).first().waitFor();
    await eventually(() => sidebar().getByLabel('Address', { exact: true }).inputValue(), baseUrl);
    await sidebar().getByRole('button', { name: 'Connect', exact: true }).click();
    await sidebar().getByRole('heading', { name: 'Connected' }).waitFor();
    await sidebar()
      .getByText(/^Profit \$\d+\.\d\d · ROI \d+.*rank drops/)
      .waitFor();
    await eventually(presses, 3);
    const sheet = playground().sheet.model.sheets()[0]?.name;
    await sidebar()
      .getByRole('button', { name: /^Analyze \d+$/ })
      .waitFor();
    await sidebar()
      .getByText(new RegExp(`“${sheet}” · \\d+ products`))
      .waitFor();
  });

  it('has the formulas that failed before worked out again by one press, and says how many', async () => {
    const { model } = playground().sheet;
    const sheetId = model.sheets()[0]?.id ?? 0;
    const profits = { row: 2, column: 4, rowCount: 3, columnCount: 1 };
    const kinds = () => model.values(sheetId, profits).map(([profit]) => typeof profit);
    // They name no refresh cell, so nothing makes them calculate by itself.
    await sidebar().getByRole('button', { name: 'Refresh them, too' }).click();
    await eventually(kinds, Array(3).fill('number'));
    await sidebar()
      .getByText(/^\d+ formulas will follow each refresh\./)
      .waitFor();
  });
});
