// A service that echoes the key: in every form that text may have, no part of an answer keeps it.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { jsonWithoutKey, textWithoutKey } from '../../src/service/request';
import { readReply } from '../../src/service/response';

const KEY = 'demo-key-a/b+c=d&e<f>"g\'h';
const base64 = (text: string) => Buffer.from(text).toString('base64');

const FORMS: readonly (readonly [string, string])[] = [
  ['as it is', KEY],
  ['in capitals', KEY.toUpperCase()],
  ['as in an address', encodeURIComponent(KEY)],
  ['in base64', base64(KEY)],
  ['in base64 behind one character', base64(`:${KEY}`)],
  ['in base64 behind two', base64(`k:${KEY}`)],
  ['in base64 of a header', base64(`Authorization: Bearer ${KEY}`)],
  ['in base64 for addresses', Buffer.from(KEY).toString('base64url')],
];

describe('the key in an answer', () => {
  it.each(FORMS)('%s is hidden in text, in names and deep in JSON', (_form, written) => {
    const hidden = textWithoutKey(`sent ${written} twice: ${written}`, KEY);
    expect(hidden).toMatch(/^sent \S{0,40}…\S{0,4} twice: \S{0,40}…\S{0,4}$/);
    const core = written.slice(4, -4);
    const json = { [written]: 1, deep: [{ [`x${written}`]: [`y ${written}`] }] };
    expect(JSON.stringify(jsonWithoutKey(json, KEY))).not.toContain(core);
  });

  it('is hidden where it was escaped for JSON, and where it is a number', () => {
    const escaped = [...KEY].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
    const body = `{"profit": 1, "echo": "${escaped.join('')}"}`;
    const outcome = { kind: 'response', status: 200, headers: {}, body } as const;
    expect(readReply(outcome, KEY, 0)).toMatchObject({ json: { profit: 1, echo: '…' } });
    expect(jsonWithoutKey({ echo: 1234567890 }, '1234567890')).toEqual({ echo: null });
  });

  it('that is a common short word changes no answer, and is still hidden in excerpts', () => {
    expect(jsonWithoutKey({ profit: 'profit' }, 'profit')).toEqual({ profit: 'profit' });
    expect(textWithoutKey('key abc refused', 'abc')).toBe('key … refused');
    expect(textWithoutKey('no key', '')).toBe('no key');
  });
});

describe('an answer without the key', () => {
  it('stays as it is, whatever its fields are called', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (json) => {
        expect(jsonWithoutKey(json, KEY)).toEqual(json);
      }),
    );
    const names = JSON.parse('{"__proto__": 1, "constructor": {"prototype": 2}}');
    expect(JSON.stringify(jsonWithoutKey(names, KEY))).toBe(JSON.stringify(names));
  });

  it('ends where it is nested too deep to be one', () => {
    const depth = 100_000;
    const deep = JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
    expect(JSON.stringify(jsonWithoutKey(deep, KEY))).toBe(
      `${'['.repeat(32)}null${']'.repeat(32)}`,
    );
  });
});
