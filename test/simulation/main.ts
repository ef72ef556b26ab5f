// What `npm run simulate` runs: seeded worlds in virtual time, each judged at its end.

import { parseArgs } from 'node:util';
import type { HostOptions } from 'apps-script-host/host-contract';
import buildOnce, { BUILT, distIn } from '../build-once';
import { atOnce, closeThreads } from './at-once';
import { amongPeople, killedEverywhere, type Plan, twoPeople, type WorldReport } from './bulk';
import { playEndurance } from './endurance/endurance';
import { SCENARIOS } from './faults/scenarios';
import { type FaultAt, type Happening, sweep, sweptWords, wordsOf } from './faults/sweep';
import { oddService } from './odd-services';
import { playMany } from './own-rows/many';
import { summaryOf } from './own-rows/summary';
import { month } from './schedule/month';
import { sweepLaws } from './windows/play';

const HELP = `npm run simulate -- bulk | people | schedule | endurance | faults | kills | services | windows [options]

  bulk        jobs over lists, driven by the page's own loop: cut off at every service call, among people
              who are always at work in the list and in the Analysis tab ("people"), of two people at
              once, over one list or a copy of it ("pair"), and beside formulas, a schedule, Add decisions
              and a colleague's job, in executions that overlap and are cut off ("at once")
  people      one person in a list with decisions who cuts, drags, shifts, sorts, copies and pastes cells, alone
              or between the calls of a job; after each act every cell is worked out anew
  schedule    months of hourly firings: late, missed and doubled ones, cut off at any call, without
              permission, service or spreadsheet, across the days on which clocks are changed
  endurance   one long time of a team: ten schedules over lists that thirty people change, keys that come
              and go, more spreadsheets than Google gives triggers; the largest of everything that is
              kept and used, beside its bound
  faults      passing faults of Google's services: each call of each door fails, before it took effect or
              after it, once and twice in a row
  kills       each execution that works on the sheet is cut off at each call that it makes under the
              lease, before and after its effect, and whoever wanted it does it once more
  services    jobs with services as they are: outages, single refusals, products that are never answered or
              always rejected, limits that change; every run ends within two calls for each product
  windows     laws under which a key is used (its limit, how the service counts, the way, clocks, stores,
              locks, a cache that forgets, who calls) on the gate itself: whether any window holds more
              calls than were granted
  --runs N    bulk: worlds of each of the last three kinds; schedule: months; services: worlds (default 200);
              windows: laws; people: worlds (default 10000 of both)
  --seed S    the first seed (default 1)
  --days N    schedule: days of a month (default 30); endurance: days in all (default 60)
  --rows N    endurance: rows of all lists (default 50000)
  --only T    only worlds whose name begins so, such as "people 17", "cut off", "month 3", "jobs.ask",
              "a fresh cell"
  --call N    faults, kills: only at this call
  --every N   faults, kills: only each so many of all (default 1)
  --help      prints this

Ends with "N worlds, 0 broken", or with the broken ones' names and exit code 1; endurance ends with "All
bounds kept", or with exit code 1 where a figure is marked OVER.`;

/** Limits of what is printed: errors for each broken world, and broken worlds. */
const WRONGS_SHOWN = 6;
const BROKEN_SHOWN = 20;

const DAYS_MIN = 4;

/** Subjects whose worlds take no longer than moments. */
const MANY = ['windows', 'people'];

type Dist = HostOptions['dist'];

interface Wish {
  readonly runs: number;
  readonly seed: number;
  readonly days: number;
  readonly rows: number;
  readonly only: string;
  readonly call: number | null;
  readonly every: number;
}

/** Each returns whether all is well. */
const SUBJECTS: Readonly<Record<string, (dist: Dist, wish: Wish) => Promise<boolean>>> = {
  bulk: async (dist, wish) =>
    play(wish, [
      ...(await killedEverywhere(dist)),
      ...seeds(wish).map((seed) => amongPeople(dist, seed)),
      ...seeds(wish).map((seed) => twoPeople(dist, seed)),
      ...seeds(wish).map((seed) => atOnce(dist, seed)),
    ]).finally(closeThreads),
  schedule: (dist, wish) =>
    play(
      wish,
      seeds(wish).map((seed) => month(dist, seed, wish.days)),
    ),
  people,
  endurance,
  faults: (dist, wish) => sweepDoors(dist, 'faults', wish),
  kills: (dist, wish) => sweepDoors(dist, 'kills', wish),
  services: (dist, wish) =>
    play(
      wish,
      seeds(wish).map((seed) => oddService(dist, seed)),
    ),
  windows,
};

