// The methods of the Settings page: status, saving, sharing, checking, whose key is used,
// samples.

import * as z from 'zod/mini';
import {
  type Connection,
  type ConnectionDraft,
  type ConnectionSettings,
  connectionIn,
  draftSchema,
  maskOf,
  type Sharing,
} from '../../connection/connection';
import { type ConnectionStore, connectionStore } from '../../connection/connection-store';
import { type Engine, forgetOldDays } from '../../engine/engine';
import { waitingList } from '../../engine/waiting-list';
import { type Failure, fail, isFailure } from '../../failures/failure';
import { addRefreshArguments, type FollowReport } from '../../formulas/offer';
import { type FormulaReport, refreshNow, workMsSchema } from '../../formulas/refresh';
import { workOffWaiting } from '../../formulas/waiting';
import type { Platform } from '../../google/platform';
import type { LearnedRate } from '../../limit/limit';
import type { Quota } from '../../limit/pace';
import { renewLateClock } from '../../schedules/manage';
import { failureOfStop } from '../../service/response';
import { checkRequestSchema, connectionCheck, unfitness, watchedEngine } from './check';
import { defineApi, nothingSchema } from './define-api';
import { described, type RpcFailure } from './failure-view';

/** Whose key the formulas of this spreadsheet use. */
export interface KeyOwner {
  /**
   * yours: shared by the viewer · shared: by somebody else · copied: it came with a copy of the
   * spreadsheet, and nobody has allowed it here · owner: no key is shared, so it is the spreadsheet
   * owner's, who may be the viewer · samples: formulas answer only for samples.
   */
  readonly kind: 'yours' | 'shared' | 'copied' | 'owner' | 'samples';
  /** The end of the key that formulas use, if known: "…4f2a". */
  readonly keyMask?: string;
  /** The same as a whole sentence. */
  readonly text: string;
}

export type ConnectionStatus =
  | {
      readonly connected: false;
      /** Whether formulas of this spreadsheet answer for invented sample products. */
      readonly demo: boolean;
    }
  | {
      readonly connected: true;
      readonly baseUrl: string;
      /** The end of the key, "…4f2a"; the key itself never reaches the page. */
      readonly keyMask: string;
      readonly quota: Quota | null;
      /** Set if `quota` is null. */
      readonly learned?: LearnedRate;
      /** The service refused calls that arrived together, so they are sent one by one. */
      readonly isOneByOne?: true;
      readonly sharing: Sharing;
      /** How answers are read: as a check decided, or as a person has set. */
      readonly settings: ConnectionSettings;
      readonly payer: KeyOwner;
      /** Calls by formulas of this spreadsheet with the key that they use. */
      readonly cellCalls: { readonly perDay: number | null; readonly usedToday: number };
      /** The number of products that formulas of this spreadsheet could not ask for in time. */
      readonly waiting: number;
      /** Set if the key is not the viewer's own but was shared with this spreadsheet. */
      readonly isOthers?: true;
      /** Why no calls are made with this key at present, such as a refused key. */
      readonly stopped?: RpcFailure;
    };

/** A report whose problem is in words for the page. */
type InWords<Report> = Omit<Report, 'problem'> & {
  /** Why more time would not help. */
  readonly problem?: RpcFailure;
};

/** What one call of a refresh did. */
export type FormulaRefresh = InWords<FormulaReport>;

/** What one call did that adds refresh arguments. */
export type FormulaFollow = InWords<FollowReport>;

