// Which key a draft saves: the one that was typed, or the one that is stored for the same address.

import type { Connection, ConnectionDraft } from './connection';

/** Printable ASCII without spaces: what a header value may hold. */
const KEY = /^[\x21-\x7e]+$/;

/**
 * The key to save: the one typed, else the stored one. A new address needs the key typed again, so
 * that nobody can have a key sent to an address of their own.
 */
export function keptKey(
  draft: ConnectionDraft,
  before: Connection | undefined,
  baseUrl: string,
): string | { readonly what: string } {
  const typed = draft.apiKey.trim();
  if (typed !== '') {
    if (KEY.test(typed)) return typed;
    return { what: 'the key holds spaces or characters that keys do not have. Paste it again' };
  }
  if (before === undefined) return { what: 'the key is missing' };
  if (before.baseUrl !== baseUrl)
    return { what: 'type the key again, because the address is a new one' };
  return before.apiKey;
}
