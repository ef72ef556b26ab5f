// Invented server replies for each state of the Schedule page, for pictures and tests.

import type { ScheduleProblem } from '../../src/failures/problems';
import type { NewsDigest } from '../../src/schedules/digest';
import type { ScheduleSettings } from '../../src/schedules/schedule';
import { described, type RpcFailure } from '../../src/sidebar/api/failure-view';
import type {
  ListShown,
  RunShown,
  ScheduleOverview,
  ScheduleShown,
} from '../../src/sidebar/api/schedules';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Six in the morning on the day of the pictures, in London's winter, in ms since 1970. */
const SIX_MS = Date.UTC(2026, 2, 12, 6);

export const LIST_SETTINGS: ScheduleSettings = {
  task: {
    kind: 'list',
    sheetId: 7,
    listId: '1',
    rows: 'all',
  },
  recurrence: { kind: 'daily', hour: 6 },
  maxAgeHours: 20,
  callsPerHour: null,
  quiet: null,
  rules: [{ kind: 'no-longer-eligible' }, { kind: 'fell-under', field: 'roi', bound: 0.2 }],
};

export const RUN: RunShown = {
  startedAtMs: SIX_MS + 4 * MINUTE,
  tookMs: 252_000,
  name: 'Every day at 06:00',
  outcome: 'done',
  refreshed: 371,
  failed: 2,
  calls: 301,
  changes: 14,
  byHand: false,
};

export const MORNING: ScheduleShown = {
  id: 'mi8x3k2a',
  settings: LIST_SETTINGS,
  name: 'Every day at 06:00',
  sheetName: 'Wholesale March',
  isOn: true,
  isMine: true,
  nextAtMs: SIX_MS + 24 * HOUR,
  isUnderWay: false,
  last: RUN,
};

const FORMULAS: ScheduleShown = {
  ...MORNING,
  id: 'mi8x9b41',
  settings: {
    ...LIST_SETTINGS,
    task: { kind: 'formulas' },
    recurrence: { kind: 'weekly', hour: 5, weekday: 1 },
    maxAgeHours: 72,
    callsPerHour: 200,
    quiet: { fromHour: 8, toHour: 20 },
    rules: [],
  },
  name: 'Every Monday at 05:00',
  sheetName: '',
  isOn: false,
  nextAtMs: null,
  last: {
    ...RUN,
    name: 'Every Monday at 05:00',
    startedAtMs: SIX_MS - 71 * HOUR,
    refreshed: 214,
    failed: 0,
  },
};

export const SCHEDULES: readonly ScheduleShown[] = [MORNING, FORMULAS];

const LIST: ListShown = { sheetId: 7, listId: '1', name: 'Wholesale March' };

export const DIGEST: NewsDigest = {
  atMs: SIX_MS,
  sinceMs: SIX_MS - 12 * HOUR,
  changes: 14,
  marked: [
    { rule: 'ROI fell under 20%', count: 5 },
    { rule: 'No longer eligible', count: 3 },
    { rule: 'Now a Buy', count: 2 },
  ],
  buys: ['B0XKT7M4QN US, was Skip', 'B0RWD92FHC UK, was Maybe'],
};

export const LOOK: ScheduleOverview = {
  timeZone: 'Europe/London',
  schedules: SCHEDULES,
  trigger: { state: 'on', everyMinutes: 60 },
  limits: { runMsToday: 12 * MINUTE, runMsPerDay: 90 * MINUTE },
  digest: null,
  lists: [LIST],
  formulaCells: 214,
};

export const EMPTY: ScheduleOverview = {
  ...LOOK,
  schedules: [],
  trigger: { state: 'off', everyMinutes: 60 },
};

export const PAST: readonly RunShown[] = [
  RUN,
  {
    ...RUN,
    startedAtMs: SIX_MS - 16 * HOUR,
    refreshed: 40,
    failed: 0,
    calls: 40,
    changes: 0,
    byHand: true,
  },
  {
    ...RUN,
    startedAtMs: SIX_MS - 47 * HOUR,
    outcome: 'failed',
    refreshed: 120,
    failed: 0,
    calls: 96,
    changes: 2,
    problem: { kind: 'key-refused', message: 'The service refused the key.' },
  },
];

/** A failure as the page shows it, with the add-on's own words. */
export const saidOfSchedule = (why: ScheduleProblem, what = ''): RpcFailure =>
  described({ kind: 'schedule', why, what });

export const NOT_ALLOWED: RpcFailure = {
  ...described({ kind: 'not-permitted' }),
  grantUrl: 'https://accounts.example.com/grant',
};
export const COPIED = saidOfSchedule('copied');
export const SILENT = saidOfSchedule('silent', 'Mon 9 Mar, 06:00');
export const SHEET_GONE = saidOfSchedule('sheet-gone', 'Wholesale March');
export const WAITED = saidOfSchedule('run-in-the-way', 'paused');
export const NO_KEY = described({ kind: 'no-connection' });
export const SPENT = saidOfSchedule('day-over', '06:00');
