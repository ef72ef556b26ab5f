// The digest as an e-mail to the owner of the clock trigger: at most once a day, and only if there
// is something to report.

import * as z from 'zod/mini';
import { spreadsheetIdentity } from '../connection/connection-store';
import { type Failure, sentences } from '../failures/failure';
import { type Fits, lazySchema } from '../platform/lazy-schema';
import type { Mail, Platform, SchedulePlatform } from '../platform/ports';
import { storedAs } from '../platform/stored-record';
import { momentText } from './changes';
import { type Digest, digestStore, momentsSchema, withMoment } from './digest';
import { type ZoneOffset, zoneOf } from './recurrence';

/** Stored with the person, for all of their spreadsheets. */
const NAME = 'digest-mail';
const DAY_MS = 86_400_000;

/** Google truncates no subject of this length. */
const SUBJECT_CHARS_MAX = 120;

const mailedSchema = lazySchema(() =>
  z.object({
    /** The day of the last mail in the spreadsheet's time zone, counted from 1970. */
    day: z.number(),
    /** The spreadsheet that the last mail was about. */
    by: z.string(),
    /**
     * A spreadsheet that had something to report on the same day and goes first tomorrow; '': none.
     */
    waits: z.string(),
    /** When the last mail about each spreadsheet was sent, ms since 1970. */
    since: momentsSchema(),
  }),
);

type Mailed = Fits<typeof mailedSchema>;

type Parts = Pick<SchedulePlatform, keyof Platform | 'spreadsheet' | 'zones'>;

/** Called after a run. Costs three property calls if there is nothing to report, else four. */
export function mailDigest(platform: Parts, mail: Mail): void {
  const { userStore, clock, spreadsheet, zones } = platform;
  const place = spreadsheet.place();
  if (place === null) return;
  const home = spreadsheetIdentity(platform, place.id);
  const zone = zoneOf(zones, place.timeZone);
  const nowMs = clock.nowMs();
  const store = digestStore(platform, home);
  const before = readMailed(userStore.read(NAME));
  const sinceMs = Math.max(before.since[home] ?? 0, store.seenMs());
  const digest = store.lookSince(sinceMs);
  if (digest === null || !isWorthMail(digest)) return;
  const day = Math.floor((nowMs + zone(nowMs)) / DAY_MS);
  const keep = (after: Mailed) => userStore.write(NAME, JSON.stringify(after));
  if (!isItsTurn(before, home, day)) {
    const isOthers = before.day === day && before.by !== home && before.waits === '';
    if (isOthers) keep({ ...before, waits: home });
    return;
  }
  const { name, url } = mail.spreadsheet();
  if (!mail.send(subjectOf(digest, name), textOf(digest, name, url, zone))) return;
  keep({ day, by: home, waits: '', since: withMoment(before.since, home, nowMs) });
}

const readMailed = (text: string | null): Mailed =>
  storedAs(text, mailedSchema()) ?? { day: 0, by: '', waits: '', since: {} };

const isWorthMail = ({ marked, problem }: Digest): boolean =>
  marked.length > 0 || problem !== undefined;

/**
 * Whether this spreadsheet may send today's mail. One that waited goes first on the next day, and
 * loses its precedence a day later.
 */
function isItsTurn({ day: last, waits }: Mailed, home: string, day: number): boolean {
  return last !== day && (waits === '' || waits === home || day > last + 1);
}

const counted = (count: number, one: string, many: string) =>
  `${count} ${count === 1 ? one : many}`;

function subjectOf({ marked }: Digest, name: string): string {
  const count = marked.reduce((sum, one) => sum + one.count, 0);
  const what =
    count === 0 ? 'a schedule did not run' : `${counted(count, 'product', 'products')} marked`;
  // A line break in the name would begin another mail header.
  const subject = `Product Analysis: ${what} in "${name.replace(/\s+/g, ' ')}"`;
  return subject.slice(0, SUBJECT_CHARS_MAX);
}

/**
 * The words for problems of runs and schedules are in the page's script; here they would add 3 KB
 * to what every cell loads.
 */
function wordsOf(problem: Failure): string {
  if (problem.kind === 'run' || problem.kind === 'schedule')
    return 'A schedule could not do its work. The Schedule page of the sidebar says why.';
  const { message, action = '' } = sentences(problem);
  return `Latest problem: ${message} ${action}`.trim();
}

function textOf(digest: Digest, name: string, url: string, zone: ZoneOffset): string {
  const { sinceMs, marked, buys, problem, refreshed, failed, calls, changes } = digest;
  const sums = [
    `${counted(refreshed, 'row', 'rows')} refreshed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    counted(calls, 'call', 'calls'),
    `${counted(changes, 'line', 'lines')} in the change log`,
  ];
  return [
    `"${name}" since ${momentText(sinceMs, zone)}:`,
    '',
    ...marked.map(({ words, count }) => `${words}: ${count}`),
    ...(buys ?? []).map((line) => `  ${line}`),
    ...(marked.length > 0 ? [''] : []),
    `${sums.join(', ')}.`,
    ...(problem === undefined ? [] : ['', wordsOf(problem)]),
    '',
    url,
    '',
    'You get at most one of these a day. To stop them, switch your schedules off under ' +
      'Extensions > Product Analysis.',
  ].join('\n');
}
