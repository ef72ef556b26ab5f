// What is made once, before the first test: the add-on as it is built, and one Chromium for all browser tests.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { serveChromium } from '../scripts/chromium';
import buildOnce from './build-once';

const BROWSER_TESTS = join(__dirname, 'browser');

/** Of Jest's configuration for this run. */
interface Run {
  readonly rootDir: string;
  readonly testPathPatterns: {
    toExecutor(options: { readonly rootDir: string }): { isMatch(path: string): boolean };
  };
}

/** True if any of the tests that were asked for needs a browser. */
function wantsBrowser({ rootDir, testPathPatterns }: Run): boolean {
  const asked = testPathPatterns.toExecutor({ rootDir });
  return readdirSync(BROWSER_TESTS)
    .filter((name) => name.endsWith('.test.ts'))
    .some((name) => asked.isMatch(join(BROWSER_TESTS, name)));
}

export default async function beforeAll(run: Run): Promise<void> {
  buildOnce();
  if (!wantsBrowser(run)) return;
  // Without it, each test that wants a browser says what is wrong.
  const served = await serveChromium().catch(() => undefined);
  if (served === undefined) return;
  process.env.CHROMIUM_ENDPOINT = served.endpoint;
  Reflect.set(globalThis, 'stopChromium', served.stop);
}
