// The headers of each family, on an answer and on the refusal of a key that went too fast.
import { describe, expect, it } from '@jest/globals';
import type { DialectName } from '../../../playground/api/dialects';
import { openSandbox } from './ask';

/** Not on a full second, so that rounding up shows. */
const NOW_MS = 1_700_000_000_250;

const SIGNAL = /^(x-)?(amzn-)?rate|^x-amzn|^retry-after$/;

/** Uses up the burst of 5 of the key of 1 per second, then asks once more. */
function signalsOf(dialect: DialectName) {
  const sandbox = openSandbox({ dialect });
  const ask = () => {
    const { status, headers } = sandbox.answer({ key: 'demo-key-1-per-second', atMs: NOW_MS });
    const signals = Object.entries(headers).filter(([name]) => SIGNAL.test(name));
    return { status, ...Object.fromEntries(signals) };
  };
  const [first, , , , , refused] = [ask(), ask(), ask(), ask(), ask(), ask()];
  return { first, refused };
}

describe('the signals of a dialect', () => {
  it.each([
    [
      'canonical',
      {
        'ratelimit-limit': '5',
        'ratelimit-policy': '5;w=5',
        'ratelimit-remaining': '4',
        'ratelimit-reset': '1',
      },
      {
        'ratelimit-limit': '5',
        'ratelimit-policy': '5;w=5',
        'ratelimit-remaining': '0',
        'ratelimit-reset': '5',
        'retry-after': '1',
      },
    ],
    [
      'great-britain',
      { ratelimit: '"default";r=4;t=1', 'ratelimit-policy': '"default";q=5;w=5' },
      {
        ratelimit: '"default";r=0;t=5',
        'ratelimit-policy': '"default";q=5;w=5',
        'retry-after': '1',
      },
    ],
    [
      'percent',
      {
        'x-ratelimit-limit': '5',
        'x-ratelimit-remaining': '4',
        'x-ratelimit-reset': '1700000002',
      },
      {
        'x-ratelimit-limit': '5',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': '1700000006',
        'retry-after': '1',
      },
    ],
    [
      'nested',
      {
        'x-ratelimit-limit': '5',
        'x-ratelimit-remaining': '4',
        'x-ratelimit-reset': '1700000001250',
      },
      {
        'x-ratelimit-limit': '5',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': '1700000005250',
        'retry-after': '1',
      },
    ],
    [
      'text',
      { 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '4', 'x-ratelimit-reset': '1' },
      {
        'x-ratelimit-limit': '5',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': '5',
        'retry-after': 'Tue, 14 Nov 2023 22:13:22 GMT',
      },
    ],
    [
      'commas',
      { 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '4', 'x-ratelimit-reset-after': '1' },
      {
        'x-ratelimit-limit': '5',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset-after': '5',
        'retry-after': '1',
      },
    ],
    ['words', { 'x-amzn-ratelimit-limit': '1.00' }, { 'x-amzn-ratelimit-limit': '1.00' }],
    ['hundredths', {}, {}],
    ['bare', {}, {}],
    ['silent', {}, { 'retry-after': '1' }],
  ] as const)('%s', (dialect, first, refused) => {
    expect(signalsOf(dialect)).toEqual({
      first: { status: 200, ...first },
      refused: { status: 429, ...refused },
    });
  });

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
