// Defines the options of the emulated host and what it offers.

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
import type { Failure, ScriptError } from './realm/launch';
import type { AuthMode, Door, Ended, Screen, ScriptCut, ScriptEventMembers } from './service';
import type { ServiceRegistry } from './service-registry';
import type { BroughtServices } from './services/brought';
import type { Act } from './sheet/acts';
import type { ThreadStock } from './thread-pool';
import type { Unknowns } from './unknowns';

export interface CellPlace {
  readonly sheetId: number;
  readonly row: number;
  readonly column: number;
}

export interface Execution {
  readonly functionName: string;
  /** Numbers, texts, booleans, null, undefined, Dates, arrays and plain objects. */
  readonly args: readonly unknown[];
  readonly door: Door;
  /** The cell whose formula calls the function. Left out: a custom function cannot ask for it. */
  readonly cell?: CellPlace;
  /** Defaults to the document's owner. */
  readonly userEmail?: string;
  /** Defaults to the first document, if there is one. null: no document is active. */
  readonly documentId?: string | null;
  /** Defaults to the mode that the platform gives this door. */
  readonly authMode?: AuthMode;
  /** The installed trigger that fired, for the event object. Only for the clock. */
  readonly triggerUid?: string;
  /**
   * What happened to start the execution. Only for edits and for the triggers that react to them.
   */
  readonly event?: ScriptEventMembers;
  /**
   * Kills the execution, like a crash, when it is about to make its n-th service call, counted from
   * 1.
   */
  readonly killAtCall?: number;
  /**
   * Kills the execution after its n-th service call has taken effect, before it receives the
   * answer.
   */
  readonly killAfterCall?: number;
  /** Calls at which a service fails for no reason. */
  readonly faults?: readonly PlannedFault[];
}

/** How an execution ended: `ok` tells whether there is a value or an error. */
export type Outcome = Returned | Failed;

export interface Returned extends Run {
  readonly ok: true;
  readonly value: unknown;
  readonly ended: 'returned';
  readonly error?: never;
  readonly failure?: never;
}

export interface Failed extends Run {
  readonly ok: false;
  readonly error: ScriptError;
  /** Where it failed, in which call of a service, and at which limit, as far as that is known. */
  readonly failure: Failure;
  /** "refused": the execution never started. */
  readonly ended: Exclude<Ended, 'returned'> | 'refused';
  /** What a cell shows that failed. */
  readonly value?: unknown;
}

interface Run {
  readonly startedMs: number;
  readonly endedMs: number;
  readonly serviceCalls: number;
  /** Lines of Logger and console, and the stack of an uncaught error. */
  readonly logs: readonly string[];
}

export interface HostOptions {
  readonly dist: {
    /** One file, or several in the order in which Google evaluates them. */
    readonly code: string | readonly ScriptFile[];
    /** HTML files by name without ".html". */
    readonly html: Readonly<Record<string, string>>;
    readonly manifest: string;
  };
  readonly clock: 'virtual' | 'real';
  readonly seed: number;
  /** Answers the requests of UrlFetchApp. */
  readonly internet: Internet;
  readonly documents?: readonly HostDocument[];
  /** Called with each spreadsheet that a script makes. */
  readonly onDocument?: (document: HostDocument) => void;
  /** In place of what is not emulated, by the names that scripts use. */
  readonly services?: BroughtServices;
  /**
   * The granted scopes, by email address, of users who unticked some when asked. All other users
   * granted everything that the manifest asks for.
   */
  readonly consents?: Readonly<Record<string, readonly string[]>>;
  /** The languages in which Google addresses users. Defaults to English. */
  readonly locales?: AccountLocales;
  /** How many threads are kept for later executions. More are made when needed. */
  readonly workers?: number;
  /** In virtual time only: idle threads that hosts with the usual limits pass on to one another. */
  readonly threads?: ThreadStock;
  /** Defaults to modelled latencies in virtual time and to none with the machine's clock. */
  readonly latency?: LatencyLaw;
  /**
   * Defaults to an add-on. A script bound to one spreadsheet may have more triggers, which may fire
   * more often.
   */
  readonly project?: 'add-on' | 'bound';
  readonly limits?: Partial<HostLimits>;
  /**
   * How long a script in virtual time may compute between two calls, in ms of the machine's time.
   */
  readonly runawayMs?: number;
  /**
   * Every script gets a thread with so much memory, which ends alone when it is used up. Left out: a
   * script that runs alone shares the host's memory, which is faster.
   */
  readonly memoryMb?: number;
  /** Called when an execution has ended, or was refused, whoever started it: triggers and cells too. */
  readonly onEnded?: (execution: Execution, outcome: Outcome) => void;
  /** Sees every service call with everything that crossed, API keys included. */
  readonly observe?: (call: ObservedCall) => void;
  /**
   * Defaults to true. Google does not say whether triggers of add-ons have an active spreadsheet.
   */
  readonly triggersSeeDocument?: boolean;
  /** Behaviour that Google does not document. What is left out behaves as scripts hope. */
  readonly unknowns?: Partial<Unknowns>;
  /** Defaults to firing once, somewhat late. */
  readonly firings?: FiringLaw;
  /**
   * Ends an execution that reads or writes a spreadsheet while it holds a lock. Such a call waits for cells
   * that compute, and they may be waiting for the lock. Defaults to false, as with Google.
   */
  readonly sheetsFailUnderLock?: boolean;
  /** How often services fail for no reason. Defaults to never. */
  readonly faults?: FaultLaw;
  /** What other people do in the execution's document just before a call takes effect. */
  readonly betweenCalls?: BetweenCalls;
  readonly screen?: Partial<Screen>;
  /**
   * Where inline scripts are cut. Defaults to the harsher rule, everywhere, because Google does not
   * say how it cuts them.
   */
  readonly scriptCut?: ScriptCut;
}

export interface Host {
  /**
   * Starts an execution now or at a given moment. The promise settles when the execution has ended.
   */
  readonly start: (execution: Execution, atMs?: number) => Promise<Outcome>;
  /** Runs an action at a moment of the host's time, such as wiping the caches. */
  readonly at: (momentMs: number, action: () => void) => void;
  /** Lets another person act in a document, by default the first, now or at a given moment. */
  readonly act: (act: Act, when?: When) => void;
  /**
   * Virtual clock: lets time pass until nothing is left to happen, or up to a moment. Real clock:
   * waits until nothing runs.
   */
  readonly run: (untilMs?: number) => Promise<void>;
  /**
   * Real clock: moves the time forward. Triggers that were due in between fire at once and only
   * once, and running executions end as they do at the time limit. Virtual clock: does nothing,
   * because `run` lets time pass.
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
  /** Ends everything as it is. Outcomes that have not settled by then never do. */
  readonly stop: () => Promise<void>;
}
