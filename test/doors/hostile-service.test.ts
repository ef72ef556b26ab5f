// Attacks by the service and by collaborators, through cells and `rpc`: nothing is stolen, run or mixed up.

import { afterEach, describe, expect, it } from '@jest/globals';
import {
  BASE_URL,
  createWorld,
  FAST,
  GOOD,
  reply,
  type Says,
  THIEF_URL,
  type World,
} from './world';

const ASIN = 'B0XKT7M4QN';
const HELPER = 'helper@example.com';

let world: World;
afterEach(() => world.stop());

async function against(says: Says): Promise<void> {
  world = createWorld({ says });
  await connect();
}

const connect = (draft: object = {}, userEmail?: string) =>
  world.connect({ ...FAST, ...draft }, userEmail);

const show = (fields: unknown) => world.show('ANALYZE', ASIN, 'US', fields);

describe('a redirect to another host', () => {
  it.each([300, 301, 302, 303, 304, 305, 307, 308])(
    '%d is a failure, and no key goes there',
    async (status) => {
      await against(() => reply(status, '', { location: `${THIEF_URL}/v1/analyze` }));
      expect((await show('profit')).error?.message).toMatch(
        /address does not lead to the analysis/,
      );
      expect(await world.rpc('connection.check')).toMatchObject({
        failure: { kind: 'wrong-address' },
      });
      expect(world.requests.length).toBeGreaterThan(0);
      expect(world.stolen).toEqual([]);
    },
  );
});

describe('another address for a key that is shared', () => {
  const steal = (draft: object) => connect({ baseUrl: THIEF_URL, apiKey: '', ...draft }, HELPER);
  const ask = async () => {
    await world.show('ANALYZE', [[ASIN], ['B0B1C2D3E4']], 'US', 'profit');
    await world.rpc('connection.check', {}, HELPER);
    await world.rpc('waiting.work', { maxMs: 5_000 }, HELPER);
  };

  it.each(['me', 'spreadsheet'])(
    'is refused to a collaborator who types no key (%s)',
    async (sharing) => {
      await against(() => reply(200, GOOD));
      expect(await steal({ sharing })).toMatchObject({ ok: false, failure: { kind: 'bad-key' } });
      await ask();
      expect(world.stolen).toEqual([]);
      expect((await show('profit')).value).toBe(9.85);
    },
  );

  it('gets from a collaborator with a key of their own that key alone', async () => {
    await against(() => reply(200, GOOD));
    await connect({ apiKey: 'demo-key-of-the-helper', sharing: 'me' }, HELPER);
    expect(await steal({ sharing: 'me' })).toMatchObject({ ok: false });
    await steal({ apiKey: 'demo-key-of-the-helper', sharing: 'spreadsheet' });
    await ask();
    const sent = world.stolen.map(({ headers }) => headers.authorization);
    expect(new Set(sent)).toEqual(new Set(['Bearer demo-key-of-the-helper']));
  });
});

describe('text that wants to be a formula, or HTML', () => {
  const TEXTS = ['=IMPORTXML("https://thief.example","//a")', '+1', '-1+1', '@A1', '<img src=x>'];

  it.each(TEXTS)(
    '%s in every field is shown as it is or refused, and never as a figure',
    async (text) => {
      const everywhere = Object.fromEntries(Object.keys(GOOD).map((name) => [name, text]));
      await against((_asin, _own, nth) =>
        reply(200, nth === 1 ? { ...GOOD, note: text } : everywhere),
      );
      // A custom function's text is text: Sheets calculates what is typed, not what is returned.
      expect((await show('note')).value).toBe(text);
      const all = await world.show('ANALYZE', ASIN, 'US', 'all', 'again');
      expect(all.error?.message ?? 'Not analyzed: ').toMatch(/^Not analyzed: /);
      expect([all.value].flat(2)).not.toContain(text);
      const ranged = await world.show('ANALYZE', [[ASIN], ['B0B1C2D3E4']], 'US', 'profit', 'more');
      expect(JSON.stringify(ranged.value)).not.toContain('"=');
    },
  );

  it.each(TEXTS)('%s in an error is quoted behind the prefix, without markup', async (text) => {
    await against(() => reply(400, { error: { message: text } }));
    const message = (await show('profit')).error?.message ?? '';
    expect(message).toMatch(/^Not analyzed: the service rejected the request/);
    expect(message).not.toContain('<');
  });
});

