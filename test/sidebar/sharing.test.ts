// Sharing through `rpc`: given and taken back, and everybody is told whose key pays.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BASE_URL, createWorld, type World } from '../doors/world';

const HELPER = 'helper@example.com';

let world: World;

beforeEach(() => {
  world = createWorld({ sandbox: { dialect: 'percent' } });
});

afterEach(() => world.stop());

describe('sharing', () => {
  const payer = async (userEmail?: string) =>
    (await world.rpc('connection.status', {}, userEmail)).value?.payer;

  it('is given and taken back without the key, and everybody is told whose key pays', async () => {
    await world.connect({ sharing: 'me' });
    expect(await payer()).toMatchObject({ kind: 'owner' });
    await world.rpc('connection.share', { sharing: 'spreadsheet' });
    expect(await payer()).toEqual({
      kind: 'yours',
      keyMask: '…cond',
      text: 'Formulas here use your key (…cond), whoever edits the spreadsheet.',
    });
    expect(await payer(HELPER)).toEqual({
      kind: 'shared',
      keyMask: '…cond',
      text: "Formulas here use the owner's key (…cond).",
    });
    await world.rpc('connection.share', { sharing: 'me' });
    const { value } = await world.rpc('connection.status', {}, HELPER);
    expect(value).toEqual({ connected: false, demo: false });
  });

  it('tells who has a key of their own that formulas use another', async () => {
    await world.connect();
    const own = { baseUrl: BASE_URL, apiKey: 'demo-key-unlimited', quota: null, sharing: 'me' };
    await world.rpc('connection.save', own, HELPER);
    expect(await payer(HELPER)).toMatchObject({
      text: "Formulas here use the owner's key (…cond). " + 'Your runs use yours (…ited).',
    });
  });

  it('is nothing that somebody else can decide, nor a way round a refusal', async () => {
    await world.connect({ apiKey: 'demo-key-revoked' });
    const theirs = await world.rpc('connection.share', { sharing: 'me' }, HELPER);
    expect(theirs).toMatchObject({ ok: false, failure: { kind: 'no-connection' } });
    await world.rpc('connection.check');
    const { value } = await world.rpc('connection.share', { sharing: 'spreadsheet' });
    expect(value).toMatchObject({ stopped: { kind: 'key-refused' } });
  });
});
