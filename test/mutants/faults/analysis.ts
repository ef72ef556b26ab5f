// Faults of the Analysis tab: whose figures a row holds, and what a write met that people moved.
import type { Fault } from '../fault';

const TAB = ['analysis/analysis-tab.test.ts'] as const;

/** Worlds of a person who cuts, drags, shifts, sorts, copies and pastes. */
const PEOPLE = { tests: ['simulation/own-rows.test.ts'], named: 'seeds 1 to 25' };

export const ANALYSIS_FAULTS: readonly Fault[] = [
  {
    file: 'leased.ts',
    words: 'Two executions work on a sheet at the same time.',
    from: 'const outcome = underLease(platform, { by, work }, LEASE_WAIT_MS, act);',
    to: 'const outcome = { held: true, value: act(), other: null } as ReturnType<typeof underLease<T>>;',
    tests: ['simulation/meetings.test.ts'],
  },
  {
    file: 'analysis-row.ts',
    words: 'Of several rows with one key the oldest counts.',
    from: 'writtenMs(row) > writtenMs(other)',
    to: 'writtenMs(row) < writtenMs(other)',
    tests: TAB,
    named: 'has both rows of a key written',
  },
  {
    file: 'analysis-row.ts',
    words: 'A row that looks a product up under another text is not changed with it.',
    from: ': (keysOfProduct.get(meant.product) ?? []);',
    to: ': (keysOfProduct.get(meant.product) ?? []).slice(0, 1);',
    tests: TAB,
    named: 'every row of a product',
  },
  {
    file: 'analysis-row.ts',
    words: 'An ASIN that a person typed for a barcode is not read.',
    from: "return isFailure(reading) ? '' : reading.asin;",
    to: "return isFailure(reading) ? '' : '';",
    tests: TAB,
    named: 'typed ASIN of a barcode',
  },
  {
    file: 'analysis-row.ts',
    words: 'A product whose row was written over is never asked again.',
    from: 'status: WAITING_STATUS,\n  wantedMs: wholeSeconds(nowMs),',
    to: 'status: WAITING_STATUS,\n  wantedMs: 0,',
    tests: TAB,
    named: 'sorts before the write',
  },
  {
    file: 'analysis-tab.ts',
    words: 'Of rows that repeat a key the newest is deleted.',
    from: 'writtenMs(b.data) - writtenMs(a.data)',
    to: 'writtenMs(a.data) - writtenMs(b.data)',
    tests: TAB,
    named: 'has both rows of a key written',
  },
  {
    file: 'analysis-row.ts',
    words:
      'A product that a person types into an ordinary row of the tab is written under its key.',
    from: "asinIn(productPart(String(key ?? ''))) || asinIn(cell)",
    to: "asinIn('') || asinIn(cell)",
    tests: TAB,
    named: 'whatever is typed under ASIN',
  },
  {
    file: 'analysis-tab.ts',
    words: 'Above 50,000 rows, those of another list are deleted.',
    from: 'filter(({ data }) => !isNeeded(data));',
    to: 'filter(({ data }) => data.key !== "");',
    tests: ['analysis/tab-at-scale.test.ts'],
    named: 'loses none that a list names',
  },
  {
    file: 'changes.ts',
    words: 'What meets a rule of a schedule is not marked in its row.',
    from: 'if (words.length === 0) return told;',
    to: 'if (words.length >= 0) return told;',
    tests: ['schedules/found-changes.test.ts'],
    named: 'marks what met a rule',
  },
  {
    file: 'changes.ts',
    words: 'Lines of the newest day go because older ones are marked.',
    from: 'filter((line) => atMs(line) > dayMs)',
    to: 'filter((line) => atMs(line) < 0)',
    tests: ['schedules/full-change-log.test.ts'],
    named: 'keeps all lines of its newest day',
  },
  {
    file: 'analysis-tab.ts',
    words: 'The columns of a tab whose start was cut off are never marked.',
    from: 'if (layout.isRough === true) later(() => finishTab(sheet));',
    to: '',
    tests: ['jobs/rows.test.ts'],
    named: 'marks the columns of the tab',
  },
  {
    file: 'changes.ts',
    words: 'A rule marks a row each time its figure lies under the bound, not when it falls there.',
    from: 'return sign * (before - rule.bound) < noiseOf(field) && sign * (after - rule.bound) > 0;',
    to: 'return sign * (after - rule.bound) > 0;',
    tests: ['schedules/changes.test.ts'],
  },
  {
    file: 'analysis-tab.ts',
    words: "A colleague's figures count as the reader's own.",
    from: 'fetchedWith === reader &&',
    to: 'fetchedWith !== null &&',
    tests: ['schedules/whose-figures.test.ts'],
    named: 'not fresh for the owner',
  },
  {
    file: 'analysis-row.ts',
    words: 'A product that comes back after a day of *Not found* has no past.',
    from: 'row.analyzedMs === null ? row.told : withBaseline(row.told, row.fetchedWith, row)',
    to: 'row.told',
    tests: ['schedules/baseline.test.ts'],
    named: 'where nobody has rules',
  },
  {
    file: 'changes.ts',
    words: "A rule is judged on the row before, and a person's own run takes its news away.",
    from: '  if (last === null) return changesIn({ before, after });',
    to: "  if (last === null || name !== '') return changesIn({ before, after });",
    tests: ['schedules/baseline.test.ts'],
  },
  {
    file: 'analysis-row.ts',
    words: 'With another key, everything has changed.',
    from: 'row.analyzedMs !== null && row.fetchedWith === fetchedWith) return',
    to: 'row.analyzedMs !== null && fetchedWith !== null) return',
    tests: ['schedules/changes.test.ts', 'schedules/whose-figures.test.ts'],
  },
  {
    file: 'changes.ts',
    words: 'A product in two spellings is logged twice.',
    from: 'lines.set(`${asin}|${market}|${field}`, {',
    to: 'lines.set(`${row.after.key}|${market}|${field}`, {',
    tests: ['schedules/changes.test.ts'],
  },
  {
    file: 'changes.ts',
    words: 'The change log grows without end.',
    from: 'stays.size >= LINES_MAX',
    to: 'stays.size >= 1_000 * LINES_MAX',
    tests: ['schedules/full-change-log.test.ts'],
    named: 'gives up its oldest lines',
  },
  {
    file: 'changes.ts',
    words: 'What a rule has marked goes with the oldest lines.',
    from: '[...marked, ...newestFirst]',
    to: 'newestFirst',
    tests: ['schedules/full-change-log.test.ts'],
    named: 'gives up its oldest lines',
  },
  {
    file: 'changes.ts',
    words:
      'Changes of written rows are lost without a word where Google does not say whose key it is.',
    from: 'return isFailure(engine) ? { changes: 0, problem: engine }',
    to: 'return isFailure(engine) ? NOTHING_LOGGED',
    tests: ['schedules/cut-off.test.ts'],
    named: 'figures are written and logged',
  },

  {
    file: 'analysis-tab.ts',
    words: "The owner's own run leaves rows that a colleague has fetched.",
    from: 'fetchedWith === reader &&',
    to: 'fetchedWith !== null &&',
    ...PEOPLE,
  },
  {
    file: 'analysis-row.ts',
    words:
      'An ASIN that is typed beside a key that is one gets its figures written under that key.',
    from: "asinIn(productPart(String(key ?? ''))) || asinIn(cell)",
    to: "asinIn(cell) || asinIn(productPart(String(key ?? '')))",
    ...PEOPLE,
  },
];
