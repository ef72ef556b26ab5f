// An analysis: the service's answer for one product, with the time it was fetched and every field it carried.

import type { Figures } from './fields';

/** A field the service sent that this product has no word for, under the service's own name. */
export type Extra = readonly [name: string, value: string | number | boolean | null];

export type RoiUnit = 'fraction' | 'percent';
export type MoneyUnit = 'units' | 'hundredths';

export interface Analysis {
  /** Money in the market's currency, unrounded; null where the service gave nothing. */
  readonly figures: Figures;
  /** Pairs and not an object, so that a field called `__proto__` is only a name. */
  readonly extras: readonly Extra[];
  /** The unit of ROI where it is settled: by the connection, or by a "%" that was sent. Else as sent. */
  readonly roiUnit?: RoiUnit;
  /** An invented one: never kept, never beside real ones, never written by a run. */
  readonly isSample?: true;
  readonly fetchedAtMs: number;
}
