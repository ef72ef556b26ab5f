// The events of one month of schedules, drawn from a seed: where, which schedules, and what goes
// wrong when.

import type { FaultLaw } from 'apps-script-host/faults';
import type { FiringLaw } from 'apps-script-host/firings';
import type { Random } from 'apps-script-host/random';
import type { Recurrence } from '../../../src/schedules/due';
import type { ScheduleSettings } from '../../../src/schedules/schedule';
import type { Quota, Spell } from '../service';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * Time zones of both hemispheres, with the days in 2026 on which their clocks change, if they do.
 */
const ZONES: readonly (readonly [string, readonly string[]])[] = [
  ['Europe/London', ['2026-03-29', '2026-10-25']],
  ['America/New_York', ['2026-03-08', '2026-11-01']],
  ['America/St_Johns', ['2026-03-08', '2026-11-01']],
  ['Australia/Sydney', ['2026-04-05', '2026-10-04']],
  // Changes by half an hour.
  ['Australia/Lord_Howe', ['2026-04-05', '2026-10-04']],
  ['America/Santiago', ['2026-04-04', '2026-09-06']],
  // Never changes.
  ['America/Sao_Paulo', ['2026-02-15']],
  ['Asia/Kolkata', ['2026-06-15']],
];

/** A key so slow that a firing's time, and the day's time, is up before the list is complete. */
const SLOW: Quota = { calls: 5, perSeconds: 60, burst: 2 };
const SLOW_SHARE = 0.2;

/** Settings without the list's place. */
export type PlannedSchedule = Pick<
  ScheduleSettings,
  'recurrence' | 'maxAgeHours' | 'callsPerHour' | 'quiet'
>;

export interface Happening {
  readonly atMs: number;
  readonly what:
    | 'act'
    | 'own job'
    | 'abandoned job'
    | 'run now'
    | 'switch'
    | 'save again'
    | 'copy the tab'
    | 'copy the spreadsheet';
}

export interface MonthPlan {
  readonly timeZone: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly rows: number;
  readonly quota: Quota;
  readonly schedules: readonly PlannedSchedule[];
  readonly outages: readonly Spell[];
  /** Periods in which the owner has revoked a permission. */
  readonly revoked: readonly Spell[];
  /** Periods in which the owner has disabled the add-on. */
  readonly disabled: readonly Spell[];
  /** Periods in which Google starts firings without their spreadsheet. */
  readonly blind: readonly Spell[];
  readonly happenings: readonly Happening[];
  /** When a second scheduled tab is deleted; null: there is none. */
  readonly secondGoneMs: number | null;
  readonly firings: FiringLaw;
  /** The share of firings that are cut off. */
  readonly killShare: number;
  /** The share of a script's calls before which somebody changes the list or the tab. */
  readonly actShare: number;
  /** How often Google's services fail temporarily during firings; people's calls never fail. */
  readonly faults: FaultLaw;
}

export const isIn = (spells: readonly Spell[], atMs: number, untilMs = atMs): boolean =>
  spells.some(({ fromMs, toMs }) => fromMs <= untilMs && atMs < toMs);

export function planMonth(random: Random, days: number): MonthPlan {
  const [timeZone, edges] = random.pick(ZONES);
  const edgeMs = Date.parse(`${random.pick(edges)}T00:00:00Z`);
  const startMs = edgeMs - random.integer(1, days - 1) * DAY_MS - random.integer(0, 3_600) * 1_000;
  const endMs = startMs + days * DAY_MS;
  const rows = random.integer(20, 70);
  const spells = (most: number, longestHours: number): readonly Spell[] =>
    Array.from({ length: random.integer(0, most) }, () => {
      const fromMs = startMs + random.integer(24 * 60, days * 24 * 60) * MINUTE_MS;
      return { fromMs, toMs: fromMs + random.integer(20, longestHours * 60) * MINUTE_MS };
    });
  const rate = random.pick([4, 10]);
  return {
    ...{ timeZone, startMs, endMs, rows },
    quota: random.chance(SLOW_SHARE) ? SLOW : { calls: rate, perSeconds: 1, burst: 2 * rate },
    schedules: Array.from({ length: random.integer(1, 3) }, () => planSchedule(random, rows)),
    outages: spells(3, 8),
    revoked: spells(2, 30),
    disabled: spells(1, 60),
    blind: spells(1, 10),
    happenings: planHappenings(random, startMs, endMs, 2 * days),
    secondGoneMs: random.chance(0.5) ? startMs + random.integer(36, 24 * days) * HOUR_MS : null,
    firings: firingsOf(random),
    killShare: random.pick([0, 0.02, 0.1]),
    actShare: random.pick([0, 0, 0.002]),
    faults: { rate: random.pick([0, 0.001, 0.005]), againShare: 0.1 },
  };
}

function planSchedule(random: Random, rows: number): PlannedSchedule {
  const recurrence = planRecurrence(random);
  const ages = {
    hourly: [8, 20],
    daily: [12, 20],
    weekdays: [20],
    weekly: [150],
    monthly: [600],
  };
  const quiets = [
    null,
    null,
    { fromHour: 22, toHour: 6 },
    { fromHour: 1, toHour: 3 },
    { fromHour: 9, toHour: 17 },
  ];
  return {
    recurrence,
    maxAgeHours: random.pick(ages[recurrence.kind]),
    callsPerHour: random.chance(0.5) ? null : random.integer(Math.ceil(rows / 6), rows),
    quiet: random.pick(quiets),
  };
}

function planRecurrence(random: Random): Recurrence {
  const hour = random.integer(0, 23);
  return random.pick<Recurrence>([
    { kind: 'hourly' },
    { kind: 'daily', hour },
    { kind: 'daily', hour },
    { kind: 'weekdays', hour },
    { kind: 'weekly', hour, weekday: random.integer(0, 6) },
    { kind: 'monthly', hour, day: random.integer(1, 31) },
  ]);
}

function planHappenings(
  random: Random,
  startMs: number,
  endMs: number,
  most: number,
): readonly Happening[] {
  const kinds: readonly Happening['what'][] = [
    ...(['act', 'act', 'act', 'act', 'act', 'act'] as const),
    ...(['own job', 'abandoned job', 'run now', 'switch', 'save again'] as const),
    ...(['copy the tab', 'copy the spreadsheet'] as const),
  ];
  return Array.from({ length: random.integer(0, most) }, () => ({
    atMs: random.integer(startMs + HOUR_MS, endMs),
    what: random.pick(kinds),
  })).sort((one, other) => one.atMs - other.atMs);
}

/**
 * Firings are a few minutes late, sometimes half an hour. Up to one in twenty-five is skipped, and
 * as many occur twice.
 */
function firingsOf(random: Random): FiringLaw {
  const [missed, doubled] = [random.pick([0, 0.04]), random.pick([0, 0.04])];
  return (dueMs, chance) => {
    const draw = chance.next();
    const lateMs = chance.integer(0, chance.chance(0.05) ? 30 * MINUTE_MS : 5 * MINUTE_MS);
    if (draw < missed) return [];
    if (draw > 1 - doubled) return [dueMs + lateMs, dueMs + lateMs + chance.integer(1, 120_000)];
    return [dueMs + lateMs];
  };
}
