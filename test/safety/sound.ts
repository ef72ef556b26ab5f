// What may come out of the reader, whatever went in: an analysis that is one, or a failure of the table.

import { decode, encode } from '../../src/cache/bucket';
import { type Failure, isFailure } from '../../src/failures/failure';
import { cellText, sentences } from '../../src/failures/failure-words';
import { mostToPay, type RuleValues, saleTerms } from '../../src/product/deal-rules';
import { whatIf } from '../../src/product/estimate';
import { type Analysis, FIELDS } from '../../src/product/fields';
import type { Interpretation } from '../../src/service/response';
import { secretsIn } from './hostile-replies';

/** A number that a cell can show: finite, and no minus before a zero. */
const isNumber = (value: unknown) => Number.isFinite(value) && !Object.is(value, -0);
/** More than any shop turns over; a larger one is a mistake. */
const isFigure = (value: unknown) => isNumber(value) && Math.abs(Number(value)) <= 1e13;
const isMoney = (value: unknown) => value === null || isFigure(value);

function faultOfFigures({ figures }: Analysis): string | undefined {
  const { eligible, rank_drops_30d: drops, ...money } = figures;
  if (FIELDS.some((field) => figures[field] === undefined)) return 'a figure is missing';
  if (!Object.values(money).every(isMoney)) return 'an amount is no amount';
  if (![null, true, false, 'Needs approval'].includes(eligible)) return 'eligible is a word';
  const isCount = drops === null || (Number.isInteger(drops) && drops >= 0);
  return isCount ? undefined : 'drops are no count';
}

function faultOfExtras({ extras }: Analysis): string | undefined {
  if (extras.length > 40) return 'too many fields';
  const isExtra = ([name, value]: Analysis['extras'][number]) =>
    name.length <= 60 &&
    (value === null ||
      typeof value === 'boolean' ||
      isNumber(value) ||
      (typeof value === 'string' && value.length <= 500));
  return extras.every(isExtra) ? undefined : 'a field is no cell';
}

/** Prices that people type, the worst of them included. */
const TYPED = [0.01, 11.5, 1e13, 5e-324, 1e-300];

/** A seller in the UK at the standard rate, with prep. */
const UK: RuleValues = {
  ...{ ukScheme: 'Standard', ukRate: 0.2, ukCosts: 'With VAT', ukFees: 'Without VAT' },
  ...{ prep: 0.35, minProfit: 3, minMargin: 0.1 },
};
const rules = (key: keyof RuleValues) => UK[key];

function faultOfEstimates(analysis: Analysis): string | undefined {
  const results = TYPED.flatMap((price) => [
    mostToPay(analysis, price - 1, rules, 'UK'),
    ...[null, 33, 5e-324].map((sell) => whatIf(analysis, price, sell, saleTerms(rules, 'UK'))),
  ]);
  const numbers = results.flatMap((one) =>
    isFailure(one) ? [] : typeof one === 'number' ? [one] : [one.profit, one.roi],
  );
  return numbers.every(isFigure) ? undefined : 'an estimate is no figure';
}

/** Through a cache and back, as JSON. */
function faultOfStored(analysis: Analysis): string | undefined {
  const text = JSON.stringify(encode(analysis));
  const back = decode(JSON.parse(text), analysis.fetchedAtMs);
  return JSON.stringify(encode(back)) === text ? undefined : 'kept otherwise';
}

/** A cell's text begins so that it is no formula, and everything is short enough to be read. */
function faultOfFailure(failure: Failure): string | undefined {
  if (!isFailure(failure)) return 'no failure of the table';
  const { message, action = '' } = sentences(failure);
  const texts = [cellText(failure), message, action];
  if (!cellText(failure).startsWith('Not analyzed: ')) return 'without its prefix';
  if (texts.some((text) => text.length > 300)) return 'too long';
  return texts.some((text) => /\p{Cc}/u.test(text)) ? 'with control characters' : undefined;
}

/** No time that a service names is kept to for longer. */
const WAIT_MS_MAX = 3_600_000;

/** Nothing that a reply says stops a key for longer, but for a refusal of the key itself. */
const STOP_MS_MAX = 6 * 3_600_000;

/** Why an interpretation is not sound, or undefined. */
export function faultOf(read: Interpretation, nowMs: number): string | undefined {
  const text = JSON.stringify(read);
  if (secretsIn(text) > 0) return 'it holds the key';
  if (read.kind === 'lost') return undefined;
  if ('stop' in read && read.stop !== undefined) {
    const { reason, untilMs } = read.stop;
    if (!Number.isFinite(untilMs) || untilMs <= nowMs) return 'it stops the key until never';
    if (reason !== 'key-refused' && untilMs > nowMs + STOP_MS_MAX)
      return 'it stops the key too long';
  }
  if (read.kind === 'again' && 'waitMs' in read.failure) {
    const { waitMs = 0 } = read.failure;
    if (!(waitMs >= 0 && waitMs <= WAIT_MS_MAX)) return 'no wait';
  }
  if (read.kind !== 'answer') return faultOfFailure(read.failure);
  if (!read.answer.ok) return faultOfFailure(read.answer.failure);
  const { analysis } = read.answer;
  return (
    faultOfFigures(analysis) ??
    faultOfExtras(analysis) ??
    faultOfEstimates(analysis) ??
    faultOfStored(analysis)
  );
}
