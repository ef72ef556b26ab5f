// A check of the connection: one real call, what its answer reveals, and what is settled from it
// for all cells.

import * as z from 'zod/mini';
import {
  type Connection,
  type ConnectionSettings,
  readingOf,
  typedSchema,
  wireMarket,
} from '../../connection/connection';
import type { Findings } from '../../connection/connection-store';
import { callOnce, type Exchange } from '../../engine/call';
import type { Engine } from '../../engine/engine';
import { type Failure, fail, isFailure } from '../../failures/failure';
import { type Product, readAsin, USUAL_ASIN } from '../../product/asin';
import { DEFAULT_MARKET, MARKETS, marketRow } from '../../product/market';
import { type Fits, lazySchema } from '../../schema/lazy-schema';
import { newsIn, type Observation, observationsIn } from '../../service/calibration';
import { recognise, sentFields } from '../../service/find-analysis';
import {
  AGREEING_MIN,
  type CountedObservation,
  readObservations,
  settleable,
} from '../../service/observations';
import { OTHER_MARKET, readAnalysis } from '../../service/parse-analysis';
import type { Interpretation } from '../../service/response';

/** How answers are read and why. The page puts it into words. */
export interface ReadingFacts {
  /** What a person has set, which takes precedence over what was found. */
  readonly settings: ConnectionSettings;
  /** What answers have revealed, each with a whole sentence of reason. */
  readonly found: ConnectionSettings;
  readonly reasons: Connection['reasons'];
  /** What answers revealed that is not settled, or is settled differently. */
  readonly observations: readonly CountedObservation[];
}

interface RecognisedField {
  /** As the service sent it. */
  readonly name: string;
  /** Our field, or null if we have none for it. */
  readonly as: string | null;
  readonly value: string;
  /** What a cell shows if that differs, such as another unit or a blank. */
  readonly shown?: string | number | boolean | null;
}

/**
 * The result of a check. The facts include its findings, which are already stored. What its answer
 * contradicts is only in the observations.
 */
export interface CheckReport extends ReadingFacts {
  readonly asin: string;
  readonly market: string;
  readonly latencyMs: number;
  /** Empty if the service does not know the product. */
  readonly recognised: readonly RecognisedField[];
  /** With `tryMarkets`: each name of the UK in the order in which it was tried. */
  readonly marketsTried?: readonly { readonly value: string; readonly accepted: boolean }[];
}

/** A request for one real call, for a product of the person's own if `asin` is given. */
export const checkRequestSchema = lazySchema(() =>
  z.strictObject({
    /** An ASIN, an ISBN or a link, as in a cell. */
    asin: z.exactOptional(typedSchema()),
    market: z.exactOptional(z.literal(MARKETS)),
    /**
     * Also asks for a UK product under other names of the market until one is accepted, which takes
     * a few more calls.
     */
    tryMarkets: z.exactOptional(z.literal(true)),
  }),
);

export type CheckRequest = Fits<typeof checkRequestSchema>;

/** A person is watching the check, so it does not wait long for a slot or for a slow service. */
export const CHECK_BOOK_MS = 20_000;
export const CHECK_TIMEOUT_MS = 20_000;

/** Limits of the table of recognised fields: nobody reads longer values or more rows. */
const VALUE_CHARS = 80;
const ROWS_MAX = 60;

export interface Check {
  readonly findings: Findings;
  readonly report: Omit<CheckReport, keyof ReadingFacts>;
  /** Earlier observations, and whatever in this answer contradicts what is settled. */
  readonly observations: readonly CountedObservation[];
}

type Asked = Exchange & { readonly latencyMs: number };

/** The product that the check should ask for. */
export function checkedProduct({ asin = USUAL_ASIN, market }: CheckRequest): Product | Failure {
  const read = readAsin(asin);
  return isFailure(read)
    ? read
    : { asin: read.asin, market: market ?? read.market ?? DEFAULT_MARKET };
}

/** Asks for the product once through the gate and reports what the answer reveals. */
export function checkService(engine: Engine, product: Product): Check | Failure {
  const { connection, platform, scope } = engine;
  const asked = askOnce(engine, product, wireMarket(connection, product.market));
  if (isFailure(asked)) return noted(engine, asked);
  const { reply, latencyMs } = asked;
  const failure = failureIn(asked.read);
  if (failure !== undefined && failure.kind !== 'not-found') return noted(engine, failure);
  // If prices have names of their own, the unit of ROI can be found once those names are known.
  const first = toldIn(asked, connection);
  const told = toldIn(asked, settledWith(connection, findingsOf(first, connection)));
  const seen = readObservations(platform.cache, scope);
  const findings = findingsOf([...first, ...told, ...agreed(seen, connection)], connection);
  const reading = readingOf(settledWith(connection, findings));
  const news = newsIn(told, reading).map((one) => ({ ...one, count: 1, asin: product.asin }));
  return {
    findings: { ...findings, ...(failure === undefined && { answered: true }) },
    report: {
      ...product,
      latencyMs,
      recognised: reply.kind === 'answer' ? recognised(reply.json, product, reading) : [],
    },
    observations: merged(news, seen),
  };
}

function settledWith(connection: Connection, { found }: Findings): Connection {
  return { ...connection, found: { ...found, ...connection.found } };
}

function toldIn({ product, reply }: Asked, connection: Connection): readonly Observation[] {
  if (reply.kind !== 'answer') return [];
  const reading = readingOf(connection);
  const analysis = readAnalysis(reply.json, product, reading, 0);
  return isFailure(analysis) ? [] : observationsIn(reply.json, analysis, reading);
}

