// Everything at once in one spreadsheet: a run over a list and a colleague's over another, a schedule, Add
// decisions, Fill in new rows, rules, another schedule, and formulas. Executions overlap here, and some are
// cut off under a lease.

import { calculating } from 'apps-script-host/calculation';
import { createHost, type Execution, type HostOptions, type Outcome } from 'apps-script-host/host';
import { createRandom, type Random, seedFrom } from 'apps-script-host/random';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createPlainGrid, type PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { createThreadStock } from 'apps-script-host/thread-pool';
import { passed } from '../../bench/page-job';
import type { Choice } from '../../src/sidebar/api/jobs';
import { isOver } from '../../src/sidebar/page/ui/texts';
import { COLLEAGUE, DOCUMENT, KEYS, type Kill, OWNER, QUOTA } from './book';
import type { Plan, WorldReport } from './bulk';
import {
  figuresAreTheProducts,
  limitIsKept,
  nothingIsAskedTwice,
  rowsAreAnswered,
  wordsAreOurs,
} from './laws';
import { type Page, pageOver } from './page';
import { type SeenRow, seenRows } from './seen';
import { ASINS, BASE_URL, createService } from './service';

type Dist = HostOptions['dist'];

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** A list with the person's costs; the cells beside a product name it. */
const listOf = (asins: readonly string[]): readonly (readonly CellValue[])[] => [
  ['ASIN', 'Cost'],
  ...asins.map((asin, at) => [asin, 2 + (at % 7)]),
];

/** What works on the sheet under a lease, each with a number of calls of Google's that it makes at least. */
const LEASED = [
  ['jobs.start', 90],
  ['jobs.record', 25],
  ['deals.decide', 300],
  ['list.fillInNewRows', 30],
  ['deals.rules', 100],
  ['schedule.save', 20],
  ['onSchedule', 60],
] as const;

/** Three worlds of four have executions that are cut off, each once. */
function killsOf(random: Random) {
  const count = random.pick([0, 1, 2, 3]);
  const left = new Map<string, Kill>();
  for (let number = 0; number < count; number += 1) {
    const [name, most] = random.pick(LEASED);
    const at = random.integer(3, most);
    left.set(name, random.chance(0.5) ? { killAtCall: at } : { killAfterCall: at });
  }
  return {
    isCalm: count === 0,
    next(name: string): Kill | undefined {
      const kill = left.get(name);
      left.delete(name);
      return kill;
    },
  };
}

/** The worlds come one after the other, and a new thread loads the add-on anew. */
const threads = createThreadStock();
export const closeThreads = threads.close;

/** A world whose executions overlap. */
export function atOnce(dist: Dist, seed: number): Plan {
  const name = `at once ${seed}`;
  return { name, run: async () => ({ name, ...(await play(dist, seed)) }) };
}

