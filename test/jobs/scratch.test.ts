import { afterEach, expect, test } from '@jest/globals';
import { calculating } from 'apps-script-host/calculation';
import { granted, SANDBOX, sheetOf, US_ASINS } from '../doors/bulk-list';
import { createWorld, type World } from '../doors/world';
import { choiceOf } from './driver';

let world: World;
afterEach(async () => world.stop());

test('times', async () => {
  const n = Number(process.env['ROWS'] ?? 1000);
  const asins = US_ASINS.slice(0, n);
  const sheet = sheetOf([['ASIN', 'Cost'], ...asins.map((asin) => [asin, 5])]);
  let ops: [string, number][] = [];
  world = createWorld({
    sandbox: SANDBOX,
    host: {
      documents: [sheet.document],
      observe: (call) =>
        ops.push([
          call.operation + ' ' + JSON.stringify(call.args).slice(0, 80),
          world.host.nowMs(),
        ]),
    },
  });
  calculating(sheet.grid, { nowMs: () => world.host.nowMs() });
  await world.connect();
  const timed = async (name: string, method: string, payload: object = {}) => {
    const t = world.host.nowMs();
    ops = [];
    const value = granted(await world.rpc(method, payload));
    console.log(
      name,
      world.host.nowMs() - t,
      'ms',
      ops.length,
      'calls\n',
      ops.map(([op, at]) => `${at - t} ${op}`).join('\n'),
    );
    return value as any;
  };
  const choice = await choiceOf(world);
  await timed('look', 'list.look');
  await timed('preview', 'jobs.preview', choice);
  const { status, queue } = await timed('start', 'jobs.start', choice);
  const asked = await timed('ask', 'jobs.ask', {
    jobId: status.jobId,
    products: queue,
    maxMs: 2000,
  });
  await timed('record', 'jobs.record', {
    jobId: status.jobId,
    answers: asked.answers,
    calls: asked.calls,
  });
  const again = await timed('ask', 'jobs.ask', {
    jobId: status.jobId,
    products: asked.left,
    maxMs: 20000,
  });
  await timed('record', 'jobs.record', {
    jobId: status.jobId,
    answers: again.answers,
    calls: again.calls,
  });
  console.log(sheet.values()[1]);
  expect(1).toBe(1);
});
