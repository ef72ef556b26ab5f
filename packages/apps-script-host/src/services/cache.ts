// CacheService: three caches that lose entries by age and by number, as Google's do.

import { say } from '../messages';
import type { Caller, HostHalf, ScriptHalf, World } from '../service';
import { ServiceException } from '../service';
import type { StoreScope } from '../store-name';
import { storeName } from '../store-name';

interface CacheCalls {
  'cache.getAll': (scope: StoreScope, keys: readonly string[]) => Readonly<Record<string, string>>;
  'cache.get': (scope: StoreScope, key: string) => string | null;
  'cache.put': (scope: StoreScope, key: string, value: string, ttlSeconds: number) => void;
  'cache.putAll': (
    scope: StoreScope,
    values: Readonly<Record<string, string>>,
    ttlSeconds: number,
  ) => void;
  'cache.remove': (scope: StoreScope, key: string) => void;
  'cache.removeAll': (scope: StoreScope, keys: readonly string[]) => void;
}

/**
 * Limits from Google's reference of CacheService. Number of items and eviction as measured by
 * users.
 */
const KEY_LENGTH_MAX = 250;
const VALUE_BYTES_MAX = 100 * 1024;
const TTL_DEFAULT_SECONDS = 600;
const TTL_MAX_SECONDS = 21_600;
const ITEMS_MAX = 1_000;
const ITEMS_AFTER_EVICTION = 900;

/** Measured at Google by gas-fakes on GitHub (teststores.js): null, where nothing is to be said. */
const asNull = (_nothing: unknown) => null as unknown as undefined;

export const cacheScript: ScriptHalf<CacheCalls> = ({ call, guard, facts }) => {
  const cache = (scope: StoreScope) =>
    guard('Cache', {
      get: (key: string) => call('cache.get', scope, String(key)),
      getAll: (keys: string[]) => call('cache.getAll', scope, keys.map(String)),
      put: (key: string, value: string, ttlSeconds = TTL_DEFAULT_SECONDS) =>
        asNull(call('cache.put', scope, String(key), String(value), Number(ttlSeconds))),
      putAll: (values: Record<string, string>, ttlSeconds = TTL_DEFAULT_SECONDS) => {
        const texts = Object.entries(values).map(([key, value]) => [key, String(value)]);
        return asNull(call('cache.putAll', scope, Object.fromEntries(texts), Number(ttlSeconds)));
      },
      remove: (key: string) => asNull(call('cache.remove', scope, String(key))),
      removeAll: (keys: string[]) => asNull(call('cache.removeAll', scope, keys.map(String))),
    } satisfies GoogleAppsScript.Cache.Cache);
  return {
    CacheService: guard('CacheService', {
      getScriptCache: () => cache('script'),
      getUserCache: () => cache('user'),
      getDocumentCache: () => (facts.hasDocument ? cache('document') : null),
    } satisfies GoogleAppsScript.Cache.CacheService),
  };
};

interface CacheItem {
  readonly value: string;
  readonly expiresMs: number;
}

export interface CacheStore {
  /** Empties every cache, as Google may at any time. */
  readonly wipe: () => void;
  /** How many items a cache holds. Its name is "script", "user/<email>" or "document/<id>". */
  readonly size: (cacheName: string) => number;
}

/** One cache. A Map keeps the order of creation, which is the order of eviction. */
function createCache(nowMs: () => number) {
  const items = new Map<string, CacheItem>();
  const evict = () => {
    for (const key of items.keys()) {
      if (items.size <= ITEMS_AFTER_EVICTION) break;
      items.delete(key);
    }
  };
  return {
    get(key: string): string | null {
      const item = items.get(key);
      if (!item) return null;
      if (item.expiresMs > nowMs()) return item.value;
      items.delete(key);
      return null;
    },
    put(key: string, value: string, ttlSeconds: number) {
      if (key.length > KEY_LENGTH_MAX)
        throw new ServiceException(say('too-large', 'key'), {
          name: 'characters of a key',
          value: KEY_LENGTH_MAX,
        });
      if (Buffer.byteLength(value) > VALUE_BYTES_MAX) {
        throw new ServiceException(say('too-large', 'value'), {
          name: 'bytes of a value',
          value: VALUE_BYTES_MAX,
        });
      }
      if (ttlSeconds > TTL_MAX_SECONDS) {
        throw new ServiceException(say('too-large', 'expirationInSeconds'), {
          name: 'seconds of a lifetime',
          value: TTL_MAX_SECONDS,
        });
      }
      // Users found that a time below one second is accepted and the value is kept anyway.
      const lifeSeconds = ttlSeconds >= 1 ? ttlSeconds : TTL_DEFAULT_SECONDS;
      items.delete(key);
      items.set(key, { value, expiresMs: nowMs() + lifeSeconds * 1_000 });
      if (items.size > ITEMS_MAX) evict();
    },
    remove: (key: string) => items.delete(key),
    size: () => items.size,
  };
}

export function createCacheHost({ scheduler }: World): {
  readonly half: HostHalf<CacheCalls>;
  readonly store: CacheStore;
} {
  const caches = new Map<string, ReturnType<typeof createCache>>();
  const of = (caller: Caller, scope: StoreScope) => {
    const name = storeName(caller, scope);
    const cache = caches.get(name) ?? createCache(scheduler.nowMs);
    caches.set(name, cache);
    return cache;
  };
  const half: HostHalf<CacheCalls> = {
    operations: {
      'cache.get': (caller, scope, key) => of(caller, scope).get(key),
      'cache.getAll': (caller, scope, keys) => {
        const cache = of(caller, scope);
        const found: Record<string, string> = {};
        for (const key of keys) {
          const value = cache.get(key);
          if (value !== null) found[key] = value;
        }
        return found;
      },
      'cache.put': (caller, scope, key, value, ttlSeconds) =>
        of(caller, scope).put(key, value, ttlSeconds),
      'cache.putAll': (caller, scope, values, ttlSeconds) => {
        const cache = of(caller, scope);
        for (const [key, value] of Object.entries(values)) cache.put(key, value, ttlSeconds);
      },
      'cache.remove': (caller, scope, key) => {
        of(caller, scope).remove(key);
      },
      'cache.removeAll': (caller, scope, keys) => {
        for (const key of keys) of(caller, scope).remove(key);
      },
    },
    permission: (operation) => ({
      callName: operation.replace('cache.', 'CacheService.'),
      modes: ['LIMITED', 'CUSTOM_FUNCTION', 'FULL'],
    }),
    shown: (_operation, [scope, keys, value]) => {
      const names = typeof keys === 'object' && keys ? describeNames(keys) : String(keys);
      return `${scope} ${names}${typeof value === 'string' ? ` <${value.length}>` : ''}`;
    },
  };
  const store: CacheStore = {
    wipe: () => caches.clear(),
    size: (cacheName) => caches.get(cacheName)?.size() ?? 0,
  };
  return { half, store };
}

/** The keys of a call with several entries, without the stored values. */
function describeNames(keys: object): string {
  return (Array.isArray(keys) ? keys : Object.keys(keys)).join(',');
}
