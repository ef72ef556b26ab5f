// The table of probes: facts that only Google's own machines reveal, each with the expected result
// and what a different one would mean.

import type { CellValue } from './google';

export type Verdict = 'as expected' | 'otherwise' | 'open';

export interface Probe {
  readonly id: string;
  /**
   * `long`: the second item of the menu, because it takes minutes. `person`: somebody has to do
   * something that a script cannot; see docs/verify.md.
   */
  readonly where: 'menu' | 'long' | 'cell' | 'clock' | 'page' | 'person';
  /** What the probe does. */
  readonly about: string;
  readonly expected: string;
  /** The meaning of a different result, and what it would change in the code. */
  readonly otherwise: string;
  /** Judges a result; only called once there is one. */
  readonly judge: (found: string) => Verdict;
  /** In the sheet of the probes: the formula of a row and the value of its input cell. */
  readonly formula?: (row: number, nonce: string) => string;
  readonly input?: CellValue;
  readonly formats?: readonly [string, string];
}

const when = (isExpected: boolean): Verdict => (isExpected ? 'as expected' : 'otherwise');
const matching = (pattern: RegExp) => (found: string) => when(pattern.test(found));

/** Noon UTC on 15 January 2026, so that a wrong time zone always shows in the day or the hour. */
export const KNOWN_MOMENT_MS = Date.UTC(2026, 0, 15, 12);
export const MOMENT_FORMAT = 'yyyy-MM-dd HH:mm:ss';
const SHEET_MOMENT_FORMAT = 'yyyy-mm-dd hh:mm:ss';

/**
 * An address that answers late. The person who runs the probes may write another one into the
 * sheet.
 */
const SLOW_ADDRESS = 'https://httpbin.org/delay/10';

/** How long each of these cells takes, so that many of them overlap. */
export const LOG_MS = 2_000;
export const LOG_CELLS = 60;

/** Hourly firings in a day. */
const DAY_FIRINGS = 24;

const INPUT_COLUMN = 'E';
const withInput = (what: string) => (row: number) => `=PROBE("${what}",${INPUT_COLUMN}${row})`;
const withNonce = (what: string) => (_row: number, nonce: string) => `=PROBE("${what}","${nonce}")`;

const SHARED: readonly (readonly [string, string])[] = [
  [
    'document cache',
    'Cells and pages keep their own gates, answers and claims: the key is asked twice and its limit not kept between them. src/google/platform.ts must use the cache that both see',
  ],
  [
    'document properties',
    'A key that is shared with the spreadsheet does not reach its formulas. src/google/platform.ts, src/connection/connection-store.ts',
  ],
  [
    'user properties',
    "Formulas of the owner cannot use the owner's key unless it is shared. src/connection/connection-store.ts (forCells), README",
  ],
];

const shared = ([id, otherwise]: readonly [string, string]): Probe => ({
  id,
  where: 'cell',
  about: `reads what the menu wrote into the ${id}`,
  expected: 'the same',
  otherwise,
  judge: matching(/^the same$/),
  formula: withNonce(id),
});

interface Shape {
  readonly id: string;
  readonly input: CellValue;
  readonly expected: string;
  /** Other results that the code treats in the same way. */
  readonly also?: RegExp;
  readonly formats?: readonly [string, string];
  readonly formula?: (row: number) => string;
}

const SHAPES: readonly Shape[] = [
  { id: 'a blank cell', input: '', expected: 'string ""', also: /^(undefined|object null)$/ },
  { id: 'TRUE', input: true, expected: 'boolean true' },
  { id: '10 %', input: 0.1, expected: 'number 0.1', formats: ['', '0%'] },
  {
    id: 'a date',
    input: new Date(KNOWN_MOMENT_MS),
    expected: `date ${new Date(KNOWN_MOMENT_MS).toISOString()}`,
    formats: ['', SHEET_MOMENT_FORMAT],
  },
  {
    id: 'a range of one cell',
    input: 'x',
    expected: 'string "x"',
    also: /^object \[\["x"\]\]$/,
    formula: (row) => `=PROBE("arguments",${INPUT_COLUMN}${row}:${INPUT_COLUMN}${row})`,
  },
  { id: 'an error', input: '=NA()', expected: '#N/A', also: /^string "#N\/A"$/ },
  {
    id: 'nothing',
    input: '',
    expected: 'undefined',
    also: /^(string ""|object null)$/,
    formula: () => '=PROBE("arguments")',
  },
];

