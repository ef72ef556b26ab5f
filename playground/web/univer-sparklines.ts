// Tracks what SPARKLINE formulas draw in their cells, which the cells' values do not show.
import type { Injector } from '@univerjs/core';
import type { Sparkline } from 'apps-script-host/sheet/native-functions';
import type { UniverEngine } from 'apps-script-host/univer-bundle';

/** `sheetId` is Univer's id of the sheet. Rows and columns count from 0, as in Univer. */
export interface DrawnSparkline extends Sparkline {
  readonly sheetId: string;
  readonly row: number;
  readonly column: number;
}

export interface Sparklines {
  /** The sparklines after the last calculation. */
  readonly now: () => readonly DrawnSparkline[];
}

/**
 * Checks each formula's result where Univer stores it, because there the formula's cell is known.
 */
export function followSparklines(
  univer: UniverEngine,
  injector: Injector,
  /** Keyed by the formula result that represents the sparkline. */
  made: WeakMap<object, Sparkline>,
): Sparklines {
  const runtime = injector.get(univer.IFormulaRuntimeService);
  const take = runtime.setRuntimeData.bind(runtime);
  const drawn = new Map<string, DrawnSparkline>();
  runtime.setRuntimeData = (value) => {
    const at = {
      sheetId: runtime.currentSubUnitId,
      row: runtime.currentRow,
      column: runtime.currentColumn,
    };
    const key = `${at.sheetId} ${at.row} ${at.column}`;
    const sparkline = made.get(value);
    if (sparkline === undefined) drawn.delete(key);
    else drawn.set(key, { ...sparkline, ...at });
    take(value);
  };
  return { now: () => [...drawn.values()] };
}
