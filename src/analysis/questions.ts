// Questions: what each row of a formula asks for, read from its arguments before anything is called.

import { isBlank, readAsin } from './asin';
import { besideEach, cellsOf, tooLarge } from './cells';
import { type Failure, isFailure } from './failure';
import { readMarket } from './market';
import type { Market, Product } from './product';
import { isStampText } from './stamp';

/** A product whose market may still be the spreadsheet's default. */
export interface Wanted {
  readonly asin: string;
  readonly market: Market | null;
}

/** One row: a product, why its cell names none, or null for a blank cell. */
export type Question = Wanted | Failure | null;

export function isWanted(question: Question): question is Wanted {
  return question !== null && !isFailure(question);
}

/**
 * The questions in order, one for each cell of `asin`, or the failure of the arguments as a whole.
 * A market that is left out is the link's, else the spreadsheet's default.
 */
export function readQuestions(asin: unknown, market: unknown): readonly Question[] | Failure {
  const asins = cellsOf(asin);
  const large = tooLarge(asins);
  if (large !== undefined) return large;
  const markets = besideEach(market, asins.length, 'markets');
  return isFailure(markets) ? markets : asins.map((cell, i) => readQuestion(cell, markets[i]));
}

function readQuestion(asin: unknown, market: unknown): Question {
  if (isBlank(asin)) return null;
  const reading = readAsin(asin);
  if (isFailure(reading)) return reading;
  const chosen = isBlank(market) ? reading.market : readMarket(market);
  return isFailure(chosen) ? chosen : { asin: reading.asin, market: chosen };
}

/** The product that is wanted, on a connection with these settings. */
export function productOf({ asin, market }: Wanted, defaultMarket: Market = 'US'): Product {
  return { asin, market: market ?? defaultMarket };
}

/**
 * A refresh argument as a demand: a date or time means "not older", anything else is only a text. A
 * stamp of a refreshed formula demands nothing: its answer was asked for before the stamp was set.
 */
export function readRefresh(refresh: unknown, nowMs: number) {
  if (refresh === undefined || refresh === null || refresh === '') return {};
  if (isStampText(refresh)) return {};
  const isMoment = refresh instanceof Date && !Number.isNaN(refresh.getTime());
  if (!isMoment) return { tag: String(refresh).slice(0, 60) };
  // A moment still to come cannot be waited for in a cell: until then it is a text like any other.
  const isPast = refresh.getTime() <= nowMs;
  return isPast ? { notBeforeMs: refresh.getTime() } : { tag: refresh.toISOString() };
}
