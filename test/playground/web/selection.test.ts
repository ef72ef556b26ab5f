// What is selected and hidden on the playground's page, as scripts see it, and what they select there.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { eventually } from '../../browser/eventually';
import { openPlayground } from '../../browser/open-playground';

const SCRIPT = `
  function rpc() { return { ok: true }; }
  function selected() {
    const list = SpreadsheetApp.getActiveSpreadsheet().getActiveRangeList();
    return list.getRanges().map((range) => range.getA1Notation()).join(' ');
  }
  function hidden() {
    const sheet = SpreadsheetApp.getActiveSheet();
    const rows = Array.from({ length: sheet.getMaxRows() }, (_, place) => place + 1);
    return rows.filter((row) => sheet.isRowHiddenByUser(row)).join(' ');
  }
  function jump() {
    SpreadsheetApp.getActiveSheet().getRangeList(['A3', 'B150:C151']).activate();
  }`;
const MANIFEST = {
  timeZone: 'Etc/UTC',
  oauthScopes: ['https://www.googleapis.com/auth/spreadsheets.currentonly'],
};

const distFolder = mkdtempSync(join(tmpdir(), 'selection-'));
writeFileSync(join(distFolder, 'Code.js'), SCRIPT);
for (const name of ['Diagnostics.html', 'Sidebar.html']) writeFileSync(join(distFolder, name), '');
writeFileSync(join(distFolder, 'appsscript.json'), JSON.stringify(MANIFEST));

const { playground, page } = openPlayground({ distFolder });

afterAll(() => rmSync(distFolder, { recursive: true }));

async function run(functionName: string): Promise<unknown> {
  const { value } = await playground().host.start({ functionName, args: [], door: 'menu' });
  return value;
}

/** The page's news takes a moment to get to the server. */
function becomes(functionName: string, wanted: RegExp): Promise<string> {
  return eventually(async () => String(await run(functionName)), expect.stringMatching(wanted));
}

/** A place in the grid, px from its upper left corner. */
async function pointAt(right: number, down: number): Promise<readonly [number, number]> {
  const box = await page().locator('canvas[id^=univer-sheet-main]').boundingBox();
  return [(box?.x ?? 0) + right, (box?.y ?? 0) + down];
}

async function clickAt(right: number, down: number): Promise<void> {
  await page().mouse.click(...(await pointAt(right, down)));
}

it('a script sees the cells that somebody has selected', async () => {
  await page().mouse.move(...(await pointAt(120, 80)));
  await page().mouse.down();
  await page().mouse.move(...(await pointAt(400, 200)), { steps: 5 });
  await page().mouse.up();
  await becomes('selected', /^A\d+:B\d+$/);
});

it('a script sees all that is selected with Ctrl held', async () => {
  await clickAt(120, 80);
  const first = await becomes('selected', /^A\d+$/);
  await page().keyboard.down('Control');
  await clickAt(120, 200);
  await page().keyboard.up('Control');
  await becomes('selected', new RegExp(`^${first} A\\d+$`));
});

it('the page goes to what a script selects', async () => {
  await run('jump');
  await page().locator('#cell-value').filter({ hasText: /^B150/ }).waitFor({ state: 'attached' });
  await becomes('selected', /^A3 B150:C151$/);
  await clickAt(120, 200);
  await becomes('selected', /^A1\d\d$/);
});

it('a script sees which rows somebody has hidden', async () => {
  await clickAt(10, 120);
  const whole = await becomes('selected', /^A\d+:T\d+$/);
  await page().mouse.click(...(await pointAt(10, 120)), { button: 'right' });
  await page().getByText('Hide Selected Row').click();
  await becomes('hidden', new RegExp(`^${/\d+/.exec(whole)?.[0]}$`));
});
