// Results as rows of the results file and as lines of the text table.

import { describe, expect, it } from '@jest/globals';
import { GATE } from '../../bench/gate/gate-table';
import type { Strategy } from '../../bench/gate/scenario';
import { rowsOf, textTable } from '../../bench/rows';
import { plan, type RunResult } from '../../bench/runs';

const CASE = 'bulk-5ps-1w';
const scenario = GATE.findIndex(({ cases }) => cases.includes(CASE));

function result(strategy: Strategy, seed: number, ratio: number, refused: number): RunResult {
  return { run: { scenario, strategy, seed }, figures: { [CASE]: { ratio, refused } } };
}

const RESULTS = [
  result('addOn', 1, 1.004, 0),
  result('addOn', 2, 1.008, 2),
  result('addOn', 3, 1.00612345, 0),
  result('sleep', 1, 3, 0),
];

it("rows name the table, the peer's strategy, the case, the metric, its value and its unit", () => {
  const row = { case: CASE, unit: 'calls' };
  const ratio = { case: CASE, metric: 'ratio', unit: 'x ideal' };
  expect(rowsOf('gate', RESULTS)).toEqual([
    { ...ratio, table: 'gate', value: 1.0061 },
    { ...row, table: 'gate', metric: 'refused', value: 0 },
    { ...row, table: 'gate', metric: 'refusedMost', value: 2 },
    { ...ratio, table: 'gate: sleep(1/r)', value: 3 },
    { ...row, table: 'gate: sleep(1/r)', metric: 'refused', value: 0 },
    { ...row, table: 'gate: sleep(1/r)', metric: 'refusedMost', value: 0 },
    { ...ratio, table: 'gate: the ideal', value: 1 },
    { ...row, table: 'gate: the ideal', metric: 'refused', value: 0 },
    { ...row, table: 'gate: the ideal', metric: 'calls', value: 10_000 },
    { ...row, table: 'gate: the ideal', metric: 'overran', unit: 'executions', value: 0 },
    { ...row, table: 'gate: the ideal', metric: 'errors', unit: 'products', value: 0 },
  ]);
});

it('the text table is aligned, and shows the worst seed where it differs', () => {
  expect(textTable('gate', rowsOf('gate', RESULTS)).split('\n')).toEqual([
    'case         strategy     ratio  refused  calls  overran  errors',
    'bulk-5ps-1w  this add-on  1.006    0 (2)',
    'bulk-5ps-1w  sleep(1/r)       3        0',
    'bulk-5ps-1w  the ideal        1        0  10000        0       0',
  ]);
});

describe('the plan', () => {
  it('holds every case once, by its fixed name', () => {
    expect(GATE.flatMap(({ cases }) => cases).sort()).toEqual(
      [
        ...['bulk-1ps-1w', 'bulk-5ps-1w', 'bulk-20ps-1w', 'bulk-5ps-2w', 'bulk-20ps-2w'],
        ...['cells-1ps', 'cells-2ps', 'cells-5ps', 'cells-8ps', 'mixed-5ps', 'wiped-5ps-2w'],
        ...['unknown-5ps', 'unknown-20ps', 'changed-5-2-8', 'shared-3docs'],
        ...['shared-bucket', 'shared-sliding', 'shared-fixed'],
        ...['three-formulas', 'recalculated', 'reopen-20k'],
      ].sort(),
    );
  });

  it("runs the add-on by every seed, and a peer's strategy by three at most", () => {
    const runs = plan(5, [CASE]);
    const count = (strategy: Strategy) => runs.filter((run) => run.strategy === strategy).length;
    expect([count('addOn'), count('backoff'), count('sleep'), count('lock')]).toEqual([5, 3, 3, 3]);
  });

  it('runs every strategy of a case', () => {
    const runs = plan(2, [CASE]);
    expect(runs.map(({ strategy, seed }) => `${strategy} ${seed}`)).toEqual([
      ...['addOn 1', 'addOn 2', 'backoff 1', 'backoff 2'],
      ...['sleep 1', 'sleep 2', 'lock 1', 'lock 2'],
    ]);
    expect(runs.every((run) => run.scenario === scenario)).toBe(true);
  });
});
