// One paste with address and key in it, as operators write them.
import { describe, expect, it } from '@jest/globals';
import { addressAndKey, limitIn } from '../../../../src/sidebar/page/connection/form';

const KEY = 'demo-key-0123456789';

describe('a pasted message', () => {
  it.each([
    [`https://api.example.com ${KEY}`, 'https://api.example.com'],
    [`https://api.example.com\n${KEY}\n`, 'https://api.example.com'],
    [`${KEY} at https://api.example.com/v1.`, 'https://api.example.com/v1'],
    [`Address: https://api.example.com/ Key: ${KEY}`, 'https://api.example.com/'],
    [`{"url":"https://api.example.com","key":"${KEY}"}`, 'https://api.example.com'],
    [`http://127.0.0.1:4174 "${KEY}"`, 'http://127.0.0.1:4174'],
    [`Account 0123456789: https://api.example.com ${KEY}`, 'https://api.example.com'],
    [
      `Base URL: https://api.example.com Key: ${KEY} Help: https://docs.example.com/start/authentication-2026`,
      'https://api.example.com',
    ],
    [`Use https://api.example.com/v1 with the key ${KEY}.`, 'https://api.example.com/v1'],
    [`Acme (https://api.example.com), your key (${KEY})`, 'https://api.example.com'],
    [`Your personal credentials: <https://api.example.com>, ${KEY}`, 'https://api.example.com'],
  ])('%j gives both', (text, baseUrl) => {
    expect(addressAndKey(text)).toEqual({ baseUrl, apiKey: KEY, limit: null });
  });

  it.each(['https://api.example.com', KEY, 'see https://api.example.com for everything else', ''])(
    '%j is pasted as it is',
    (text) => {
      expect(addressAndKey(text)).toBeNull();
    },
  );
});

describe('a limit in a pasted message', () => {
  it.each([
    ['Rate limit: 5 requests per second.', 5, 1],
    ['300/min', 300, 60],
    ['300 / minute', 300, 60],
    ['60 rpm', 60, 60],
    ['10 rps, shared', 10, 1],
    ['1 call every 2 seconds', 1, 2],
    ['up to 100 API calls per 15 minutes', 100, 900],
    ['1,200 calls an hour', 1_200, 3_600],
    ['10,000 a day and no more than 5 req/s', 5, 1],
    ['2 calls in 3 secs', 2, 3],
    ['300/min, but 4 per second', 4, 1],
  ])('%j is read', (text, calls, perSeconds) => {
    expect(limitIn(text)).toEqual({ calls, perSeconds });
    const whole = `https://api.example.com/v1 ${KEY} ${text}`;
    expect(addressAndKey(whole)?.limit).toEqual({ calls, perSeconds });
  });

  it.each([
    'no limit',
    'your key is valid for 30 days',
    '10,000 a day',
    '10,000 calls/day',
    'created at 12:30 in May',
    'version 2.5 per se',
    '0 calls a day',
    'call us 24/7',
  ])('%j names none', (text) => {
    expect(limitIn(text)).toBeNull();
  });
});
