// Why there is no analysis: every kind of failure, and what follows from each.

import { isLike } from '../platform/ports';
import {
  type AddressProblem,
  ASIN_PROBLEMS,
  type AsinProblem,
  about,
  HOUR,
  type KeyProblem,
  lastAnswered,
  MARKET_WORDS,
  MINUTE,
  type RunProblem,
  type ScheduleProblem,
  SECOND,
  type SettingsProblem,
  sentence,
  theCall,
} from './failure-text';

/** A failure is plain JSON, so that it crosses caches, stores and the sidebar's bridge unchanged. */
export type Failure =
  | { readonly kind: 'bad-asin'; readonly input: string; readonly why: AsinProblem }
  | { readonly kind: 'bad-market'; readonly input: string }
  | { readonly kind: 'bad-field'; readonly input: string; readonly nearest?: string }
  | { readonly kind: 'bad-argument'; readonly what: string }
  | { readonly kind: 'no-connection' }
  | { readonly kind: 'samples-only' }
  | { readonly kind: 'bad-address'; readonly why: AddressProblem }
  | { readonly kind: 'bad-key'; readonly why: KeyProblem }
  /** The text of an import, or what it makes of the record. */
  | { readonly kind: 'bad-settings'; readonly why: SettingsProblem }
  | { readonly kind: 'settings-unreadable' }
  | { readonly kind: 'settings-damaged' }
  | { readonly kind: 'key-refused'; readonly requestId?: string }
  | { readonly kind: 'copied' }
  | { readonly kind: 'plan-used-up'; readonly waitMs: number; readonly requestId?: string }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'rejected'; readonly excerpt: string; readonly requestId?: string }
  /** With a status: nobody asks, because the service failed for one product after the other. */
  | { readonly kind: 'waiting'; readonly waitMs?: number; readonly status?: number }
  | {
      readonly kind: 'service-busy';
      readonly status: number;
      /** So long the service wants to be left alone with this product. */
      readonly waitMs?: number;
      readonly requestId?: string;
    }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'wrong-address'; readonly status: number }
  | { readonly kind: 'not-understood'; readonly what: string; readonly requestId?: string }
  | { readonly kind: 'google-limit'; readonly waitMs?: number }
  /** In Google's words, which are of the person's language. */
  | { readonly kind: 'google-busy'; readonly words: string }
  | { readonly kind: 'store-full'; readonly holder: 'you' | 'here' }
  | { readonly kind: 'cells-limit'; readonly waitMs: number }
  | { readonly kind: 'not-permitted' }
  | { readonly kind: 'protected' }
  | { readonly kind: 'no-price'; readonly what: string }
  | { readonly kind: 'run'; readonly why: RunProblem; readonly what: string }
  | { readonly kind: 'schedule'; readonly why: ScheduleProblem; readonly what: string };

export type FailureKind = Failure['kind'];

/** What a person can do about it; `cell`: on the page it is something else, which `problem-text.ts` says. */
type Advice = string | { readonly cell: string };

/**
 * Whose matter a failure is. `connection`: every product would fail so, until somebody mends it on the
 * Connection page. `account`: the same, and Google or its owner has to. `service`: many in a row mean that
 * the service is down. `formulas`: of samples, and of whoever spends a key that is not theirs.
 */
type Concern = 'product' | 'connection' | 'account' | 'service' | 'formulas';

interface Rule<F extends Failure> {
  readonly of: Concern;
  /** Asking again gives the same, however much later; everything else anybody may mend at any time. */
  readonly lasts?: true;
  /** Nobody asks with this key until it is over, or another key is there. */
  readonly stopsKey?: true;
  /** What a person can edit to mend it. */
  readonly mend?: 'apiKey' | 'baseUrl';
  /** Nothing for support to look at: it says itself what to type, or that time will do. */
  readonly isOrdinary?: true;
  /** Whether asking again at once, in the same execution, can help. */
  readonly retry: boolean;
  /** Whether it ends by itself or with the connection, so that an older answer is still worth showing. */
  readonly passes?: true;
  /** How long the same question is answered with this failure without a call; 0 = not kept. */
  readonly keepMs: number | ((failure: F) => number);
  /** What the status of a row says; left out where the product was not to blame: `NO_ANSWER`. */
  readonly word?: string;
  /** What happened, short enough for a cell. */
  readonly text: (failure: F) => string;
  /** What to do now; left out where the text says it. */
  readonly advice?: Advice | ((failure: F) => Advice);
}

