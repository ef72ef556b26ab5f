// One paste with address and key in it, as operators write them.
import { describe, expect, it } from '@jest/globals';
import {
  limitIn,
  readMessage,
  readPaste,
  tidyAddress,
  tidyKey,
} from '../../../../src/sidebar/page/connection/pasted';

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
    [
      `Welcome! Your key is ${KEY}.\nDocs: https://docs.example.com/start\nAPI address: https://api.example.com`,
      'https://api.example.com',
    ],
    [
      `Docs: https://docs.example.com/start, API: https://api.example.com, key: ${KEY}`,
      'https://api.example.com',
    ],
    [
      `API address\nhttps://api.example.com\nAPI docs\nhttps://docs.example.com\nAPI key\n${KEY}`,
      'https://api.example.com',
    ],
    [
      `Manage your API keys at https://app.example.com/keys. Base URL is https://api.example.com/v2 and the key is ${KEY}`,
      'https://api.example.com/v2',
    ],
    [
      `Read the API documentation at https://example.com/docs and send requests to https://api.example.com with ${KEY}`,
      'https://api.example.com',
    ],
    [
      `https://docs.example.com (documentation)\nhttps://api.example.com (API address)\n${KEY}`,
      'https://api.example.com',
    ],
    [`export API_BASE=https://api.example.com\nexport API_KEY=${KEY}`, 'https://api.example.com'],
    [`# .env\nAPI_BASE="https://api.example.com"\nAPI_KEY='${KEY}'`, 'https://api.example.com'],
    [
      `API_KEY=${KEY}\nDOCS_URL=https://docs.example.com\nBASE_URL=https://api.example.com/`,
      'https://api.example.com/',
    ],
    [
      `set SERVICE_URL=https://api.example.com\r\nset SERVICE_TOKEN=${KEY}\r\n`,
      'https://api.example.com',
    ],
    [
      `{"docs":"https://docs.example.com","baseUrl":"https://api.example.com","apiKey":"${KEY}"}`,
      'https://api.example.com',
    ],
    [
      `Docs: https://docs.example.com\n\ncurl -X POST \\\n  https://api.example.com/v1/analyze \\\n  -H "X-Api-Key: ${KEY}" -d "asin=B0XKT7M4QN"`,
      'https://api.example.com/v1/analyze',
    ],
    [
      `curl -H "Authorization: Bearer ${KEY}" https://api.example.com/v1/analyze\nHelp: https://help.example.com`,
      'https://api.example.com/v1/analyze',
    ],
    [
      `See https://example.com/docs, then call https://example.com/api. ${KEY}`,
      'https://example.com/api',
    ],
    [
      `\u2066API address:\u2069 https://api.example.com\u200b\nKey: \u2068${KEY}\u2069`,
      'https://api.example.com',
    ],
    [
      `Key ${KEY}, account acme-reseller-group-0001. API https://api.example.com`,
      'https://api.example.com',
    ],
  ])('%j gives both', (text, baseUrl) => {
    expect(readPaste(text)).toEqual({ baseUrl, choices: [], apiKey: KEY, limit: null });
  });

  it.each([
    [
      `https://example.com/welcome https://api.example.com ${KEY}`,
      ['https://example.com/welcome', 'https://api.example.com'],
    ],
    [
      `Sandbox API: https://sandbox.example.com\nLive API: https://api.example.com\nKey: ${KEY}`,
      ['https://sandbox.example.com', 'https://api.example.com'],
    ],
    [
      `Docs: https://docs.example.com\nHello https://one.example.com\n${KEY}`,
      ['https://docs.example.com', 'https://one.example.com'],
    ],
    [
      `https://api.example.com:8443/x ${KEY} https://api.example.com/x`,
      ['https://api.example.com:8443/x', 'https://api.example.com/x'],
    ],
    [
      `Our API. Read more: https://docs.example.com. Get started: https://app.example.com. ${KEY}`,
      ['https://docs.example.com', 'https://app.example.com'],
    ],
  ])('%j does not say which address is called', (text, choices) => {
    expect(readPaste(text)).toEqual({ baseUrl: '', choices, apiKey: KEY, limit: null });
  });

  it('with no other address than one to read gives the key alone', () => {
    const text = `Your key: ${KEY}\nDocs: https://docs.example.com/start`;
    expect(readPaste(text)).toEqual({ baseUrl: '', choices: [], apiKey: KEY, limit: null });
  });

  it('with two keys gives none of them', () => {
    const text = `API: https://api.example.com\nTest key: ${KEY}-test\nLive key: ${KEY}-live`;
    expect(readPaste(text)).toMatchObject({ baseUrl: 'https://api.example.com', apiKey: '' });
  });

  it.each([
    [`see https://api.example.com for everything else`, 'https://api.example.com'],
    ['API_BASE=https://api.example.com', 'https://api.example.com'],
  ])('%j gives the address alone', (text, baseUrl) => {
    expect(readPaste(text)).toEqual({ baseUrl, choices: [], apiKey: '', limit: null });
    expect(tidyAddress(text)).toBe(baseUrl);
  });

  it.each(['https://api.example.com', KEY, ''])('%j is pasted as it is', (text) => {
    expect(readPaste(text)).toBeNull();
  });

  it.each([
    ...[`API_KEY=${KEY}`, `export API_KEY="${KEY}"`, `x-api-key: ${KEY}`, `"apiKey": "${KEY}",`],
    ...[`Authorization: Bearer ${KEY}`, `-H "x-api-key: ${KEY}"`, `\u2066${KEY}\u2069\ufe0f`],
  ])('%j in the field of the key is the value alone', (text) => {
    expect(tidyKey(text)).toBe(KEY);
  });

  it.each(['mykey==', 'acct_1:secret-2', 'QUJDREVGRw==', 'sk-key-1234'])('%j is a key', (key) => {
    expect(tidyKey(key)).toBe(key);
  });
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
    expect(readPaste(whole)?.limit).toEqual({ calls, perSeconds });
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

describe('the box for a message', () => {
  it.each([
    ['https://api.example.com/v1?asin=1', 'https://api.example.com/v1', ''],
    [KEY, '', KEY],
    [`Your key is ${KEY}`, '', KEY],
    [`https://api.example.com ${KEY}`, 'https://api.example.com', KEY],
  ])('takes %j, also an address or a key alone', (text, baseUrl, apiKey) => {
    expect(readMessage(text)).toMatchObject({ baseUrl, apiKey });
  });

  it.each(['', '  ', 'thank you', 'Please find it attached'])('finds nothing in %j', (text) => {
    expect(readMessage(text)).toBeNull();
  });
});
