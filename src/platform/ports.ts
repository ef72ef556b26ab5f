// The interfaces through which the add-on uses its platform, and two notations that belong to them:
// column letters and stored JSON.

import type { NewTab, TextMark } from './new-tab';

export interface SchedulePlatform extends SheetPlatform {
  readonly access: Access;
  readonly zones: Zones;
}

/** Why a Google service gave no answer. Each kind is also a kind of failure. */
export type Refusal =
  | CallRefusal
  /**
   * Google has no room left in this store: the person's own, or the one shared by the spreadsheet.
   */
  | { readonly kind: 'store-full'; readonly holder: 'you' | 'here' };

/** The refusals that any Google service may give. */
export type CallRefusal =
  /** The person has not granted the add-on what the call needs. */
  | { readonly kind: 'not-permitted' }
  /** The person's scripts have used up one of Google's daily limits. */
  | { readonly kind: 'google-limit' }
  /**
   * The call failed twice for an unknown reason. `words` is Google's message without anything
   * secret.
   */
  | { readonly kind: 'google-busy'; readonly words: string };

/**
 * Every port whose answer decides something throws this when its second try fails as well. A door
 * turns it into the failure of the same kind.
 */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.kind);
    this.refusal = refusal;
  }
}

/** Whether Google's services failed temporarily, so that the same work can be tried again. */
export const isBusy = (
  error: unknown,
): error is Refused & { readonly refusal: { readonly kind: 'google-busy' } } =>
  error instanceof Refused && error.refusal.kind === 'google-busy';

/** What some work gives, or that Google's services failed temporarily while it was done. */
export function unlessBusy<T>(work: () => T): T | Extract<Refusal, { kind: 'google-busy' }> {
  try {
    return work();
  } catch (error) {
    if (!isBusy(error)) throw error;
    return error.refusal;
  }
}

/**
 * Time, and the only source of "now" in the product. Pure functions take `nowMs` as an argument
 * instead.
 */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Blocks this execution. Sleeping counts as run time. */
  sleep(durationMs: number): void;
}

/**
 * Random numbers for jitter and for the names of lock owners. They are never used for anything
 * secret.
 */
export interface Random {
  /** A number from 0 (included) to 1 (excluded). */
  next(): number;
}

/** Names have eight characters at most, which is enough for two never to be the same. */
const NAMES = 36 ** 8;

/** A name for an execution, a run or a person. It says nothing about them. */
export const drawName = (random: Random): string => Math.floor(random.next() * NAMES).toString(36);

export interface HttpRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as `application/x-www-form-urlencoded` in a POST. */
  readonly form: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
}

/** The result of one request. Header names are lower case. */
export type HttpOutcome =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'timed-out' }
  /** The whole wave was lost because one of its requests failed; Google does not say which one. */
  | { readonly kind: 'lost-with-wave' }
  /** Google's daily allowance of calls is used up. */
  | { readonly kind: 'daily-limit' }
  /** The person has not allowed the add-on to call external services. */
  | { readonly kind: 'not-permitted' }
  /**
   * Google did not make the call, or lost its answer. `words` is Google's message in the person's
   * language.
   */
  | { readonly kind: 'google-busy'; readonly words: string };

/** Sends a wave of requests at once. The outcomes come in the order of the requests. */
export interface Http {
  sendAll(requests: readonly HttpRequest[]): readonly HttpOutcome[];
}

/**
 * A cache that may forget anything at any time. It also reads as empty when Google's cache fails,
 * and does not throw then. Each value is text of at most 100 KB.
 *
 * @param isPaidFor whether a missing value costs a call to the service. If so, a failing cache
 * throws `Refused`.
 */
export interface Cache {
  getAll(names: readonly string[], isPaidFor?: boolean): Readonly<Record<string, string>>;
  /** Returns whether Google stored the values; it may fail temporarily. */
  putAll(values: Readonly<Record<string, string>>, ttlSeconds: number): boolean;
}

/**
 * Durable text by name. A value holds at most 9 KB, and every call counts against Google's daily
 * allowance.
 */
export interface Store {
  read(name: string): string | null;
  write(name: string, value: string): void;
  remove(name: string): void;
  /** Reads everything that is stored, in one call. */
  readAll(): Readonly<Record<string, string>>;
  /** Writes several values in one call. Returns whether they are stored; there may be no room. */
  writeAll(values: Readonly<Record<string, string>>): boolean;
  /** The number of calls this execution has made so far. */
  calls(): number;
}

/**
 * Changing a record takes two property calls, so an execution that holds the lock for longer than
 * this has died.
 */
export const RECORD_LOCK_WAIT_MS = 10_000;

/** Mutual exclusion between executions. */
export interface Lock {
  /**
   * Runs `body` while holding the lock. Answers `held: false` when the lock was not free in time or
   * Google refused it. Throws only what `body` throws.
   */
  run<T>(waitMs: number, body: () => T): { readonly held: true; readonly value: T } | NotHeld;
}

