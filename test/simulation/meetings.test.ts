// Two people press the same button at the same moment, for each that works on the sheet under the lease. What
// stands there afterwards is what stands there when one of them presses a minute after the other.

import { afterAll, expect, it } from '@jest/globals';
import { createRandom } from 'apps-script-host/random';
import { passed } from '../../bench/page-job';
import type { RpcClient } from '../../src/sidebar/page/ui/rpc-client';
import { BUILT, distIn } from '../build-once';
import { type Client, closeThreads, createStage, prepare, repeatedTitles, work } from './at-once';
import { figuresAreTheProducts } from './laws';
import { tabIn, withoutMoments } from './seen';
import { ASINS } from './service';

const dist = distIn(BUILT);

afterAll(closeThreads);

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

type Stage = ReturnType<typeof createStage>;
type Asked = readonly [method: string, payload: object];

/** What the first list is called by. */
type Place = { readonly sheetId: number; readonly listId: string };

/** What was said to earlier buttons: "ok", or the kind of failure. */
interface Said {
  readonly kind: string;
  readonly value?: unknown;
}

interface Button {
  readonly asks: (place: Place, choice: object, earlier: ReadonlyMap<string, Said>) => Asked;
  /** Whether one person presses it in two windows: whose figures are fresh depends on the key. */
  readonly isInTwoWindows?: boolean;
  /** What a person does in the sheet before. */
  readonly before?: (stage: Stage) => void;
}

const look = (list: Place) => ({ list, market: null, cost: null });

const onSchedule = (place: Place) => ({
  recurrence: { kind: 'daily', hour: 6 },
  ...{ maxAgeHours: 20, callsPerHour: null, quiet: null, rules: [] },
  task: { kind: 'list', ...place, rows: 'all' },
});

const saidTo = <T>(said: Said | undefined) => said?.value as T;

/** In this order: each finds what those before it have left. */
const BUTTONS: Readonly<Record<string, Button>> = {
  'Add decisions': { asks: (place) => ['deals.decide', look(place)] },
  'It is still the cost': {
    asks: (place) => ['deals.keepBound', { ...place, role: 'cost' }],
    before: ({ grid, sheets }) => grid.write(sheets[0] ?? 0, 1, 2, [['My cost']]),
  },
  'Fill in new rows': {
    asks: () => ['list.fillInNewRows', {}],
    before: ({ grid, sheets }) => {
      const [sheetId = 0] = sheets;
      grid.write(sheetId, grid.size(sheetId).lastRow + 1, 1, [[ASINS[900] ?? '', 3]]);
    },
  },
  'Add clean ASINs': {
    asks: (_, choice) => ['list.showColumns', { ...choice, cleanAsins: true }],
  },
  'Sort by ROI': { asks: (place) => ['deals.sort', look(place)] },
  'Save a rule': { asks: () => ['deals.rules', { values: { minProfit: 4 } }] },
  'Make shopping list': { asks: (place) => ['deals.shop', look(place)] },
  'Mark as ordered': {
    asks: (place, _, earlier) => {
      const { lines } = saidTo<{ lines: readonly string[] }>(earlier.get('Make shopping list'));
      return ['deals.markOrdered', { ...look(place), lines }];
    },
  },
  'Make summary': { asks: (place) => ['deals.summarize', look(place)] },
  'New deal sheet': {
    asks: () => ['deals.newSheet', { kind: 'wholesale', hasSamples: false }],
  },
  'Save a schedule': {
    asks: (place) => ['schedule.save', { id: 's9', settings: onSchedule(place) }],
  },
  'Copy this sheet as values': { asks: () => ['list.copyAsValues', {}] },
  'Remove decisions': { asks: (place) => ['deals.remove', place] },
  'Bring it back': {
    asks: () => ['list.bringBackTab', {}],
    before: ({ grid }) => grid.deleteSheet(tabIn(grid) ?? 0),
  },
  Analyze: { asks: (_, choice) => ['jobs.start', choice], isInTwoWindows: true },
  Pause: {
    asks: (_place, _choice, earlier) => {
      const { status } = saidTo<{ status: { jobId: string } }>(earlier.get('Analyze'));
      return ['jobs.setState', { jobId: status.jobId, state: 'paused' }];
    },
  },
  Stop: {
    asks: (_place, _choice, earlier) => {
      const { status } = saidTo<{ status: { jobId: string } }>(earlier.get('Analyze'));
      return ['jobs.setState', { jobId: status.jobId, state: 'stopped' }];
    },
  },
  'Remove these columns': { asks: (place) => ['deals.removeColumns', place] },
};

