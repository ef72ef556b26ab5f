// The menu of the probes, the page of their report, and the removal of everything they left.

import { addMenu, showDialog, showMessage } from '../src/google/ui';
import {
  findMarks,
  removeName,
  timeLookups,
  timeNamedCell,
  timeR1C1,
  type Until,
  warnOnly,
} from './analysis-tab';
import { leaveClock } from './clock';
import {
  authorisation,
  book,
  emptyPlaces,
  holdLock,
  isTriggerDisabled,
  makeSheet,
  onScratch,
  type PlaceName,
  type Provoked,
  putFormula,
  putTexts,
  readSheet,
  removeSheets,
  saidBy,
  timeHiddenRows,
  timeProperties,
  writePlace,
} from './google';
import { foundByRefusal } from './refusals';
import { probeReport } from './report';
import { LOG_CELLS, type Probe, probes } from './table';

const TITLE = 'Probes';

/** Adds the menu when the spreadsheet opens. */
export function onOpen(): void {
  addMenu([
    { caption: 'Run probes', handler: 'runProbes' },
    { caption: 'Run long probes', handler: 'runLongProbes' },
    { caption: 'Show probes', handler: 'showProbes' },
    { caption: 'Watch the clock', handler: 'watchClock' },
    { caption: 'Remove probes', handler: 'removeProbes' },
  ]);
}

/** Where the menu writes what cells then read. */
const SHARED: readonly PlaceName[] = ['document cache', 'document properties', 'user properties'];

/** Runs the probes of a click, creates the sheet for the others, and shows the report. */
export function runProbes(): void {
  const nonce = `n${Math.random()}`;
  const home = book().getId();
  // This comes before the cells exist, because everything else in the spreadsheet waits while they
  // calculate.
  const found = Object.fromEntries(
    probes()
      .filter(({ where }) => where === 'menu')
      .map(({ id }) => [id, guarded(() => foundByMenu(id))]),
  );
  for (const name of SHARED) guarded(() => writePlace(name, nonce));
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

/** Google ends an execution after six minutes, and a wait or a read may be under way then. */
const LONG_MS = 280_000;
/** After this time no other long probe begins, because each may need the rest, ms. */
const BEGIN_MS = 60_000;

const LONG: Readonly<Record<string, (until: Until) => string>> = {
  'named cell': timeNamedCell,
  R1C1: timeR1C1,
  lookups: timeLookups,
};

/**
 * Runs the probes that take minutes, those first that have found nothing yet. Each result is kept
 * before the next probe begins.
 */
export function runLongProbes(): void {
  const sheet = readSheet();
  if (sheet === null) {
    showMessage('Choose "Run probes" first.', TITLE);
    return;
  }
  const startMs = Date.now();
  const isOpen = (id: string) => sheet.lines.some((line) => line.id === id && line.found === '');
  const open = Object.keys(LONG).filter(isOpen);
  const left = open.length > 0 ? open : Object.keys(LONG);
  for (let id = left.shift(); id !== undefined; id = left.shift()) {
    const find = LONG[id];
    if (find !== undefined)
      putTexts({ [id]: orRefusal(() => find({ endMs: startMs + LONG_MS })) }, 'found');
    if (Date.now() > startMs + BEGIN_MS) break;
  }
  const text =
    left.length === 0
      ? 'The long probes are through. Choose "Show probes".'
      : `Choose "Run long probes" again for the others: ${left.join(', ')}.`;
  showMessage(text, TITLE);
}

/** Shows the results so far; the report's page then runs the probes of the page. */
export function showProbes(): void {
  const report = probeReport();
  try {
    showDialog('Report', TITLE, (page) => filled(page, report));
  } catch (error) {
    showMessage(`${saidBy(error)}\n\n${report}`, TITLE);
  }
}

/** Removes everything: sheets, properties and trigger. */
export function removeProbes(): void {
  leaveClock();
  removeName();
  removeSheets();
  emptyPlaces();
  showMessage('The probes are gone: their sheets, settings and trigger.', TITLE);
}

/** Runs one probe so that its failure does not prevent others. */
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
    case 'marks':
      return orRefusal(findMarks);
    case 'warning':
      return orRefusal(warnOnly);
    case 'disabled trigger':
      return orRefusal(isTriggerDisabled);
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

/** What a probe found, or Google's words where it refuses what the probe does. */
function orRefusal(find: () => string): string {
  try {
    return find();
  } catch (error) {
    return `refused: ${saidBy(error)}`;
  }
}

const FOUND_CHARS_MAX = 300;

interface Reply {
  readonly report?: string;
  readonly text?: string;
  readonly codes?: string;
}

/**
 * Serves the page of the probes.
 *
 * @param step `echo` sends a text back, `found` records what the page found, `hold` holds the lock.
 */
export function probePage(step: unknown, payload: unknown): Reply {
  switch (step) {
    case 'echo': {
      const text = String(payload);
      const codes = text.split(' ').map((one) => one.charCodeAt(0).toString(16));
      return { text, codes: codes.join(' ') };
    }
    case 'found':
      putTexts(foundByPage(payload), 'found');
      return { report: probeReport() };
    case 'hold': {
      const held = holdLock(() => putFormula('lock', `=PROBE("lock",${Date.now()})`));
      putTexts({ lock: held === null ? 'somebody else held it' : held.join(' ') }, 'input');
      return { report: probeReport() };
    }
    default:
      return {};
  }
}

/** Accepts one text for each probe of the page and nothing else. */
function foundByPage(payload: unknown): Readonly<Record<string, string>> {
  const given = payload instanceof Object ? payload : {};
  const texts = probes()
    .filter(({ id, where }) => where === 'page' && id in given)
    .map(({ id }) => [id, String(Reflect.get(given, id)).slice(0, FOUND_CHARS_MAX)]);
  return Object.fromEntries(texts);
}

/** A separate script on lines of its own. If Google cuts it, the rest of the page still runs. */
const CUT_SCRIPT = "<script>\nwindow.probeSlashes = 'a//b';\n</script>";

/** The page of the report, with the report as plain text and the script that Google may cut. */
function filled(page: string, report: string): string {
  const text = report.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
  return page.replace('{report}', () => text).replace('</body>', () => `${CUT_SCRIPT}\n</body>`);
}
