// Probes that run from the menu and from a dialog, their report, and the removal of everything they
// left.

import { connectionStore } from '../connection/connection-store';
import { appsScriptHttp } from '../platform/apps-script/http';
import {
  authorisation,
  emptyPlaces,
  holdLock,
  makeSheet,
  NO_ADDRESS,
  onScratch,
  type PlaceName,
  type Provoked,
  provoke,
  putFormula,
  putTexts,
  readPlace,
  readSheet,
  removeById,
  removeSheets,
  SCRATCH,
  type SheetFound,
  saidBy,
  timeHiddenRows,
  timeProperties,
  wallClock,
  writePlace,
} from '../platform/apps-script/probes';
import {
  appsScriptDigest,
  appsScriptEnvironment,
  appsScriptPlatform,
  documentStore,
  spreadsheetCache,
} from '../platform/apps-script/services';
import { appsScriptSpreadsheet } from '../platform/apps-script/spreadsheet';
import { appsScriptTriggers } from '../platform/apps-script/triggers';
import { showDialog, showMessage } from '../platform/apps-script/ui';
import type { Platform } from '../platform/ports';
import { identityHere } from '../schedules/schedule-store';
import { textWithoutKey } from '../service/request';
import { reportPage, utc } from '../sidebar/support-report';
import { foundByClock, leaveClock } from './probe-clock';
import {
  KNOWN_MOMENT_MS,
  LOG_CELLS,
  MOMENT_FORMAT,
  type Probe,
  probes,
  type Verdict,
} from './probe-table';

type Found = Readonly<Record<string, string>>;

/** The report for the developers. It contains no key, no products and no addresses. */
function probeReport(): string {
  const platform = appsScriptPlatform();
  const sheet = readSheet();
  const found = foundSoFar(sheet, platform);
  const lines = probes().map((probe) => ({ probe, ...judged(probe, found[probe.id] ?? '') }));
  const count = (verdict: Verdict) => lines.filter((one) => one.verdict === verdict).length;
  const text = [
    `Product Analysis ${__VERSION__}, self-test of ${utc(platform.clock.nowMs())}`,
    `${count('as expected')} as expected, ${count('otherwise')} otherwise, ${count('open')} open. ` +
      'The key is not in this report.',
    surroundings(),
    runtime(),
    ...(sheet === null ? ['The probes were not run here. Choose "Run probes".'] : []),
    ...lines.map(({ probe, found: what, verdict }) => lineOf(probe, what, verdict)),
  ].join('\n');
  return withoutSecrets(text, platform);
}

const MARKS: Readonly<Record<Verdict, string>> = {
  'as expected': 'ok         ',
  otherwise: 'OTHERWISE  ',
  open: 'open       ',
};

function lineOf({ id, where, about, expected, otherwise }: Probe, found: string, verdict: Verdict) {
  const details = [
    ...(found === '' ? [] : [`found: ${found}`]),
    ...(verdict === 'as expected' ? [] : [`expected: ${expected}`]),
    ...(verdict === 'otherwise' ? [`means: ${otherwise}`] : []),
  ];
  return [`\n${MARKS[verdict]}${id} (${where}): ${about}`, ...details].join('\n           ');
}

function judged({ judge }: Probe, found: string): { found: string; verdict: Verdict } {
  // A probe that failed says nothing about what it tests.
  const isThere = !/^(Loading|the probe failed|$)/.test(found);
  return { found, verdict: isThere ? judge(found) : 'open' };
}

/** What the sheet recorded, combined with results that need more than the text of a cell. */
function foundSoFar(sheet: SheetFound | null, platform: Platform): Found {
  if (sheet === null) return foundByClock();
  const cells = Object.fromEntries(sheet.lines.map(({ id, found }) => [id, found]));
  const inputs = Object.fromEntries(sheet.lines.map(({ id, input }) => [id, input]));
  return {
    ...cells,
    lock: foundOfLock(cells.lock ?? '', inputs.lock ?? ''),
    write: foundOfWriting(cells.write ?? ''),
    date: asItShouldBe(cells.date ?? '', wallClock(KNOWN_MOMENT_MS, MOMENT_FORMAT)),
    serial: asItShouldBe((cells.serial ?? '').replace(',', '.'), serial().toFixed(6)),
    'at once': foundOfLog(sheet.log),
    copy: foundOfCopy(sheet, platform),
    ...foundByClock(),
  };
}

