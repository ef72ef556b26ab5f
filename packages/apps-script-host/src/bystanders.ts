// Simulates other people in the spreadsheets, who act at a set moment or between two calls of a
// script.

import type { HostDocument } from './document';
import type { Scheduler } from './scheduler';
import type { Caller } from './service';
import type { Act } from './sheet/acts';
import { shownAct } from './sheet/acts';
import { firstCell } from './sheet/edit-events';
import type { CellValue } from './sheet/model';
import { createPeople } from './sheet/people';

/** A call that is about to take effect. */
export interface ComingCall {
  readonly executionId: number;
  readonly functionName: string;
  readonly operation: string;
  /** The call's place in its execution, counted from 1. */
  readonly number: number;
  /** The call's place among the calls of all executions. */
  readonly total: number;
  readonly document: HostDocument;
  readonly atMs: number;
}

export interface When {
  readonly atMs?: number;
  /** Defaults to the first document. */
  readonly documentId?: string;
}

export type BetweenCalls = (coming: ComingCall) => readonly Act[];

export interface BystandersOptions {
  readonly documents: ReadonlyMap<string, HostDocument>;
  readonly betweenCalls: BetweenCalls | null;
  readonly scheduler: Scheduler;
  readonly record: (executionId: number, event: string, detail: string) => void;
  /** Called after an act, with the previous content of the act's first cell. */
  readonly onAct?: (document: HostDocument, act: Act, before: CellValue | undefined) => void;
}

export interface Bystanders {
  /** Performs an act now or at the given moment. */
  readonly act: (act: Act, when?: When) => void;
  /** Lets other people act just before a call takes effect. */
  readonly before: (
    caller: Caller,
    call: Pick<ComingCall, 'functionName' | 'operation' | 'number'>,
  ) => void;
}

/** The execution number that the trace shows for what no execution did. */
export const NO_EXECUTION = 0;

export function createBystanders(options: BystandersOptions): Bystanders {
  const { documents, betweenCalls, scheduler, record, onAct } = options;
  const people = new Map<string, (act: Act) => void>();
  let total = 0;
  const act = (document: HostDocument, wanted: Act) => {
    const perform = people.get(document.id) ?? createPeople(document.model);
    people.set(document.id, perform);
    record(NO_EXECUTION, 'act', `${document.id} ${shownAct(wanted)}`);
    const before = firstCell(document.model, wanted);
    perform(wanted);
    onAct?.(document, wanted, before);
  };
  return {
    act: (wanted, { atMs, documentId } = {}) => {
      const [first] = documents.values();
      const document = documentId === undefined ? first : documents.get(documentId);
      if (!document) throw new RangeError(`There is no spreadsheet ${documentId}.`);
      if (atMs === undefined) act(document, wanted);
      else scheduler.at(atMs, () => act(document, wanted));
    },
    before: ({ executionId, document }, call) => {
      total += 1;
      if (!betweenCalls || !document) return;
      const coming = { ...call, executionId, total, document, atMs: scheduler.nowMs() };
      for (const wanted of betweenCalls(coming)) act(document, wanted);
    },
  };
}
