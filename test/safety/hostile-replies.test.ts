// 100,000 hostile replies through the reader: each gives a sound analysis or a failure of the table.

import { describe, expect, it } from '@jest/globals';
import { createRandom, seedFrom } from '../../playground/random';
import { type Interpretation, interpret, readReply } from '../../src/service/response';
import { type HostileReply, hostileReply, SECRET, secretsIn } from './hostile-replies';
import { faultOf } from './sound';

const REPLIES = 100_000;
const ASIN = 'B0XKT7M4QN';
const NOW = Date.UTC(2026, 0, 5, 9);

function read(reply: HostileReply): Interpretation {
  const outcome = { kind: 'response', ...reply } as const;
  return interpret(readReply(outcome, SECRET, NOW), { asin: ASIN, market: 'US' }, {}, NOW);
}

describe('hostile replies', () => {
  it(`${REPLIES} of them are read soundly, none with the key`, () => {
    const seen = { analyses: 0, failures: new Set<string>(), withKey: 0 };
    for (let i = 0; i < REPLIES; i++) {
      const reply = hostileReply(createRandom(seedFrom('hostile reply', i)), ASIN);
      const result = read(reply);
      const fault = faultOf(result, NOW);
      if (fault !== undefined)
        throw new Error(`reply ${i}: ${fault}: ${JSON.stringify(reply).slice(0, 500)}`);
      if (secretsIn(reply.body) > 0) seen.withKey += 1;
      if (result.kind === 'answer' && result.answer.ok) seen.analyses += 1;
      else if (result.kind === 'answer' && !result.answer.ok)
        seen.failures.add(result.answer.failure.kind);
      else if (result.kind !== 'answer' && result.kind !== 'split')
        seen.failures.add(result.failure.kind);
    }
    // The replies are worth the name: many are nearly good, many carry the key, all failures occur.
    expect(seen.analyses).toBeGreaterThan(REPLIES / 10);
    expect(seen.withKey).toBeGreaterThan(REPLIES / 10);
    expect([...seen.failures].sort()).toEqual([
      ...['key-refused', 'not-found', 'not-understood', 'plan-used-up', 'rejected'],
      ...['service-busy', 'timed-out', 'waiting', 'wrong-address'],
    ]);
  });
});

describe('a reply that is all of one thing', () => {
  const nearly = (name: string, value: string) => `{"profit":1,"${name}":${value}}`;
  it.each([
    ['digits for a figure', nearly('roi', `"${'1'.repeat(250_000)}x"`)],
    ['five megabytes', nearly('padding', `"${'x'.repeat(5e6)}"`)],
    ['brackets', nearly('eligible', `${'['.repeat(120_000)}${']'.repeat(120_000)}`)],
    ['objects', nearly('fees', `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`)],
    ['restrictions', nearly('restrictions', `${'['.repeat(120_000)}${']'.repeat(120_000)}`)],
    ['fields', `{"profit":1${',"f":"v"'.repeat(30_000)}}`],
    ['angle brackets', nearly('error', `"${'<'.repeat(250_000)}"`)],
    ['blanks', nearly('error', `"${' '.repeat(250_000)}x"`)],
    ['percent signs', nearly('roi', `"${'% '.repeat(100_000)}x"`)],
    ['keys', nearly('echo', JSON.stringify(SECRET.repeat(8_000)))],
    ['quotes', '"'.repeat(250_000)],
  ])('%s is read soundly, and at once', (_of, body) => {
    for (const status of [200, 400, 429]) {
      const beganMs = performance.now();
      expect(faultOf(read({ status, headers: {}, body }), NOW)).toBeUndefined();
      expect(performance.now() - beganMs).toBeLessThan(5_000);
    }
  });
});
