// The record of a connection: its settings, and how it is read.

import * as z from 'zod/mini';
import { type Failure, fail } from '../failures/failure';
import type { Hasher } from '../google/platform';
import { MONEY_UNITS, ROI_UNITS } from '../product/fields';
import { MARKETS } from '../product/market';
import { type Fits, lazySchema, storedAs } from '../schema/stored-record';

/**
 * A text like the pattern, or none. Every cell makes the schema of a connection, which takes zod a
 * millisecond: so members that are alike share one, and few kinds of schemas and checks occur.
 */
const matching = (pattern: RegExp) => z.exactOptional(z.string().check(z.regex(pattern)));

/**
 * Settings for what the contract leaves open. A check decides them, and a person may change them.
 * Where a member is left out, values are taken as sent.
 */
const settingsSchema = lazySchema(() => {
  const fieldName = matching(/^[\s\S]{1,60}$/);
  return z.strictObject({
    /** The service's name for the UK market. */
    ukMarket: matching(/^[\w.-]{1,20}$/),
    /** The service's own names for the fields whose names the contract leaves open. */
    buyPriceName: fieldName,
    sellPriceName: fieldName,
    /** If it is set, formulas get the fraction. */
    roiUnit: z.exactOptional(z.literal(ROI_UNITS)),
    moneyUnit: z.exactOptional(z.literal(MONEY_UNITS)),
    /** The market of formulas that name none. */
    defaultMarket: z.exactOptional(z.literal(MARKETS)),
  });
});

export type ConnectionSettings = Fits<typeof settingsSchema>;

/** More calls than any known plan allows in a day, more seconds than a month has. */
const COUNT_MAX = 3_000_000;

const countSchema = lazySchema(() => z.int().check(z.minimum(1), z.maximum(COUNT_MAX)));

/** Calls per period as the operator states them. */
const statedQuotaSchema = lazySchema(() =>
  z.strictObject({
    calls: countSchema(),
    perSeconds: countSchema(),
    /** The number of calls that may come at once, if the operator stated it. */
    burst: z.exactOptional(countSchema()),
  }),
);

const connectionSchema = lazySchema(() =>
  z.strictObject({
    baseUrl: z.string(),
    /** null: the limit is unknown and is to be found out. */
    quota: z.nullable(statedQuotaSchema()),
    /** How answers are read, for every cell alike. */
    settings: settingsSchema(),
    /** The most calls that formulas of one spreadsheet may make in a day. */
    cellsPerDay: z.exactOptional(countSchema()),
    apiKey: z.string(),
    fingerprint: z.string(),
    /**
     * The fingerprint of the key with which an analysis came from the address: from then on a 404
     * means an unknown product, not a wrong address, and one refusal is no proof against that key.
     */
    answered: z.exactOptional(z.string()),
    /**
     * The same mark in all records of one person, so that a record they shared stays theirs when
     * their key changes.
     */
    owner: z.exactOptional(z.string()),
    /**
     * In a shared record: the identity of the spreadsheet it was shared with. A copy of the
     * spreadsheet carries it along.
     */
    home: z.exactOptional(z.string()),
  }),
);

export type Connection = Fits<typeof connectionSchema>;

/** The most characters of a text that a person types or pastes. */
const TYPED_CHARS_MAX = 2_000;

export const typedSchema = lazySchema(() => z.string().check(z.maxLength(TYPED_CHARS_MAX)));

/** What a person submits to be saved. */
export const draftSchema = lazySchema(() =>
  z.strictObject({
    baseUrl: typedSchema(),
    /** Empty: the stored key is kept, which is allowed only while the address stays the same. */
    apiKey: typedSchema(),
    quota: z.nullable(statedQuotaSchema()),
    /** If present, these replace all stored settings; if left out, the stored ones stay. */
    settings: z.exactOptional(settingsSchema()),
    sharing: z.literal(['me', 'spreadsheet']),
    /** null: as many as the quota allows. Left out: the stored value stays. */
    cellsPerDay: z.exactOptional(z.nullable(countSchema())),
  }),
);

