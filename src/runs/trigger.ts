// The person's clock trigger: created when needed, and known to exist.

import { type Failure, fail } from '../failures/failure';
import { type SheetPlatform, storedJson } from '../platform/ports';

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
interface Noted {
  readonly id: string;
  readonly everyMinutes: number;
}

type Parts = Pick<SheetPlatform, 'triggers' | 'userStore'>;

function noted({ userStore }: Parts, spreadsheetId: string): Noted | null {
  const all = storedJson(userStore.read(NAME)) as Readonly<Record<string, Noted>> | null;
  return all?.[spreadsheetId] ?? null;
}

function note({ userStore }: Parts, spreadsheetId: string, clock: Noted): void {
  const all = storedJson(userStore.read(NAME)) as Readonly<Record<string, Noted>> | null;
  // Google allows 20 triggers, so older entries no longer exist.
  const others = Object.entries(all ?? {}).filter(([id]) => id !== spreadsheetId);
  const kept = [[spreadsheetId, clock] as const, ...others].slice(0, 20);
  userStore.write(NAME, JSON.stringify(Object.fromEntries(kept)));
}

/** The state of this person's clock in this spreadsheet. Costs one property call. */
export function clockOf(parts: Parts, spreadsheetId: string): PersonsClock {
  const known = noted(parts, spreadsheetId);
  return {
    isSet: parts.triggers.find(HANDLER, known?.id ?? null) !== null,
    everyMinutes: known?.everyMinutes ?? HOURLY_MINUTES,
  };
}

/**
 * Creates the trigger unless it exists. An existing one is never replaced, because Google counts
 * creations, too.
 */
export function ensureClock(platform: SheetPlatform): PersonsClock | Failure {
  const { spreadsheet, triggers } = platform;
  const id = spreadsheet.place()?.id;
  if (id === undefined) return refused('');
  const known = clockOf(platform, id);
  if (known.isSet) return known;
  const often = triggers.make(HANDLER, OFTEN_MINUTES);
  // Only a bound script may have this interval, and all its triggers belong to this spreadsheet.
  if (often.kind === 'made' && often.others) {
    triggers.remove(often.id);
    return { ...known, isSet: true };
  }
  const isOften = often.kind === 'made';
  const outcome = isOften ? often : triggers.make(HANDLER, HOURLY_MINUTES);
  const everyMinutes = isOften ? OFTEN_MINUTES : HOURLY_MINUTES;
  if (outcome.kind === 'made') note(platform, id, { id: outcome.id, everyMinutes });
  else if (outcome.kind === 'refused') return refused(outcome.words);
  else if (outcome.kind !== 'there') return refused(outcome.kind);
  return { isSet: true, everyMinutes };
}

const refused = (what: string): Failure => fail({ kind: 'schedule', why: 'clock-refused', what });
