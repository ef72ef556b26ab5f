// Packed analyses: the short text in which caches and stores keep one, and back.

import type { Analysis, Extra, RoiUnit } from './analysis';
import { FIELDS, type Field, type Figures, figuresBy } from './fields';

/** Figures without their names, which would be most of the text, in the order of the fields. */
type PackedFigures = readonly (Figures[Field] | undefined)[];

export type PackedAnalysis = readonly [
  figures: PackedFigures,
  extras?: readonly Extra[],
  roiUnit?: number,
];

/** By their numbers in a packed analysis; 0 for a unit that is not settled. */
const ROI_UNITS: readonly (RoiUnit | undefined)[] = [undefined, 'fraction', 'percent'];

/** Everything but the time of fetching, which the keeper has a place for. */
export function packed({ figures, extras, roiUnit }: Analysis): PackedAnalysis {
  return [FIELDS.map((field) => figures[field]), extras, ROI_UNITS.indexOf(roiUnit)];
}

/** The form of the text is vouched for by the version in its keeper's names. */
export function unpacked(analysis: PackedAnalysis, fetchedAtMs: number): Analysis {
  const [figures, extras = [], unit = 0] = analysis;
  const roiUnit = ROI_UNITS[unit];
  return {
    figures: figuresBy((_, at) => figures[at] ?? null),
    extras,
    ...(roiUnit === undefined ? {} : { roiUnit }),
    fetchedAtMs,
  };
}
