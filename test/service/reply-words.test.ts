// Whose matter a reply is, by its words, whatever its status: replies of frameworks, gateways and people.

import { describe, expect, it } from '@jest/globals';
import type { Standing } from '../../src/service/reply-meaning';
import { receive } from '../../src/service/response';
import { meansOf, readReply } from './reading';

const KEY = 'demo-key-12345678';
const NOW = 1_760_000_000_000;
const MINUTE = 60_000;

type Reply = readonly [status: number, body: unknown];

const outcomeOf = ([status, body]: Reply, headers = {}) =>
  ({
    kind: 'response',
    status,
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }) as const;

const meaningOf = (reply: Reply, standing: Standing = 'recent') =>
  meansOf(receive(outcomeOf(reply), KEY, {}), standing);

const follows = (reply: Reply, headers = {}) =>
  readReply(outcomeOf(reply, headers), KEY, { asin: 'B0XKT7M4QN', market: 'US' }, NOW);

const error = (words: string) => ({ error: words });
const graphql = (message: string, code: string) => ({
  data: null,
  errors: [{ message, extensions: { code } }],
});
const NOTE =
  'Thank you for using our service. The standard frequency is 5 calls per minute and 500 calls per day.';

describe('words of speed', () => {
  it.each<Reply>([
    [429, error('Max 5 requests per second on your plan')],
    [429, error('Your plan allows 60 requests per minute')],
    [429, error('You have exceeded the rate limit per second for your plan, BASIC')],
    [429, error('Quota exceeded: 10 req/s')],
    [403, error('Too many concurrent calls for this subscription')],
    [400, error('Rate limit exceeded')],
    [422, { message: 'You are sending requests too quickly' }],
    [200, { Note: NOTE }],
    [200, { information: 'Burst limit reached' }],
    [200, 'Slow down, please'],
    [503, error('Request rate per minute is too high')],
    [401, { fault: { faultstring: 'Spike arrest: too many requests' } }],
    [500, error('Rate limit exceeded')],
    [200, error('Limit reached')],
    [200, error('Maximum number of requests reached')],
    [403, error('Limit Exceeded')],
  ])('make everybody wait: %d %j', (...reply) => {
    expect(meaningOf(reply)).toBe('throttled');
    expect(meaningOf(reply, 'new')).toBe('throttled');
  });
});

describe('words of a used-up plan', () => {
  it.each<Reply>([
    [200, { Information: 'We have detected your limit of 25 requests per day. Please subscribe.' }],
    [429, error('Daily rate limit exceeded')],
    [429, error('You have exceeded the MONTHLY quota for Requests on your current plan, BASIC.')],
    [429, { message: 'Limit of 1000/day reached' }],
    [403, { code: 'QUOTA_EXCEEDED', message: 'Monthly allowance is used up' }],
    [401, error('Your trial has ended')],
    [400, error('Your balance is exhausted')],
    [200, { success: false, message: 'No more credits this month' }],
    [402, ''],
    [200, { message: 'Payment required' }],
    [503, error('Daily quota exceeded')],
    [429, error('Limit resets at midnight UTC')],
    [429, error('Maximum 100 requests per rolling 24 hours exceeded')],
    [429, error('1000 calls/24h reached')],
    [403, error('Free tier exhausted')],
    [403, error('This feature requires Pro plan')],
    [429, error('no requests remaining')],
  ])('stop the key: %d %j', (...reply) => {
    expect(meaningOf(reply)).toBe('out-of-plan');
  });

  it.each<[Reply, object, number]>([
    [
      [
        429,
        error(
          'Your request count (1007) is over the allowed limit of 1000 per day, please retry after 1343.2 minutes',
        ),
      ],
      {},
      1_343.2 * MINUTE,
    ],
    [[429, error('Too many requests, try again in 5 hours')], {}, 300 * MINUTE],
    [[429, error('Request was throttled. Expected available in 80000 seconds.')], {}, 8e7],
    [[429, ''], { 'retry-after': '7200' }, 120 * MINUTE],
    [[429, error('Daily limit reached')], { 'x-ratelimit-reset': '28800' }, 480 * MINUTE],
    [[403, error('Monthly quota exceeded')], { 'retry-after': '1814400' }, 21 * 24 * 60 * MINUTE],
  ])('hold until the time that is named: %j', (reply, headers, waitMs) => {
    expect(follows(reply, headers)).toMatchObject({
      failure: { kind: 'plan-used-up', waitMs },
      stop: { reason: 'plan-used-up', untilMs: NOW + waitMs },
    });
  });

  it.each<[Reply, object, number]>([
    [[429, error('Daily limit reached')], { 'retry-after': '30' }, 30_000],
    [[429, error('Too many requests. Please wait 90 seconds.')], {}, 90_000],
    [[429, error('Try again in 2500ms')], {}, 2_500],
    [[429, error('Not enough tokens, refill in 24000 ms')], {}, 24_000],
  ])('are no more than a pause where a short one is named: %j', (reply, headers, waitMs) => {
    expect(follows(reply, headers)).toMatchObject({ failure: { kind: 'waiting', waitMs } });
  });
});

