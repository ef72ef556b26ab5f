// The connection record: where the service is, the key, its quota, and what the contract leaves open.

import * as z from 'zod/mini';
import type { Digest } from '../platform/ports';
import { wholeNumber } from './whole-number';

/** Raised when the record changes its form; a newer one is refused with words, never overwritten. */
export const CONNECTION_VERSION = 1;

/** Built on first use: loading the script, which every cell does, must stay cheap. */
let schemas: ReturnType<typeof makeSchemas> | undefined;

function makeSchemas() {
  const quota = z.strictObject({
    /** Calls per period. */
    calls: wholeNumber(1_000_000),
    perSeconds: wholeNumber(31 * 86_400),
    /** Calls that may come at once, if the operator said so. */
    burst: z.exactOptional(wholeNumber(100_000)),
  });
  const textLike = (pattern: RegExp) => z.string().check(z.refine((text) => pattern.test(text)));
  const priceName = textLike(/^[\s\S]{1,60}$/);
  const typed = textLike(/^[\s\S]{0,2000}$/);
  /** What the contract leaves open; every member left out means "as sent" or "find out". */
  const settings = z.strictObject({
    /** Wire value of the UK market. */
    ukMarket: z.exactOptional(textLike(/^[\w.-]{1,20}$/)),
    buyPriceName: z.exactOptional(priceName),
    sellPriceName: z.exactOptional(priceName),
    /** What the service means by ROI 0.25 or 25. */
    roiUnit: z.exactOptional(z.enum(['fraction', 'percent'])),
    /** Market of formulas that name none. */
    defaultMarket: z.exactOptional(z.enum(['US', 'UK'])),
  });
  const record = z.strictObject({
    version: z.literal(CONNECTION_VERSION),
    baseUrl: z.string(),
    apiKey: z.string(),
    quota: z.nullable(quota),
    settings,
    fingerprint: z.string(),
    /** The same in all records of one person: what they shared stays theirs when their key changes. */
    owner: z.exactOptional(z.string()),
  });
  const draft = z.strictObject({
    baseUrl: typed,
    /** Empty keeps the stored key, which is allowed only while the address stays the same. */
    apiKey: typed,
    quota: z.nullable(quota),
    sharing: z.enum(['me', 'spreadsheet']),
    settings: z.exactOptional(settings),
  });
  return { record, draft };
}

function connectionSchemas() {
  schemas ??= makeSchemas();
  return schemas;
}

/** What the page sends to be saved. Unknown members are refused. */
export function draftSchema() {
  return connectionSchemas().draft;
}

type Schemas = ReturnType<typeof makeSchemas>;

export type Connection = Readonly<z.infer<Schemas['record']>>;
export type ConnectionDraft = Readonly<z.infer<Schemas['draft']>>;

export type StoredConnection =
  | { readonly kind: 'connection'; readonly connection: Connection }
  | { readonly kind: 'none' }
  /** Written by a newer version, or damaged: left as it is. */
  | { readonly kind: 'unreadable' };

/** Reads the stored text of a connection. Pure. */
export function parseConnection(text: string | null): StoredConnection {
  if (text === null) return { kind: 'none' };
  try {
    const parsed = z.safeParse(connectionSchemas().record, JSON.parse(text));
    return parsed.success
      ? { kind: 'connection', connection: parsed.data }
      : { kind: 'unreadable' };
  } catch {
    return { kind: 'unreadable' };
  }
}

/** Whether a stored text was written by a newer version: it then holds what this one cannot keep. */
export function isNewer(text: string | null): boolean {
  try {
    const record: unknown = JSON.parse(text ?? 'null');
    return (
      typeof record === 'object' &&
      record !== null &&
      'version' in record &&
      Number(record.version) > CONNECTION_VERSION
    );
  } catch {
    return false;
  }
}

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

/**
 * Names the result cache: answers read under other settings are other answers. Every setting is led
 * by its length, so that no two lists of settings are written alike; 180 characters at most, as names
 * in a cache may have 250.
 */
export function answersScope(connection: Connection): string {
  const {
    buyPriceName = '',
    sellPriceName = '',
    roiUnit = '',
    ukMarket = '',
  } = connection.settings;
  const settings = [buyPriceName, sellPriceName, roiUnit, ukMarket];
  if (settings.every((setting) => setting === '')) return connection.fingerprint;
  const written = settings.map((setting) => `${setting.length}.${setting}`).join('');
  return `${connection.fingerprint}:${written}`;
}

/** What goes on the wire for a market. The contract names only `US`. */
export function wireMarket(connection: Connection, market: 'US' | 'UK'): string {
  return market === 'US' ? 'US' : (connection.settings.ukMarket ?? 'UK');
}
