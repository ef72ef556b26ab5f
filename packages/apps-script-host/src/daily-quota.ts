// Counts quotas per user and day. A day starts with the first use and ends 24 hours later.

const DAY_MS = 24 * 60 * 60 * 1_000;

export interface DailyQuota {
  /** Whether the user can use this amount today. */
  readonly allows: (userEmail: string, amount: number) => boolean;
  readonly count: (userEmail: string, amount: number) => void;
  readonly used: (userEmail: string) => number;
}

export function createDailyQuota(nowMs: () => number, mostPerDay: number): DailyQuota {
  const days = new Map<string, { readonly startedMs: number; readonly used: number }>();
  const used = (userEmail: string) => {
    const day = days.get(userEmail);
    return day && nowMs() - day.startedMs < DAY_MS ? day.used : 0;
  };
  return {
    used,
    allows: (userEmail, amount) => used(userEmail) + amount <= mostPerDay,
    count(userEmail, amount) {
      const before = used(userEmail);
      const startedMs = before === 0 ? nowMs() : (days.get(userEmail)?.startedMs ?? nowMs());
      days.set(userEmail, { startedMs, used: before + amount });
    },
  };
}
