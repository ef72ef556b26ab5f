// Failures: every kind has words of its own, all of them keep to one form, and support can read what went wrong.

import { describe, expect, it } from '@jest/globals';
import { ADD_ON_NAME } from '../../src/failures/add-on-name';
import {
  FAILURE_KINDS,
  type Failure,
  type FailureKind,
  fail,
  isFailure,
  isRetryable,
  keepMsOf,
  willPass,
} from '../../src/failures/failure';
import { cellText, sentences } from '../../src/failures/failure-words';
import type { AsinProblem } from '../../src/failures/problems';
import { statusWords, WAITING_STATUS } from '../../src/failures/status';
import { troubleLog } from '../../src/failures/trouble-log';
import { memoryCache } from '../memory-store';

// The failure table: every kind has words of its own, and all of them keep to one form.
describe('a failure', () => {
  const PREFIX = 'Not analyzed: ';

  /** One of each kind, so that a new kind does not compile without one. */
  const ONE_OF_EACH: { readonly [K in FailureKind]: Extract<Failure, { kind: K }> } = {
    'bad-asin': { kind: 'bad-asin', input: 'hello', why: 'shape' },
    'bad-market': { kind: 'bad-market', input: 'DE' },
    'bad-field': { kind: 'bad-field', input: 'profitt', nearest: 'profit' },
    'bad-argument': { kind: 'bad-argument', what: 'the range has 5,001 cells' },
    'no-connection': { kind: 'no-connection' },
    'samples-only': { kind: 'samples-only' },
    'bad-address': { kind: 'bad-address', why: 'not-full' },
    'bad-key': { kind: 'bad-key', why: 'missing' },
    'settings-damaged': { kind: 'settings-damaged' },
    'key-refused': { kind: 'key-refused', requestId: 'r-1' },
    copied: { kind: 'copied' },
    'plan-used-up': { kind: 'plan-used-up', waitMs: 3 * 3_600_000, requestId: 'r-1' },
    'not-found': { kind: 'not-found' },
    rejected: { kind: 'rejected', excerpt: 'asin: too old', requestId: 'r-1' },
    waiting: { kind: 'waiting', waitMs: 40_000 },
    'service-busy': { kind: 'service-busy', status: 503, requestId: 'r-1' },
    'not-ready': { kind: 'not-ready' },
    alike: { kind: 'alike', count: 5, of: { kind: 'rejected', excerpt: 'asin: too old' } },
    'request-form': { kind: 'request-form', excerpt: '…' },
    unreachable: { kind: 'unreachable' },
    'timed-out': { kind: 'timed-out' },
    'wrong-address': { kind: 'wrong-address', status: 404 },
    'not-understood': { kind: 'not-understood', what: 'it is not JSON', requestId: 'r-1' },
    'other-units': { kind: 'other-units', what: 'ROI came as 85.65' },
    'google-limit': { kind: 'google-limit' },
    'google-busy': { kind: 'google-busy', words: 'Es ist ein Serverfehler aufgetreten' },
    'store-full': { kind: 'store-full', holder: 'here' },
    'cells-limit': { kind: 'cells-limit', waitMs: 3 * 3_600_000 },
    'not-permitted': { kind: 'not-permitted' },
    protected: { kind: 'protected' },
    'no-price': { kind: 'no-price', what: 'buy or sell price' },
    run: { kind: 'run', why: 'run-ended', what: '' },
    schedule: { kind: 'schedule', why: 'copied', what: '' },
  };

  const ALL = Object.values(ONE_OF_EACH) as readonly Failure[];

  const ASIN_PROBLEMS: { readonly [P in AsinProblem]: string } = {
    shape: '"x1" is not an ASIN. An ASIN has 10 letters and digits',
    'check-digit': '"x1" looks like an ISBN or a barcode, but its check digit is wrong',
    'lost-digits':
      '"x1" has lost its last digits. Show the column as plain text where it comes from, and copy it again',
    barcode: '"x1" is a barcode. Use its ASIN, or analyze the list: its tab "Analysis" asks for it',
    'short-link': 'short links do not show the product. Open it and copy the full link',
    'other-market': 'this link is from a market that is not supported. Use US or UK',
    'two-products': '"x1" names two products. Give each a row of its own',
    'no-asin': 'this row has a barcode, "x1", and no ASIN. Type its ASIN',
    'other-titles':
      'this row stands under other titles, those of row x1. Give these rows a sheet of their own',
    'link-without-asin': 'this link does not lead to one product. Copy the product page link',
    'linked-text':
      '"x1" names no product, and formulas cannot read its link. Put the link or the ASIN in the cell',
    merged:
      '"x1" stands in a cell that is merged over several rows. Unmerge it, and give each row its product',
    'no-isbn-10': '"x1" has no 10-digit ISBN. Use the product\'s ASIN',
    'error-cell': 'the cell with the ASIN shows an error. Fix that cell first',
    'loading-cell': 'the cell with the ASIN is still loading',
  };

  describe('every failure', () => {
    it('fits a cell, however long what it is about', () => {
      const what = 'x'.repeat(60_000);
      expect(cellText({ kind: 'bad-argument', what })).toHaveLength(1_000);
    });

    it.each(ALL)('$kind has words for a cell, behind the fixed prefix', (failure) => {
      const text = cellText(failure);
      expect(text.startsWith(PREFIX)).toBe(true);
      expect(text.length).toBeGreaterThan(PREFIX.length + 10);
      expect(text.length).toBeLessThanOrEqual(220);
      // After the colon a sentence goes on: small letter, quotation or a name, and no full stop.
      expect(text.slice(PREFIX.length)).toMatch(/^("|Google|[a-z])/);
      expect(text).not.toMatch(/\.$|undefined|null|NaN|\[object|\s{2}/);
    });

    it.each(ALL)('$kind has whole sentences for the sidebar', (failure) => {
      const { message, action } = sentences(failure, 'page');
      for (const text of action === undefined ? [message] : [message, action]) {
        expect(text).toMatch(/^["A-Z].*[.?]$/);
        expect(text).not.toMatch(/\.\.$|undefined|null|NaN/);
      }
      // In the sidebar the way to the sidebar is no advice.
      expect(`${message} ${action}`).not.toContain('Extensions >');
    });

    it.each(ALL)('$kind survives a cache and a bridge unchanged', (failure) => {
      expect(JSON.parse(JSON.stringify(failure))).toEqual(failure);
      expect(isFailure(JSON.parse(JSON.stringify(failure)))).toBe(true);
    });

    it('says something different', () => {
      expect(new Set(ALL.map((one) => cellText(one))).size).toBe(ALL.length);
    });
  });

  describe('an ASIN that is none', () => {
    it.each(Object.entries(ASIN_PROBLEMS))('%s', (why, text) => {
      const failure: Failure = { kind: 'bad-asin', input: 'x1', why: why as AsinProblem };
      expect(cellText(failure)).toBe(`Not analyzed: ${text}`);
    });
  });

  describe('what follows from a failure', () => {
    it('is another try at once only where one can help', () => {
      expect(ALL.filter(isRetryable).map(({ kind }) => kind)).toEqual([
        'service-busy',
        'not-ready',
        'unreachable',
        'google-busy',
      ]);
    });

    it('may pass by itself or by what a person does', () => {
      expect(ALL.filter(willPass).map(({ kind }) => kind)).toEqual([
        ...[
          'key-refused',
          'copied',
          'plan-used-up',
          'waiting',
          'service-busy',
          'not-ready',
          'alike',
        ],
        ...[
          'unreachable',
          'timed-out',
          'other-units',
          'google-limit',
          'google-busy',
          'cells-limit',
        ],
      ]);
    });

    it('is remembered for as long as it is likely to stay true', () => {
      const kept = ALL.filter((one) => keepMsOf(one) > 0).map((one) => [one.kind, keepMsOf(one)]);
      expect(Object.fromEntries(kept)).toEqual({
        'not-found': 6 * 3_600_000,
        rejected: 3_600_000,
        'service-busy': 15_000,
        'not-ready': 15_000,
        'request-form': 600_000,
        unreachable: 15_000,
        'timed-out': 15_000,
        'wrong-address': 60_000,
        'not-understood': 600_000,
        'other-units': 600_000,
      });
    });
  });

  describe('a service that names a time', () => {
    const busy = { kind: 'service-busy', status: 503, waitMs: 20 * 60_000 } as const;

    it('is left alone for so long with that product, and the words say when', () => {
      expect(keepMsOf(busy)).toBe(20 * 60_000);
      expect(keepMsOf({ ...busy, waitMs: 1_000 })).toBe(15_000);
      expect(cellText(busy)).toBe(
        `${PREFIX}the service has a problem right now (status 503). Try again in about 20 min`,
      );
      expect(sentences(busy).action).toBe('Try again in about 20 min.');
      expect(sentences({ ...busy, waitMs: 0 }).action).toBe('Try again later.');
    });

    it('for all is waited for in words that say so', () => {
      const down = { kind: 'waiting', status: 503, waitMs: 300_000 } as const;
      expect(cellText(down)).toBe(
        `${PREFIX}waiting for the service, which has a problem right now (status 503). ` +
          'Try again in about 5 min',
      );
    });
  });

  describe('what to do', () => {
    it('is said for the place in which it is read', () => {
      const refused = ONE_OF_EACH['key-refused'];
      expect(cellText(refused)).toBe(
        `${PREFIX}the service refused the key. Check it under Extensions > ${ADD_ON_NAME}`,
      );
      expect(sentences(refused, 'page')).toMatchObject({
        message: 'The service refused the key.',
        action: 'Check the key, or ask the service operator.',
      });
      expect(sentences(refused)).toEqual({
        message: 'The service refused the key.',
        action: `Check it under Extensions > ${ADD_ON_NAME}.`,
      });
    });

    it('names the call that one product failed with, for whoever asks the operator', () => {
      expect(cellText(ONE_OF_EACH.rejected)).toBe(
        `${PREFIX}the service rejected the request: asin: too old (call r-1)`,
      );
      expect(cellText(ONE_OF_EACH['service-busy'])).toContain('(status 503) (call r-1). Try again');
      expect(cellText(ONE_OF_EACH['plan-used-up'])).toBe(
        `${PREFIX}the key's plan is used up. We'll retry in about 3 h. ` +
          'Ask the service operator for more',
      );
    });

    it('is there for everybody who reads the sidebar', () => {
      const without = ALL.filter((one) => sentences(one, 'page').action === undefined);
      // These say it themselves: what is wrong with what was typed, or what to wait for.
      expect(without.map(({ kind }) => kind).sort()).toEqual([
        ...['bad-address', 'bad-argument', 'bad-asin', 'bad-field', 'bad-key', 'bad-market'],
        ...['google-limit', 'no-price', 'run', 'schedule', 'unreachable'],
      ]);
    });

    it('is left out where the words say it', () => {
      expect(sentences(ONE_OF_EACH['bad-field'])).toEqual({
        message: 'There is no field "profitt". Did you mean profit?',
      });
    });
  });

  describe('the time to wait', () => {
    it.each([
      [0, '1 s'],
      [1, '1 s'],
      [40_000, '40 s'],
      [89_001, '90 s'],
      [90_000, '2 min'],
      [180_000, '3 min'],
      [89 * 60_000, '89 min'],
      [90 * 60_000, '2 h'],
      [6 * 3_600_000, '6 h'],
    ])('of %d ms is about %s, never less', (waitMs, text) => {
      expect(cellText({ kind: 'waiting', waitMs })).toContain(
        `limit, about ${text}. Open the sidebar`,
      );
    });

    it('that nobody knows is a minute', () => {
      expect(cellText({ kind: 'waiting' })).toContain('about 60 s');
    });
  });

  describe('what is no failure', () => {
    it.each([
      [null],
      [undefined],
      ['not-found'],
      [{}],
      [{ kind: 'answer' }],
      [{ kind: 'constructor' }],
      [{ kind: 'toString' }],
      [{ asin: 'B0XKT7M4QN', repair: null }],
    ])('%p', (value) => {
      expect(isFailure(value)).toBe(false);
    });
  });
});

// What went wrong is kept for support: the latest first, each once, and nothing that people mistyped.
describe('a word of a status', () => {
  it.each([...new Set([WAITING_STATUS, ...FAILURE_KINDS.flatMap(statusWords)])])(
    'is longer than a verdict that a person may paste over it: %s',
    (word) => expect(word.length).toBeGreaterThan('Maybe'.length),
  );
});

describe('the log of troubles', () => {
  function log() {
    const cache = memoryCache();
    let nowMs = 1_000;
    const clock = { nowMs: () => nowMs, sleep: () => {} };
    const later = (ms: number) => {
      nowMs += ms;
    };
    return { cache, later, log: troubleLog(cache, clock) };
  }

  it('has each kind of failure once, in words, with the name of the call', () => {
    const { log: troubles } = log();
    const crash = fail({ kind: 'service-busy', status: 500, requestId: 'r-1' });
    troubles.noteFailures([crash, { ...crash, requestId: 'r-2' }, fail({ kind: 'unreachable' })]);
    expect(troubles.recent()).toEqual([
      { atMs: 1_000, text: 'The service has a problem right now (status 500). (call r-2)' },
      {
        atMs: 1_000,
        text: 'The service cannot be reached. Try again later, or check the address.',
      },
    ]);
  });

  it('has nothing of what people mistyped or only have to wait for', () => {
    const { log: troubles } = log();
    troubles.noteFailures([
      fail({ kind: 'bad-asin', input: 'x', why: 'shape' }),
      fail({ kind: 'waiting' }),
      fail({ kind: 'not-found' }),
    ]);
    expect(troubles.recent()).toEqual([]);
  });

  it('keeps ten, and the same again only after a minute', () => {
    const { log: troubles, later } = log();
    troubles.note('same');
    later(30_000);
    troubles.note('same');
    expect(troubles.recent()).toHaveLength(1);
    later(31_000);
    troubles.note('same');
    expect(troubles.recent()).toHaveLength(2);
    for (let i = 0; i < 20; i++) troubles.note(`other ${i}`);
    expect(troubles.recent()).toHaveLength(10);
    expect(troubles.recent()[0]?.text).toBe('other 19');
  });

  it('begins anew where the cache holds nonsense', () => {
    const { log: troubles, cache } = log();
    cache.putAll({ trouble: '{"not": "a list"' }, 60);
    expect(troubles.recent()).toEqual([]);
    cache.putAll({ trouble: '{"not": "a list"}' }, 60);
    expect(troubles.recent()).toEqual([]);
  });
});
