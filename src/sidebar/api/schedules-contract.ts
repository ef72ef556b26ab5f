// What the Schedule page may ask, and what it is told: types only, for both sides.

import type { RpcFailure } from './connection-contract';
import type { MarketChoice } from './runs-contract';

/** Hours are of the spreadsheet's clock, 0 to 23; weekdays begin with Sunday as 0. */
export type RecurrenceChoice =
  | { readonly kind: 'hourly' }
  | { readonly kind: 'daily'; readonly hour: number }
  /** Monday to Friday. */
  | { readonly kind: 'weekdays'; readonly hour: number }
  | { readonly kind: 'weekly'; readonly hour: number; readonly weekday: number }
  /** On the month's last day where the month is too short for `day`. */
  | { readonly kind: 'monthly'; readonly hour: number; readonly day: number };

/** A change that marks a row and is told of. ROI as a fraction, money in the market's currency. */
export type RuleChoice =
  | { readonly kind: 'no-longer-eligible' }
  | { readonly kind: 'fell-under'; readonly field: string; readonly bound: number }
  | { readonly kind: 'rose-over'; readonly field: string; readonly bound: number }
  | { readonly kind: 'doubled'; readonly field: string };

/** The rows of a list that a schedule keeps fresh, and where their figures go. */
export interface ListTask {
  readonly kind: 'list';
  readonly sheetId: number;
  /** 0: the list has no header. */
  readonly headerRow: number;
  readonly productColumn: number;
  readonly market: MarketChoice;
  /** `starred`: rows with anything in a column headed "Star" or "Starred". */
  readonly rows: 'all' | 'starred' | 'failed';
  readonly fields: readonly string[];
  /** `stalest`: what was analyzed longest ago comes first; `starred`: starred rows, then the stalest. */
  readonly order: 'stalest' | 'starred';
}

/** Every formula of the add-on in the spreadsheet. */
export interface FormulasTask {
  readonly kind: 'formulas';
}

/** Everything a person decides of a schedule. */
export interface ScheduleSettings {
  readonly task: ListTask | FormulasTask;
  readonly recurrence: RecurrenceChoice;
  /** Whatever was fetched less than so many hours ago costs nothing. Half an hour, or 1 to 8,760. */
  readonly maxAgeHours: number;
  /** No more calls than this in an hour; what is left goes on in the next one. null: the key's limit alone. */
  readonly callsPerHour: number | null;
  /** Nothing starts from `fromHour` up to, not including, `toHour`; may go over midnight. */
  readonly quiet: { readonly fromHour: number; readonly toHour: number } | null;
  readonly rules: readonly RuleChoice[];
}

/** What became of one run of a schedule. */
export interface ScheduleRun {
  readonly startedAtMs: number;
  readonly tookMs: number;
  /** "Every morning" */
  readonly name: string;
  /** `part`: it goes on in the next hour; `failed`: see `problem`. */
  readonly outcome: 'done' | 'part' | 'failed';
  /** Rows, or cells with formulas, that hold fresh figures now. */
  readonly refreshed: number;
  readonly failed: number;
  readonly calls: number;
  /** Lines that were added to the change log. */
  readonly changes: number;
  /** By hand, and not by the clock. */
  readonly byHand: boolean;
  readonly problem?: RpcFailure;
}

export interface ScheduleShown {
  readonly id: string;
  readonly settings: ScheduleSettings;
  /** Told by what it does: "Every day at 6:00". */
  readonly name: string;
  /** Name of the list's sheet; '' for formulas. */
  readonly sheetName: string;
  readonly isOn: boolean;
  /** Whether the person who looks at it made it: it runs as them, with their key and allowances. */
  readonly isMine: boolean;
  /** The hour in which it runs next begins here; null: it is off. */
  readonly nextAtMs: number | null;
  /** It has come round and is not through: it goes on in the next hour. */
  readonly isUnderWay: boolean;
  readonly last: ScheduleRun | null;
  /** Why it does not run, or what went wrong last, with the one thing to do. */
  readonly problem?: RpcFailure;
  /** The method behind the one thing to do, where a press can do it. */
  readonly remedy?: 'schedule.adopt';
}

