// What the sidebar's Connection page asks for: status, save, share, check, clear, samples on and off.

import { createEngine, type Engine } from '../analysis/engine';
import { type Failure, fail, isFailure } from '../analysis/failure';
import { googleUse } from '../analysis/google-use';
import { failureOfStop } from '../analysis/interpret';
import { readSightings, type Sighting } from '../analysis/sightings';
import { connectionIn } from '../analysis/stored-connection';
import { type NowWish, refreshNow } from '../bulk/schedule/formulas/refresh-now';
import { type Connection, type ConnectionDraft, maskOf } from '../connection/connection';
import {
  type ConnectionStore,
  connectionStore,
  type Findings,
} from '../connection/connection-store';
import { type Platform, Refused } from '../platform/ports';
import type { Spreadsheet } from '../platform/sheet-ports';
import { cellCallsIn } from '../quota/google-day';
import { described } from './described';
import { payerOf } from './payer';
import type {
  CheckReport,
  CheckWish,
  ConnectionMethods,
  ConnectionStatus,
  FormulaRefresh,
  ReadingFacts,
} from './rpc-contract';
import {
  CHECK_BOOK_MS,
  CHECK_TIMEOUT_MS,
  checkedProduct,
  checkService,
  tryMarkets,
} from './service-check';
import { exportedText, importedFrom } from './settings-text';
import { countWaiting } from './waiting-count';

export interface ConnectionPage {
  status(): ConnectionStatus | Failure;
  save(draft: ConnectionDraft): ConnectionStatus | Failure;
  share(wish: ConnectionMethods['connection.share']['payload']): ConnectionStatus | Failure;
  /** One real call. It also ends a stop, since somebody wants to see whether the key works again. */
  check(wish: CheckWish): CheckReport | Failure;
  clear(): ConnectionStatus | Failure;
  exportText(): ConnectionMethods['connection.export']['value'] | Failure;
  importText(text: string): ConnectionMethods['connection.import']['value'] | Failure;
  setDemo(isOn: boolean): ConnectionStatus | Failure;
  refresh(wish: NowWish, spreadsheet: Spreadsheet): FormulaRefresh | Failure;
}

