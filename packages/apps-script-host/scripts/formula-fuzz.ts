// Random formulas in a sheet, by the thousand: whatever a cell holds, it shows a value or an error, and
// no other cell suffers. `npm run fuzz -w apps-script-host -- [COUNT] [SEED]`

import { calculating } from '../src/calculation';
import { createRandom, type Random } from '../src/random';
import { recalculating } from '../src/recalculation';
import { functionNames } from '../src/sheet/formula-engine';
import type { CellValue } from '../src/sheet/model';
import { createPlainGrid } from '../src/sheet/plain-grid';

const CUSTOM = ['ECHO', 'ROWS_OF', 'FAIL'];

const CONSTANTS = [
  ...['0', '1', '-1', '2', '2.5', '10%', '1e3', '-7.25', '365', '45000', '1e9', '1e308', '-1e15'],
  ...['""', '"a"', '"12"', '" x "', '"2026-01-05"', '"1,2;3"', '"(a)(b"', '"[a-z]+"'],
  ...['">1"', '"*"'],
  ...['"select A where B > 1"', '"A1:B2"', '"R1C1"', '"€5"', '"\u{1F600}"', '"en"', '"USD"'],
  ...['TRUE', 'FALSE', '{1,2;3,4}', '{"a";"b"}', '#N/A', 'NOPE', ''],
];

const REFERENCES = [
  ...['A1', '$B$2', 'A1:B3', 'C:C', '2:2', 'A1:A', 'D9', 'Z1000', 'AAA1', 'A2000', 'Other!A1:B2'],
  ...["'No such'!A1", 'Other!A:A', 'A1:A1', 'B3:A1', 'A0'],
];

const OPERATORS = ['+', '-', '*', '/', '^', '&', '=', '<>', '<', '>=', ':', ','];

function argument(random: Random, names: readonly string[], depth: number): string {
  const kind = random.next();
  if (depth > 0 && kind < 0.3) return call(random, names, depth - 1);
  if (depth > 0 && kind < 0.4)
    return [
      argument(random, names, depth - 1),
      random.pick(OPERATORS),
      argument(random, names, depth - 1),
    ].join('');
  if (depth > 0 && kind < 0.43) return `LAMBDA(x,y,${argument(random, names, depth - 1)}&x)`;
  return random.pick(random.chance(0.5) ? CONSTANTS : REFERENCES);
}

function call(random: Random, names: readonly string[], depth: number): string {
  const name = random.pick(random.chance(0.05) ? CUSTOM : names);
  const count = random.pick([0, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6]);
  const args = Array.from({ length: count }, () => argument(random, names, depth));
  return `${name}(${args.join(',')})`;
}

/** Some are broken: a bracket too few, a comma too many. */
export function randomFormula(random: Random, names: readonly string[]): string {
  const whole = `=${call(random, names, random.integer(0, 2))}`;
  if (!random.chance(0.04)) return whole;
  const at = random.integer(1, whole.length - 1);
  return (
    whole.slice(0, at) + random.pick(['', '(', ')', ',', '"', '{', '!', "'"]) + whole.slice(at + 1)
  );
}

function isShown(value: CellValue | undefined): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (value instanceof Date) return !Number.isNaN(value.getTime());
  return typeof value === 'boolean' || (typeof value === 'string' && value.length <= 50_000);
}

export interface Fuzzed {
  readonly formulas: number;
  /** How often an error was shown. */
  readonly errors: number;
  /** Formulas that threw, showed no value, never ended, or damaged another cell. */
  readonly faults: readonly string[];
}

export async function fuzzFormulas(
  count: number,
  seed: number,
  slowMs = Number.POSITIVE_INFINITY,
): Promise<Fuzzed> {
  const random = createRandom(seed);
  const names = functionNames().filter((name) => /^[A-Z][A-Z0-9._]*$/.test(name));
  const faults: string[] = [];
  let errors = 0;
  const grid = createPlainGrid({ maxRows: 1_000 });
  const other = grid.addSheet('Other', 1);
  const start = async ({
    functionName,
    args,
  }: {
    functionName: string;
    args: readonly unknown[];
  }) =>
    ({
      ok: functionName !== 'FAIL',
      value: functionName === 'ROWS_OF' ? [[1, 2], [3]] : (args[0] ?? null),
    }) as never;
  recalculating({ start }, grid, (name) => CUSTOM.includes(name));
  calculating(grid, {
    nowMs: () => Date.UTC(2026, 0, 5, 9),
    isCustom: (name) => CUSTOM.includes(name),
  });
  grid.write(0, 1, 1, [
    [1, 'a', new Date(Date.UTC(2026, 0, 5))],
    [2.5, 'B', true],
    [-3, '', 'x'],
  ]);
  grid.write(other, 1, 1, [
    ['k', 1],
    ['l', 2],
  ]);
  grid.write(0, 900, 20, [[{ formula: '=A1+A2' }]]);
  const at = (row: number, column: number) =>
    grid.values(0, { row, column, rowCount: 1, columnCount: 1 })[0]?.[0];
  for (let number = 0; number < count; number += 1) {
    const formula = randomFormula(random, names);
    const before = process.cpuUsage();
    try {
      grid.write(0, 5, 5, [[{ formula }]]);
      await new Promise(setImmediate);
      await new Promise(setImmediate);
      const shown = at(5, 5);
      if (!isShown(shown) || shown === 'Loading...')
        faults.push(`${formula} shows ${String(shown)}`);
      if (typeof shown === 'string' && shown.startsWith('#')) errors += 1;
      grid.write(0, 1, 1, [[number]]);
      if (at(900, 20) !== number + 2.5) faults.push(`${formula} damages =A1+A2`);
      grid.write(0, 5, 5, [['']]);
    } catch (error) {
      faults.push(`${formula} throws ${(error as Error).stack?.split('\n').slice(0, 3).join(' ')}`);
    }
    const { user, system } = process.cpuUsage(before);
    const tookMs = (user + system) / 1_000;
    if (tookMs > slowMs) faults.push(`${formula} takes ${Math.round(tookMs)} ms of the processor`);
  }
  return { formulas: count, errors, faults };
}

async function main([count = '20000', seed = '1']: readonly string[]): Promise<void> {
  const { formulas, errors, faults } = await fuzzFormulas(Number(count), Number(seed), 2_000);
  for (const fault of faults) console.log(fault);
  console.log(`${formulas} formulas, ${errors} errors shown, ${faults.length} faults.`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

if (require.main === module) void main(process.argv.slice(2));
