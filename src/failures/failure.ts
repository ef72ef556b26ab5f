// Why there is no analysis: every kind of failure, with its words and all of its consequences in one
// table.

import { isLike } from '../schema/stored-record';
import { ADD_ON_NAME } from './add-on-name';
import { about, HOUR, MINUTE, SECOND } from './duration';
import {
  ADDRESS_PROBLEMS,
  type AddressProblem,
  ASIN_PROBLEMS,
  type AsinProblem,
  KEY_PROBLEMS,
  type KeyProblem,
  MARKET_WORDS,
  RUN_PROBLEMS,
  type RunProblem,
  SCHEDULE_PROBLEMS,
  type ScheduleProblem,
} from './problems';

export interface NamedProduct {
  readonly asin: string;
  readonly market: string;
}

/**
 * A failure is plain JSON, so that it passes unchanged through caches, stores and the bridge to the
 * sidebar.
 */
export type Failure =
  | { readonly kind: 'bad-asin'; readonly input: string; readonly why: AsinProblem }
  | { readonly kind: 'bad-market'; readonly input: string }
  | { readonly kind: 'bad-field'; readonly input: string; readonly nearest?: string }
  | { readonly kind: 'bad-argument'; readonly what: string }
  | { readonly kind: 'no-connection' }
  | { readonly kind: 'samples-only' }
  | { readonly kind: 'bad-address'; readonly why: AddressProblem }
  | { readonly kind: 'bad-key'; readonly why: KeyProblem }
  | { readonly kind: 'settings-damaged' }
  | { readonly kind: 'key-refused'; readonly requestId?: string }
  | { readonly kind: 'copied' }
  | { readonly kind: 'plan-used-up'; readonly waitMs: number; readonly requestId?: string }
  /**
   * `isBare`: no word says that it is about the product, so a wrong route may be the reason.
   * `product` is named where nothing beside the text does.
   */
  | {
      readonly kind: 'not-found';
      readonly isBare?: true;
      readonly product?: NamedProduct;
    }
  | { readonly kind: 'rejected'; readonly excerpt: string; readonly requestId?: string }
  /**
   * With a status: the service failed for several products in a row, so nothing is sent for now. Without a
   * time: others were at work, and it is not known whether the key's limit is used up.
   */
  | { readonly kind: 'waiting'; readonly waitMs?: number; readonly status?: number }
  | {
      readonly kind: 'service-busy';
      readonly status: number;
      /** How long the service wants this product left alone. */
      readonly waitMs?: number;
      readonly requestId?: string;
    }
  /** So many products in a row ended like this one that the rest waits. */
  | {
      readonly kind: 'alike';
      readonly count: number;
      readonly of: Failure;
      /** Of the last of them: "US". */
      readonly market?: string;
      readonly waitMs?: number;
    }
  /** The service is still working on this product. */
  | { readonly kind: 'not-ready'; readonly waitMs?: number; readonly requestId?: string }
  /** The service cannot read requests of this form, whatever the product. */
  | { readonly kind: 'request-form'; readonly excerpt: string; readonly requestId?: string }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'wrong-address'; readonly status: number }
  | { readonly kind: 'not-understood'; readonly what: string; readonly requestId?: string }
  /** Figures that are impossible in the units that the connection's check decided. */
  | { readonly kind: 'other-units'; readonly what: string }
  | { readonly kind: 'google-limit'; readonly waitMs?: number }
  /** `words` is Google's message in the person's language. */
  | { readonly kind: 'google-busy'; readonly words: string }
  | { readonly kind: 'store-full'; readonly holder: 'you' | 'here' }
  | { readonly kind: 'cells-limit'; readonly waitMs: number }
  | { readonly kind: 'not-permitted' }
  /** `cells`: which ones. "K1:P1" */
  | { readonly kind: 'protected'; readonly cells?: string }
  | { readonly kind: 'no-price'; readonly what: string }
  | { readonly kind: 'run'; readonly why: RunProblem; readonly what: string }
  | { readonly kind: 'schedule'; readonly why: ScheduleProblem; readonly what: string };

