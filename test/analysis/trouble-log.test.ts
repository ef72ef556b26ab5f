// What went wrong is kept for support: the latest first, each once, and nothing that people mistyped.

import { describe, expect, it } from '@jest/globals';
import { fail } from '../../src/failures/failure';
import { troubleLog } from '../../src/failures/trouble-log';
import { memoryCache } from '../memory-store';

function log() {
  const cache = memoryCache();
  let nowMs = 1_000;
  const clock = { nowMs: () => nowMs, sleep: () => {} };
  const later = (ms: number) => {
    nowMs += ms;
  };
  return { cache, later, log: troubleLog(cache, clock) };
}

describe('the log of troubles', () => {
  it('has each kind of failure once, in words, with the name of the call', () => {
    const { log: troubles } = log();
    const crash = fail({ kind: 'service-busy', status: 500, requestId: 'r-1' });
    troubles.noteFailures([crash, { ...crash, requestId: 'r-2' }, fail({ kind: 'unreachable' })]);
    expect(troubles.recent()).toEqual([
      { atMs: 1_000, text: 'The service has a problem right now (status 500). (call r-2)' },
      {
        atMs: 1_000,
        text: 'The service cannot be reached. Try again later, or check the address.',
      },
    ]);
  });

  it('has nothing of what people mistyped or only have to wait for', () => {
    const { log: troubles } = log();
    troubles.noteFailures([
      fail({ kind: 'bad-asin', input: 'x', why: 'shape' }),
      fail({ kind: 'waiting' }),
      fail({ kind: 'not-found' }),
    ]);
    expect(troubles.recent()).toEqual([]);
  });

  it('keeps ten, and the same again only after a minute', () => {
    const { log: troubles, later } = log();
    troubles.note('same');
    later(30_000);
    troubles.note('same');
    expect(troubles.recent()).toHaveLength(1);
    later(31_000);
    troubles.note('same');
    expect(troubles.recent()).toHaveLength(2);
    for (let i = 0; i < 20; i++) troubles.note(`other ${i}`);
    expect(troubles.recent()).toHaveLength(10);
    expect(troubles.recent()[0]?.text).toBe('other 19');
  });

  it('begins anew where the cache holds nonsense', () => {
    const { log: troubles, cache } = log();
    cache.putAll({ trouble: '{"not": "a list"' }, 60);
    expect(troubles.recent()).toEqual([]);
    cache.putAll({ trouble: '{"not": "a list"}' }, 60);
    expect(troubles.recent()).toEqual([]);
  });
});
