// Two people press the same button at the same moment, for each that works on the sheet under the lease. What
// stands there afterwards is what stands there when one of them presses a minute after the other.

import { afterAll, expect, it } from '@jest/globals';
import { createRandom } from 'apps-script-host/random';
import { passed } from '../../bench/page-job';
import type { RpcClient } from '../../src/sidebar/page/ui/rpc-client';
import { BUILT, distIn } from '../build-once';
import {
  type Client,
  closeThreads,
  createStage,
  granted,
  prepare,
  repeatedTitles,
  work,
} from './at-once';
import { figuresAreTheProducts } from './laws';
import { ASINS } from './service';

const dist = distIn(BUILT);

afterAll(closeThreads);

const MINUTE_MS = 60_000;

type Stage = ReturnType<typeof createStage>;
type Asked = readonly [method: string, payload: object];

/** What the first list is called by. */
type Place = { readonly sheetId: number; readonly listId: string };

interface Button {
  readonly asks: (place: Place, choice: object) => Asked;
  /** What a person does in the sheet before. */
  readonly before?: (stage: Stage) => void;
}

const look = (list: Place) => ({ list, market: null, cost: null });

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
  'Make summary': { asks: (place) => ['deals.summarize', look(place)] },
  'Make shopping list': { asks: (place) => ['deals.shop', look(place)] },
  'New deal sheet': {
    asks: () => ['deals.newSheet', { kind: 'wholesale', hasSamples: false }],
  },
  'Remove decisions': { asks: (place) => ['deals.remove', place] },
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
    : String(value).replace(/\d{4}-\d\d-\d\d[ T][\d:]+/g, 'a moment');

type Rpc = (method: string, payload: object) => ReturnType<RpcClient>;

const press = ({ rpc }: Client, [method, payload]: Asked) =>
  granted((rpc as unknown as Rpc)(method, payload) as Promise<never>);

/** @returns what the sheets show after each button. */
async function story(apartMs: number) {
  const stage = createStage(dist, 1, createRandom(1));
  const { host, grid } = stage;
  const { owner, colleague, made } = await prepare(stage);
  const [mine] = made;
  if (mine === undefined) throw new Error('There is no list.');
  const place = { sheetId: mine.choice.sheetId, listId: mine.listId };
  const problem = await passed(host, work(owner, mine.choice));
  const shown = new Map<string, readonly (readonly string[])[]>();
  const wrongs = [problem].flatMap((one) => one ?? []);
  for (const [name, { asks, before }] of Object.entries(BUTTONS)) {
    before?.(stage);
    stage.view(place.sheetId);
    const asked = asks(place, mine.choice);
    const second = colleague.pause(apartMs).then(() => press(colleague, asked));
    await passed(host, Promise.all([press(owner, asked), second]));
    shown.set(name, shownIn(stage));
    wrongs.push(...repeatedTitles(grid, place.sheetId));
  }
  wrongs.push(...stage.wrongs, ...figuresAreTheProducts(grid, stage.service.callsOf));
  await host.stop();
  return { shown, wrongs };
}

it('of two people who press at the same moment, one works after the other', async () => {
  const inTurn = await story(MINUTE_MS);
  const together = await story(0);
  expect(together.wrongs).toEqual([]);
  for (const [name, sheets] of inTurn.shown)
    expect([name, together.shown.get(name)]).toEqual([name, sheets]);
}, 300_000);
