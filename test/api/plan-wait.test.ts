// How long a used-up plan stays so: by the time that a service names, in a header or in the body.

import { describe, expect, it } from '@jest/globals';
import { planWaitMs } from '../../src/service/rate-headers';
import { readReply } from '../../src/service/response';

const NOW = Date.UTC(2025, 10, 21, 12);
const HOUR = 3_600_000;
const inAnHour = (form: 's' | 'ms' | 'iso') => {
  if (form === 'iso') return new Date(NOW + HOUR).toISOString();
  return form === 's' ? (NOW + HOUR) / 1_000 : NOW + HOUR;
};

describe('the time of a used-up plan', () => {
  it.each<[string, Record<string, string>, unknown]>([
    ['Retry-After in seconds', { 'retry-after': '3600' }, undefined],
    ['Retry-After as a date', { 'retry-after': new Date(NOW + HOUR).toUTCString() }, undefined],
    ['a reset far off', { 'x-ratelimit-reset': String(inAnHour('s')) }, undefined],
    ['a date in the body', {}, { resets_at: inAnHour('iso') }],
    ['seconds since 1970 in the body', {}, { error: { code: 'plan', reset_at: inAnHour('s') } }],
    ['milliseconds since 1970 in the body', {}, { renewsAt: inAnHour('ms') }],
    ['a text of seconds from now', {}, { next_reset: '3600' }],
    [
      'the body, beside the reset of the rate',
      { 'ratelimit-reset': '1' },
      { reset_at: inAnHour('s') },
    ],
  ])('is read from %s', (_, headers, json) => {
    expect(planWaitMs(headers, json, NOW)).toBe(HOUR);
  });

  it.each<[string, Record<string, string>, unknown]>([
    ['nothing is said', {}, { error: 'plan used up' }],
    [
      'only the reset of the rate is told',
      { 'ratelimit-reset': '1', 'x-ratelimit-reset': '30' },
      {},
    ],
    ['the time is no time', {}, { resets_at: 'next month', reset: true }],
    ['the time has passed', {}, { resets_at: '2020-01-01T00:00:00Z' }],
  ])('is not known where %s', (_, headers, json) => {
    expect(planWaitMs(headers, json, NOW)).toBeUndefined();
  });

  it('is a minute at least, however soon a service wants to be asked again', () => {
    expect(planWaitMs({ 'retry-after': '1' }, {}, NOW)).toBe(60_000);
  });

  it.each([
    [402, { error: { code: 'plan_used_up', message: 'No credits.', reset_at: inAnHour('iso') } }],
    [403, { error: 'Your plan is used up.', resets_at: inAnHour('s') }],
    [429, { message: 'Monthly credits used up.', resets_at: inAnHour('s') }],
    [200, { success: false, message: 'Upgrade your plan.', resets_at: inAnHour('s') }],
  ])('is in the reply, whatever the disguise (status %i)', (status, body) => {
    const outcome = { kind: 'response', status, headers: { 'ratelimit-reset': '2' } } as const;
    const reply = readReply({ ...outcome, body: JSON.stringify(body) }, 'demo-key-plan', NOW);
    expect(reply).toMatchObject({ kind: 'out-of-plan', waitMs: HOUR });
  });
});
