// The stored key: kept when none is typed, and never sent anywhere else.

import { describe, expect, it } from '@jest/globals';
import { memoryStore } from '../memory-store';
import { ALICES, draft, recordOf, spreadsheet } from './open-spreadsheet';

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
