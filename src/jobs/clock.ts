// The clock trigger by which Google calls the add-on for a person: made when needed, and known to exist.

import * as z from 'zod/mini';
import { type Failure, fail } from '../failures/failure';
import { type Platform, RECORD_LOCK_WAIT_MS } from '../google/platform';
import { findTriggers, makeTrigger, removeTrigger } from '../google/triggers';
import { type Fits, lazySchema, storedAs } from '../schema/stored-record';

/** The function that the clock calls. Triggers store the name. */
const HANDLER = 'onSchedule';

/**
 * The intervals that Google allows: a script bound to a spreadsheet may be called often, an add-on
 * hourly at best.
 */
const OFTEN_MINUTES = 10;
const HOURLY_MINUTES = 60;

/** Stored with the person, like the trigger. */
const NAME = 'clock';

export interface PersonsClock {
  readonly isSet: boolean;
  readonly everyMinutes: number;
}

/** What is noted about a trigger created here: Google tells its id but not its interval. */
const notedSchema = lazySchema(() =>
  z.object({
    id: z.string(),
    everyMinutes: z.number(),
    /** In ms since 1970. */
    madeMs: z.number(),
  }),
);

type Noted = Fits<typeof notedSchema>;

/** By spreadsheet. */
const notedClocksSchema = lazySchema(() => z.record(z.string(), notedSchema()));

type ClockParts = Pick<Platform, 'userStore'>;

const notedClocks = ({ userStore }: ClockParts): Fits<typeof notedClocksSchema> =>
  storedAs(userStore.read(NAME), notedClocksSchema()) ?? {};

/** Returns whether there was room for it. */
function note(parts: ClockParts, spreadsheetId: string, clock: Noted): boolean {
  // Google allows 20 triggers, so older entries no longer exist.
  const otherClocks = Object.entries(notedClocks(parts)).filter(([id]) => id !== spreadsheetId);
  const clocks = [[spreadsheetId, clock] as const, ...otherClocks].slice(0, 20);
  return parts.userStore.writeAll({ [NAME]: JSON.stringify(Object.fromEntries(clocks)) });
}

/** The state of this person's clock in this spreadsheet. Costs one property call. */
export function clockOf(parts: ClockParts, spreadsheetId: string): PersonsClock {
  const noted = notedClocks(parts)[spreadsheetId];
  return {
    isSet: findTriggers(HANDLER, noted?.id ?? null).length > 0,
    everyMinutes: noted?.everyMinutes ?? HOURLY_MINUTES,
  };
}

/**
 * Creates the trigger unless it exists. An existing one is replaced by `renewClock` only, because
 * Google counts creations, too.
 */
export function ensureClock(platform: Platform): PersonsClock | Failure {
  const id = platform.spreadsheetId();
  if (id === null) return refused('');
  const clock = clockOf(platform, id);
  if (clock.isSet) return clock;
  const often = makeTrigger(HANDLER, OFTEN_MINUTES);
  const isOften = often.kind === 'made';
  // Only a bound script may have this interval, and all its triggers belong to this spreadsheet. Of
  // others nothing is known, not even whether they fire.
  if (isOften) for (const triggerId of often.others) removeTrigger(triggerId);
  const outcome = isOften ? often : makeTrigger(HANDLER, HOURLY_MINUTES);
  const everyMinutes = isOften ? OFTEN_MINUTES : HOURLY_MINUTES;
  if (outcome.kind === 'made')
    note(platform, id, { id: outcome.id, everyMinutes, madeMs: platform.clock.nowMs() });
  else if (outcome.kind === 'refused') return refused(outcome.words);
  else if (outcome.kind !== 'there') return refused(outcome.kind);
  return { isSet: true, everyMinutes };
}

/**
 * Replaces a trigger that Google has disabled: such a trigger stays listed and never fires again.
 *
 * @param apartMs the least time between two replacements. The new trigger needs its hour, and
 *     replacing it does not help where Google runs no triggers at all.
 * @returns null if none is listed, or if it is too new to be replaced.
 */
export function renewClock(platform: Platform, apartMs: number): PersonsClock | Failure | null {
  const id = platform.spreadsheetId();
  if (id === null) return null;
  const listed = findTriggers(HANDLER, notedClocks(platform)[id]?.id ?? null);
  if (listed.length === 0) return null;
  const claim = platform.lock.run(RECORD_LOCK_WAIT_MS, () => claimRenewal(platform, id, apartMs));
  if (!claim.held || !claim.value) return null;
  for (const triggerId of listed) removeTrigger(triggerId);
  return ensureClock(platform);
}

/**
 * Whether this execution is the one that replaces the trigger. It is noted before anything is
 * deleted: without the note, every look at the page would replace it again.
 */
function claimRenewal(platform: Platform, spreadsheetId: string, apartMs: number): boolean {
  const nowMs = platform.clock.nowMs();
  const noted = notedClocks(platform)[spreadsheetId];
  if (nowMs - (noted?.madeMs ?? 0) < apartMs) return false;
  const { id = '', everyMinutes = HOURLY_MINUTES } = noted ?? {};
  return note(platform, spreadsheetId, { id, everyMinutes, madeMs: nowMs });
}

const refused = (what: string): Failure => fail({ kind: 'schedule', why: 'clock-refused', what });
