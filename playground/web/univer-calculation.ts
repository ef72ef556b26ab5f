// Runs Univer's calculations one after another, each as soon as nobody changes anything for a moment.
import { setTimeout } from 'node:timers/promises';
import type { ICommandInfo, Injector } from '@univerjs/core';
import type { IActiveDirtyManagerService } from '@univerjs/preset-sheets-node-core';
import type { UniverEngine } from 'apps-script-host/univer-bundle';
import type { CellPlace } from './cell-call';

export interface Calculation {
  /** Recalculates these cells, because a custom function has a new answer for them. */
  readonly mark: (places: readonly CellPlace[]) => void;
  readonly markAll: () => void;
  /** Calls the listener after each calculation. */
  readonly onDone: (listener: () => void) => void;
  readonly isRunning: () => boolean;
  /** Resolves when nothing is left to calculate. */
  readonly settled: () => Promise<void>;
  /** Resolves when all changes so far are calculated. Later changes may not be. */
  readonly caughtUp: () => Promise<void>;
  readonly dispose: () => void;
}

type Conversion = Parameters<IActiveDirtyManagerService['register']>[1];
type Dirty = ReturnType<Conversion['getDirtyData']>;

/**
 * A script changes one thing after the other. Its changes are calculated together, as soon as no other has come
 * for so long, ms.
 */
const QUIET_MS = 10;
/** A script that goes on and on does not keep formulas waiting for longer, ms. */
const PATIENCE_MS = 250;

/** The options of Univer's own calculations: not sent to others and not undone. */
const LOCAL = { onlyLocal: true };

export function takeOverCalculation(
  univer: UniverEngine,
  injector: Injector,
  documentId: string,
): Calculation {
  const commands = injector.get(univer.ICommandService);
  const conversions = injector.get(univer.IActiveDirtyManagerService);
  // Two overlapping calculations corrupt each other's state, so Univer's own trigger is removed.
  injector.get(univer.TriggerCalculationController).dispose();
  let dirty: Dirty | null = { forceCalculation: true };
  let draining: Promise<void> | null = null;
  let stopped = false;
  let changes = 0;
  const listeners: (() => void)[] = [];
  const waiting: (() => void)[] = [];

  const calculate = (work: Dirty): Promise<void> =>
    new Promise((resolve) => {
      const listener = commands.onCommandExecuted((command) => {
        if (!isEnd(univer, command)) return;
        listener.dispose();
        resolve();
      });
      const { SetFormulaCalculationStartMutation } = univer;
      commands.syncExecuteCommand(SetFormulaCalculationStartMutation.id, { ...work }, LOCAL);
    });
  const quiet = async (): Promise<void> => {
    const lastMs = performance.now() + PATIENCE_MS;
    for (let seen = -1; seen !== changes && performance.now() < lastMs; ) {
      seen = changes;
      await setTimeout(QUIET_MS);
    }
  };
  const drain = async (): Promise<void> => {
    while (dirty !== null && !stopped) {
      await quiet();
      if (stopped) return;
      const work = dirty;
      dirty = null;
      await calculate(work);
      for (const listener of listeners) listener();
      for (const wake of waiting.splice(0)) wake();
    }
    draining = null;
  };
  const add = (more: Dirty): void => {
    changes += 1;
    dirty = dirty === null ? more : (merge(dirty, more) as Dirty);
    draining ??= drain();
  };
  const listener = commands.onCommandExecuted((command, options) => {
    const conversion = conversions.get(command.id);
    if (conversion && options?.onlyLocal !== true) add(conversion.getDirtyData(command));
  });
  add({});
  return {
    mark: (places) => add({ dirtyRanges: places.map((place) => toRange(documentId, place)) }),
    markAll: () => add({ forceCalculation: true }),
    onDone: (listener) => listeners.push(listener),
    isRunning: () => draining !== null,
    settled: async () => {
      while (draining !== null) await draining;
    },
    caughtUp: async () => {
      // The first may have been under way already. The second starts with all changes so far.
      for (let left = 2; left > 0 && draining !== null; left -= 1)
        await new Promise<void>((wake) => waiting.push(wake));
    },
    dispose: () => {
      stopped = true;
      listener.dispose();
      for (const wake of waiting.splice(0)) wake();
    },
  };
}

/** Only the notification of the end carries a final state. Those about progress have none. */
function isEnd(univer: UniverEngine, command: Readonly<ICommandInfo>): boolean {
  if (command.id !== univer.SetFormulaCalculationNotificationMutation.id) return false;
  return (
    (command.params as { functionsExecutedState?: number }).functionsExecutedState !== undefined
  );
}

function toRange(unitId: string, { sheetId, row, column }: CellPlace) {
  const range = { startRow: row, endRow: row, startColumn: column, endColumn: column };
  return { unitId, sheetId, range };
}

/** Merges the work of two changes: lists are joined, maps merged, and "everything" wins. */
function merge(one: unknown, other: unknown): unknown {
  if (one === undefined || other === undefined) return one ?? other;
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other];
  if (isMap(one) && isMap(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    return Object.fromEntries([...names].map((name) => [name, merge(one[name], other[name])]));
  }
  return one || other;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