/** Every failure text in a cell begins so: people filter and format by it. */
export const FAILURE_PREFIX = 'Not analyzed: ';

const CHECK_CONNECTION: Advice = {
  cell: 'Check it under Extensions > Product Analysis',
};
const CONNECT: Advice = {
  cell: 'Open Extensions > Product Analysis to add a key',
};
const ASK_OPERATOR = 'Ask the service operator';
const TRY_LATER = 'Try again later';
const tryAgain = (waitMs = 0) => (waitMs > 0 ? `Try again in ${about(waitMs)}` : TRY_LATER);

/** For the report for support: the page's words for it are in `problem-text.ts`. */
const named = ({ kind, why }: { readonly kind: string; readonly why: string }) =>
  `${kind} problem "${why}"`;

/** Everybody waits for it, and nobody asks meanwhile. */
const RESTING = { retry: false, passes: true, keepMs: 0 } as const;

/** Asking again at once cannot help, and nothing was asked. */
const UNASKED = { of: 'product', retry: false, keepMs: 0 } as const;

/** What people mistyped. */
const TYPED = { ...UNASKED, isOrdinary: true } as const;
const OF_CONNECTION = { ...UNASKED, of: 'connection' } as const;
const OF_SERVICE = { of: 'service', passes: true, keepMs: 15 * SECOND } as const;

