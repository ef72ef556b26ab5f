// Cache of Apps Script: the spreadsheet's own, or the user's where a script runs outside of one.

import type { Cache } from '../ports';

export function appsScriptCache(): Cache {
  let opened: GoogleAppsScript.Cache.Cache | undefined;
  const cache = () => {
    opened ??= CacheService.getDocumentCache() ?? CacheService.getUserCache();
    return opened;
  };
  return {
    getAll: (names) => cache().getAll([...names]),
    putAll: (values, ttlSeconds) => cache().putAll({ ...values }, ttlSeconds),
  };
}
