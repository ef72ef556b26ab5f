// Tables of a few long cases: each one is measured for each seed and strategy in turn.

import type { BenchCase } from './bulk/bulk-cases';
import type { Bundles } from './bundles';
import { type Figures, summaries, UNITS } from './figures';
import { PEERS, STRATEGIES } from './gate/scenario';
import { type Row, rounded } from './rows';
import { PEER_SEEDS_MAX } from './runs';

/** Results differ little between seeds, and each takes half a minute of computing time. */
const SEEDS_MAX = 5;

export interface Telling {
  readonly bundles: Bundles;
  readonly seeds: number;
  /** The first seed; the others follow as the next numbers. */
  readonly firstSeed: number;
  /** Names of cases; empty: all. */
  readonly only: readonly string[];
}

type Told = ReturnType<BenchCase['tell']>;

export async function tellCases(
  table: string,
  cases: readonly BenchCase[],
  { bundles, seeds, firstSeed, only }: Telling,
): Promise<readonly Row[]> {
  const wanted = cases.filter(({ name }) => only.length === 0 || only.includes(name));
  const rows: Row[] = [];
  for (const { name, ideal, tell, tellPeer } of wanted) {
    const add = async (title: string, most: number, told: (seed: number) => Told) => {
      const figures: Figures[] = [];
      for (let at = 0; at < Math.min(seeds, most); at += 1)
        figures.push((await told(firstSeed + at))[name] ?? {});
      rows.push(...rowsOfCase(title, name, figures));
    };
    await add(table, SEEDS_MAX, (seed) => tell(bundles, seed));
    if (tellPeer !== undefined)
      for (const peer of PEERS) {
        const title = `${table}: ${STRATEGIES[peer]}`;
        await add(title, PEER_SEEDS_MAX, (seed) => tellPeer(bundles, seed, peer));
      }
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