const RULES: { readonly [K in FailureKind]: Rule<Extract<Failure, { kind: K }>> } = {
  'bad-asin': {
    ...TYPED,
    lasts: true,
    word: 'Not an ASIN',
    text: ({ why, input }) => ASIN_PROBLEMS[why](input),
  },
  'bad-market': {
    ...TYPED,
    lasts: true,
    word: 'Unknown market',
    text: ({ input }) => `"${input}" is not a supported market. Use ${MARKET_WORDS}`,
  },
  'bad-field': {
    ...TYPED,
    text: ({ input, nearest }) =>
      `there is no field "${input}"${nearest === undefined ? '' : `. Did you mean ${nearest}?`}`,
  },
  'bad-argument': { ...TYPED, text: ({ what }) => what },
  'bad-address': { ...TYPED, mend: 'baseUrl', text: named },
  'bad-key': { ...TYPED, mend: 'apiKey', text: named },
  'bad-settings': { ...TYPED, text: named },
  'no-connection': {
    ...OF_CONNECTION,
    isOrdinary: true,
    text: () => 'no key is connected',
    advice: CONNECT,
  },
  'samples-only': {
    ...UNASKED,
    of: 'formulas',
    text: () => 'only samples work until a key is connected',
    advice: CONNECT,
  },
  'settings-unreadable': {
    ...OF_CONNECTION,
    text: () => 'the saved connection was made by a newer version',
    advice: 'Update the add-on',
  },
  'settings-damaged': {
    ...OF_CONNECTION,
    text: () => 'the saved connection is damaged',
    advice: CONNECT,
  },
  'key-refused': {
    ...RESTING,
    of: 'connection',
    stopsKey: true,
    mend: 'apiKey',
    text: () => 'the service refused the key',
    advice: CHECK_CONNECTION,
  },
  copied: {
    ...RESTING,
    of: 'connection',
    stopsKey: true,
    isOrdinary: true,
    text: () => 'the key shared in the original makes no calls in this copy',
    advice: {
      cell: 'To allow it, open Extensions > Product Analysis > Connection',
    },
  },
  'plan-used-up': {
    ...RESTING,
    of: 'connection',
    stopsKey: true,
    text: ({ waitMs }) => `the key's plan is used up. We'll retry in ${about(waitMs)}`,
    advice: 'Ask the service operator for more',
  },
  'not-found': {
    of: 'product',
    lasts: true,
    isOrdinary: true,
    retry: false,
    keepMs: 6 * HOUR,
    word: 'Not found',
    text: () => 'this product was not found on this market',
    advice: { cell: '' },
  },
  rejected: {
    of: 'product',
    lasts: true,
    retry: false,
    keepMs: HOUR,
    word: 'Rejected',
    text: ({ excerpt }) =>
      `the service rejected the request${excerpt === '' ? '' : `: ${excerpt}`}`,
    advice: { cell: '' },
  },
  waiting: {
    ...RESTING,
    of: 'product',
    isOrdinary: true,
    text: ({ waitMs, status }) =>
      status === undefined
        ? `waiting for the key's limit, ${about(waitMs ?? MINUTE)}`
        : `waiting for the service, which has a problem right now (status ${status})`,
    advice: ({ waitMs, status }) =>
      status === undefined
        ? { cell: 'Open the sidebar, or use one formula for the list' }
        : tryAgain(waitMs),
  },
  'service-busy': {
    ...OF_SERVICE,
    retry: true,
    keepMs: ({ waitMs = 0 }) => Math.max(15 * SECOND, waitMs),
    text: ({ status }) => `the service has a problem right now (status ${status})`,
    advice: ({ waitMs }) => tryAgain(waitMs),
  },
  unreachable: {
    ...OF_SERVICE,
    mend: 'baseUrl',
    retry: true,
    text: () => 'the service cannot be reached. Try again later, or check the address',
  },
  'timed-out': {
    ...OF_SERVICE,
    retry: false,
    text: () => 'the service took too long to answer',
    advice: TRY_LATER,
  },
  'wrong-address': {
    of: 'connection',
    mend: 'baseUrl',
    retry: false,
    keepMs: MINUTE,
    text: () => 'the address does not lead to the analysis service',
    advice: CHECK_CONNECTION,
  },
  'not-understood': {
    of: 'product',
    retry: false,
    keepMs: 10 * MINUTE,
    text: ({ what }) => `the service's answer could not be read (${what})`,
    advice: ASK_OPERATOR,
  },
  'google-limit': {
    ...RESTING,
    of: 'account',
    text: ({ waitMs }) =>
      `Google's daily call limit is used up. Calls continue ${waitMs === undefined ? 'within 24 hours' : `in ${about(waitMs)}`}`,
  },
  'google-busy': {
    ...OF_SERVICE,
    retry: true,
    keepMs: 0,
    text: ({ words }) => `Google had a problem ("${words}")`,
    advice: 'Try again in a minute',
  },
  'store-full': {
    ...UNASKED,
    of: 'account',
    text: ({ holder }) =>
      `the add-on's storage for ${holder === 'here' ? 'this spreadsheet' : 'your account'} is full`,
    advice: 'Remove a schedule',
  },
  'cells-limit': {
    ...RESTING,
    of: 'formulas',
    text: ({ waitMs }) =>
      `today's call limit for formulas is reached. Calls continue in ${about(waitMs)}`,
    advice: {
      cell: "A run with your own key has no limit; the key's owner can raise it",
    },
  },
  'not-permitted': {
    ...UNASKED,
    of: 'account',
    text: () => 'the add-on lacks a permission it needs',
    advice: {
      cell: 'See Extensions > Product Analysis > Run diagnostics',
    },
  },
  protected: {
    ...UNASKED,
    text: () => 'these cells are protected',
    advice: 'Ask the owner for access, or use another sheet',
  },
  'no-price': {
    ...TYPED,
    text: ({ what }) =>
      `the service gave no ${what} for this product, so this cannot be worked out`,
  },
  run: {
    ...UNASKED,
    word: 'Blocked by data validation',
    text: named,
  },
  schedule: { ...UNASKED, text: named },
};

/** The rule of one failure. The cast is sound: the table's key and its rule share one kind. */
function ruleOf<F extends Failure>(failure: F): Rule<Failure> {
  return RULES[failure.kind] as Rule<Failure>;
}

