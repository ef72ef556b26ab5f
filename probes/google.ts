// The calls to Google that probes make, and the sheet in which they keep what they found.
import { ADD_ON_NAME } from '../src/failures/add-on-name';

export type GoogleSheet = GoogleAppsScript.Spreadsheet.Sheet;
export type CellValue = string | number | boolean | Date;

/** Sheets, and names in caches and stores, that only the probes use. Anybody may delete them. */
const TITLE = `${ADD_ON_NAME} probes`;
export const SCRATCH = `${ADD_ON_NAME} scratch`;
/** A second temporary sheet, for lookups from one sheet into another. */
export const SCRATCH_KEYS = `${ADD_ON_NAME} scratch keys`;
const NAME = 'probe';

/** The function that the clock calls. */
export const CLOCK_HANDLER = 'onProbeClock';

/** null in a trigger that belongs to no spreadsheet. */
export const book = () => SpreadsheetApp.getActiveSpreadsheet();

const TTL_SECONDS = 21_600;

/** Google's message for what it threw, and whether this script sees it as an Error. */
export function saidBy(error: unknown): string {
  return `${String(error)} (${error instanceof Error ? 'an Error' : 'no Error'})`;
}

function saidIn(work: () => unknown): string {
  try {
    work();
    return 'nothing: it was let through';
  } catch (error) {
    return saidBy(error);
  }
}

// Storage that cells, menus and triggers may share.

interface Place {
  readonly read: () => string | null;
  readonly write: (value: string) => unknown;
}

type Opened<Service> = () => Service | null;

const ofCache = (open: Opened<GoogleAppsScript.Cache.Cache>) => (): Place | null => {
  const cache = open();
  return (
    cache && { read: () => cache.get(NAME), write: (value) => cache.put(NAME, value, TTL_SECONDS) }
  );
};

const ofProperties =
  (open: Opened<GoogleAppsScript.Properties.Properties>, name = NAME) =>
  (): Place | null => {
    const store = open();
    return (
      store && {
        read: () => store.getProperty(name),
        write: (value) => store.setProperty(name, value),
      }
    );
  };

const documentProperties = () => PropertiesService.getDocumentProperties();
const userProperties = () => PropertiesService.getUserProperties();

/** What cells write and what the clock notes is kept under names of its own. */
const PLACES = {
  'document cache': ofCache(() => CacheService.getDocumentCache()),
  'document properties': ofProperties(documentProperties),
  'user properties': ofProperties(userProperties),
  'written by a cell': ofProperties(documentProperties, `${NAME} cell`),
  'written by the clock': ofProperties(documentProperties, `${NAME} clock`),
  'notes of the clock': ofProperties(userProperties, `${NAME} clock`),
  home: ofProperties(documentProperties, `${NAME} home`),
} as const;
export type PlaceName = keyof typeof PLACES;

/** null: nothing is stored there. Throws if the storage does not exist. */
export function readPlace(name: PlaceName): string | null {
  return opened(name).read();
}

export function writePlace(name: PlaceName, value: string): void {
  opened(name).write(value);
}

function opened(name: PlaceName): Place {
  const place = PLACES[name]();
  if (place === null) throw new Error(`There are no ${name} here`);
  return place;
}

/** Deletes everything the probes have stored in properties; caches expire by themselves. */
export function emptyPlaces(): void {
  for (const store of [documentProperties(), userProperties()])
    for (const name of store?.getKeys() ?? [])
      if (name === NAME || name.startsWith(`${NAME} `)) store?.deleteProperty(name);
}

// The probes' sheet holds their formulas and records what was found.

export interface SheetLine {
  readonly where: string;
  readonly id: string;
  readonly expected: string;
  /** '' for a probe that is not a formula. */
  readonly formula: string;
  /** What is known already; '' for a formula. */
  readonly found: string;
  readonly input: CellValue;
  /** Number formats of the formula's cell and of the input's cell; '' for the default. */
  readonly formats: readonly [string, string];
}

export interface SheetFound {
  /** The id of the spreadsheet in which the sheet was made. */
  readonly home: string;
  readonly lines: readonly {
    readonly id: string;
    readonly found: string;
    readonly input: string;
    /** The row number in the sheet. */
    readonly row: number;
  }[];
  /** The displayed text of each of the many cells that calculate at once. */
  readonly log: readonly string[];
}