/** Three lists, two people and their pages, on a host whose executions overlap. */
export function createStage(dist: Dist, seed: number, random: Random) {
  const service = createService({
    keys: Object.fromEntries(KEYS.map((key) => [key, QUOTA])),
    isLost: () => false,
  });
  const own = ASINS.slice(500, 500 + random.integer(12, 40));
  const lists = [own, ASINS.slice(600, 600 + random.integer(8, 25)), ASINS.slice(700, 712)];
  const grid = createPlainGrid({ maxRows: 120, maxColumns: 30 });
  const sheets = lists.map((asins, at) => {
    const sheetId = at === 0 ? 0 : grid.addSheet(at === 1 ? 'Theirs' : 'Weekly', at);
    grid.write(sheetId, 1, 1, listOf(asins));
    return sheetId;
  });
  const model = { id: DOCUMENT, name: 'Products', ownerEmail: OWNER, editors: [COLLEAGUE] };
  const host = createHost({
    ...{ dist, seed, clock: 'virtual', sheetsFailUnderLock: true },
    internet: service.internet,
    documents: [{ ...model, model: grid }],
    threads,
  });
  calculating(grid, { nowMs: host.nowMs });
  const wrongs: string[] = [];
  const killed = killsOf(random);
  /** Those that asked the service may have lost a wave; the others only write what is kept. */
  let [isCalm, kills, asking] = [true, 0, 0];
  async function start(execution: Execution, name: string, atMs?: number): Promise<Outcome> {
    const kill = isCalm ? undefined : killed.next(name);
    const outcome = await host.start({ ...execution, ...kill }, atMs);
    if (outcome.ended === 'returned') return outcome;
    if (kill === undefined)
      wrongs.push(`${name} ended: ${outcome.ended}, ${outcome.error.message}`);
    else {
      kills += 1;
      if (name === 'onSchedule') asking += 1;
    }
    return outcome;
  }
  const open = (userEmail: string): Omit<Page, 'close'> =>
    pageOver({
      nowMs: host.nowMs,
      pause: (ms) => new Promise((wake) => host.at(host.nowMs() + ms, wake)),
      send(method, payload, hear) {
        const args = [method, payload];
        void start({ functionName: 'rpc', args, door: 'sidebar', userEmail }, method).then(hear);
      },
    });
  const view = (sheetId: number) =>
    grid.select({ sheetId, rectangle: { row: 1, column: 1, rowCount: 1, columnCount: 1 } });
  return {
    ...{ service, lists, sheets, grid, host, wrongs, killed, start, open, view },
    kills: () => kills,
    askingKills: () => asking,
    /** From now on executions may be cut off, or no longer. */
    setCalm: (is: boolean) => {
      isCalm = is;
    },
  };
}

type Stage = ReturnType<typeof createStage>;
export type Client = Omit<Page, 'close'>;

/** A call of a page that gives a value. */
async function granted<Value>(
  reply: Promise<
    { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly failure: object }
  >,
): Promise<Value> {
  const got = await reply;
  if (!got.ok) throw new Error(JSON.stringify(got.failure));
  return got.value;
}

/** Two people with keys, three lists with columns, and a schedule over the last. */
export async function prepare({ host, sheets, view, open }: Stage) {
  const [owner, colleague] = [open(OWNER), open(COLLEAGUE)];
  const draft = { baseUrl: BASE_URL, quota: QUOTA };
  const done = <T>(work: Promise<T>) => passed(host, work);
  await done(
    granted(
      owner.rpc('connection.save', { ...draft, apiKey: KEYS[0], sharing: 'spreadsheet' } as never),
    ),
  );
  await done(
    granted(
      colleague.rpc('connection.save', { ...draft, apiKey: KEYS[1], sharing: 'me' } as never),
    ),
  );
  const made: { choice: Choice; listId: string }[] = [];
  for (const [at, sheetId] of sheets.entries()) {
    view(sheetId);
    const { choice } = await done(granted(owner.rpc('list.look', {})));
    if (choice === null) throw new Error('No list was found.');
    made.push({ choice, listId: '1' });
    // The colleague's list gets its columns while everything else is under way.
    if (at === 1) continue;
    const { status } = await done(granted(owner.rpc('jobs.start', choice)));
    await done(granted(owner.rpc('jobs.setState', { jobId: status.jobId, state: 'stopped' })));
  }
  const [, , weekly] = made;
  const settings = {
    recurrence: { kind: 'hourly' },
    ...{ maxAgeHours: 20, callsPerHour: null, quiet: null, rules: [] },
    task: {
      kind: 'list',
      sheetId: weekly?.choice.sheetId,
      listId: weekly?.listId,
      ...{ rows: 'all' },
    },
  };
  await done(granted(owner.rpc('schedule.save', { id: 's1', settings } as never)));
  view(sheets[0] ?? 0);
  return { owner, colleague, made, settings };
}

const TRIES_MAX = 40;

