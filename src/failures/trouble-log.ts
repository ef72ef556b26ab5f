// The last things that went wrong in a spreadsheet, kept for a while for whoever is asked for help.

import { type Cache, type Clock, storedList } from '../platform/ports';
import { type Failure, isNotable, sentences } from './failure';

/** One thing that went wrong, in words without the key. */
export interface Trouble {
  readonly atMs: number;
  readonly text: string;
}

export interface TroubleLog {
  /** The latest first. */
  recent(): readonly Trouble[];
  note(text: string): void;
  /** Of each kind one since this log was opened; what people mistyped is not noted. */
  noteFailures(failures: readonly Failure[]): void;
}

const NAME = 'trouble';
const TROUBLES_MAX = 10;
const TEXT_CHARS_MAX = 200;

/** Thirty cells with one trouble have one line. */
const SAME_MS = 60_000;

/** The longest life the cache grants. */
const TTL_SECONDS = 21_600;

/** Without a lock: of two executions that note at once, one may be forgotten. */
export function troubleLog(cache: Cache, clock: Clock): TroubleLog {
  const recent = () =>
    storedList<Partial<Trouble> | null>(cache.getAll([NAME])[NAME]).filter(isTrouble);
  const notedKinds = new Set<string>();
  function add(texts: readonly string[]): void {
    if (texts.length === 0) return;
    const atMs = clock.nowMs();
    const known = recent();
    const isKnown = ({ text }: Trouble) =>
      known.some((one) => one.text === text && atMs - one.atMs < SAME_MS);
    const noted = texts
      .map((text) => ({ atMs, text: text.slice(0, TEXT_CHARS_MAX) }))
      .filter((one) => !isKnown(one));
    if (noted.length === 0) return;
    const kept = [...noted, ...known].slice(0, TROUBLES_MAX);
    cache.putAll({ [NAME]: JSON.stringify(kept) }, TTL_SECONDS);
  }
  return {
    recent,
    note: (text) => add([text]),
    noteFailures: (failures) => {
      const news = failures.filter((one) => isNotable(one) && !notedKinds.has(one.kind));
      add([...new Map(news.map((one) => [one.kind, words(one)])).values()]);
      for (const { kind } of news) notedKinds.add(kind);
    },
  };
}

/** Of a mistake of ours the name alone: what else it says may hold anything. */
export const mistakeIn = (thrown: unknown): string =>
  /^\w*Error\b/.exec(String(thrown))?.[0] ?? 'something unknown';

/** What Google notes, shows or mails in its place. */
export const plainMistake = (thrown: unknown): Error =>
  new Error(`The add-on failed with ${mistakeIn(thrown)}.`);

function words(failure: Failure): string {
  const id = 'requestId' in failure ? ` (call ${failure.requestId})` : '';
  return sentences(failure).message + id;
}

/** The cache may hold anything, and a time has to be one that can be written. */
const isTrouble = (one: Partial<Trouble> | null): one is Trouble =>
  Math.abs(one?.atMs ?? Number.NaN) < 8e15 && typeof one?.text === 'string';
