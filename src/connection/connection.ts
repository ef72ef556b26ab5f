// The record of a connection: its versions, its settings, and how it is read.

import { type Failure, fail } from '../failures/failure';
import { type Digest, isLike, storedJson } from '../platform/ports';
import { isMarket, type Market, wireNameOf } from '../product/market';

/**
 * Increased when the form of the record changes. A record of a newer version is refused with a
 * message and never overwritten.
 */
export const CONNECTION_VERSION = 2;

/** By version, the function that turns a record of that version into one of the next. */
const MIGRATIONS: Readonly<Record<number, (record: object) => object>> = {
  1: (record) => ({ ...record, version: 2, found: {}, reasons: {} }),
};

/**
 * Settings for what the contract leaves open. A member that is left out is to be found out; until
 * then values are taken as sent.
 */
export interface ConnectionSettings {
  /** The service's name for the UK market. */
  readonly ukMarket?: string;
  /** The service's own names for fields whose names the contract leaves open. */
  readonly buyPriceName?: string;
  readonly sellPriceName?: string;
  readonly eligibleName?: string;
  readonly feesName?: string;
  /**
   * Whether ROI comes as 0.25 or as 25 for the same thing. Once it is settled, formulas get the
   * fraction.
   */
  readonly roiUnit?: 'fraction' | 'percent';
  /**
   * Whether money comes as 12.5 or as 1250 for the same amount. Once it is settled, formulas get
   * 12.5.
   */
  readonly moneyUnit?: 'units' | 'hundredths';
  /** The market of formulas that name none. */
  readonly defaultMarket?: Market;
}

export type FoundName = Exclude<keyof ConnectionSettings, 'defaultMarket'>;

/** Calls per period as the operator states them. */
export interface StatedQuota {
  readonly calls: number;
  readonly perSeconds: number;
  /** The number of calls that may come at once, if the operator stated it. */
  readonly burst?: number;
}

/** The part of a record that may leave its store. */
interface Exported {
  readonly version: typeof CONNECTION_VERSION;
  readonly baseUrl: string;
  /** null: the limit is unknown and is to be found out. */
  readonly quota: StatedQuota | null;
  /** What a person has set. */
  readonly settings: ConnectionSettings;
  /**
   * What answers have revealed. It is settled once, so that every cell reads answers in the same
   * way.
   */
  readonly found: ConnectionSettings;
  /**
   * A whole sentence for each finding. The sentences are short because a store's value holds 9 KB.
   */
  readonly reasons: { readonly [Name in FoundName]?: string };
  /** The most calls that formulas of one spreadsheet may make in a day. */
  readonly cellsPerDay?: number;
}

export interface Connection extends Exported {
  readonly apiKey: string;
  readonly fingerprint: string;
  /**
   * Set once an analysis came from the address: from then on a 404 means an unknown product, not a
   * wrong address.
   */
  readonly answered?: true;
  /**
   * The same mark in all records of one person, so that a record they shared stays theirs when
   * their key changes.
   */
  readonly owner?: string;
  /**
   * In a shared record: the identity of the spreadsheet it was shared with. A copy of the
   * spreadsheet carries it along.
   */
  readonly home?: string;
}

type Check = (value: unknown) => boolean;

type Needed<Record> = {
  readonly [Name in keyof Record as object extends Pick<Record, Name> ? never : Name]: Check;
};
type Possible<Record> = {
  readonly [Name in keyof Record as object extends Pick<Record, Name> ? Name : never]-?: Check;
};

/**
 * Makes a check that a value has these members and no others. It is written by hand because every
 * cell reads a connection, and the schema library takes longer to load than everything else a cell
 * needs.
 */
function has<Record>(needed: Needed<Record>, possible: Possible<Record>) {
  const checks = Object.entries<Check>({ ...needed, ...possible });
  return (value: unknown): value is Record =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(needed).every((name) => Object.keys(value).includes(name)) &&
    Object.entries(value).every(([name, member]) =>
      checks.some(([known, passes]) => known === name && passes(member)),
    );
}

const isText: Check = (value) => typeof value === 'string';
const isCount =
  (most: number): Check =>
  (value) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most;
const matches =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const isOneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);

/** More calls a day than any known plan allows. */
export const CELLS_PER_DAY_MAX = 1_000_000;

