// Where connections are kept: saving and sharing them, reading the one that applies, and telling
// whose key a shared one holds.

import { type Failure, fail, isFailure } from '../failures/failure';
import type { AddressProblem } from '../failures/problems';
import { drawName, type Hasher, type Platform, type Store } from '../google/platform';
import { seenText } from '../product/cell-text';
import {
  type Connection,
  type ConnectionDraft,
  type ConnectionSettings,
  demoConnection,
  demoText,
  fingerprintOf,
  parseConnection,
  recordText,
  type StoredConnection,
} from './connection';

/** Scheme, host (name or IPv4), optional port, optional path. Apps Script has no `URL` class. */
const ADDRESS = /^(https?):\/\/([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(:\d{1,5})?(\/[\w./~%-]*)?$/i;

const LOOPBACK = /^(127\.0\.0\.1|localhost)$/i;

/**
 * Brings an address into its one canonical form: lower-case host, no slash at the end, and without
 * the path of an endpoint that was pasted along, even repeatedly. The canonical form maps to
 * itself, which matters because a stored key is kept only for the same address. Only https is
 * accepted, so that the key is never sent in clear text.
 *
 * @param loopbackAllowed whether `http://127.0.0.1:PORT` is accepted as well; true only in the
 * playground's build.
 */
export function readBaseUrl(input: string, loopbackAllowed: boolean): string | Failure {
  const text = seenText(input);
  if (text === '') return no('missing');
  const parts = ADDRESS.exec(text);
  if (parts === null) return no('no-address');
  const [, scheme = '', host = '', port = '', path = ''] = parts;
  const loopback = LOOPBACK.test(host);
  if (loopback && !loopbackAllowed) return no('own-computer');
  if (!loopback && scheme.toLowerCase() !== 'https') return no('not-https');
  if (!loopback && !host.includes('.')) return no('not-full');
  const root = path.replace(/(\/+v1(\/+analyze)?)*\/*$/, '');
  return `${scheme.toLowerCase()}://${host.toLowerCase()}${port}${root}`;
}

const no = (why: AddressProblem): Failure => fail({ kind: 'bad-address', why });

/** Printable ASCII without spaces, which is what a header value may hold. */
const KEY = /^[\x21-\x7e]+$/;

/**
 * The key to save: the one that was typed, else the stored one. For a new address the key must be
 * typed again, so that nobody can have another person's key sent to an address of their own.
 */
function keptKey(
  draft: ConnectionDraft,
  before: Connection | undefined,
  baseUrl: string,
): string | Failure {
  const typed = seenText(draft.apiKey);
  if (typed !== '')
    return KEY.test(typed) ? typed : fail({ kind: 'bad-key', why: 'odd-characters' });
  if (before === undefined) return fail({ kind: 'bad-key', why: 'missing' });
  if (before.baseUrl !== baseUrl) return fail({ kind: 'bad-key', why: 'new-address' });
  return before.apiKey;
}

/** The name of the owner's note in the spreadsheet's own store. */
const NAME = 'cells-owner';

const ownerIn = ({ owner, fingerprint }: Connection): string => owner ?? fingerprint;

/** The owner's note, which cells store from time to time. */
export const ownerNote = (connection: Connection): Readonly<Record<string, string>> => ({
  [NAME]: ownerIn(connection),
});

/**
 * Whether cells may be using this connection's key; false if a cell noted somebody else's. Costs
 * one property call.
 */
export function mayBeOwner(documentStore: Store, connection: Connection): boolean {
  const stored = documentStore.read(NAME);
  return stored === null || stored === ownerIn(connection);
}

/** Whether a cell has noted whose key it uses. Costs one property call. */
export const isOwnerKnown = (documentStore: Store): boolean => documentStore.read(NAME) !== null;

/** Forgets the mark of a connection that is removed, because the next one has another mark. */
function forgetOwner(documentStore: Store, removed: Connection): void {
  if (documentStore.read(NAME) === ownerIn(removed)) documentStore.remove(NAME);
}

const HOME_CHARS = 16;

/** A name for a spreadsheet that does not reveal its id. */
export const spreadsheetIdentity = (
  { hasher }: { readonly hasher: Hasher },
  spreadsheetId: string,
): string => hasher.sha256Hex(`home:${spreadsheetId}`).slice(0, HOME_CHARS);

type SpreadsheetParts = Pick<Platform, 'hasher' | 'spreadsheetId'>;

/** The identity of the active spreadsheet. */
export const identityHere = (parts: SpreadsheetParts): string =>
  spreadsheetIdentity(parts, parts.spreadsheetId() ?? '');

/**
 * Whether the key was shared in another spreadsheet, of which this is a copy. Costs one Google
 * call, or none for a key that is not shared.
 */
export function isFromElsewhere(parts: SpreadsheetParts, { home }: Connection): boolean {
  if (home === undefined) return false;
  const id = parts.spreadsheetId();
  return id !== null && spreadsheetIdentity(parts, id) !== home;
}

/**
 * There is one record in each store and it is one value, so reading the settings costs one call of
 * the daily allowance.
 */
const RECORD_NAME = 'connection';

/**
 * A cache value that changes whenever a key is saved or removed, so that an execution that uses a
 * key notices.
 */
export const CHANGE_NAME = 'connection-change';

/** Longer than any execution lasts. */
const CHANGE_TTL_SECONDS = 3_600;

/**
 * Bookings hold the lock for a fraction of a second. Removing a key waits for it but goes ahead
 * without it.
 */
const LOCK_WAIT_MS = 10_000;

/** What a store is made of. The lock is the spreadsheet's: only one person rewrites its record. */
type ConnectionParts = SpreadsheetParts &
  Pick<Platform, 'userStore' | 'documentStore' | 'lock' | 'cache' | 'random'>;

/** The person's record and the spreadsheet's. */
interface Records {
  readonly parts: ConnectionParts;
  readonly own: StoredRecord;
  readonly shared: StoredRecord;
}

export type ConnectionStore = ReturnType<typeof connectionStore>;

export function connectionStore(parts: ConnectionParts) {
  const own = storedRecord(parts.userStore);
  const shared = storedRecord(parts.documentStore);
  const records: Records = { parts, own, shared };

  /**
   * Runs a change while nobody else writes, with records read afresh. Otherwise a check that runs
   * elsewhere could write back a key that is being removed.
   */
  function alone<T>(change: () => T): T {
    const afresh = () => {
      own.forget();
      shared.forget();
      try {
        return change();
      } catch (error) {
        // Either both records change or neither does.
        own.putBack();
        shared.putBack();
        throw error;
      }
    };
    const done = parts.lock.run(LOCK_WAIT_MS, afresh);
    return done.held ? done.value : afresh();
  }

  return {
    /**
     * The connection for cells: the spreadsheet's shared record, else the user store's (in a cell:
     * the owner's).
     */
    forCells(): StoredConnection {
      const here = shared.read();
      if (here.kind !== 'none' && here.kind !== 'demo') return here;
      const mine = withoutDemo(own.read());
      return mine.kind === 'none' && here.kind === 'demo'
        ? { kind: 'connection', connection: demoConnection() }
        : mine;
    },
    /** The connection for a person: their own record, else the one shared with this spreadsheet. */
    forPerson() {
      const mine = withoutDemo(own.read());
      const sharing = isTheirs(records) ? ('spreadsheet' as const) : ('me' as const);
      if (mine.kind !== 'none') return { ...mine, sharing, own: true };
      return { ...withoutDemo(shared.read()), sharing: 'spreadsheet' as const, own: false };
    },
    /** What the spreadsheet's own store holds. */
    sharedKind: () => shared.read().kind,
    /** Whether the shared record came with a copy of its spreadsheet and nobody has allowed it here. */
    isCopied() {
      const here = shared.read();
      return here.kind === 'connection' && isFromElsewhere(parts, here.connection);
    },
    /**
     * The connection that a draft would put in the place of one that has answered; null where nothing
     * that works is replaced.
     *
     * @param loopbackAllowed as in `readBaseUrl`.
     */
    replacement(draft: ConnectionDraft, loopbackAllowed: boolean): Connection | null | Failure {
      const next = drafted(records, draft, loopbackAllowed);
      if (isFailure(next)) return next;
      const { before, connection } = next;
      const works = before !== undefined && before.answered === before.fingerprint;
      return works && before.fingerprint !== connection.fingerprint ? connection : null;
    },
    /** @param loopbackAllowed as in `readBaseUrl`. */
    save: (draft: ConnectionDraft, loopbackAllowed: boolean) =>
      alone(() => save(records, draft, loopbackAllowed)),
    /**
     * Stores what a check decided in the records of this connection.
     *
     * @param isAnswered whether an analysis came from the address.
     */
    decide: (fingerprint: string, settings: ConnectionSettings, isAnswered: boolean) =>
      alone(() => {
        for (const record of [own, shared]) decideRecord(record, fingerprint, settings, isAnswered);
      }),
    clear: () => alone(() => clear(records)),
    /** Makes the shared record belong to this spreadsheet from now on. */
    useHere: () => alone(() => useSharedHere(records)),
    /**
     * Switches samples on or off. Switching on does nothing if a record is shared or the person has
     * a key.
     */
    setDemo: (isOn: boolean) =>
      alone(() => {
        const { kind } = shared.read();
        if (isOn && kind === 'none' && own.read().kind === 'none') shared.write(demoText());
        if (!isOn && kind === 'demo') shared.remove();
      }),
  };
}

/**
 * Whether the shared record is this person's: it has their owner mark, even if they have changed
 * their key in another spreadsheet since, or it has their key.
 */
function isTheirs({ own, shared }: Records): boolean {
  const mine = own.read();
  const here = shared.read();
  if (mine.kind !== 'connection' || here.kind !== 'connection') return false;
  const a = mine.connection;
  const b = here.connection;
  return a.fingerprint === b.fingerprint || (a.owner !== undefined && a.owner === b.owner);
}

function atHome(parts: ConnectionParts, connection: Connection): Connection {
  const id = parts.spreadsheetId();
  return id === null ? connection : { ...connection, home: spreadsheetIdentity(parts, id) };
}

function tellChange({ cache, random }: ConnectionParts): void {
  cache.putAll({ [CHANGE_NAME]: String(random.next()) }, CHANGE_TTL_SECONDS);
}

/** The connection that a draft makes, and the person's own before. */
function drafted(
  { parts, own }: Records,
  draft: ConnectionDraft,
  loopbackAllowed: boolean,
): { readonly connection: Connection; readonly before: Connection | undefined } | Failure {
  const baseUrl = readBaseUrl(draft.baseUrl, loopbackAllowed);
  if (typeof baseUrl !== 'string') return baseUrl;
  const mine = own.read();
  const before = mine.kind === 'connection' ? mine.connection : undefined;
  const apiKey = keptKey(draft, before, baseUrl);
  if (typeof apiKey !== 'string') return apiKey;
  const connection: Connection = {
    ...connectionOf(draft, before, baseUrl),
    apiKey,
    fingerprint: fingerprintOf(parts.hasher, baseUrl, apiKey),
    owner: before?.owner ?? drawName(parts.random),
  };
  return { connection, before };
}

function save(
  records: Records,
  draft: ConnectionDraft,
  loopbackAllowed: boolean,
): Connection | Failure {
  const { parts, own, shared } = records;
  const next = drafted(records, draft, loopbackAllowed);
  if (isFailure(next)) return next;
  const saved = next.connection;
  const isShared = draft.sharing === 'spreadsheet';
  const wasTheirs = isTheirs(records);
  // The person's goes first: cut off in between, it is they who can take a shared key back.
  own.write(recordText(saved));
  if (isShared) shared.write(recordText(atHome(parts, saved)));
  else if (wasTheirs || shared.read().kind === 'demo') shared.remove();
  tellChange(parts);
  return saved;
}

function decideRecord(
  record: StoredRecord,
  fingerprint: string,
  decided: ConnectionSettings,
  isAnswered: boolean,
): void {
  const stored = record.read();
  if (stored.kind !== 'connection' || stored.connection.fingerprint !== fingerprint) return;
  const { connection } = stored;
  const settings = { ...connection.settings, ...decided };
  const text = recordText({
    ...connection,
    settings,
    ...(isAnswered && { answered: fingerprint }),
  });
  if (text !== recordText(connection)) record.write(text);
}

/** Removes the person's record, and the shared one if it is theirs. */
function clear(records: Records): void {
  const { parts, own, shared } = records;
  const mine = own.read();
  if (mine.kind === 'connection') forgetOwner(parts.documentStore, mine.connection);
  // The shared record goes first: without the person's own nothing shows that it is theirs.
  if (isTheirs(records)) shared.remove();
  own.remove();
  tellChange(parts);
}

function useSharedHere({ parts, shared }: Records): void {
  const here = shared.read();
  if (here.kind !== 'connection') return;
  shared.write(recordText(atHome(parts, here.connection)));
  tellChange(parts);
}

type Stored = ReturnType<typeof parseConnection>;

/** A record of samples is not a connection. */
const withoutDemo = (stored: Stored): StoredConnection =>
  stored.kind === 'demo' ? { kind: 'none' } : stored;

type StoredRecord = ReturnType<typeof storedRecord>;

/** The record in one store. It is read once and remembered. */
function storedRecord(store: Store) {
  let seen: Stored | undefined;
  let text: string | null = null;
  /** What stood here before the change; undefined: nothing was written yet. */
  let before: string | null | undefined;
  function read(): Stored {
    if (seen !== undefined) return seen;
    text = store.read(RECORD_NAME);
    seen = parseConnection(text);
    return seen;
  }
  function put(next: string | null): void {
    read();
    if (before === undefined) before = text;
    seen = undefined;
    if (next === null) store.remove(RECORD_NAME);
    else store.write(RECORD_NAME, next);
    text = next;
    seen = parseConnection(next);
  }
  return {
    read,
    write: (next: string) => put(next),
    remove: () => put(null),
    /** Makes the next read go to the store, because somebody else may have written since. */
    forget() {
      seen = undefined;
      before = undefined;
    },
    /** Restores what stood before. If Google refuses that as well, the record stays as it is. */
    putBack() {
      if (before === undefined) return;
      try {
        put(before);
      } catch {
        seen = undefined;
      }
    },
  };
}

/** The record that a draft makes of the earlier one. A new key keeps the service's settings. */
function connectionOf(draft: ConnectionDraft, before: Connection | undefined, baseUrl: string) {
  const isSameService = before?.baseUrl === baseUrl;
  const { cellsPerDay = before?.cellsPerDay ?? null } = draft;
  const settings = draft.settings ?? (isSameService ? before.settings : ofAny(before));
  return {
    baseUrl,
    quota: draft.quota,
    settings,
    ...(isSameService && before.answered && { answered: before.answered }),
    ...(cellsPerDay === null ? {} : { cellsPerDay }),
  };
}

/** The settings that hold for any service. The others are decided again by the check of a new one. */
function ofAny(before: Connection | undefined): ConnectionSettings {
  const { defaultMarket } = before?.settings ?? {};
  return defaultMarket === undefined ? {} : { defaultMarket };
}
