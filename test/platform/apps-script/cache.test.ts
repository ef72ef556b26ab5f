// The cache of Apps Script as it may forget anything: what Google does not take or give is not there.

import { afterEach, describe, expect, it } from '@jest/globals';
import { spreadsheetCache } from '../../../src/platform/apps-script/services';

const TOO_LARGE = 100 * 1024 + 1;

/** A CacheService that fails so many calls, and what was put into it by those it took. */
function failing(calls: number): Record<string, string> {
  const kept: Record<string, string> = {};
  let left = calls;
  const attempt = () => {
    left -= 1;
    if (left >= 0) throw 'Exception: Ocorreu um erro do servidor.';
  };
  const cache = {
    getAll: (names: readonly string[]) => {
      attempt();
      return Object.fromEntries(names.map((name) => [name, kept[name]]));
    },
    putAll: (values: Readonly<Record<string, string>>) => {
      attempt();
      Object.assign(kept, values);
    },
  };
  Object.assign(globalThis, { CacheService: { getDocumentCache: () => cache } });
  return kept;
}

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'CacheService');
});

describe('a cache that fails', () => {
  it('once is asked again', () => {
    const kept = failing(1);
    spreadsheetCache().putAll({ name: 'x' }, 60);
    expect(kept).toEqual({ name: 'x' });
    Object.assign(failing(1), kept);
    expect(spreadsheetCache().getAll(['name'])).toEqual({ name: 'x' });
  });

  it('twice is empty, and forgets what it is given', () => {
    const kept = failing(2);
    spreadsheetCache().putAll({ name: 'x' }, 60);
    expect(kept).toEqual({});
    Object.assign(failing(2), { name: 'x' });
    expect(spreadsheetCache().getAll(['name'])).toEqual({});
  });
});

describe('a value that is too large', () => {
  it.each([
    ['ASCII', 'x'.repeat(TOO_LARGE)],
    ['Umlauts', 'ä'.repeat(TOO_LARGE / 2 + 1)],
    ['Japanese', '日'.repeat(TOO_LARGE / 3 + 1)],
  ])('is not offered, and what comes with it is kept: %s', (_name, value) => {
    const kept = failing(0);
    spreadsheetCache().putAll({ large: value, name: 'x' }, 60);
    expect(kept).toEqual({ name: 'x' });
  });

  it('is one of more than 100 KB', () => {
    const kept = failing(0);
    spreadsheetCache().putAll({ a: 'x'.repeat(TOO_LARGE - 1), b: 'ä'.repeat(51_200) }, 60);
    expect(Object.keys(kept)).toEqual(['a', 'b']);
  });
});
