// What the host tells a script's realm at the start of an execution, and what the realm reports at
// its end.

import type { LimitReached } from '../limits';
import type { AuthMode, Door, RealmFacts } from '../service';

/** Calls no service: lets so many milliseconds pass that the script has computed or waited busily. */
export const PASS = 'time.pass';

export interface Launch {
  readonly functionName: string;
  readonly args: readonly unknown[];
  /** Members of the event object that triggers pass. The realm turns authMode into an enum. */
  readonly event: { readonly authMode: AuthMode; readonly [member: string]: unknown } | null;
  readonly door: Door;
  readonly seed: number;
  readonly facts: RealmFacts;
}

export type Ending =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: ScriptError; readonly failure: Failure };

/** What is known of a failure besides its error. */
export interface Failure {
  /** The error with the script's own lines, the innermost first. */
  readonly stack?: string;
  /** The innermost of them: "Code.gs:8". */
  readonly line?: string;
  /** What stands in that line. */
  readonly source?: string;
  /** The call of a service that failed, or that was under way when the execution ended. */
  readonly call?: FailedCall;
  readonly limit?: LimitReached;
}

export interface FailedCall {
  /** As Google names it where it refuses it: "UrlFetchApp.fetch". */
  readonly name: string;
  /** Its place among the calls of the execution, counted from 1. */
  readonly number: number;
}

export interface ScriptError {
  readonly name: string;
  readonly message: string;
}

export type CallAnswer =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly message: string;
      readonly call: FailedCall;
      readonly limit: LimitReached | null;
    };
