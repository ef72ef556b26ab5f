// What is left of Google's day: counted for the person, whichever of their keys made the calls.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createWorld, DEMO, documentOf, type World } from './world';

const OTHER = { apiKey: 'demo-key-20-per-second', quota: { calls: 20, perSeconds: 1, burst: 40 } };
const EDITOR = 'editor@example.com';

let world: World;
let asins: readonly string[];

beforeEach(async () => {
  world = createWorld({ host: { documents: [{ ...documentOf('sheet-1'), editors: [EDITOR] }] } });
  await world.connect();
  asins = [...world.service().catalogue.asins.US].slice(-40);
});

afterEach(() => world.stop());

const ask = (count: number, from = 0) =>
  world.show(
    'ANALYZE',
    asins.slice(from, from + count).map((asin) => [asin]),
    'US',
    'profit',
  );

async function used(userEmail?: string) {
  const { value } = await world.rpc('connection.status', {}, userEmail);
  return value as { readonly googleCalls: object; readonly cellCalls: object };
}

describe("Google's day", () => {
  it('goes on where the key is another, while formulas begin to be counted anew', async () => {
    await ask(12);
    await world.connect(OTHER);
    expect(await used()).toMatchObject({
      googleCalls: { usedToday: 12 },
      cellCalls: { usedToday: 0 },
    });
    await ask(5, 20);
    expect(await used()).toMatchObject({
      googleCalls: { usedToday: 17 },
      cellCalls: { usedToday: 5 },
    });
  });

  it('is still known for both keys when the cache has forgotten', async () => {
    await ask(12);
    await world.connect(OTHER);
    await ask(5, 20);
    await world.host.run(world.host.nowMs() + 7 * 3_600_000);
    expect(await used()).toMatchObject({ googleCalls: { usedToday: 17 } });
    await world.connect(DEMO);
    expect(await used()).toMatchObject({ googleCalls: { usedToday: 17 } });
  });

  it('is another for who has a key of their own', async () => {
    await ask(12);
    const own = { baseUrl: 'https://api.sandbox.example', ...OTHER, sharing: 'me' };
    await world.rpc('connection.save', own, EDITOR);
    expect(await used(EDITOR)).toMatchObject({ googleCalls: { usedToday: 0 } });
    expect(await used()).toMatchObject({ googleCalls: { usedToday: 12 } });
  });
});