describe('words about one product', () => {
  it.each<Reply>([
    [403, error('ASIN is restricted')],
    [410, 'Product no longer available'],
    [401, error('Not authorized for this ASIN')],
    [403, { message: 'This brand is gated' }],
    [403, { message: 'Hazmat item' }],
    [403, error('Restricted')],
    [200, error('Cannot plan shipment')],
    [422, { detail: 'B0XKT7M4QN cannot be analyzed' }],
    [451, error('Listing blocked for legal reasons')],
  ])('reject it and nothing else: %d %j', (...reply) => {
    expect(meaningOf(reply)).toBe('rejected');
    expect(meaningOf(reply, 'new')).toBe('rejected');
  });

  it.each<Reply>([
    [403, error('UK is not part of your plan')],
    [402, error('Upgrade to add the UK')],
    [400, error('Marketplace GB not supported')],
    [403, error('API key is not enabled for this region')],
    [200, { success: false, message: 'Only available for the US' }],
  ])('and market reject that market: %d %j', (...reply) => {
    expect(meaningOf(reply)).toBe('rejected');
  });

  it.each<Reply>([
    [404, error('No such listing')],
    [410, error('Product not found')],
    [200, error('No offers for this ASIN')],
    [400, error('Item does not exist')],
  ])('that nobody has say so: %d %j', (...reply) => {
    expect(meaningOf(reply)).toBe('not-found');
  });
});

describe('words of trouble', () => {
  it.each<Reply>([
    [401, error('Authentication service unavailable')],
    [401, error('Could not verify the token: connection refused')],
    [403, error('Unable to reach the licence server')],
    [200, graphql('Cannot return null for non-nullable field', 'INTERNAL_SERVER_ERROR')],
    [
      200,
      { errorType: 'Runtime.ExitError', errorMessage: 'Runtime exited with error: exit status 1' },
    ],
    [200, error('socket hang up')],
    [200, error('getaddrinfo EAI_AGAIN db.internal')],
    [200, error('read ECONNRESET')],
    [400, error('Connection to database lost')],
    [422, error('Deadlock found when trying to get lock')],
    [200, 'Something went wrong'],
    [200, error('An error occurred')],
    [424, ''],
    [500, error('Database connection limit reached')],
    [507, error('Disk quota exceeded')],
  ])('pass: %d %j', (...reply) => {
    expect(meaningOf(reply)).toBe('failing');
    expect(meaningOf(reply, 'new')).toBe('failing');
  });

  it.each<Reply>([
    [409, ''],
    [423, ''],
    [423, error('Resource locked')],
    [425, 'Too early'],
    [409, error('Analysis already in progress')],
    [200, error('Data not available yet')],
  ])('or of work that goes on are asked again: %d %j', (...reply) => {
    expect(meaningOf(reply)).toBe('not-ready');
  });
});

describe('words of the key', () => {
  it.each<Reply>([
    [401, ''],
    [401, error('Invalid API key')],
    [400, error('API key required')],
    [403, { code: 'TokenExpired' }],
    [404, error('API key not found')],
    [404, error('User not found')],
    [200, error('Invalid key')],
    [200, { success: false, message: 'Unknown access key' }],
    [401, error('This API key may not read the product endpoint')],
  ])('refuse it: %d %j', (...reply) => {
    expect(meaningOf(reply)).toBe('unauthorised');
  });
});

describe('a 404 that says nothing of the product', () => {
  it.each<Reply>([
    [404, ''],
    [404, { detail: 'Not Found' }],
    [404, '<html><h1>404 Not Found</h1></html>'],
  ])('counts for ten minutes: %d %j', (...reply) => {
    const read = readReply(
      outcomeOf(reply),
      KEY,
      { asin: 'B0XKT7M4QN', market: 'US' },
      NOW,
      {},
      'recent',
    );
    expect(read).toMatchObject({
      heldAfter: 3,
      answer: { ok: false, failure: { kind: 'not-found', isBare: true } },
    });
  });

  it.each<Reply>([
    [404, error('Cannot POST /v1/analyze')],
    [404, { message: 'no Route matched with those values' }],
    [404, { message: 'Endpoint not found' }],
  ])('but of a route is no word about a product: %d %j', (...reply) => {
    expect(meaningOf(reply)).toBe('obstacle');
    expect(meaningOf(reply, 'new')).toBe('elsewhere');
  });
});

describe('words that are no no', () => {
  it('are those of an answer that is cut off', () => {
    expect(meaningOf([200, '{"asin":"B0XKT7M4QN","profit":9.85,"ro'])).toBe('not-understood');
  });

  it.each<unknown>([
    { title: 'Throttle body gasket, 2 per second', profit: 3, roi: 0.2, fees: 4 },
    { note: 'Daily limit of sales reached', profit: 3, roi: 0.2, fees: 4 },
    { title: 'Invalid token keyring', profit: 3, roi: 1, fees: 4, eligible: true },
  ])('are a part of an answer: %j', (body) => {
    expect(meaningOf([200, body])).toBe('answer');
  });
});
