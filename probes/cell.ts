// Probes in a cell: what a custom function receives and what it may do.

import { askSlow, readPlace, saidBy, sleepAndTell, tryLock, writePlace } from './google';
import { KNOWN_MOMENT_MS, LOG_MS } from './table';

/**
 * Finds out what Google lets a custom function do. Only for whoever checks the add-on on an account.
 *
 * @param {string} what The name of a probe.
 * @param {any} value What the probe needs, if it needs anything.
 * @return What it found.
 * @customfunction
 */
export function PROBE(what: unknown, value: unknown): string | Date {
  try {
    return probed(String(what), value);
  } catch (error) {
    return saidBy(error);
  }
}

function probed(what: string, value: unknown): string | Date {
  switch (what) {
    case 'arguments':
      return shapeOf(value);
    case 'date':
      return new Date(KNOWN_MOMENT_MS);
    case 'document cache':
    case 'document properties':
    case 'user properties': {
      const found = readPlace(what);
      return found === null ? 'nothing' : found === value ? 'the same' : 'something else';
    }
    case 'write':
      writePlace('written by a cell', String(value));
      return 'written';
    case 'lock':
      return tryLock();
    case 'slow':
      return askSlow(String(value));
    case 'many':
      return sleepAndTell(LOG_MS);
    case 'colleague':
    case 'named cell':
      return `seen: ${String(value)}`;
    default:
      return 'There is no such probe.';
  }
}

/** "number 0.1", "date 2026-01-15T12:00:00.000Z", "object [[1]]". */
function shapeOf(value: unknown): string {
  if (value === undefined) return 'undefined';
  const isDate = Object.prototype.toString.call(value) === '[object Date]';
  if (isDate) return `date ${JSON.stringify(value).replace(/"/g, '')}`;
  return `${typeof value} ${JSON.stringify(value)}`;
}
