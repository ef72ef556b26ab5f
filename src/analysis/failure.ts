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

/** What a person can do about it; said in one way in a cell and another in the sidebar, if given so. */
type Advice = string | { readonly cell: string; readonly sidebar: string };

interface Rule<F extends Failure> {
  /** Whether asking again at once, in the same execution, can help. */
  readonly retry: boolean;
  /** How long the same question is answered with this failure without a call; 0 = not kept. */
  readonly keepMs: number;
  /** What happened, short enough for a cell. */
  readonly text: (failure: F) => string;
  /** What to do now; left out where the text says it. */
  readonly advice?: Advice;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Every failure text in a cell begins so: people filter and format by it. */
const FAILURE_PREFIX = 'Not analyzed: ';

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

const CHECK_CONNECTION: Advice = {
  cell: 'Check it under Extensions > Product Analysis',
  sidebar: 'Check the connection.',
};
const ASK_OPERATOR = 'Ask the service operator';
const TRY_LATER = 'Try again later';

/** What people mistyped: asking again cannot help, and nothing was asked. */
const TYPED = { retry: false, keepMs: 0 } as const;

const RULES: { readonly [K in FailureKind]: Rule<Extract<Failure, { kind: K }>> } = {
  'bad-asin': { ...TYPED, text: ({ why, input }) => ASIN_PROBLEMS[why](input) },
  'bad-market': {
    ...TYPED,
    text: ({ input }) => `"${input}" is not a supported market. Use US or UK`,
  },
  'bad-field': {
    ...TYPED,
    text: ({ input, nearest }) =>
      `there is no field "${input}"${nearest === undefined ? '' : `. Did you mean ${nearest}?`}`,
  },
  'bad-argument': { ...TYPED, text: ({ what }) => what },
  'bad-address': { ...TYPED, text: ({ what }) => what },
  'bad-key': { ...TYPED, text: ({ what }) => what },
  'no-connection': {
    ...TYPED,
    text: () => 'no key is connected',
    advice: {
      cell: 'Open Extensions > Product Analysis to add one',
      sidebar: 'Enter the address and the key.',
    },
  },
  'settings-unreadable': {
    ...TYPED,
    text: () => 'the saved connection was made by a newer version',
    advice: 'Update the add-on',
  },
  'key-refused': {
    retry: false,
    keepMs: 0,
    text: () => 'the service refused the key',
    advice: { ...CHECK_CONNECTION, sidebar: 'Check the key, or ask the service operator.' },
  },
  'plan-used-up': {
    retry: false,
    keepMs: 0,
    text: () => "the key's plan is used up",
    advice: 'Ask the service operator for more',
  },
  'not-found': {
    retry: false,
    keepMs: 6 * HOUR,
    text: () => 'the service does not know this product on this market',
  },
  rejected: {
    retry: false,
    keepMs: HOUR,
    text: ({ excerpt }) =>
      `the service did not accept the question${excerpt === '' ? '' : `: ${excerpt}`}`,
  },
  waiting: {
    retry: false,
    keepMs: 0,
    text: ({ waitMs }) => `waiting for the key's limit, ${about(waitMs ?? MINUTE)}`,
    advice: {
      cell: 'Open the sidebar, or use one formula for the list',
      sidebar: 'Try again then.',
    },
  },
  'service-busy': {
    retry: true,
    keepMs: 15 * SECOND,
    text: ({ status }) => `the service has a problem right now (status ${status})`,
    advice: TRY_LATER,
  },
  unreachable: {
    retry: true,
    keepMs: 15 * SECOND,
    text: () => 'the service cannot be reached. Try again later, or check the address',
  },
  'timed-out': {
    retry: false,
    keepMs: 15 * SECOND,
    text: () => 'the service took too long to answer',
    advice: TRY_LATER,
  },
  'wrong-address': {
    retry: false,
    keepMs: MINUTE,
    text: () => 'the address does not lead to the analysis service',
    advice: CHECK_CONNECTION,
  },
  'not-understood': {
    retry: false,
    keepMs: 10 * MINUTE,
    text: ({ what }) => `the service's answer could not be read (${what})`,
    advice: ASK_OPERATOR,
  },
  'google-limit': {
    retry: false,
    keepMs: 0,
    text: () => "Google's daily limit of calls is spent. It goes on within 24 hours",
  },
  'no-price': {
    retry: false,
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
export const keepMsOf = (failure: Failure): number => ruleOf(failure).keepMs;

/** The text for a cell: the fixed prefix, what happened, what to do. */
export function cellText(failure: Failure): string {
  const { text, advice } = ruleOf(failure);
  const todo = typeof advice === 'object' ? advice.cell : advice;
  return FAILURE_PREFIX + text(failure) + (todo === undefined ? '' : `. ${todo}`);
}

/** The same for the sidebar, as sentences of their own. */
export function sentences(failure: Failure): {
  readonly message: string;
  readonly action?: string;
} {
  const { text, advice } = ruleOf(failure);
  const todo = typeof advice === 'object' ? advice.sidebar : advice;
  const message = sentence(text(failure));
  return todo === undefined ? { message } : { message, action: sentence(todo) };
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?]$/.test(text) ? '' : '.'}`;
}
