// Counts, times and lengths of time as the pages say them.
import type { Failure } from '../../../failures/failure';
import { about, HOUR, MINUTE, SECOND } from '../../../failures/failure-text';
import type { RowWhy } from '../../../runs/preflight';
import type { BulkStatus } from '../../api/runs';

/** What can be chosen, with the name that a person reads. */
export type Options<Value extends string> = readonly (readonly [value: Value, name: string])[];

/** "1 row", "412 rows". */
export const countText = (count: number, noun: string): string =>
  `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`;

/** Begins with a capital letter. */
export const asSentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** "6 min 12 s": exact, of what is over. */
export function durationText(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / SECOND));
  if (seconds * SECOND < MINUTE) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes * MINUTE < HOUR) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** "4 min left": of what is to come, in round numbers. */
export const leftText = (ms: number): string => `${about(ms).replace('about ', '')} left`;

const TO_THE_MINUTE = { hour: 'numeric', minute: '2-digit' } as const;

/** "14:32:10", as the computer's language writes it. */
export const secondText = (atMs: number): string =>
  new Date(atMs).toLocaleTimeString(undefined, { ...TO_THE_MINUTE, second: '2-digit' });

/** "14:02" of today, with the date before that. */
export function momentText(atMs: number, nowMs: number): string {
  const at = new Date(atMs);
  const time = at.toLocaleTimeString(undefined, TO_THE_MINUTE);
  const isToday = at.toDateString() === new Date(nowMs).toDateString();
  if (isToday) return time;
  return `${at.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })}, ${time}`;
}

/** "rows 201–240", "row 7". */
export const rowsText = (first: number, last: number): string =>
  first === last
    ? `row ${first.toLocaleString()}`
    : `rows ${first.toLocaleString()}–${last.toLocaleString()}`;

/** Whole percents, and 100 only when all is done. */
export const percentText = (done: number, of: number): string =>
  `${of === 0 ? 100 : Math.floor((100 * done) / of)} %`;

type Repair = Extract<RowWhy, { readonly repair: string }>['repair'];

const REPAIRS: Readonly<Record<Repair, (market: string) => string>> = {
  'leading-zeros': () => 'restored leading zeros',
  'isbn-13': () => 'an ISBN-13',
  link: () => 'a link',
  barcode: () => 'from the tab “Barcodes”',
  unsure: () => 'not the usual form of an ASIN, so check it',
  'foreign-link': (market) => `a link to another market, asked for in ${market}`,
  'no-market': (market) => `no market in its row, so ${market}`,
};

/** Why a row of a check wants a look. */
export function rowWhy(row: RowWhy): string {
  if ('why' in row) return row.why;
  if ('first' in row) return `The same product as in row ${row.first}.`;
  if ('repair' in row) return `Read as ${row.asin}: ${REPAIRS[row.repair](row.market)}.`;
  const what = row.isMerged ? 'Cells are merged in it' : 'Its status cell holds something else';
  return `${what}. The row is left out.`;
}

export const isOver = ({ state }: BulkStatus): boolean =>
  state === 'finished' || state === 'stopped';

export const doneRows = ({ rows, left }: BulkStatus): number => Math.max(0, rows - left);

/** The option that `value` is, else none. */
export function optionOf<Value extends string>(options: Options<Value>, value: unknown) {
  return options.find(([one]) => one === value)?.[0] ?? '';
}

/** What a row may say of itself after a run; what else there is has no kind of its own there. */
const SAMPLES: readonly Failure[] = [
  { kind: 'service-busy', status: 503 },
  { kind: 'unreachable' },
  { kind: 'timed-out' },
  { kind: 'google-busy', words: '' },
  { kind: 'waiting' },
  { kind: 'not-found' },
  { kind: 'rejected', excerpt: '' },
  { kind: 'not-understood', what: '' },
  { kind: 'wrong-address', status: 404 },
  { kind: 'run', why: 'rejected', what: 'these rows' },
];

/** A failure of this kind, for its words and for what follows from it. */
export const failureOfKind = (kind: string): Failure | undefined =>
  SAMPLES.find((failure) => failure.kind === kind);
