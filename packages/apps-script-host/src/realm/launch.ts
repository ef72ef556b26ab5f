// What the host tells a script's realm at the start of an execution, and what the realm reports at
// its end.

import type { AuthMode, Door, RealmFacts } from '../service';

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
  | { readonly ok: false; readonly error: ScriptError };

export interface ScriptError {
  readonly name: string;
  readonly message: string;
}

export type CallAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };
