// The connection record: what may be in one, how it is read, named and masked, and which addresses get no key.

import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  answersScope,
  type Connection,
  fingerprintOf,
  maskOf,
  parseConnection,
} from '../../src/connection/connection';
import { readBaseUrl } from '../../src/connection/connection-store';

describe('a record', () => {
  const digest = {
    sha256Hex: (text: string) => createHash('sha256').update(text).digest('hex'),
  };

  const CONNECTION: Connection = {
    baseUrl: 'https://api.example.com',
    apiKey: 'demo-key-12345678',
    quota: { calls: 5, perSeconds: 1, burst: 10 },
    settings: {},
    fingerprint: '0123456789abcdef',
  };
  const withSettings = (settings: Connection['settings']) => ({ ...CONNECTION, settings });

  describe('a stored record', () => {
    it('reads as it was written', () => {
      const full = withSettings({
        ukMarket: 'GB',
        buyPriceName: 'landed_cost',
        sellPriceName: 'price',
        roiUnit: 'percent',
        moneyUnit: 'hundredths',
        defaultMarket: 'UK',
      });
      const rare = { ...CONNECTION, quota: null, owner: 'a1', cellsPerDay: 500 };
      for (const connection of [CONNECTION, full, rare])
        expect(parseConnection(JSON.stringify(connection))).toEqual({
          kind: 'connection',
          connection,
        });
    });

    it('that is not there is none', () => {
      expect(parseConnection(null)).toEqual({ kind: 'none' });
    });

    it.each<[string, string]>([
      ['a member out of bounds', JSON.stringify({ ...CONNECTION, cellsPerDay: -1 })],
      ['another member', JSON.stringify({ ...CONNECTION, extra: 1 })],
      ['no key', JSON.stringify({ ...CONNECTION, apiKey: undefined })],
      ['a quota of nothing', JSON.stringify({ ...CONNECTION, quota: { calls: 0, perSeconds: 1 } })],
      [
        'a quota with more to it',
        JSON.stringify({ ...CONNECTION, quota: { ...CONNECTION.quota, a: 1 } }),
      ],
      ['a quota left out', JSON.stringify({ ...CONNECTION, quota: undefined })],
      ['settings that are a list', JSON.stringify({ ...CONNECTION, settings: [] })],
      ['an unknown unit', JSON.stringify({ ...CONNECTION, settings: { roiUnit: 'ratio' } })],
      ['an answer that never came', JSON.stringify({ ...CONNECTION, answered: false })],
      ['a member that every object has', JSON.stringify({ ...CONNECTION, constructor: 1 })],
      ['a prototype', JSON.stringify(CONNECTION).replace('{', '{"__proto__":{},')],
      ['half a text', '{"baseUrl":"'],
      ['no text', ''],
      ['null', 'null'],
    ])('of %s is left alone', (_, text) => {
      expect(parseConnection(text)).toEqual({ kind: 'unreadable' });
    });
  });

  describe('a fingerprint', () => {
    it('is short, the same for the same, and tells neither key nor address', () => {
      const print = fingerprintOf(digest, CONNECTION.baseUrl, CONNECTION.apiKey);
      expect(print).toMatch(/^[0-9a-f]{16}$/);
      expect(fingerprintOf(digest, CONNECTION.baseUrl, CONNECTION.apiKey)).toBe(print);
    });

    it('differs by key and by address', () => {
      const print = fingerprintOf(digest, 'https://a.example', 'one');
      expect(fingerprintOf(digest, 'https://a.example', 'two')).not.toBe(print);
      expect(fingerprintOf(digest, 'https://b.example', 'one')).not.toBe(print);
    });
  });

  describe('a mask', () => {
    it.each([
      ['sk-live-12344f2a', '…4f2a'],
      ['elevenchars', '…'],
      ['twelve-chars', '…hars'],
      ['', '…'],
    ])('of %s is %s', (key, mask) => {
      expect(maskOf(key)).toBe(mask);
    });
  });

  describe('the scope of answers', () => {
    it('is the connection alone while nothing is set', () => {
      expect(answersScope(CONNECTION)).toBe(CONNECTION.fingerprint);
      expect(answersScope(withSettings({ defaultMarket: 'UK' }))).toBe(CONNECTION.fingerprint);
    });

    it.each<Connection['settings']>([
      { roiUnit: 'fraction' },
      { roiUnit: 'percent' },
      { moneyUnit: 'units' },
      { moneyUnit: 'hundredths' },
      { ukMarket: 'GB' },
    ])('is another one under %j', (settings) => {
      const scope = answersScope(withSettings(settings));
      expect(scope).toMatch(new RegExp(`^${CONNECTION.fingerprint}:\\w+$`));
    });

    it('differs wherever answers are read differently', () => {
      const name = fc.option(fc.stringMatching(/^[a/ ]{1,3}$/), { nil: undefined });
      const settings = fc.record({ buyPriceName: name, sellPriceName: name });
      fc.assert(
        fc.property(settings, settings, (one, other) => {
          const scopes = [one, other].map((each) => {
            const set = Object.entries(each).filter(([, value]) => value !== undefined);
            return answersScope(withSettings(Object.fromEntries(set)));
          });
          const same = JSON.stringify(one) === JSON.stringify(other);
          expect(scopes[0] === scopes[1]).toBe(same);
        }),
        { numRuns: 2_000 },
      );
    });
  });

  it('the longest scope of answers leaves room for the rest of a name in the cache', () => {
    const longest = withSettings({
      buyPriceName: 'b'.repeat(60),
      sellPriceName: 's'.repeat(60),
      roiUnit: 'fraction',
      moneyUnit: 'hundredths',
      ukMarket: 'u'.repeat(20),
    });
    expect(answersScope(longest).length).toBeLessThanOrEqual(40);
  });
});

