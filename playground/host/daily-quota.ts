// Quotas per user and day: they start with the first request and are given back 24 hours later.

const DAY_MS = 24 * 60 * 60 * 1_000;

export interface DailyQuota {
  /** Counts an amount against a user; false when that would be too much, and nothing is counted. */
  readonly take: (userEmail: string, amount: number) => boolean;
  readonly used: (userEmail: string) => number;
}

export function createDailyQuota(nowMs: () => number, mostPerDay: number): DailyQuota {
  const days = new Map<string, { readonly startedMs: number; used: number }>();
  const today = (userEmail: string) => {
    const known = days.get(userEmail);
    if (known && nowMs() - known.startedMs < DAY_MS) return known;
    const fresh = { startedMs: nowMs(), used: 0 };
    days.set(userEmail, fresh);
    return fresh;
  };
  return {
    take(userEmail, amount) {
      const day = today(userEmail);
      if (day.used + amount > mostPerDay) return false;
      day.used += amount;
      return true;
    },
    used: (userEmail) => today(userEmail).used,
  };
}
