// Rows that come in while a run writes: another product's figures are gone from a row in moments, not at the end.

import { afterEach, expect, it } from '@jest/globals';
import { granted, SANDBOX, sheetOf, startRun, US_ASINS } from './bulk-list';
import { createWorld, type World } from './world';

let world: World;
afterEach(() => world.stop());

const LIST = US_ASINS.slice(1_400, 1_440);

/** Somebody reads the sheet in the midst of the run, this long after the rows came in. */
const SOON_MS = 3_000;

it.each([2, 3, 4, 5, 6])('before write %d', async (at) => {
  const sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
  let writes = Number.NEGATIVE_INFINITY;
  let insertedMs = Number.POSITIVE_INFINITY;
  const shown: string[] = [];
  const wrongRows = () =>
    sheet.values().filter(([asin = '', ...cells]) => {
      const status = String(cells[5] ?? '');
      return status.startsWith('OK') && status !== `OK ${asin} US`;
    });
  const betweenCalls = ({ operation }: { readonly operation: string }) => {
    const nowMs = world.host.nowMs();
    if (nowMs > insertedMs + SOON_MS) shown.push(...wrongRows().map(String));
    writes += operation === 'spreadsheet.write.setValues' ? 1 : 0;
    if (writes !== at || insertedMs < Number.POSITIVE_INFINITY) return [];
    insertedMs = nowMs;
    return [{ do: 'insertRows' as const, sheetId: sheet.id, first: 2, count: 1 }];
  };
  world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document], betweenCalls } });
  // A slow key: some ten rows a minute.
  await world.connect({ quota: { calls: 10, perSeconds: 60, burst: 1 } });
  const { jobId } = await startRun(world);
  writes = 0;
  granted(await world.rpc('bulk.run', { jobId, lane: 0, maxMs: 90_000 }));
  expect(insertedMs).toBeLessThan(world.host.nowMs());
  expect(wrongRows()).toEqual([]);
  expect(shown).toEqual([]);
});