/** Works on a list until its job is over. Another's job, and what was cut off, is waited for. */
export async function work(page: Client, choice: Choice): Promise<string | null> {
  let problem = '';
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const begun = await page.loop.start(choice);
    if (begun.ok) {
      await page.worked();
      const status = page.status();
      if (status !== null && isOver(status)) return null;
      problem = status?.problem?.message ?? page.told.at(-1) ?? '';
    } else problem = `${begun.failure.kind}: ${begun.failure.message}`;
    await page.pause(15 * SECOND_MS);
  }
  return problem;
}

/** Tries until it is done. */
async function insist(page: Client, call: () => Promise<{ readonly ok: boolean }>) {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const reply = await call();
    if (reply.ok) return null;
    if (tries === TRIES_MAX - 1) return JSON.stringify(reply);
    await page.pause(5 * SECOND_MS);
  }
  return null;
}

/** Single formulas, and some over several products; a few of the products are in the lists. */
function typeFormulas({ host, lists, start }: Stage, random: Random) {
  const products = [...ASINS.slice(800, 860), ...(lists[0] ?? []), ...(lists[1] ?? [])];
  const some = (count: number) =>
    Array.from({ length: count }, () => [random.pick(products)] as const);
  return Array.from({ length: random.integer(6, 14) }, (_, at) => {
    const [[asin = ''] = []] = some(1);
    const argument = random.chance(0.2) ? some(random.integer(2, 12)) : asin;
    const args = [argument, 'US', 'profit'];
    const atMs = host.nowMs() + at * 3 * SECOND_MS + random.integer(0, 2_000);
    return start({ functionName: 'ANALYZE', args, door: 'cell' }, 'cell', atMs);
  });
}

/** Cells that show no figure. */
function unanswered(cells: readonly Outcome[]): readonly string[] {
  return cells.flatMap(({ value, startedMs, endedMs }, at) => {
    const shown = [value].flat(2);
    // A product without a profit has a blank one.
    const isFigure = shown.every((one) => typeof one === 'number' || one === null);
    return isFigure
      ? []
      : [`cell ${at} shows ${JSON.stringify(shown)} (${endedMs - startedMs} ms)`];
  });
}

/** Beside a list with decisions, whose columns may be blank. */
function rowsWithoutAnswer(seen: readonly SeenRow[]): readonly number[] {
  const isAnswered = ({ status }: SeenRow) => status === 'OK' || status === 'Not found';
  const answered = new Set(seen.filter(isAnswered).map(({ row }) => row));
  return [...new Set(seen.map(({ row }) => row))].filter((row) => !answered.has(row));
}