export type FailureKind = Failure['kind'];

/** What a person can do about it, where a cell and the page say different things; '': nothing. */
export interface AdviceByDoor {
  readonly cell: string;
  readonly page: string;
}

type Advice = string | AdviceByDoor;

/** What many rows say that failed in one way, without the details that differ between them. */
interface ManyWords {
  /** @param market the one in which all of them were asked for. */
  readonly text: (count: number, market?: string) => string;
  /** Left out: as for one. */
  readonly advice?: (count: number) => string;
}

/**
 * What a failure is about. `connection`: every product would fail until somebody corrects the
 * Settings page. `account`: every product would fail until Google or the key's owner changes
 * something. `service`: many in a row mean that the service is down. `formulas`: concerns samples,
 * and people who use somebody else's key.
 */
type Concern = 'product' | 'connection' | 'account' | 'service' | 'formulas';

interface FailureRule<F extends Failure> {
  readonly of: Concern;
  /** Asking again always gives the same result. Other failures may be resolved at any time. */
  readonly lasts?: true;
  /** Nothing is sent with this key until the failure is over or the key is replaced. */
  readonly stopsKey?: true;
  /** The Settings page corrects it, although it is about single products. */
  readonly opensConnection?: true;
  /** The field of the connection that a person can edit to correct it. */
  readonly mend?: 'apiKey' | 'baseUrl';
  /** The field of the form that is at fault while it is filled in. */
  readonly field?: 'apiKey' | 'baseUrl';
  /** Not worth a look by support: the message itself says what to type, or the failure passes. */
  readonly isOrdinary?: true;
  /** Whether an immediate second try in the same execution can help. */
  readonly retry: boolean;
  /**
   * Whether the failure ends by itself or with a correction of the connection, so that an older
   * answer is still worth showing.
   */
  readonly passes?: true;
  /** How long the same question gets this failure without a call, in ms; 0: not kept. */
  readonly keepMs: number | ((failure: F) => number);
  /**
   * The word in the status column; left out if the product is not to blame, which gives
   * "No answer".
   */
  readonly word?: string | ((failure: F) => string);
  /** The reasons that `why` may name. */
  readonly reasons?: object;
  /** All words that `word` may give, where it is a function. */
  readonly words?: readonly string[];
  /** What happened, short enough for a cell. */
  readonly text: (failure: F) => string;
  /** What to do now; left out if the text already says it. */
  readonly advice?: Advice | ((failure: F) => Advice);
  /** Left out where `text` needs no details of the failure. */
  readonly many?: ManyWords;
}

/** The status of a barcode, until a person names its product. */
const WHICH_PRODUCT = 'Which product?';

const NOT_AN_ASIN = 'Not an ASIN';

const CHECK_IN_SIDEBAR = `Check it under Extensions > ${ADD_ON_NAME}`;
const CONNECT: Advice = {
  cell: `Open Extensions > ${ADD_ON_NAME} to add a key`,
  page: 'Enter the address and the key',
};
const ASK_OPERATOR = 'Ask the service operator';
const TRY_LATER = 'Try again later';
/** Status 403 without a word about the key comes mostly from something in front of the service. */
const BLOCKED = 'ask the service operator what blocks the calls';
/** A web page may come with the status of a success, which would only confuse. */
const withStatus = (status: number) => (status < 400 ? '' : ` (status ${status})`);
const tryAgain = (waitMs = 0) => (waitMs > 0 ? `Try again in ${about(waitMs)}` : TRY_LATER);

/** "this row" or "these rows". */
export const rowsWord = (rows: number): string => (rows === 1 ? 'this row' : 'these rows');

const CORRECTED = 'then run the rows that failed before';

