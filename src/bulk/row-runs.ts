// Rows as runs without a gap, each to be written or deleted by one call. Pure.

/** @param rows in their order. */
export function runsOf<One extends { readonly row: number }>(
  rows: readonly One[],
): readonly (readonly One[])[] {
  const runs: One[][] = [];
  for (const one of rows) {
    const run = runs[runs.length - 1];
    if (run?.[run.length - 1]?.row === one.row - 1) run.push(one);
    else runs.push([one]);
  }
  return runs;
}
