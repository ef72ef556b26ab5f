// What happened in a month of schedules as visible from outside; the laws judge nothing else.

import type { ListTask, Recurrence } from '../../../src/schedules/due';
import type { ScheduleSettings } from '../../../src/schedules/schedule';
import type { LogLine, SeenRow, TabRow } from '../seen';
import type { Call, Spell } from '../service';
import type { Calendar } from './calendar';

/** A schedule as somebody last saved it. */
export interface Stand {
  readonly id: string;
  readonly settings: ScheduleSettings;
  readonly isOn: boolean;
  /** When it was saved or switched, ms; earlier occurrences no longer count. */
  readonly sinceMs: number;
}

/** What keeps a firing from its work. */
export type Trouble = 'no permission' | 'no spreadsheet' | 'service down' | 'in the way';

/** A firing of the clock. */
export interface Work {
  readonly startedMs: number;
  readonly endedMs: number;
  /** `refused`: Google did not start it. */
  readonly ended: 'returned' | 'killed' | 'refused' | 'failed';
  readonly logs: readonly string[];
  /** The schedules as they were at its beginning. */
  readonly schedules: readonly Stand[];
  readonly before: readonly SeenRow[];
  readonly after: readonly SeenRow[];
  readonly tabBefore: readonly TabRow[];
  readonly tabAfter: readonly TabRow[];
  readonly calls: readonly Call[];
  /** Requests that UrlFetchApp failed to send; they count as calls, because nobody can tell. */
  readonly unsent: number;
  /** New lines of the change log. */
  readonly lines: readonly LogLine[];
  readonly trouble: Trouble | null;
  /** Whether Google's services failed in a way from which it could not recover at once. */
  readonly isHit: boolean;
  /** Whether somebody was at work while it ran. */
  readonly isMoved: boolean;
  /** A person's job was left over, which comes first and asks for what that person chose. */
  readonly hasLeftover: boolean;
  /** The clock's run time in the preceding 24 hours, which contain Google's day. */
  readonly runMs: number;
}

export interface Problem {
  readonly kind: string;
  readonly message: string;
}

/** What the Schedule page shows. */
export interface Look {
  readonly problem?: Problem;
  readonly trigger: { readonly problem?: Problem };
  /** The analyzed lists of the active sheet. */
  readonly lists: readonly { readonly sheetId: number; readonly listId: string }[];
  readonly schedules: readonly {
    readonly id: string;
    readonly isOn: boolean;
    readonly isUnderWay: boolean;
    readonly problem?: Problem;
    readonly last: { readonly startedAtMs: number; readonly failed: number } | null;
  }[];
}

/** A schedule's task for the list of the active sheet. */
export function listTask({ lists: [list] }: Look): ListTask {
  if (list === undefined) throw new Error('No list was found.');
  const { sheetId, listId } = list;
  return { kind: 'list', sheetId, listId, rows: 'all' };
}

export interface Seen {
  readonly atMs: number;
  readonly userEmail: string;
  readonly look: Look;
}

export interface MonthRecord {
  readonly startMs: number;
  readonly endMs: number;
  /** In the order in which they began. */
  readonly works: readonly Work[];
  /** What people saw who looked at the sidebar, in order. */
  readonly looks: readonly Seen[];
  /** When somebody did something at the sidebar or in the sheet, in order. */
  readonly actsMs: readonly number[];
  readonly disabled: readonly Spell[];
  readonly callsOf: (product: string) => readonly Call[];
  readonly calendar: Calendar;
  readonly burst: number;
}

/** Returns what is wrong, in words. */
export type Law = (record: MonthRecord) => readonly string[];

const HOUR_MS = 3_600_000;

export const wrongAt = (atMs: number, text: string): string =>
  `${new Date(atMs).toISOString().slice(0, 16)} ${text}`;

/** After this time a firing is full: it begins nothing more and records what it has. */
const FULL_MS = 240_000;

/** The most of Google's daily 90 minutes that is kept in reserve: one whole firing. */
const SPARE_MS = 6 * 60_000;
const DAY_RUN_MS = 90 * 60_000;

export const isFull = ({ startedMs, endedMs }: Work) => endedMs - startedMs >= FULL_MS;

/** It ended normally and had time, while nobody was at work and no person's job was left over. */
export const isUndisturbed = ({ ended, isMoved, hasLeftover, isHit, runMs }: Work) =>
  ended === 'returned' && !isMoved && !isHit && !hasLeftover && runMs + SPARE_MS <= DAY_RUN_MS;

/** Nothing at all prevented its work. */
export const isFree = (work: Work) => isUndisturbed(work) && work.trouble === null;

export const maxAgeMs = ({ settings }: Stand) => settings.maxAgeHours * HOUR_MS;

/** Whether the schedule covers this row. */
export const isMeant = ({ settings: { task } }: Stand, { product, own }: SeenRow): boolean =>
  task.kind === 'list' && product !== '' && own.Skip !== 'x';

/** Whether its next occurrence has come. */
function roundMs(
  { calendar }: Pick<MonthRecord, 'calendar'>,
  { settings, sinceMs }: Stand,
  atMs: number,
): number | null {
  const rounds = calendar.occurrences(settings.recurrence as Recurrence);
  return rounds.findLast((round) => round <= atMs && round > sinceMs) ?? null;
}

/** What a schedule still owes after a firing. */
export interface Owed {
  readonly work: Work;
  readonly stand: Stand;
  readonly rows: readonly SeenRow[];
}

/**
 * A product is owed from the occurrence on if its latest answer was too old then. What comes into a
 * list after that waits for the next occurrence.
 */
export function owedIn(record: MonthRecord): readonly Owed[] {
  const { works, callsOf, calendar } = record;
  /** The products of each occurrence. */
  const meant = new Map<string, ReadonlySet<string>>();
  return works.flatMap((work) =>
    work.schedules.flatMap((stand) => {
      const atMs = roundMs(record, stand, work.startedMs);
      const isQuiet = [work.startedMs, work.endedMs].some((one) =>
        calendar.isQuiet(stand.settings.quiet, one),
      );
      if (atMs === null) return [];
      const name = `${stand.id} ${stand.sinceMs} ${atMs}`;
      const now = work.before.filter((row) => isMeant(stand, row)).map(({ product }) => product);
      const known = new Set(now.filter((product) => meant.get(name)?.has(product) ?? true));
      meant.set(name, known);
      if (!stand.isOn || isQuiet) return [];
      const isDone = (product: string) =>
        callsOf(product).some(
          (call) =>
            call.isSettled && call.atMs >= atMs - maxAgeMs(stand) && call.atMs <= work.endedMs,
        );
      const rows = work.after.filter(
        (row) => isMeant(stand, row) && known.has(row.product) && !isDone(row.product),
      );
      return rows.length === 0 ? [] : [{ work, stand, rows }];
    }),
  );
}
