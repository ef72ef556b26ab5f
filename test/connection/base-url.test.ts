// Base URLs: one written form for each, and none to which a key must not go.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { readBaseUrl } from '../../src/connection/connection-store';

const LOOPBACK = 'this address is on your own computer';
const NOT_AN_ADDRESS = 'this is not a web address. It begins with https://';

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
    expect(readBaseUrl(input, false)).toEqual({ ok: true, baseUrl });
  });

  it('in its written form stays as it is, or a stored key would count as one for another', () => {
    const path = fc.array(fc.constantFrom('v1', 'analyze', 'tools', ''), { maxLength: 5 });
    fc.assert(
      fc.property(path, (parts) => {
        const once = readBaseUrl(`https://api.example.com/${parts.join('/')}`, false);
        if (!once.ok) return;
        expect(readBaseUrl(once.baseUrl, false)).toEqual(once);
        expect(once.baseUrl).not.toMatch(/\/$/);
      }),
    );
  });
});

describe('an address to which no key goes', () => {
  it.each([
    ['', 'the address is missing. It begins with https://'],
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
    ['https://intranet', 'this is not a full web address'],
    ['https://127.0.0.1:8080', LOOPBACK],
    ['http://localhost:8080', LOOPBACK],
    ['http://LOCALHOST', LOOPBACK],
  ])('%j', (input, what) => {
    expect(readBaseUrl(input, false)).toEqual({ ok: false, what });
  });

  it('is every one without encryption', () => {
    const what =
      'the address must begin with https://, so that nobody can read your key on the way';
    expect(readBaseUrl('http://api.example.com', false)).toEqual({ ok: false, what });
    expect(readBaseUrl('http://api.example.com', true)).toEqual({ ok: false, what });
    expect(readBaseUrl('http://127.0.0.1.example.com', true)).toEqual({ ok: false, what });
    expect(readBaseUrl('http://localhost.example.com', true)).toEqual({ ok: false, what });
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
        if (read.ok)
          expect(read.baseUrl).toMatch(/^https:\/\/[a-z0-9.-]+\.[a-z0-9.-]+(:\d+)?(\/[^?#@\s]*)?$/);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the playground', () => {
  it.each(['http://127.0.0.1:8080', 'http://localhost:3000'])('may use %s', (input) => {
    expect(readBaseUrl(input, true)).toEqual({ ok: true, baseUrl: input });
  });
});
