// Generates thirty days of a product's sales rank, and counts the drops in them.
import type { Random } from 'apps-script-host/random';

/** One reading every two hours, plus the first of the month. */
const READINGS = (30 * 24) / 2 + 1;
/** No product sells at every reading. Above this share the rank hardly moves. */
const MOST_SALES_PER_READING = 0.55;
const WORST_RANK = 4_000_000;

/** The rank rises slowly while nothing sells and falls at a sale, as in the marketplace. */
export function rankSeries(random: Random, salesPerMonth: number): readonly number[] {
  const saleChance = Math.min(MOST_SALES_PER_READING, salesPerMonth / READINGS);
  const usual = 900_000 / (1 + salesPerMonth) ** 1.1 + 40;
  // The rise between two sales equals the mean fall at a sale, so the series stays level.
  const creep = (0.33 * saleChance) / (1 - saleChance);
  const ranks: number[] = [];
  let rank = random.logNormal(usual, 0.3);
  for (let reading = 0; reading < READINGS; reading += 1) {
    ranks.push(Math.max(1, Math.round(rank)));
    // Far above the usual rank a sale lowers it more. Far below, the rank rises faster.
    const pull = Math.sqrt(Math.sqrt(usual / rank));
    const factor = random.chance(saleChance)
      ? Math.min(0.9, random.between(0.6, 0.85) * pull)
      : 1 + creep * pull;
    rank = Math.min(WORST_RANK, Math.max(1, rank * factor + 0.5));
  }
  return ranks;
}

/** A drop is a reading better (lower) than the previous one, as a sale causes it. */
export function countDrops(ranks: readonly number[]): number {
  return ranks.filter((rank, index) => index > 0 && rank < (ranks[index - 1] ?? 0)).length;
}