export interface NotHeld {
  readonly held: false;
}

/** A one-way hash, for names that must not reveal what they stand for. */
export interface Digest {
  sha256Hex(text: string): string;
}

/** The permissions that the current person has granted the add-on. */
export interface Access {
  isGranted(scope: string): boolean;
  /** The address where the person can grant what is missing; null: nothing is missing. */
  grantUrl(): string | null;
}

/** Facts about where an execution takes place, for diagnostics. */
export interface Environment {
  places(): {
    readonly timeZone: string;
    readonly locale: string;
    readonly scriptTimeZone: string;
    readonly userLocale: string;
  };
  /** The names of the functions that this person's triggers call in this spreadsheet. */
  triggers(): readonly string[];
}

/** Writes rows onto an empty sheet. */
export interface FreeSheet {
  /**
   * Writes the rows at the top of the active sheet if that is empty, else onto a new sheet with
   * this title. A text that begins with "=" becomes a formula. If writing fails, nothing of it
   * remains.
   */
  fill(
    title: string,
    rows: readonly (readonly string[])[],
    look: SheetStyle,
  ): FilledRange | 'protected' | 'full';
}

export interface SheetStyle {
  /** The number of rows frozen at the top; the last of them holds the headers. */
  readonly headRows: number;
  /** Number formats of the cells below the headers, from the second column on. */
  readonly formats: readonly string[];
}

export interface FilledRange {
  readonly sheet: string;
  readonly range: string;
  readonly isNew: boolean;
}

/**
 * Everything that a door hands to the engine. Members are created on first use, so an unused one
 * costs nothing.
 */
export interface Platform {
  readonly clock: Clock;
  readonly random: Random;
  readonly http: Http;
  /** Shared by all users of this spreadsheet. */
  readonly cache: Cache;
  readonly userStore: Store;
  readonly documentStore: Store;
  /** Shared by all users of this spreadsheet. */
  readonly lock: Lock;
  readonly digest: Digest;
  /** The id of the active spreadsheet; null: a clock trigger may run without one. */
  spreadsheetId(): string | null;
}

/** What a cell holds; '' stands for an empty cell. */
export type SheetCell = string | number | boolean | Date;

/** A rectangle of cells; rows and columns count from 1. */
export interface Area {
  readonly row: number;
  readonly column: number;
  readonly rowCount: number;
  readonly columnCount: number;
}

export interface SheetSize {
  /** The last row and the last column with content; 0 in an empty sheet. */
  readonly lastRow: number;
  readonly lastColumn: number;
  readonly maxRows: number;
  readonly maxColumns: number;
}

/** What only looks good may be done once the figures are in the sheet. */
export type Later = (chore: () => void) => void;

export const AT_ONCE: Later = (chore) => chore();

/** A sheet that was just added. */
export const NEW_SHEET: SheetSize = { lastRow: 0, lastColumn: 0, maxRows: 1_000, maxColumns: 26 };

/** `gone`: the sheet, or rows or columns of the area, no longer exist. */
export type WriteOutcome = 'written' | 'protected' | 'gone';

/** `full`: the spreadsheet has no room for more cells; Google allows ten million. */
export type GrowthOutcome = WriteOutcome | 'full';

/**
 * A text of ours that Google keeps with a sheet, or with one of its rows or columns, and moves along
 * with it (developer metadata). A copy of the sheet has it, too.
 */
export interface Metadata {
  readonly on: 'sheet' | 'row' | 'column';
  /** The row or column by now, from 1; 0 for the sheet itself. */
  readonly at: number;
  readonly value: string;
}

