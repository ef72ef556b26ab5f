// What `npm run simulate` runs: seeded worlds in virtual time, each judged at its end.

import { parseArgs } from 'node:util';
import type { HostOptions } from 'apps-script-host/host-contract';
import buildOnce, { BUILT, distIn } from '../build-once';
import { interleaved, killedAmongPeople, killedEverywhere, learnTruth, type Plan } from './bulk';
import { type EndurancePlan, playEndurance } from './endurance/endurance';
import { SCENARIOS } from './faults/scenarios';
import { type FaultAt, sweep, sweptWords, wordsOf } from './faults/sweep';
import { twoPeople } from './pairs';
import { playMonth } from './schedule/month';
import { upheaval } from './upheavals';
import { sweepLaws } from './windows/play';

const HELP = `npm run simulate -- bulk | schedule | endurance | faults | windows [options]

  bulk        runs over lists: cut off at every service call (300 rows, one world each), cut off among
              busy people (2,000 rows), and short lists in which people are always at work: on rows,
              headers and names ("rows"), whenever chance has it, and on columns as well ("columns"),
              there with a second before and after in which nobody does anything else; where the run
              says that it could not put everything back, that is counted by itself; "hands" in which
              they paste products over others, type over figures and empty them, filter, and undo;
              "upheaval" in which a column or all cells are deleted, the tab too, or a copy is made;
              "pair" in which two people run over one list, in one spreadsheet or in two
  schedule    months of hourly firings: late, missed and doubled ones, cut off at any call, without
              permission, service or spreadsheet, across the days on which clocks are changed; in some
              formulas share the key, in some a scheduled tab is deleted or cleared and may come back
  endurance   one long time of a team: ten schedules over lists that thirty people change, keys that come
              and go, more spreadsheets than Google gives triggers; the largest of everything that is
              kept and used, beside its bound
  faults      passing faults of Google's services: each call of each door fails, before it took effect or
              after it, once and twice in a row
  windows     laws under which a key is used (its limit, how the service counts, the way, clocks, stores,
              locks, a cache that forgets, who calls) on the gate itself: whether any window holds more
              calls than were granted
  --runs N    bulk: worlds of each of the last five kinds, and a fiftieth of it of the second;
              schedule: months (default 200);
              windows: laws (default 10000)
  --seed S    the first seed (default 1)
  --days N    schedule: days of a month (default 30); endurance: days in all (default 60)
  --rows N    endurance: rows of all lists (default 50000)
  --only T    only worlds whose name begins so, such as "rows 17", "columns", "hands", "cut off", "long",
              "month 3", "bulk.run", "a fresh cell"
  --call N    faults: only at this call
  --every N   faults: only each so many of all (default 1)
  --help      prints this

Ends with "N worlds, 0 broken", or with the broken ones' names and exit code 1; endurance ends with "All
bounds kept", or with exit code 1 where a figure is marked OVER.`;

/** Limits of what is printed: errors for each broken world, and broken worlds. */
const WRONGS_SHOWN = 6;
const BROKEN_SHOWN = 20;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      runs: { type: 'string' },
      seed: { type: 'string', default: '1' },
      days: { type: 'string' },
      rows: { type: 'string', default: '50000' },
      only: { type: 'string', default: '' },
      call: { type: 'string', default: '' },
      every: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  const [subject = ''] = positionals;
  const days = Number(values.days ?? (subject === 'endurance' ? 60 : 30));
  const runs = Number(values.runs ?? (subject === 'windows' ? 10_000 : 200));
  const [seed, rows] = [Number(values.seed), Number(values.rows)];
  const daysMin = subject === 'endurance' ? 1 : 4;
  const isFit = [runs, seed, days, rows].every(Number.isInteger) && runs >= 0 && days >= daysMin;
  if (subject === 'faults' && !values.help) {
    await sweepFaults(values.only, values.call, Number(values.every));
    return;
  }
  if (subject === 'endurance' && !values.help && isFit) {
    await endure({ seed, days, rows });
    return;
  }
  if (subject === 'windows' && !values.help && isFit) {
    playLaws(runs, seed);
    return;
  }
  if (values.help || !(subject in PLANS) || !isFit) {
    console.log(HELP);
    process.exitCode = values.help ? 0 : 1;
    return;
  }
  const beginMs = Date.now();
  const plans = await plansFor(subject as keyof typeof PLANS, { runs, seed, days });
  const chosen = plans.filter(({ name }) => name.startsWith(values.only));
  const broken = judge(chosen);
  const seconds = Math.round((Date.now() - beginMs) / 1_000);
  console.log(`${chosen.length} worlds, ${broken} broken (${seconds} s)`);
  process.exitCode = broken === 0 && chosen.length > 0 ? 0 : 1;
}

