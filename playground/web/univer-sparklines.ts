// What SPARKLINE formulas draw in their cells: values of cells say nothing of it.
import type { Injector } from '@univerjs/core';
import type { Sparkline } from 'apps-script-host/sheet/native-functions';
import type { UniverEngine } from 'apps-script-host/univer-bundle';

/** In the sheet that Univer knows by this name; rows and columns count from 0, as Univer's do. */
export interface DrawnSparkline extends Sparkline {
  readonly sheetId: string;
  readonly row: number;
  readonly column: number;
}

export interface Sparklines {
  /** Those that stand after the last calculation. */
  readonly now: () => readonly DrawnSparkline[];
}

/** Looks at what each formula comes to: where Univer takes it over, its own cell is known. */
export function followSparklines(
  univer: UniverEngine,
  injector: Injector,
  /** By the value that is one. */
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
