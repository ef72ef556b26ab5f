// What one gives the emulated host and what one gets from it.

import type { BetweenCalls, When } from './bystanders';
import type { ObservedCall } from './call';
import type { HostDocument } from './document';
import type { FaultLaw, PlannedFault } from './faults';
import type { FiringLaw } from './firings';
import type { Internet } from './internet/internet';
import type { LatencyLaw } from './latency';
import type { HostLimits } from './limits';
import type { AccountLocales } from './messages';
import type { ScriptFile } from './pushed-code';
import type { ScriptError } from './realm/launch';
import type { AuthMode, Door, Ended, Screen, ScriptCut, ScriptEventMembers } from './service';
import type { ServiceRegistry } from './service-registry';
import type { Act } from './sheet/acts';
import type { ThreadStock } from './thread-pool';
import type { Unknowns } from './unknowns';

export interface Execution {
  readonly functionName: string;
  /** Numbers, texts, booleans, null, undefined, Dates, arrays and plain objects. */
  readonly args: readonly unknown[];
  readonly door: Door;
  /** Left out: the document's owner. */
  readonly userEmail?: string;
  /** Left out: the first document, if there is any; null: none is active. */
  readonly documentId?: string | null;
  /** Left out: what the platform gives this door. */
  readonly authMode?: AuthMode;
  /** Which installed trigger fired, for the event object; only by the clock. */
  readonly triggerUid?: string;
  /** What happened that made it start; only for edits and the triggers that wait for them. */
  readonly event?: ScriptEventMembers;
  /** Dies like a crash when it is about to make its n-th service call, the first being 1. */
  readonly killAtCall?: number;
  /** The same when its n-th service call has had its effect, whose answer it never hears. */
  readonly killAfterCall?: number;
  /** Calls at which a service fails for no reason. */
  readonly faults?: readonly PlannedFault[];
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
    /** Of one file, or of several in the order in which Google evaluates them. */
    readonly code: string | readonly ScriptFile[];
    /** HTML files by name without ".html". */
    readonly html: Readonly<Record<string, string>>;
    readonly manifest: string;
  };
  readonly clock: 'virtual' | 'real';
  readonly seed: number;
  /** Who answers UrlFetchApp. */
  readonly internet: Internet;
  readonly documents?: readonly HostDocument[];
  /**
   * What users have granted who un-ticked something when they were asked, by address. All others
   * granted all that the manifest asks for.
   */
  readonly consents?: Readonly<Record<string, readonly string[]>>;
  /** In which languages Google writes to people. Left out: English. */
  readonly locales?: AccountLocales;
  /** How many threads are kept for later executions; more are made when needed. */
  readonly workers?: number;
  /** In virtual time: threads that other hosts with the usual limits left and will use again. */
  readonly threads?: ThreadStock;
  /** Left out: modelled in virtual time, none with the machine's clock. */
  readonly latency?: LatencyLaw;
  /** Left out: an add-on. A script that belongs to one spreadsheet has more triggers, more often. */
  readonly project?: 'add-on' | 'bound';
  readonly limits?: Partial<HostLimits>;
  /** How long a script in virtual time may compute between two calls, ms of the machine's time. */
  readonly runawayMs?: number;
  /** Sees every service call with all that crossed, keys included. */
  readonly observe?: (call: ObservedCall) => void;
  /** Left out: they do. Google does not say whether add-ons' triggers have an active spreadsheet. */
  readonly triggersSeeDocument?: boolean;
  /** Left out, or in part: as scripts hope. */
  readonly unknowns?: Partial<Unknowns>;
  /** Left out: once, somewhat late. */
  readonly firings?: FiringLaw;
  /** How often services fail for no reason. Left out: never. */
  readonly faults?: FaultLaw;
  /** What other people do in the execution's document just before a call has its effect. */
  readonly betweenCalls?: BetweenCalls;
  readonly screen?: Partial<Screen>;
  /** Left out: everywhere, the harsher one. Google does not say how it cuts inline scripts. */
  readonly scriptCut?: ScriptCut;
}

export interface Host {
  /** Starts an execution at a moment, or now; the promise settles when it has ended. */
  readonly start: (execution: Execution, atMs?: number) => Promise<Outcome>;
  /** Does something at a moment of the host's time, such as wiping the caches. */
  readonly at: (momentMs: number, action: () => void) => void;
  /** Somebody does something in a document, the first if none is named: now, or at a moment. */
  readonly act: (act: Act, when?: When) => void;
  /**
   * Virtual: lets time pass until nothing is left to happen, or up to a moment.
   * Real: waits until nothing runs any more.
   */
  readonly run: (untilMs?: number) => Promise<void>;
  /**
   * Real: puts the clock forward. Triggers that were due in between fire at once, and once, and what is under
   * way ends as at its time limit. Virtual: nothing, as `run` is what lets time pass.
   */
  readonly skip: (ms: number) => void;
  /**
   * Real: from now on, or no longer, nobody waits for scripts that sleep. Where all that run do, the clock is
   * put forward to the moment at which the first wakes; what a script computes takes as long as it takes.
   * Virtual: nothing.
   */
  readonly hurry: (isWanted: boolean) => void;
  readonly nowMs: () => number;
  readonly traceHash: () => string;
  readonly trace: () => readonly string[];
  readonly stores: ServiceRegistry['stores'];
  /** Ends everything as it is; what has not ended by then never settles. */
  readonly stop: () => Promise<void>;
}