/** What earlier answers agree on. */
function agreed(
  seen: readonly CountedObservation[],
  connection: Connection,
): readonly Observation[] {
  return settleable(seen, readingOf(connection)).map((one) => ({
    ...one,
    why: `${one.count} answers agree, and at least ${AGREEING_MIN} had to. ${one.why}`,
  }));
}

function merged(
  news: readonly CountedObservation[],
  seen: readonly CountedObservation[],
): readonly CountedObservation[] {
  const isNew = (one: CountedObservation) =>
    !seen.some((known) => known.setting === one.setting && known.value === one.value);
  return [...seen, ...news.filter(isNew)];
}

/** The findings for settings that are still open; the first observation of each counts. */
function findingsOf(told: readonly Observation[], connection: Connection): Findings {
  const reading = readingOf(connection);
  const open = told.filter(({ setting }) => reading[setting] === undefined);
  const first = new Map([...open].reverse().map((one) => [one.setting, one] as const));
  const of = (part: 'value' | 'why') =>
    Object.fromEntries([...first].map(([setting, one]) => [setting, one[part]]));
  return { found: of('value'), reasons: of('why') };
}

/** Makes the call once more if Google did not make it or lost its answer. */
function askOnce(engine: Engine, product: Product, wire: string): Asked | Failure {
  const question = { product, wire };
  const asked = callOnce(engine, question);
  const isLost = !isFailure(asked) && asked.reply.kind === 'google-busy';
  return isLost ? callOnce(engine, question) : asked;
}

/** Notes the failure that ends a check in the support report, as every door does. */
function noted({ trouble }: Engine, failure: Failure): Failure {
  trouble.noteFailures([failure]);
  return failure;
}

function failureIn(read: Interpretation): Failure | undefined {
  if (read.kind === 'split') return fail({ kind: 'unreachable' });
  if (read.kind !== 'answer') return read.failure;
  return read.answer.ok ? undefined : read.answer.failure;
}

/** The names of the UK that were tried, and the one that is settled if the answers decide it. */
export interface MarketTrial {
  readonly tried: NonNullable<CheckReport['marketsTried']>;
  readonly findings: Findings;
}

/**
 * Asks for a UK product under one name of the market after another until one is answered. It is
 * also decided if the service rejects one name and, under another, merely does not know the
 * product.
 */
export function tryMarkets(engine: Engine, asin: string): MarketTrial | Failure {
  const product: Product = { asin, market: 'UK' };
  const names = [...new Set([wireMarket(engine.connection, 'UK'), ...marketRow('UK').wireNames])];
  const tried: { value: string; outcome: 'answered' | 'unknown' | 'rejected' }[] = [];
  for (const value of names) {
    const asked = askOnce(engine, product, value);
    if (isFailure(asked)) return noted(engine, asked);
    const outcome = outcomeOf(asked);
    if (typeof outcome !== 'string') return noted(engine, outcome);
    tried.push({ value, outcome });
    const hasRejected = tried.some((one) => one.outcome === 'rejected');
    const unknown = tried.filter((one) => one.outcome === 'unknown').length;
    if (outcome === 'answered' || (unknown > 0 && hasRejected) || unknown > 1) break;
  }
  const told = tried.some((one) => one.outcome === 'rejected');
  const best =
    tried.find((one) => one.outcome === 'answered') ??
    (told ? tried.find((one) => one.outcome === 'unknown') : undefined);
  return {
    tried: tried.map(({ value }) => ({ value, accepted: value === best?.value })),
    findings: marketFindings(best?.value, tried.length),
  };
}

function marketFindings(value: string | undefined, count: number): Findings {
  if (value === undefined) return { found: {}, reasons: {} };
  const why = count > 1 ? `Of ${count} names tried, this one was accepted.` : 'It was accepted.';
  return { found: { ukMarket: value }, reasons: { ukMarket: why } };
}

function outcomeOf({ read }: Asked) {
  const failure = failureIn(read);
  if (failure === undefined) return 'answered';
  // A service that does not understand our name of a market may answer for its default one.
  if (failure.kind === 'not-understood' && failure.what === OTHER_MARKET) return 'rejected';
  // A refusal without a message looks like a web server that does not know the path.
  if (failure.kind === 'not-found' || failure.kind === 'wrong-address') return 'unknown';
  return failure.kind === 'rejected' ? 'rejected' : failure;
}

/**
 * Every field of the answer, the field it was recognised as, and its value as text. If there are
 * too many, recognised ones come first.
 */
function recognised(
  json: unknown,
  product: Product,
  reading: ConnectionSettings,
): CheckReport['recognised'] {
  const analysis = readAnalysis(json, product, reading, 0);
  if (isFailure(analysis)) return [];
  const { figures } = analysis;
  const rows = sentFields(json, reading).map(([name, value]) => {
    const field = recognise([name, value], reading)?.field;
    const as = name.toLowerCase() === 'asin' ? 'asin' : (field ?? null);
    const isSame = field === undefined || figures[field] === value;
    const other = isSame ? {} : { shown: figures[field] };
    return { name: name.slice(0, VALUE_CHARS), as, value: shown(value), ...other };
  });
  if (rows.length <= ROWS_MAX) return rows;
  const isKnown = (row: { readonly as: string | null }) => row.as !== null;
  return [...rows.filter(isKnown), ...rows.filter((row) => !isKnown(row))].slice(0, ROWS_MAX);
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > VALUE_CHARS ? `${text.slice(0, VALUE_CHARS - 1)}…` : text;
}
