// Counts calls against a key's quota, with one pure function for each kind of limit.

/** Tokens are added evenly. At most `burst` of them can be saved up. */
interface BucketQuota {
  readonly kind: 'bucket';
  readonly calls: number;
  readonly perSeconds: number;
  readonly burst: number;
}

/** `calls` calls in each calendar period, for example in each minute of the clock. */
interface CalendarQuota {
  readonly kind: 'calendar';
  readonly calls: number;
  readonly perSeconds: number;
}

/** `calls` calls in any period of that length, wherever it begins. */
interface SlidingQuota {
  readonly kind: 'sliding';
  readonly calls: number;
  readonly perSeconds: number;
}

export type Quota = BucketQuota | CalendarQuota | SlidingQuota;

/** How much of a quota is used, as plain data, so that a state can be kept and compared. */
export type Level =
  | { readonly kind: 'bucket'; readonly tokens: number; readonly atMs: number }
  | { readonly kind: 'calendar'; readonly startMs: number; readonly used: number }
  | { readonly kind: 'sliding'; readonly timesMs: readonly number[] };

export interface Admission {
  readonly admitted: boolean;
  readonly level: Level;
  /** Calls that would be admitted right after this one. */
  readonly remaining: number;
  /** The highest number of remaining calls that is possible. */
  readonly most: number;
  /** Time until a call is admitted. 0 while some are left. */
  readonly waitMs: number;
  /** Time until no call counts against the key. */
  readonly resetMs: number;
}

/** A share of a token. Rounding errors in sums of fractions must not refuse a call. */
const ROUNDING = 1e-6;

/**
 * `level` is the one that the previous admission returned. Without one, or with one of another
 * kind, counting starts afresh.
 */
export function admit(quota: Quota, level: Level | undefined, nowMs: number): Admission {
  switch (quota.kind) {
    case 'bucket':
      return admitByBucket(quota, level, nowMs);
    case 'calendar':
      return admitByCalendar(quota, level, nowMs);
    case 'sliding':
      return admitBySliding(quota, level, nowMs);
  }
}

function admitByBucket(quota: BucketQuota, level: Level | undefined, nowMs: number): Admission {
  const perMs = quota.calls / (quota.perSeconds * 1000);
  const before =
    level?.kind === 'bucket' ? level : { kind: 'bucket', tokens: quota.burst, atMs: nowMs };
  // A clock that moves backwards must neither take tokens away nor grant them twice.
  const atMs = Math.max(before.atMs, nowMs);
  const saved = Math.min(quota.burst, before.tokens + (atMs - before.atMs) * perMs);
  const admitted = saved >= 1 - ROUNDING;
  const tokens = Math.max(0, admitted ? saved - 1 : saved);
  const remaining = Math.floor(tokens + ROUNDING);
  return {
    admitted,
    level: { kind: 'bucket', tokens, atMs },
    remaining,
    most: quota.burst,
    waitMs: remaining > 0 ? 0 : (1 - tokens) / perMs,
    resetMs: (quota.burst - tokens) / perMs,
  };
}

function admitByCalendar(quota: CalendarQuota, level: Level | undefined, nowMs: number): Admission {
  const periodMs = quota.perSeconds * 1000;
  const startMs = Math.floor(nowMs / periodMs) * periodMs;
  const before = level?.kind === 'calendar' && level.startMs === startMs ? level.used : 0;
  const admitted = before < quota.calls;
  const used = admitted ? before + 1 : before;
  const endsInMs = startMs + periodMs - nowMs;
  return {
    admitted,
    level: { kind: 'calendar', startMs, used },
    remaining: Math.max(0, quota.calls - used),
    most: quota.calls,
    waitMs: used < quota.calls ? 0 : endsInMs,
    resetMs: endsInMs,
  };
}

function admitBySliding(quota: SlidingQuota, level: Level | undefined, nowMs: number): Admission {
  const periodMs = quota.perSeconds * 1000;
  const earlier = level?.kind === 'sliding' ? level.timesMs : [];
  const inside = earlier.filter((timeMs) => timeMs > nowMs - periodMs);
  const admitted = inside.length < quota.calls;
  const timesMs = admitted ? [...inside, nowMs] : inside;
  // If the quota is full, there is room when the oldest of the last `calls` calls leaves the
  // window.
  const next = timesMs[timesMs.length - quota.calls];
  const last = timesMs.at(-1);
  return {
    admitted,
    level: { kind: 'sliding', timesMs },
    remaining: Math.max(0, quota.calls - timesMs.length),
    most: quota.calls,
    waitMs: next === undefined ? 0 : next + periodMs - nowMs,
    resetMs: last === undefined ? 0 : last + periodMs - nowMs,
  };
}