export type ConnectionDraft = Fits<typeof draftSchema>;

/**
 * Who may use the key: only the person who saved it, or every formula of the spreadsheet as well.
 */
export type Sharing = ConnectionDraft['sharing'];

export type StoredConnection =
  | { readonly kind: 'connection'; readonly connection: Connection }
  | { readonly kind: 'none' }
  /** The record is damaged or has another form, and is left as it is until a person connects anew. */
  | { readonly kind: 'unreadable' };

/**
 * Without a key a spreadsheet may show samples. This record then takes the place of its shared
 * one.
 */
const demoSchema = lazySchema(() => z.strictObject({ demo: z.literal(true) }));

/** Reads the stored text of a connection. Pure. */
export function parseConnection(text: string | null): StoredConnection | { readonly kind: 'demo' } {
  if (text === null) return { kind: 'none' };
  const connection = storedAs(text, connectionSchema());
  if (connection !== null) return { kind: 'connection', connection };
  if (storedAs(text, demoSchema()) !== null) return { kind: 'demo' };
  return { kind: 'unreadable' };
}

/** The record as text for a store. With all members as long as they may be, it has 8 of its 9 KB. */
export const recordText = (connection: Connection): string => JSON.stringify(connection);

/**
 * Takes the place of a connection while a spreadsheet shows samples. It is never used for a
 * request.
 */
const DEMO: Connection = {
  baseUrl: '',
  apiKey: '',
  quota: null,
  settings: {},
  fingerprint: 'demo',
};

export const demoText = (): string => {
  const record: Fits<typeof demoSchema> = { demo: true };
  return JSON.stringify(record);
};
export const demoConnection = (): Connection => DEMO;
export const isDemo = ({ fingerprint }: Connection): boolean => fingerprint === DEMO.fingerprint;

/** Long enough that two keys never share a fingerprint, short enough for names in a cache. */
const FINGERPRINT_CHARS = 16;

/** A name for caches and gates in place of the key, from which the key cannot be derived. */
export function fingerprintOf(hasher: Hasher, baseUrl: string, apiKey: string): string {
  return hasher.sha256Hex(`${baseUrl}\n${apiKey}`).slice(0, FINGERPRINT_CHARS);
}

/**
 * The masked key, "…4f2a": enough to tell two keys apart, too little to use. A short key shows
 * nothing.
 */
export function maskOf(apiKey: string): string {
  return apiKey.length < 12 ? '…' : `…${apiKey.slice(-4)}`;
}

/** All settings that change how an answer is read, in a fixed order. */
const READING = ['buyPriceName', 'sellPriceName', 'roiUnit', 'moneyUnit', 'ukMarket'] as const;

/**
 * A name for answers and rows that were read with this address, key and settings. Under other
 * settings they are not found, and nothing is ever read again in another way. Names in a cache have
 * at most 250 characters, so the settings are hashed; with 64 bits, two settings of one key do not
 * collide by chance.
 */
export function answersScope({ fingerprint, settings }: Connection): string {
  const written = READING.map((name) => settings[name] ?? '');
  if (written.every((text) => text === '')) return fingerprint;
  const text = JSON.stringify(written);
  return `${fingerprint}:${[0x811c9dc5, 0x01000193].map((seed) => hash(text, seed)).join('')}`;
}

/**
 * A short name of the same, which a sheet may show. Two keys of one team do not share it by chance, and
 * no cell takes it for a number. "key 0x3f9a1"
 */
export const fetchedWithOf = (scope: string): string => `key ${hash(scope, 0x811c9dc5)}`;

/** FNV-1a over code points: 32 bits, written as seven characters. */
function hash(text: string, seed: number): string {
  let value = seed;
  for (const unit of text) value = Math.imul(value ^ (unit.codePointAt(0) ?? 0), 0x01000193);
  return (value >>> 0).toString(36).padStart(7, '0');
}

export function connectionIn(stored: StoredConnection): Connection | Failure {
  if (stored.kind === 'connection') return stored.connection;
  return fail({ kind: stored.kind === 'none' ? 'no-connection' : 'settings-damaged' });
}
