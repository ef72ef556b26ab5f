// Why rows failed, in words: once for all rows of a kind, and whether another try may help.
import { type Failure, sentences, willPass } from '../../../analysis/failure';
import type { FailedRows } from '../../bulk-contract';

/** Rows are counted by kind; what differs from row to row stands in the rows. */
const IN_GENERAL: Readonly<Record<string, string>> = {
  'bad-asin': 'No product can be read in these rows.',
  'bad-market': 'The market of these rows is not supported.',
  rejected: 'The service did not accept these products.',
  'service-busy': 'The service had a problem.',
  'not-understood': "The service's answers could not be read.",
  'google-busy': "Google's services did not answer as they should.",
};

/** What passes by itself is worth another try at once; what a person has to mend first is not. */
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

/** What these need is not among the words for one of them alone. */
const NEEDS: Readonly<Record<string, string>> = {
  'bad-asin': 'Correct them, then run the rows that failed before.',
  'bad-market': 'Use US or UK, then run the rows that failed before.',
};

export interface FailedWords extends FailedRows {
  readonly message: string;
  readonly action?: string;
  /** Whether trying again may help without anything being mended first. */
  readonly canRetry: boolean;
}

export function failedWords({ kind, rows }: FailedRows): FailedWords {
  const known = SAMPLES.find((failure) => failure.kind === kind);
  const words = known && sentences(known);
  const message = IN_GENERAL[kind] ?? words?.message ?? 'These rows failed.';
  const action = NEEDS[kind] ?? words?.action;
  const canRetry = known !== undefined && willPass(known);
  return { kind, rows, message, canRetry, ...(action === undefined ? {} : { action }) };
}
