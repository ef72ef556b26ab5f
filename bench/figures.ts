// The metrics of the tables: names, units, and medians over seeds.

/** The unit of each metric; the order is that of the columns. */
export const UNITS = {
  ratio: 'x ideal',
  aloneSeconds: 's',
  firstRowSeconds: 's',
  firstRowShownSeconds: 's',
  refused: 'calls',
  refusedPercent: '%',
  storeCallsPerCall: 'per call',
  resultCallsPerCall: 'per call',
  storeCallsPerCell: 'per cell',
  resultStoreCallsPerRow: 'per row',
  sheetCallsPer1000: 'per 1,000 rows',
  recordSeconds: 's',
  keptOut: 'calls',
  serviceSeconds: 's',
  triggerMinutesPer1000: 'min per 1,000 rows',
  callsPer1000: 'per 1,000 rows',
  calls: 'calls',
  hitRate: '%',
  p95Ms: 'ms',
  p95AloneMs: 'ms',
  fairShare: 'of fair',
  waiting: 'cells',
  overran: 'executions',
  errors: 'products',
} as const;

export type Metric = keyof typeof UNITS;

export type Figures = Readonly<Partial<Record<Metric, number>>>;

export const METRICS = Object.keys(UNITS) as readonly Metric[];

/** The mean of the middle two for an even number of values; NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** The smallest value that 95 % of all values do not exceed. */
export function p95(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(0.95 * sorted.length) - 1] ?? Number.NaN;
}

export interface Summary {
  readonly metric: Metric;
  readonly median: number;
  /** The largest over all seeds. */
  readonly most: number;
}

/** One summary for each metric that any seed has. */
export function summaries(seeds: readonly Figures[]): readonly Summary[] {
  return METRICS.flatMap((metric) => {
    const values = seeds.flatMap((figures) => figures[metric] ?? []);
    if (values.length === 0) return [];
    return [{ metric, median: median(values), most: Math.max(...values) }];
  });
}
