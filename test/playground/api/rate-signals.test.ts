// What the sandbox says of a limit. The add-on's reader is tried on each family: test/service/rate-headers.test.ts.
import { describe, expect, it } from '@jest/globals';
import { openSandbox } from './ask';

describe('the signals of a dialect', () => {
  it('tell of a window by its length and its end', () => {
    const sandbox = openSandbox();
    const key = 'demo-key-60-per-calendar-minute';
    const { headers } = sandbox.answer({ key, atMs: 45_000 });
    expect(headers).toMatchObject({
      'ratelimit-limit': '60',
      'ratelimit-policy': '60;w=60',
      'ratelimit-remaining': '59',
      'ratelimit-reset': '15',
    });
  });

  it('may stand in the body: tokens left, milliseconds to the next, refilled per minute', () => {
    const sandbox = openSandbox({ dialect: 'hundredths' });
    const key = 'demo-key-60-per-minute';
    sandbox.answer({ key, atMs: 0 });
    const refused = JSON.parse(sandbox.answer({ key, atMs: 400 }).body);
    expect(refused).toMatchObject({ tokensLeft: 0, refillIn: 600, refillRate: 60 });
  });
});
