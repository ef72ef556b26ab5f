// The raw calls of the probes: what Google does where nobody says it. Only the self-test's build has them.

import type { SheetCell } from '../ports';
import { book } from './spreadsheet';

type GoogleSheet = GoogleAppsScript.Spreadsheet.Sheet;

/** Sheets, and names in caches and stores, that only probes use; whoever finds them may delete them. */
const TITLE = 'Product Analysis probes';
export const SCRATCH = 'Product Analysis scratch';
const NAME = 'probe';

const TTL_SECONDS = 21_600;

/** Google's own words for what it threw, and whether it is an Error to this script. */
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

// Places that cells, menus and triggers may share.

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

/** What cells write and what the clock notes has names of its own. */
const PLACES = {
  'document cache': ofCache(() => CacheService.getDocumentCache()),
  'common cache': ofCache(() => CacheService.getScriptCache()),
  'document properties': ofProperties(documentProperties),
  'user properties': ofProperties(userProperties),
  'written by a cell': ofProperties(documentProperties, `${NAME} cell`),
  'written by the clock': ofProperties(documentProperties, `${NAME} clock`),
  'notes of the clock': ofProperties(userProperties, `${NAME} clock`),
  home: ofProperties(documentProperties, `${NAME} home`),
} as const;
export type PlaceName = keyof typeof PLACES;

/** null: nothing is kept there. Throws where there is no such place. */
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

/** Takes everything of the probes out of the stores; caches forget by themselves. */
export function emptyPlaces(): void {
  for (const store of [documentProperties(), userProperties()])
    for (const name of store?.getKeys() ?? [])
      if (name === NAME || name.startsWith(`${NAME} `)) store?.deleteProperty(name);
}

// The sheet of the probes: it holds their formulas and remembers what was found.

export interface SheetLine {
  readonly where: string;
  readonly id: string;
  readonly expected: string;
  /** '' for what is found elsewhere. */
  readonly formula: string;
  /** What was found already; '' beside a formula. */
  readonly found: string;
  readonly input: SheetCell;
  /** Of the formula's cell and of the input's; '' for none of their own. */
  readonly formats: readonly [string, string];
}

export interface SheetFound {
  /** The name of the spreadsheet in which the sheet was made. */
  readonly home: string;
  readonly lines: readonly {
    readonly id: string;
    readonly found: string;
    readonly input: string;
    /** The row in the sheet. */
    readonly row: number;
  }[];
  /** What each of many cells says. */
  readonly log: readonly string[];
}

const HEADERS = ['Where', 'Probe', 'Expected', 'Found', 'Input'];
const FOUND = 4;
const INPUT = 5;
const HOME = 6;
const LOG = 7;
const TEXT = '@';
const GENERAL = 'General';

/** Made anew; the one that was there is emptied first, so that every formula is worked out again. */
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
  // Among values they would have to be written as the spreadsheet's language separates arguments.
  lines.forEach(({ formula }, down) => {
    if (formula !== '') sheet.getRange(down + 2, FOUND).setFormula(formula);
  });
  sheet.getRange(1, HOME).setNumberFormat(TEXT).setValue(home);
  sheet.getRange(1, LOG).setValue('Many at once');
  sheet.getRange(2, LOG, log.length, 1).setFormulas(log.map((formula) => [formula]));
  SpreadsheetApp.flush();
}

/** null: the probes were never run here, or are removed. */
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

/** Puts texts beside probes. A row that somebody took away is passed over. */
export function putTexts(texts: Readonly<Record<string, string>>, column: 'found' | 'input'): void {
  const at = column === 'found' ? FOUND : INPUT;
  for (const [id, text] of Object.entries(texts)) rangeOf(id, at)?.setValue(text);
  SpreadsheetApp.flush();
}

/** The cell is worked out from then on, while this execution goes on. */
export function putFormula(id: string, formula: string): void {
  rangeOf(id, FOUND)?.setFormula(formula);
  SpreadsheetApp.flush();
}

function rangeOf(id: string, column: number): GoogleAppsScript.Spreadsheet.Range | undefined {
  const row = readSheet()?.lines.find((line) => line.id === id)?.row;
  return row === undefined ? undefined : book().getSheetByName(TITLE)?.getRange(row, column);
}

export function removeSheets(): void {
  for (const title of [SCRATCH, TITLE]) removeSheet(book().getSheetByName(title));
}

