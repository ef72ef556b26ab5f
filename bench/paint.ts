// Measures how soon the sidebar's page is seen on a slow computer: its parsing and its first paint, compared
// with other builds of it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { servedPage } from 'apps-script-host/services/html';
import { listed } from '../playground/sidebar-states/analyze-states';
import { openStage } from '../playground/sidebar-states/scripted-page';
import { launchChromium } from '../scripts/chromium';

/** Where `npm run build` puts the page. */
const BUILT = join(__dirname, '../dist/Sidebar.html');

/** So many times slower than this machine's processor. */
const SLOWED = 4;

interface Figures {
  readonly parseMs: number;
  readonly paintMs: number;
}

const isPainted = () => performance.getEntriesByName('first-contentful-paint').length > 0;

/** Both times begin with the page's last byte. */
function timesOf(): Figures {
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const { responseEnd = 0, domInteractive = 0 } = page ?? {};
  const { startTime = Number.NaN } = paint ?? {};
  return { parseMs: domInteractive - responseEnd, paintMs: startTime - responseEnd };
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * Prints medians over so many openings. The builds take turns, so that other load on the machine affects
 * all of them.
 *
 * @param others paths of further Sidebar.html files to compare with.
 */
export async function tellPaint(others: readonly string[], openings: number): Promise<string> {
  const pages = [BUILT, ...others].map((path) => readFileSync(path, 'utf8'));
  const browser = await launchChromium();
  const context = await browser.newContext({ viewport: { width: 300, height: 640 } });
  const show = await openStage(context);
  const watch = { called: () => undefined, fault: (message: string) => console.error(message) };
  const told = pages.map((): Figures[] => []);
  for (let round = 0; round <= openings; round += 1)
    for (const [at, built] of pages.entries()) {
      const page = await show(servedPage(built), listed, watch);
      await page.waitForFunction(isPainted);
      const figures = await page.evaluate(timesOf);
      // The first opening of each warms the browser up, and then the processor is slowed.
      if (round > 0) told[at]?.push(figures);
      else {
        const session = await context.newCDPSession(page);
        await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
      }
    }
  await browser.close();
  const rows = pages.map((built, at) => {
    const of = (part: keyof Figures) => median((told[at] ?? []).map((one) => one[part]));
    const kb = (Buffer.byteLength(built) / 1_000).toFixed(1);
    const name = at === 0 ? 'this build' : (others[at - 1] ?? '');
    return [name, kb, of('parseMs').toFixed(0), of('paintMs').toFixed(0)];
  });
  const head = ['page', 'KB', 'parsed after ms', 'first paint after ms'];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [head, head.map(() => '---'), ...rows].map(line).join('\n');
}
