// The table of runs over lists: its cases told once for each seed, one after the other.

import type { Bundles } from '../bundles';
import { type Figures, summaries, UNITS } from '../figures';
import { type Row, rounded } from '../rows';
import { BULK_CASES } from './bulk-cases';

/** A run differs little from seed to seed, and each takes half a minute of the machine's time. */
const SEEDS_MAX = 3;

export const BULK_NAMES: readonly string[] = BULK_CASES.map(({ name }) => name);

export function tellBulkTable(
  bundles: Bundles,
  seeds: number,
  only: readonly string[],
): readonly Row[] {
  const wanted = BULK_CASES.filter(({ name }) => only.length === 0 || only.includes(name));
  return wanted.flatMap(({ name, ideal, tell }) => {
    const told = Array.from({ length: Math.min(seeds, SEEDS_MAX) }, (_, at) =>
      tell(bundles, at + 1),
    );
    const figures = told.flatMap((one) => one[name] ?? []);
    return [...rowsOfCase('bulk', name, figures), ...rowsOfCase('bulk: the ideal', name, [ideal])];
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
