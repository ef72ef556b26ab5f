// The probes' door in the menu: times, permissions, what Google refuses; and the sheet for those in cells.

import { homeHere } from '../bulk/schedule/home';
import { spreadsheetCache } from '../platform/apps-script/cache';
import { appsScriptDigest } from '../platform/apps-script/digest';
import { appsScriptHttp } from '../platform/apps-script/http';
import { appsScriptPlatform } from '../platform/apps-script/platform';
import {
  authorisation,
  emptyPlaces,
  makeSheet,
  NO_ADDRESS,
  onScratch,
  type PlaceName,
  type Provoked,
  provoke,
  removeById,
  removeSheets,
  SCRATCH,
  saidBy,
  timeHiddenRows,
  timeProperties,
  writePlace,
} from '../platform/apps-script/probes';
import { appsScriptSpreadsheet } from '../platform/apps-script/spreadsheet';
import { documentStore } from '../platform/apps-script/store';
import { appsScriptTriggers } from '../platform/apps-script/triggers';
import { showDialog, showMessage } from '../platform/apps-script/ui';
import { leaveClock } from './probe-clock';
import { probeDialog } from './probe-page';
import { probeReport } from './probe-report';
import { LOG_CELLS, type Probe, probes } from './probe-table';

const TITLE = 'Probes';

/** Runs what a click can find out, makes the sheet for the rest, and shows the report. */
export function runProbes(): void {
  const platform = appsScriptPlatform();
  const nonce = `n${platform.random.next()}`;
  const home = homeHere({ digest: appsScriptDigest(), spreadsheet: appsScriptSpreadsheet() });
  // Before the cells are there: while they compute, everything else of the spreadsheet waits.
  const found = Object.fromEntries(
    probes()
      .filter(({ where }) => where === 'menu')
      .map(({ id }) => [id, guarded(() => foundByMenu(id))]),
  );
  const shared: readonly PlaceName[] = [
    ...(['document cache', 'common cache', 'document properties', 'user properties'] as const),
  ];
  for (const name of shared) guarded(() => writePlace(name, nonce));
  guarded(() => writePlace('home', home));
  makeSheet(
    home,
    probes().map((probe, i) => ({
      where: probe.where,
      id: probe.id,
      expected: probe.expected,
      formula: probe.formula?.(i + 2, nonce) ?? '',
      found: found[probe.id] ?? '',
      input: probe.input ?? '',
      formats: probe.formats ?? ['', ''],
    })),
    Array.from({ length: LOG_CELLS }, (_, i) => `=PROBE("many",${i + 1})`),
  );
  showProbes();
}

/** Shows what is found so far; the page of the report runs the probes of the page. */
export function showProbes(): void {
  const report = probeReport();
  try {
    showDialog(probeDialog(report), TITLE);
  } catch (error) {
    showMessage(`${saidBy(error)}\n\n${report}`, TITLE);
  }
}

/** Leaves nothing behind: no sheet, no property, no trigger. */
export function removeProbes(): void {
  leaveClock();
  removeSheets();
  emptyPlaces();
  showMessage('The probes are gone: their sheets, settings and trigger.', TITLE);
}

/** One probe that fails hides no other. */
function guarded(work: () => unknown): string {
  try {
    const found = work();
    return typeof found === 'string' ? found : '';
  } catch (error) {
    return `the probe failed: ${saidBy(error)}`;
  }
}

const REFUSAL = /^refusal: (.*)/;

function foundByMenu(id: Probe['id']): string {
  const [, refused] = REFUSAL.exec(id) ?? [];
  if (refused !== undefined) return foundByRefusal(refused as Provoked);
  switch (id) {
    case 'authorisation':
      return authorisation();
    case 'hidden rows':
      return `${onScratch(timeHiddenRows)} ms`;
    default: {
      const { tookMs, bytes } = timeProperties();
      return `${tookMs} ms for ${Math.round(bytes / 1_000)} KB`;
    }
  }
}

/** What the add-on's own adapter took it for, and Google's own words. */
function foundByRefusal(what: Provoked): string {
  const words = onScratch((sheetId) => provoke(what, sheetId));
  const taken = guarded(() => onScratch((sheetId) => takenFor(what, sheetId)));
  return `taken for "${taken}": ${words}`;
}

const FIRST_CELL = { row: 1, column: 1, rowCount: 1, columnCount: 1 };

function takenFor(what: Provoked, sheetId: number): string {
  const spreadsheet = appsScriptSpreadsheet();
  const sheet = spreadsheet.sheet(sheetId);
  const orGone = (cells: unknown) => (cells === null ? 'gone' : 'nothing');
  switch (what) {
    case 'outside': {
      const below = (sheet?.size()?.maxRows ?? 0) + 1;
      return orGone(sheet?.values({ ...FIRST_CELL, row: below }));
    }
    case 'gone':
      removeById(sheetId);
      return orGone(sheet?.values(FIRST_CELL));
    case 'name':
      return takenName(spreadsheet.add(SCRATCH));
    case 'choice':
      provoke('choice', sheetId);
      sheet?.write(FIRST_CELL, [['c']]);
      sheet?.values(FIRST_CELL);
      return `rejected in ${sheet?.rejected()}`;
    case 'full':
      return String(sheet?.insertRows(1, 10_000_000));
    case 'cache':
      spreadsheetCache().putAll({ 'probe big': 'x'.repeat(101 * 1_024) }, 60);
      return 'forgotten';
    case 'property':
      return documentStore().writeAll({ 'probe big': 'x'.repeat(9.1 * 1_024) })
        ? 'stored'
        : 'refused';
    case 'often':
      return takenOften();
    case 'address': {
      const request = { url: NO_ADDRESS, headers: {}, form: {}, timeoutSeconds: 10 };
      return String(appsScriptHttp().sendAll([request])[0]?.kind);
    }
  }
}

function takenName(added: ReturnType<ReturnType<typeof appsScriptSpreadsheet>['add']>): string {
  if (typeof added === 'string') return added;
  const isOther = added.name() !== SCRATCH;
  removeById(added.id);
  return isOther ? 'taken' : 'nothing';
}

function takenOften(): string {
  const triggers = appsScriptTriggers();
  const outcome = triggers.make('onSchedule', 10);
  if (outcome.kind === 'made') triggers.remove(outcome.id);
  return outcome.kind;
}
