// What the add-on needs of a platform, and the two notations that come with it: columns as letters, stored JSON.

export interface SchedulePlatform extends SheetPlatform {
  readonly access: Access;
  readonly zones: Zones;
}

/** Why Google's services gave no answer. The kinds are failures, too. */
export type Refusal =
  | CallRefusal
  /** Google keeps no more for the person, or for everybody in this spreadsheet. */
  | { readonly kind: 'store-full'; readonly holder: 'you' | 'here' };

/** What any of its services may say. */
export type CallRefusal =
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
  /** Says whether Google took them: it may fail in passing. */
  putAll(values: Readonly<Record<string, string>>, ttlSeconds: number): boolean;
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

/** Changing a record takes two property calls; whoever holds the lock longer is dead. */
export const RECORD_LOCK_WAIT_MS = 10_000;

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
export interface Environment {
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
    look: SheetStyle,
  ): FilledRange | 'protected' | 'full';
}

export interface SheetStyle {
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
  /** Of the spreadsheet at hand; null: by the clock there may be none. */
  spreadsheetId(): string | null;
}

/** What a cell holds; '' is an empty one. */
export type SheetCell = string | number | boolean | Date;

/** Cells side by side; rows and columns count from 1. */
export interface Area {
  readonly row: number;
  readonly column: number;
  readonly rowCount: number;
  readonly columnCount: number;
}

/** What stood in a cell: its formula if it had one, else its value. */
export interface CellContent {
  readonly value: SheetCell;
  readonly formula: string;
}

export interface SheetSize {
  /** The last row and column with anything in it; 0 in an empty sheet. */
  readonly lastRow: number;
  readonly lastColumn: number;
  readonly maxRows: number;
  readonly maxColumns: number;
}

/**
 * `gone`: the sheet, or rows or columns of the area, are no longer there. `unsure`: Google failed in
 * passing, and only what is read afterwards tells whether it was written; of writes that are made once.
 */
export type WriteOutcome = 'written' | 'protected' | 'gone' | 'unsure';

/** `full`: a spreadsheet holds ten million cells, and this one has no room for more. */
export type GrowthOutcome = WriteOutcome | 'full';

/** One sheet. Whatever reads answers null when the area is no longer there. */
export interface Sheet {
  readonly id: number;
  name(): string | null;
  /** Another one of the same spreadsheet; null: none is called so. */
  named(title: string): Sheet | null;
  size(): SheetSize | null;
  values(area: Area): readonly (readonly SheetCell[])[] | null;
  /** '' where a cell has no formula of its own. */
  formulas(area: Area): readonly (readonly string[])[] | null;
  /** Cells that are merged into one, whole, as far as they meet the area. */
  merges(area: Area): readonly Area[] | null;
  /** Whether this person may write there. */
  canEdit(area: Area): boolean;
  /**
   * Texts are put in as texts, whatever they look like. What was written is there once it is read.
   *
   * @param isOnce it is not made again where Google fails in passing: by then rows and columns may
   *   stand elsewhere.
   */
  write(area: Area, cells: readonly (readonly SheetCell[])[], isOnce?: boolean): WriteOutcome;
  /** Every cell of the area becomes its formula, "=" and all. */
  writeFormulas(area: Area, formulas: readonly (readonly string[])[]): WriteOutcome;
  /** The formula of the first cell in every cell of the area, each naming the cells beside it. */
  copyFormula(first: Area, area: Area): WriteOutcome;
  /** Puts back what stood there, texts in their full length. Formats are not touched. */
  putBack(area: Area, cells: readonly (readonly CellContent[])[]): WriteOutcome;
  /**
   * The cell ("B12") whose data validation turned down what was written last. Sheets may say so only
   * when that is read, and the reading answers null then.
   */
  rejected(): string | null;
  formats(area: Area): readonly (readonly string[])[] | null;
  setFormats(area: Area, formats: readonly (readonly string[])[]): WriteOutcome;
  /** Makes room at the right, behind what is the last column. */
  addColumns(afterColumn: number, count: number): GrowthOutcome;
  addRowOnTop(): GrowthOutcome;
  insertRows(beforeRow: number, count: number): GrowthOutcome;
  deleteRows(firstRow: number, count: number): GrowthOutcome;
  /**
   * Gives columns side by side that are new their widths, in pixels, and their headers the look of
   * another one; rows down to the header stay on view, unless somebody chose which do. What cannot be
   * done is left.
   *
   * @param like its column; null: the columns are as new again.
   */
  dress(
    headerRow: number,
    firstColumn: number,
    widths: readonly number[],
    like: number | null,
  ): void;
  /** Of the rows, those that are on view. One call for each row, and one more if there is a filter. */
  visibleRows(rows: readonly number[]): readonly number[];
}

export interface Spreadsheet {
  /** null: there is none at hand, as may happen by the clock. */
  place(): { readonly id: string; readonly timeZone: string } | null;
  /** null: there is none of this id any more. */
  sheet(sheetId: number): Sheet | null;
  /** In the order of their tabs; none where no spreadsheet is at hand. */
  sheets(): readonly Sheet[];
  /** null: no sheet is called so. */
  named(title: string): Sheet | null;
  /**
   * Adds a sheet behind all others under this title, with a number where another has it. What is on
   * view stays on view.
   */
  add(title: string): Sheet | 'protected' | 'full';
  /** The sheet on view; it is this one that a person means. */
  active(): Sheet;
  /** Cells with a name like this, by their names; those that are gone are left out. */
  namedCells(names: RegExp): Readonly<Record<string, SheetCell>>;
  /** The rows in which they stand, by their names. */
  namedRows(names: RegExp): Readonly<Record<string, number>>;
  /** What is selected on the sheet on view. */
  selected(): readonly Area[];
  /** Selects areas and scrolls to the first. */
  select(sheetId: number, areas: readonly Area[]): boolean;
}

