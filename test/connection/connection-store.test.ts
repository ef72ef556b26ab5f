// Who keeps which connection, who pays with it, and what nobody can take from another.

import { describe, expect, it } from '@jest/globals';
import { mayBeOwner, ownerNote } from '../../src/connection/connection-store';
import { isFailure } from '../../src/failures/failure';
import { memoryStore } from '../memory-store';
import { ALICES, BOBS, draft, keyOf, recordOf, spreadsheet } from './open-spreadsheet';

describe('the store', () => {
  describe('a connection for the spreadsheet', () => {
    it('changes its key with its owner, and nothing of the old one stays', () => {
      const sheet = spreadsheet();
      const alice = sheet.open(memoryStore());
      alice.save(draft({ sharing: 'spreadsheet' }));
      alice.save(draft({ sharing: 'spreadsheet', apiKey: 'sk-live-alice-0002' }));
      expect(keyOf(alice.forCells())).toBe('sk-live-alice-0002');
      expect(recordOf(sheet.documentStore)).not.toContain(ALICES);
    });

    it('can be taken back by its owner after their own key was changed in another spreadsheet', () => {
      const [first, second] = [spreadsheet(), spreadsheet()];
      const alice = memoryStore();
      first.open(alice).save(draft({ sharing: 'spreadsheet' }));
      second.open(alice).save(draft({ apiKey: 'sk-live-alice-0002', sharing: 'spreadsheet' }));
      first.open(alice).clear();
      expect(recordOf(first.documentStore)).toBeUndefined();
    });

    it('follows its owner to a new key, and ends when they keep that one for themselves', () => {
      const [first, second] = [spreadsheet(), spreadsheet()];
      const alice = memoryStore();
      first.open(alice).save(draft({ sharing: 'spreadsheet' }));
      second.open(alice).save(draft({ apiKey: 'sk-live-alice-0002' }));
      expect(first.open(alice).forPerson()).toMatchObject({ sharing: 'spreadsheet', own: true });
      expect(second.open(alice).forPerson()).toMatchObject({ sharing: 'me', own: true });
      first.open(alice).save(draft({ apiKey: '', sharing: 'me' }));
      expect(recordOf(first.documentStore)).toBeUndefined();
    });
  });

  describe('clearing', () => {
    it('leaves no mark of whose key formulas use, so that a new key counts as theirs', () => {
      const sheet = spreadsheet();
      const alice = memoryStore();
      const connect = () => {
        const saved = sheet.open(alice).save(draft());
        if (isFailure(saved)) throw new Error(saved.kind);
        return saved;
      };
      sheet.documentStore.writeAll(ownerNote(connect()));
      sheet.open(alice).clear();
      expect(mayBeOwner(sheet.documentStore, connect())).toBe(true);
    });
  });
});

