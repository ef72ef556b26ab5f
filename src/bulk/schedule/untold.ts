// News that a run has not told yet: in the cache, so that the next run tells it if this one is cut off.

import type { Cache } from '../../platform/ports';
import { storedList } from '../stored-json';

/** The longest life the cache grants; the clock strikes far sooner again. */
const TTL_SECONDS = 21_600;

/** A run that is kept from telling writes them one after the other; what is more is not kept. */
const VALUES = 128;

/** A value of the cache holds 100 KB, and the news of one product take 1.5 KB at most. */
const NEWS_PER_VALUE = 50;

export interface Untold<News> {
  /** What runs before this one left. One cache call. */
  read(): readonly News[];
  /** Adds news, of this run's that have not been added. One cache call. */
  add(news: readonly News[]): void;
  /** All is told. One cache call, if there was anything. */
  clear(): void;
}

/** @param id names what runs: of one name there is one at a time. */
export function untold<News>(cache: Cache, id: string): Untold<News> {
  const names = Array.from({ length: VALUES }, (_, at) => `untold:${id}:${at}`);
  let used: readonly string[] = [];
  return {
    read() {
      const texts = cache.getAll(names);
      used = names.filter((name) => (texts[name] ?? '') !== '');
      return used.flatMap((name) => storedList<News>(texts[name] ?? null));
    },
    add(news) {
      const free = names.filter((name) => !used.includes(name));
      const values = free.flatMap((name, at) => {
        const some = news.slice(at * NEWS_PER_VALUE, (at + 1) * NEWS_PER_VALUE);
        return some.length === 0 ? [] : [[name, JSON.stringify(some)] as const];
      });
      if (values.length === 0) return;
      cache.putAll(Object.fromEntries(values), TTL_SECONDS);
      used = [...used, ...values.map(([name]) => name)];
    },
    clear() {
      if (used.length === 0) return;
      cache.putAll(Object.fromEntries(used.map((name) => [name, ''])), TTL_SECONDS);
      used = [];
    },
  };
}
