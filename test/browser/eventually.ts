// The one way to wait for a value in a browser: it is read again until it is the expected one.
import { expect } from '@jest/globals';

/** The most that one step may take. The slowest machines need a tenth of it. */
export const STEP_MAX_MS = 60_000;
const LOOK_AGAIN_MS = 50;

/**
 * Gives the value as soon as it equals what is expected, by the rules of `toEqual`; fails with the
 * last difference. A page shows the answer to a click later than the click returns.
 */
export async function eventually<Value>(
  read: () => Value | Promise<Value>,
  expected: unknown,
): Promise<Value> {
  const giveUpMs = performance.now() + STEP_MAX_MS;
  for (;;) {
    try {
      const value = await read();
      expect(value).toEqual(expected);
      return value;
    } catch (error) {
      if (performance.now() > giveUpMs) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}
