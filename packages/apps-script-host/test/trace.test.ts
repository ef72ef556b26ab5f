// The trace: enough to follow a run, nothing that is secret; and the full view that tests have.

import { expect, it } from '@jest/globals';
import type { ObservedCall } from '../src/call';
import { createSandboxedInternet, type SandboxReply } from '../src/internet/sandboxed';
import { hostOf } from './script-host';

const KEY = 'sk-4f2a-not-for-the-trace';
const internet = createSandboxedInternet({
  'api.example.com': (): SandboxReply => ({
    kind: 'answer',
    status: 200,
    headers: {},
    body: 'ok',
    delayMs: 100,
  }),
});
const code = `function f(key) {
  PropertiesService.getUserProperties().setProperty('connection', key);
  CacheService.getScriptCache().putAll({ 'gate:1': key, 'gate:2': 'x' }, 60);
  UrlFetchApp.fetch('https://api.example.com/v1?key=' + key, {
    headers: { Authorization: 'Bearer ' + key }, payload: { key } });
  Utilities.computeDigest(Utilities.DigestAlgorithm.SHA_256, key);
  throw new Error('about ' + key);
}`;

async function traced(observe: (call: ObservedCall) => void) {
  const host = hostOf(code, { internet, observe });
  void host.start({ functionName: 'f', args: [KEY], door: 'menu' });
  await host.run();
  await host.stop();
  return host.trace();
}

it('shows names and sizes in fixed columns, and never what they hold', async () => {
  const lines = await traced(() => {});
  expect(lines.join('\n')).not.toContain('sk-4f2a');
  expect(lines.map((line) => line.slice(21))).toEqual([
    'start    menu FULL f',
    `call     properties.set user connection <${KEY.length}>`,
    'call     cache.putAll script gate:1,gate:2',
    'call     urlFetch.fetch 1',
    'http     POST https://api.example.com/v1',
    'http     200 https://api.example.com/v1',
    `call     utilities.computeDigest`,
    `threw    Error <${KEY.length + 'about '.length}>`,
  ]);
  expect(lines.every((line) => /^ *\d{13} +#1 /.test(line))).toBe(true);
});

it('is accompanied by all arguments for those who ask for them', async () => {
  const calls: ObservedCall[] = [];
  await traced((call) => calls.push(call));
  const leaky = calls.filter((call) => JSON.stringify(call.args).includes(KEY));
  expect(leaky.map(({ operation }) => operation)).toEqual([
    'properties.set',
    'cache.putAll',
    'urlFetch.fetch',
    'utilities.computeDigest',
  ]);
});
