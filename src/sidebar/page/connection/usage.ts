// How much of a day's number of calls is used, and whether that is worth a warning.
import type { GoogleUse } from '../../rpc-contract';
import type { Connected } from './form';

/** From here on there is still time to do something about it. */
const NEAR_SHARE = 0.8;

export interface Usage {
  /** "312 of 2,000"; only the first where there is no limit. */
  readonly text: string;
  /** 0 to 1; null where there is no limit. */
  readonly share: number | null;
  readonly isNear: boolean;
}

export function usageOf({ usedToday, perDay }: Connected['cellCalls'] | GoogleUse): Usage {
  const used = usedToday.toLocaleString();
  if (perDay === null) return { text: used, share: null, isNear: false };
  const share = Math.min(1, usedToday / perDay);
  return { text: `${used} of ${perDay.toLocaleString()}`, share, isNear: share >= NEAR_SHARE };
}

/** One of the numbers of a day is nearly used up. */
export function isNearLimit({ cellCalls, googleCalls, googlePropertyCalls }: Connected): boolean {
  const isGoogleNear = googleCalls?.isNear === true || googlePropertyCalls?.isNear === true;
  return isGoogleNear || usageOf(cellCalls).isNear;
}