/** What came of a wish for a trigger: its name, or why there is none. */
export type TriggerOutcome =
  | { readonly kind: 'made'; readonly id: string; readonly others: boolean }
  /** There is one for this person and spreadsheet that this script was not shown. */
  | { readonly kind: 'there' }
  /** The person has as many as Google allows. */
  | { readonly kind: 'too-many' }
  /** Google's clock does not strike so often for an add-on, or is not allowed here at all; in Google's words. */
  | { readonly kind: 'refused'; readonly words: string };

/** The clock. An add-on may have one trigger for each user and spreadsheet. */
export interface Triggers {
  /** The trigger that calls `handler` for this person here; `known` is its name if it was noted. */
  find(handler: string, known: string | null): string | null;
  make(handler: string, everyMinutes: number): TriggerOutcome;
  remove(id: string): void;
}

/** Clocks of places. */
export interface Zones {
  /** How far a place's clock is ahead of UTC at a moment, in ms. */
  offsetMs(timeZone: string, atMs: number): number;
}

/** A text of a column, and how a cell with it is shown. */
export interface TextMark {
  readonly text: string;
  /** "#d2e3fc", as all colours. */
  readonly background: string;
  readonly color: string;
  readonly isBold: boolean;
}

/** How cells look: "B3" or "B3:C9". */
export interface CellStyle {
  readonly at: string;
  readonly format?: string;
  readonly isBold?: boolean;
  readonly background?: string;
  readonly color?: string;
  /** The cell takes, from a dropdown, only these words or what stands in these cells of the tab. */
  readonly choices?: string | readonly string[];
}

/** A chart of the sheet's own; the first row of its cells has the titles. */
export interface TabChart {
  readonly type: 'COLUMN' | 'PIE' | 'SCATTER';
  readonly title: string;
  /** "A3:B7"; "W1:X" goes down to the sheet's end. */
  readonly of: string;
  /** The cell in its upper left corner. */
  readonly row: number;
  readonly column: number;
}

/** A tab with all that is on it. */
export interface NewTab {
  /** With a number behind it where another tab is called so. */
  readonly title: string;
  /** From A1 on, all rows of one length. Texts stay texts, whatever they look like. */
  readonly cells: readonly (readonly (string | number | boolean)[])[];
  readonly formulas: readonly { readonly at: string; readonly formula: string }[];
  readonly names: readonly { readonly name: string; readonly at: string }[];
  readonly styles: readonly CellStyle[];
  /** In pixels, from the first column on. */
  readonly widths: readonly number[];
  readonly frozenRows: number;
  /** Else what is on view stays on view. */
  readonly isShown?: true;
  readonly charts?: readonly TabChart[];
  /** A tab that has its first name already goes, and this one takes its place. */
  readonly replaces?: true;
  /** How texts of a column are shown, from a row down. */
  readonly marked?: {
    readonly column: number;
    readonly firstRow: number;
    readonly marks: readonly TextMark[];
  };
}

/** How sheets look, which rows are on view and in which order. */
export interface Presentation {
  /**
   * Marks texts of a column from a row down, by rules of conditional formatting that are known as
   * ours by what they say; earlier ones of ours go. Other people's stay as they are.
   *
   * @param isShown false: ours go, and none come.
   */
  mark(
    sheetId: number,
    column: number,
    firstRow: number,
    marks: readonly TextMark[],
    isShown: boolean,
  ): WriteOutcome;
  /** @param area the list, from its header down. */
  filter(sheetId: number, area: Area, column: number, only: string | null): WriteOutcome;
  /** @param area the rows without their header. */
  sort(sheetId: number, area: Area, column: number, ascending: boolean): WriteOutcome;
  /** The sheet with this named cell; null: there is none. */
  sheetOfName(name: string): number | null;
  /** @param replaced the sheet whose place the tab takes; null: none. */
  add(
    tab: NewTab,
    replaced: number | null,
  ): { readonly sheetId: number; readonly name: string } | 'protected' | 'full';
  /** @param onRejected is told of the cell whose data validation turned down what was to stand there. */
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
  /** Plain text. Says whether it is on its way: Google may not allow it, or no more today. */
  send(subject: string, text: string): boolean;
  /** What the mail is about, by its name and address. */
  spreadsheet(): { readonly name: string; readonly url: string };
}

/** @param column counts from 1: 1 is "A", 28 is "AB". */
export function columnLetters(column: number): string {
  const rest = (column - 1) % 26;
  const before = column > 26 ? columnLetters((column - 1 - rest) / 26) : '';
  return before + String.fromCharCode(65 + rest);
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

/** Whether something has all that the example has, each of the same type, in its parts as well. */
export const isLike = <Shape>(value: unknown, example: Shape): value is Shape =>
  typeof value === typeof example &&
  (typeof value !== 'object' ||
    (value !== null &&
      Object.entries(Object(example)).every(([name, one]) =>
        isLike(Reflect.get(value, name), one),
      )));

/** The length in UTF-8. Halves of surrogate pairs count two each; JSON escapes those that are alone. */
export function bytesOf(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x80) bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return bytes;
}

/** "Quotas for Google services": a property holds 9 KB; a name may stand before the list. */
export const LIST_BYTES_MAX = 8_900;

/** The text of a list for one property: of its first entries as many as fit. */
export function listText(list: readonly unknown[]): string {
  const text = JSON.stringify(list);
  return bytesOf(text) > LIST_BYTES_MAX ? listText(list.slice(0, -1)) : text;
}
