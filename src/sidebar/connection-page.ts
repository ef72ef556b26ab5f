// What the sidebar's Connection page asks for: status, save, check, clear.

import { createEngine, type Engine } from '../analysis/engine';
import { type Failure, fail } from '../analysis/failure';
import { failureOfStop, interpret } from '../analysis/interpret';
import type { Product } from '../analysis/product';
import { recognise, sentFields } from '../analysis/schema';
import { analyzeRequest } from '../api/endpoint';
import { readReply } from '../api/reply';
import {
  type Connection,
  type ConnectionDraft,
  maskOf,
  wireMarket,
} from '../connection/connection';
import { type ConnectionStore, connectionStore } from '../connection/connection-store';
import type { Platform } from '../platform/ports';
import { described } from './described';
import type { CheckReport, ConnectionStatus } from './rpc-contract';
import { countWaiting } from './waiting-work';

/** A product that has long been sold; what a check asks for unless told otherwise. */
const CHECK_PRODUCT: Product = { asin: 'B07FZ8S74R', market: 'US' };

/** Somebody watches a check, so it does not wait long for a slot nor for a slow service. */
const CHECK_BOOK_MS = 20_000;
const CHECK_TIMEOUT_MS = 20_000;

/** Longest value shown in the table of what was recognised. */
const VALUE_CHARS = 80;

export interface ConnectionPage {
  status(): ConnectionStatus | Failure;
  save(draft: ConnectionDraft): ConnectionStatus | Failure;
  /** One real call. It also ends a stop, since somebody wants to see whether the key works again. */
  check(): CheckReport | Failure;
  clear(): ConnectionStatus | Failure;
}

export function connectionPage(platform: Platform): ConnectionPage {
  const store: ConnectionStore = connectionStore({
    ...platform,
    loopbackAllowed: __LOOPBACK_ALLOWED__,
  });

  function status(): ConnectionStatus | Failure {
    const stored = store.forPerson();
    if (stored.kind === 'none') return { connected: false };
    if (stored.kind === 'unreadable') return fail({ kind: 'settings-unreadable' });
    const { baseUrl, apiKey, quota, settings } = stored.connection;
    const { gate } = engineFor(platform, stored.connection);
    const [stop, learned] = [gate.stopped(), gate.learned()];
    return {
      connected: true,
      baseUrl,
      keyMask: maskOf(apiKey),
      quota,
      ...(learned === undefined ? {} : { learned }),
      sharing: stored.sharing,
      settings,
      waiting: countWaiting(platform, store),
      // Whose it is else cannot be known: the add-on has no permission to see e-mail addresses.
      ...(stored.own ? {} : { owner: null }),
      ...(stop === undefined
        ? {}
        : { stopped: described(failureOfStop(stop, platform.clock.nowMs())) }),
    };
  }

  return {
    status,
    save(draft) {
      const saved = store.save(draft);
      if (saved.kind === 'unreadable') return fail({ kind: 'settings-unreadable' });
      if (saved.kind !== 'saved') return fail({ kind: saved.kind, what: saved.what });
      engineFor(platform, saved.connection).gate.reopen();
      return status();
    },
    check() {
      const stored = store.forPerson();
      if (stored.kind === 'none') return fail({ kind: 'no-connection' });
      if (stored.kind === 'unreadable') return fail({ kind: 'settings-unreadable' });
      return checkOnce(engineFor(platform, stored.connection), CHECK_PRODUCT);
    },
    clear() {
      store.clear();
      return status();
    },
  };
}

function engineFor(platform: Platform, connection: Connection): Engine {
  const nowMs = platform.clock.nowMs();
  return createEngine(platform, connection, {
    bookUntilMs: nowMs + CHECK_BOOK_MS,
    endMs: nowMs + CHECK_BOOK_MS + CHECK_TIMEOUT_MS,
    callTimeoutMs: CHECK_TIMEOUT_MS,
    listsWaiting: false,
  });
}

function checkOnce(engine: Engine, product: Product): CheckReport | Failure {
  const { connection, gate, limits, platform } = engine;
  gate.reopen();
  const booking = gate.book(['check'], limits.bookUntilMs);
  if (booking.kind === 'stopped') return failureOfStop(booking.stop, platform.clock.nowMs());
  if (booking.kind !== 'go') return fail({ kind: 'waiting' });
  platform.clock.sleep(booking.atMs - platform.clock.nowMs());
  const sentMs = platform.clock.nowMs();
  const wire = wireMarket(connection, product.market);
  const request = analyzeRequest(connection, product.asin, wire, CHECK_TIMEOUT_MS / 1_000);
  const [outcome = { kind: 'unreachable' } as const] = platform.http.sendAll([request]);
  const nowMs = platform.clock.nowMs();
  const reply = readReply(outcome, connection.apiKey, nowMs);
  const read = interpret(reply, product, connection.settings, nowMs);
  if ('stop' in read && read.stop !== undefined)
    gate.stop(read.stop, ['check'], read.kind === 'again' ? 1 : 0);
  if (read.kind === 'split') return fail({ kind: 'unreachable' });
  if (read.kind !== 'answer') return read.failure;
  const known = read.answer.ok || read.answer.failure.kind === 'not-found';
  if (!known && !read.answer.ok) return read.answer.failure;
  return {
    ...product,
    latencyMs: nowMs - sentMs,
    recognised: reply.kind === 'answer' ? recognised(reply.json, connection) : [],
  };
}

/** Every field of the answer, what it was taken for, and its value as text. */
function recognised(json: unknown, { settings }: Connection): CheckReport['recognised'] {
  return sentFields(json).map(([name, value]) => ({
    name: name.slice(0, VALUE_CHARS),
    as:
      name.toLowerCase() === 'asin' ? 'asin' : (recognise([name, value], settings)?.field ?? null),
    value: shown(value),
  }));
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > VALUE_CHARS ? `${text.slice(0, VALUE_CHARS - 1)}…` : text;
}
