// What `npm run mutants` runs: puts faults into copies of the source, two at a time, and expects tests to fail.
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readTree } from '../architecture/source-tree';
import { ALL_FAULTS } from './all-faults';
import { inAreas, isArea, ofChanged } from './choice';
import {
  AREAS,
  faultyText,
  hashOf,
  type PlacedFault,
  pathOf,
  rememberedAs,
  testPathsOf,
} from './fault';
import { gitChanges } from './git-changes';
import { fileMemory, type Memory } from './memory';
import { openWorkshop, type Workshop } from './workshop';

const ROOT = resolve(__dirname, '../..');
const MEMORY = join(ROOT, '.cache/mutants.json');

/** A fault keeps one core busy, and what its tests start another for a while. */
const AT_A_TIME = 2;

const HELP = `npm run mutants -- [folder ...] [options]

  folder         takes the faults of these folders, of src/ all but the last: ${AREAS.join(', ')}
                 (the usual ones: all ${ALL_FAULTS.length})
  --changed      takes the faults of files that changed, and others in turn, up to ten
  --since REF    what they changed against (the usual one: where this branch left the default one)
  --fresh        forgets what was caught before; else a run goes on where the last one stopped
  --help         prints this

Each fault is put into a copy of the project, and the tests named beside it must fail there. Before, the
same tests must pass without a fault. Ends with 1 if a fault is missed.`;

const seconds = (sinceMs: number) => `${((Date.now() - sinceMs) / 1_000).toFixed(1)} s`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      changed: { type: 'boolean', default: false },
      since: { type: 'string' },
      fresh: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const unknown = positionals.filter((name) => !isArea(name));
  if (values.help || unknown.length > 0) {
    console.log(values.help ? HELP : `There are no faults for ${unknown.join(', ')}.\n\n${HELP}`);
    process.exitCode = values.help ? 0 : 1;
    return;
  }
  const there = inAreas(ALL_FAULTS, positionals);
  const git = values.changed || values.since ? gitChanges(ROOT, values.since) : null;
  const faults = git === null ? there : ofChanged(there, git.paths, git.commit);
  process.exitCode = (await tryAll(faults, fileMemory(MEMORY, values.fresh))) ? 0 : 1;
}

/** Whether all are caught. */
async function tryAll(faults: readonly PlacedFault[], memory: Memory): Promise<boolean> {
  const startMs = Date.now();
  const workshop = openWorkshop(ROOT);
  const workshops = [workshop];
  while (workshops.length < Math.min(AT_A_TIME, faults.length, availableParallelism()))
    workshops.push(openWorkshop(ROOT));
  const end = () => process.exit(130);
  process.once('SIGINT', end).once('SIGTERM', end);
  for (const { clear } of workshops) process.once('exit', clear);
  const open = faults.filter((fault) => !memory.has(rememberedAs(fault, workshop.read)));
  if (open.length < faults.length)
    console.log(`${faults.length - open.length} were caught before and are the same.`);
  const whyNot = (fault: PlacedFault) => {
    const faulty = faultyText(fault, workshop.read(pathOf(fault)));
    return typeof faulty === 'string' ? null : faulty.why;
  };
  const missed = open.filter((fault) => whyNot(fault) !== null);
  for (const fault of missed) console.log(`NOT THERE  ${fault.words}\n        ${whyNot(fault)}`);
  const there = open.filter((fault) => !missed.includes(fault));
  if (!(await areSound(workshop, there, memory))) return false;
  const names = new Map(there.map((fault) => [fault, rememberedAs(fault, workshop.read)]));
  const untried = names.entries();
  const work = async (one: Workshop) => {
    // They share the list: each goes on with the next that nobody has taken.
    for (const [fault, name] of untried) {
      const isCaught = await tryOne(one, fault);
      if (isCaught) memory.add(name);
      else missed.push(fault);
    }
  };
  await Promise.all(workshops.map(work));
  const [count, caught] = [faults.length, faults.length - missed.length];
  console.log(`${count} faults, ${caught} caught (${seconds(startMs)})`);
  return missed.length === 0;
}

async function tryOne(workshop: Workshop, fault: PlacedFault): Promise<boolean> {
  const startMs = Date.now();
  const verdict = await workshop.run(testPathsOf(fault), fault.named, fault);
  const isCaught = verdict.kind === 'failed';
  const mark = isCaught ? 'caught' : 'MISSED';
  console.log(`${mark}  ${fault.area}  ${seconds(startMs)}  ${fault.words}`);
  if (!isCaught) console.log(`        ${pathOf(fault)}, by ${fault.tests.join(', ')}`);
  if (verdict.kind === 'not-run') console.log(`        no test could begin: ${verdict.said}`);
  return isCaught;
}

/** Tests that fail without a fault would catch anything. They run together, as that is faster. */
async function areSound(
  workshop: Workshop,
  faults: readonly PlacedFault[],
  memory: Memory,
): Promise<boolean> {
  const source = hashOf(readTree(workshop.root, 'src').map(({ text }) => text));
  const isNamed = ({ named }: PlacedFault) => named !== undefined;
  for (const some of [faults.filter((one) => !isNamed(one)), faults.filter(isNamed)]) {
    const namesIn = (tests: readonly string[]) => {
      const own = some.filter((one) => testPathsOf(one).some((test) => tests.includes(test)));
      return [...new Set(own.flatMap(({ named = [] }) => named))].sort();
    };
    const hashFor = (test: string) => hashOf([source, workshop.read(test), ...namesIn([test])]);
    const tests = [...new Set(some.flatMap(testPathsOf))].filter(
      (one) => !memory.has(hashFor(one)),
    );
    if (tests.length === 0) continue;
    const startMs = Date.now();
    const verdict = await workshop.run(tests, namesIn(tests).join('|') || undefined);
    if (verdict.kind !== 'passed') {
      console.log(`These fail without any fault, so they tell nothing: ${tests.join(', ')}`);
      console.log(verdict.said);
      return false;
    }
    console.log(`${tests.length} test files pass without a fault (${seconds(startMs)})`);
    for (const test of tests) memory.add(hashFor(test));
  }
  return true;
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