/** Every sheet with its formulas, or the values where there are none; moments are left out. */
function shownIn({ grid }: Stage) {
  return grid.sheets().map(({ id, name }) => {
    const { lastRow, lastColumn } = grid.size(id);
    if (lastRow === 0) return [name];
    const area = { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn };
    const values = grid.values(id, area);
    const cells = grid
      .formulas(id, area)
      .map((row, down) => row.map((formula, at) => formula || momentless(values[down]?.[at])));
    return [name, ...cells.map((row) => row.join(' | '))];
  });
}

const momentless = (value: unknown) =>
  value instanceof Date
    ? 'a moment'
    : withoutMoments(String(value)).replace(/\d{4}-\d\d-\d\d[ T][\d:]+/g, 'a moment');

type Rpc = (method: string, payload: object) => ReturnType<RpcClient>;

async function press({ rpc }: Client, [method, payload]: Asked): Promise<Said> {
  const reply = await (rpc as unknown as Rpc)(method, payload);
  return reply.ok ? { kind: 'ok', value: reply.value } : { kind: reply.failure.kind };
}

/** @returns what was said to both and what the sheets show, after each button and after two firings. */
async function story(apartMs: number) {
  const stage = createStage(dist, 1, createRandom(1));
  const { host, grid } = stage;
  const { owner, colleague, made } = await prepare(stage);
  const [mine] = made;
  if (mine === undefined) throw new Error('There is no list.');
  const place = { sheetId: mine.choice.sheetId, listId: mine.listId };
  const problem = await passed(host, work(owner, mine.choice));
  const told = new Map<string, { readonly kinds: readonly string[]; readonly sheets: unknown }>();
  const earlier = new Map<string, Said>();
  const wrongs = [problem].flatMap((one) => one ?? []);
  for (const [name, { asks, before, isInTwoWindows }] of Object.entries(BUTTONS)) {
    before?.(stage);
    stage.view(place.sheetId);
    const asked = asks(place, mine.choice, earlier);
    const other = isInTwoWindows ? owner : colleague;
    const second = other.pause(apartMs).then(() => press(other, asked));
    const said = await passed(host, Promise.all([press(owner, asked), second]));
    const done = said.find(({ kind }) => kind === 'ok');
    if (done !== undefined) earlier.set(name, done);
    told.set(name, { kinds: said.map(({ kind }) => kind).sort(), sheets: shownIn(stage) });
    wrongs.push(...repeatedTitles(grid, place.sheetId));
  }
  const atMs = host.nowMs() + 2 * HOUR_MS;
  const fire = (ms: number) =>
    stage.start({ functionName: 'onSchedule', args: [], door: 'clock' }, 'onSchedule', ms);
  const ends = await passed(host, Promise.all([fire(atMs), fire(atMs + apartMs)]));
  told.set('two firings', { kinds: ends.map(({ ended }) => ended), sheets: shownIn(stage) });
  wrongs.push(...stage.wrongs, ...figuresAreTheProducts(grid, stage.service.callsOf));
  const calls = stage.service.calls.length;
  await host.stop();
  return { told, wrongs, calls };
}

it('of two people who press at the same moment, one works after the other', async () => {
  const inTurn = await story(MINUTE_MS);
  const together = await story(0);
  expect(together.wrongs).toEqual([]);
  for (const [name, said] of inTurn.told)
    expect([name, together.told.get(name)]).toEqual([name, said]);
  expect(together.calls).toBe(inTurn.calls);
}, 300_000);
