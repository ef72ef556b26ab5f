// The Chromium that all browser tests share; each opens pages of its own in it.
import type { Browser } from 'playwright-core';

declare global {
  /** Of test/plain-environment.cjs. */
  var connectToChromium: (endpoint: string) => Promise<Browser>;
}

/** Closing it ends what was opened by whoever got it, and leaves it to the others. */
export async function sharedChromium(): Promise<Browser> {
  const { CHROMIUM_ENDPOINT: endpoint } = process.env;
  const shared = endpoint === undefined ? undefined : await connected(endpoint);
  if (shared !== undefined) return shared;
  // Nobody started it, or it is gone: one of one's own does.
  const { launchChromium } = await import('../../scripts/chromium');
  return launchChromium();
}

const connected = (endpoint: string): Promise<Browser | undefined> =>
  globalThis.connectToChromium(endpoint).catch(() => undefined);
