// Reading what is typed on the Settings page: forgiving about writing, strict about hosts.
import { describe, expect, it } from '@jest/globals';
import { CONNECTED } from '../../../../playground/sidebar-states/connection-replies';
import type { ConnectionStatus } from '../../../../src/sidebar/api/connection';
import {
  type ConnectionForm,
  draftOf,
  EMPTY_FORM,
  formOf,
  problemsOf,
} from '../../../../src/sidebar/page/connection/input';
import { tidyAddress, tidyKey } from '../../../../src/sidebar/page/connection/pasted';
import { type Connected, chipOf, limitText } from '../../../../src/sidebar/page/connection/status';

const NONE: ConnectionStatus = { connected: false, demo: false };
const SAVED: Connected = {
  ...CONNECTED,
  baseUrl: 'https://api.example.com/root',
  quota: { calls: 60, perSeconds: 60, burst: 5 },
  sharing: 'me',
};
const FORM: ConnectionForm = {
  ...EMPTY_FORM,
  baseUrl: 'https://api.example.com',
  findOut: false,
};

describe('a pasted key', () => {
  it.each([
    ['abc123', 'abc123'],
    ['  abc123\n', 'abc123'],
    ['Bearer abc123', 'abc123'],
    ['Authorization: Bearer abc123', 'abc123'],
    ['"abc123"', 'abc123'],
    ['abc\u200b123\ufeff', 'abc123'],
    ["it's", "it's"],
    ['bearer-abc', 'bearer-abc'],
  ])('%j is read as %j', (pasted, key) => {
    expect(tidyKey(pasted)).toBe(key);
  });
});

describe('an address', () => {
  it.each([
    ['api.example.com', 'https://api.example.com'],
    [' https://api.example.com ', 'https://api.example.com'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    [
      'https://api.example.com/v1/analyze?asin=B0XKT7M4QN#try',
      'https://api.example.com/v1/analyze',
    ],
    ['', ''],
  ])('%j becomes %j', (typed, address) => {
    expect(tidyAddress(typed)).toBe(address);
  });

  it.each([
    ['api.example.com', undefined],
    ['http://127.0.0.1:8080', undefined],
    ['', 'Enter the address of the service.'],
    ['http://api.example.com', 'The address must begin with https://.'],
    ['ftp://api.example.com', 'The address must begin with https://.'],
    ['two words', 'This is not a web address. It looks like https://api.example.com.'],
  ])('%j is refused with %j', (baseUrl, problem) => {
    expect(problemsOf({ ...FORM, baseUrl }, NONE, true).baseUrl).toBe(problem);
  });
});

describe('a key left empty', () => {
  it('is missing where none is stored', () => {
    expect(problemsOf(FORM, NONE, false).apiKey).toBe('Paste the key you were given.');
  });

  it('keeps the stored one while the host stays the same', () => {
    expect(problemsOf({ ...FORM, baseUrl: 'api.example.com/other' }, SAVED, false)).toEqual({});
  });

  it('is refused for another host', () => {
    const form = { ...FORM, baseUrl: 'https://evil.example.com' };
    expect(problemsOf(form, SAVED, false).apiKey).toMatch(
      /^For a new address, enter the key again/,
    );
  });

  it('is missing where the key in use is somebody else’s', () => {
    const form = { ...FORM, baseUrl: 'https://api.example.com/root' };
    const shared = { ...SAVED, isOthers: true } as const;
    expect(problemsOf(form, shared, false).apiKey).toBe('Paste the key you were given.');
  });
});

describe('a limit', () => {
  it.each(['', '0', '-1', '1.5', 'sixty', '1e3', '1000001'])('%j is no limit', (calls) => {
    expect(problemsOf({ ...FORM, calls }, NONE, true).quota).toBeDefined();
  });

  it('is not asked for when it is to be found out', () => {
    expect(problemsOf({ ...FORM, calls: '', findOut: true }, NONE, true)).toEqual({});
    expect(draftOf({ ...FORM, calls: '', findOut: true }, NONE, 'k').quota).toBeNull();
  });

  it('keeps a burst that the form does not show, unless the limit changes', () => {
    const form = formOf(SAVED);
    expect(draftOf(form, SAVED, '').quota).toEqual({ calls: 60, perSeconds: 60, burst: 5 });
    expect(draftOf({ ...form, calls: '61' }, SAVED, '').quota).toEqual({
      calls: 61,
      perSeconds: 60,
    });
  });

  it.each([
    [{ calls: 60, perSeconds: 60 }, '60 per minute'],
    [{ calls: 2, perSeconds: 1 }, '2 per second'],
    [{ calls: 5, perSeconds: 10 }, '5 per 10 seconds'],
  ])('%j is said as %j', (quota, text) => {
    expect(limitText({ ...SAVED, quota })).toBe(text);
    const apart = `${text}, one by one as the service asks`;
    expect(limitText({ ...SAVED, quota, isOneByOne: true })).toBe(apart);
  });

  it.each([
    [undefined, 'Detecting', 'detecting', 'caution'],
    [
      { calls: 4, perSeconds: 1, sure: false },
      'Detecting, so far 4 per second',
      'detecting',
      'caution',
    ],
    [
      { calls: 4.9, perSeconds: 1, sure: true },
      'Detected: about 4.9 per second',
      'about 4.9/s',
      'good',
    ],
    [
      { calls: 40, perSeconds: 60, sure: true },
      'Detected: about 40 per minute',
      'about 40/min',
      'good',
    ],
    [{ calls: 10, perSeconds: 2, sure: true }, 'Detected: about 5 per second', 'about 5/s', 'good'],
    [
      { calls: 5, perSeconds: 90, sure: true },
      'Detected: about 3.3 per minute',
      'about 3.3/min',
      'good',
    ],
  ])('found out as %j, it is said as %j, and in the chip as %j', (learned, text, short, tone) => {
    const status: Connected = { ...SAVED, quota: null, ...(learned && { learned }) };
    expect(limitText(status)).toBe(text);
    expect(chipOf(status, { stop: null, hasCheckFailed: false })).toEqual({
      tone,
      parts: ['api.example.com', '…4f2a', short],
    });
  });
});