/** Columns of ours that stand beside a list twice: the second ones' titles say what tells them apart. */
export function repeatedTitles(grid: PlainGrid, sheetId: number): readonly string[] {
  const { lastColumn } = grid.size(sheetId);
  const head = { row: 1, column: 1, rowCount: 1, columnCount: lastColumn };
  const [titles = []] = grid.values(sheetId, head);
  return titles.map(String).filter((title) => /\((?:analyzed|deal)/.test(title));
}

/** Tabs of ours that were made twice: "Deal rules 2". */
const repeatedTabs = (grid: PlainGrid): readonly string[] =>
  grid
    .sheets()
    .map(({ name }) => name)
    .filter((name) => / \d+$/.test(name));

async function play(dist: Dist, seed: number): Promise<Omit<WorldReport, 'name'>> {
  const random = createRandom(seedFrom(seed, 'at once'));
  const stage = createStage(dist, seed, random);
  const { host, grid, service, sheets, wrongs, killed } = stage;
  const { owner, colleague, made, settings } = await prepare(stage);
  const [mine, theirs] = made;
  if (mine === undefined || theirs === undefined) throw new Error('There are no lists.');
  await host.run(Math.ceil(host.nowMs() / HOUR_MS) * HOUR_MS + SECOND_MS);
  stage.setCalm(false);
  const cells = typeFormulas(stage, random);
  const clock = stage.start(
    { functionName: 'onSchedule', args: [], door: 'clock' },
    'onSchedule',
    host.nowMs() + random.integer(0, 20) * SECOND_MS,
  );
  const list = { sheetId: mine.choice.sheetId, listId: mine.listId };
  const look = { list, market: null, cost: null };
  const decide = (page: Client) => () => page.rpc('deals.decide', look);
  const rule = (page: Client, values: object) => () => page.rpc('deals.rules', { values });
  const fill = () => owner.rpc('list.fillInNewRows', {});
  const after = async <T>(page: Client, ms: number, act: () => Promise<T>) => {
    await page.pause(ms);
    return act();
  };
  const within = (seconds: number) => random.integer(SECOND_MS, seconds * SECOND_MS);
  // Two people press the same button.
  const decideMs = within(10);
  const newRow = grid.size(sheets[0] ?? 0).lastRow + 1;
  const stories = await passed(
    host,
    Promise.all([
      work(owner, mine.choice),
      after(colleague, within(5), () => work(colleague, theirs.choice)),
      after(owner, decideMs, () => insist(owner, decide(owner))),
      after(colleague, decideMs + within(3), () => insist(colleague, decide(colleague))),
      after(owner, within(20), () => {
        grid.write(sheets[0] ?? 0, newRow, 1, [[ASINS[900] ?? '', 3]]);
        return insist(owner, fill);
      }),
      // Each changes another rule, and neither change may be lost.
      after(owner, within(15), () => insist(owner, rule(owner, { minProfit: 4 }))),
      after(colleague, within(15), () => insist(colleague, rule(colleague, { minRoi: 0.25 }))),
      after(colleague, within(20), () =>
        insist(colleague, () => colleague.rpc('schedule.save', { id: 's2', settings } as never)),
      ),
    ]),
  );
  await passed(host, clock);
  const shown = await passed(host, Promise.all(cells));
  stage.setCalm(true);
  const told = [...owner.told, ...colleague.told];
  // What was added late, and what a schedule left, is there a few hours later.
  await host.run(host.nowMs() + 2 * HOUR_MS);
  const rest = await passed(
    host,
    Promise.all([work(owner, mine.choice), insist(owner, fill), insist(owner, decide(owner))]),
  );
  const seen = seenRows(grid, sheets[0] ?? 0).filter(({ text }) => text !== '');
  const shownList = await passed(
    host,
    granted(owner.rpc('deals.look', { ...look, shows: 'totals' })),
  );
  const rules = shownList.look?.rules?.inUse;
  const { schedules } = await passed(host, granted(owner.rpc('schedule.look', {})));
  const undecided = seen.filter(({ own }) => !/^\w/.test(String(own.Verdict ?? '')));
  await host.stop();
  return {
    calls: service.calls.length,
    wrongs: [
      ...wrongs,
      ...[...stories, ...rest].flatMap((problem) => problem ?? []),
      ...(killed.isCalm ? told : wordsAreOurs(told)),
      ...unanswered(shown),
      ...sheets.slice(1).flatMap((id) => rowsAreAnswered(grid, id, service.callsOf)),
      ...rowsWithoutAnswer(seen).map((row) => `row ${row} has no answer`),
      ...undecided.map(({ row, own }) => `row ${row} has the verdict "${own.Verdict}"`),
      ...(rules?.minProfit === 4 && rules.minRoi === 0.25 ? [] : ['a rule is lost']),
      ...(schedules.length === 2 ? [] : [`there are ${schedules.length} schedules`]),
      ...sheets.flatMap((id) => repeatedTitles(grid, id)),
      // An execution that was cut off may have left a tab without names.
      ...(stage.kills() === 0 ? repeatedTabs(grid) : []),
      ...figuresAreTheProducts(grid, service.callsOf),
      ...limitIsKept({ service }),
      ...nothingIsAskedTwice({ service }, QUOTA, { kills: stage.askingKills(), faults: [] }),
    ],
  };
}