/** The status of a pause after the key was refused, which may have been a mistake of the service. */
export const REFUSED_STATUS = 401;

/** The key or the service is at rest: everybody waits and nothing is sent. */
const RESTING = { retry: false, passes: true, keepMs: 0 } as const;

/** Nothing was sent, and an immediate second try cannot help. */
const UNASKED = { of: 'product', retry: false, keepMs: 0 } as const;

/** Typing errors. */
const TYPED = { ...UNASKED, isOrdinary: true } as const;
const OF_CONNECTION = { ...UNASKED, of: 'connection' } as const;
const OF_SERVICE = { of: 'service', passes: true, keepMs: 15 * SECOND } as const;

const FAILURE_RULES: { readonly [K in FailureKind]: FailureRule<Extract<Failure, { kind: K }>> } = {
  'bad-asin': {
    ...TYPED,
    lasts: true,
    word: ({ why }) => (why === 'barcode' ? WHICH_PRODUCT : NOT_AN_ASIN),
    words: [NOT_AN_ASIN, WHICH_PRODUCT],
    reasons: ASIN_PROBLEMS,
    text: ({ why, input }) => ASIN_PROBLEMS[why](input),
    many: {
      text: (count) => `no product can be read in ${rowsWord(count)}`,
      advice: (count) => `Correct ${count === 1 ? 'it' : 'them'}, ${CORRECTED}`,
    },
  },
  'bad-market': {
    ...TYPED,
    lasts: true,
    word: 'Unknown market',
    text: ({ input }) => `"${input}" is not a supported market. Use ${MARKET_WORDS}`,
    many: {
      text: (count) => `the market of ${rowsWord(count)} is not supported`,
      advice: () => `Use ${MARKET_WORDS}, ${CORRECTED}`,
    },
  },
  'bad-field': {
    ...TYPED,
    text: ({ input, nearest }) =>
      `there is no field "${input}"${nearest === undefined ? '' : `. Did you mean ${nearest}?`}`,
  },
  'bad-argument': { ...TYPED, text: ({ what }) => what },
  'bad-address': {
    ...TYPED,
    field: 'baseUrl',
    reasons: ADDRESS_PROBLEMS,
    text: ({ why }) => ADDRESS_PROBLEMS[why](),
  },
  'bad-key': {
    ...TYPED,
    field: 'apiKey',
    reasons: KEY_PROBLEMS,
    text: ({ why }) => KEY_PROBLEMS[why](),
  },
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
    advice: { cell: CHECK_IN_SIDEBAR, page: 'Check the key, or ask the service operator' },
  },
  copied: {
    ...RESTING,
    of: 'connection',
    stopsKey: true,
    isOrdinary: true,
    text: () => 'the key shared in the original makes no calls in this copy',
    advice: {
      cell: `To allow it, open Extensions > ${ADD_ON_NAME} > Open sidebar > Settings`,
      page: 'Press "Use the key here"',
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
    keepMs: ({ isBare }) => (isBare ? 10 * MINUTE : 6 * HOUR),
    word: 'Not found',
    text: ({ product }) =>
      product === undefined
        ? 'not found on this market'
        : `${product.asin} is not sold on Amazon ${product.market}`,
    advice: { cell: '', page: 'Check the ASIN and the market' },
    many: { text: (_, market = 'this market') => `not found on ${market}` },
  },
  rejected: {
    of: 'product',
    lasts: true,
    retry: false,
    keepMs: HOUR,
    word: 'Rejected',
    text: ({ excerpt }) =>
      `the service rejected the request${excerpt === '' ? '' : `: ${excerpt}`}`,
    advice: { cell: '', page: 'Check the product, or ask the service operator' },
    many: {
      text: (count) => `the service rejected ${count === 1 ? 'this product' : 'these products'}`,
    },
  },
  waiting: {
    ...RESTING,
    of: 'product',
    isOrdinary: true,
    text({ waitMs, status }) {
      if (status === REFUSED_STATUS) return 'the service refused the key, which worked before';
      if (status !== undefined)
        return `waiting for the service, which has a problem right now${withStatus(status)}`;
      const what = waitMs === undefined ? 'its turn' : "for the key's limit";
      return `waiting ${what}, ${about(waitMs ?? MINUTE)}`;
    },
    advice: ({ waitMs, status }) =>
      status === undefined
        ? { cell: 'Open the sidebar, or use one formula for the list', page: 'Try again then' }
        : tryAgain(waitMs),
  },
  'service-busy': {
    ...OF_SERVICE,
    retry: true,
    keepMs: ({ waitMs = 0 }) => Math.max(15 * SECOND, waitMs),
    text: ({ status }) => `the service has a problem right now${withStatus(status)}`,
    advice: ({ waitMs, status }) =>
      tryAgain(waitMs) + (status === 403 ? `. If this stays, ${BLOCKED}` : ''),
    many: { text: () => 'the service had a problem', advice: () => TRY_LATER },
  },
  'not-ready': {
    of: 'product',
    passes: true,
    retry: true,
    keepMs: ({ waitMs = 0 }) => Math.max(15 * SECOND, waitMs),
    text: () => 'the service is still working on this product',
    advice: ({ waitMs }) => tryAgain(waitMs),
  },
  'request-form': {
    of: 'account',
    retry: false,
    keepMs: 10 * MINUTE,
    text: ({ excerpt }) =>
      `the service could not read the request${excerpt === '' ? '' : `: ${excerpt.replace(/\.$/, '')}`}`,
    advice: ASK_OPERATOR,
    many: { text: () => 'the service could not read the requests' },
  },
  alike: {
    of: 'account',
    passes: true,
    retry: false,
    keepMs: 0,
    text: ({ count, of, market }) =>
      of.kind === 'not-found'
        ? `none of the first ${count} products was found${market === undefined ? '' : ` on ${market}`}`
        : `the first ${count} products got the same answer: ${ruleOf(of).text(of)}`,
    advice: ({ of }) =>
      of.kind === 'not-found'
        ? { cell: 'Is it the right market?', page: 'Is it the right market?' }
        : { cell: adviceOn(of, 'cell'), page: adviceOn(of, 'page') },
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
    advice: { cell: CHECK_IN_SIDEBAR, page: 'Check the connection' },
  },
  'not-understood': {
    of: 'product',
    retry: false,
    keepMs: 10 * MINUTE,
    text: ({ what }) => `the service's answer could not be read (${what})`,
    advice: ASK_OPERATOR,
    many: { text: () => "the service's answers could not be read" },
  },
  'other-units': {
    of: 'product',
    opensConnection: true,
    passes: true,
    retry: false,
    keepMs: 10 * MINUTE,
    word: 'Check connection',
    text: ({ what }) => `the figures do not fit the units of this connection (${what})`,
    advice: {
      cell: `Check the connection under Extensions > ${ADD_ON_NAME}`,
      page: 'Check the connection',
    },
    many: { text: () => 'the figures do not fit the units of this connection' },
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
    many: { text: () => 'Google had a problem' },
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
      page: "The key's owner can raise it under Settings. Your own key has no such limit",
    },
  },
  'not-permitted': {
    ...UNASKED,
    of: 'account',
    text: () => 'the add-on lacks a permission it needs',
    advice: {
      cell: `See Extensions > ${ADD_ON_NAME} > Run diagnostics`,
      page: 'Choose "Run diagnostics" in the menu to allow it',
    },
  },
  protected: {
    ...UNASKED,
    text: ({ cells }) =>
      cells === undefined ? 'these cells are protected' : `the cells ${cells} are protected`,
    advice: 'Ask the owner for access, or use another sheet',
  },
  'no-price': {
    ...TYPED,
    text: ({ what }) =>
      `the service gave no ${what} for this product, so this cannot be worked out`,
  },
  run: { ...UNASKED, reasons: RUN_PROBLEMS, text: ({ why, what }) => RUN_PROBLEMS[why](what) },
  schedule: {
    ...UNASKED,
    reasons: SCHEDULE_PROBLEMS,
    text: ({ why, what }) => SCHEDULE_PROBLEMS[why](what),
  },
};

