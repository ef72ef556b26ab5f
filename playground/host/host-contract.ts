// What one gives the emulated host and what one gets from it.

import type { ObservedCall } from './call';
import type { HostDocument } from './document';
import type { Ended } from './execution';
import type { Internet } from './internet/internet';
import type { LatencyLaw } from './latency';
import type { HostLimits } from './limits';
import type { ScriptError } from './realm/launch';
import type { AuthMode, Door, Screen } from './service';
import type { ServiceRegistry } from './service-registry';

export interface Execution {
  readonly functionName: string;
  /** Numbers, texts, booleans, null, undefined, Dates, arrays and plain objects. */
  readonly args: readonly unknown[];
  readonly door: Door;
  /** Left out: the document's owner. */
  readonly userEmail?: string;
  /** Left out: the first document, if there is any. */
  readonly documentId?: string;
  /** Left out: what the platform gives this door. */
  readonly authMode?: AuthMode;
  /** Which installed trigger fired, for the event object; only by the clock. */
  readonly triggerUid?: string;
  /** Dies like a crash when it is about to make its n-th service call, the first being 1. */
  readonly killAtCall?: number;
}

export interface Outcome {
  readonly ok: boolean;
  readonly value?: unknown;
  readonly error?: ScriptError;
  /** "refused": never started. */
  readonly ended: Ended | 'refused';
  readonly startedMs: number;
  readonly endedMs: number;
  readonly serviceCalls: number;
  /** Lines of Logger and console, and the stack of an error that nobody caught. */
  readonly logs: readonly string[];
}

export interface HostOptions {
  readonly dist: {
    readonly code: string;
    /** HTML files by name without ".html". */
    readonly html: Readonly<Record<string, string>>;
    readonly manifest: string;
  };
  readonly clock: 'virtual' | 'real';
  readonly seed: number;
  /** Who answers UrlFetchApp. */
  readonly internet: Internet;
  readonly documents?: readonly HostDocument[];
  /** How many threads are kept for later executions; more are made when needed. */
  readonly workers?: number;
  /** Left out: modelled in virtual time, none with the machine's clock. */
  readonly latency?: LatencyLaw;
  readonly limits?: Partial<HostLimits>;
  /** How long a script in virtual time may compute between two calls, ms of the machine's time. */
  readonly runawayMs?: number;
  /** Sees every service call with all that crossed, keys included. */
  readonly observe?: (call: ObservedCall) => void;
  readonly screen?: Partial<Screen>;
}

export interface Host {
  /** Starts an execution at a moment, or now; the promise settles when it has ended. */
  readonly start: (execution: Execution, atMs?: number) => Promise<Outcome>;
  /** Does something at a moment of the host's time, such as wiping the caches. */
  readonly at: (momentMs: number, action: () => void) => void;
  /**
   * Virtual: lets time pass until nothing is left to happen, or up to a moment.
   * Real: waits until nothing runs any more.
   */
  readonly run: (untilMs?: number) => Promise<void>;
  readonly nowMs: () => number;
  readonly traceHash: () => string;
  readonly trace: () => readonly string[];
  readonly stores: ServiceRegistry['stores'];
  /** Ends everything as it is; what has not ended by then never settles. */
  readonly stop: () => Promise<void>;
}