const HEADERS = ['Where', 'Probe', 'Expected', 'Found', 'Input'];
const FOUND = 4;
const INPUT = 5;
const HOME = 6;
const LOG = 7;
const TEXT = '@';
const GENERAL = 'General';

/** Makes the sheet, or clears an existing one first, so that Sheets recalculates every formula. */
export function makeSheet(home: string, lines: readonly SheetLine[], log: readonly string[]): void {
  const known = book().getSheetByName(TITLE);
  const sheet = known?.clear() ?? book().insertSheet(TITLE);
  SpreadsheetApp.flush();
  const block = sheet.getRange(1, 1, lines.length + 1, INPUT);
  const formats = lines.map(({ formula, formats: [own, input] }) => [
    ...[TEXT, TEXT, TEXT, own || (formula === '' ? TEXT : GENERAL), input || GENERAL],
  ]);
  block.setNumberFormats([HEADERS.map(() => TEXT), ...formats]);
  block.setValues([
    HEADERS,
    ...lines.map(({ where, id, expected, found, input }) => [where, id, expected, found, input]),
  ]);
  // `setFormula` accepts commas between arguments; `setValues` would expect the separator of the
  // spreadsheet's locale.
  lines.forEach(({ formula }, down) => {
    if (formula !== '') sheet.getRange(down + 2, FOUND).setFormula(formula);
  });
  sheet.getRange(1, HOME).setNumberFormat(TEXT).setValue(home);
  sheet.getRange(1, LOG).setValue('Many at once');
  sheet.getRange(2, LOG, log.length, 1).setFormulas(log.map((formula) => [formula]));
  SpreadsheetApp.flush();
}

/** null: the probes have never run here, or were removed. */
export function readSheet(): SheetFound | null {
  const cells = book()?.getSheetByName(TITLE)?.getDataRange().getDisplayValues();
  if (cells === undefined) return null;
  const [header = [], ...rows] = cells;
  const text = (row: readonly string[], column: number) => row[column - 1] ?? '';
  return {
    home: text(header, HOME),
    lines: rows.map((row, down) => ({
      id: text(row, 2),
      found: text(row, FOUND),
      input: text(row, INPUT),
      row: down + 2,
    })),
    log: rows.map((row) => text(row, LOG)).filter((shown) => shown !== ''),
  };
}

/** Writes texts beside probes and skips probes whose row was deleted. */
export function putTexts(texts: Readonly<Record<string, string>>, column: 'found' | 'input'): void {
  const at = column === 'found' ? FOUND : INPUT;
  for (const [id, text] of Object.entries(texts)) rangeOf(id, at)?.setValue(text);
  SpreadsheetApp.flush();
}

/** Sets a formula, which Sheets then calculates while this execution continues. */
export function putFormula(id: string, formula: string): void {
  rangeOf(id, FOUND)?.setFormula(formula);
  SpreadsheetApp.flush();
}

function rangeOf(id: string, column: number): GoogleAppsScript.Spreadsheet.Range | undefined {
  const row = readSheet()?.lines.find((line) => line.id === id)?.row;
  return row === undefined ? undefined : book().getSheetByName(TITLE)?.getRange(row, column);
}

export function removeSheets(): void {
  for (const title of [SCRATCH, SCRATCH_KEYS, TITLE]) removeSheet(book().getSheetByName(title));
}

function removeSheet(sheet: GoogleSheet | null): void {
  if (sheet === null) return;
  // A spreadsheet must keep at least one sheet.
  if (book().getNumSheets() === 1) book().insertSheet();
  book().deleteSheet(sheet);
}

/**
 * Does some work on a temporary sheet and deletes the sheet afterwards. The active sheet stays
 * active.
 */
export function onScratch<T>(work: (sheet: GoogleSheet) => T, title = SCRATCH): T {
  const onView = book().getActiveSheet();
  removeSheet(book().getSheetByName(title));
  const sheet = book().insertSheet(title);
  const sheetId = sheet.getSheetId();
  try {
    return work(sheet);
  } finally {
    // A probe may have renamed or deleted it.
    removeSheet(book().getSheetById(sheetId));
    book().setActiveSheet(onView);
  }
}

// Probes that measure time.