/** One sheet. Every reading method answers null when the area no longer exists. */
export interface Sheet {
  readonly id: number;
  name(): string | null;
  /** Another sheet of the same spreadsheet; null: none has this title. */
  named(title: string): Sheet | null;
  size(): SheetSize | null;
  values(area: Area): readonly (readonly SheetCell[])[] | null;
  /** The cells of whole columns, down to the last row of the sheet. */
  columns(first: number, count: number): readonly (readonly SheetCell[])[] | null;
  /** '' for a cell without a formula of its own. */
  formulas(area: Area): readonly (readonly string[])[] | null;
  /**
   * Where cells lead, '' for nowhere: by =HYPERLINK("…") or by links behind their text. Several
   * addresses are separated by blanks.
   */
  links(area: Area): readonly (readonly string[])[] | null;
  /** The merged cells that overlap the area, each in its full extent. */
  merges(area: Area): readonly Area[] | null;
  /** Whether this person may write in the area. */
  canEdit(area: Area): boolean;
  /**
   * Texts are written as texts, even if they look like a number or a formula. A read that follows
   * sees what was written.
   */
  write(area: Area, cells: readonly (readonly SheetCell[])[]): WriteOutcome;
  /** Gives each cell of the area its formula, which includes the "=". */
  writeFormulas(area: Area, formulas: readonly (readonly string[])[]): WriteOutcome;
  /** Gives every cell of the area the same formula, in R1C1 notation, in one call. */
  writeR1C1(area: Area, formula: string): WriteOutcome;
  /** The formulas of the area in R1C1 notation; '' for a cell without one. */
  formulasR1C1(area: Area): readonly (readonly string[])[] | null;
  /** What is noted under this key in this sheet, its rows and its columns. */
  metadata(key: string): readonly Metadata[] | null;
  addMetadata(key: string, noted: Metadata): WriteOutcome;
  /** Removes the notes of this key on the same place; with a value, only those of this value. */
  removeMetadata(
    key: string,
    place: Pick<Metadata, 'on' | 'at'> & Partial<Pick<Metadata, 'value'>>,
  ): WriteOutcome;
  hideColumns(first: number, count: number): WriteOutcome;
  showColumns(first: number, count: number): WriteOutcome;
  /** Sheets asks people before they edit this sheet, and lets them. */
  warnBeforeEdits(description: string): WriteOutcome;
  /**
   * The cell ("B12") whose data validation rejected the last write. Sheets may report it only at
   * the next read, which then answers null.
   */
  rejected(): string | null;
  formats(area: Area): readonly (readonly string[])[] | null;
  setFormats(area: Area, formats: readonly (readonly string[])[]): WriteOutcome;
  /** Gives every cell of the area the same format. */
  setFormat(area: Area, format: string): WriteOutcome;
  /** Replaces the formulas of the area by what they show. Each cell keeps its own value. */
  keepValues(area: Area): WriteOutcome;
  /** Inserts columns after what is the last column. */
  addColumns(afterColumn: number, count: number): GrowthOutcome;
  addRowOnTop(): GrowthOutcome;
  /** Adds rows after what is the last row. */
  addRows(afterRow: number, count: number): GrowthOutcome;
  insertRows(beforeRow: number, count: number): GrowthOutcome;
  deleteRows(firstRow: number, count: number): GrowthOutcome;
  /**
   * Gives new adjacent columns their widths in pixels and their headers the format of another
   * header. It also freezes the rows down to the header, unless the person has frozen rows already.
   * What Google refuses is left undone.
   *
   * @param like the column whose header is copied; null: the headers get the default format.
   */
  dress(
    headerRow: number,
    firstColumn: number,
    widths: readonly number[],
    like: number | null,
  ): void;
  /** Keeps this row and those above it in view. What Google refuses is left undone. */
  freezeDownTo(row: number): void;
  makeBold(area: Area): WriteOutcome;
  /**
   * Those of the rows that are neither hidden nor filtered out. It costs one call for each row, and
   * a second one if there is a filter.
   */
  visibleRows(rows: readonly number[]): readonly number[];
}

export interface Spreadsheet {
  /** null: a clock trigger may run without an active spreadsheet. */
  place(): { readonly id: string; readonly timeZone: string } | null;
  /** null: no sheet has this id. */
  sheet(sheetId: number): Sheet | null;
  /** All sheets in the order of their tabs; empty where no spreadsheet is active. */
  sheets(): readonly Sheet[];
  /** The sheets with metadata of this key on themselves, in the order of their tabs. */
  withMetadata(key: string): readonly Sheet[];
  /** null: no sheet has this title. */
  named(title: string): Sheet | null;
  /**
   * Adds a sheet behind all others. Its title gets a number if another sheet has the same title.
   * The active sheet stays active.
   */
  add(title: string): Sheet | 'protected' | 'full';
  /** The active sheet, which is the one that a person means. */
  active(): Sheet;
  /**
   * The values of the named cells whose names match, by name. Names of deleted cells are left out.
   */
  namedCells(names: RegExp): Readonly<Record<string, SheetCell>>;
  /** Where the cells of this name are by now; null: there are none. */
  namedPlace(name: string): { readonly sheet: Sheet; readonly area: Area } | null;
  /** Gives a cell this name, which no other cell has then. */
  nameCell(name: string, sheetId: number, area: Area): void;
  /** The row of each named cell whose name matches, by name. */
  namedRows(names: RegExp): Readonly<Record<string, number>>;
  /** The selected areas of the active sheet. */
  selected(): readonly Area[];
  /** Selects areas and scrolls to the first one. */
  select(sheetId: number, areas: readonly Area[]): boolean;
}

