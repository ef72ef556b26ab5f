// What is kept beside what a person said: findings of checks, the cap on formulas, and samples.

import { describe, expect, it } from '@jest/globals';
import { memoryStore } from '../memory-store';
import { ALICES, BOBS, draft, keyOf, recordOf, spreadsheet } from './open-spreadsheet';

const PERCENT = {
  found: { roiUnit: 'percent' },
  reasons: { roiUnit: 'ROI came as 85.65.' },
} as const;
const FRACTION = {
  found: { roiUnit: 'fraction' },
  reasons: { roiUnit: 'ROI came as 0.85.' },
} as const;

function fingerprintIn(stored: ReturnType<ReturnType<typeof open>['forCells']>): string {
  return stored.kind === 'connection' ? stored.connection.fingerprint : stored.kind;
}

const open = (sheet = spreadsheet(), user = memoryStore()) => sheet.open(user);

describe('what a check found', () => {
  it('is in every record of the connection, for cells as for people', () => {
    const sheet = spreadsheet();
    const alice = memoryStore();
    sheet.open(alice).save(draft({ sharing: 'spreadsheet' }));
    const store = sheet.open(alice);
    store.settle(fingerprintIn(store.forCells()), PERCENT);
    expect(store.forCells()).toMatchObject({ connection: PERCENT });
    expect(sheet.open(alice).forPerson()).toMatchObject({ connection: PERCENT });
    expect(sheet.open(memoryStore()).forCells()).toMatchObject({ connection: PERCENT });
  });

  it('is settled once: a later finding does not take its place', () => {
    const store = open();
    store.save(draft());
    const fingerprint = fingerprintIn(store.forCells());
    store.settle(fingerprint, PERCENT);
    store.settle(fingerprint, FRACTION);
    expect(store.forPerson()).toMatchObject({ connection: PERCENT });
  });

  it('is no business of another connection, nor of one that changed meanwhile', () => {
    const sheet = spreadsheet();
    const alice = memoryStore();
    sheet.open(memoryStore()).save(draft({ apiKey: BOBS, sharing: 'spreadsheet' }));
    const checking = sheet.open(alice);
    checking.save(draft());
    const checked = checking.forPerson();
    sheet.open(alice).save(draft({ apiKey: 'sk-live-alice-0002' }));
    checking.settle(fingerprintIn(checked), PERCENT);
    expect(recordOf(alice)).toContain('sk-live-alice-0002');
    expect(recordOf(alice)).not.toContain('percent');
    expect(recordOf(sheet.documentStore)).not.toContain('percent');
  });

  it("by somebody else with a shared key is its owner's too, and stays when that one saves", () => {
    const sheet = spreadsheet();
    const alice = memoryStore();
    sheet.open(alice).save(draft({ sharing: 'spreadsheet' }));
    const helping = sheet.open(memoryStore());
    helping.settle(fingerprintIn(helping.forCells()), PERCENT);
    expect(sheet.open(alice).forPerson()).toMatchObject({ connection: PERCENT });
    sheet.open(alice).save(draft({ apiKey: '', sharing: 'spreadsheet' }));
    expect(sheet.open(memoryStore()).forCells()).toMatchObject({ connection: PERCENT });
  });

  it('stays with another key of the same service, and goes with its address', () => {
    const store = open();
    store.save(draft());
    store.settle(fingerprintIn(store.forCells()), PERCENT);
    store.save(draft({ apiKey: BOBS }));
    expect(store.forPerson()).toMatchObject({ connection: PERCENT });
    store.save(draft({ apiKey: BOBS, baseUrl: 'https://other.example.com' }));
    expect(store.forPerson()).toHaveProperty('connection.found', {});
    expect(store.forPerson()).toHaveProperty('connection.reasons', {});
  });
});

describe('the cap on formulas', () => {
  it('stays when a draft leaves it out, and goes with null', () => {
    const store = open();
    store.save(draft({ cellsPerDay: 200 }));
    store.save(draft());
    expect(store.forCells()).toMatchObject({ connection: { cellsPerDay: 200 } });
    store.save(draft({ cellsPerDay: null }));
    expect(JSON.stringify(store.forCells())).not.toContain('cellsPerDay');
  });
});

describe('samples', () => {
  it('are for formulas of a spreadsheet without a connection, and are none themselves', () => {
    const store = open();
    store.setDemo(true);
    expect(store.sharedKind()).toBe('demo');
    expect(store.forCells()).toMatchObject({ connection: { fingerprint: 'demo', apiKey: '' } });
    expect(store.forPerson()).toMatchObject({ kind: 'none' });
    store.setDemo(false);
    expect(store.forCells()).toEqual({ kind: 'none' });
  });

  it.each(['me', 'spreadsheet'] as const)('end when a key is connected for %s', (sharing) => {
    const sheet = spreadsheet();
    const store = open(sheet);
    store.setDemo(true);
    store.save(draft({ sharing }));
    expect(store.sharedKind()).not.toBe('demo');
    expect(keyOf(store.forCells())).toBe(ALICES);
    expect(recordOf(sheet.documentStore) ?? '').not.toContain('demo');
  });

  it("give way to the owner's key from elsewhere", () => {
    const alice = memoryStore();
    const sheet = spreadsheet();
    sheet.open(memoryStore()).setDemo(true);
    spreadsheet().open(alice).save(draft());
    expect(keyOf(sheet.open(alice).forCells())).toBe(ALICES);
  });

  it('never take the place of a shared key', () => {
    const sheet = spreadsheet();
    sheet.open(memoryStore()).save(draft({ sharing: 'spreadsheet' }));
    sheet.open(memoryStore()).setDemo(true);
    expect(keyOf(sheet.open(memoryStore()).forCells())).toBe(ALICES);
  });
});

describe('settings', () => {
  it('are read once in an execution, from each store', () => {
    const sheet = spreadsheet();
    const alice = memoryStore();
    sheet.open(alice).save(draft());
    const before = [alice.calls(), sheet.documentStore.calls()];
    const store = sheet.open(alice);
    for (let i = 0; i < 3; i++) {
      store.forCells();
      store.forPerson();
    }
    const after = [alice.calls(), sheet.documentStore.calls()];
    expect(after.map((calls, i) => calls - (before[i] ?? 0))).toEqual([1, 1]);
  });
});
