// Tables of few long runs: each case is told once for each seed, one after the other.

import type { BenchCase } from './bulk/bulk-cases';
import type { Bundles } from './bundles';
import { type Figures, summaries, UNITS } from './figures';
import { type Row, rounded } from './rows';

/** A run differs little from seed to seed, and each takes half a minute of the machine's time. */
const SEEDS_MAX = 5;

export interface Telling {
  readonly bundles: Bundles;
  readonly seeds: number;
  /** The first of them; each of the others is the next number. */
  readonly firstSeed: number;
  /** Names of cases; none: all of them. */
  readonly only: readonly string[];
}

export async function tellCases(
  table: string,
  cases: readonly BenchCase[],
  { bundles, seeds, firstSeed, only }: Telling,
): Promise<readonly Row[]> {
  const wanted = cases.filter(({ name }) => only.length === 0 || only.includes(name));
  const rows: Row[] = [];
  for (const { name, ideal, tell } of wanted) {
    const figures: Figures[] = [];
    for (let at = 0; at < Math.min(seeds, SEEDS_MAX); at += 1)
      figures.push((await tell(bundles, firstSeed + at))[name] ?? {});
    rows.push(...rowsOfCase(table, name, figures));
    rows.push(...rowsOfCase(`${table}: the ideal`, name, [ideal]));
  }
  return rows;
}

function rowsOfCase(table: string, name: string, seeds: readonly Figures[]): readonly Row[] {
  return summaries(seeds).map(({ metric, median }) => ({
    table,
    case: name,
    metric,
    value: rounded(median),
    unit: UNITS[metric],
  }));
}
