// The one request of the contract, as it goes out.

import { expect, it } from '@jest/globals';
import { analyzeRequest } from '../../src/service/request';

it('POSTs the product as form fields, with the key as a bearer', () => {
  const access = { baseUrl: 'https://api.example.com/tools', apiKey: 'demo-key-12345678' };
  expect(analyzeRequest(access, 'B0XKT7M4QN', 'US', 12)).toEqual({
    url: 'https://api.example.com/tools/v1/analyze',
    headers: { Authorization: 'Bearer demo-key-12345678', Accept: 'application/json' },
    form: { asin: 'B0XKT7M4QN', market: 'US' },
    timeoutSeconds: 12,
  });
});
