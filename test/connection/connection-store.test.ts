// Who keeps which connection, who pays with it, and what nobody can take from another.

import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { ConnectionDraft } from '../../src/connection/connection';
import { type ConnectionStore, connectionStore } from '../../src/connection/connection-store';
import { type MemoryStore, memoryStore } from '../memory-store';

const digest = {
  sha256Hex: (text: string) => createHash('sha256').update(text).digest('hex'),
};
/** Marks of owners: a new one for everybody. */
let marks = 0;
const random = {
  next: () => {
    marks += 1;
    return marks / 1_000;
  },
};
const ALICES = 'sk-live-alice-0001';
const BOBS = 'sk-live-bob-000002';

const draft = (more: Partial<ConnectionDraft> = {}): ConnectionDraft => ({
  baseUrl: 'https://api.example.com',
  apiKey: ALICES,
  quota: { calls: 5, perSeconds: 1, burst: 10 },
  sharing: 'me',
  ...more,
});

interface Spreadsheet {
  readonly documentStore: MemoryStore;
  /** The connections as a person sees them who opens this spreadsheet. */
  open(userStore: MemoryStore): ConnectionStore;
}

function spreadsheet(): Spreadsheet {
  const documentStore = memoryStore();
  return {
    documentStore,
    open: (userStore) =>
      connectionStore({ userStore, documentStore, digest, random, loopbackAllowed: false }),
  };
}

function keyOf(stored: ReturnType<ConnectionStore['forCells']>): string {
  return stored.kind === 'connection' ? stored.connection.apiKey : stored.kind;
}

const recordOf = (store: MemoryStore) => store.values.get('connection');

describe('a connection for oneself', () => {
  it('is kept with the person, and nothing in the spreadsheet', () => {
    const sheet = spreadsheet();
    const alice = memoryStore();
    expect(sheet.open(alice).save(draft())).toMatchObject({
      kind: 'saved',
      connection: { version: 1, baseUrl: 'https://api.example.com', apiKey: ALICES, settings: {} },
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

describe('the stored key', () => {
  it('is kept when none is typed, and only at the same address', () => {
    const alice = spreadsheet().open(memoryStore());
    alice.save(draft());
    expect(alice.save(draft({ apiKey: '', quota: null }))).toMatchObject({
      kind: 'saved',
      connection: { apiKey: ALICES, quota: null },
    });
    expect(alice.save(draft({ apiKey: '', baseUrl: 'https://API.example.com/v1/' }))).toMatchObject(
      { kind: 'saved', connection: { apiKey: ALICES } },
    );
  });

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
      what: 'type the key again, because the address is a new one',
    });
    expect(recordOf(userStore)).toBe(before);
  });

  it("of somebody else cannot be made one's own without typing it", () => {
    const sheet = spreadsheet();
    sheet.open(memoryStore()).save(draft({ sharing: 'spreadsheet' }));
    const bob = memoryStore();
    expect(sheet.open(bob).save(draft({ apiKey: '' }))).toEqual({
      kind: 'bad-key',
      what: 'the key is missing',
    });
    expect(bob.values.size).toBe(0);
  });

  it.each(['two words', 'smörgås', 'tab\there', 'line\nbreak'])('is never %j', (apiKey) => {
    const userStore = memoryStore();
    const saved = spreadsheet().open(userStore).save(draft({ apiKey }));
    expect(saved.kind).toBe('bad-key');
    expect(userStore.changes()).toBe(0);
  });

  it('loses the blanks around it', () => {
    const alice = spreadsheet().open(memoryStore());
    expect(alice.save(draft({ apiKey: `  ${ALICES}\n` }))).toMatchObject({
      connection: { apiKey: ALICES },
    });
  });
});

describe('settings', () => {
  it('stay when the form does not show them', () => {
    const alice = spreadsheet().open(memoryStore());
    alice.save(draft({ settings: { ukMarket: 'GB' } }));
    expect(alice.save(draft())).toMatchObject({ connection: { settings: { ukMarket: 'GB' } } });
    expect(alice.save(draft({ settings: {} }))).toMatchObject({ connection: { settings: {} } });
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
  const newer = '{"version":2,"vault":"…"}';

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
