// Probes of the clock: the first firing records what it sees, and a day's firings record their
// times.

import { findTriggers, makeTrigger, removeTrigger } from '../src/google/triggers';
import { showMessage } from '../src/google/ui';
import {
  authorisation,
  book,
  CLOCK_HANDLER,
  type ClockEvent,
  type ClockFacts,
  clockFacts,
  readPlace,
  saidBy,
  writePlace,
} from './google';

const HOURLY_MINUTES = 60;

/** More than two days of hourly firings. */
const TIMES_MAX = 60;

/**
 * Two firings closer together than the first are one too many; further apart than the second, one
 * is missing; minutes.
 */
const DOUBLE_MINUTES = 10;
const GAP_MINUTES = 90;

/** Stored in the person's properties, because a clock trigger may have no others. */
interface Notes {
  /** The id of the spreadsheet that is watched. */
  readonly home: string;
  /** The id of the trigger if the probes created it. */
  readonly made: string | null;
  /** What the first firing found, by probe. */
  readonly first: Readonly<Record<string, string>> | null;
  readonly times: readonly number[];
}

const notes = () => JSON.parse(readPlace('notes of the clock') ?? 'null') as Notes | null;
const note = (next: Notes) => writePlace('notes of the clock', JSON.stringify(next));

/** Starts recording the clock's firings. */
export function watchClock(): void {
  const home = book().getId();
  const isThere = findTriggers(CLOCK_HANDLER, null).length > 0;
  const outcome = isThere ? null : makeTrigger(CLOCK_HANDLER, HOURLY_MINUTES);
  const made = outcome?.kind === 'made' ? outcome.id : null;
  if (outcome !== null && made === null) {
    const why = `Google made no trigger: ${outcome.kind}. `;
    showMessage(`${why}In a test deployment that is to be expected.`, 'Probes');
    return;
  }
  note({ home, made, first: null, times: [] });
  showMessage(
    'The first firing, within two hours, notes what it sees; 24 of them make a day. ' +
      'Choose "Show probes" then.',
    'Probes',
  );
}

/** Removes the trigger if the probes created it. */
export function leaveClock(): void {
  const made = notes()?.made;
  if (typeof made === 'string') removeTrigger(made);
}

/** Records what the firing sees. */
export function onProbeClock(event?: ClockEvent): void {
  try {
    const known = notes();
    if (known === null) return;
    const first = known.first ?? firstLook(event, known.home);
    note({ ...known, first, times: [...known.times, Date.now()].slice(-TIMES_MAX) });
  } catch (error) {
    console.warn(`The probes noted nothing: ${saidBy(error)}`);
  }
}

function firstLook(event: ClockEvent | undefined, home: string): Notes['first'] {
  const facts = clockFacts(event);
  const known = facts.isKnownTrigger ? 'a known triggerUid' : `triggerUid ${facts.triggerUid}`;
  return {
    'clock: spreadsheet': whichSpreadsheet(facts, home),
    'clock: properties': tried(() => {
      writePlace('written by the clock', home);
      return 'written';
    }),
    'clock: cache and lock':
      facts.hasDocumentCache && facts.hasDocumentLock
        ? 'both'
        : `cache ${facts.hasDocumentCache}, lock ${facts.hasDocumentLock}`,
    'clock: permissions': tried(authorisation),
    'clock: event': `authMode ${facts.authMode}, ${known}`,
  };
}

function whichSpreadsheet({ spreadsheetId }: ClockFacts, home: string): string {
  if (spreadsheetId === null) return 'none';
  return spreadsheetId === home ? 'this one' : 'another';
}

function tried(work: () => string): string {
  try {
    return work();
  } catch (error) {
    return saidBy(error);
  }
}

/** What the clock has found so far, by probe; nothing before the first firing. */
export function foundByClock(): Readonly<Record<string, string>> {
  const known = notes();
  if (known === null || known.first === null) return {};
  const written = known.first['clock: properties'];
  const isRead = readPlace('written by the clock') === known.home;
  const properties = isRead
    ? 'written, and the menu reads it'
    : `${written}; the menu reads nothing`;
  return { ...known.first, 'clock: properties': properties, 'clock: day': dayOf(known.times) };
}

function dayOf(times: readonly number[]): string {
  const apart = times.slice(1).map((atMs, i) => (atMs - (times[i] ?? 0)) / 60_000);
  const doubles = apart.filter((minutes) => minutes < DOUBLE_MINUTES).length;
  const gaps = apart.filter((minutes) => minutes > GAP_MINUTES).length;
  const [least, most] = [Math.min(...apart), Math.max(...apart)].map(Math.round);
  const range = apart.length === 0 ? '' : `; ${least} to ${most} min apart`;
  return `${times.length} firings, ${doubles} doubles, ${gaps} gaps${range}`;
}