/**
 * @param tries "1767603600000 no, …"
 * @param hold "start end", in ms since 1970.
 */
function foundOfLock(tries: string, hold: string): string {
  const [fromMs = Number.NaN, toMs = Number.NaN] = hold.split(' ').map(Number);
  const all = [...tries.matchAll(/(\d{13}) (yes|no)/g)];
  if (all.length === 0 || Number.isNaN(toMs)) return tries;
  const inside = all.filter(([, atMs]) => Number(atMs) >= fromMs && Number(atMs) <= toMs);
  const had = inside.filter(([, , isHad]) => isHad === 'yes').length;
  if (inside.length === 0) return 'it was not tried while it was held: show the probes again';
  if (had > 0) return `had ${had} times of ${inside.length} while it was held`;
  return `refused each time while it was held, ${inside.length} times`;
}

function foundOfWriting(said: string): string {
  if (said !== 'written') return said;
  const isRead = readPlace('written by a cell') !== null;
  return isRead ? 'written, and the menu reads it' : 'written, but the menu reads nothing';
}

function asItShouldBe(shown: string, wanted: string): string {
  if (shown === '' || shown.startsWith('Loading')) return '';
  return shown === wanted ? `${shown}, as it should be` : `${shown} and not ${wanted}`;
}

const DAY_MS = 86_400_000;

/** 1 January 1970 in days since 30 December 1899, which is how sheets count. */
const EPOCH_SERIAL = 25_569;

function serial(): number {
  const wall = wallClock(KNOWN_MOMENT_MS, "yyyy-MM-dd'T'HH:mm:ss'Z'");
  return Date.parse(wall) / DAY_MS + EPOCH_SERIAL;
}

/** The most probes that ran at once. Each line is "start end" of one probe. */
function foundOfLog(log: readonly string[]): string {
  const runs = log.flatMap((text) => {
    const [, fromMs, toMs] = /^(\d{13}) (\d{13})$/.exec(text) ?? [];
    return fromMs === undefined ? [] : [{ fromMs: Number(fromMs), toMs: Number(toMs) }];
  });
  if (runs.length === 0) return '';
  const atOnce = ({ fromMs }: { readonly fromMs: number }) =>
    runs.filter((one) => one.fromMs <= fromMs && fromMs < one.toMs).length;
  return `${Math.max(...runs.map(atOnce))} at once of ${runs.length}`;
}

function foundOfCopy({ home }: SheetFound, { digest }: Platform): string {
  if (home === identityHere({ digest, spreadsheet: appsScriptSpreadsheet() }))
    return 'this is no copy';
  const cameAlong = readPlace('home') === home;
  return `document properties ${cameAlong ? 'came along' : 'did not come along'}`;
}

function surroundings(): string {
  try {
    const { timeZone, locale, scriptTimeZone, userLocale } = appsScriptEnvironment().places();
    return `Spreadsheet ${locale}, ${timeZone}; script ${scriptTimeZone}; you ${userLocale}.`;
  } catch (error) {
    return `Languages and time zones: ${saidBy(error)}`;
  }
}

/** The newest language features that Google's engine has. */
function runtime(): string {
  const features: readonly (readonly [string, boolean])[] = [
    ['replaceAll', 'replaceAll' in String.prototype],
    ['at', 'at' in Array.prototype],
    ['hasOwn', 'hasOwn' in Object],
    ['findLast', 'findLast' in Array.prototype],
    ['toSorted', 'toSorted' in Array.prototype],
    ['groupBy', 'groupBy' in Object],
  ];
  const names = (has: boolean) =>
    features.flatMap(([name, is]) => (is === has ? [name] : [])).join(', ') || 'nothing of these';
  return `The engine has ${names(true)}; lacks ${names(false)}.`;
}