/**
 * The rule of one failure. The cast is sound because the table's key and its rule share one kind.
 */
export function ruleOf<F extends Failure>(failure: F): FailureRule<Failure> {
  return FAILURE_RULES[failure.kind] as FailureRule<Failure>;
}

export const FAILURE_KINDS: readonly string[] = Object.keys(FAILURE_RULES);

export const ruleOfKind = (kind: string): FailureRule<Failure> | undefined =>
  FAILURE_RULES[kind as FailureKind] as FailureRule<Failure> | undefined;

/**
 * Returns the failure unchanged, so that its literal is checked against the union where it is
 * written.
 */
export function fail<F extends Failure>(failure: F): F {
  return failure;
}

/**
 * True for a failure, false for the expected result: no other value in this code has these kinds.
 */
export function isFailure(value: unknown): value is Failure {
  if (!isLike(value, { kind: '' }) || !FAILURE_KINDS.includes(value.kind)) return false;
  const { reasons } = ruleOfKind(value.kind) ?? {};
  return reasons === undefined || Object.keys(reasons).includes(String(Reflect.get(value, 'why')));
}

/** What a failure of this kind is about; undefined for an unknown kind. */
export const concernOf = (kind: string): Concern | undefined => ruleOfKind(kind)?.of;

/** Whether the Settings page is where a failure of this kind is corrected. */
export const opensConnection = (kind: string): boolean =>
  concernOf(kind) === 'connection' || ruleOfKind(kind)?.opensConnection === true;

