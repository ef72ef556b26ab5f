// The record of a connection: versions, settings, and how it is read.

import { type Failure, fail } from '../failures/failure';
import { type Digest, isLike, storedJson } from '../platform/ports';
import { isMarket, type Market, wireNameOf } from '../product/market';

/** Raised when the record changes its form; a newer one is refused with words, never overwritten. */
export const CONNECTION_VERSION = 2;

/** What makes a record of each older version one of the next. */
const MIGRATIONS: Readonly<Record<number, (record: object) => object>> = {
  1: (record) => ({ ...record, version: 2, found: {}, reasons: {} }),
};

/** What the contract leaves open; every member left out means "find out", and until then "as sent". */
export interface ConnectionSettings {
  /** What the service calls the UK. */
  readonly ukMarket?: string;
  /** The service's own names of what it leaves open. */
  readonly buyPriceName?: string;
  readonly sellPriceName?: string;
  readonly eligibleName?: string;
  readonly feesName?: string;
  /** ROI 0.25 or 25 for the same thing; with it settled, formulas get the fraction. */
  readonly roiUnit?: 'fraction' | 'percent';
  /** 12.5 or 1250 for the same amount; with it settled, formulas get 12.5. */
  readonly moneyUnit?: 'units' | 'hundredths';
  /** The market of formulas that name none. */
  readonly defaultMarket?: Market;
}

export type FoundName = Exclude<keyof ConnectionSettings, 'defaultMarket'>;

/** Calls per period, as the operator says. */
export interface StatedQuota {
  readonly calls: number;
  readonly perSeconds: number;
  /** Calls that may come at once, if the operator said so. */
  readonly burst?: number;
}

/** What of a record may leave its store. */
interface Exported {
  readonly version: typeof CONNECTION_VERSION;
  readonly baseUrl: string;
  /** null: the limit is not known and is to be found out. */
  readonly quota: StatedQuota | null;
  /** What a person said. */
  readonly settings: ConnectionSettings;
  /** What answers told. It is settled once, so that every cell reads in the same way. */
  readonly found: ConnectionSettings;
  /** A whole sentence for each thing that was found. A store takes 9 KB, so they are short. */
  readonly reasons: { readonly [Name in FoundName]?: string };
  /** Most calls a day by formulas of one spreadsheet. */
  readonly cellsPerDay?: number;
}

