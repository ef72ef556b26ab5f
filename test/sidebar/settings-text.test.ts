// Export, import and sharing through `rpc`: settings travel as text, the key never does.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BASE_URL, createWorld, DEMO, type World } from '../doors/world';

const HELPER = 'helper@example.com';
const MUG = 'B0XKT7M4QN';

let world: World;

beforeEach(() => {
  world = createWorld({ sandbox: { dialect: 'percent' } });
});

afterEach(() => world.stop());

async function exported(userEmail?: string): Promise<string> {
  return String((await world.rpc('connection.export', {}, userEmail)).value?.text);
}

describe('an exported text', () => {
  it('holds what was set and found, and nothing of the key', async () => {
    await world.connect({ settings: { ukMarket: 'GB' }, cellsPerDay: 300 });
    await world.rpc('connection.check');
    const text = await exported();
    expect(JSON.parse(text)).toEqual({
      version: 2,
      baseUrl: BASE_URL,
      quota: DEMO.quota,
      settings: { ukMarket: 'GB' },
      found: expect.objectContaining({ roiUnit: 'percent', buyPriceName: 'cost' }),
      reasons: expect.objectContaining({ roiUnit: expect.any(String) }),
      cellsPerDay: 300,
    });
    expect(text).not.toContain(DEMO.apiKey);
    expect(await exported(HELPER)).not.toContain(DEMO.apiKey);
  });

  it('brings its settings to the same address at once, and the key stays', async () => {
    await world.connect({ settings: { ukMarket: 'GB' } });
    const text = await exported();
    await world.connect({ settings: {}, quota: null });
    const { value } = await world.rpc('connection.import', { text });
    expect(value).toMatchObject({
      applied: true,
      status: { settings: { ukMarket: 'GB' }, quota: DEMO.quota, sharing: 'spreadsheet' },
    });
    expect((await world.show('ANALYZE', MUG, 'US', 'profit')).value).toBe(9.85);
  });

  it('is a draft without a key where there is none, also for an address of its own', async () => {
    const text = JSON.stringify({
      ...{ version: 2, baseUrl: 'https://thief.example.com', quota: null },
      ...{ settings: {}, found: {}, reasons: {} },
    });
    const draft = { baseUrl: 'https://thief.example.com', apiKey: '', settings: {} };
    const fresh = await world.rpc('connection.import', { text });
    expect(fresh.value).toMatchObject({ applied: false, draft, status: { connected: false } });
    await world.connect();
    const { value } = await world.rpc('connection.import', { text });
    expect(value).toMatchObject({ applied: false, draft, status: { baseUrl: BASE_URL } });
  });

  it("of somebody else's key changes nothing for who only uses it", async () => {
    await world.connect();
    const text = (await exported()).replace('"settings": {}', '"settings": {"ukMarket":"GB"}');
    const { value } = await world.rpc('connection.import', { text }, HELPER);
    expect(value).toMatchObject({ applied: false });
    expect((await world.rpc('connection.status')).value).toHaveProperty('settings', {});
  });

  it.each([
    ['of a newer version', '{"version":3,"vault":1}', 'settings-unreadable'],
    ['that is none', 'Dear service,', 'bad-settings'],
    ['with a key in it', `{"version":2,"baseUrl":"${BASE_URL}","apiKey":"k"}`, 'bad-settings'],
    ['with a polluting name', '{"version":2,"__proto__":{"apiKey":"k"}}', 'bad-settings'],
    ['with an object for a version', '{"version":{"valueOf":1,"toString":1}}', 'bad-settings'],
    ['longer than any', ' '.repeat(20_001), 'bad-request'],
  ])('%s is refused with words', async (_, text, kind) => {
    await world.connect();
    const { ok, failure } = await world.rpc('connection.import', { text });
    expect({ ok, kind: failure?.kind }).toEqual({ ok: false, kind });
    expect(failure?.message).toMatch(/^[A-Z].*\.$/);
  });
});

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
