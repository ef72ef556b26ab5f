// A check of the connection: one real call, and what its answer decides about how all answers of
// the service are read.

import * as z from 'zod/mini';
import {
  type Connection,
  type ConnectionSettings,
  connectionIn,
  typedSchema,
} from '../../connection/connection';
import { connectionStore } from '../../connection/connection-store';
import { callOnce, type Exchange } from '../../engine/call';
import { engineOf } from '../../engine/doors';
import type { Engine } from '../../engine/engine';
import { type Failure, fail, isFailure } from '../../failures/failure';
import type { Platform } from '../../google/platform';
import { type Product, readAsin, USUAL_ASIN } from '../../product/asin';
import type { Figures } from '../../product/fields';
import { DEFAULT_MARKET, MARKETS } from '../../product/market';
import { type Fits, lazySchema } from '../../schema/stored-record';
import { type DialectQuestion, decideDialect } from '../../service/dialect';
import { recognise, type Sent } from '../../service/find-analysis';
import type { Interpretation } from '../../service/response';

interface RecognisedField {
  /** As the service sent it. */
  readonly name: string;
  /** Our field, or null if we have none for it. */
  readonly as: string | null;
  readonly value: string;
}

/** The result of a check. What it decided is already stored. */
export interface CheckReport {
  readonly asin: string;
  readonly market: string;
  readonly latencyMs: number;
  /** The figures as sent, in the service's units; null if the service does not know the product. */
  readonly sent: Figures | null;
  /** How answers are read from now on. */
  readonly settings: ConnectionSettings;
  /** What the answer leaves open; empty for a key that somebody else shared. */
  readonly questions: readonly DialectQuestion[];
  /** Every member of the answer. */
  readonly recognised: readonly RecognisedField[];
}

/** A request for one real call, for a product of the person's own if `asin` is given. */
export const checkRequestSchema = lazySchema(() =>
  z.strictObject({
    /** An ASIN, an ISBN or a link, as in a cell. */
    asin: z.exactOptional(typedSchema()),
    market: z.exactOptional(z.literal(MARKETS)),
  }),
);

export type CheckRequest = Fits<typeof checkRequestSchema>;

/**
 * A person is watching the check, so it does not wait long for a slow service. For a slot it waits
 * longer than a crowd of cells lives, 30 s.
 */
const BOOK_MS = 40_000;

/** Limits of the table of recognised fields: nobody reads longer values or more rows. */
const VALUE_CHARS = 80;
const ROWS_MAX = 60;

/** For calls that a person watches, and for looks at the gate. */
export function watchedEngine(platform: Platform, connection: Connection, isOwn = true): Engine {
  const untilMs = platform.clock.nowMs() + BOOK_MS;
  return engineOf(platform, 'watched', connection, { isOwn, untilMs });
}

/**
 * Makes one real call and stores what its answer decides, for a key of the person's own. It first
 * ends a stop, because the person wants to know whether the key works again.
 */
export function connectionCheck(platform: Platform, wish: CheckRequest): CheckReport | Failure {
  const product = checkedProduct(wish);
  if (isFailure(product)) return product;
  const store = connectionStore(platform);
  const stored = store.forPerson();
  const connection = connectionIn(stored);
  if (isFailure(connection)) return connection;
  watchedEngine(platform, connection).gate.reopen();
  const engine = watchedEngine(platform, connection, stored.own);
  const checked = checkProduct(engine, product, stored.own);
  if (isFailure(checked)) return checked;
  const { report, decided } = checked;
  if (stored.own) store.decide(connection.fingerprint, decided, report.sent !== null);
  return report;
}

/**
 * Makes one real call with a connection that is to replace one that works, and tells why it must not:
 * the service refuses the key, or the address leads elsewhere. What passes, such as an outage or a
 * plan that is used up, stands against no key.
 */
