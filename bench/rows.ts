// Rows of results as they are stored, and the text table that shows them.

import { type Figures, METRICS, type Metric, summaries, UNITS } from './figures';
import { GATE } from './gate/gate-table';
import { STRATEGIES } from './gate/scenario';
import type { RunResult } from './runs';

export interface Row {
  /** `gate`, or `gate: sleep(1/r)` for a peer's strategy and `gate: the ideal`. */
  readonly table: string;
  readonly case: string;
  readonly metric: Metric | `${Metric}Most`;
  readonly value: number;
  readonly unit: string;
}

/** Metrics of things that should never happen also show their worst seed. */
const WORST_SHOWN: readonly Metric[] = ['refused', 'overran', 'errors'];

/** Enough digits for every target, and no more than the simulated conditions justify. */
const DIGITS = 4;

const IDEAL = 'the ideal';

/** One row for each case, strategy and metric, with the median over the seeds. */
export function rowsOf(table: string, results: readonly RunResult[]): readonly Row[] {
  const names = Object.keys(STRATEGIES) as (keyof typeof STRATEGIES)[];
  const told = new Set(results.map(({ run }) => run.scenario));
  return GATE.flatMap(({ cases, strategies, ideal }, scenario) =>
    cases.flatMap((name) => [
      ...names
        .filter((strategy) => strategies.includes(strategy))
        .flatMap((strategy) => {
          const seeds = results
            .filter(({ run }) => run.scenario === scenario && run.strategy === strategy)
            .flatMap(({ figures }) => figures[name] ?? []);
          const title = strategy === 'addOn' ? table : `${table}: ${STRATEGIES[strategy]}`;
          return summaries(seeds).flatMap(({ metric, median, most }): Row[] => {
            const row = { table: title, case: name, unit: UNITS[metric] };
            const rows: Row[] = [{ ...row, metric, value: rounded(median) }];
            if (WORST_SHOWN.includes(metric))
              rows.push({ ...row, metric: `${metric}Most`, value: rounded(most) });
            return rows;
          });
        }),
      ...(told.has(scenario) ? idealRows(table, name, ideal[name] ?? {}) : []),
    ]),
  );
}

function idealRows(table: string, name: string, figures: Figures): readonly Row[] {
  return summaries([figures]).map(({ metric, median }) => ({
    table: `${table}: ${IDEAL}`,
    case: name,
    metric,
    value: rounded(median),
    unit: UNITS[metric],
  }));
}

export function rounded(value: number): number {
  return Number(value.toFixed(DIGITS));
}

/** The columns of a text table: the case, the strategy, and each metric that any row has. */
export function textTable(table: string, rows: readonly Row[]): string {
  const used = METRICS.filter((metric) => rows.some((row) => row.metric === metric));
  const lines = new Map<string, Row[]>();
  for (const row of rows) {
    const line = `${row.case}\n${row.table}`;
    lines.set(line, [...(lines.get(line) ?? []), row]);
  }
  const header = ['case', 'strategy', ...used];
  const body = [...lines].map(([line, cells]) => {
    const [name = '', title = ''] = line.split('\n');
    const strategy = title === table ? STRATEGIES.addOn : title.slice(table.length + 2);
    return [name, strategy, ...used.map((metric) => shown(cells, metric))];
  });
  return aligned([header, ...body]);
}

/** The median, followed by the worst seed if that differs. */
function shown(cells: readonly Row[], metric: Metric): string {
  const value = cells.find((row) => row.metric === metric)?.value;
  const most = cells.find((row) => row.metric === `${metric}Most`)?.value;
  if (value === undefined) return '';
  const text = String(Number.isInteger(value) ? value : Number(value.toFixed(3)));
  return most === undefined || most === value ? text : `${text} (${most})`;
}

/** Aligns the first two columns to the left and figures to the right. */
function aligned(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => {
          const width = widths[column] ?? 0;
          return column < 2 ? cell.padEnd(width) : cell.padStart(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
