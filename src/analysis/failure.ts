// Why there is no analysis: the one table of failures, what follows from each, and the words for it.

/** A failure is plain JSON, so that it crosses caches, stores and the sidebar's bridge unchanged. */
export type Failure =
  | { readonly kind: 'bad-asin'; readonly input: string; readonly why: AsinProblem }
  | { readonly kind: 'bad-market'; readonly input: string }
  | { readonly kind: 'bad-field'; readonly input: string; readonly nearest?: string }
  | { readonly kind: 'bad-argument'; readonly what: string }
  | { readonly kind: 'no-connection' }
  | { readonly kind: 'bad-address'; readonly what: string }
  | { readonly kind: 'bad-key'; readonly what: string }
  | { readonly kind: 'settings-unreadable' }
  | { readonly kind: 'key-refused'; readonly requestId?: string }
  | { readonly kind: 'plan-used-up'; readonly excerpt?: string }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'rejected'; readonly excerpt: string; readonly requestId?: string }
  | { readonly kind: 'waiting'; readonly waitMs?: number }
  | { readonly kind: 'service-busy'; readonly status: number; readonly requestId?: string }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'wrong-address'; readonly status: number }
  | { readonly kind: 'not-understood'; readonly what: string; readonly requestId?: string }
  | { readonly kind: 'google-limit' }
  | { readonly kind: 'no-price'; readonly what: string };

export type FailureKind = Failure['kind'];

/** Why a text is not an ASIN. */
export type AsinProblem =
  | 'shape'
  | 'check-digit'
  | 'barcode'
  | 'short-link'
  | 'other-market'
  | 'link-without-asin'
  | 'no-isbn-10'
  | 'error-cell'
  | 'loading-cell';

/** Who can do something about it. */
export type Actor = 'you' | 'wait' | 'operator';

