// Thirty days of a product's sales rank, and the drops counted in them.
import type { Random } from 'apps-script-host/random';

/** One reading every two hours, and the one the month began with. */
const READINGS = (30 * 24) / 2 + 1;
/** No product sells at every reading: above this share the rank hardly moves any more. */
const MOST_SALES_PER_READING = 0.55;
const WORST_RANK = 4_000_000;

/** Rank creeps up while nothing sells and falls at a sale, as it does in the marketplace. */
export function rankSeries(random: Random, salesPerMonth: number): readonly number[] {
  const saleChance = Math.min(MOST_SALES_PER_READING, salesPerMonth / READINGS);
  const usual = 900_000 / (1 + salesPerMonth) ** 1.1 + 40;
  // As much creep between two sales as the mean sale takes away, so the series stays level.
  const creep = (0.33 * saleChance) / (1 - saleChance);
  const ranks: number[] = [];
  let rank = random.logNormal(usual, 0.3);
  for (let reading = 0; reading < READINGS; reading += 1) {
    ranks.push(Math.max(1, Math.round(rank)));
    // Far above its usual rank a sale takes more away, far below it creep is quicker.
    const pull = Math.sqrt(Math.sqrt(usual / rank));
    const factor = random.chance(saleChance)
      ? Math.min(0.9, random.between(0.6, 0.85) * pull)
      : 1 + creep * pull;
    rank = Math.min(WORST_RANK, Math.max(1, rank * factor + 0.5));
  }
  return ranks;
}

/** A drop is a reading better (lower) than the one before: the trace that sales leave. */
export function countDrops(ranks: readonly number[]): number {
  return ranks.filter((rank, index) => index > 0 && rank < (ranks[index - 1] ?? 0)).length;
}
