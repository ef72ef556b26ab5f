// Which of the counted service calls are the gate's, which the result cache's, which the settings'.

import { describe, expect, it } from '@jest/globals';
import { createTally, purposeOf, since } from '../../bench/store-calls';

const call = (operation: string, ...args: readonly unknown[]) => ({
  executionId: 1,
  operation,
  args,
  atMs: 0,
});

describe('a service call is counted', () => {
  it.each([
    ['a lock', call('lock.tryLock', 'document', 25_000), 'gate'],
    ["the gate's state", call('cache.getAll', 'document', ['g:0123']), 'gate'],
    ["the gate's state, written", call('cache.putAll', 'document', { 'g:0123': '{}' }, 60), 'gate'],
    ['a heartbeat', call('cache.get', 'script', 'h:0123:4'), 'gate'],
    ['a list in the properties', call('properties.set', 'document', 'waiting', '[]'), 'gate'],
    ['a bucket of answers', call('cache.getAll', 'document', ['r:0123:a', 'r:0123:b']), 'results'],
    ['a bucket, written', call('cache.putAll', 'document', { 'r:0123:a': '{}' }, 60), 'results'],
    [
      'a bucket and what was noticed in its answers',
      call('cache.putAll', 'document', { 'r:0123:a': '', 's:0123': '[]' }, 60),
      'results',
    ],
    ['the connection', call('properties.get', 'document', 'connection'), 'settings'],
  ] as const)('%s', (_what, observed, purpose) => {
    expect(purposeOf(observed)).toBe(purpose);
  });

  it("as the gate's when it also carries answers", () => {
    expect(purposeOf(call('cache.getAll', 'document', ['g:0123', 'r:0123:a']))).toBe('gate');
  });

  it.each(['urlFetch.fetchAll', 'utilities.sleep', 'spreadsheet.write'])('never: %s', (name) => {
    expect(purposeOf(call(name, []))).toBeNull();
  });
});

it('a tally counts by purpose, and a part of it is a difference', () => {
  const tally = createTally();
  tally.observe(call('lock.tryLock', 'document', 1));
  const before = tally.read();
  tally.observe(call('lock.releaseLock', 'document'));
  tally.observe(call('cache.getAll', 'document', ['r:0123:a']));
  tally.observe(call('utilities.sleep', 5));
  expect(before).toEqual({ gate: 1, results: 0, settings: 0 });
  expect(since(before, tally.read())).toEqual({ gate: 1, results: 1, settings: 0 });
});
