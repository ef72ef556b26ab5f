// What a service of the emulated Apps Script is made of: a half in the script, a half in the host.

import type { HostDocument } from './document';
import type { FiringLaw } from './firings';
import type { Internet } from './internet/internet';
import type { LatencyLaw } from './latency';
import type { HostLimits } from './limits';
import type { Locale, Message } from './messages';
import { inWords } from './messages';
import type { Random } from './random';
import type { Scheduler } from './scheduler';
import type { Unknowns } from './unknowns';

/** How a person or machine came to start the script. */
export type Door = 'cell' | 'menu' | 'sidebar' | 'clock' | 'open' | 'install' | 'edit' | 'web';

/** Apps Script's authorisation modes: what the platform lets an execution do. */
export type AuthMode = 'NONE' | 'LIMITED' | 'CUSTOM_FUNCTION' | 'FULL';

/** How an execution ends: by itself, or by the platform. */
export type Ended = 'returned' | 'threw' | 'killed' | 'timedOut';

/** The calls of one service: operation name → what goes in and what comes out. */
export type Signatures<Calls> = {
  readonly [Name in keyof Calls]: (...args: never[]) => unknown;
};

/** How the half in the script asks the half in the host. Blocks, as every Apps Script call does. */
export type Call<Calls extends Signatures<Calls>> = <Name extends keyof Calls & string>(
  name: Name,
  ...args: Parameters<Calls[Name]>
) => ReturnType<Calls[Name]>;

/** What the half in the script may use. It runs in the bundle's own realm, without Node. */
export interface Realm<Calls extends Signatures<Calls>> {
  readonly call: Call<Calls>;
  /**
   * Makes reading an unknown member throw its name. Every object a script can reach is guarded. Members
   * can be left to `more`, whose parts are made in their order until the one that is asked for is there.
   */
  readonly guard: <Target extends object>(
    name: string,
    target: Target,
    ...more: readonly (() => object)[]
  ) => Target;
  /** An enum as Apps Script has them: objects with a name, equal only to themselves. */
  readonly enumeration: <Members extends object>(
    name: string,
    members: readonly (keyof Members & string)[],
  ) => Members;
  /** The error that a service throws: its name is "Exception". */
  readonly exception: (message: Message) => Error;
  /** Adds a line to the execution's log. */
  readonly note: (line: string) => void;
  readonly nowMs: () => number;
  /** What the host knows about this execution before it starts. */
  readonly facts: RealmFacts;
}

export interface RealmFacts {
  readonly hasDocument: boolean;
  readonly timeZone: string;
  readonly scopes: readonly string[];
  readonly locale: Locale;
}

/** The half in the script: makes the globals, such as `{ CacheService }`. */
export type ScriptHalf<Calls extends Signatures<Calls>> = (
  realm: Realm<Calls>,
) => Readonly<Record<string, object>>;

/**
 * Some members of an object of Google's, each taking what Google's takes; what a member returns may
 * be a part again, and null where the published types forget that.
 */
export type PartOf<Whole> = {
  readonly [Name in keyof Whole]?: Whole[Name] extends (...args: infer Args) => unknown
    ? (...args: Args) => unknown
    : object;
};

/** The execution that makes a call, as the host's half sees it. */
export interface Caller {
  readonly executionId: number;
  readonly door: Door;
  readonly authMode: AuthMode;
  /** The person at the keyboard, or who owns the trigger. Daily quotas are counted against them. */
  readonly userEmail: string;
  /** The language of their account, in which Google writes to them. */
  readonly locale: Locale;
  /** Whose user properties, cache and lock these are: in a cell the document owner's. */
  readonly userStoreEmail: string;
  readonly document: HostDocument | null;
  /** It does not see the document's stores that others see. */
  readonly isApart: boolean;
}

const LATER = Symbol('later');

/** An answer that comes at another moment: the script goes on waiting until it is settled. */
export interface Later<Value> {
  readonly [LATER]: true;
  /** Starts the waiting; returns what to do if the execution ends before the answer. */
  readonly begin: (settle: Settle<Value>) => () => void;
}

export interface Settle<Value> {
  readonly value: (value: Value) => void;
  /** The script sees an exception with this message. */
  readonly exception: (message: Message | string) => void;
}

export function later<Value>(begin: Later<Value>['begin']): Later<Value> {
  return { [LATER]: true, begin };
}

export function isLater(value: unknown): value is Later<unknown> {
  return typeof value === 'object' && value !== null && LATER in value;
}

/** Settles with what an action answers, or throws for the script; returns how to give it up. */
export function answerWith<Value>(
  settle: Settle<Value>,
  action: () => Value | Later<Value>,
): () => void {
  try {
    const answer = action();
    if (isLater(answer)) return (answer as Later<Value>).begin(settle);
    settle.value(answer as Value);
  } catch (error) {
    if (!(error instanceof ServiceException)) throw error;
    settle.exception(error.said);
  }
  return () => {};
}

/**
 * Thrown by a host half: the script sees an exception with this message, in Google's words and in the
 * language of the person's account. A text stays as it is.
 */
export class ServiceException extends Error {
  override readonly name = 'Exception';
  readonly said: Message | string;