// What is kept beside the key: what a check decided, the cap on formulas, and samples.
describe('what is kept beside the key', () => {
  const PERCENT = { roiUnit: 'percent' } as const;
  const decidedWith = (answered: string) => ({ connection: { settings: PERCENT, answered } });

  function fingerprintIn(stored: ReturnType<ReturnType<typeof open>['forCells']>): string {
    return stored.kind === 'connection' ? stored.connection.fingerprint : stored.kind;
  }

  const open = (sheet = spreadsheet(), user = memoryStore()) => sheet.open(user);

  describe('what a check decided', () => {
    it('is in every record of the connection, for cells as for people', () => {
      const sheet = spreadsheet();
      const alice = memoryStore();
      sheet.open(alice).save(draft({ sharing: 'spreadsheet' }));
      const store = sheet.open(alice);
      const fingerprint = fingerprintIn(store.forCells());
      store.decide(fingerprint, PERCENT, true);
      const decided = decidedWith(fingerprint);
      expect(store.forCells()).toMatchObject(decided);
      expect(sheet.open(alice).forPerson()).toMatchObject(decided);
      expect(sheet.open(memoryStore()).forCells()).toMatchObject(decided);
    });

    it('takes the place of what was decided before, and leaves the rest', () => {
      const store = open();
      store.save(draft({ settings: { roiUnit: 'fraction', defaultMarket: 'UK' } }));
      store.decide(fingerprintIn(store.forCells()), PERCENT, false);
      const settings = { ...PERCENT, defaultMarket: 'UK' };
      expect(store.forPerson()).toMatchObject({ connection: { settings } });
      expect(store.forPerson()).not.toHaveProperty('connection.answered');
    });

    it('is no business of another connection, nor of one that changed meanwhile', () => {
      const sheet = spreadsheet();
      const alice = memoryStore();
      sheet.open(memoryStore()).save(draft({ apiKey: BOBS, sharing: 'spreadsheet' }));
      const checking = sheet.open(alice);
      checking.save(draft());
      const checked = checking.forPerson();
      sheet.open(alice).save(draft({ apiKey: 'sk-live-alice-0002' }));
      checking.decide(fingerprintIn(checked), PERCENT, true);
      expect(recordOf(alice)).toContain('sk-live-alice-0002');
      expect(recordOf(alice)).not.toContain('percent');
      expect(recordOf(sheet.documentStore)).not.toContain('percent');
    });

    it('stays with another key of the same service, and goes with its address', () => {
      const store = open();
      store.save(draft({ settings: { defaultMarket: 'UK' } }));
      const fingerprint = fingerprintIn(store.forCells());
      store.decide(fingerprint, PERCENT, true);
      store.save(draft({ apiKey: BOBS }));
      expect(store.forPerson()).toMatchObject(decidedWith(fingerprint));
      store.save(draft({ apiKey: BOBS, baseUrl: 'https://other.example.com' }));
      expect(store.forPerson()).toHaveProperty('connection.settings', { defaultMarket: 'UK' });
      expect(store.forPerson()).not.toHaveProperty('connection.answered');
    });

    it('costs no write where nothing changes', () => {
      const alice = memoryStore();
      const store = open(spreadsheet(), alice);
      store.save(draft());
      store.decide(fingerprintIn(store.forCells()), PERCENT, true);
      const before = alice.changes();
      store.decide(fingerprintIn(store.forCells()), PERCENT, true);
      expect(alice.changes()).toBe(before);
    });
  });

  it('the cap on formulas stays when a draft leaves it out, and goes with null', () => {
    const store = open();
    store.save(draft({ cellsPerDay: 200 }));
    store.save(draft());
    expect(store.forCells()).toMatchObject({ connection: { cellsPerDay: 200 } });
    store.save(draft({ cellsPerDay: null }));
    expect(JSON.stringify(store.forCells())).not.toContain('cellsPerDay');
  });

  describe('samples', () => {
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
  });

  it('settings are read once in an execution, from each store', () => {
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

// The stored key: kept when none is typed, and never sent anywhere else.
describe('the stored key', () => {
  it.each([
    'https://evil.example',
    'https://api.example.com.evil.example',
    'https://api.example.com:8443',
    'https://api.example.com/other',
  ])('never goes to %s without being typed again', (baseUrl) => {
    const userStore = memoryStore();
    const alice = spreadsheet().open(userStore);
    alice.save(draft());
    const before = recordOf(userStore);
    expect(alice.save(draft({ apiKey: '', baseUrl }))).toEqual({
      kind: 'bad-key',
      why: 'new-address',
    });
    expect(recordOf(userStore)).toBe(before);
  });

  it.each(['two words', 'smörgås', 'tab\there', 'line\nbreak'])('is never %j', (apiKey) => {
    const userStore = memoryStore();
    const saved = spreadsheet().open(userStore).save(draft({ apiKey }));
    expect(saved).toMatchObject({ kind: 'bad-key' });
    expect(userStore.changes()).toBe(0);
  });
});
