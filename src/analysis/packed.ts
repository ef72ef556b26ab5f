// Packed analyses: the short text in which caches and stores keep one, and back.

import type { Analysis, Extra, Figures, RoiUnit } from './analysis';

/** Figures without their names, which would be most of the text. */
type PackedFigures = readonly [
  profit: Figures['profit'],
  roi: Figures['roi'],
  fees: Figures['fees'],
  eligible: Figures['eligible'],
  rankDrops30d: Figures['rank_drops_30d'],
  buyPrice: Figures['buy_price'],
  sellPrice: Figures['sell_price'],
];

export type PackedAnalysis = readonly [
  figures: PackedFigures,
  extras?: readonly Extra[],
  roiUnit?: number,
];

/** By their numbers in a packed analysis; 0 for a unit that is not settled. */
const ROI_UNITS: readonly (RoiUnit | undefined)[] = [undefined, 'fraction', 'percent'];

/** Everything but the time of fetching, which the keeper has a place for. */
export function packed({ figures, extras, roiUnit }: Analysis): PackedAnalysis {
  const { profit, roi, fees, eligible } = figures;
  const { rank_drops_30d, buy_price, sell_price } = figures;
  return [
    [profit, roi, fees, eligible, rank_drops_30d, buy_price, sell_price],
    extras,
    ROI_UNITS.indexOf(roiUnit),
  ];
}

/** The form of the text is vouched for by the version in its keeper's names. */
export function unpacked(analysis: PackedAnalysis, fetchedAtMs: number): Analysis {
  const [figures, extras = [], unit = 0] = analysis;
  const roiUnit = ROI_UNITS[unit];
  const [profit, roi, fees, eligible, rank_drops_30d, buy_price, sell_price] = figures;
  return {
    figures: { profit, roi, fees, eligible, rank_drops_30d, buy_price, sell_price },
    extras,
    ...(roiUnit === undefined ? {} : { roiUnit }),
    fetchedAtMs,
  };
}
