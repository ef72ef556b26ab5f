// Caches of Apps Script: the spreadsheet's own, and the one that all users of the add-on share.

import type { Cache } from '../ports';

/** The spreadsheet's cache, or the user's where a script runs outside of a spreadsheet. */
export function spreadsheetCache(): Cache {
  return cache(() => CacheService.getDocumentCache() ?? CacheService.getUserCache());
}

export function commonCache(): Cache {
  return cache(() => CacheService.getScriptCache());
}

/** How Apps Script refuses a value of more than 100 KB. */
const TOO_LARGE = /Argument too large: value/;

function cache(open: () => GoogleAppsScript.Cache.Cache): Cache {
  let opened: GoogleAppsScript.Cache.Cache | undefined;
  const service = () => {
    opened ??= open();
    return opened;
  };
  return {
    getAll: (names) => service().getAll([...names]),
    putAll(values, ttlSeconds) {
      try {
        service().putAll({ ...values }, ttlSeconds);
      } catch (error) {
        // What does not fit is forgotten, as anything in a cache may be: by now its answers have been
        // paid for, and they are worth more to the caller than the place to keep them.
        if (!TOO_LARGE.test(String(error))) throw error;
      }
    },
  };
}
