// Performs one service call: counts it, allows or refuses it, and answers after the time that it
// takes.

import { refusal } from './authorisation';
import type { Bystanders } from './bystanders';
import type { HostDocument } from './document';
import type { ExecutionPlan, Running } from './execution';
import { hostError } from './execution';
import type { LatencyLaw } from './latency';
import { inWords } from './messages';
import { type CallAnswer, PASS, type ScriptError } from './realm/launch';
import type { Scheduler } from './scheduler';
import type { Caller } from './service';
import { isLater, ServiceException } from './service';
import type { Operation } from './service-registry';
import type { LockStore } from './services/lock';
import { waitsForCells } from './services/spreadsheet-app/cells-first';
import { decode, encode } from './wire';

/**
 * A call with everything that crossed between script and host, API keys included, for tests that
 * look for leaks.
 */
export interface ObservedCall {
  readonly executionId: number;
  readonly operation: string;
  readonly args: readonly unknown[];
  readonly atMs: number;
}

export interface CallParts {
  readonly scheduler: Scheduler;
  readonly latency: LatencyLaw;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly documents: ReadonlyMap<string, HostDocument>;
  /** The scopes that the manifest asks for and the user has granted. */
  readonly scopesOf: (caller: Caller) => readonly string[];
  readonly record: (caller: Caller, event: string, detail: string) => void;
  readonly observe: (call: ObservedCall) => void;
  readonly bystanders: Bystanders;
  readonly locks: LockStore;
  /** See `HostOptions`. */
  readonly sheetsFailUnderLock: boolean;
}

const CRASH: ScriptError = { name: 'Exception', message: 'The execution was cut off.' };

export function receiveCall(
  parts: CallParts,
  plan: ExecutionPlan,
  running: Running,
  text: string,
): void {
  const { scheduler, latency, operations, scopesOf, record, observe, bystanders } = parts;
  const { launch, kill, random } = plan;
  const [called, ...args] = decode(text) as [string, ...unknown[]];
  const [name, caller] = placed(called, plan.caller, parts.documents);
  if (name === PASS) {
    running.setCallOff(scheduler.at(scheduler.nowMs() + Number(args[0]), () => running.resume('')));
    return;
  }
  const operation = operations.get(name);
  if (!operation) {
    running.kill(hostError(new Error(`No service offers ${name}.`)));
    return;
  }

  record(caller, 'call', `${called} ${operation.shown(args)}`);
  observe({ executionId: caller.executionId, operation: name, args, atMs: scheduler.nowMs() });
  const { callName } = operation.permission;
  if (
    parts.sheetsFailUnderLock &&
    waitsForCells(name) &&
    parts.locks.isHeldBy(caller.executionId)
  ) {
    running.kill(hostError(new Error(`${callName} was called while a lock is held.`)));
    return;
  }
  const number = running.countCall(callName);
  const call = { name: callName, number };
  if (number === kill.atCall) {
    running.kill(CRASH);
    return;
  }

  // Half of a call's time passes before the service acts and half before the script continues.
  const callMs = latency.callMs(name, random, operation.cells(args));
  const thereMs = Math.floor(callMs / 2);
  const after = (waitMs: number, action: () => void) =>
    running.setCallOff(scheduler.at(scheduler.nowMs() + waitMs, action));
  const fault = plan.faultAt(name, number);
  if (fault !== null) record(caller, 'fault', `${fault.when} ${name}`);
  const faulty: CallAnswer | null = fault && {
    ok: false,
    message: inWords(fault.said, caller.locale),
    call,
    limit: null,
  };
  const answer = (performed: CallAnswer) => {
    if (running.isOver()) return;
    const result = performed.ok && faulty !== null ? faulty : performed;
    if (number === kill.afterCall) {
      // The effect has taken place, so there is nothing left to cancel.
      running.setCallOff(() => {});
      running.kill(CRASH);
      return;
    }
    after(callMs - thereMs, () => running.resume(encode(result)));
  };
  const refused = refusal(operation.permission, caller.authMode, scopesOf(caller));
  if (refused !== null)
    answer({ ok: false, message: inWords(refused, caller.locale), call, limit: null });
  else if (faulty !== null && fault?.when === 'before') after(thereMs, () => answer(faulty));
  else {
    after(thereMs, () => {
      bystanders.before(caller, { functionName: launch.functionName, operation: name, number });
      perform(operation, caller, args, running, (result) =>
        answer(result.ok ? result : { ...result, call }),
      );
    });
  }
}

/** A call of another spreadsheet than the script's own ends in its id: "spreadsheet.getSheets@id". */
function placed(called: string, caller: Caller, documents: CallParts['documents']) {
  const at = called.indexOf('@');
  if (at < 0) return [called, caller] as const;
  const document = documents.get(called.slice(at + 1)) ?? null;
  return [called.slice(0, at), { ...caller, document }] as const;
}

type Performed =
  | Extract<CallAnswer, { ok: true }>
  | Omit<Extract<CallAnswer, { ok: false }>, 'call'>;

function perform(
  operation: Operation,
  caller: Caller,
  args: readonly unknown[],
  running: Running,
  answer: (result: Performed) => void,
): void {
  try {
    const result = operation.run(caller, args);
    if (!isLater(result)) {
      answer({ ok: true, value: result });
      return;
    }
    let isSettled = false;
    const settle = (outcome: Performed) => {
      isSettled = true;
      answer(outcome);
    };
    const callOff = result.begin({
      value: (value) => settle({ ok: true, value }),
      exception: (said, limit = null) =>
        settle({ ok: false, message: inWords(said, caller.locale), limit }),
    });
    if (!isSettled) running.setCallOff(callOff);
  } catch (error) {
    if (error instanceof ServiceException)
      answer({ ok: false, message: inWords(error.said, caller.locale), limit: error.limit });
    // The script must not be able to catch an error of the host itself.
    else running.kill(hostError(error));
  }
}
