// A no that comes with status 200: known by its members and its words, and an answer never taken for one.

import { describe, expect, it } from '@jest/globals';
import { readReply } from '../../src/service/response';

function kindOf(json: unknown): string {
  const body = JSON.stringify(json);
  const outcome = { kind: 'response', status: 200, headers: {}, body } as const;
  return readReply(outcome, 'demo-key-12345678', 0).kind;
}

describe('a no with status 200', () => {
  it('is none where figures come with a message', () => {
    expect(kindOf({ status: 'success', message: 'OK', data: { profit: 1 } })).toBe('answer');
    expect(kindOf({ success: { toString: 1, valueOf: 1 }, profit: 1 })).toBe('answer');
    expect(kindOf({ success: 'true', message: 'Your plan: pro', profit: 1 })).toBe('answer');
  });

  it.each<[string, unknown, string]>([
    ['no success', { success: false, code: 'x', message: 'Bad input' }, 'rejected'],
    ['an error', { error: 'Bad input' }, 'rejected'],
    ['not ok', { ok: false }, 'rejected'],
    ['speed', { success: false, message: 'Rate limit exceeded' }, 'throttled'],
    ['the plan', { success: false, message: 'No credits left' }, 'out-of-plan'],
    ['the key', { success: false, message: 'Invalid API key' }, 'unauthorised'],
    ['the product', { success: false, message: 'Product not found' }, 'not-found'],
    ['the product by its code', { success: false, code: 'product_not_found' }, 'not-found'],
    ['the key by its code', { error: { code: 'invalid_api_key' } }, 'unauthorised'],
    ['the plan by its code', { error: { code: 'insufficient_credits' } }, 'out-of-plan'],
    ['speed by its code', { error: { code: 'rate_limited' } }, 'throttled'],
    ['speed by a code in one word', { error: { code: 'RateLimitExceeded' } }, 'throttled'],
    ['words alone', { status: 'error', message: 'No credits left.', data: null }, 'out-of-plan'],
    ['words and a status', { status: 402, message: 'Payment required' }, 'out-of-plan'],
    ['false as text', { success: 'false', message: 'Too many requests' }, 'throttled'],
    ['one of several errors', { error: null, errors: ['Unknown product'] }, 'not-found'],
  ])('is known by its words: %s', (_, body, kind) => {
    expect(kindOf(body)).toBe(kind);
  });
});