export function unfitness(platform: Platform, connection: Connection): Failure | undefined {
  const market = connection.settings.defaultMarket ?? DEFAULT_MARKET;
  const engine = watchedEngine(platform, connection);
  engine.gate.reopen();
  const asked = askOnce(engine, { asin: USUAL_ASIN, market });
  const failure = isFailure(asked) ? asked : failureIn(asked.read);
  if (failure !== undefined) noted(engine, failure);
  if (failure?.kind === 'key-refused') return fail({ kind: 'bad-key', why: 'refused' });
  if (failure?.kind === 'wrong-address') return fail({ kind: 'bad-address', why: 'no-service' });
  return undefined;
}

/** The product that the check should ask for. */
function checkedProduct({ asin = USUAL_ASIN, market }: CheckRequest): Product | Failure {
  const read = readAsin(asin);
  return isFailure(read)
    ? read
    : { asin: read.asin, market: market ?? read.market ?? DEFAULT_MARKET };
}

/**
 * Asks for the product once through the gate and decides how its answer is read.
 *
 * @param isOwn false for a key that somebody else shared: its owner has decided.
 */
function checkProduct(
  engine: Engine,
  product: Product,
  isOwn: boolean,
): { readonly report: CheckReport; readonly decided: ConnectionSettings } | Failure {
  const before = engine.connection.settings;
  const asked = askOnce(engine, product);
  if (isFailure(asked)) return noted(engine, asked);
  const { received, latencyMs } = asked;
  const failure = failureIn(asked.read);
  if (failure?.kind === 'not-found') {
    const nothing = { sent: null, questions: [], recognised: [] };
    return { report: { ...product, latencyMs, settings: before, ...nothing }, decided: {} };
  }
  // Other units than before are what a check decides.
  if (failure !== undefined && !(isOwn && failure.kind === 'other-units'))
    return noted(engine, failure);
  const members = received.kind === 'response' ? received.found.sent : [];
  const { dialect, questions, sent } = decideDialect(members, before);
  const settings = isOwn ? { ...before, ...dialect } : before;
  return {
    report: {
      ...product,
      latencyMs,
      sent,
      settings,
      questions: isOwn ? questions : [],
      recognised: recognisedIn(members, settings),
    },
    decided: dialect,
  };
}

type TimedExchange = Exchange & { readonly latencyMs: number };

/** Makes the call once more if Google did not make it or lost its answer. */
function askOnce(engine: Engine, product: Product): TimedExchange | Failure {
  const asked = callOnce(engine, product);
  const isLost = !isFailure(asked) && asked.received.kind === 'google-busy';
  return isLost ? callOnce(engine, product) : asked;
}

/** Notes the failure that ends a check in the support report, as every door does. */
function noted({ trouble }: Engine, failure: Failure): Failure {
  trouble.noteFailures([failure]);
  return failure;
}

function failureIn(read: Interpretation): Failure | undefined {
  if (read.kind === 'lost') return fail({ kind: 'unreachable' });
  if (read.kind !== 'answer') return read.failure;
  return read.answer.ok ? undefined : read.answer.failure;
}

/**
 * Every field of the answer, the field it was recognised as, and its value as text. If there are
 * too many, recognised ones come first.
 */
function recognisedIn(
  members: readonly Sent[],
  settings: ConnectionSettings,
): CheckReport['recognised'] {
  const rows = members.map(([name, value]) => {
    const field = recognise([name, value], settings)?.field;
    const as = name.toLowerCase() === 'asin' ? 'asin' : (field ?? null);
    return { name: name.slice(0, VALUE_CHARS), as, value: shown(value) };
  });
  if (rows.length <= ROWS_MAX) return rows;
  const isKnown = (row: { readonly as: string | null }) => row.as !== null;
  return [...rows.filter(isKnown), ...rows.filter((row) => !isKnown(row))].slice(0, ROWS_MAX);
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > VALUE_CHARS ? `${text.slice(0, VALUE_CHARS - 1)}…` : text;
}