const ROWS = 200;

/** Fills 200 rows under a filter and asks of each whether it is hidden; returns ms. */
export function timeHiddenRows(sheet: GoogleSheet): number {
  const rows = sheet.getRange(1, 1, ROWS, 1);
  rows.setValues(Array.from({ length: ROWS }, (_, i) => [i]));
  rows.createFilter();
  SpreadsheetApp.flush();
  const startMs = Date.now();
  for (let row = 1; row <= ROWS; row += 1) sheet.isRowHiddenByFilter(row);
  return Date.now() - startMs;
}

const STORE_BYTES = 400_000;
const VALUE_CHARS = 8_000;

/** Fills the user's properties up to 400 KB, reads them all, and deletes what it added. */
export function timeProperties(): { readonly bytes: number; readonly tookMs: number } {
  const store = userProperties();
  const size = (values: Record<string, string>) =>
    Object.entries(values).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  const room = STORE_BYTES - size(store.getProperties());
  const names = Array.from(
    { length: Math.max(0, Math.floor(room / VALUE_CHARS)) },
    (_, i) => `${NAME} fill ${i}`,
  );
  try {
    const value = 'x'.repeat(VALUE_CHARS - 20);
    store.setProperties(Object.fromEntries(names.map((name) => [name, value])));
    const startMs = Date.now();
    const all = store.getProperties();
    return { tookMs: Date.now() - startMs, bytes: size(all) };
  } finally {
    for (const name of names) store.deleteProperty(name);
  }
}

// Probes that provoke refusals and record Google's messages.

/** A host that never exists: ".invalid" is reserved for this purpose. */
export const NO_ADDRESS = 'https://nobody.invalid/';

const KB = 1_024;
const TOO_MANY_ROWS = 10_000_000;

const PROVOKE = {
  outside: (sheet) => sheet.getRange(sheet.getMaxRows() + 1, 1).getValues(),
  gone: (sheet) => {
    removeSheet(sheet);
    SpreadsheetApp.flush();
    sheet.getRange(1, 1).getValues();
  },
  name: () => book().insertSheet(SCRATCH),
  choice: (sheet) => {
    const rule = SpreadsheetApp.newDataValidation().requireValueInList(['a']);
    sheet.getRange(1, 1).setDataValidation(rule.setAllowInvalid(false).build());
    sheet.getRange(1, 1).setValue('b');
    SpreadsheetApp.flush();
  },
  full: (sheet) => sheet.insertRowsAfter(1, TOO_MANY_ROWS),
  cache: () => CacheService.getDocumentCache()?.put(`${NAME} big`, 'x'.repeat(101 * KB)),
  property: () => documentProperties()?.setProperty(`${NAME} big`, 'x'.repeat(9.1 * KB)),
  often: () => {
    const made = ScriptApp.newTrigger(CLOCK_HANDLER).timeBased().everyMinutes(10).create();
    ScriptApp.deleteTrigger(made);
  },
  address: () => UrlFetchApp.fetch(NO_ADDRESS),
} satisfies Readonly<Record<string, (sheet: GoogleSheet) => unknown>>;
export type Provoked = keyof typeof PROVOKE;

/** Google's message, or a note that it allowed the call. */
export function provoke(what: Provoked, sheet: GoogleSheet): string {
  const said = saidIn(() => PROVOKE[what](sheet));
  documentProperties()?.deleteProperty(`${NAME} big`);
  return said;
}

/** Deletes a sheet while an object that represents it is still in use. */
export function removeById(sheetId: number): void {
  removeSheet(book().getSheetById(sheetId));
}

// Probes that run in a cell.

/** A free lock is acquired within this time, ms. */
const LOCK_WAIT_MS = 1;
const TRIES = 12;
const TRY_PAUSE_MS = 700;

/**
 * Tries to acquire the spreadsheet's lock for about 9 s and returns "1767603600000 no,
 * 1767603600700 no, …".
 */
export function tryLock(): string {
  const lock = LockService.getDocumentLock();
  if (lock === null) return 'no document lock here';
  const tries: string[] = [];
  for (let i = 0; i < TRIES; i += 1) {
    const atMs = Date.now();
    const isHad = lock.tryLock(LOCK_WAIT_MS);
    if (isHad) lock.releaseLock();
    tries.push(`${atMs} ${isHad ? 'yes' : 'no'}`);
    Utilities.sleep(TRY_PAUSE_MS);
  }
  return tries.join(', ');
}

