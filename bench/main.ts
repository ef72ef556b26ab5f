// What `npm run bench` runs: the performance tables, as text and as rows in bench/results.json.

import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BULK_CASES } from './bulk/bulk-cases';
import { buildBundles } from './bundles';
import { tellCalculation } from './calculation';
import { tellCases } from './case-table';
import { tellCold } from './cold';
import { GATE } from './gate/gate-table';
import { LAWS_CASES } from './laws/laws-cases';
import { tellPaint } from './paint';
import { pictureOf } from './picture';
import { type Row, rowsOf, textTable } from './rows';
import { plan, tellAll } from './runs';
import { SCHEDULE_CASES } from './schedule/schedule-cases';

const RESULTS = join(__dirname, 'results.json');

/** The measured figures are in this page, and its picture is drawn from them. */
const PAGE = join(__dirname, '../docs/performance.md');
const PICTURE = join(__dirname, '../docs/images/performance-laws.svg');

/** Medians over fewer seeds would depend on chance. */
const DEFAULT_SEEDS = '10';

/** Seeds are drawn from this many numbers. */
const SEEDS = 1_000_000;

/** On a busy machine a context may take twice as long as the one before. */
const DEFAULT_CONTEXTS = '25';

const DEFAULT_ROWS = '10000';

/** Tables of a few long cases, measured one after the other. */
const LONG = { bulk: BULK_CASES, schedule: SCHEDULE_CASES, laws: LAWS_CASES };
type Long = keyof typeof LONG;

const OTHERS = ['gate', 'cold', 'calculation', 'paint', 'picture'];

const isLong = (table: string | undefined): table is Long => table !== undefined && table in LONG;
const namesOf = (table: Long) => LONG[table].map(({ name }) => name);

const HELP = `npm run bench -- [gate | bulk | schedule | laws | cold | calculation | paint | picture] [options]

  gate           the table of the quota gate, the cache and the queue (the usual one)
  bulk           the table of runs over lists: writing, looking ahead, growing columns
  schedule       the table of lists that the clock refreshes
  laws           the table of runs over 1,000 rows, and of 1,000 cells, where the service or Google's
                 stores are slow, clocks disagree, locks or other calls fail, or caches are lost
  cold           what loading the script and answering one cell from the cache take of the CPU, in real
                 time and not kept: the machine decides, only the ratios mean anything
  calculation    what it costs that formulas check their row: a list with decisions with and without, in
                 CPU time and not kept; only the ratios mean anything
  paint          how soon the sidebar that was built last is parsed and painted, with the processor slowed
                 four times, in real time and not kept; only the ratios mean anything
  picture        draws docs/images/performance-laws.svg from the tables of docs/performance.md
  --contexts N   fresh contexts of each script or page, for cold and paint (default ${DEFAULT_CONTEXTS})
  --against PATH another Code.js for cold, or Sidebar.html for paint, in turns with this one; may be given
                 several times
  --rows N       rows of the list, for calculation (default ${DEFAULT_ROWS})
  --seeds N      seeds of the medians; at most 5 but for the gate's own (default ${DEFAULT_SEEDS})
  --seed S       the first of them; left out: 1, and for laws a new one each time, which is printed
  --only CASE    one case alone, printed and not kept; may be given several times
  --help         prints this

Simulated in virtual time, so the same seeds print the same figures on any machine. Store calls take
20 to 50 ms, the service answers in 250 ms at the median, cells are started 30 at a time. Google's
daily limits are lifted. ratio is the time taken over (completed calls / calls per second). Figures
are medians; in brackets the worst seed.

Cases of gate: ${GATE.flatMap(({ cases }) => cases).join(', ')}
Cases of bulk: ${namesOf('bulk').join(', ')}
Cases of schedule: ${namesOf('schedule').join(', ')}
Cases of laws: ${namesOf('laws').join(', ')}`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seeds: { type: 'string', default: DEFAULT_SEEDS },
      seed: { type: 'string' },
      only: { type: 'string', multiple: true, default: [] },
      contexts: { type: 'string', default: DEFAULT_CONTEXTS },
      rows: { type: 'string', default: DEFAULT_ROWS },
      against: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  });
  const problem = problemOf(positionals, values.only, Number(values.seeds));
  if (values.help || problem !== null) {
    console.log(problem ?? HELP);
    process.exitCode = problem === null ? 0 : 1;
    return;
  }
  const [table] = positionals;
  if (table === 'picture') {
    writeFileSync(PICTURE, pictureOf(readFileSync(PAGE, 'utf8')));
    return;
  }
  if (table === 'cold') {
    const { code } = await buildBundles();
    console.log(tellCold(code, values.against, Number(values.contexts)));
    return;
  }
  if (table === 'paint') {
    console.log(await tellPaint(values.against, Number(values.contexts)));
    return;
  }
  if (table === 'calculation') {
    console.log(tellCalculation(await buildBundles(), Number(values.rows)));
    return;
  }
  if (isLong(table)) {
    const firstSeed = Number(values.seed ?? (table === 'laws' ? randomInt(SEEDS) : 1));
    console.log(`Seeds from ${firstSeed} on: --seed ${firstSeed} tells the same again.`);
    const options = { bundles: await buildBundles(), seeds: Number(values.seeds), firstSeed };
    const rows = await tellCases(table, LONG[table], { ...options, only: values.only });
    console.log(textTable(table, rows));
    if (values.only.length === 0) keep(table, rows);
    return;
  }
  const beginMs = Date.now();
  const runs = plan(Number(values.seeds), values.only);
  let told = 0;
  const results = await tellAll(runs, await buildBundles(), () => {
    told += 1;
    if (process.stderr.isTTY) process.stderr.write(`\r${told} of ${runs.length} runs `);
  });
  if (process.stderr.isTTY) process.stderr.write('\r');
  const rows = rowsOf('gate', results);
  console.log(textTable('gate', rows));
  const seconds = Math.round((Date.now() - beginMs) / 1_000);
  console.error(`${runs.length} runs over ${values.seeds} seeds in ${seconds} s.`);
  if (values.only.length === 0) keep('gate', rows);
}

function problemOf(tables: readonly string[], only: readonly string[], seeds: number) {
  const [table = 'gate', ...more] = tables;
  if ((!OTHERS.includes(table) && !isLong(table)) || more.length > 0)
    return 'There are seven tables, gate, bulk, schedule, laws, cold, calculation and paint, and a picture.';
  const cases = isLong(table) ? namesOf(table) : GATE.flatMap((scenario) => scenario.cases);
  const strange = only.find((name) => !cases.includes(name));
  if (strange !== undefined) return `There is no case ${strange}; --help lists them.`;
  return Number.isInteger(seeds) && seeds > 0 ? null : '--seeds takes a number from 1 on.';
}

/** Rows of tables that were not run stay as they are. */
function keep(name: string, rows: readonly Row[]): void {
  const kept = existsSync(RESULTS) ? (JSON.parse(readFileSync(RESULTS, 'utf8')) as Row[]) : [];
  const others = kept.filter(({ table }) => table.split(':')[0] !== name);
  writeFileSync(RESULTS, `${JSON.stringify([...others, ...rows], null, 2)}\n`);
}

void main();
