// Tables of few long runs: each case is told once for each seed, one after the other.

import type { BenchCase } from './bulk/bulk-cases';
import type { Bundles } from './bundles';
import { type Figures, summaries, UNITS } from './figures';
import { type Row, rounded } from './rows';

/** A run differs little from seed to seed, and each takes half a minute of the machine's time. */
const SEEDS_MAX = 3;

export interface Telling {
  readonly bundles: Bundles;
  readonly seeds: number;
  /** Names of cases; none: all of them. */
  readonly only: readonly string[];
}

export function tellCases(
  table: string,
  cases: readonly BenchCase[],
  { bundles, seeds, only }: Telling,
): readonly Row[] {
  const wanted = cases.filter(({ name }) => only.length === 0 || only.includes(name));
  return wanted.flatMap(({ name, ideal, tell }) => {
    const told = Array.from({ length: Math.min(seeds, SEEDS_MAX) }, (_, at) =>
      tell(bundles, at + 1),
    );
    const figures = told.flatMap((one) => one[name] ?? []);
    return [
      ...rowsOfCase(table, name, figures),
      ...rowsOfCase(`${table}: the ideal`, name, [ideal]),
    ];
  });
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
