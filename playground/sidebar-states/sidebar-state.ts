// Defines a state of the sidebar with the way to reach it, and the steps that most ways consist of.
import type { Page } from 'playwright-core';
import type { Script } from './scripted-page';

export interface SidebarState {
  /** A name for files. */
  readonly name: string;
  /** A name for people. */
  readonly title: string;
  readonly script: Script;
  /** Brings the opened page into the state and waits until it is there. */
  readonly act: (page: Page) => Promise<void>;
}

export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();
/** Opens a folded part by its name. */
export const unfold = (page: Page, name: string): Promise<void> =>
  page.locator('summary', { hasText: name }).click();
export const shows = (page: Page, text: string): Promise<void> =>
  page.getByText(text).first().waitFor();
/** The page learns of this a moment later than the browser. */
export async function goOffline(page: Page): Promise<void> {
  await page.context().setOffline(true);
  await page.waitForFunction(() => !navigator.onLine);
}
export const titled = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { name }).waitFor();
