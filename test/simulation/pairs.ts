// Worlds in which two people run over one list with their own keys, in one spreadsheet or in a copy
// of it.

import type { HostOptions } from 'apps-script-host/host-contract';
import { createRandom, type Random, seedFrom } from 'apps-script-host/random';
import type { CellValue } from 'apps-script-host/sheet/model';
import type { PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { faultsOf, type Plan, type Truth, type WorldReport } from './bulk';
import {
  ASINS,
  BURST,
  type BulkWorld,
  CALLS_PER_SECOND,
  COLLEAGUE,
  connect,
  createBulkWorld,
  DOCUMENT,
  KEYS,
  OWNER,
  type Who,
} from './bulk-world';
import { type Habits, runSteps, type Story } from './person';
import { lostOrDoubled, tableOf, wrongsOf } from './verdict';

const SHEET = 0;
const COPY = 'copy';

/** Short calls, so that both runs overlap. */
const SLICE_MS_MAX = 8_000;

/** Answers that are stored together: what only an execution that was cut off knew. */
const UNKEPT_CALLS = 9 * CALLS_PER_SECOND;

export function twoPeople(dist: HostOptions['dist'], truth: Truth, seed: number): Plan {
  const name = `pair ${seed}`;
  return { name, run: () => played(name, dist, truth, seed) };
}

function played(name: string, dist: HostOptions['dist'], truth: Truth, seed: number): WorldReport {
  const random = createRandom(seedFrom(seed, 'pair'));
  const asins = ASINS.slice(0, random.integer(20, 300));
  const areApart = random.chance(0.5);
  // In two spreadsheets both may use the same key, with a single limit.
  const key = areApart && random.chance(0.5) ? KEYS[0] : KEYS[1];
  const world = createBulkWorld({ dist, seed, asins, faults: faultsOf(seed) });
  const grids = [world.grid, areApart ? copied(world) : world.grid];
  const people: readonly Who[] = [
    { userEmail: OWNER, documentId: DOCUMENT },
    { userEmail: COLLEAGUE, documentId: areApart ? COPY : DOCUMENT },
  ];
  for (const [at, who] of people.entries()) connect(world, at === 0 ? KEYS[0] : key, who);
  const stories = atOnce(world, people, random);
  const crashes = stories.reduce((sum, one) => sum + one.crashes, 0);
  const lost = world.faults.filter((fault) => fault.startsWith('after urlFetch')).length;
  const unkept = world.faults.filter((fault) => fault === 'before cache.putAll').length;
  const allowed = (crashes + unkept) * UNKEPT_CALLS + lost * BURST;
  // Answers are stored with the spreadsheet, so with one key each of the two asks for itself.
  const each = areApart && key === KEYS[0] ? 2 : 1;
  const repeated = [...world.callsWith.values()].reduce(
    (sum, calls) => sum + Math.max(0, calls - each),
    0,
  );
  const wrongs = [
    ...stories.flatMap(({ problem }, at) => (problem === null ? [] : [`${at}: ${problem}`])),
    ...[...new Set(grids)].flatMap((grid) => wrongsIn(grid, asins, truth)),
    ...(world.refused() > 0 ? [`the service refused ${world.refused()} calls`] : []),
    ...(repeated > allowed ? [`${repeated} calls were repeated, ${allowed} may be`] : []),
  ];
  return { name: `${name} (${areApart ? 'two spreadsheets' : 'one'})`, wrongs, repeated };
}

function copied({ host }: BulkWorld): PlainGrid {
  const copy = { id: COPY, name: 'Copy', ownerEmail: COLLEAGUE, editors: [] };
  return host.copyDocument(DOCUMENT, copy, true).model as PlainGrid;
}

/** Both take their next steps in random order until both have ended. */
function atOnce(world: BulkWorld, people: readonly Who[], random: Random): readonly Story[] {
  const stories: Story[] = [];
  const open = people.map((who, at) => {
    const rpc: BulkWorld['rpc'] = (method, payload, kill) => world.rpc(method, payload, kill, who);
    const killAt = random.chance(0.2) ? random.integer(1, 250) : 0;
    const killed = random.integer(1, 6);
    const habits: Habits = {
      killOf: (call) => (call === killed && killAt > 0 ? { killAtCall: killAt } : {}),
      absenceMs: () => 0,
      sliceMs: random.integer(2_000, SLICE_MS_MAX),
    };
    return { at, steps: runSteps({ host: world.host, rpc }, habits) };
  });
  while (open.length > 0) {
    const place = random.integer(0, open.length - 1);
    const one = open[place];
    const next = one?.steps.next();
    if (one === undefined || next?.done !== true) continue;
    stories[one.at] = next.value;
    open.splice(place, 1);
  }
  return stories;
}

function wrongsIn(grid: PlainGrid, asins: readonly string[], truth: Truth): readonly string[] {
  const table = tableOf({ grid, sheetId: SHEET });
  const none = { renamed: new Map(), typed: new Set<string>(), typedOver: new Set<string>() };
  const there = new Map(asins.map((asin) => [asin, 1]));
  const expected = { truth, ...none, handled: new Set<CellValue>() };
  return [...wrongsOf(table, expected), ...lostOrDoubled(table, 'ASIN', there)];
}
