// Holds writes back, as Apps Script does, until the script reads, flushes or ends. A crash loses
// them.

import type { Random } from '../../random';
import type { Caller, Ended, Later, Operations, World } from '../../service';
import { answerWith, later } from '../../service';
import { featuresOf } from '../../sheet/book-features';
import type { CellValue, Matrix } from '../../sheet/model';
import type { Place, SpreadsheetCalls } from './calls';
import { checkLengths, checkPlace, modelOf } from './host-book';
import { checkEditable } from './host-protection';
import { LOOK_CALLS } from './looks';

type SpreadsheetOperations = Operations<SpreadsheetCalls>;
type AnyOperation = (caller: Caller, ...args: readonly unknown[]) => unknown;

/** These calls change cells and return nothing, so the script need not wait for them. */
const BUFFERED: readonly string[] = [
  'setValue',
  'setValues',
  'setFormula',
  'setFormulas',
  'setFormulaR1C1',
  'setFormulasR1C1',
  'setNumberFormat',
  'setNumberFormats',
  'setFontWeight',
  'setBackground',
  'setFontColor',
  'setNote',
  'setNotes',
  'setRichTextValues',
  'clear',
  'clearContent',
  'clearFormat',
  'setBorder',
  ...LOOK_CALLS.map(({ calls }) => `set${calls}`),
].map((method) => `spreadsheet.write.${method}`);

/** These calls look at no cell, so waiting writes may continue to wait. */
const WITHOUT_CELLS = /^spreadsheet\.write\.setActive/;

interface WaitingWrite {
  readonly place: Place;
  readonly apply: () => void;
}

/**
 * Google on its spreadsheet service: "every time you do a read, we must first empty (commit) the
 * write cache". It follows that a crash loses the cache's content, but Google does not say so.
 */
export interface WriteBuffer {
  readonly over: (operations: SpreadsheetOperations) => SpreadsheetOperations;
  readonly ended: (caller: Caller, ended: Ended) => void;
}

export function createWriteBuffer(world: World): WriteBuffer {
  const random = world.random('spreadsheet.flush');
  const waiting = new Map<number, WaitingWrite[]>();
  const take = ({ executionId }: Caller): readonly WaitingWrite[] => {
    const writes = waiting.get(executionId) ?? [];
    waiting.delete(executionId);
    return writes;
  };
  const put = (caller: Caller, run: AnyOperation, args: readonly unknown[]) => {
    const [place, cells] = args as readonly [Place, unknown];
    const model = modelOf(caller);
    checkPlace(model, place);
    checkEditable(caller, model, place);
    if (Array.isArray(cells)) checkLengths(cells as Matrix<CellValue>);
    const writes = waiting.get(caller.executionId) ?? [];
    writes.push({ place, apply: () => run(caller, ...args) });
    waiting.set(caller.executionId, writes);
  };
  const wrapped = (name: string, run: AnyOperation): AnyOperation => {
    if (BUFFERED.includes(name)) return (caller, ...args) => put(caller, run, args);
    const isMet = name === 'spreadsheet.flush' || /\.(read|write)\./.test(name);
    if (!isMet || WITHOUT_CELLS.test(name)) return run;
    return (caller, ...args) => {
      const writes = take(caller);
      if (writes.length === 0) return run(caller, ...args);
      return flushed(
        world,
        random,
        () => {
          applyAll(caller, writes);
          return run(caller, ...args);
        },
        cellsOf(writes),
      );
    };
  };
  return {
    over: (operations) =>
      Object.fromEntries(
        Object.entries(operations).map(([name, run]) => [name, wrapped(name, run as AnyOperation)]),
      ) as SpreadsheetOperations,
    ended: (caller, ended) => {
      const writes = take(caller);
      if (ended === 'killed' || ended === 'timedOut') return;
      // The script is over, so an error such as a deleted sheet cannot be reported to it.
      answerWith({ value: () => {}, exception: () => {} }, () => applyAll(caller, writes));
    },
  };
}

function applyAll(caller: Caller, writes: readonly WaitingWrite[]): void {
  if (writes.length === 0) return;
  featuresOf(modelOf(caller)).together(() => {
    for (const { apply } of writes) apply();
  });
}

const cellsOf = (writes: readonly WaitingWrite[]): number =>
  writes.reduce((sum, { place }) => sum + place.rowCount * place.columnCount, 0);

/** Performs the waiting writes and the call that depends on them, as late as so many cells take. */
function flushed(
  { scheduler, latency }: World,
  random: Random,
  act: () => unknown,
  cells: number,
): Later<unknown> {
  return later((settle) => {
    const waitMs = latency.flushMs(cells, random);
    let callOff = scheduler.at(scheduler.nowMs() + waitMs, () => {
      callOff = answerWith(settle, act);
    });
    return () => callOff();
  });
}