const ruleOfKind = (kind: string): Rule<Failure> | undefined =>
  RULES[kind as FailureKind] as Rule<Failure> | undefined;

/** Names a failure; it exists so that literals are checked against the table where they are made. */
export function fail<F extends Failure>(failure: F): F {
  return failure;
}

/** True for a failure, false for what was hoped for: no other value here has these kinds. */
export function isFailure(value: unknown): value is Failure {
  return isLike(value, { kind: '' }) && Object.keys(RULES).includes(value.kind);
}

/** Whose matter a failure of this kind is; undefined for kinds that are none of ours. */
export const concernOf = (kind: string): Concern | undefined => ruleOfKind(kind)?.of;

/** No product is to blame, and every other one would fail so: a run cannot go on. */
export const endsRun = ({ kind }: Failure): boolean =>
  !['product', 'service', undefined].includes(concernOf(kind));

const NO_ANSWER = 'No answer';

export const statusWord = (kind: string): string => ruleOfKind(kind)?.word ?? NO_ANSWER;

export const isStatusWord = (text: string): boolean =>
  Object.keys(RULES).some((kind) => statusWord(kind) === text);

export const lasts = (kind: string): boolean => ruleOfKind(kind)?.lasts === true;
export const stopsKey = (kind: string): boolean => ruleOfKind(kind)?.stopsKey === true;
export const mendOf = (kind: string) => ruleOfKind(kind)?.mend;

/** Whether support may want to know of it. */
export const isNotable = (failure: Failure): boolean =>
  ruleOf(failure).isOrdinary !== true || 'status' in failure;

export const isRetryable = (failure: Failure): boolean => ruleOf(failure).retry;
export const willPass = (failure: Failure): boolean => ruleOf(failure).passes === true;
export const keepMsOf = (failure: Failure): number => valueFor(ruleOf(failure).keepMs, failure);

function valueFor<T>(said: T | ((failure: Failure) => T), failure: Failure): T {
  return typeof said === 'function' ? (said as (failure: Failure) => T)(failure) : said;
}

/** Nobody reads more in a cell, and Sheets takes 50,000. */
const CELL_CHARS_MAX = 1_000;

/**
 * The text for a cell: the fixed prefix, what happened, what to do.
 *
 * @param lastMs how old the last answer is, where there is one that the cell could show.
 */
export function cellText(failure: Failure, lastMs?: number): string {
  const { text, advice: said } = ruleOf(failure);
  const advice = valueFor(said, failure);
  const todo = typeof advice === 'object' ? advice.cell : advice;
  const last = lastMs === undefined ? undefined : lastAnswered(lastMs);
  // Of a refused key all cells say the same; what befell one product names its own call.
  const call = 'requestId' in failure && !stopsKey(failure.kind) ? theCall(failure.requestId) : '';
  const parts = [text(failure) + call, todo, last];
  return (FAILURE_PREFIX + parts.filter((part) => part).join('. ')).slice(0, CELL_CHARS_MAX);
}

/**
 * The same as sentences of their own.
 *
 * @param isForPage without the way to the sidebar, in place of which the page says what to do there.
 */
export function sentences(
  failure: Failure,
  isForPage = false,
): {
  readonly message: string;
  readonly action?: string;
} {
  const { text, advice: said } = ruleOf(failure);
  const advice = valueFor(said, failure);
  const inCell = typeof advice === 'object' && !isForPage ? advice.cell : '';
  const todo = typeof advice === 'string' ? advice : inCell;
  const message = sentence(text(failure));
  return todo === '' ? { message } : { message, action: sentence(todo) };
}

/** @param what names what it is about, where the words of the table do. */
export const runProblem = (why: RunProblem, what = ''): Failure => fail({ kind: 'run', why, what });

/** Headers may be of any length, and schedules are kept with their problem. */
const CHARS_MAX = 200;

/** @param what names what it is about, where the words of the table do. */
export const scheduleProblem = (why: ScheduleProblem, what = ''): Failure =>
  fail({ kind: 'schedule', why, what: what.slice(0, CHARS_MAX) });
