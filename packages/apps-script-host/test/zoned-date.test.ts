// A script's dates: their clock is that of the project's zone, whatever the machine's is.

import { describe, expect, it } from '@jest/globals';
import { resultOf } from './script-host';

const inZone = (timeZone: string, expression: string) => {
  const code = `function f(given) { return ${expression}; }`;
  const manifest = JSON.stringify({ timeZone, oauthScopes: [] });
  const given = new Date('2026-07-01T03:04:05.006Z');
  return resultOf(code, { args: [given] }, { dist: { code, html: {}, manifest } });
};

describe('in New York', () => {
  it.each<[string, unknown]>([
    ['new Date(2026, 0, 1, 12).toISOString()', '2026-01-01T17:00:00.000Z'],
    ['new Date(2026, 6, 1, 12).toISOString()', '2026-07-01T16:00:00.000Z'],
    ["new Date('2026-01-01T12:00').toISOString()", '2026-01-01T17:00:00.000Z'],
    ["new Date('Jan 5, 2026 10:00').toISOString()", '2026-01-05T15:00:00.000Z'],
    ["new Date('2026-01-01').toISOString()", '2026-01-01T00:00:00.000Z'],
    ["new Date('2026-01-01T12:00Z').getHours()", 7],
    ["new Date('2026-01-01T12:00+02:00').getHours()", 5],
    ["new Date('Jan 5 2026 10:00 GMT-0100').getHours()", 6],
    ["new Date('1-5-2026').getHours()", 0],
    ['new Date(String(given)).getTime() - given.getTime()', -6],
    ["Date.parse('2026-01-01T00:00') - Date.UTC(2026, 0, 1)", 18_000_000],
    ['[given.getFullYear(), given.getMonth(), given.getDate(), given.getDay()]', [2026, 5, 30, 2]],
    ['[given.getHours(), given.getMinutes(), given.getSeconds()]', [23, 4, 5]],
    ['given.getTimezoneOffset()', 240],
    ['String(given)', 'Tue Jun 30 2026 23:04:05 GMT-0400 (Eastern Daylight Time)'],
    ['given.toDateString()', 'Tue Jun 30 2026'],
    ["given.toLocaleDateString('en-US')", '6/30/2026'],
    ['(given.setHours(0, 0, 0, 0), given.toISOString())', '2026-06-30T04:00:00.000Z'],
    ['(given.setDate(1), given.toISOString())', '2026-06-02T03:04:05.006Z'],
    // The hour that a spring night lacks, and the day that it shortens.
    ['new Date(2026, 2, 8, 3).getTime() - new Date(2026, 2, 8, 0).getTime()', 7_200_000],
    ['new Date(NaN).getHours() + String(new Date(NaN))', 'NaNInvalid Date'],
    ['given instanceof Date && given.constructor === Date', true],
  ])('%s', async (expression, value) => {
    expect(await inZone('America/New_York', expression)).toEqual(value);
  });
});

it('in UTC they are in UTC, wherever the machine is', async () => {
  const expression = '[new Date(2026, 0, 1, 12).toISOString(), given.getHours()]';
  expect(await inZone('Etc/UTC', expression)).toEqual(['2026-01-01T12:00:00.000Z', 3]);
});
