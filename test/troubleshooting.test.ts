// The page that people find by the text of a cell: it has each failure, in the very words of the table.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { helpSections } from '../scripts/build/help-sections';
import { HOUR } from '../src/failures/duration';
import type { Failure, FailureKind } from '../src/failures/failure';
import { cellText, sentences } from '../src/failures/failure-words';
import {
  ADDRESS_PROBLEMS,
  ASIN_PROBLEMS,
  KEY_PROBLEMS,
  RUN_PROBLEMS,
  SCHEDULE_PROBLEMS,
} from '../src/failures/problems';
import { PAGE_FAILURES } from '../src/sidebar/page/ui/rpc-client';

const PAGE = readFileSync(join(__dirname, '../docs/troubleshooting.md'), 'utf8');

/** One of each kind, as the page quotes it; what differs from case to case is an ellipsis there. */
const QUOTED: { readonly [K in FailureKind]: Extract<Failure, { kind: K }> } = {
  'bad-asin': { kind: 'bad-asin', input: '…', why: 'shape' },
  'bad-market': { kind: 'bad-market', input: '…' },
  'bad-field': { kind: 'bad-field', input: '…', nearest: '…' },
  'bad-argument': { kind: 'bad-argument', what: '…' },
  'no-connection': { kind: 'no-connection' },
  'samples-only': { kind: 'samples-only' },
  'bad-address': { kind: 'bad-address', why: 'missing' },
  'bad-key': { kind: 'bad-key', why: 'missing' },
  'settings-damaged': { kind: 'settings-damaged' },
  'key-refused': { kind: 'key-refused' },
  copied: { kind: 'copied' },
  'plan-used-up': { kind: 'plan-used-up', waitMs: 5 * HOUR },
  'not-found': { kind: 'not-found', product: { asin: '…', market: 'US' } },
  rejected: { kind: 'rejected', excerpt: '…' },
  waiting: { kind: 'waiting' },
  'service-busy': { kind: 'service-busy', status: 503 },
  'not-ready': { kind: 'not-ready' },
  alike: { kind: 'alike', count: 30, of: { kind: 'not-found' }, market: 'US' },
  'request-form': { kind: 'request-form', excerpt: '…' },
  unreachable: { kind: 'unreachable' },
  'timed-out': { kind: 'timed-out' },
  'wrong-address': { kind: 'wrong-address', status: 404 },
  'not-understood': { kind: 'not-understood', what: '…' },
  'other-units': { kind: 'other-units', what: '…' },
  'google-limit': { kind: 'google-limit' },
  'google-busy': { kind: 'google-busy', words: '…' },
  'store-full': { kind: 'store-full', holder: 'here' },
  'cells-limit': { kind: 'cells-limit', waitMs: 5 * HOUR },
  'not-permitted': { kind: 'not-permitted' },
  protected: { kind: 'protected' },
  'no-price': { kind: 'no-price', what: '…' },
  run: { kind: 'run', why: 'run-ended', what: '' },
  schedule: { kind: 'schedule', why: 'not-found', what: '' },
};

/** The reasons that the page lists beside the words of the kind. */
const REASONS = {
  'bad-address': ADDRESS_PROBLEMS,
  'bad-key': KEY_PROBLEMS,
  run: RUN_PROBLEMS,
  schedule: SCHEDULE_PROBLEMS,
} as const;

const NAMED: readonly Failure[] = Object.entries(REASONS).flatMap(([kind, reasons]) =>
  Object.keys(reasons).map((why) => ({ kind, why, what: '…' }) as unknown as Failure),
);

/** What stands between the heading of a kind, which is its anchor, and the next one. */
const sectionOf = (kind: string): string =>
  PAGE.split(/^## /m).find((text) => text.startsWith(`${kind}\n`)) ?? '';

it.each(Object.values(QUOTED))('$kind has an anchor, its words and what to do', (failure) => {
  const [, quote = '', ...todo] = sectionOf(failure.kind).split('\n').filter(Boolean);
  const isNamed = failure.kind in REASONS;
  expect(quote).toBe(`> ${isNamed ? sentences(failure).message : cellText(failure)}`);
  expect(todo.join('').length).toBeGreaterThan(20);
});

it.each(Object.entries(ASIN_PROBLEMS))('what is wrong with an ASIN: %s', (_why, text) => {
  expect(sectionOf('bad-asin')).toContain(text('…'));
});

it.each(NAMED)('$kind: $why is in the page, in its words', (failure) => {
  const why = 'why' in failure ? failure.why : '';
  expect(sectionOf(failure.kind)).toContain(`| \`${why}\` | ${sentences(failure).message} |`);
});

it.each(PAGE_FAILURES)(
  '$kind, which the sidebar itself says, has an anchor, its words and what to do',
  (failure) => {
    const { kind, message, action } = failure;
    const [, quote = '', ...todo] = sectionOf(kind).split('\n').filter(Boolean);
    expect(quote).toBe(`> ${message} ${action}`);
    expect(todo.join('').length).toBeGreaterThan(20);
  },
);

const HELP = helpSections(PAGE);

/** What somebody reads without opening the help, by its name there. */
const SAID = new Map<string, string>([
  ...Object.values(QUOTED).map((failure) => {
    const { message, action = '' } = sentences(failure, 'page');
    return [failure.kind, `${message} ${action}`] as const;
  }),
  ...PAGE_FAILURES.map(({ kind, message, action = '' }) => [kind, `${message} ${action}`] as const),
  ...NAMED.map((failure) => {
    const why = 'why' in failure ? failure.why : '';
    return [`${failure.kind} ${why}`, sentences(failure).message] as const;
  }),
  ['internal', 'Something went wrong in the add-on or at Google. Try again.'],
]);

const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];

it('each help in the sidebar is about something that it says, and says more', () => {
  expect(Object.keys(HELP).length).toBeGreaterThan(30);
  const saysNoMore = Object.entries(HELP).filter(([name, text]) => {
    const said = SAID.get(name);
    const known = new Set(wordsIn(said ?? ''));
    const more = wordsIn(text).filter((word) => !known.has(word));
    return said === undefined || more.length < 4;
  });
  expect(saysNoMore).toEqual([]);
});

it('what the sidebar cannot draw is refused', () => {
  const page = (text: string) => `## copied\n\n> Copied\n\n${text}\n`;
  expect(helpSections(page('Press *Here*, or `there`.'))).toEqual({
    copied: 'Press *Here*, or *there*.',
  });
  for (const text of ['See [this](that.md).', '- a list', '*open', '<b>bold</b>', '| a | b |'])
    expect(() => helpSections(page(text))).toThrow(/cannot show/);
});
