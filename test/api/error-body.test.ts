// Words out of error bodies of every shape, and never the key.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { errorWords, excerptOf, isHtml } from '../../src/service/response';

const words = (json: unknown) => errorWords(json, JSON.stringify(json));

describe('the words of an error body', () => {
  it.each<[string, unknown, string]>([
    [
      'problem details',
      { type: 'about:blank', title: 'Bad', status: 400, detail: 'D' },
      'D Bad about:blank',
    ],
    ['details by Oracle', { title: 'Bad', details: 'D' }, 'D Bad'],
    ['an error object', { error: { code: 'c', message: 'M', details: 'D' } }, 'M D c'],
    ['an error text', { error: 'E', message: 'M' }, 'M E'],
    ['a message', { status: 400, message: 'M' }, 'M'],
    ['errors with codes', { errors: [{ code: 'c', message: 'M', details: '' }] }, 'M c'],
    ['JSON:API', { errors: [{ status: '400', title: 'T', detail: 'D' }] }, 'D T'],
    ['error texts', { errors: ['one', 'two'] }, 'one two'],
    ['errors by field', { message: 'M', errors: { asin: ['bad', 'worse'] } }, 'M bad worse'],
    ['a detail', { detail: 'D' }, 'D'],
    ['details in a list', { detail: [{ loc: ['body', 'asin'], msg: 'M', type: 't' }] }, 'M t'],
    ['no success', { success: false, code: 'c', message: 'M' }, 'M c'],
    [
      'an error with tokens',
      { error: { type: 't', message: 'M', details: '' }, tokensLeft: 0 },
      'M t',
    ],
    ['an error message', { errorMsg: 'M' }, 'M'],
    ['a text in JSON', 'text', 'text'],
    ['nothing of the kind', { a: 'b' }, ''],
    ['nothing', {}, ''],
    ['null', null, ''],
  ])('%s', (_, json, expected) => {
    expect(words(json)).toBe(expected);
  });

  it('are the text itself where it is not JSON, and none in HTML', () => {
    expect(errorWords(undefined, ' Too many \n requests ')).toBe('Too many requests');
    expect(errorWords(undefined, '')).toBe('');
    expect(errorWords(undefined, '<!DOCTYPE html><p>Bad gateway</p>')).toBe('');
  });

  it('are never longer than 2,000 characters, however deep and wide the body', () => {
    expect(
      words({ errors: Array.from({ length: 1e4 }, () => ({ message: 'x'.repeat(1e3) })) }).length,
    ).toBeLessThanOrEqual(2_000);
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        expect(words(json).length).toBeLessThanOrEqual(2_000);
      }),
    );
  });
});

describe('an excerpt', () => {
  it.each([
    ['the key', 'The key demo-key-12345678 is bad', 'The key … is bad'],
    ['the key twice', 'demo-key-12345678/demo-key-12345678', '…/…'],
    ['a header', 'got "Bearer abcdef"', 'got "Bearer …'],
    ['markup', 'a <b>bad</b> key', 'a bad key'],
    ['control characters', 'a\u0000b\u202Ec', 'a b c'],
  ])('has no %s in it', (_, text, expected) => {
    expect(excerptOf(text, 'demo-key-12345678')).toBe(expected);
  });

  it('is 120 characters at most', () => {
    expect(excerptOf('x'.repeat(120), 'k')).toBe('x'.repeat(120));
    expect(excerptOf('x'.repeat(121), 'k')).toBe(`${'x'.repeat(119)}…`);
  });

  it('never shows the key, wherever the service puts it', () => {
    const key = fc.stringMatching(/^[!-~]{12,60}$/);
    fc.assert(
      fc.property(key, fc.string(), fc.string(), fc.boolean(), (apiKey, before, after, asJson) => {
        const text = `${before}${apiKey}${after}`;
        const body = asJson ? { error: { message: text }, code: apiKey } : undefined;
        const shown = excerptOf(errorWords(body, text), apiKey);
        expect(shown).not.toContain(apiKey);
      }),
      { numRuns: 1_000 },
    );
  });

  it('shows no beginning of a key that long words cut off', () => {
    const apiKey = 'sk-live-abcdefghijklmnop';
    const text = `<${'x'.repeat(1_980)}>${apiKey}`;
    const shown = excerptOf(errorWords({ message: text }, ''), apiKey);
    expect(shown).not.toContain('sk-live-abc');
  });
});

describe('HTML', () => {
  it.each([
    '<!doctype html>',
    '  <HTML lang="en">',
    '<?xml version="1.0"?>',
    '\uFEFF<html>',
    '<body>',
  ])('is known by %j', (text) => {
    expect(isHtml(text)).toBe(true);
  });

  it.each(['{"a":1}', 'a < b', '', '"<html>"'])('is not %j', (text) => {
    expect(isHtml(text)).toBe(false);
  });
});
