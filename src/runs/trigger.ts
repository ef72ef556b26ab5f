// The person's time trigger: made when it is needed, and known to be there.

import { type Failure, fail } from '../failures/failure';
import { type SheetPlatform, storedJson } from '../platform/ports';

/** The function that the clock calls. Triggers keep the name. */
const HANDLER = 'onSchedule';

/** A script that belongs to a spreadsheet may be called so often; an add-on is called hourly at best. */
const OFTEN_MINUTES = 10;
const HOURLY_MINUTES = 60;

/** With the person, as the trigger is. */
const NAME = 'clock';

export interface PersonsClock {
  readonly isSet: boolean;
  readonly everyMinutes: number;
}

/** What is known of a trigger that was made here: Google tells its name, but not how often it strikes. */
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
  // Google allows 20 triggers: whoever is older than that has gone.
  const others = Object.entries(all ?? {}).filter(([id]) => id !== spreadsheetId);
  const kept = [[spreadsheetId, clock] as const, ...others].slice(0, 20);
  userStore.write(NAME, JSON.stringify(Object.fromEntries(kept)));
}

/** How the clock of this person stands here. One property call. */
export function clockOf(parts: Parts, spreadsheetId: string): PersonsClock {
  const known = noted(parts, spreadsheetId);
  return {
    isSet: parts.triggers.find(HANDLER, known?.id ?? null) !== null,
    everyMinutes: known?.everyMinutes ?? HOURLY_MINUTES,
  };
}

/** Sets the clock unless it is set. Nothing is ever made anew: Google counts that, too. */
export function ensureClock(platform: SheetPlatform): PersonsClock | Failure {
  const { spreadsheet, triggers } = platform;
  const id = spreadsheet.place()?.id;
  if (id === undefined) return refused('');
  const known = clockOf(platform, id);
  if (known.isSet) return known;
  const often = triggers.make(HANDLER, OFTEN_MINUTES);
  // Only a bound script may have that, and all its triggers are of this spreadsheet.
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
