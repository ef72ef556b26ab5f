// The digest as an e-mail to the owner of the clock trigger: at most once a day, and only if there
// is something to report.

import * as z from 'zod/mini';
import { readLog } from '../analysis/changes';
import { spreadsheetIdentity } from '../connection/connection-store';
import { DAY, momentWords, type ZoneOffset } from '../failures/duration';
import { type Failure, sentences } from '../failures/failure';
import { sendMail } from '../google/mail';
import type { Platform } from '../google/platform';
import { nameAndUrl, spreadsheetHere, zoneOf } from '../google/spreadsheet';
import { type Fits, lazySchema, storedAs } from '../schema/stored-record';
import { type Digest, digestOf, momentsSchema, seenMs, withMoment } from './digest';
import { runHistory } from './schedule';

/** Stored with the person, for all of their spreadsheets. */
const NAME = 'digest-mail';

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

/** Called after a run. Costs three property calls if there is nothing to report, else four. */
export function mailDigest(platform: Platform): void {
  const { userStore, clock } = platform;
  const place = spreadsheetHere();
  if (place === null) return;
  const home = spreadsheetIdentity(platform, place.id);
  const zone = zoneOf(place.timeZone);
  const nowMs = clock.nowMs();
  const before = readMailed(userStore.read(NAME));
  const sinceMs = Math.max(before.since[home] ?? 0, seenMs(platform, home));
  const digest = digestOf(readLog(), sinceMs);
  const runs = runHistory(platform, home).read();
  const problem = runs.find(({ startedMs, problem }) => problem && startedMs > sinceMs)?.problem;
  const news: News = { digest, problem };
  if (!isWorthMail(news)) return;
  const day = Math.floor((nowMs + zone(nowMs)) / DAY);
  const keep = (after: Mailed) => userStore.write(NAME, JSON.stringify(after));
  if (!isItsTurn(before, home, day)) {
    const isOthers = before.day === day && before.by !== home && before.waits === '';
    if (isOthers) keep({ ...before, waits: home });
    return;
  }
  const { name, url } = nameAndUrl();
  if (!sendMail(subjectOf(news, name), textOf(news, name, url, zone))) return;
  keep({ day, by: home, waits: '', since: withMoment(before.since, home, nowMs) });
}

const readMailed = (text: string | null): Mailed =>
  storedAs(text, mailedSchema()) ?? { day: 0, by: '', waits: '', since: {} };

/** What a mail is about. */
interface News {
  readonly digest: Digest | null;
  /** The latest reason why a run failed. */
  readonly problem: Failure | undefined;
}

const markedIn = ({ digest }: News): Digest['marked'] => digest?.marked ?? [];

const isWorthMail = (news: News): boolean =>
  markedIn(news).length > 0 || news.problem !== undefined;

/**
 * Whether this spreadsheet may send today's mail. One that waited goes first on the next day, and
 * loses its precedence a day later.
 */
function isItsTurn({ day: last, waits }: Mailed, home: string, day: number): boolean {
  return last !== day && (waits === '' || waits === home || day > last + 1);
}

const counted = (count: number, one: string, many: string) =>
  `${count} ${count === 1 ? one : many}`;

function subjectOf(news: News, name: string): string {
  const count = markedIn(news).reduce((sum, one) => sum + one.count, 0);
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

function textOf(news: News, name: string, url: string, zone: ZoneOffset): string {
  const { digest, problem } = news;
  const marked = markedIn(news).map(({ rule, count }) => `${rule}: ${count}`);
  const changes =
    digest === null
      ? []
      : [
          `${counted(digest.changes, 'line', 'lines')} in the change log since ${momentWords(digest.sinceMs, zone)}.`,
        ];
  return [
    `"${name}":`,
    '',
    ...marked,
    ...(digest?.buys ?? []).map((line) => `  ${line}`),
    ...(marked.length > 0 ? [''] : []),
    ...changes,
    ...(problem === undefined ? [] : ['', wordsOf(problem)]),
    '',
    url,
    '',
    'You get at most one of these a day. To stop them, switch your schedules off under ' +
      'Extensions > Product Analysis.',
  ].join('\n');
}