const shape = ({ id, also, expected, formula, ...rest }: Shape): Probe => ({
  id: `argument: ${id}`,
  where: 'cell',
  about: `is called with ${id}`,
  expected,
  otherwise:
    'Arguments are misread. src/product/asin.ts (isBlank), src/product/arguments.ts, src/functions/analyze.ts',
  judge: (found) => when(found === expected || also?.test(found) === true),
  formula: formula ?? withInput('arguments'),
  ...rest,
});

const CELLS: readonly Probe[] = [
  {
    id: 'lock',
    where: 'cell',
    about: "tries to get the spreadsheet's lock while the page holds it",
    expected: 'refused each time while it was held',
    otherwise:
      "Cells and pages do not exclude each other, so the key's limit is passed. src/google/platform.ts must use another lock, src/limit/gate.ts a smaller rate",
    judge: (found) => {
      if (/^refused each time/.test(found)) return 'as expected';
      return /^it was not tried/.test(found) ? 'open' : 'otherwise';
    },
    // The formula is written once the lock is held.
    formats: ['General', ''],
  },
  {
    id: 'write',
    where: 'cell',
    about: 'writes a document property, which the menu then reads',
    expected: 'written, and the menu reads it',
    otherwise:
      'Cells cannot store how much of the day is used, nor whose key they use: src/engine/engine.ts (saveNotes) must leave that to the page and the clock',
    judge: matching(/^written, and the menu reads it$/),
    formula: withNonce('write'),
  },
  {
    id: 'date',
    where: 'cell',
    about: `returns the moment ${new Date(KNOWN_MOMENT_MS).toISOString()}, which the sheet shows`,
    expected: "that moment by the spreadsheet's time zone",
    otherwise:
      "as_of shows wrong times. src/functions/answer-cells.ts must shift dates by the spreadsheet's zone",
    judge: matching(/ as it should be$/),
    formula: () => '=PROBE("date")',
    formats: [SHEET_MOMENT_FORMAT, ''],
  },
  {
    id: 'serial',
    where: 'cell',
    about: 'the next cell makes a number of that date',
    expected: "the days since 30 December 1899 by the spreadsheet's time zone",
    otherwise: 'As for "date"',
    judge: matching(/ as it should be$/),
    formula: (row) => `=D${row - 1}*1`,
    formats: ['0.000000', ''],
  },
  {
    id: 'slow',
    where: 'cell',
    about: 'asks a slow address with timeoutSeconds 3',
    expected: 'ended after 3 to 8 s',
    otherwise:
      'timeoutSeconds is not kept, so one hanging call ends a cell. src/functions/answer-cells.ts must send fewer calls before END_MS, README must say so',
    judge: (found) => {
      const tookMs = Number(/after (\d+) ms/.exec(found)?.[1] ?? Number.NaN);
      // If the call was refused or answered at once, the address is not slow and the probe says
      // nothing.
      if (Number.isNaN(tookMs) || tookMs < 2_500) return 'open';
      return when(found.startsWith('ended') && tookMs <= 8_000);
    },
    formula: withInput('slow'),
    input: SLOW_ADDRESS,
  },
  {
    id: 'at once',
    where: 'cell',
    about: `${LOG_CELLS} cells of ${LOG_MS / 1_000} s each say when they began and ended`,
    expected: '20 to 40 at once',
    otherwise:
      'The figures of docs/performance.md are off. packages/apps-script-host/src/limits.ts (cellsAtOnce), then npm run bench',
    judge: (found) => {
      const [, atOnce, count] = /^(\d+) at once of (\d+)/.exec(found) ?? [];
      if (Number(count ?? 0) < LOG_CELLS) return 'open';
      return when(Number(atOnce) >= 20 && Number(atOnce) <= 40);
    },
  },
  {
    id: 'colleague',
    where: 'person',
    about: 'a second account without the add-on changes the input of this row',
    expected: 'the formula shows the new input',
    otherwise:
      'Colleagues see #NAME? or an old figure: README must say that everybody installs the add-on, or that only those who did refresh formulas',
    judge: (found) => {
      if (/^#|Loading/.test(found)) return 'otherwise';
      return found === 'seen: change me' ? 'open' : 'as expected';
    },
    formula: withInput('colleague'),
    input: 'change me',
  },
];

interface Refused {
  readonly id: string;
  readonly about: string;
  /** What the add-on must take it for. */
  readonly taken: readonly string[];
  /** The file of `src/google/` whose call it is. */
  readonly calls: string;
}

const REFUSALS: readonly Refused[] = [
  {
    id: 'outside',
    about: 'reads a row below the last one',
    taken: ['gone'],
    calls: 'sheet.ts',
  },
  { id: 'gone', about: 'reads a sheet that is gone', taken: ['gone'], calls: 'sheet.ts' },
  {
    id: 'name',
    about: 'adds a sheet under a name that is taken',
    taken: ['taken'],
    calls: 'spreadsheet.ts',
  },
  {
    id: 'choice',
    about: "writes what a cell's data validation rejects",
    taken: ['rejected in A1'],
    calls: 'sheet.ts',
  },
  {
    id: 'full',
    about: 'adds ten million rows',
    taken: ['full'],
    calls: 'sheet.ts',
  },
  { id: 'cache', about: 'caches 101 KB', taken: ['forgotten'], calls: 'platform.ts' },
  { id: 'property', about: 'stores 9.1 KB', taken: ['refused'], calls: 'platform.ts' },
  {
    id: 'often',
    about: 'makes a trigger for every ten minutes',
    // A script bound to a sheet may have such a trigger. Why another may not, Google says only in
    // words.
    taken: ['refused', 'there', 'made'],
    calls: 'triggers.ts',
  },
  {
    id: 'address',
    about: 'calls an address that nobody has',
    taken: ['unreachable'],
    calls: 'platform.ts',
  },
];

const refusal = ({ id, about, taken, calls }: Refused): Probe => ({
  id: `refusal: ${id}`,
  where: 'menu',
  about,
  expected: `taken for "${taken.join('" or "')}", in whatever language`,
  otherwise: `Google's words, which the report quotes, are not recognised: src/google/${calls}, and after it the host's own texts`,
  judge: (found) => when(taken.some((one) => found.startsWith(`taken for "${one}"`))),
});

const MENU: readonly Probe[] = [
  {
    id: 'authorisation',
    where: 'menu',
    about: 'asks what is allowed',
    expected: 'NOT_REQUIRED, with an address or without one',
    otherwise:
      'The status does not tell that nothing is missing: src/google/service-call.ts, which goes by it alone',
    judge: matching(/^NOT_REQUIRED, /),
  },
  {
    id: 'hidden rows',
    where: 'menu',
    about: 'asks of 200 rows under a filter whether they are hidden',
    expected: 'at most 2000 ms',
    otherwise:
      'Starting a run on a filtered list takes longer than the model has it: packages/apps-script-host/src/latency.ts (isRowHidden), src/google/presentation.ts (visibleRows)',
    judge: (found) => when(Number.parseInt(found, 10) <= 2_000),
  },
  {
    id: 'many properties',
    where: 'menu',
    about: 'reads 400 KB of properties in one call',
    expected: 'at most 200 ms',
    otherwise:
      'Saving a connection costs more than the model has it: packages/apps-script-host/src/latency.ts (properties.getAll), src/engine/engine.ts (forgetOldDays)',
    judge: (found) => when(Number.parseInt(found, 10) <= 200),
  },
];

/** What a probe of seconds found: all of them, or NaN for "not within". */
const secondsIn = (found: string): readonly number[] =>
  found.split(', ').map((part) => Number.parseFloat(/(?:^|: )([\d.]+) s$/.exec(part)?.[1] ?? ''));

const SEARCHED_MAX_SECONDS = 30;
const FILLED_MAX_SECONDS = 20;

/** What lists that look up a tab rest on; the tab is to be found whatever a person calls it. */
const MARKS: readonly Probe[] = [
  {
    id: 'marks',
    where: 'menu',
    about:
      'marks a sheet and a column with developer metadata, moves them, and looks for the marks',
    expected:
      'all found: our tab and its columns are known by their marks, whatever they are called',
    otherwise:
      'Marks need a wider permission or are lost: our tab and its columns must be known by names (src/sheet/own-tab.ts), and those of lists, too (src/list/tagged-list.ts)',
    judge: matching(/^(?:[a-z ]+: found(?:, |$)){6}$/),
  },
  {
    id: 'warning',
    where: 'menu',
    about: 'protects a sheet with a warning only, finds the protection and writes under it',
    expected: 'set, the script still writes: a tab of ours can warn whoever types into it',
    otherwise:
      'A tab of ours cannot be guarded: what people type into it must be expected (src/analysis/analysis-tab.ts)',
    judge: matching(/^set, the script still writes$/),
  },
  {
    id: 'disabled trigger',
    where: 'menu',
    about: 'asks a trigger whether Google has disabled it',
    expected:
      'isDisabled() says false: a disabled trigger is known at once, without waiting until it is late',
    otherwise:
      'A trigger that Google has disabled cannot be told from a late one: a late one is deleted and made again, as now (src/jobs/clock.ts)',
    judge: matching(/^isDisabled\(\) says false$/),
  },
];

const LONG: readonly Probe[] = [
  {
    id: 'named cell',
    where: 'long',
    about: 'changes a named cell in another tab, which a custom function has as its argument',
    expected: `calculated again within ${SEARCHED_MAX_SECONDS} s: one named cell refreshes every formula`,
    otherwise:
      'One cell does not refresh all formulas: each would need a value of its own (src/sheet/refresh-cell.ts)',
    judge: (found) => when((secondsIn(found)[0] ?? Number.NaN) <= SEARCHED_MAX_SECONDS),
    formats: ['General', ''],
  },
  {
    id: 'R1C1',
    where: 'long',
    about: 'sets one formula in 20,000 rows with setFormulaR1C1',
    expected: `at most ${FILLED_MAX_SECONDS} s, and read back as it was set: a column of ours is set in one call and known by its text`,
    otherwise:
      'Columns of formulas are copied down from their first row, and known by what they name, as now (src/deal/decision-columns.ts)',
    judge: (found) =>
      when(
        (secondsIn(found)[0] ?? Number.NaN) <= FILLED_MAX_SECONDS &&
          found.includes('read back as it was set'),
      ),
  },
  {
    id: 'lookups',
    where: 'long',
    about: '20,000 rows of XMATCH and eight INDEX into a tab of 20,000 keys',
    expected: `a change of figures and a new key are shown within ${SEARCHED_MAX_SECONDS} s: lists can look up every figure in each row`,
    otherwise:
      'Lists of 20,000 rows cannot look up every figure: figures would have to be written into the rows (docs/decisions/0009-results-in-a-tab-of-their-own.md, src/list/row-formulas.ts)',
    judge: (found) => {
      const [, changed = Number.NaN, added = Number.NaN] = secondsIn(found);
      return when(Math.max(changed, added) <= SEARCHED_MAX_SECONDS);
    },
  },
];

const PAGE: readonly Probe[] = [
  {
    id: 'texts',
    where: 'page',
    about: 'sends a middle dot, an apostrophe, a dash and an ellipsis to the server and back',
    expected: 'unbroken',
    otherwise:
      'Texts of the page and of cells break: src/sidebar/page must write them as entities, src/sidebar/api/rpc.ts send ASCII',
    judge: matching(/^unbroken$/),
  },
  {
    id: 'round trips',
    where: 'page',
    about: 'calls the server five times',
    expected: 'half of them within 3000 ms',
    otherwise:
      'Watching a job is slower than thought: src/sidebar/page/ui/job.ts (how long an ask takes), packages/apps-script-host/src/latency.ts (startMs)',
    judge: (found) => {
      const times = found
        .split(',')
        .map((text) => Number.parseInt(text, 10))
        .sort((a, b) => a - b);
      return when((times[Math.floor(times.length / 2)] ?? Number.NaN) <= 3_000);
    },
  },
  {
    id: 'slashes',
    where: 'page',
    about: 'has two slashes in a text of a script of its own',
    expected: 'cut or kept: no page of the add-on has any',
    otherwise: 'The page was changed by hand: build it again',
    judge: matching(/^(cut|kept)$/),
  },
];

const CLOCK: readonly Probe[] = [
  {
    id: 'clock: spreadsheet',
    where: 'clock',
    about: 'looks for the spreadsheet it belongs to',
    expected: 'this one',
    otherwise:
      'Schedules find no list by the clock: they need openById, and with it a wider permission (src/google/spreadsheet.ts, appsscript.json), or the open sidebar alone refreshes. A test deployment runs no triggers at all',
    judge: matching(/^this one$/),
  },
  {
    id: 'clock: properties',
    where: 'clock',
    about: 'writes a document property, which the menu then reads',
    expected: 'written, and the menu reads it',
    otherwise:
      'Schedules must be kept in user properties: src/schedules/schedule.ts, src/google/platform.ts',
    judge: matching(/^written, and the menu reads it$/),
  },
  {
    id: 'clock: cache and lock',
    where: 'clock',
    about: 'opens the cache and the lock of the spreadsheet',
    expected: 'both',
    otherwise:
      "The clock has a gate of its own: src/google/platform.ts falls back to those of the user, so its calls and those of cells may come together, and the service's refusals slow them",
    judge: matching(/^both$/),
  },
  {
    id: 'clock: permissions',
    where: 'clock',
    about: 'asks what is allowed',
    expected: 'NOT_REQUIRED, with an address or without one',
    otherwise:
      'Schedules may rest for no reason: src/google/service-call.ts, src/triggers/on-schedule.ts',
    judge: matching(/^NOT_REQUIRED, /),
  },
  {
    id: 'clock: event',
    where: 'clock',
    about: 'looks at the event',
    expected: 'authMode FULL, a known triggerUid',
    otherwise:
      'A trigger cannot tell itself from another: src/jobs/clock.ts must go by the handler alone',
    judge: matching(/^authMode FULL, a known triggerUid$/),
  },
  {
    id: 'clock: day',
    where: 'clock',
    about: `keeps the times of ${DAY_FIRINGS} firings`,
    expected: `${DAY_FIRINGS} firings, 0 doubles, 0 gaps`,
    otherwise:
      'The schedule page promises too much: src/sidebar/page/schedule/times.ts; packages/apps-script-host/src/firings.ts must be as late, double or missing',
    judge: (found) => {
      if (Number.parseInt(found, 10) < DAY_FIRINGS) return 'open';
      return when(/, 0 doubles, 0 gaps/.test(found));
    },
  },
];

const COPY: Probe = {
  id: 'copy',
  where: 'person',
  about: 'File, Make a copy; then the report in the copy',
  expected: 'came along, or did not: both are known to the code',
  otherwise: 'Neither could be told: look by hand at what src/schedules/schedule.ts guards against',
  judge: (found) => {
    if (found.startsWith('this is no copy')) return 'open';
    return when(/^document properties (came along|did not come along)/.test(found));
  },
};

/** All probes in the order of the report. */
export const probes = (): readonly Probe[] => [
  ...MENU,
  ...MARKS,
  ...REFUSALS.map(refusal),
  ...SHARED.map(shared),
  ...CELLS,
  ...SHAPES.map(shape),
  ...LONG,
  ...PAGE,
  ...CLOCK,
  COPY,
];