/** How long the lock is held after the work inside it is done, ms. */
const HOLD_MS = 12_000;

/**
 * Returns when the lock was acquired and when it was released, in ms since 1970; null: another
 * execution had it.
 */
export function holdLock(meanwhile: () => void): readonly [number, number] | null {
  const lock = LockService.getDocumentLock();
  if (lock === null || !lock.tryLock(HOLD_MS)) return null;
  const fromMs = Date.now();
  try {
    meanwhile();
    Utilities.sleep(HOLD_MS);
    return [fromMs, Date.now()];
  } finally {
    lock.releaseLock();
  }
}

/** The published types do not know `timeoutSeconds` yet. */
interface FetchOptions extends GoogleAppsScript.URL_Fetch.URLFetchRequestOptions {
  readonly timeoutSeconds: number;
}

const SLOW_TIMEOUT_SECONDS = 3;

/** Calls an address that answers late; the request carries nothing but the address. */
export function askSlow(url: string): string {
  const startMs = Date.now();
  const after = () => `after ${Date.now() - startMs} ms`;
  const options: FetchOptions = {
    muteHttpExceptions: true,
    timeoutSeconds: SLOW_TIMEOUT_SECONDS,
  };
  try {
    return `answered ${UrlFetchApp.fetch(url, options).getResponseCode()} ${after()}`;
  } catch (error) {
    return `ended ${after()}: ${saidBy(error)}`;
  }
}

/** Sleeps and returns "start end" in ms since 1970. */
export function sleepAndTell(durationMs: number): string {
  const startMs = Date.now();
  Utilities.sleep(durationMs);
  return `${startMs} ${Date.now()}`;
}

/**
 * Whether a trigger says that Google has disabled it. The published types do not know the member.
 * The person's own trigger is asked, or one that is made for it and removed again.
 */
export function isTriggerDisabled(): string {
  const [known] = ScriptApp.getProjectTriggers();
  const trigger = known ?? ScriptApp.newTrigger(CLOCK_HANDLER).timeBased().everyHours(1).create();
  try {
    const member: unknown = Reflect.get(trigger, 'isDisabled');
    if (typeof member !== 'function') return 'there is no such member';
    return `isDisabled() says ${member.call(trigger)}`;
  } finally {
    if (known === undefined) ScriptApp.deleteTrigger(trigger);
  }
}

/** A moment in the spreadsheet's local time. */
export function wallClock(atMs: number, format: string): string {
  return Utilities.formatDate(new Date(atMs), book().getSpreadsheetTimeZone(), format);
}

// Probes of what a trigger sees and how it is authorised.

/** The parts that matter of the event that Google passes to a trigger's function. */
export interface ClockEvent {
  readonly authMode?: unknown;
  readonly triggerUid?: unknown;
}

export interface ClockFacts {
  /** null: no spreadsheet is active. */
  readonly spreadsheetId: string | null;
  readonly hasDocumentCache: boolean;
  readonly hasDocumentLock: boolean;
  readonly authMode: string;
  readonly triggerUid: string;
  /** Whether one of this person's triggers has the event's id. */
  readonly isKnownTrigger: boolean;
}

export function clockFacts(event: ClockEvent | undefined): ClockFacts {
  const triggerUid = String(event?.triggerUid ?? 'none');
  return {
    spreadsheetId: book()?.getId() ?? null,
    hasDocumentCache: CacheService.getDocumentCache() !== null,
    hasDocumentLock: LockService.getDocumentLock() !== null,
    authMode: String(event?.authMode ?? 'none'),
    triggerUid,
    isKnownTrigger: ScriptApp.getProjectTriggers().some(
      (trigger) => trigger.getUniqueId() === triggerUid,
    ),
  };
}

/**
 * Google's authorisation status, such as "NOT_REQUIRED, no address". The address itself is not
 * shown.
 */
export function authorisation(): string {
  const info = ScriptApp.getAuthorizationInfo(ScriptApp.AuthMode.FULL);
  const address = info.getAuthorizationUrl() ? 'an address' : 'no address';
  return `${info.getAuthorizationStatus()}, ${address}`;
}
