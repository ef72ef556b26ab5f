// Keeps connection records: which store holds whose, and which one a door uses.

import type { Digest, Random, Store } from '../platform/ports';
import { readBaseUrl } from './base-url';
import {
  CONNECTION_VERSION,
  type Connection,
  type ConnectionDraft,
  fingerprintOf,
  isNewer,
  parseConnection,
  type StoredConnection,
} from './connection';

/** One record a store, one value a record: a settings read costs one call of the daily allowance. */
const RECORD_NAME = 'connection';

/** Who pays: the person who saved it alone, or also every formula of the spreadsheet. */
export type Sharing = 'me' | 'spreadsheet';

export type SaveOutcome =
  | { readonly kind: 'saved'; readonly connection: Connection }
  | { readonly kind: 'bad-address'; readonly what: string }
  | { readonly kind: 'bad-key'; readonly what: string }
  /** A newer version's record is in the way, and stays. */
  | { readonly kind: 'unreadable' };

export interface ConnectionStore {
  /** For cells: the spreadsheet's shared record, else the user store's (in a cell: the owner's). */
  forCells(): StoredConnection;
  /** For people: their own record, else the one shared with this spreadsheet. */
  forPerson(): StoredConnection & { readonly sharing: Sharing; readonly own: boolean };
  save(draft: ConnectionDraft): SaveOutcome;
  /** Removes the person's record, and the shared one if it is theirs. */
  clear(): void;
}

export interface ConnectionStores {
  readonly userStore: Store;
  readonly documentStore: Store;
  readonly digest: Digest;
  readonly random: Random;
  readonly loopbackAllowed: boolean;
}

/** So many marks of owners: two people practically never have the same. */
const OWNERS = 2 ** 52;

export function connectionStore(stores: ConnectionStores): ConnectionStore {
  const { userStore, documentStore } = stores;
  const ownRecord = () => parseConnection(userStore.read(RECORD_NAME));
  const sharedRecord = () => parseConnection(documentStore.read(RECORD_NAME));

  /**
   * A shared record is theirs who has its mark, also after changing their own key in another
   * spreadsheet, and theirs who has its key.
   */
  function isTheirs(own: StoredConnection, shared: StoredConnection): boolean {
    if (own.kind !== 'connection' || shared.kind !== 'connection') return false;
    const [a, b] = [own.connection, shared.connection];
    return a.fingerprint === b.fingerprint || (a.owner !== undefined && a.owner === b.owner);
  }

  function ownerOf(own: StoredConnection): string {
    const known = own.kind === 'connection' ? own.connection.owner : undefined;
    return known ?? Math.floor(stores.random.next() * OWNERS).toString(36);
  }

  function forPerson() {
    const own = ownRecord();
    const shared = sharedRecord();
    if (own.kind === 'none') return { ...shared, sharing: 'spreadsheet' as const, own: false };
    const sharing = isTheirs(own, shared) ? ('spreadsheet' as const) : ('me' as const);
    return { ...own, sharing, own: true };
  }

  function save(draft: ConnectionDraft): SaveOutcome {
    const address = readBaseUrl(draft.baseUrl, stores.loopbackAllowed);
    if (!address.ok) return { kind: 'bad-address', what: address.what };
    const texts = [userStore.read(RECORD_NAME), documentStore.read(RECORD_NAME)] as const;
    if (isNewer(texts[0]) || (draft.sharing === 'spreadsheet' && isNewer(texts[1])))
      return { kind: 'unreadable' };
    const [own, shared] = [parseConnection(texts[0]), parseConnection(texts[1])];
    const kept = keptKey(draft, own, address.baseUrl);
    if (typeof kept !== 'string') return kept;
    const connection: Connection = {
      version: CONNECTION_VERSION,
      baseUrl: address.baseUrl,
      apiKey: kept,
      quota: draft.quota,
      settings: draft.settings ?? (own.kind === 'connection' ? own.connection.settings : {}),
      fingerprint: fingerprintOf(stores.digest, address.baseUrl, kept),
      owner: ownerOf(own),
    };
    const text = JSON.stringify(connection);
    userStore.write(RECORD_NAME, text);
    if (draft.sharing === 'spreadsheet') documentStore.write(RECORD_NAME, text);
    else if (isTheirs(own, shared)) documentStore.remove(RECORD_NAME);
    return { kind: 'saved', connection };
  }

  function clear(): void {
    const isShared = isTheirs(ownRecord(), sharedRecord());
    userStore.remove(RECORD_NAME);
    if (isShared) documentStore.remove(RECORD_NAME);
  }

  return {
    forCells() {
      const shared = sharedRecord();
      return shared.kind === 'none' ? ownRecord() : shared;
    },
    forPerson,
    save,
    clear,
  };
}

/** Printable ASCII without spaces: what a header value may hold. */
const KEY = /^[\x21-\x7e]+$/;

/**
 * The key to save: the one typed, else the stored one. A new address needs the key typed again, so
 * that nobody can have a key sent to an address of their own.
 */
function keptKey(draft: ConnectionDraft, own: StoredConnection, baseUrl: string) {
  const typed = draft.apiKey.trim();
  if (typed !== '') {
    if (KEY.test(typed)) return typed;
    return badKey('the key holds spaces or characters that keys do not have. Paste it again');
  }
  if (own.kind !== 'connection') return badKey('the key is missing');
  if (own.connection.baseUrl !== baseUrl)
    return badKey('type the key again, because the address is a new one');
  return own.connection.apiKey;
}

function badKey(what: string): SaveOutcome {
  return { kind: 'bad-key', what };
}