const ADDRESS = /[^\s"'<>()]+@[^\s"'<>()]+/g;

function withoutSecrets(text: string, platform: Platform): string {
  const store = connectionStore({ ...platform, loopbackAllowed: __LOOPBACK_ALLOWED__ });
  const clean = [store.forPerson(), store.forCells()].reduce(
    (so, stored) =>
      stored.kind === 'connection' ? textWithoutKey(so, stored.connection.apiKey) : so,
    text,
  );
  return clean.replace(ADDRESS, '…');
}

/** A middle dot, an apostrophe, a dash and an ellipsis, which the page writes only as escapes. */
const TEXT_ESCAPES = '\\u00b7 \\u2019 \\u2013 \\u2026';
const TEXT_CODES = 'b7 2019 2013 2026';

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
      const held = holdLock(() => {
        const { clock } = appsScriptPlatform();
        putFormula('lock', `=PROBE("lock",${clock.nowMs()})`);
      });
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

/**
 * The code is deliberately plain and old: HtmlService cuts inline scripts at two slashes, and the
 * page must start even where it alters more than that.
 */
const SCRIPT = `(function () {
  var area = document.getElementById('report');
  var said = document.getElementById('said');
  var text = '${TEXT_ESCAPES}';
  var times = [];
  function failed(error) {
    said.textContent = 'A probe of the page failed: ' + (error && error.message);
  }
  function ask(step, payload, done) {
    google.script.run.withSuccessHandler(done).withFailureHandler(failed).probePage(step, payload);
  }
  function show(reply) {
    area.value = reply.report;
  }
  function hold() {
    said.textContent = 'Holding the lock while a cell tries to get it. About 20 s.';
    ask('hold', null, function (reply) {
      show(reply);
      said.textContent = 'The probes of the page are through.';
    });
  }
  function tell(back) {
    var isWhole = back.text === text && back.codes === '${TEXT_CODES}';
    var found = {
      texts: isWhole ? 'unbroken' : 'the server read ' + back.codes + ', the page ' + back.text,
      'round trips': times.join(', ') + ' ms',
      slashes: window.probeSlashes === 'a/' + '/b' ? 'kept' : 'cut'
    };
    ask('found', found, function (reply) {
      show(reply);
      hold();
    });
  }
  function echo() {
    var startMs = Date.now();
    ask('echo', text, function (back) {
      times.push(Date.now() - startMs);
      if (times.length < 5) echo();
      else tell(back);
    });
  }
  echo();
})();`;

/** The page of the support report with the page's probes added. */
function probeDialog(page: string, report: string): string {
  const scripts = `${CUT_SCRIPT}\n<script>\n${SCRIPT}\n</script>\n</body>`;
  return reportPage(page, report, null).replace('</body>', () => scripts);
}

const TITLE = 'Probes';

/** Runs the probes of a click, creates the sheet for the others, and shows the report. */
export function runProbes(): void {
  const platform = appsScriptPlatform();
  const nonce = `n${platform.random.next()}`;
  const home = identityHere({ digest: appsScriptDigest(), spreadsheet: appsScriptSpreadsheet() });
  // This comes before the cells exist, because everything else in the spreadsheet waits while they
  // calculate.
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

/** Shows the results so far; the report's page then runs the probes of the page. */
export function showProbes(): void {
  const report = probeReport();
  try {
    showDialog('Diagnostics', TITLE, (page) => probeDialog(page, report));
  } catch (error) {
    showMessage(`${saidBy(error)}\n\n${report}`, TITLE);
  }
}

/** Removes everything: sheets, properties and trigger. */
export function removeProbes(): void {
  leaveClock();
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

/** How the add-on's own adapter classifies the refusal, and Google's message. */
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