export function keyOwnerOf(store: ConnectionStore): KeyOwner {
  const cells = store.forCells();
  const person = store.forPerson();
  const stored = store.sharedKind();
  if (stored === 'unreadable') {
    const text = 'Formulas here have a shared key that this version cannot read.';
    return { kind: 'shared', text };
  }
  if (stored === 'demo') {
    const unless = "unless the spreadsheet's owner has connected a key";
    return { kind: 'samples', text: `Formulas here answer for samples, ${unless}.` };
  }
  if (stored === 'none' || cells.kind !== 'connection') {
    // In a cell Google uses the store of the spreadsheet's owner, and does not reveal who that is.
    const text =
      "Formulas use the owner's key, whoever edits. Not the owner? Share yours to use it here.";
    return { kind: 'owner', text };
  }
  const keyMask = maskOf(cells.connection.apiKey);
  if (store.isCopied()) {
    const text = `The original's key (${keyMask}) makes no calls here until you allow it.`;
    return { kind: 'copied', keyMask, text };
  }
  if (person.own && person.sharing === 'spreadsheet') {
    const text = `Formulas here use your key (${keyMask}), whoever edits the spreadsheet.`;
    return { kind: 'yours', keyMask, text };
  }
  const mine =
    person.own && person.kind === 'connection'
      ? ` Your runs use yours (${maskOf(person.connection.apiKey)}).`
      : '';
  const text = `Formulas here use the owner's key (${keyMask}).${mine}`;
  return { kind: 'shared', keyMask, text };
}

/** The number of products that wait for the connection of cells. */
function countWaiting({ cache }: Platform, store: ConnectionStore): number {
  const stored = store.forCells();
  if (stored.kind !== 'connection') return 0;
  const list = waitingList(cache, stored.connection.fingerprint).read();
  return list.reduce((sum, { products }) => sum + products.length, 0);
}

const connected = (store: ConnectionStore) => connectionIn(store.forPerson());

export function connectionStatus(platform: Platform): ConnectionStatus | Failure {
  const store = connectionStore(platform);
  const stored = store.forPerson();
  // A person repairs a damaged record by connecting again, for which the page shows its form.
  if (stored.kind !== 'connection')
    return { connected: false, demo: store.sharedKind() === 'demo' };
  const connection = connectionIn(stored);
  if (isFailure(connection)) return connection;
  const { baseUrl, apiKey, quota, settings } = connection;
  const engine = watchedEngine(platform, connection);
  const { gate } = engine;
  const stop = gate.stopped();
  const learned = gate.learned();
  return {
    connected: true,
    baseUrl,
    keyMask: maskOf(apiKey),
    quota,
    ...(learned === undefined ? {} : { learned }),
    ...(gate.isOneByOne() ? { isOneByOne: true as const } : {}),
    sharing: stored.sharing,
    settings,
    payer: keyOwnerOf(store),
    cellCalls: cellCalls(platform, store, engine),
    waiting: countWaiting(platform, store),
    ...(stored.own ? {} : { isOthers: true as const }),
    ...(stop === undefined
      ? {}
      : { stopped: described(failureOfStop(stop, platform.clock.nowMs())) }),
  };
}

/**
 * The day's calls of the key that formulas use. If that is the owner's key, which is unknown here,
 * the viewer's key stands in.
 */
function cellCalls(platform: Platform, store: ConnectionStore, viewers: Engine) {
  const cells = store.forCells();
  const engine = cells.kind === 'connection' ? watchedEngine(platform, cells.connection) : viewers;
  const usedToday = engine.gate.cellCallsToday();
  return { perDay: engine.connection.cellsPerDay ?? null, usedToday };
}

/** Saves a connection, and forgets the counts of earlier days. */
function saved(platform: Platform, draft: ConnectionDraft): Connection | Failure {
  forgetOldDays(platform);
  return connectionStore(platform).save(draft, __LOOPBACK_ALLOWED__);
}

/** Saves a draft. A key that is to replace one that works is tried first, or a typo would stop everyone. */
function savedIfFit(platform: Platform, draft: ConnectionDraft): Connection | Failure {
  const next = connectionStore(platform).replacement(draft, __LOOPBACK_ALLOWED__);
  if (isFailure(next)) return next;
  return (next && unfitness(platform, next)) ?? saved(platform, draft);
}

