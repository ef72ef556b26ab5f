// Who keeps which connection, who pays with it, and what nobody can take from another.

import { describe, expect, it } from '@jest/globals';
import { memoryStore } from '../memory-store';
import { ALICES, BOBS, draft, keyOf, recordOf, SAVED, spreadsheet } from './open-spreadsheet';

describe('a connection for oneself', () => {
  it('is kept with the person, and nothing in the spreadsheet', () => {
    const sheet = spreadsheet();
    const alice = memoryStore();
    expect(sheet.open(alice).save(draft())).toMatchObject({
      kind: 'saved',
      connection: { version: 2, baseUrl: 'https://api.example.com', apiKey: ALICES, settings: {} },
    });
    expect(sheet.documentStore.values.size).toBe(0);
    expect(sheet.open(alice).forPerson()).toMatchObject({ sharing: 'me', own: true });
  });

  it("pays for the owner's cells, wherever they stand", () => {
    const alice = memoryStore();
    spreadsheet().open(alice).save(draft());
    expect(keyOf(spreadsheet().open(alice).forCells())).toBe(ALICES);
    expect(keyOf(spreadsheet().open(memoryStore()).forCells())).toBe('none');
  });
});

describe('a connection for the spreadsheet', () => {
  it('pays for all its cells, before any of their own', () => {
    const sheet = spreadsheet();
    const bob = memoryStore();
    sheet.open(memoryStore()).save(draft({ sharing: 'spreadsheet' }));
    sheet.open(bob).save(draft({ apiKey: BOBS }));
    expect(keyOf(sheet.open(bob).forCells())).toBe(ALICES);
    expect(keyOf(sheet.open(bob).forPerson())).toBe(BOBS);
  });

  it('is what people without one of their own see, as not their own', () => {
    const sheet = spreadsheet();
    sheet.open(memoryStore()).save(draft({ sharing: 'spreadsheet' }));
    const seen = sheet.open(memoryStore()).forPerson();
    expect(seen).toMatchObject({ kind: 'connection', sharing: 'spreadsheet', own: false });
  });

  it('is no longer one when its owner keeps it for themselves', () => {
    const sheet = spreadsheet();
    const alice = sheet.open(memoryStore());
    alice.save(draft({ sharing: 'spreadsheet' }));
    expect(alice.forPerson()).toMatchObject({ sharing: 'spreadsheet', own: true });
    alice.save(draft({ sharing: 'me' }));
    expect(sheet.documentStore.values.size).toBe(0);
    expect(alice.forPerson()).toMatchObject({ sharing: 'me', own: true });
  });

  it('stays when somebody else saves one for themselves', () => {
    const sheet = spreadsheet();
    sheet.open(memoryStore()).save(draft({ sharing: 'spreadsheet' }));
    sheet.open(memoryStore()).save(draft({ apiKey: BOBS }));
    expect(keyOf(sheet.open(memoryStore()).forCells())).toBe(ALICES);
  });

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

describe('settings', () => {
  it('stay when the form does not show them', () => {
    const alice = spreadsheet().open(memoryStore());
    alice.save(draft({ settings: { ukMarket: 'GB' } }));
    expect(alice.save(draft())).toMatchObject({ connection: { settings: { ukMarket: 'GB' } } });
    expect(alice.save(draft({ settings: {} }))).toHaveProperty('connection.settings', {});
  });
});

describe('a bad address', () => {
  it('saves nothing', () => {
    const userStore = memoryStore();
    const saved = spreadsheet()
      .open(userStore)
      .save(draft({ baseUrl: 'http://api.example.com' }));
    expect(saved.kind).toBe('bad-address');
    expect(userStore.changes()).toBe(0);
  });
});

describe('clearing', () => {
  it("removes the person's record and the one they shared", () => {
    const sheet = spreadsheet();
    const alice = memoryStore();
    sheet.open(alice).save(draft({ sharing: 'spreadsheet' }));
    sheet.open(alice).clear();
    expect(alice.values.size + sheet.documentStore.values.size).toBe(0);
  });

  it("leaves what somebody else shared, and somebody else's own", () => {
    const sheet = spreadsheet();
    const [alice, bob] = [memoryStore(), memoryStore()];
    sheet.open(alice).save(draft({ sharing: 'spreadsheet' }));
    sheet.open(bob).save(draft({ apiKey: BOBS }));
    sheet.open(bob).clear();
    expect(keyOf(sheet.open(bob).forCells())).toBe(ALICES);
    expect(keyOf(sheet.open(alice).forPerson())).toBe(ALICES);
  });
});

describe('a record of a newer version', () => {
  const newer = '{"version":3,"vault":"…"}';

  it('is said to be unreadable, to cells and to people', () => {
    const sheet = spreadsheet();
    const alice = memoryStore();
    alice.write('connection', newer);
    expect(sheet.open(alice).forCells().kind).toBe('unreadable');
    expect(sheet.open(alice).forPerson()).toMatchObject({ kind: 'unreadable', own: true });
  });

  it('is never overwritten', () => {
    const sheet = spreadsheet();
    const alice = memoryStore();
    alice.write('connection', newer);
    sheet.documentStore.write('connection', newer);
    const saved = sheet.open(alice).save(draft({ sharing: 'spreadsheet' }));
    expect(saved).toEqual({ kind: 'unreadable' });
    expect([recordOf(alice), recordOf(sheet.documentStore)]).toEqual([newer, newer]);
  });

  it.each(['me', 'spreadsheet'] as const)(
    'is not overwritten either where it is the own one alone (%s)',
    (sharing) => {
      const sheet = spreadsheet();
      const alice = memoryStore();
      alice.write('connection', newer);
      expect(sheet.open(alice).save(draft({ sharing }))).toEqual({ kind: 'unreadable' });
      expect(recordOf(alice)).toBe(newer);
    },
  );

  it('is not removed either, and no samples take its place', () => {
    const sheet = spreadsheet();
    const alice = memoryStore();
    alice.write('connection', newer);
    sheet.documentStore.write('connection', newer);
    expect(sheet.open(alice).clear()).toBe(false);
    sheet.open(alice).setDemo(true);
    expect([recordOf(alice), recordOf(sheet.documentStore)]).toEqual([newer, newer]);
  });

  it("of somebody else's does not stop a person from saving for themselves", () => {
    const sheet = spreadsheet();
    const alice = memoryStore();
    sheet.documentStore.write('connection', newer);
    expect(sheet.open(alice).save(draft({ sharing: 'spreadsheet' })).kind).toBe('unreadable');
    expect(alice.changes()).toBe(0);
    expect(sheet.open(alice).save(draft()).kind).toBe('saved');
    expect(recordOf(sheet.documentStore)).toBe(newer);
  });
});

describe('a record of the first version', () => {
  const { found: _found, reasons: _reasons, ...record } = SAVED;
  const first = { ...record, version: 1, settings: { ukMarket: 'GB' } };

  it('is read as before, and written anew when it is saved', () => {
    const sheet = spreadsheet();
    const alice = memoryStore();
    for (const store of [alice, sheet.documentStore])
      store.write('connection', JSON.stringify(first));
    expect(keyOf(sheet.open(alice).forCells())).toBe(ALICES);
    expect(sheet.open(alice).forPerson()).toMatchObject({ sharing: 'spreadsheet', own: true });
    const saved = sheet.open(alice).save(draft({ apiKey: '', sharing: 'spreadsheet' }));
    expect(saved).toMatchObject({ kind: 'saved', connection: { version: 2, apiKey: ALICES } });
    expect(recordOf(sheet.documentStore)).toContain('"settings":{"ukMarket":"GB"}');
  });
});

describe('a damaged record', () => {
  it('is mended by saving', () => {
    const sheet = spreadsheet();
    const alice = memoryStore();
    alice.write('connection', '{"version":1,');
    sheet.documentStore.write('connection', 'null');
    expect(sheet.open(alice).save(draft({ sharing: 'spreadsheet' })).kind).toBe('saved');
    expect(keyOf(sheet.open(alice).forCells())).toBe(ALICES);
  });
});
