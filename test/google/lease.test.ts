// The lease: one execution at a time works on the sheet, without holding the lock.

import { expect, it } from '@jest/globals';
import { beforeWrite, LEASE_MS, underLease } from '../../src/google/lease';

const WHAT = { by: 'me', work: 'testing' };

/** A spreadsheet in virtual time. */
function spreadsheet() {
  let nowMs = 1_000_000;
  let chance = 0;
  let isLocked = false;
  const stored = new Map<string, string>();
  const calls: string[] = [];
  const pass = (ms: number) => {
    nowMs += ms;
  };
  const platform = {
    clock: { nowMs: () => nowMs, sleep: pass },
    random: { next: () => (chance = (chance + 0.137) % 1) },
    documentStore: {
      read(name: string) {
        calls.push('read');
        return stored.get(name) ?? null;
      },
      write(name: string, text: string) {
        calls.push('write');
        stored.set(name, text);
      },
      remove(name: string) {
        calls.push('remove');
        stored.delete(name);
      },
      readAll: () => Object.fromEntries(stored),
      writeAll: () => true,
    },
    lock: {
      run<T>(_waitMs: number, act: () => T) {
        if (isLocked) throw new Error('A lock within the lock.');
        isLocked = true;
        try {
          return { held: true as const, value: act() };
        } finally {
          isLocked = false;
        }
      },
    },
  };
  return { platform, pass, stored, calls };
}

it('costs three property calls, and the work does not hold the lock', () => {
  const { platform, calls } = spreadsheet();
  const outcome = underLease(platform, WHAT, 0, () => platform.lock.run(0, () => 'done'));
  expect(outcome).toEqual({ held: true, value: { held: true, value: 'done' } });
  expect(calls).toEqual(['read', 'write', 'remove']);
});

it('keeps others out while it lasts, who learn what is done and by whom', () => {
  const { platform, stored } = spreadsheet();
  stored.set('lease', `other ${platform.clock.nowMs() + 3_000} them adding decisions`);
  const met = underLease(platform, WHAT, 500, () => 'both');
  expect(met).toMatchObject({ held: false, other: { by: 'them', work: 'adding decisions' } });
  expect(underLease(platform, WHAT, 5_000, () => 'after it').held).toBe(true);
});

it('is never taken within a lease', () => {
  const { platform } = spreadsheet();
  const nested = () => underLease(platform, WHAT, 0, () => 'both');
  expect(() => underLease(platform, WHAT, 0, nested)).toThrow('nested-lease');
});

it('of a killed execution ends by itself', () => {
  const { platform, stored } = spreadsheet();
  const nowMs = platform.clock.nowMs();
  stored.set('lease', `dead ${nowMs + LEASE_MS} them adding decisions`);
  const outcome = underLease(platform, WHAT, LEASE_MS + 10_000, () => platform.clock.nowMs());
  expect(outcome).toEqual({ held: true, value: expect.any(Number) });
  expect(platform.clock.nowMs()).toBeGreaterThan(nowMs + LEASE_MS);
});

it('that was lost writes nothing more, and leaves the lease of the other alone', () => {
  const { platform, pass, stored } = spreadsheet();
  const done: string[] = [];
  const outcome = underLease(platform, WHAT, 0, () => {
    done.push('read');
    pass(LEASE_MS + 1);
    stored.set('lease', `other ${platform.clock.nowMs() + LEASE_MS} them adding decisions`);
    beforeWrite();
    done.push('written');
  });
  expect([outcome.held, done]).toEqual([false, ['read']]);
  expect(stored.get('lease')).toMatch(/^other /);
});

it('is prolonged where another write would last beyond it, also after it has ended', () => {
  const { platform, pass } = spreadsheet();
  const outcome = underLease(platform, WHAT, 0, () => {
    for (const ms of [5_000.5, 12_000.25, 30_000, LEASE_MS + 5_000]) {
      pass(ms);
      beforeWrite();
    }
    return 'written';
  });
  expect(outcome).toEqual({ held: true, value: 'written' });
});