const seeds = ({ runs, seed }: Wish) => Array.from({ length: runs }, (_, at) => seed + at);

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      runs: { type: 'string' },
      seed: { type: 'string', default: '1' },
      days: { type: 'string' },
      rows: { type: 'string', default: '50000' },
      only: { type: 'string', default: '' },
      call: { type: 'string' },
      every: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  const [subject = ''] = positionals;
  const wish: Wish = {
    runs: Number(values.runs ?? (MANY.includes(subject) ? 10_000 : 200)),
    seed: Number(values.seed),
    days: Number(values.days ?? (subject === 'endurance' ? 60 : 30)),
    rows: Number(values.rows),
    only: values.only,
    call: values.call === undefined ? null : Number(values.call),
    every: Number(values.every),
  };
  const daysMin = subject === 'endurance' ? 1 : DAYS_MIN;
  const numbers = [wish.runs, wish.seed, wish.days, wish.rows, wish.call ?? 1, wish.every];
  const isFit = numbers.every((one) => Number.isInteger(one) && one >= 0) && wish.days >= daysMin;
  const simulate = SUBJECTS[subject];
  if (values.help || simulate === undefined || !isFit) {
    console.log(HELP);
    process.exitCode = values.help ? 0 : 1;
    return;
  }
  buildOnce();
  process.exitCode = (await simulate(distIn(BUILT), wish)) ? 0 : 1;
}

function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${text} `);
}

const secondsSince = (beginMs: number) => Math.round((Date.now() - beginMs) / 1_000);

async function people(_dist: Dist, wish: Wish): Promise<boolean> {
  const beginMs = Date.now();
  const seen = await playMany(seeds(wish), (at) => showProgress(`${at} of ${wish.runs}`));
  const { text, isKept } = summaryOf(seen);
  console.log(`${text} (${secondsSince(beginMs)} s)`);
  return isKept;
}

async function play({ only }: Wish, plans: readonly Plan[]): Promise<boolean> {
  const beginMs = Date.now();
  const chosen = plans.filter(({ name }) => name.startsWith(only));
  let [broken, calls, told] = [0, 0, 0];
  for (const [at, plan] of chosen.entries()) {
    const report = await reportOf(plan);
    calls += report.calls;
    if (report.isTold === true) told += 1;
    if (report.wrongs.length > 0) broken += 1;
    if (report.wrongs.length > 0 && broken <= BROKEN_SHOWN)
      console.log(`${report.name}:\n  ${report.wrongs.slice(0, WRONGS_SHOWN).join('\n  ')}`);
    showProgress(`${at + 1} of ${chosen.length}`);
  }
  if (told > 0)
    console.log(`In ${told}, people were told of cells to compare: columns moved there.`);
  console.log(
    `${chosen.length} worlds, ${broken} broken; ${calls} calls (${secondsSince(beginMs)} s)`,
  );
  return broken === 0 && chosen.length > 0;
}

async function reportOf(plan: Plan): Promise<WorldReport> {
  try {
    return await plan.run();
  } catch (error) {
    return { name: plan.name, wrongs: [String(error)], calls: 0 };
  }
}

async function sweepDoors(
  dist: Dist,
  happening: Happening,
  { only, call, every }: Wish,
): Promise<boolean> {
  const scenarios = SCENARIOS.filter(({ name }) => name.startsWith(only));
  const isMeant = (fault: FaultAt, place: number) =>
    place % every === 0 && (call === null || fault.call === call);
  const swept = sweep(dist, scenarios, happening, isMeant, (judged, place) => {
    if (judged.wrongs.length > 0) console.log(wordsOf(judged));
    showProgress(String(place));
  });
  console.log(sweptWords(swept, happening));
  return swept.broken.length === 0 && swept.worlds > 0;
}

async function endurance(dist: Dist, { seed, days, rows }: Wish): Promise<boolean> {
  const beginMs = Date.now();
  const { isKept, lines } = await playEndurance({ dist, seed, days, rows }, (day) =>
    showProgress(`day ${day + 1} of ${days}`),
  );
  console.log(lines.join('\n'));
  console.log(`${isKept ? 'All bounds kept' : 'Bounds are broken'} (${secondsSince(beginMs)} s)`);
  return isKept;
}

async function windows(_dist: Dist, { runs, seed }: Wish): Promise<boolean> {
  const beginMs = Date.now();
  const { sent, dropped, broken } = sweepLaws(seed, runs);
  for (const line of broken.slice(0, BROKEN_SHOWN)) console.log(line);
  console.log(`${sent} calls were sent; slots of ${dropped} were reached too late and not used.`);
  console.log(`${runs} laws, ${broken.length} broken (${secondsSince(beginMs)} s)`);
  return broken.length === 0 && sent > 0;
}

void main();
