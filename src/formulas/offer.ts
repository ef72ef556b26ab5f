// Adds the refresh argument to formulas that have none, where a person wants it.

import { whileLeased } from '../analysis/leased';
import { openEngine } from '../engine/doors';
import { type Failure, isFailure } from '../failures/failure';
import { areaOf } from '../google/cells';
import type { Platform } from '../google/platform';
import { findRefreshCell } from '../sheet/refresh-cell';
import { type FormulaCell, findFormulas, readCells } from './find';
import { withRefresh } from './parse-formula';
import { askFor, FRESH_MS, openRefreshCell } from './refresh';

export interface FollowReport {
  /** Cells that name the refresh cell from now on. */
  readonly added: number;
  /** Protected cells, which this person may not edit. */
  readonly refused: number;
  /** Cells without a refresh argument that are left; the next call continues with them. */
  readonly left: number;
  readonly calls: number;
  readonly problem?: Failure;
}

/**
 * Adds the refresh argument to formulas that have none. A formula that is written calculates, so its
 * products are asked for first. Nothing else changes the text of a person's formula.
 */
export function addRefreshArguments(
  platform: Platform,
  { maxMs }: { readonly maxMs: number },
): FollowReport | Failure {
  const { clock } = platform;
  const startMs = clock.nowMs();
  const untilMs = startMs + maxMs;
  const engine = openEngine(platform, 'formulas', untilMs);
  if (isFailure(engine)) return engine;
  const { productsOf } = readCells(engine.connection.settings.defaultMarket);
  const lacking = findFormulas().filter(({ kind }) => kind === 'lacking');
  const { answers, calls, problem } = askFor(engine, lacking.map(productsOf), {
    notBeforeMs: Math.max(findRefreshCell()?.atMs() ?? 0, startMs - FRESH_MS),
    callsMax: null,
    untilMs: () => startMs + maxMs / 2,
  });
  const cell = openRefreshCell(platform);
  if (isFailure(cell)) return cell;
  const isReady = (cell: FormulaCell) =>
    [...productsOf(cell).keys()].every((key) => {
      const answer = answers.get(key);
      return answer !== undefined && (answer.ok || answer.failure.kind !== 'waiting');
    });
  const ready = problem === undefined ? lacking.filter(isReady) : [];
  const outcomes = whileLeased(platform, 'changing formulas', () =>
    ready.map((cell) => (clock.nowMs() > untilMs ? 'left' : addTo(cell))),
  );
  if (isFailure(outcomes)) return outcomes;
  const added = outcomes.filter((outcome) => outcome === 'written').length;
  const refused = outcomes.filter((outcome) => outcome === 'protected').length;
  const left = lacking.length - added - refused;
  return { added, refused, left, calls, ...(problem && { problem }) };
}

/** A person may have changed or moved the formula, so it is read again right before it is written. */
function addTo({ sheet, row, column, formula }: FormulaCell) {
  const area = areaOf(row, column);
  if (sheet.formulas(area)?.[0]?.[0] !== formula) return 'changed';
  return sheet.writeFormulas(area, [[withRefresh(formula)]]);
}