async function sweepFaults(only: string, call: string, every: number): Promise<void> {
  const scenarios = SCENARIOS.filter(({ name }) => name.startsWith(only));
  const isMeant = (fault: FaultAt, place: number) =>
    place % every === 0 && (call === '' || fault.call === Number(call));
  const swept = sweep(builtDist(), scenarios, isMeant, (judged, place) => {
    if (judged.wrongs.length > 0) console.log(wordsOf(judged));
    if (process.stderr.isTTY) process.stderr.write(`\r${place} `);
  });
  console.log(sweptWords(swept));
  process.exitCode = swept.broken.length === 0 && swept.worlds > 0 ? 0 : 1;
}

async function endure(wish: Pick<EndurancePlan, 'seed' | 'days' | 'rows'>): Promise<void> {
  const beginMs = Date.now();
  const dist = builtDist();
  const { isKept, lines } = playEndurance({ dist, ...wish }, (day) => {
    if (process.stderr.isTTY) process.stderr.write(`\rday ${day + 1} of ${wish.days} `);
  });
  if (process.stderr.isTTY) process.stderr.write('\r');
  console.log(lines.join('\n'));
  const seconds = Math.round((Date.now() - beginMs) / 1_000);
  console.log(`${isKept ? 'All bounds kept' : 'Bounds are broken'} (${seconds} s)`);
  process.exitCode = isKept ? 0 : 1;
}

function playLaws(runs: number, seed: number): void {
  const beginMs = Date.now();
  const { sent, dropped, broken } = sweepLaws(seed, runs);
  for (const line of broken.slice(0, BROKEN_SHOWN)) console.log(line);
  const seconds = Math.round((Date.now() - beginMs) / 1_000);
  console.log(`${sent} calls were sent; slots of ${dropped} were reached too late and not used.`);
  console.log(`${runs} laws, ${broken.length} broken (${seconds} s)`);
  process.exitCode = broken.length === 0 && sent > 0 ? 0 : 1;
}

type Dist = HostOptions['dist'];

interface Wish {
  readonly runs: number;
  readonly seed: number;
  readonly days: number;
}

const PLANS = {
  bulk: (dist: Dist, { runs, seed }: Wish): readonly Plan[] => {
    const truth = learnTruth(dist);
    return [
      ...killedEverywhere(dist, truth),
      ...seeds(Math.ceil(runs / 50), seed).map((one) => killedAmongPeople(dist, truth, one)),
      ...seeds(runs, seed).map((one) => interleaved(dist, truth, 'rows', one)),
      ...seeds(runs, seed).map((one) => interleaved(dist, truth, 'columns', one)),
      ...seeds(runs, seed).map((one) => interleaved(dist, truth, 'hands', one)),
      ...seeds(runs, seed).map((one) => upheaval(dist, truth, one)),
      ...seeds(runs, seed).map((one) => twoPeople(dist, truth, one)),
    ];
  },
  schedule: (dist: Dist, { runs, seed, days }: Wish): readonly Plan[] =>
    seeds(runs, seed).map((one) => ({
      name: `month ${one}`,
      run: () => playMonth(dist, one, days),
    })),
};

const seeds = (count: number, first: number) =>
  Array.from({ length: count }, (_, at) => first + at);

const plansFor = async (subject: keyof typeof PLANS, wish: Wish) =>
  PLANS[subject](builtDist(), wish);

function builtDist(): Dist {
  buildOnce();
  return distIn(BUILT);
}

function judge(plans: readonly Plan[]): number {
  let broken = 0;
  let mostRepeated = 0;
  let told = 0;
  plans.forEach((plan, at) => {
    const { name, wrongs, repeated, isTold } = outcomeOf(plan);
    if (isTold === true) told += 1;
    mostRepeated = Math.max(mostRepeated, repeated);
    if (wrongs.length > 0) {
      broken += 1;
      if (broken <= BROKEN_SHOWN)
        console.log(`${name}:\n  ${wrongs.slice(0, WRONGS_SHOWN).join('\n  ')}`);
    }
    if (process.stderr.isTTY) process.stderr.write(`\r${at + 1} of ${plans.length} `);
  });
  if (process.stderr.isTTY) process.stderr.write('\r');
  console.log(`At most ${mostRepeated} calls were repeated in a world.`);
  if (told > 0)
    console.log(`In ${told}, people were told of rows to compare: columns moved there.`);
  return broken;
}

function outcomeOf(plan: Plan) {
  try {
    return plan.run();
  } catch (error) {
    return { name: plan.name, wrongs: [String(error)], repeated: 0 };
  }
}

void main();
