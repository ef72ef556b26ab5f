// The methods of the Connection page: status, saving, sharing, checking, whose key, settings as text, samples.

import * as z from 'zod/mini';
import {
  CONNECTION_VERSION,
  type Connection,
  type ConnectionDraft,
  connectionIn,
  exportedSchema,
  isDemo,
  maskOf,
  migrated,
  readingOf,
  versionOf,
} from '../../connection/connection';
import {
  type ConnectionStore,
  connectionStore,
  type Findings,
  type Sharing,
} from '../../connection/connection-store';
import { SAMPLE_ASINS } from '../../engine/analyze';
import { createEngine, type Engine, googleUse } from '../../engine/engine';
import { waitingList } from '../../engine/waiting-list';
import { type Failure, fail, isFailure } from '../../failures/failure';
import { type NowWish, refreshNow } from '../../formulas/refresh';
import {
  type FilledRange,
  type FreeSheet,
  type Platform,
  Refused,
  type Spreadsheet,
} from '../../platform/ports';
import { DEFAULT_FIELDS } from '../../product/fields';
import { DEFAULT_MARKET } from '../../product/market';
import { cellCallsIn } from '../../quota/google-limits';
import { readSightings, type Sighting } from '../../service/observations';
import { failureOfStop } from '../../service/response';
import type { ColumnKey } from '../../table/columns';
import { formatOf } from '../../table/formats';
import { CHECK_BOOK_MS, CHECK_TIMEOUT_MS, checkedProduct, checkService, tryMarkets } from './check';
import type {
  CheckReport,
  CheckWish,
  ConnectionMethods,
  ConnectionStatus,
  FormulaRefresh,
  Payer,
  ReadingFacts,
} from './connection-contract';
import { described } from './failure-view';

export function payerOf(store: ConnectionStore): Payer {
  const [cells, person] = [store.forCells(), store.forPerson()];
  if (store.sharedKind() === 'unreadable') {
    const text = 'Formulas here have a shared key that this version of the add-on cannot read.';
    return { kind: 'shared', text };
  }
  if (store.sharedKind() !== 'connection' || cells.kind !== 'connection') return unshared(store);
  const keyMask = maskOf(cells.connection.apiKey);
  if (person.own && person.sharing === 'spreadsheet') {
    const text = `Formulas here use your key, ends in ${keyMask}, whoever edits the spreadsheet.`;
    return { kind: 'yours', keyMask, text };
  }
  const mine =
    person.own && person.kind === 'connection'
      ? ` Your own runs use yours, ends in ${maskOf(person.connection.apiKey)}.`
      : '';
  const text = `Formulas here use the key of the owner, ends in ${keyMask}.${mine}`;
  return { kind: 'shared', keyMask, text };
}

/** In a cell Google gives the store of the spreadsheet's owner, and nobody is told who that is. */
function unshared(store: ConnectionStore): Payer {
  if (store.sharedKind() === 'demo') {
    const unless = "unless the spreadsheet's owner has connected a key";
    return { kind: 'samples', text: `Formulas here answer for samples, ${unless}.` };
  }
  const text = "Formulas use the owner's key. Not the owner? Share yours to use it here.";
  return { kind: 'owner', text };
}

/** For the connection that cells use. */
function countWaiting({ cache, lock }: Platform, store: ConnectionStore): number {
  const stored = store.forCells();
  if (stored.kind !== 'connection') return 0;
  const list = waitingList(cache, lock, stored.connection.fingerprint).read();
  return list.reduce((sum, { products }) => sum + products.length, 0);
}

/** What the text holds of a record; members that name a person or a key stay behind. */
function exportedText({
  version,
  baseUrl,
  quota,
  settings,
  found,
  reasons,
  cellsPerDay,
}: Connection): string {
  const exported = { version, baseUrl, quota, settings, found, reasons, cellsPerDay };
  return JSON.stringify(exported, null, 2);
}

interface Imported {
  readonly draft: ConnectionDraft;
  readonly findings: Findings;
}

/** An exported text of this version or an older one as a draft without a key. */
function importedFrom(text: string, sharing: Sharing): Imported | Failure {
  const record = migrated(parsed(text));
  if (versionOf(record) > CONNECTION_VERSION) return fail({ kind: 'settings-unreadable' });
  const read = z.safeParse(exportedSchema(), record);
  if (!read.success) {
    const what = 'this text holds no settings. Paste the whole text that was exported';
    return fail({ kind: 'bad-argument', what });
  }
  const { baseUrl, quota, settings, found, reasons, cellsPerDay = null } = read.data;
  return {
    draft: { baseUrl, apiKey: '', quota, settings, sharing, cellsPerDay },
    findings: { found, reasons },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Products that have long been sold; the first is the one that a check asks for. */
const KNOWN_ASINS = ['B07FZ8S74R', 'B08C1W5N87', 'B07XJ8C8F5', 'B00MNV8E0C', 'B08N5WRWNW'];

/** Rows above the products: what this is, and the headers. */
const HEAD_ROWS = 2;

/** What formulas of one argument show. */
const FIELDS = DEFAULT_FIELDS as readonly ColumnKey[];

export function insertSampleRows(platform: Platform, sheet: FreeSheet): FilledRange | Failure {
  const store = connectionStore({ ...platform, loopbackAllowed: __LOOPBACK_ALLOWED__ });
  const connection = connectionIn(store.forCells());
  if (isFailure(connection)) return connection;
  const [title, note, asins] = isDemo(connection)
    ? ['Samples', 'Samples: invented products, not real figures', SAMPLE_ASINS]
    : ['Try it', 'Change an ASIN below, or add your own', KNOWN_ASINS];
  // As wide as the figures will be, so that there is room for them.
  const blanks = FIELDS.slice(1).map(() => '');
  const head = ['ASIN', '=ANALYZE_FIELDS()', ...blanks];
  const look = { headRows: HEAD_ROWS, formats: formatsFor(connection) };
  const filled = sheet.fill(title, [[note], head, ...rowsOf(asins)], look);
  if (filled === 'full') return fail({ kind: 'run', why: 'full', what: '' });
  if (filled === 'protected') return fail({ kind: 'protected' });
  return filled;
}

/** One formula answers all rows. It has one argument: what separates two depends on the locale. */
function rowsOf(asins: readonly string[]): readonly (readonly string[])[] {
  const last = HEAD_ROWS + asins.length;
  const formula = `=ANALYZE(A${HEAD_ROWS + 1}:A${last})`;
  return asins.map((asin, i) => (i === 0 ? [asin, formula] : [asin]));
}

/** Formulas give ROI as a fraction once its unit is settled. */
function formatsFor(connection: Connection): readonly string[] {
  const { roiUnit } = readingOf(connection);
  const isFraction = isDemo(connection) || roiUnit !== undefined;
  const market = connection.settings.defaultMarket ?? DEFAULT_MARKET;
  return FIELDS.map((field) => formatOf(field, market, isFraction));
}

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
      ...(gate.wantsCallsApart() ? { isOneByOne: true as const } : {}),
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
