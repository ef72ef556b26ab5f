// A page that calls `rpc` with anything at all: it gets an envelope, and nothing is stored by a refusal.

import { afterAll, describe, expect, it } from '@jest/globals';
import type { ObservedCall } from 'apps-script-host/call';
import * as fc from 'fast-check';
import { METHODS } from '../../src/sidebar/api/methods';
import { createWorld, type World } from '../doors/world';

const CALLS = 700;

let world: World | undefined;
afterAll(() => world?.stop());

const NAMES = Object.keys(METHODS);

/** `__proto__` as a member of its own, as JSON has it. */
const polluted = fc.jsonValue().map((value) => {
  const text = JSON.stringify(value);
  return JSON.parse(`{"__proto__": ${text}, "constructor": {"prototype": ${text}}}`);
});

const nested = fc.integer({ min: 1, max: 500 }).map((depth) => {
  let value: unknown = 'deep';
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { baseUrl: value };
  return value;
});

const huge = fc.constantFrom(
  'x'.repeat(1e6),
  Array.from({ length: 1e5 }, () => 0),
  ['y'.repeat(1e5)],
);

const anything = fc.oneof(
  { weight: 6, arbitrary: fc.jsonValue() },
  { weight: 2, arbitrary: polluted },
  { weight: 1, arbitrary: nested },
  { weight: 1, arbitrary: fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -0, undefined) },
);

/** What a save looks like, with parts that are anything. */
const draft = fc.record(
  {
    baseUrl: fc.oneof(fc.constant('https://api.example.com'), anything),
    apiKey: fc.oneof(fc.constant('demo-key-hostile'), anything),
    quota: fc.oneof(fc.constant(null), anything),
    sheetId: fc.oneof(fc.constant(0), anything),
    runId: anything,
    sharing: fc.oneof(fc.constant('everybody'), anything),
    settings: anything,
    maxMs: anything,
    more: anything,
  },
  { requiredKeys: [] },
);

const call = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(fc.constantFrom(...NAMES), fc.oneof(anything, draft)) },
  { weight: 2, arbitrary: fc.tuple(anything, anything) },
  { weight: 1, arbitrary: fc.array(anything, { maxLength: 4 }) },
);

const isWrite = ({ operation }: ObservedCall) =>
  /^properties\.(set|delete)|^spreadsheet\.write/.test(operation);

/** What came of all of them in one world. */
async function callAll(
  isConnected: boolean,
): Promise<{ readonly calls: number; readonly refused: number }> {
  let writes = 0;
  const observe = (one: ObservedCall) => {
    if (isWrite(one)) writes += 1;
  };
  world = createWorld({ host: { observe, workers: 1 } });
  if (isConnected) expect(await world.connect()).toMatchObject({ ok: true });
  const calls = fc.sample(call, { numRuns: CALLS, seed: isConnected ? 7 : 20_260_105 });
  const hugeCalls = fc.sample(fc.tuple(fc.constantFrom(...NAMES), huge), { numRuns: 30, seed: 1 });
  let refused = 0;
  for (const [place, args] of [...calls, ...hugeCalls].entries()) {
    const before = writes;
    const outcome = await world.run({ functionName: 'rpc', args, door: 'sidebar' });
    expect(outcome).toMatchObject({ ok: true, value: { ok: expect.any(Boolean) } });
    const reply = outcome.value as { ok: boolean; failure?: { kind: string; message: string } };
    if (reply.ok) continue;
    refused += 1;
    expect(reply.failure?.kind).toMatch(/^[a-z-]+$/);
    expect(reply.failure?.message).toMatch(/^[A-Z][^<>{}]*[.?]$/);
    expect(reply.failure?.kind).not.toBe('internal');
    expect([place, writes]).toEqual([place, before]);
  }
  await world.stop();
  return { calls: calls.length + hugeCalls.length, refused };
}

describe('a hostile page', () => {
  it.each([false, true])(
    'gets an envelope for every call, in words without what it sent, and stores nothing',
    async (isConnected) => {
      const { calls, refused } = await callAll(isConnected);
      const where = isConnected ? 'with' : 'without';
      process.stdout.write(
        `Page: ${calls} payloads for ${NAMES.length} methods, ${where} a key, ` +
          `${refused} refused: 0 exceptions, 0 writes of what was refused\n`,
      );
      expect(refused).toBeGreaterThan(CALLS * 0.85);
    },
  );
});
