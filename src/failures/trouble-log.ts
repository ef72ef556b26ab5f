// The latest problems in a spreadsheet, kept for some hours for the person who gives support.

import type { Cache, Clock } from '../google/platform';
import { storedList } from '../schema/stored-record';
import { type Failure, isNotable } from './failure';
import { sentences } from './failure-words';

/** One problem, in words that do not contain the key. */
export interface LoggedTrouble {
  readonly atMs: number;
  readonly text: string;
}

export interface TroubleLog {
  /** Latest first. */
  recent(): readonly LoggedTrouble[];
  note(text: string): void;
  /**
   * Notes one failure of each kind for the lifetime of this object; typing errors are not noted.
   */
  noteFailures(failures: readonly Failure[]): void;
}

const NAME = 'trouble';
const TROUBLES_MAX = 10;
const TEXT_CHARS_MAX = 200;

/**
 * The same text is noted once within this time, so that thirty cells with one problem give one
 * line.
 */
const SAME_MS = 60_000;

/** The longest time that Google's cache keeps a value. */
const TTL_SECONDS = 21_600;

/** There is no lock, so if two executions write at once, one entry may be lost. */
export function troubleLog(cache: Cache, clock: Clock): TroubleLog {
  const recent = () =>
    storedList<Partial<LoggedTrouble> | null>(cache.getAll([NAME])[NAME]).filter(isTrouble);
  const notedKinds = new Set<string>();
  function add(texts: readonly string[]): void {
    if (texts.length === 0) return;
    const atMs = clock.nowMs();
    const logged = recent();
    const isKnown = ({ text }: LoggedTrouble) =>
      logged.some((trouble) => trouble.text === text && atMs - trouble.atMs < SAME_MS);
    const fresh = texts
      .map((text) => ({ atMs, text: text.slice(0, TEXT_CHARS_MAX) }))
      .filter((trouble) => !isKnown(trouble));
    if (fresh.length === 0) return;
    const newest = [...fresh, ...logged].slice(0, TROUBLES_MAX);
    cache.putAll({ [NAME]: JSON.stringify(newest) }, TTL_SECONDS);
  }
  return {
    recent,
    note: (text) => add([text]),
    noteFailures: (failures) => {
      const news = failures.filter(
        (failure) => isNotable(failure) && !notedKinds.has(failure.kind),
      );
      add([...new Map(news.map((failure) => [failure.kind, words(failure)])).values()]);
      for (const { kind } of news) notedKinds.add(kind);
    },
  };
}

/** Only the name of an unexpected error; its message may contain anything. */
export const mistakeIn = (thrown: unknown): string =>
  /^\w*Error\b/.exec(String(thrown))?.[0] ?? 'something unknown';

/** The error that Google logs, shows or mails in place of the original one. */
export const plainMistake = (thrown: unknown): Error =>
  new Error(`The add-on failed with ${mistakeIn(thrown)}.`);

function words(failure: Failure): string {
  const id = 'requestId' in failure ? ` (call ${failure.requestId})` : '';
  return sentences(failure).message + id;
}

/** The cached value may be anything, and the time must be valid for a Date. */
const isTrouble = (trouble: Partial<LoggedTrouble> | null): trouble is LoggedTrouble =>
  Math.abs(trouble?.atMs ?? Number.NaN) < 8e15 && typeof trouble?.text === 'string';
