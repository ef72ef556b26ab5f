// How the sandbox counts calls against a key's quota: one pure law per kind of limit.

/** Tokens drip in evenly; `burst` of them is the most that can be saved up. */
interface BucketQuota {
  readonly kind: 'bucket';
  readonly calls: number;
  readonly perSeconds: number;
  readonly burst: number;
}

/** So many calls in each calendar period (each minute of the clock, say). */
interface CalendarQuota {
  readonly kind: 'calendar';
  readonly calls: number;
  readonly perSeconds: number;
}

/** So many calls in any stretch of that length, wherever it begins. */
interface SlidingQuota {
  readonly kind: 'sliding';
  readonly calls: number;
  readonly perSeconds: number;
}

export type Quota = BucketQuota | CalendarQuota | SlidingQuota;

/** How much of a quota is used: plain data, so that a state can be kept and compared. */
export type Level =
  | { readonly kind: 'bucket'; readonly tokens: number; readonly atMs: number }
  | { readonly kind: 'calendar'; readonly startMs: number; readonly used: number }
  | { readonly kind: 'sliding'; readonly timesMs: readonly number[] };

export interface Admission {
  readonly admitted: boolean;
  readonly level: Level;
  /** Calls that would be admitted right after this one. */
  readonly remaining: number;
  /** The most calls that can ever be left. */
  readonly most: number;
  /** From now until one call is admitted; 0 while some are left. */
  readonly waitMs: number;
  /** From now until nothing counts against the key any more. */
  readonly resetMs: number;
}

/** Of a token: what adding up fractions loses on the way must not refuse a call. */
const ROUNDING = 1e-6;

/** `level` is what the last admission returned; nothing, or another kind's, is a fresh start. */
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
  // A clock that steps back must not take tokens away, nor give them twice.
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
  // With the quota full, room comes when the oldest of the last `calls` leaves the window.
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
