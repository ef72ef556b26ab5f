// Caches of Apps Script: the spreadsheet's own, and the one that all users of the add-on share.

import type { Cache } from '../ports';
import { serviceCall, serviceCallOr } from './service-call';

/** The spreadsheet's cache, or the user's where a script runs outside of a spreadsheet. */
export function spreadsheetCache(): Cache {
  return cache(() => CacheService.getDocumentCache() ?? CacheService.getUserCache());
}

export function commonCache(): Cache {
  return cache(() => CacheService.getScriptCache());
}

/** Apps Script refuses a larger value, and with it all that comes in the same call. */
const VALUE_BYTES_MAX = 102_400;

function cache(open: () => GoogleAppsScript.Cache.Cache): Cache {
  let opened: GoogleAppsScript.Cache.Cache | undefined;
  const service = () => {
    opened ??= open();
    return opened;
  };
  return {
    getAll(names, isPaidFor = false) {
      const read = () => service().getAll([...names]);
      return isPaidFor ? serviceCall(read) : serviceCallOr({}, read);
    },
    putAll(values, ttlSeconds) {
      // What does not fit is forgotten, as anything in a cache may be: by now its answers have been
      // paid for, and they are worth more to the caller than the place to keep them.
      const fitting = Object.entries(values).filter(
        ([, value]) => !isLarger(value, VALUE_BYTES_MAX),
      );
      serviceCallOr(undefined, () => service().putAll(Object.fromEntries(fitting), ttlSeconds));
    },
  };
}

/** In UTF-8; a character that is two units of UTF-16 counts as six bytes instead of four. */
export function isLarger(text: string, bytesMax: number): boolean {
  const beyond = (units: RegExp) => text.replace(units, '').length;
  if (text.length * 3 <= bytesMax) return false;
  return text.length + beyond(/[^\u0080-\uffff]/g) + beyond(/[^\u0800-\uffff]/g) > bytesMax;
}