function share(platform: Platform, wish: Pick<ConnectionDraft, 'sharing' | 'cellsPerDay'>) {
  const store = connectionStore(platform);
  const stored = store.forPerson();
  if (!stored.own) return fail({ kind: 'no-connection' });
  const connection = connected(store);
  if (isFailure(connection)) return connection;
  const { baseUrl, quota } = connection;
  const failed = saved(platform, { baseUrl, apiKey: '', quota, ...wish });
  return isFailure(failed) ? failed : connectionStatus(platform);
}

function demo(platform: Platform, isOn: boolean) {
  connectionStore(platform).setDemo(isOn);
  return connectionStatus(platform);
}

function inWords<Report extends { readonly problem?: Failure }>(
  report: Report | Failure,
): InWords<Report> | Failure {
  if (isFailure(report)) return report;
  const { problem, ...counts } = report;
  return problem === undefined ? counts : { ...counts, problem: described(problem) };
}

/** Ends every stop of a key that a person has saved or wants to be tried again. */
function reopened(platform: Platform, connection: Connection | Failure) {
  if (isFailure(connection)) return connection;
  watchedEngine(platform, connection).gate.reopen();
  return connectionStatus(platform);
}

export const connectionApi = defineApi({
  'connection.status': {
    schema: nothingSchema,
    handler(platform) {
      // The sidebar calls this whenever it opens; its Schedule page tells what became of the clock.
      renewLateClock(platform);
      return connectionStatus(platform);
    },
  },
  'connection.save': {
    schema: draftSchema,
    handler: (platform, draft) => reopened(platform, savedIfFit(platform, draft)),
  },
  'connection.check': {
    schema: checkRequestSchema,
    handler: connectionCheck,
  },
  /** Forgets what the service has said about its limit, and any stop. Makes no call. */
  'connection.relearn': {
    schema: nothingSchema,
    handler: (platform) => reopened(platform, connected(connectionStore(platform))),
  },
  /**
   * Sets whether formulas here use the viewer's stored key and how many calls a day they may make.
   */
  'connection.share': {
    schema() {
      const { sharing, cellsPerDay } = draftSchema().shape;
      return z.strictObject({ sharing, cellsPerDay });
    },
    handler: share,
  },
  /** Allows the key that came with a copy of the spreadsheet. */
  'connection.useHere': {
    schema: nothingSchema,
    handler(platform) {
      connectionStore(platform).useHere();
      return connectionStatus(platform);
    },
  },
  'connection.clear': {
    schema: nothingSchema,
    handler(platform) {
      connectionStore(platform).clear();
      return connectionStatus(platform);
    },
  },
  /**
   * Without a key: lets formulas of this spreadsheet answer for invented samples until a key is
   * saved.
   */
  'demo.start': { schema: nothingSchema, handler: (platform) => demo(platform, true) },
  'demo.stop': { schema: nothingSchema, handler: (platform) => demo(platform, false) },
  /** Asks for the products that formulas are waiting for, for at most `maxMs`. */
  'waiting.work': {
    schema: () => z.strictObject({ maxMs: workMsSchema() }),
    handler: (platform, { maxMs }) => workOffWaiting(platform, maxMs),
  },
  /**
   * Refreshes formulas for at most `maxMs`; the next call continues with what is left. `onlyFailed`:
   * nothing is asked where all of them show figures.
   */
  'formulas.refresh': {
    schema: () => z.strictObject({ maxMs: workMsSchema(), onlyFailed: z.boolean() }),
    handler: (platform, wish): FormulaRefresh | Failure => inWords(refreshNow(platform, wish)),
  },
  /** Adds the refresh argument to formulas without one, for at most `maxMs`. */
  'formulas.follow': {
    schema: () => z.strictObject({ maxMs: workMsSchema() }),
    handler: (platform, wish): FormulaFollow | Failure =>
      inWords(addRefreshArguments(platform, wish)),
  },
});
