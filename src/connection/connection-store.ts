// Where connections are kept: saving and sharing them, reading the one that applies, and telling
// whose key a shared one holds.

import type { Failure } from '../failures/failure';
import type { AddressProblem } from '../failures/problems';
import {
  type Cache,
  type Digest,
  drawName,
  type Lock,
  type Platform,
  type Random,
  type Store,
} from '../google/platform';
import { seenText } from '../product/cell-text';
import {
  CONNECTION_VERSION,
  type Connection,
  type ConnectionDraft,
  type ConnectionSettings,
  demoConnection,
  demoText,
  fingerprintOf,
  parseConnection,
  recordText,
  type Sharing,
  type StoredConnection,
} from './connection';

export type BaseUrlReading =
  | { readonly ok: true; readonly baseUrl: string }
  | { readonly ok: false; readonly why: AddressProblem };

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
export function readBaseUrl(input: string, loopbackAllowed: boolean): BaseUrlReading {
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
  return { ok: true, baseUrl: `${scheme.toLowerCase()}://${host.toLowerCase()}${port}${root}` };
}

function no(why: AddressProblem): BaseUrlReading {
  return { ok: false, why };
}

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
): string | Extract<Failure, { kind: 'bad-key' }> {
  const typed = seenText(draft.apiKey);
  if (typed !== '') {
    if (KEY.test(typed)) return typed;
    return { kind: 'bad-key', why: 'odd-characters' };
  }
  if (before === undefined) return { kind: 'bad-key', why: 'missing' };
  if (before.baseUrl !== baseUrl) return { kind: 'bad-key', why: 'new-address' };
  return before.apiKey;
}

/** The name of the owner's mark in the spreadsheet's own store. */
const NAME = 'cells-owner';

const markOf = ({ owner, fingerprint }: Connection): string => owner ?? fingerprint;

/** The owner's mark, which cells store from time to time. */
export const ownerNote = (connection: Connection): Readonly<Record<string, string>> => ({
  [NAME]: markOf(connection),
});

/**
 * Whether cells may be using this connection's key; false if a cell noted somebody else's. Costs
 * one property call.
 */
export function mayBeOwner(documentStore: Store, connection: Connection): boolean {
  const known = documentStore.read(NAME);
  return known === null || known === markOf(connection);
}

/** Whether a cell has noted whose key it uses. Costs one property call. */
export const isOwnerKnown = (documentStore: Store): boolean => documentStore.read(NAME) !== null;

/** Forgets the mark of a connection that is removed, because the next one has another mark. */
function forgetOwner(documentStore: Store, removed: Connection): void {
  if (documentStore.read(NAME) === markOf(removed)) documentStore.remove(NAME);
}

const HOME_CHARS = 16;

/** A name for a spreadsheet that does not reveal its id. */
export function spreadsheetIdentity(
  { digest }: Pick<Platform, 'digest'>,
  spreadsheetId: string,
): string {
  return digest.sha256Hex(`home:${spreadsheetId}`).slice(0, HOME_CHARS);
}

type Place = Pick<Platform, 'digest' | 'spreadsheetId'>;

/**
 * Whether the key was shared in another spreadsheet, of which this is a copy. Costs one Google
 * call, or none for a key that is not shared. Records of earlier versions name no spreadsheet and
 * pass.
 */
