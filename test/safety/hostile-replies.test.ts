// Hostile replies through the reader: each gives a sound analysis of what was asked for, or a failure of the table.

import { describe, expect, it } from '@jest/globals';
import { sampleSize } from '../sample';
import { faultIn, fuzz, readDecided, readHostile } from './fuzz';
import { SECRET } from './hostile-replies';

/** A sample of what `npm run fuzz` reads. */
const REPLIES = sampleSize(20_000, 1_500);

describe('hostile replies', () => {
  it(`${REPLIES} of them are read soundly, none as another product, none with the key`, () => {
    const { thrown, wrongProducts, unsound, ...seen } = fuzz(REPLIES);
    expect([...thrown, ...wrongProducts, ...unsound]).toEqual([]);
    // The replies are worth the name: many are nearly good, many carry the key, all failures occur.
    expect(seen.analyses).toBeGreaterThan(REPLIES / 10);
    expect(seen.withKey).toBeGreaterThan(REPLIES / 10);
    expect(seen.lies).toBeGreaterThan(REPLIES / 15);
    expect([...seen.failures].sort()).toEqual([
      ...['key-refused', 'not-found', 'not-ready', 'not-understood', 'plan-used-up', 'rejected'],
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
    [
      'numbers',
      `{"profit":1,"roi":1,"fees":1${Array.from({ length: 20_000 }, (_, i) => `,"f${i}":${i}`).join('')}}`,
    ],
    ['angle brackets', nearly('error', `"${'<'.repeat(250_000)}"`)],
    ['blanks', nearly('error', `"${' '.repeat(250_000)}x"`)],
    ['percent signs', nearly('roi', `"${'% '.repeat(100_000)}x"`)],
    ['keys', nearly('echo', JSON.stringify(SECRET.repeat(8_000)))],
    ['backslashes', '\\'.repeat(250_000)],
    ['percent signs of addresses', nearly('error', `"${'%25'.repeat(80_000)}"`)],
    ['entities', nearly('error', `"&${'amp;'.repeat(60_000)}"`)],
    ['quotes', '"'.repeat(250_000)],
  ])('%s is read soundly, and at once', (_of, body) => {
    for (const status of [200, 400, 429]) {
      const beganMs = performance.now();
      expect(faultIn(readHostile({ status, headers: {}, body }))).toBeUndefined();
      readDecided({ status, headers: {}, body });
      expect(performance.now() - beganMs).toBeLessThan(5_000);
    }
  });
});

/** Later than anybody waits: a number of seconds, a moment, in headers and in words. */
const FAR_OFF = ['99999999999', '4102444800', 'Fri, 31 Dec 9999 23:59:59 GMT', '1e300', 'Infinity'];
const HEADERS = ['Retry-After', 'RateLimit-Reset', 'X-RateLimit-Reset'];
const BODIES = [
  '',
  '{"error":"quota exceeded"}',
  '{"error":"slow down","retry_after":99999999999}',
];

describe('replies that name a time far off', () => {
  it.each([200, 402, 403, 429, 500, 503])(
    'stop nobody for more than six hours, but for a key that is refused',
    (status) => {
      const faults = FAR_OFF.flatMap((time) =>
        HEADERS.flatMap((name) =>
          BODIES.map((body) =>
            faultIn(
              readHostile({ status, headers: { [name]: time, 'RateLimit-Remaining': '0' }, body }),
            ),
          ),
        ),
      );
      expect(faults).toHaveLength(FAR_OFF.length * HEADERS.length * BODIES.length);
      expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
    },
  );
});