export interface Connection extends Exported {
  readonly apiKey: string;
  readonly fingerprint: string;
  /** An analysis came from the address: what it does not find since are products. */
  readonly answered?: true;
  /** The same in all records of one person: what they shared stays theirs when their key changes. */
  readonly owner?: string;
  /** Of a shared record: names the spreadsheet it was shared with. A copy carries it elsewhere. */
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
 * Whether something has these members and no others. Written by hand, as every cell reads a
 * connection: the library that checks what the page sends takes longer to load than all else of a cell.
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

/** More calls a day than any plan we know of. */
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

/** Made on first use: loading the script, which every cell does, must stay cheap. */
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

/** What a person sends to be saved. */
export interface ConnectionDraft {
  readonly baseUrl: string;
  /** Empty keeps the stored key, which is allowed only while the address stays the same. */
  readonly apiKey: string;
  readonly quota: StatedQuota | null;
  /** Left out: the stored ones stay. Given: they take the place of all that are stored. */
  readonly settings?: ConnectionSettings;
  readonly sharing: 'me' | 'spreadsheet';
  /** null: as many as the quota allows. Left out: what is stored stays. */
  readonly cellsPerDay?: number | null;
}

export type StoredConnection =
  | { readonly kind: 'connection'; readonly connection: Connection }
  | { readonly kind: 'none' }
  /** Written by a newer version, or damaged: left as it is. */
  | { readonly kind: 'unreadable'; readonly isNewer: boolean };

/** Without a key a spreadsheet may show samples: this stands in the place of its shared record. */
const DEMO_TEXT = JSON.stringify({ version: CONNECTION_VERSION, demo: true });

/** Reads the stored text of a connection, whatever version wrote it. Pure. */
export function parseConnection(text: string | null): StoredConnection | { readonly kind: 'demo' } {
  if (text === null) return { kind: 'none' };
  const stored = storedJson(text);
  if (isDemoRecord(stored)) return { kind: 'demo' };
  const record = migrated(stored);
  if (checks().isConnection(record)) return { kind: 'connection', connection: record };
  return { kind: 'unreadable', isNewer: versionOf(record) > CONNECTION_VERSION };
}

/** Versions so far wrote the mark of samples in one way. */
function isDemoRecord(record: unknown): boolean {
  return versionOf(record) <= CONNECTION_VERSION && Object(record).demo === true;
}

/** What a value of a store may hold. */
const RECORD_BYTES_MAX = 9 * 1024;

/** The record as a store takes it; undefined if it is too long for one. */
export function recordText(connection: Connection): string | undefined {
  const text = JSON.stringify(connection);
  const bytes = encodeURIComponent(text).replace(/%../g, '.').length;
  return bytes > RECORD_BYTES_MAX ? undefined : text;
}

export function versionOf(record: unknown): number {
  return isLike(record, { version: 0 }) ? record.version : Number.NaN;
}

/** The record in today's form; one of a newer version, or of none, stays as it is. */
export function migrated(record: unknown): unknown {
  const migrate = MIGRATIONS[versionOf(record)];
  return migrate === undefined ? record : migrated(migrate(Object(record)));
}

/** In the place of a connection while a spreadsheet shows samples. Nothing is ever sent with it. */
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

/** Long enough that two keys never share one, short enough for cache names. */
const FINGERPRINT_CHARS = 16;

/** Names caches and gates instead of the key, which cannot be found from it. */
export function fingerprintOf(digest: Digest, baseUrl: string, apiKey: string): string {
  return digest.sha256Hex(`${baseUrl}\n${apiKey}`).slice(0, FINGERPRINT_CHARS);
}

/** "…4f2a": enough to tell two keys apart, too little to use. A short key shows nothing. */
export function maskOf(apiKey: string): string {
  return apiKey.length < 12 ? '…' : `…${apiKey.slice(-4)}`;
}

/** How answers of this connection are read: as a person said, else as was found. */
export function readingOf({ settings, found }: Connection): ConnectionSettings {
  return { ...found, ...settings };
}

/** Everything that changes what an answer says, in one order. */
const READING: readonly FoundName[] = [
  ...(['buyPriceName', 'sellPriceName', 'eligibleName', 'feesName'] as const),
  ...(['roiUnit', 'moneyUnit', 'ukMarket'] as const),
];

/** A way of reading, as it is noted beside answers; '' where nothing is settled. */
export function readingText(reading: ConnectionSettings): string {
  const written = READING.map((name) => reading[name] ?? '');
  return written.every((text) => text === '') ? '' : JSON.stringify(written);
}

export function readingFrom(text: string): ConnectionSettings {
  const written: readonly string[] = text === '' ? [] : JSON.parse(text);
  return Object.fromEntries(READING.map((name, at) => [name, written[at] || undefined]));
}

/**
 * Names what belongs to one way of reading: what is told of answers, and who waits for them. Names in
 * a cache have at most 250 characters, so the way is hashed: two ways of one key never meet by chance
 * in 64 bits.
 */
export function answersScope(connection: Connection): string {
  const text = readingText(readingOf(connection));
  if (text === '') return connection.fingerprint;
  return `${connection.fingerprint}:${[0x811c9dc5, 0x01000193].map((seed) => hash(text, seed)).join('')}`;
}

/** Names an address where a store is open to others: who was connected there is nobody's business. */
export const addressMark = ({ baseUrl }: Pick<Connection, 'baseUrl'>): string =>
  hash(baseUrl, 0x811c9dc5);

/** FNV-1a over code points, 32 bits, seven letters. */
function hash(text: string, seed: number): string {
  let value = seed;
  for (const unit of text) value = Math.imul(value ^ (unit.codePointAt(0) ?? 0), 0x01000193);
  return (value >>> 0).toString(36).padStart(7, '0');
}

/** What goes on the wire for a market. */
export function wireMarket(connection: Connection, market: Market): string {
  return wireNameOf(market, readingOf(connection));
}

export function connectionIn(stored: StoredConnection): Connection | Failure {
  if (stored.kind === 'connection') return stored.connection;
  if (stored.kind === 'none') return fail({ kind: 'no-connection' });
  return fail({ kind: stored.isNewer ? 'settings-unreadable' : 'settings-damaged' });
}
