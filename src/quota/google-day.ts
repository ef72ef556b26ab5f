// Google's day: what a user's scripts may do in 24 hours, and how much of it was done. Pure.

/** A day begins with its first call. */
const DAY_MS = 24 * 3_600_000;

/** "Quotas for Google services": for a consumer's account, and for one of a company. */
const CALLS_PER_DAY = { small: 20_000, large: 100_000 };
const PROPERTY_CALLS_PER_DAY = { small: 50_000, large: 500_000 };

/** Whoever has used so much of it is told. */
const NEAR_SHARE = 0.8;

export interface GoogleDay {
  readonly sinceMs: number;
  /** Calls of services elsewhere. */
  readonly calls: number;
  readonly propertyCalls: number;
  /** Of the calls, those that formulas made. */
  readonly cellCalls?: number;
  /** A day had more calls than a small account may make: this is a large one. */
  readonly isLarge?: true;
}

export interface Use {
  readonly calls?: number;
  readonly propertyCalls?: number;
  readonly cellCalls?: number;
}

export interface Allowance {
  readonly usedToday: number;
  readonly perDay: number;
  /** Four fifths are used. */
  readonly isNear: boolean;
}

export interface Allowances {
  readonly calls: Allowance;
  readonly propertyCalls: Allowance;
}

/** The day with more use; a new one if the old is over. */
export function withUse(day: GoogleDay | undefined, use: Use, nowMs: number): GoogleDay {
  const today = day === undefined || isOver(day, nowMs) ? undefined : day;
  const calls = (today?.calls ?? 0) + (use.calls ?? 0);
  const cellCalls = cellCallsIn(today, nowMs) + (use.cellCalls ?? 0);
  const isPassed = use.calls !== undefined && calls > CALLS_PER_DAY.small;
  const isLarge = day?.isLarge === true || isPassed;
  return {
    sinceMs: today?.sinceMs ?? nowMs,
    calls,
    propertyCalls: (today?.propertyCalls ?? 0) + (use.propertyCalls ?? 0),
    ...(cellCalls > 0 ? { cellCalls } : {}),
    ...(isLarge ? { isLarge } : {}),
  };
}

/** How many calls formulas have made today. */
export function cellCallsIn(day: GoogleDay | undefined, nowMs: number): number {
  return day === undefined || isOver(day, nowMs) ? 0 : (day.cellCalls ?? 0);
}

/**
 * The day in which Google refused a call. Our count may be wrong, for nobody counts what other
 * scripts do, but a refusal far from the large allowance is one at the small.
 */
export function withRefusal(day: GoogleDay | undefined, nowMs: number): GoogleDay {
  const { isLarge: _, ...today } = withUse(day, {}, nowMs);
  return today.calls > CALLS_PER_DAY.large / 2 ? { ...today, isLarge: true } : today;
}

/** When the next day can begin. */
export function dayEndMs({ sinceMs }: Pick<GoogleDay, 'sinceMs'>): number {
  return sinceMs + DAY_MS;
}

export function allowancesOf(day: GoogleDay | undefined, nowMs: number): Allowances {
  const { calls, propertyCalls, isLarge } = withUse(day, {}, nowMs);
  const size = isLarge === true ? 'large' : 'small';
  return {
    calls: allowance(calls, CALLS_PER_DAY[size]),
    propertyCalls: allowance(propertyCalls, PROPERTY_CALLS_PER_DAY[size]),
  };
}

function allowance(usedToday: number, perDay: number): Allowance {
  return { usedToday, perDay, isNear: usedToday >= NEAR_SHARE * perDay };
}

/** A day that has not begun yet was counted by a clock that was wrong. */
export function isOver(day: Pick<GoogleDay, 'sinceMs'>, nowMs: number): boolean {
  return nowMs >= dayEndMs(day) || nowMs < day.sinceMs;
}

/** A day as it was stored, or undefined for what is none. */
export function parseGoogleDay(text: string | null | undefined): GoogleDay | undefined {
  try {
    const day = JSON.parse(text ?? 'null') as Partial<GoogleDay> | null;
    const counts = [day?.sinceMs, day?.calls, day?.propertyCalls];
    return counts.every(Number.isFinite) ? (day as GoogleDay) : undefined;
  } catch {
    return undefined;
  }
}