describe('names that mean something to JavaScript', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
    '%s as a field is a field where it was sent, and none where it was not',
    async (name) => {
      await against((asin) =>
        reply(
          200,
          asin === ASIN ? `{"profit": 1, "${name}": "sent", "roi": {"${name}": {"roi": 9}}}` : GOOD,
        ),
      );
      await world.show('ANALYZE', ASIN, 'US', name);
      await world.show('ANALYZE', 'B0B1C2D3E4', 'US', 'profit');
      const other = await world.show('ANALYZE', 'B0B1C2D3E4', 'US', name);
      expect(other.error?.message).toContain(`there is no field "${name}"`);
      await world.stop();
      await against(() => reply(200, `{"profit": 1, "${name}": "sent"}`));
      expect((await show(name)).value).toBe('sent');
      expect((await show(name)).value).toBe('sent');
    },
  );
});

describe('bodies that are none', () => {
  it.each([
    ['five megabytes', `{"profit": 1, "padding": "${'x'.repeat(5e6)}"}`],
    ['100,000 brackets', `{"profit": 1, "eligible": ${'['.repeat(1e5)}${']'.repeat(1e5)}}`],
    ['a figure of 200,000 digits', `{"profit": "${'1'.repeat(2e5)}x"}`],
    ['NaN', 'NaN'],
    ['NaN for a figure', '{"profit": NaN}'],
    ['1e999', '1e999'],
    ['1e999 for a figure', '{"profit": 1e999}'],
    ['half an object', '{"profit": 1, "roi"'],
    ['nothing', ''],
    ['a list', '[1, 2, 3]'],
  ])('%s: a failure in words, soon', async (_name, body) => {
    await against(() => reply(200, body));
    const { error, endedMs, startedMs } = await show('profit, eligible');
    // What is too deep to be read is not part of the answer, so 100,000 brackets are one restriction.
    if (error !== undefined) expect(error.message).toMatch(/^Not analyzed: the service's answer/);
    else expect(body).toContain('[[[');
    expect(endedMs - startedMs).toBeLessThan(5_000);
    expect(await world.rpc('connection.check')).toHaveProperty('ok');
  });

  it.each(['text/html', 'text/plain', 'image/png', 'application/xml; charset=utf-16', ''])(
    'JSON that calls itself "%s" is read all the same, and HTML that calls itself JSON is none',
    async (type) => {
      await against((asin) =>
        asin === ASIN
          ? reply(200, GOOD, { 'content-type': type })
          : reply(200, '<!doctype html><p>Sign in', { 'content-type': 'application/json' }),
      );
      const { error } = await world.show('ANALYZE', 'B0B1C2D3E4', 'US', 'profit');
      expect(error?.message).toMatch(/address does not lead to the analysis service/);
      expect((await show('profit')).value).toBe(9.85);
    },
  );
});

describe("another user's answers", () => {
  it('never appear under another key, in cells or in the sidebar', async () => {
    world = createWorld({ says: () => reply(200, GOOD) });
    const asking = (key: string) =>
      world.requests.filter(({ headers }) => headers.authorization === `Bearer ${key}`).length;
    await connect({ apiKey: 'demo-key-of-the-owner' });
    await show('profit');
    await show('profit');
    expect(asking('demo-key-of-the-owner')).toBe(1);
    await connect({ apiKey: 'demo-key-of-the-helper' });
    await show('profit');
    expect(asking('demo-key-of-the-helper')).toBe(1);
    await connect({ baseUrl: `${BASE_URL}/other`, apiKey: 'demo-key-of-the-owner' });
    await show('profit');
    expect(asking('demo-key-of-the-owner')).toBe(2);
  });
});
