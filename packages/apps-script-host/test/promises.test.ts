// Promises of a script: async functions, and failures that nobody waits for.

import { expect, it } from '@jest/globals';
import { outcomeOf } from './script-host';

it.each([
  ['in its own stack', {}],
  ['in a thread', { runawayMs: 20_000 }],
])(
  'a promise that fails unheard is in the log and ends neither script nor process: %s',
  async (_, options) => {
    const code = `
    async function late() { Utilities.sleep(10); throw new Error('late'); }
    function f() {
      late();
      late().catch(() => {});
      Promise.reject(new TypeError('at once'));
      Promise.all([late()]).then(() => {}, () => {});
      return 'returned';
    }`;
    const { ok, value, logs } = await outcomeOf(code, {}, options);
    expect([ok, value]).toEqual([true, 'returned']);
    const lines = logs.map((line) => line.split('\n')[0]);
    expect(lines).toEqual([
      '[uncaught] in a promise: Error: late',
      '[uncaught] in a promise: TypeError: at once',
    ]);
    // Node tells of unheard failures after the current turn.
    await new Promise((resolve) => setTimeout(resolve, 0));
  },
);

it('what an async function throws is the error of the execution', async () => {
  const { ended, error } = await outcomeOf(
    "async function f() { await null; throw new Error('x'); }",
  );
  expect([ended, error?.message]).toEqual(['threw', 'x']);
});