interface Rule<F extends Failure> {
  /** Whether asking again at once, in the same execution, can help. */
  readonly retry: boolean;
  readonly actor: Actor;
  /** How long the same question is answered with this failure without a call; 0 = not kept. */
  readonly keepMs: number;
  /** What happened and what to do, short enough for a cell. */
  readonly text: (failure: F) => string;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Every failure text in a cell begins so: people filter and format by it. */
export const FAILURE_PREFIX = 'Not analyzed: ';

const ASIN_PROBLEMS: Readonly<Record<AsinProblem, (input: string) => string>> = {
  shape: (input) => `"${input}" is not an ASIN. An ASIN has 10 letters and digits`,
  'check-digit': (input) => `"${input}" looks like an ISBN, but its check digit is wrong`,
  barcode: (input) => `"${input}" is a barcode number. Use the product's ASIN`,
  'short-link': () => 'short links do not show the product. Open it and copy the full link',
  'other-market': () => 'this link is from a market that is not supported. Use US or UK',
  'link-without-asin': () => 'this link does not lead to one product. Copy the product page link',
  'no-isbn-10': (input) => `"${input}" has no 10-digit ISBN. Use the product's ASIN`,
  'error-cell': () => 'the cell with the ASIN shows an error. Mend that cell first',
  'loading-cell': () => 'the cell with the ASIN is still loading',
};

/** "about 40 s", "about 3 min", "about 5 h": rounded up, so that nobody comes back too early. */
function about(waitMs: number): string {
  if (waitMs < 90 * SECOND) return `about ${Math.max(1, Math.ceil(waitMs / SECOND))} s`;
  if (waitMs < 90 * MINUTE) return `about ${Math.ceil(waitMs / MINUTE)} min`;
  return `about ${Math.ceil(waitMs / HOUR)} h`;
}

const CHECK_CONNECTION = 'Check it under Extensions > Product Analysis';

const RULES: { readonly [K in FailureKind]: Rule<Extract<Failure, { kind: K }>> } = {
  'bad-asin': {
    retry: false,
    actor: 'you',
    keepMs: 0,
    text: (failure) => ASIN_PROBLEMS[failure.why](failure.input),
  },
  'bad-market': {
    retry: false,
    actor: 'you',
    keepMs: 0,
    text: (failure) => `"${failure.input}" is not a supported market. Use US or UK`,
  },
  'bad-field': {
    retry: false,
    actor: 'you',
    keepMs: 0,
    text: ({ input, nearest }) =>
      `there is no field "${input}"${nearest === undefined ? '' : `. Did you mean ${nearest}?`}`,
  },
  'bad-argument': { retry: false, actor: 'you', keepMs: 0, text: (failure) => failure.what },
  'no-connection': {
    retry: false,
    actor: 'you',
    keepMs: 0,
    text: () => 'no key is connected. Open Extensions > Product Analysis to add one',
  },
  'bad-address': { retry: false, actor: 'you', keepMs: 0, text: (failure) => failure.what },
  'bad-key': { retry: false, actor: 'you', keepMs: 0, text: (failure) => failure.what },
  'settings-unreadable': {
    retry: false,
    actor: 'you',
    keepMs: 0,
    text: () => 'the saved connection was made by a newer version. Update the add-on',
  },
  'key-refused': {
    retry: false,
    actor: 'you',
    keepMs: 0,
    text: () => `the service refused the key. ${CHECK_CONNECTION}`,
  },
  'plan-used-up': {
    retry: false,
    actor: 'operator',
    keepMs: 0,
    text: () => "the key's plan is used up. Ask the service operator for more",
  },
  'not-found': {
    retry: false,
    actor: 'you',
    keepMs: 6 * HOUR,
    text: () => 'the service does not know this product on this market',
  },
  rejected: {
    retry: false,
    actor: 'you',
    keepMs: HOUR,
    text: ({ excerpt }) =>
      `the service did not accept the question${excerpt === '' ? '' : `: ${excerpt}`}`,
  },
  waiting: {
    retry: false,
    actor: 'wait',
    keepMs: 0,
    text: ({ waitMs }) =>
      `the key's limit is reached. Try again in ${about(waitMs ?? MINUTE)}, or use one range formula`,
  },
  'service-busy': {
    retry: true,
    actor: 'wait',
    keepMs: 15 * SECOND,
    text: ({ status }) => `the service has a problem right now (status ${status}). Try again later`,
  },
  unreachable: {
    retry: true,
    actor: 'wait',
    keepMs: 15 * SECOND,
    text: () =>
      `the service cannot be reached. Try again, or check the address. ${CHECK_CONNECTION}`,
  },
  'timed-out': {
    retry: false,
    actor: 'wait',
    keepMs: 15 * SECOND,
    text: () => 'the service took too long to answer. Try again later',
  },
  'wrong-address': {
    retry: false,
    actor: 'you',
    keepMs: MINUTE,
    text: () => `the address does not lead to the analysis service. ${CHECK_CONNECTION}`,
  },
  'not-understood': {
    retry: false,
    actor: 'operator',
    keepMs: 10 * MINUTE,
    text: ({ what }) =>
      `the service's answer could not be read (${what}). Ask the service operator`,
  },
  'google-limit': {
    retry: false,
    actor: 'wait',
    keepMs: 0,
    text: () => "Google's daily limit of calls is spent. It goes on within 24 hours",
  },
  'no-price': {
    retry: false,
    actor: 'operator',
    keepMs: 0,
    text: ({ what }) =>
      `the service gave no ${what} for this product, so this cannot be worked out`,
  },
};

/** The rule of one failure. The cast is sound: the table's key and its rule share one kind. */
function ruleOf<F extends Failure>(failure: F): Rule<Failure> {
  return RULES[failure.kind] as Rule<Failure>;
}

/** Names a failure; it exists so that literals are checked against the table where they are made. */
export function fail<F extends Failure>(failure: F): F {
  return failure;
}

/** True for a failure, false for what was hoped for: no other value here has these kinds. */
export function isFailure(value: unknown): value is Failure {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false;
  return Object.keys(RULES).includes(String(value.kind));
}

export const isRetryable = (failure: Failure): boolean => ruleOf(failure).retry;
export const actorOf = (failure: Failure): Actor => ruleOf(failure).actor;
export const keepMsOf = (failure: Failure): number => ruleOf(failure).keepMs;

/** The text for a cell, with the fixed prefix. */
export function cellText(failure: Failure): string {
  return FAILURE_PREFIX + ruleOf(failure).text(failure);
}

/** The same words as a sentence of its own, for the sidebar. */
export function sentence(failure: Failure): string {
  const text = ruleOf(failure).text(failure);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?]$/.test(text) ? '' : '.'}`;
}