/** The result of creating a trigger: its id, or why there is none. */
export type TriggerOutcome =
  | {
      readonly kind: 'made';
      readonly id: string;
      /** The ids of this person's other triggers of the script that call the same function. */
      readonly others: readonly string[];
    }
  /** This person has a trigger for this spreadsheet that Google does not show to this script. */
  | { readonly kind: 'there' }
  /** The person has as many triggers as Google allows. */
  | { readonly kind: 'too-many' }
  /**
   * Google does not allow this interval for an add-on, or no clock trigger here at all. `words` is
   * Google's message.
   */
  | { readonly kind: 'refused'; readonly words: string };

/** Clock triggers. An add-on may have one for each user and spreadsheet. */
export interface Triggers {
  /**
   * The ids of the triggers that call `handler` for this person in this spreadsheet; `known` is an
   * id that was stored. Google also lists those that it has disabled.
   */
  find(handler: string, known: string | null): readonly string[];
  /**
   * Makes one. If Google has only room for a trigger that calls another function, which is one of an
   * older version, that one is deleted.
   */
  make(handler: string, everyMinutes: number): TriggerOutcome;
  remove(id: string): void;
}

/** Time zones. */
export interface Zones {
  /** How far local time is ahead of UTC at a moment, in ms. */
  offsetMs(timeZone: string, atMs: number): number;
}

/** The look of sheets: conditional formats, filters, the order of rows, and whole tabs. */
export interface Presentation {
  /**
   * Highlights texts of a column from a row down with rules of conditional formatting. Rules of
   * ours are recognised by their text, colour and column; earlier ones are removed. Other people's
   * rules stay as they are.
   *
   * @param isShown false: our rules are removed and none is added.
   */
  mark(
    sheetId: number,
    column: number,
    firstRow: number,
    marks: readonly TextMark[],
    isShown: boolean,
  ): WriteOutcome;
  /** @param area the list, including its header row. */
  filter(sheetId: number, area: Area, column: number, only: string | null): WriteOutcome;
  /** @param area the rows without their header row. */
  sort(sheetId: number, area: Area, column: number, ascending: boolean): WriteOutcome;
  /** The sheet that holds this named cell; null: no cell has this name. */
  sheetOfName(name: string): number | null;
  /** @param replaced the sheet whose place the tab takes; null: none. */
  add(
    tab: NewTab,
    replaced: number | null,
  ): { readonly sheetId: number; readonly name: string } | 'protected' | 'full';
  /** Deletes a tab that could not be finished. @param onView the sheet that comes into view. */
  remove(sheetId: number, onView: number): void;
  /** @param onRejected is given the cell whose data validation rejected its new value. */
  setCells(
    sheetId: number,
    cells: readonly { readonly at: string; readonly value: string | number | boolean }[],
    onRejected: (cell: string) => void,
  ): WriteOutcome;
  shownIn(sheetId: number, at: readonly string[]): readonly string[];
}

export interface SheetPlatform extends Platform {
  readonly spreadsheet: Spreadsheet;
  readonly triggers: Triggers;
}

export interface Mail {
  /**
   * Sends a mail in plain text. Returns whether Google accepted it; it may not be permitted, or the
   * daily limit is used up.
   */
  send(subject: string, text: string): boolean;
  /** The name and address of the spreadsheet that the mail is about. */
  spreadsheet(): { readonly name: string; readonly url: string };
}

/** @param column counts from 1: 1 is "A", 28 is "AB". */
export function columnLetters(column: number): string {
  const rest = (column - 1) % 26;
  const before = column > 26 ? columnLetters((column - 1 - rest) / 26) : '';
  return before + String.fromCharCode(65 + rest);
}

/** @param letters in either case: "A" is 1, "ab" is 28. */
export function columnNumber(letters: string): number {
  return [...letters.toUpperCase()].reduce((sum, one) => sum * 26 + one.charCodeAt(0) - 64, 0);
}

export function storedJson(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

export function storedList<T>(text: string | null | undefined): readonly T[] {
  const list = storedJson(text);
  return Array.isArray(list) ? list : [];
}

/** Whether a value has every member of the example with the same type, at every depth. */
export const isLike = <Shape>(value: unknown, example: Shape): value is Shape =>
  typeof value === typeof example &&
  (typeof value !== 'object' ||
    (value !== null &&
      Object.entries(Object(example)).every(([name, one]) =>
        isLike(Reflect.get(value, name), one),
      )));

/**
 * The length of a text in UTF-8, in bytes. Each half of a surrogate pair counts two; JSON escapes
 * lone halves.
 */
export function bytesOf(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x80) bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return bytes;
}

/**
 * Google's page "Quotas for Google services" allows 9 KB for a property; the rest is for a name
 * that may precede the list.
 */
const LIST_BYTES_MAX = 8_900;

/** A list as text for one property: as many of its first entries as fit. */
export function listText(list: readonly unknown[]): string {
  const text = JSON.stringify(list);
  return bytesOf(text) > LIST_BYTES_MAX ? listText(list.slice(0, -1)) : text;
}