function removeSheet(sheet: GoogleSheet | null): void {
  if (sheet === null) return;
  // A spreadsheet keeps one sheet.
  if (book().getNumSheets() === 1) book().insertSheet();
  book().deleteSheet(sheet);
}

/** Does something on a sheet that is gone afterwards; what is on view stays on view. */
export function onScratch<T>(work: (sheetId: number) => T): T {
  const onView = book().getActiveSheet();
  removeSheet(book().getSheetByName(SCRATCH));
  const sheet = book().insertSheet(SCRATCH);
  try {
    return work(sheet.getSheetId());
  } finally {
    removeSheet(book().getSheetByName(SCRATCH));
    book().setActiveSheet(onView);
  }
}

function scratch(sheetId: number): GoogleSheet {
  const sheet = book().getSheetById(sheetId);
  if (sheet === null) throw new Error('The scratch sheet is gone');
  return sheet;
}

// What takes time.

const ROWS = 200;

/** Asks of 200 rows under a filter whether they are hidden; ms. */
export function timeHiddenRows(sheetId: number): number {
  const sheet = scratch(sheetId);
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

/** Fills the user's own properties up to 400 KB, reads them all, and takes that out again. */
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

// What Google refuses, and how it says so.

/** Named by nobody: the name is reserved for that. */
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
    const made = ScriptApp.newTrigger('onSchedule').timeBased().everyMinutes(10).create();
    ScriptApp.deleteTrigger(made);
  },
  address: () => UrlFetchApp.fetch(NO_ADDRESS),
} satisfies Readonly<Record<string, (sheet: GoogleSheet) => unknown>>;
export type Provoked = keyof typeof PROVOKE;

/** Google's own words, or that it let it through. */
export function provoke(what: Provoked, sheetId: number): string {
  const said = saidIn(() => PROVOKE[what](scratch(sheetId)));
  documentProperties()?.deleteProperty(`${NAME} big`);
  return said;
}

/** A sheet that is gone while its object is still at hand. */
export function removeById(sheetId: number): void {
  removeSheet(book().getSheetById(sheetId));
}

// What a cell does.

/** A lock that is there and free is had within this; ms. */
const LOCK_WAIT_MS = 1;
const TRIES = 12;
const TRY_PAUSE_MS = 700;

/** Tries to get the spreadsheet's lock for some 9 s: "1767603600000 no, 1767603600700 no, …". */
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

/** Holds the lock so long after whatever is done while it is held, ms. */
const HOLD_MS = 12_000;

/** From when to when the lock was held, in ms since 1970; null: somebody else had it. */
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

/** `timeoutSeconds` is newer than the published types. */
interface FetchOptions extends GoogleAppsScript.URL_Fetch.URLFetchRequestOptions {
  readonly timeoutSeconds: number;
}

const SLOW_TIMEOUT_SECONDS = 3;

/** Asks an address that answers late; no more than the address is sent. */
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

/** Takes a while; "from to" in ms since 1970. */
export function sleepAndTell(durationMs: number): string {
  const startMs = Date.now();
  Utilities.sleep(durationMs);
  return `${startMs} ${Date.now()}`;
}

/** A moment as the wall clock of the spreadsheet shows it. */
export function wallClock(atMs: number, format: string): string {
  return Utilities.formatDate(new Date(atMs), book().getSpreadsheetTimeZone(), format);
}

// What a trigger sees, and how it is authorised.

/** The event that Google gives the functions of triggers, as far as it is looked at. */
export interface ClockEvent {
  readonly authMode?: unknown;
  readonly triggerUid?: unknown;
}

export interface ClockFacts {
  /** null: there is no spreadsheet at hand. */
  readonly spreadsheetId: string | null;
  readonly hasDocumentCache: boolean;
  readonly hasDocumentLock: boolean;
  readonly authMode: string;
  readonly triggerUid: string;
  /** Whether this person's triggers have that name. */
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

/** What Google says of permissions: "NOT_REQUIRED, no address". The address itself is not told. */
export function authorisation(): string {
  const info = ScriptApp.getAuthorizationInfo(ScriptApp.AuthMode.FULL);
  const address = info.getAuthorizationUrl() ? 'an address' : 'no address';
  return `${info.getAuthorizationStatus()}, ${address}`;
}