export function isFromElsewhere(place: Place, { home }: Connection): boolean {
  if (home === undefined) return false;
  const id = place.spreadsheetId();
  return id !== null && spreadsheetIdentity(place, id) !== home;
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

export type SaveOutcome =
  | { readonly kind: 'saved'; readonly connection: Connection }
  /**
   * `settings-unreadable`: a newer version of the add-on wrote the stored record, which is not
   * overwritten.
   */
  | Extract<Failure, { kind: 'bad-address' | 'bad-key' | 'settings-unreadable' }>;

export interface ConnectionStore {
  /**
   * The connection for cells: the spreadsheet's shared record, else the user store's (in a cell:
   * the owner's).
   */
  forCells(): StoredConnection;
  /** The connection for a person: their own record, else the one shared with this spreadsheet. */
  forPerson(): StoredConnection & { readonly sharing: Sharing; readonly own: boolean };
  save(draft: ConnectionDraft): SaveOutcome;
  /**
   * Stores what a check decided in the records of this connection.
   *
   * @param isAnswered whether an analysis came from the address.
   */
  decide(fingerprint: string, settings: ConnectionSettings, isAnswered: boolean): void;
  /**
   * Removes the person's record, and the shared one if it is theirs. Returns false if a newer
   * version's record is in the way.
   */
  clear(): boolean;
  /** What the spreadsheet's own store holds. */
  sharedKind(): 'connection' | 'demo' | 'none' | 'unreadable';
  /**
   * Whether the shared record came with a copy of its spreadsheet and nobody has allowed its use
   * here.
   */
  isCopied(): boolean;
  /** Makes the shared record belong to this spreadsheet from now on. */
  useHere(): void;
  /**
   * Switches samples on or off. Switching on does nothing if a record is shared or the person has a
   * key.
   */
  setDemo(isOn: boolean): void;
}

export interface ConnectionStores {
  readonly userStore: Store;
  readonly documentStore: Store;
  /** The spreadsheet's lock: only one person at a time reads and rewrites its record. */
  readonly lock: Lock;
  readonly digest: Digest;
  readonly cache: Cache;
  readonly random: Random;
  readonly loopbackAllowed: boolean;
  spreadsheetId(): string | null;
}

/**
 * Bookings hold the lock for a fraction of a second. Removing a key waits for it but goes ahead
 * without it.
 */
const LOCK_WAIT_MS = 10_000;

export function connectionStore(stores: ConnectionStores): ConnectionStore {
  const own = record(stores.userStore);
  const shared = record(stores.documentStore);

  /**
   * Whether the shared record is this person's: it has their owner mark, even if they have changed
   * their key in another spreadsheet since, or it has their key.
   */
  function isTheirs(): boolean {
    const [mine, here] = [own.read(), shared.read()];
    if (mine.kind !== 'connection' || here.kind !== 'connection') return false;
    const [a, b] = [mine.connection, here.connection];
    return a.fingerprint === b.fingerprint || (a.owner !== undefined && a.owner === b.owner);
  }

  /**
   * Runs a change while nobody else writes, with records read afresh. Otherwise a check that runs
   * elsewhere could write back a key that is being removed.
   */
  function alone<T>(change: () => T): T {
    const anew = () => {
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
    const done = stores.lock.run(LOCK_WAIT_MS, anew);
    return done.held ? done.value : anew();
  }

  function atHome(connection: Connection): Connection {
    const id = stores.spreadsheetId();
    return id === null ? connection : { ...connection, home: spreadsheetIdentity(stores, id) };
  }

  function isCopied(): boolean {
    const here = shared.read();
    return here.kind === 'connection' && isFromElsewhere(stores, here.connection);
  }

  function useHere(): void {
    const here = shared.read();
    if (here.kind !== 'connection') return;
    shared.write(recordText(atHome(here.connection)));
    tell();
  }

  function tell(): void {
    const change = String(stores.random.next());
    stores.cache.putAll({ [CHANGE_NAME]: change }, CHANGE_TTL_SECONDS);
  }

  function forCells(): StoredConnection {
    const here = shared.read();
    if (here.kind !== 'none' && here.kind !== 'demo') return here;
    const mine = withoutDemo(own.read());
    return mine.kind === 'none' && here.kind === 'demo'
      ? { kind: 'connection', connection: demoConnection() }
      : mine;
  }

  function forPerson() {
    const mine = withoutDemo(own.read());
    const sharing = isTheirs() ? ('spreadsheet' as const) : ('me' as const);
    if (mine.kind !== 'none') return { ...mine, sharing, own: true };
    return { ...withoutDemo(shared.read()), sharing: 'spreadsheet' as const, own: false };
  }

  function save(draft: ConnectionDraft): SaveOutcome {
    const address = readBaseUrl(draft.baseUrl, stores.loopbackAllowed);
    if (!address.ok) return { kind: 'bad-address', why: address.why };
    if (own.isNewer() || (draft.sharing === 'spreadsheet' && shared.isNewer()))
      return { kind: 'settings-unreadable' };
    const mine = own.read();
    const before = mine.kind === 'connection' ? mine.connection : undefined;
    const kept = keptKey(draft, before, address.baseUrl);
    if (typeof kept !== 'string') return kept;
    const owner = before?.owner ?? drawName(stores.random);
    const fingerprint = fingerprintOf(stores.digest, address.baseUrl, kept);
    const connection = { ...connectionOf(draft, before, address.baseUrl), apiKey: kept };
    const saved: Connection = { ...connection, fingerprint, owner };
    const wasTheirs = isTheirs();
    own.write(recordText(saved));
    if (draft.sharing === 'spreadsheet') shared.write(recordText(atHome(saved)));
    else if (wasTheirs || shared.read().kind === 'demo') shared.remove();
    tell();
    return { kind: 'saved', connection: saved };
  }

  function decide(fingerprint: string, decided: ConnectionSettings, isAnswered: boolean): void {
    for (const one of [own, shared]) {
      const stored = one.read();
      if (stored.kind !== 'connection' || stored.connection.fingerprint !== fingerprint) continue;
      const { connection } = stored;
      const settings = { ...connection.settings, ...decided };
      const answered = isAnswered && { answered: true as const };
      const text = recordText({ ...connection, settings, ...answered });
      if (text !== recordText(connection)) one.write(text);
    }
  }

  function clear(): boolean {
    if (own.isNewer()) return false;
    const mine = own.read();
    if (mine.kind === 'connection') forgetOwner(stores.documentStore, mine.connection);
    // The shared record goes first: without the person's own record nothing shows that it is
    // theirs.
    if (isTheirs()) shared.remove();
    own.remove();
    tell();
    return true;
  }

  return {
    forCells,
    forPerson,
    save: (draft) => alone(() => save(draft)),
    decide: (fingerprint, settings, isAnswered) =>
      alone(() => decide(fingerprint, settings, isAnswered)),
    clear: () => alone(clear),
    sharedKind: () => shared.read().kind,
    isCopied,
    useHere: () => alone(useHere),
    setDemo: (isOn) =>
      alone(() => {
        const { kind } = shared.read();
        if (isOn && kind === 'none' && own.read().kind === 'none') shared.write(demoText());
        if (!isOn && kind === 'demo') shared.remove();
      }),
  };
}

/** A record of samples is not a connection. */
function withoutDemo(stored: ReturnType<typeof parseConnection>): StoredConnection {
  return stored.kind === 'demo' ? { kind: 'none' } : stored;
}

/** The record in one store. It is read once and remembered. */
function record(store: Store) {
  let seen: ReturnType<typeof parseConnection> | undefined;
  let stood: string | null = null;
  let isChanged = false;
  const read = () => {
    if (seen === undefined) {
      const text = store.read(RECORD_NAME);
      if (!isChanged) stood = text;
      seen = parseConnection(text);
    }
    return seen;
  };
  /** @param text null: removes the record. */
  function put(text: string | null): void {
    read();
    isChanged = true;
    seen = undefined;
    if (text === null) store.remove(RECORD_NAME);
    else store.write(RECORD_NAME, text);
  }
  return {
    read,
    write: put,
    remove: () => {
      put(null);
      seen = { kind: 'none' };
    },
    /** Makes the next read go to the store, because somebody else may have written since. */
    forget: () => {
      seen = undefined;
      isChanged = false;
    },
    /** Restores what was read. If Google refuses that as well, the record stays as it is. */
    putBack() {
      if (!isChanged) return;
      try {
        put(stood);
      } catch {
        seen = undefined;
      }
    },
    isNewer: () => {
      const stored = read();
      return stored.kind === 'unreadable' && stored.isNewer;
    },
  };
}

/** The record that a draft makes of the earlier one. A new key keeps the service's settings. */
function connectionOf(draft: ConnectionDraft, before: Connection | undefined, baseUrl: string) {
  const isSameService = before?.baseUrl === baseUrl;
  const { cellsPerDay = before?.cellsPerDay ?? null } = draft;
  const settings = draft.settings ?? (isSameService ? before.settings : ofAny(before));
  return {
    version: CONNECTION_VERSION as typeof CONNECTION_VERSION,
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