/** Rows that a rule marked since the digest was last put away. */
export interface Marked {
  /** "No longer eligible", "ROI fell under 20 %" */
  readonly words: string;
  readonly count: number;
  /** For `schedule.show`. */
  readonly rule: string;
}

/** What happened while nobody looked. */
export interface Digest {
  readonly sinceMs: number;
  readonly runs: number;
  readonly refreshed: number;
  readonly failed: number;
  readonly calls: number;
  readonly changes: number;
  readonly marked: readonly Marked[];
  /** Why a run came to nothing, the latest. */
  readonly problem?: RpcFailure;
}

/** Google's allowances for what the clock does, as far as the add-on counted its own. */
export interface ScheduleLimits {
  readonly runMsToday: number;
  readonly runMsPerDay: number;
  readonly callsToday: number;
  readonly callsPerDay: number;
}

export type ScheduleLook = {
  /** "Europe/London": all hours are of this zone. */
  readonly timeZone: string;
  readonly schedules: readonly ScheduleShown[];
  readonly clock: {
    /** `missing`: nothing calls the add-on; `off`: there is nothing to be called for. */
    readonly state: 'on' | 'missing' | 'off';
    /** About how often it calls, in minutes; at best hourly in an add-on. */
    readonly everyMinutes: number;
    /** When it called last for this person; null: never yet. */
    readonly lastAtMs: number | null;
    readonly problem?: RpcFailure;
  };
  readonly limits: ScheduleLimits;
  /** null: nothing new. */
  readonly digest: Digest | null;
  /** What a new schedule starts from: the list on view. null: no list was found there. */
  readonly suggestion: ScheduleSettings | null;
  /** Name of the sheet of `suggestion`. */
  readonly suggestionSheet: string;
  /** Cells with formulas of the add-on in the whole spreadsheet. */
  readonly formulaCells: number;
  /** Something that concerns every schedule: a copied spreadsheet, lost permission, no key. */
  readonly problem?: RpcFailure;
  readonly remedy?: 'schedule.useHere' | 'schedule.mend';
};

type Nothing = Readonly<Record<string, never>>;
type OfSchedule = { readonly id: string };
type Shown = { readonly schedules: readonly ScheduleShown[] };

/** Merged into `RpcMethods`. */
export interface ScheduleMethods {
  readonly 'schedule.look': { readonly payload: Nothing; readonly value: ScheduleLook };
  /**
   * Makes a schedule, or changes the one of this id. The page makes up the id of a new one, so that a
   * call sent twice makes one. Never more than one trigger.
   */
  readonly 'schedule.save': {
    readonly payload: OfSchedule & { readonly settings: ScheduleSettings };
    readonly value: Shown;
  };
  readonly 'schedule.switch': {
    readonly payload: OfSchedule & { readonly isOn: boolean };
    readonly value: Shown;
  };
  readonly 'schedule.remove': { readonly payload: OfSchedule; readonly value: Shown };
  /**
   * Runs it at once for at most `maxMs` (up to 300,000), whatever the hour; the page calls it again as
   * long as `againInMs` is a number. While it works on a list `bulk.status` tells how far it is.
   */
  readonly 'schedule.run': {
    readonly payload: OfSchedule & { readonly maxMs: number };
    readonly value: { readonly run: ScheduleRun; readonly againInMs: number | null };
  };
  /** The newest first. */
  readonly 'schedule.history': {
    readonly payload: Nothing;
    readonly value: { readonly runs: readonly ScheduleRun[] };
  };
  /** Takes over a schedule whose owner is gone: from now on it runs as the person who calls. */
  readonly 'schedule.adopt': { readonly payload: OfSchedule; readonly value: Shown };
  /** Sets the clock again where it is missing. */
  readonly 'schedule.mend': { readonly payload: Nothing; readonly value: ScheduleLook };
  /** Lets the schedules of a copied spreadsheet run in the copy. */
  readonly 'schedule.useHere': { readonly payload: Nothing; readonly value: ScheduleLook };
  /** Puts the digest away. */
  readonly 'schedule.seen': { readonly payload: Nothing; readonly value: Nothing };
  /** Selects the rows that a rule marked since the digest was last put away. */
  readonly 'schedule.show': {
    readonly payload: { readonly rule: string };
    readonly value: { readonly shown: number };
  };
}
