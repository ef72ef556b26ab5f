// Takes the picture at the top of the README: a supplier's list on its way to verdicts,
// docs/images/tour.png.
import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { animatedPng, type Frame } from './animated-png';
import {
  FADED_MS,
  openSidebar,
  WHOLE_LIST,
  WITHOUT_SANDBOX,
  withPlayground,
} from './pictured-playground';
import { SLOW } from './playground';

/** Long enough to find what changed, in ms. */
const STEP_MS = 1800;
const RUNNING_MS = 700;
const VERDICTS_MS = 5000;

/** A place in the sheet, and how far the columns of decisions are to the right, in CSS pixels. */
const GRID_PX = { x: 600, y: 400 };
const TO_VERDICTS_PX = 110;
/**
 * The animation begins and ends with the verdicts. It plays three times, so that it does not move
 * forever beside the text.
 */
const PLAYS = 3;

type Keep = (page: Page, holdMs: number) => Promise<void>;

/**
 * @param file the animated picture's path
 * @param still the path of its last frame
 */
export async function takeTour(file: string, still: string): Promise<void> {
  const frames: Frame[] = [];
  const keep: Keep = async (page, holdMs) => {
    await page.waitForTimeout(FADED_MS);
    frames.push({ png: await page.screenshot(), holdMs });
  };
  const offers = { contents: 'offers', latency: SLOW } as const;
  await withPlayground(offers, WHOLE_LIST, (page) => takeRun(page, keep));
  await withPlayground({ contents: 'list' }, WHOLE_LIST, (page) => takeVerdicts(page, keep));
  const verdicts = frames.at(-1)?.png ?? Buffer.alloc(0);
  // The first picture shows the decided list.
  writeFileSync(file, animatedPng([{ png: verdicts, holdMs: STEP_MS }, ...frames], PLAYS));
  writeFileSync(still, verdicts);
}

async function takeRun(page: Page, keep: Keep): Promise<void> {
  await page.addStyleTag({ content: WITHOUT_SANDBOX });
  const sidebar = await openSidebar(page, 'List');
  const button = (name: string | RegExp) => sidebar.getByRole('button', { name });
  await button(/^Analyze/).waitFor();
  await keep(page, STEP_MS);
  await button(/^Analyze/).click();
  await button('Pause').waitFor();
  while (await button('Pause').isVisible()) await keep(page, RUNNING_MS);
  await button('Analyze again').waitFor();
  await keep(page, STEP_MS);
}

async function takeVerdicts(page: Page, keep: Keep): Promise<void> {
  await page.addStyleTag({ content: WITHOUT_SANDBOX });
  const sidebar = await openSidebar(page, 'List');
  await sidebar.getByRole('button', { name: 'Make shopping list' }).waitFor();
  await scrollToVerdicts(page);
  await keep(page, VERDICTS_MS);
}

/** Products stay in view, because their columns are frozen. */
async function scrollToVerdicts(page: Page): Promise<void> {
  await page.mouse.move(GRID_PX.x, GRID_PX.y);
  await page.mouse.wheel(TO_VERDICTS_PX, 0);
}
