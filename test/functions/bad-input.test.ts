// Bad input and bad days: each has words of its own, costs what it must, and loses nothing else.

import { afterEach, describe, expect, it } from '@jest/globals';
import { SAMPLE_PRODUCTS } from '../../playground/api/samples';
import { callsByProduct } from '../../playground/api/state';
import { ADD_ON_NAME } from '../../src/failures/add-on-name';
import { createWorld, DEMO, type World, type WorldOptions } from '../doors/world';

const MUG = 'B0XKT7M4QN';

let world: World;

afterEach(() => world.stop());

async function connected(options: WorldOptions = {}, draft: object = {}): Promise<void> {
  world = createWorld(options);
  const saved = await world.connect(draft);
  expect(saved).toMatchObject({ ok: true });
}

async function messageOf(...args: readonly unknown[]): Promise<string | undefined> {
  return (await world.show('ANALYZE', ...args)).error?.message;
}

const callCount = () => [...callsByProduct(world.service()).values()].reduce((a, b) => a + b, 0);

describe('arguments', () => {
  it.each([
    ['a word', ['hello', 'US'], '"hello" is not an ASIN. An ASIN has 10 letters and digits'],
    [
      'a bad check digit',
      ['0439420890', 'US'],
      '"0439420890" looks like an ISBN or a barcode, but its check digit is wrong',
    ],
    [
      'a barcode',
      ['012345678905', 'US'],
      '"012345678905" is a barcode. Use its ASIN, or analyze the list: its tab "Analysis" asks for it',
    ],
    [
      'a short link',
      ['https://amzn.to/3xYz', 'US'],
      'short links do not show the product. Open it and copy the full link',
    ],
    [
      'another land',
      [`https://www.amazon.de/dp/${MUG}`, ''],
      'this link is from a market that is not supported. Use US or UK',
    ],
    [
      'a figure before the market',
      [MUG, 'roi', 'US'],
      'the market comes second, the figures third, as in =ANALYZE(A2, "US", "roi")',
    ],
    ['a market', [MUG, 'DE'], '"DE" is not a supported market. Use US or UK'],
    [
      'an error cell',
      ['#REF!', 'US'],
      'the cell with the ASIN shows an error. Fix that cell first',
    ],
    [
      'ragged ranges',
      [
        [[MUG], [MUG]],
        [['US'], ['US'], ['UK']],
      ],
      'there are 2 cells of ASINs, but 3 of markets',
    ],
  ])('%s is refused without a call', async (_, args, text) => {
    await connected();
    expect(await messageOf(...args)).toBe(`Not analyzed: ${text}`);
    expect(callCount()).toBe(0);
  });

  it('a range over the limit is refused with the number', async () => {
    await connected();
    const range = Array.from({ length: 5_001 }, () => [MUG]);
    expect(await messageOf(range, 'US')).toBe(
      'Not analyzed: the range has 5,001 filled cells, and one formula can take 5,000. Use a smaller range',
    );
  });

  it('an unknown field is refused with the nearest name', async () => {
    await connected();
    expect(await messageOf(MUG, 'US', 'profitt')).toBe(
      'Not analyzed: there is no field "profitt". Did you mean profit?',
    );
  });

  it('a blank cell stays blank and costs nothing, not even a look at the settings', async () => {
    world = createWorld();
    const { ok, value, serviceCalls } = await world.show('ANALYZE', '', 'US');
    expect({ ok, value, serviceCalls }).toEqual({ ok: true, value: null, serviceCalls: 0 });
  });
});

describe('the key', () => {
  it('missing: says where to add a key', async () => {
    world = createWorld();
    expect(await messageOf(MUG, 'US')).toBe(
      `Not analyzed: no key is connected. Open Extensions > ${ADD_ON_NAME} to add a key`,
    );
  });

  it('refused: says so, and is not asked again by any cell', async () => {
    await connected({}, { apiKey: 'demo-key-revoked', quota: DEMO.quota });
    const text = `Not analyzed: the service refused the key. Check it under Extensions > ${ADD_ON_NAME}`;
    expect(await messageOf(MUG, 'US')).toBe(text);
    const before = callCount();
    expect(await messageOf('B0RWD92FHC', 'US')).toBe(text);
    expect(await messageOf([['B0TZ4LQ8KV'], ['B0VNH3C6PD']], 'US')).toBe(undefined);
    expect(callCount()).toBe(before);
  });

  it('refused while thirty cells wait for slots: all say so within seconds', async () => {
    const quota = { calls: 60, perSeconds: 60 };
    await connected({}, { apiKey: 'demo-key-revoked', quota });
    const asins = SAMPLE_PRODUCTS.filter(({ market }) => market === 'US').map(({ asin }) => asin);
    const cells = Array.from({ length: 30 }, (_, i) => world.cell('ANALYZE', asins[i % 15], 'US'));
    await world.host.run();
    for (const { error, startedMs, endedMs } of await Promise.all(cells)) {
      expect(error?.message).toContain('the service refused the key');
      expect(endedMs - startedMs).toBeLessThan(10_000);
    }
    // Those whose slots came before the first refusal was there.
    expect(callCount()).toBeLessThanOrEqual(3);
  });

  it('out of plan: says so, and is not asked again', async () => {
    await connected({}, { apiKey: 'demo-key-out-of-plan' });
    const text =
      "Not analyzed: the key's plan is used up. We'll retry in about 6 h. " +
      'Ask the service operator for more';
    expect(await messageOf(MUG, 'US')).toBe(text);
    const before = callCount();
    expect(await messageOf('B0RWD92FHC', 'US')).toBe(text);
    expect(callCount()).toBe(before);
  });
});

describe('the service', () => {
  it.each([
    ['B0FAULT500', /^Not analyzed: the service has a problem right now \(status 500\)/],
    ['B0FAULT503', /^Not analyzed: the service has a problem right now \(status 503\)/],
    ['B0HTMLPAGE', /^Not analyzed: the address does not lead to the analysis service/],
    ['B0REDIRECT', /^Not analyzed: the address does not lead to the analysis service/],
    ['B0NEWSHAPE', /^Not analyzed: the service's answer could not be read/],
    ['B0CUTSHORT', /^Not analyzed: the service's answer could not be read \(it is not JSON\)/],
    ['B0EMPTY000', /^Not analyzed: the service's answer could not be read/],
    ['B0HUGE10MB', /^Not analyzed: the service's answer could not be read \(it is too long\)/],
    ['B0SILENCE0', /^Not analyzed: the service took too long to answer/],
    ['B0RESET000', /^Not analyzed: the service cannot be reached/],
    ['B0NOTFOUND', /^Not analyzed: B0NOTFOUND is not sold on Amazon US/],
  ])('%s has its own words, within 30 s', async (asin, text) => {
    await connected();
    const outcome = await world.show('ANALYZE', asin, 'US');
    expect(outcome.error?.message).toMatch(text);
    expect(outcome.ended).toBe('threw');
    expect(outcome.endedMs - outcome.startedMs).toBeLessThan(30_000);
  });

  it('unknown host: the address is to be checked', async () => {
    await connected({}, { baseUrl: 'https://nobody.example.com' });
    expect(await messageOf(MUG, 'US')).toMatch(/^Not analyzed: the service cannot be reached/);
  });
});
