// The example's tests with what Node brings along: node --test
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createHost } from 'apps-script-host';

const HOUR_MS = 3_600_000;
const rates = () => JSON.stringify({ GBP: 0.8, USD: 1, EUR: 0.9 });

/** A new project each time: nothing of one test is left for the next. */
const open = (options) =>
  createHost({
    projectDir: join(import.meta.dirname, 'project'),
    sites: { 'rates.example.com': rates },
    ...options,
  });

test('a cell shows what the function returns', async () => {
  const host = open({ cells: [[10, 20]] });
  assert.equal((await host.cell('=CONVERT(8,"GBP","USD")')).value, 10);
  assert.deepEqual((await host.cell('=WITH_TAX(A1:B1,0.2)')).value, [[12, 24]]);
});

test('thirty cells at once ask for the rates once', async () => {
  const asked = [];
  const host = open({
    sites: {
      'rates.example.com': (request) => {
        asked.push(request.path);
        return { body: rates(), delayMs: 400 };
      },
    },
  });
  await host.cell('=CONVERT(1,"GBP","USD")');
  await Promise.all(Array.from({ length: 30 }, () => host.cell('=CONVERT(1,"GBP","EUR")')));
  assert.equal(asked.length, 1);
});

test('the log gets a row each morning, for a week', async () => {
  const host = open();
  const { items } = await host.open();
  const sidebar = await host.openSidebar(items[0].functionName);
  assert.equal((await sidebar.run('startLog')).value, 'One row each morning.');
  await host.advance(7 * 24 * HOUR_MS);
  assert.deepEqual(host.values('B1:B8').flat(), [...Array(7).fill(1.25), '']);
});

test('a crash at any call leaves no lock behind', async () => {
  for (let call = 1; ; call += 1) {
    const host = open();
    const first = await host.kill({ beforeCall: call }).run('logRate');
    if (first.ok) break;
    assert.equal(first.ended, 'killed');
    assert.equal((await host.run('logRate')).ok, true);
  }
});