  constructor(said: Message | string) {
    super(inWords(said, 'en'));
    this.said = said;
  }
}

export type Operations<Calls extends Signatures<Calls>> = {
  readonly [Name in keyof Calls]: (
    caller: Caller,
    ...args: Parameters<Calls[Name]>
  ) => ReturnType<Calls[Name]> | Later<ReturnType<Calls[Name]>>;
};

/** Who may make a call. */
export interface Permission {
  /** As Apps Script names it in the refusal, such as "UrlFetchApp.fetch". */
  readonly callName: string;
  readonly modes: readonly AuthMode[];
  /** One of these must be in the manifest. None: no scope is needed. */
  readonly anyScope?: readonly string[];
}

/** The half in the host. Operation names start with the service's: "cache.get". */
export interface HostHalf<Calls extends Signatures<Calls>> {
  readonly operations: Operations<Calls>;
  readonly permission: (operation: keyof Calls & string) => Permission;
  /**
   * How a call reads in the trace. Names may be shown, contents may not: values can hold a key.
   * Left out: only the sizes of the arguments are shown.
   */
  readonly shown?: (operation: keyof Calls & string, args: readonly unknown[]) => string;
  /** How many cells a call is about, since they take time. */
  readonly cells?: (args: readonly unknown[]) => number;
  /** An execution begins. */
  readonly started?: (caller: Caller) => void;
  /** It is over, in whatever way: let go of what it held. */
  readonly ended?: (caller: Caller, ended: Ended) => void;
}

/** A host half whose calls are no longer known by type, as the registry keeps them. */
export interface RegisteredService {
  readonly operations: Readonly<Record<string, (caller: Caller, ...args: never[]) => unknown>>;
  readonly permission: (operation: never) => Permission;
  readonly shown?: (operation: never, args: readonly unknown[]) => string;
  readonly cells?: (args: readonly unknown[]) => number;
  readonly started?: (caller: Caller) => void;
  readonly ended?: (caller: Caller, ended: Ended) => void;
}

/** What host halves are made from. */
export interface World {
  readonly scheduler: Scheduler;
  /** A seeded stream of its own for each name, so that services do not disturb each other. */
  readonly random: (stream: string) => Random;
  readonly limits: HostLimits;
  readonly documents: ReadonlyMap<string, HostDocument>;
  readonly manifest: Manifest;
  /** The scopes that an execution has. */
  readonly scopesOf: (caller: Caller) => readonly string[];
  /** The language of an account, by its address. */
  readonly localeOf: (userEmail: string) => Locale;
  /** HTML files of the project by name without ".html". */
  readonly html: Readonly<Record<string, string>>;
  readonly internet: Internet;
  readonly screen: Screen;
  /** How inline scripts are cut in the pages that are shown. */
  readonly scriptCut: ScriptCut;
  readonly latency: LatencyLaw;
  readonly firings: FiringLaw;
  readonly unknowns: Unknowns;
  /** Runs an installed trigger's function; what happened goes into its event object. */
  readonly startTrigger: (trigger: FiredTrigger, event: ScriptEventMembers) => void;
  /** Every script that runs is asleep, and none wakes before this moment. */
  readonly onAllAsleep: (untilMs: number) => void;
  /** Writes a line into the trace. */
  readonly record: (caller: Caller, event: string, detail: string) => void;
}

/** Members of an event object; a `place` becomes the range that a script finds in it. */
export type ScriptEventMembers = Readonly<Record<string, unknown>>;

export interface FiredTrigger {
  readonly uniqueId: string;
  readonly functionName: string;
  readonly userEmail: string;
  readonly documentId: string | null;
}

export interface Manifest {
  readonly timeZone: string;
  readonly oauthScopes: readonly string[];
}

/** Where Google takes signs in an inline script for a comment; which of the two it is, nobody knows. */
export type ScriptCut = 'outside-strings' | 'everywhere';

/** What a script shows to the person at the keyboard. */
export interface Screen {
  readonly onSidebar: (html: string, title: string, caller: Caller) => void;
  readonly onMenu: (menu: ScreenMenu, caller: Caller) => void;
  readonly onToast: (message: string, title: string, caller: Caller) => void;
  readonly onDialog: (html: string, title: string, caller: Caller) => void;
  /** A message with a button; the script waits for it, and goes on at once here. */
  readonly onAlert: (message: string, title: string, caller: Caller) => void;
  /** A question with a field; the script waits for what is typed, and has it at once here. */
  readonly onPrompt: (message: string, title: string, caller: Caller) => PromptReply;
}

export interface PromptReply {
  readonly button: 'CANCEL' | 'CLOSE' | 'NO' | 'OK' | 'YES';
  readonly text: string;
}

export interface ScreenMenu {
  readonly caption: string;
  /** An add-on's menu stands under Extensions, with the add-on's name. */
  readonly addOn: boolean;
  readonly items: readonly ScreenMenuItem[];
}

export type ScreenMenuItem =
  | { readonly kind: 'item'; readonly caption: string; readonly functionName: string }
  | { readonly kind: 'separator' }
  | { readonly kind: 'menu'; readonly menu: ScreenMenu };
