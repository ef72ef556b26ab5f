// Whose key the formulas of this spreadsheet use, as far as the viewer may know it.

import { maskOf } from '../connection/connection';
import type { ConnectionStore } from '../connection/connection-store';
import type { Payer } from './rpc-contract';

export function payerOf(store: ConnectionStore): Payer {
  const [cells, person] = [store.forCells(), store.forPerson()];
  if (store.sharedKind() === 'unreadable') {
    const text = 'Formulas here have a shared key that this version of the add-on cannot read.';
    return { kind: 'shared', text };
  }
  if (store.sharedKind() !== 'connection' || cells.kind !== 'connection') return unshared(store);
  const keyMask = maskOf(cells.connection.apiKey);
  if (person.own && person.sharing === 'spreadsheet') {
    const text = `Formulas here use your key, ends in ${keyMask}, whoever edits the spreadsheet.`;
    return { kind: 'yours', keyMask, text };
  }
  const mine =
    person.own && person.kind === 'connection'
      ? ` Your own runs use yours, ends in ${maskOf(person.connection.apiKey)}.`
      : '';
  const text = `Formulas here use the key of the owner, ends in ${keyMask}.${mine}`;
  return { kind: 'shared', keyMask, text };
}

/** In a cell Google gives the store of the spreadsheet's owner, and nobody is told who that is. */
function unshared(store: ConnectionStore): Payer {
  if (store.sharedKind() === 'demo') {
    const unless = "unless the spreadsheet's owner has connected a key";
    return { kind: 'samples', text: `Formulas here answer for samples, ${unless}.` };
  }
  const text = "Formulas use the owner's key. Not the owner? Share yours to use it here.";
  return { kind: 'owner', text };
}
