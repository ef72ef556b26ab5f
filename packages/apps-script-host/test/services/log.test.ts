// Logger and console as the host emulates them: lines of one execution, kept if it is killed.

import { expect, it } from '@jest/globals';
import { outcomeOf } from '../script-host';

it('collects the lines of an execution without counting as calls', async () => {
  const code = `function f() {
    Logger.log('%s of %d', 'one', 2);
    console.warn('late', { by: 3 });
  }`;
  expect(await outcomeOf(code)).toMatchObject({
    logs: ['[log] one of 2', '[warn] late {"by":3}'],
    serviceCalls: 0,
  });
});

it('keeps what was logged before a crash', async () => {
  const code = "function f() { console.log('before'); Utilities.getUuid(); console.log('after'); }";
  const { logs, ended } = await outcomeOf(code, { killAtCall: 1 });
  expect([ended, logs]).toEqual(['killed', ['[log] before']]);
});
