// Lists the dialects. Each is one way to fill in what the contract leaves open.
import * as answers from './answers';
import * as errors from './error-bodies';
import type { Market } from './fees';
import type { ProblemName } from './problems';
import * as signals from './rate-signals';

export interface Dialect {
  /** What the dialect varies, in one sentence. */
  readonly varies: string;
  readonly answer: answers.AnswerShape;
  readonly error: errors.ErrorShape;
  readonly signals: signals.RateSignals;
  readonly retryAfter: keyof typeof signals.RETRY_AFTER;
  /** The name of each market in requests and answers. */
  readonly markets: Readonly<Record<Market, string>>;
  /** Statuses that differ from those in the table of problems. */
  readonly statuses?: Partial<Readonly<Record<ProblemName, number>>>;
}

const AS_EXPECTED = {
  answer: answers.flatWithPrices,
  error: errors.errorObject,
  signals: signals.rateLimitTriple,
  retryAfter: 'seconds',
  markets: { US: 'US', UK: 'UK' },
} as const satisfies Omit<Dialect, 'varies'>;

/** For services that answer 403 to every problem with a key and never 401. */
const FORBIDDEN = { 'missing-key': 403, 'invalid-key': 403, 'revoked-key': 403 } as const;

export const DIALECTS = {
  canonical: { ...AS_EXPECTED, varies: 'Nothing: the shape we expect until we know better.' },
  bare: {
    ...AS_EXPECTED,
    varies: 'Six fields and no prices, refusals in plain text, no word about the rate limit.',
    answer: answers.sixFields,
    error: errors.plainText,
    signals: signals.noSignals,
    retryAfter: 'none',
  },
  percent: {
    ...AS_EXPECTED,
    varies: 'ROI in percent, cost and price, problem details, resets in epoch seconds.',
    answer: answers.percentRoi,
    error: errors.problemDetails,
    signals: signals.xEpochSeconds,
  },
  nested: {
    ...AS_EXPECTED,
    varies: 'Figures and prices one level down in camel case, resets in epoch milliseconds.',
    answer: answers.nestedCamelCase,
    error: errors.messageOnly,
    signals: signals.xEpochMs,
  },
  hundredths: {
    ...AS_EXPECTED,
    varies: 'Money in pence and cents, fees in parts, the tokens of the key in every body.',
    answer: answers.hundredths,
    error: errors.errorWithTokens,
    signals: signals.noSignals,
    retryAfter: 'none',
  },
  words: {
    ...AS_EXPECTED,
    varies: 'Eligibility as one of four words, a list of errors with codes, the rate per second.',
    answer: answers.eligibilityWord,
    error: errors.errorsWithCodes,
    signals: signals.amazonRate,
    retryAfter: 'none',
    statuses: FORBIDDEN,
  },
  'great-britain': {
    ...AS_EXPECTED,
    varies: 'The UK is GB and only GB, refusals name the parameter, structured rate headers.',
    error: errors.detailList,
    signals: signals.rateLimitStructured,
    markets: { US: 'US', UK: 'GB' },
  },
  text: {
    ...AS_EXPECTED,
    varies: 'Every figure is text with a point, eligibility yes, no or gated, Retry-After a date.',
    answer: answers.figuresAsText,
    error: errors.errorTexts,
    signals: signals.xSecondsLeft,
    retryAfter: 'date',
  },
  commas: {
    ...AS_EXPECTED,
    varies: 'Figures are text with a decimal comma, unknown ones left out, errors by field.',
    answer: answers.decimalCommas,
    error: errors.errorsByField,
    signals: signals.xResetAfter,
    statuses: { 'bad-asin': 400, 'bad-market': 400 },
  },
  restrictions: {
    ...AS_EXPECTED,
    varies: 'Eligibility as a list of restrictions, errors as JSON:API, out of plan is a 403.',
    answer: answers.restrictionList,
    error: errors.jsonApiErrors,
    statuses: { 'out-of-plan': 403 },
  },
  disguised: {
    ...AS_EXPECTED,
    varies: 'Refusals come with status 200 and success false; out of plan looks like too fast.',
    error: errors.successFalse,
    statuses: { 'unknown-product': 200, 'bad-asin': 200, 'bad-market': 200, 'out-of-plan': 429 },
  },
  'bare-percent': {
    ...AS_EXPECTED,
    varies: 'Six fields with ROI in percent, and the UK under the name of its shop.',
    answer: answers.sixFieldsPercent,
    error: errors.messageOnly,
    markets: { US: 'US', UK: 'amazon.co.uk' },
  },
  'own-names': {
    ...AS_EXPECTED,
    varies: 'Both prices under names of its own, among other numbers.',
    answer: answers.ownNames,
    error: errors.errorTexts,
  },
  everything: {
    ...AS_EXPECTED,
    varies:
      'Hundredths, percent, parts, numbers for yes and no, all two levels down; the UK is GBR.',
    answer: answers.everythingElse,
    error: errors.successFalse,
    signals: signals.xSecondsLeft,
    markets: { US: 'US', UK: 'GBR' },
  },
  silent: {
    ...AS_EXPECTED,
    varies: 'Refusals have no body at all.',
    error: errors.emptyBody,
    signals: signals.noSignals,
    statuses: FORBIDDEN,
  },
} as const satisfies Record<string, Dialect>;

export type DialectName = keyof typeof DIALECTS;

export function dialectOf(name: DialectName): Dialect {
  return DIALECTS[name];
}