function makeChecks() {
  const fieldName = matches(/^[\s\S]{1,60}$/);
  const reason = matches(/^[^\p{C}"\\]{1,160}$/u);
  const isQuota = has<StatedQuota>(
    { calls: isCount(1_000_000), perSeconds: isCount(31 * 86_400) },
    { burst: isCount(100_000) },
  );
  const isSettings = has<ConnectionSettings>(
    {},
    {
      ukMarket: matches(/^[\w.-]{1,20}$/),
      buyPriceName: fieldName,
      sellPriceName: fieldName,
      eligibleName: fieldName,
      feesName: fieldName,
      roiUnit: isOneOf('fraction', 'percent'),
      moneyUnit: isOneOf('units', 'hundredths'),
      defaultMarket: isMarket,
    },
  );
  const isQuotaOrNone = (value: unknown): value is StatedQuota | null =>
    value === null || isQuota(value);
  const needed: Needed<Exported> = {
    version: isOneOf(CONNECTION_VERSION),
    baseUrl: isText,
    quota: isQuotaOrNone,
    settings: isSettings,
    found: isSettings,
    reasons: has<Connection['reasons']>(
      {},
      {
        ...{ ukMarket: reason, buyPriceName: reason, sellPriceName: reason, eligibleName: reason },
        ...{ feesName: reason, roiUnit: reason, moneyUnit: reason },
      },
    ),
  };
  const possible: Possible<Exported> = { cellsPerDay: isCount(CELLS_PER_DAY_MAX) };
  return {
    isSettings,
    isQuotaOrNone,
    isExported: has<Exported>(needed, possible),
    isConnection: has<Connection>(
      { ...needed, apiKey: isText, fingerprint: isText },
      { ...possible, answered: isOneOf(true), owner: isText, home: isText },
    ),
  };
}

/** Made on first use, because every cell loads the script and loading must stay cheap. */
let made: ReturnType<typeof makeChecks> | undefined;
const checks = () => {
  made ??= makeChecks();
  return made;
};

export const isExported = (value: unknown): value is Exported => checks().isExported(value);

export const isSettings = (value: unknown): value is ConnectionSettings =>
  checks().isSettings(value);

export const isQuotaOrNone = (value: unknown): value is StatedQuota | null =>
  checks().isQuotaOrNone(value);

/** What a person submits to be saved. */
export interface ConnectionDraft {
  readonly baseUrl: string;
  /** Empty: the stored key is kept, which is allowed only while the address stays the same. */
  readonly apiKey: string;
  readonly quota: StatedQuota | null;
  /** If present, these replace all stored settings; if left out, the stored ones stay. */
  readonly settings?: ConnectionSettings;
  readonly sharing: 'me' | 'spreadsheet';
  /** null: as many as the quota allows. Left out: the stored value stays. */
  readonly cellsPerDay?: number | null;
}

export type StoredConnection =
  | { readonly kind: 'connection'; readonly connection: Connection }
  | { readonly kind: 'none' }
  /** The record is damaged or was written by a newer version, and is left as it is. */
  | { readonly kind: 'unreadable'; readonly isNewer: boolean };

/**
 * Without a key a spreadsheet may show samples. This text then takes the place of its shared
 * record.
 */
const DEMO_TEXT = JSON.stringify({ version: CONNECTION_VERSION, demo: true });

/** Reads the stored text of a connection of any version up to today's. Pure. */
export function parseConnection(text: string | null): StoredConnection | { readonly kind: 'demo' } {
  if (text === null) return { kind: 'none' };
  const stored = storedJson(text);
  if (isDemoRecord(stored)) return { kind: 'demo' };
  const record = migrated(stored);
  if (checks().isConnection(record)) return { kind: 'connection', connection: record };
  return { kind: 'unreadable', isNewer: versionOf(record) > CONNECTION_VERSION };
}

/** All versions so far store the mark for samples in the same form. */
function isDemoRecord(record: unknown): boolean {
  return versionOf(record) <= CONNECTION_VERSION && Object(record).demo === true;
}

/** The most bytes that one value of a store may hold. */
const RECORD_BYTES_MAX = 9 * 1024;

/** The record as text for a store; undefined if it is too long. */
export function recordText(connection: Connection): string | undefined {
  const text = JSON.stringify(connection);
  const bytes = encodeURIComponent(text).replace(/%../g, '.').length;
  return bytes > RECORD_BYTES_MAX ? undefined : text;
}

export function versionOf(record: unknown): number {
  return isLike(record, { version: 0 }) ? record.version : Number.NaN;
}

/**
 * The record in today's form. One of a newer version, or without a version, is returned unchanged.
 */
export function migrated(record: unknown): unknown {
  const migrate = MIGRATIONS[versionOf(record)];
  return migrate === undefined ? record : migrated(migrate(Object(record)));
}

/**
 * Takes the place of a connection while a spreadsheet shows samples. It is never used for a
 * request.
 */
const DEMO: Connection = {
  version: CONNECTION_VERSION,
  baseUrl: '',
  apiKey: '',
  quota: null,
  settings: {},
  found: {},
  reasons: {},
  fingerprint: 'demo',
};

export const demoText = (): string => DEMO_TEXT;
export const demoConnection = (): Connection => DEMO;
export const isDemo = ({ fingerprint }: Connection): boolean => fingerprint === DEMO.fingerprint;

/** Long enough that two keys never share a fingerprint, short enough for names in a cache. */
const FINGERPRINT_CHARS = 16;

/** A name for caches and gates in place of the key, from which the key cannot be derived. */
export function fingerprintOf(digest: Digest, baseUrl: string, apiKey: string): string {
  return digest.sha256Hex(`${baseUrl}\n${apiKey}`).slice(0, FINGERPRINT_CHARS);
}

/**
 * The masked key, "…4f2a": enough to tell two keys apart, too little to use. A short key shows
 * nothing.
 */
export function maskOf(apiKey: string): string {
  return apiKey.length < 12 ? '…' : `…${apiKey.slice(-4)}`;
}

/** How answers of this connection are read: as a person has set, else as was found. */
export function readingOf({ settings, found }: Connection): ConnectionSettings {
  return { ...found, ...settings };
}

/** All settings that change how an answer is read, in a fixed order. */
const READING: readonly FoundName[] = [
  ...(['buyPriceName', 'sellPriceName', 'eligibleName', 'feesName'] as const),
  ...(['roiUnit', 'moneyUnit', 'ukMarket'] as const),
];

/** A way of reading as text, stored beside answers; '' if nothing is settled. */
export function readingText(reading: ConnectionSettings): string {
  const written = READING.map((name) => reading[name] ?? '');
  return written.every((text) => text === '') ? '' : JSON.stringify(written);
}

export function readingFrom(text: string): ConnectionSettings {
  const written: readonly string[] = text === '' ? [] : JSON.parse(text);
  return Object.fromEntries(READING.map((name, at) => [name, written[at] || undefined]));
}

/**
 * A name for data that depends on the way of reading: observations and the waiting list. Names in a
 * cache have at most 250 characters, so the way of reading is hashed; with 64 bits, two ways of one
 * key do not collide by chance.
 */
export function answersScope(connection: Connection): string {
  const text = readingText(readingOf(connection));
  if (text === '') return connection.fingerprint;
  return `${connection.fingerprint}:${[0x811c9dc5, 0x01000193].map((seed) => hash(text, seed)).join('')}`;
}

/**
 * A hash of an address, for stores that others can read: who is connected to which service is
 * private.
 */
export const addressMark = ({ baseUrl }: Pick<Connection, 'baseUrl'>): string =>
  hash(baseUrl, 0x811c9dc5);

/** FNV-1a over code points: 32 bits, written as seven characters. */
function hash(text: string, seed: number): string {
  let value = seed;
  for (const unit of text) value = Math.imul(value ^ (unit.codePointAt(0) ?? 0), 0x01000193);
  return (value >>> 0).toString(36).padStart(7, '0');
}

/** The name of a market in requests to the service. */
export function wireMarket(connection: Connection, market: Market): string {
  return wireNameOf(market, readingOf(connection));
}

export function connectionIn(stored: StoredConnection): Connection | Failure {
  if (stored.kind === 'connection') return stored.connection;
  if (stored.kind === 'none') return fail({ kind: 'no-connection' });
  return fail({ kind: stored.isNewer ? 'settings-unreadable' : 'settings-damaged' });
}