/**
 * Whether a run must stop: the failure is not about this product, and every other product would
 * fail as well.
 */
export const endsRun = ({ kind }: Failure): boolean =>
  !['product', 'service', undefined].includes(concernOf(kind));

export const lasts = (kind: string): boolean => ruleOfKind(kind)?.lasts === true;

export const stopsKey = (kind: string): boolean => ruleOfKind(kind)?.stopsKey === true;
export const mendOf = (kind: string) => ruleOfKind(kind)?.mend;
export const fieldOf = (kind: string) => ruleOfKind(kind)?.field;

/** Whether the failure is of interest to support. */
export const isNotable = (failure: Failure): boolean =>
  ruleOf(failure).isOrdinary !== true || 'status' in failure;

export const isRetryable = (failure: Failure): boolean => ruleOf(failure).retry;
export const willPass = ({ kind }: { readonly kind: string }): boolean =>
  ruleOfKind(kind)?.passes === true;
export const keepMsOf = (failure: Failure): number => valueFor(ruleOf(failure).keepMs, failure);

export function valueFor<T>(said: T | ((failure: Failure) => T), failure: Failure): T {
  return typeof said === 'function' ? (said as (failure: Failure) => T)(failure) : said;
}

/** What to do about it; '': the text says it, or nothing. */
export const adviceOn = (failure: Failure, door: keyof AdviceByDoor): string => {
  const advice = valueFor(ruleOf(failure).advice ?? '', failure);
  return typeof advice === 'object' ? advice[door] : advice;
};

/** @param what the thing concerned, if the table's text mentions one. */
export const runProblem = (why: RunProblem, what = ''): Failure => fail({ kind: 'run', why, what });

/** Column headers may be of any length, and a schedule's record stores its problem. */
const CHARS_MAX = 200;

/** @param what the thing concerned, if the table's text mentions one. */
export const scheduleProblem = (why: ScheduleProblem, what = ''): Failure =>
  fail({ kind: 'schedule', why, what: what.slice(0, CHARS_MAX) });
