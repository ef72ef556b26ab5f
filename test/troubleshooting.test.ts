// The page that people find by the text of a cell: it has each failure, in the very words of the table.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { cellText, type Failure, type FailureKind } from '../src/failures/failure';
import { ASIN_PROBLEMS, HOUR } from '../src/failures/failure-text';
import { PROBLEMS, problemSentence } from '../src/failures/problem-text';

const PAGE = readFileSync(join(__dirname, '../docs/troubleshooting.md'), 'utf8');

/** One of each kind, as the page quotes it; what differs from case to case is an ellipsis there. */
const QUOTED: { readonly [K in FailureKind]: Extract<Failure, { kind: K }> } = {
  'bad-asin': { kind: 'bad-asin', input: '…', why: 'shape' },
  'bad-market': { kind: 'bad-market', input: '…' },
  'bad-field': { kind: 'bad-field', input: '…', nearest: '…' },
  'bad-argument': { kind: 'bad-argument', what: '…' },
  'no-connection': { kind: 'no-connection' },
  'samples-only': { kind: 'samples-only' },
  'bad-address': { kind: 'bad-address', what: '…' },
  'bad-key': { kind: 'bad-key', what: '…' },
  'settings-unreadable': { kind: 'settings-unreadable' },
  'settings-damaged': { kind: 'settings-damaged' },
  'key-refused': { kind: 'key-refused' },
  copied: { kind: 'copied' },
  'plan-used-up': { kind: 'plan-used-up', waitMs: 5 * HOUR },
  'not-found': { kind: 'not-found' },
  rejected: { kind: 'rejected', excerpt: '…' },
  waiting: { kind: 'waiting' },
  'service-busy': { kind: 'service-busy', status: 503 },
  unreachable: { kind: 'unreachable' },
  'timed-out': { kind: 'timed-out' },
  'wrong-address': { kind: 'wrong-address', status: 404 },
  'not-understood': { kind: 'not-understood', what: '…' },
  'google-limit': { kind: 'google-limit' },
  'google-busy': { kind: 'google-busy', words: '…' },
  'cells-limit': { kind: 'cells-limit', waitMs: 5 * HOUR },
  'not-permitted': { kind: 'not-permitted' },
  protected: { kind: 'protected' },
  'no-price': { kind: 'no-price', what: '…' },
  run: { kind: 'run', why: 'run-ended', what: '' },
  schedule: { kind: 'schedule', why: 'not-found', what: '' },
};

/** What stands between the heading of a kind, which is its anchor, and the next one. */
const sectionOf = (kind: string): string =>
  PAGE.split(/^## /m).find((text) => text.startsWith(`${kind}\n`)) ?? '';

it.each(Object.values(QUOTED))('$kind has an anchor, its words and what to do', (failure) => {
  const [, quote = '', ...todo] = sectionOf(failure.kind).split('\n').filter(Boolean);
  expect(quote).toBe(`> ${problemSentence(failure) ?? cellText(failure)}`);
  expect(todo.join('').length).toBeGreaterThan(20);
});

it.each(Object.entries(ASIN_PROBLEMS))('what is wrong with an ASIN: %s', (_why, text) => {
  expect(sectionOf('bad-asin')).toContain(text('…'));
});

it.each(
  Object.entries(PROBLEMS).flatMap(([kind, words]) => Object.keys(words).map((why) => [kind, why])),
)(
  'the report for support says %s problem "%s", and the page what that is',
  (kind = '', why = '') => {
    const words = problemSentence({ kind, why, what: '…' });
    expect(sectionOf(kind)).toContain(`| \`${why}\` | ${words} |`);
  },
);
