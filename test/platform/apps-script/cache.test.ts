// The cache of Apps Script: what it does not take is forgotten, and every other trouble is told.

import { afterEach, describe, expect, it } from '@jest/globals';
import { spreadsheetCache } from '../../../src/platform/apps-script/cache';

/** A CacheService whose caches refuse every value with these words. */
function refuseWith(message: string): void {
  const refusing = {
    getAll: () => ({}),
    putAll: () => {
      throw new Error(message);
    },
  };
  Object.assign(globalThis, { CacheService: { getDocumentCache: () => refusing } });
}

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'CacheService');
});

describe('a value that is too large', () => {
  it('is forgotten, and whoever brought it goes on', () => {
    refuseWith('Argument too large: value');
    expect(() => spreadsheetCache().putAll({ name: 'x' }, 60)).not.toThrow();
  });
});

describe('every other refusal', () => {
  it.each(['Argument too large: key', 'Service invoked too many times'])('is told: %s', (text) => {
    refuseWith(text);
    expect(() => spreadsheetCache().putAll({ name: 'x' }, 60)).toThrow(text);
  });
});
