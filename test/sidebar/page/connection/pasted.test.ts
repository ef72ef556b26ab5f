// One paste with address and key in it, as operators write them.
import { describe, expect, it } from '@jest/globals';
import { addressAndKey } from '../../../../src/sidebar/page/connection/form';

const KEY = 'demo-key-0123456789';

describe('a pasted message', () => {
  it.each([
    [`https://api.example.com ${KEY}`, 'https://api.example.com'],
    [`https://api.example.com\n${KEY}\n`, 'https://api.example.com'],
    [`${KEY} at https://api.example.com/v1.`, 'https://api.example.com/v1'],
    [`Address: https://api.example.com/ Key: ${KEY}`, 'https://api.example.com/'],
    [`{"url":"https://api.example.com","key":"${KEY}"}`, 'https://api.example.com'],
    [`http://127.0.0.1:4174 "${KEY}"`, 'http://127.0.0.1:4174'],
    [`Your personal credentials: <https://api.example.com>, ${KEY}`, 'https://api.example.com'],
  ])('%j gives both', (text, baseUrl) => {
    expect(addressAndKey(text)).toEqual({ baseUrl, apiKey: KEY });
  });

  it.each(['https://api.example.com', KEY, 'see https://api.example.com for everything else', ''])(
    '%j is pasted as it is',
    (text) => {
      expect(addressAndKey(text)).toBeNull();
    },
  );
});
