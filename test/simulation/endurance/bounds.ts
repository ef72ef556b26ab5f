// Everything that must stay bounded over time, with the add-on's own limits and Google's.

import { CONSUMER_LIMITS, PROPERTY_SIZES, TRIGGERS_PER_USER_MAX } from 'apps-script-host/limits';
import { LINES_MAX } from '../../../src/analysis/changes';
import { RUNS_KEPT } from '../../../src/schedules/schedule';
import type { Meter } from './meter';

interface Bound {
  readonly figure: string;
  readonly most: number;
}

/** The oldest rows that no list names go above this. */
const TAB_ROWS_MAX = 50_000;

const MINUTE_MS = 60_000;

/**
 * The most that the cost of an idle firing may grow between the first weeks and the last ones, as a
 * factor.
 */
const GROWTH_MAX = 1.1;

const BOUNDS: readonly Bound[] = [
  { figure: 'bytes of a property', most: PROPERTY_SIZES.valueBytes },
  { figure: "bytes of a spreadsheet's properties", most: PROPERTY_SIZES.storeBytes },
  { figure: "bytes of a person's properties", most: PROPERTY_SIZES.storeBytes },
  { figure: "bytes of a script's properties", most: 0 },
  { figure: 'rows of the Analysis tab', most: TAB_ROWS_MAX },
  { figure: 'lines of the change log', most: LINES_MAX },
  { figure: 'runs in the history of schedules', most: RUNS_KEPT },
  { figure: 'triggers of a person', most: TRIGGERS_PER_USER_MAX },
  { figure: 'triggers of a person in a spreadsheet', most: CONSUMER_LIMITS.triggersPerDocument },
  { figure: 'calls of a person in a day', most: CONSUMER_LIMITS.urlFetchPerDay },
  { figure: 'property calls of a person in a day', most: CONSUMER_LIMITS.propertyCallsPerDay },
  {
    figure: 'minutes of triggers of a person in a day',
    most: CONSUMER_LIMITS.triggerRuntimePerDayMs / MINUTE_MS,
  },
  { figure: 'minutes of a firing', most: CONSUMER_LIMITS.longRunMs / MINUTE_MS },
  { figure: 'growth of an idle firing', most: GROWTH_MAX },
  { figure: 'firings that failed', most: 0 },
  { figure: 'calls that the service refused', most: 0 },
  { figure: 'jobs that did not end', most: 0 },
  { figure: 'calls without a reason beyond those', most: 0 },
  { figure: 'rows that are late at the end', most: 0 },
  { figure: 'problems at the end', most: 0 },
];

export interface Judged {
  readonly line: string;
  readonly isKept: boolean;
}

const DAY_MS = 24 * 3_600_000;

const shown = (value: number) =>
  value.toLocaleString('en-US', { maximumFractionDigits: value < 100 ? 2 : 0 });

export function judged(meter: Meter, startMs: number): readonly Judged[] {
  return BOUNDS.map(({ figure, most }) => {
    const { value, of, atMs } = meter.most(figure);
    const isKept = value <= most;
    const where = of === '' ? '' : `  ${of}, day ${Math.floor((atMs - startMs) / DAY_MS) + 1}`;
    const sum = `${shown(value)} of ${shown(most)}`;
    return { isKept, line: `${isKept ? '     ' : 'OVER '}${figure}: ${sum}${where}` };
  });
}

/** Counts without a bound. */
const OTHERS: readonly string[] = [
  ...['calls', 'calls: schedule', 'calls: person', 'calls: cell'],
  ...['calls without a reason', 'calls that cut-off firings may make again'],
  ...['firings', 'firings cut off'],
  'service calls of an idle firing in an early week',
  'service calls of an idle firing in the last week',
  'properties of a spreadsheet',
  'properties of a person',
  "values of a spreadsheet's cache",
  "values of a person's cache",
  "values of a script's cache",
];

export function others(meter: Meter): readonly string[] {
  return OTHERS.map((name) => {
    const { value, of } = meter.most(name);
    return `     ${name}: ${shown(value)}${of === '' ? '' : `  ${of}`}`;
  });
}
