// What the engine needs from the machine it runs on: small capabilities, each with one adapter.

/** Why Google's services gave no answer. The kinds are failures, too. */
export type Refusal =
  /** The person has not granted the add-on what the call needs. */
  | { readonly kind: 'not-permitted' }
  /** The person's scripts have done all that Google allows in a day. */
  | { readonly kind: 'google-limit' }
  /** Twice in a row, for no reason that is known; in Google's words, without anything secret. */
  | { readonly kind: 'google-busy'; readonly words: string };

/**
 * Thrown by every port whose answer decides something, when a second try failed, too. Doors make the
 * failure of that kind of it.
 */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.kind);
    this.refusal = refusal;
  }
}

/** Google's services failed in passing: whatever was to be done can be tried again. */
export const isBusy = (
  error: unknown,
): error is Refused & { readonly refusal: { readonly kind: 'google-busy' } } =>
  error instanceof Refused && error.refusal.kind === 'google-busy';

/** Time. The only source of "now" in the product; everything pure takes `nowMs` as an argument. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Blocks this execution. Sleeping counts as run time. */
  sleep(durationMs: number): void;
}

/** Chance, for jitter and for names of owners. Never for anything secret. */
export interface Random {
  /** A number from 0 up to, not including, 1. */
  next(): number;
}

export interface HttpRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as `application/x-www-form-urlencoded` in a POST. */
  readonly form: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
}

/** What became of one request. Names of headers are lower case. */
export type HttpOutcome =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'timed-out' }
  /** The whole wave was lost because one of its requests failed; which one is not known. */
  | { readonly kind: 'lost-with-wave' }
  /** Google's own daily allowance of calls is spent. */
  | { readonly kind: 'daily-limit' }
  /** The person has not allowed the add-on to call services elsewhere. */
  | { readonly kind: 'not-permitted' }
  /** Google did not make the call, or lost its answer, and says why in its own language. */
  | { readonly kind: 'google-busy'; readonly words: string };

/** Sends a wave of requests at once. Answers come in the order of the requests. */
export interface Http {
  sendAll(requests: readonly HttpRequest[]): readonly HttpOutcome[];
}

/**
 * A cache that may forget anything at any time, and does where Google's fails: it does not throw. Values
 * are text of at most 100 KB.
 *
 * @param isPaidFor what is not found costs a call: where Google's fails, it throws `Refused`.
 */
export interface Cache {
  getAll(names: readonly string[], isPaidFor?: boolean): Readonly<Record<string, string>>;
  putAll(values: Readonly<Record<string, string>>, ttlSeconds: number): void;
}

/** Durable text by name: at most 9 KB a value, and every call counts against a daily allowance. */
export interface Store {
  read(name: string): string | null;
  write(name: string, value: string): void;
  remove(name: string): void;
  /** Everything that is stored, in one call. */
  readAll(): Readonly<Record<string, string>>;
  /** Writes several values in one call. Says whether they are stored: there may be no room. */
  writeAll(values: Readonly<Record<string, string>>): boolean;
  /** Calls made by this execution so far. */
  calls(): number;
}

/** Mutual exclusion between executions. */
export interface Lock {
  /**
   * Runs `body` while holding the lock, or answers `held: false` when it was not had in time, or not
   * given. Never throws by itself.
   */
  run<T>(waitMs: number, body: () => T): { readonly held: true; readonly value: T } | NotHeld;
}

export interface NotHeld {
  readonly held: false;
}

/** A one-way hash, for names that must not betray what they stand for. */
export interface Digest {
  sha256Hex(text: string): string;
}

/** What the person at the keyboard has allowed the add-on. */
export interface Access {
  isGranted(scope: string): boolean;
  /** Where what is missing can be allowed; null: nothing is missing. */
  grantUrl(): string | null;
}

/** Where an execution takes place. */
export interface Surroundings {
  places(): {
    readonly timeZone: string;
    readonly locale: string;
    readonly scriptTimeZone: string;
    readonly userLocale: string;
  };
  /** The functions that this person's triggers call in this spreadsheet. */
  triggers(): readonly string[];
  /** How many cells of the sheet on view are so, by what they show and their formula. */
  countCells(isSo: (shown: string, formula: string) => boolean): number;
}

/** A place in the spreadsheet where nothing stands. */
export interface FreeSheet {
  /**
   * Puts rows at the top of the sheet on view if nothing is on it, else of a new one with this title.
   * What begins with "=" becomes a formula. Where that fails, nothing of it stays.
   */
  fill(
    title: string,
    rows: readonly (readonly string[])[],
    look: SheetLook,
  ): FilledRange | 'protected' | 'full';
}

export interface SheetLook {
  /** Rows that stay on view; the last of them has the headers. */
  readonly headRows: number;
  /** Number formats below the headers, from the second column on. */
  readonly formats: readonly string[];
}

export interface FilledRange {
  readonly sheet: string;
  readonly range: string;
  readonly isNew: boolean;
}

/** Everything a door hands to the engine. Members are made on first use, so an unused one is free. */
export interface Platform {
  readonly clock: Clock;
  readonly random: Random;
  readonly http: Http;
  /** Shared by all users of this spreadsheet. */
  readonly cache: Cache;
  /** Shared by all users of the add-on, whatever their spreadsheets. */
  readonly commonCache: Cache;
  readonly userStore: Store;
  readonly documentStore: Store;
  /** Shared by all users of this spreadsheet. */
  readonly lock: Lock;
  readonly digest: Digest;
}