// Base URLs: one written form for each, and none to which a key must not go.
describe('a base URL', () => {
  const LOOPBACK = 'own-computer';
  const NOT_AN_ADDRESS = 'no-address';

  describe('an address', () => {
    it.each([
      ['https://api.example.com', 'https://api.example.com'],
      ['  https://api.example.com/ ', 'https://api.example.com'],
      ['HTTPS://API.Example.COM', 'https://api.example.com'],
      ['https://api.example.com:8443', 'https://api.example.com:8443'],
      ['https://api.example.com/Tools/', 'https://api.example.com/Tools'],
      ['https://api.example.com/v1', 'https://api.example.com'],
      ['https://api.example.com/v1/', 'https://api.example.com'],
      ['https://api.example.com/v1/analyze', 'https://api.example.com'],
      ['https://api.example.com/tools/v1/analyze/', 'https://api.example.com/tools'],
      ['https://api.example.com///', 'https://api.example.com'],
      ['https://api.example.com/v1//v1/analyze', 'https://api.example.com'],
      ['https://api.example.com/v1/tools', 'https://api.example.com/v1/tools'],
      ['https://api.example.com/apiv1', 'https://api.example.com/apiv1'],
      ['https://10.0.0.7', 'https://10.0.0.7'],
    ])('%s is written %s', (input, baseUrl) => {
      expect(readBaseUrl(input, false)).toBe(baseUrl);
    });

    it('in its written form stays as it is, or a stored key would count as one for another', () => {
      const path = fc.array(fc.constantFrom('v1', 'analyze', 'tools', ''), { maxLength: 5 });
      fc.assert(
        fc.property(path, (parts) => {
          const once = readBaseUrl(`https://api.example.com/${parts.join('/')}`, false);
          if (typeof once !== 'string') return;
          expect(readBaseUrl(once, false)).toBe(once);
          expect(once).not.toMatch(/\/$/);
        }),
      );
    });
  });

  describe('an address to which no key goes', () => {
    it.each([
      ['', 'missing'],
      ['api.example.com', NOT_AN_ADDRESS],
      ['https://', NOT_AN_ADDRESS],
      ['https://me:secret@api.example.com', NOT_AN_ADDRESS],
      ['https://api.example.com@evil.example', NOT_AN_ADDRESS],
      ['https://api.example.com?x=1', NOT_AN_ADDRESS],
      ['https://api.example.com/#here', NOT_AN_ADDRESS],
      ['https://api example.com', NOT_AN_ADDRESS],
      ['https://api.example.com\\@evil.example', NOT_AN_ADDRESS],
      ['https://[::1]', NOT_AN_ADDRESS],
      ['ftp://api.example.com', NOT_AN_ADDRESS],
      ['javascript:alert(1)', NOT_AN_ADDRESS],
      ['https:/api.example.com', NOT_AN_ADDRESS],
      ['//api.example.com', NOT_AN_ADDRESS],
      ['https://intranet', 'not-full'],
      ['HTTP://api.example.com', 'not-https'],
      ['https://127.0.0.1:8080', LOOPBACK],
      ['http://localhost:8080', LOOPBACK],
      ['http://LOCALHOST', LOOPBACK],
    ])('%j', (input, why) => {
      expect(readBaseUrl(input, false)).toEqual({ kind: 'bad-address', why });
    });

    it('is every one without encryption', () => {
      const why = 'not-https';
      expect(readBaseUrl('http://api.example.com', false)).toEqual({ kind: 'bad-address', why });
      expect(readBaseUrl('http://api.example.com', true)).toEqual({ kind: 'bad-address', why });
      expect(readBaseUrl('http://127.0.0.1.example.com', true)).toEqual({
        kind: 'bad-address',
        why,
      });
      expect(readBaseUrl('http://localhost.example.com', true)).toEqual({
        kind: 'bad-address',
        why,
      });
    });

    it('of whatever shape is never accepted without https and a host', () => {
      const text = fc.oneof(
        fc.string(),
        fc.webUrl(),
        fc.string().map((s) => `https://${s}`),
      );
      fc.assert(
        fc.property(text, (input) => {
          const read = readBaseUrl(input, false);
          if (typeof read === 'string')
            expect(read).toMatch(/^https:\/\/[a-z0-9.-]+\.[a-z0-9.-]+(:\d+)?(\/[^?#@\s]*)?$/);
        }),
        { numRuns: 1_000 },
      );
    });
  });

  describe('the playground', () => {
    it.each(['http://127.0.0.1:8080', 'http://localhost:3000'])('may use %s', (input) => {
      expect(readBaseUrl(input, true)).toBe(input);
    });
  });
});