export function connectionPage(platform: Platform): ConnectionPage {
  const store: ConnectionStore = connectionStore({
    ...platform,
    loopbackAllowed: __LOOPBACK_ALLOWED__,
  });

  function status(): ConnectionStatus | Failure {
    const stored = store.forPerson();
    // A damaged record is mended by connecting anew, for which the page has its form.
    if (stored.kind === 'none' || (stored.kind === 'unreadable' && !stored.isNewer))
      return { connected: false, demo: store.sharedKind() === 'demo' };
    const connection = connectionIn(stored);
    if (isFailure(connection)) return connection;
    const { baseUrl, apiKey, quota } = connection;
    const engine = engineFor(platform, connection);
    const { gate, scope } = engine;
    const [stop, learned] = [gate.stopped(), gate.learned()];
    const google = googleUse(engine, platform.clock.nowMs());
    return {
      connected: true,
      baseUrl,
      keyMask: maskOf(apiKey),
      quota,
      ...(learned === undefined ? {} : { learned }),
      sharing: stored.sharing,
      ...readingFacts(connection, readSightings(platform.cache, scope)),
      payer: payerOf(store),
      cellCalls: cellCalls(engine),
      googleCalls: google.calls,
      googlePropertyCalls: google.propertyCalls,
      waiting: countWaiting(platform, store),
      // Whose it is else cannot be known: the add-on has no permission to see e-mail addresses.
      ...(stored.own ? {} : { owner: null }),
      ...(stop === undefined
        ? {}
        : { stopped: described(failureOfStop(stop, platform.clock.nowMs())) }),
    };
  }

  /** Of the key that formulas use; where that is the owner's, who is not known, of the viewer's. */
  function cellCalls(viewers: Engine) {
    const cells = store.forCells();
    const engine = cells.kind === 'connection' ? engineFor(platform, cells.connection) : viewers;
    const usedToday = cellCallsIn(engine.gate.keyDay(), platform.clock.nowMs());
    return { perDay: engine.connection.cellsPerDay ?? null, usedToday };
  }

  function saved(draft: ConnectionDraft): Connection | Failure {
    const outcome = store.save(draft);
    if (outcome.kind === 'saved') return outcome.connection;
    if (outcome.kind === 'unreadable') return fail({ kind: 'settings-unreadable' });
    return outcome.kind === 'too-long'
      ? fail({ kind: 'bad-argument', what: 'the settings are too long to be kept. Shorten them' })
      : fail({ kind: outcome.kind, what: outcome.what });
  }

  function check(wish: CheckWish): CheckReport | Failure {
    const product = checkedProduct(wish);
    if (isFailure(product)) return product;
    const before = connected();
    if (isFailure(before)) return before;
    engineFor(platform, before).gate.reopen();
    let all: Findings = { found: {}, reasons: {} };
    const settled = ({ found, reasons, answered }: Findings) => {
      all = {
        found: { ...found, ...all.found },
        reasons: { ...reasons, ...all.reasons },
        ...((answered || all.answered) && { answered: true }),
      };
      return settledAs(before, all);
    };
    const trial = wish.tryMarkets
      ? tryMarkets(engineFor(platform, before), product.asin)
      : undefined;
    if (isFailure(trial)) return trial;
    const now = trial === undefined ? before : settled(trial.findings);
    if (isFailure(now)) return now;
    const checked = checkService(engineFor(platform, now), product);
    if (isFailure(checked)) return checked;
    const after = settled(checked.findings);
    if (isFailure(after)) return after;
    const tried = trial === undefined ? {} : { marketsTried: trial.tried };
    return { ...checked.report, ...readingFacts(after, checked.sightings), ...tried };
  }

  /** What an answer told is told on, also where Google does not take it: the call has been paid for. */
  function settledAs(connection: Connection, findings: Findings): Connection | Failure {
    const { found, reasons, answered } = findings;
    try {
      if ((answered && !connection.answered) || Object.keys(found).length > 0)
        store.settle(connection.fingerprint, findings);
      return connected();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return {
        ...connection,
        found: { ...found, ...connection.found },
        reasons: { ...reasons, ...connection.reasons },
      };
    }
  }

  function connected(): Connection | Failure {
    return connectionIn(store.forPerson());
  }

  /** Without the key the address may be anybody's, so it is stored only beside its own key. */
  function importText(text: string) {
    const stored = store.forPerson();
    const imported = importedFrom(text, stored.sharing);
    if (isFailure(imported)) return imported;
    const { draft, findings } = imported;
    const isHere =
      stored.own && stored.kind === 'connection' && stored.connection.baseUrl === draft.baseUrl;
    if (isHere) {
      const connection = saved(draft);
      if (isFailure(connection)) return connection;
      store.settle(connection.fingerprint, findings);
    }
    const now = status();
    return isFailure(now) ? now : { applied: isHere, draft, status: now };
  }

  return {
    status,
    importText,
    exportText() {
      const connection = connected();
      return isFailure(connection) ? connection : { text: exportedText(connection) };
    },
    save(draft) {
      const connection = saved(draft);
      if (isFailure(connection)) return connection;
      engineFor(platform, connection).gate.reopen();
      return status();
    },
    share(wish) {
      const stored = store.forPerson();
      if (!stored.own) return fail({ kind: 'no-connection' });
      const connection = connected();
      if (isFailure(connection)) return connection;
      const { baseUrl, quota } = connection;
      const failed = saved({ baseUrl, apiKey: '', quota, ...wish });
      return isFailure(failed) ? failed : status();
    },
    check,
    clear() {
      const connection = connected();
      if (!isFailure(connection)) engineFor(platform, connection).gate.leave();
      return store.clear() ? status() : fail({ kind: 'settings-unreadable' });
    },
    setDemo(isOn) {
      store.setDemo(isOn);
      return status();
    },
    refresh(wish, spreadsheet) {
      const report = refreshNow({ ...platform, spreadsheet }, wish);
      if (isFailure(report)) return report;
      const { problem, goesOnMs, ...counts } = report;
      const waitMs = (goesOnMs ?? 0) - platform.clock.nowMs();
      const why = goesOnMs === undefined ? problem : fail({ kind: 'google-limit', waitMs });
      return why === undefined ? counts : { ...counts, problem: described(why) };
    },
  };
}

const readingFacts = (
  { settings, found, reasons }: Connection,
  sightings: readonly Sighting[],
): ReadingFacts => ({ settings, found, reasons, sightings });

function engineFor(platform: Platform, connection: Connection): Engine {
  const nowMs = platform.clock.nowMs();
  return createEngine(platform, connection, {
    bookUntilMs: nowMs + CHECK_BOOK_MS,
    endMs: nowMs + CHECK_BOOK_MS + CHECK_TIMEOUT_MS,
    callTimeoutMs: CHECK_TIMEOUT_MS,
    listsWaiting: false,
  });
}
