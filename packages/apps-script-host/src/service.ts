// Defines what a service of the emulated Apps Script consists of: one half in the script and one in
// the host.

import type { Dialog, DialogReply } from './dialogs';
import type { HostDocument } from './document';
import type { FiringLaw } from './firings';
import type { Internet } from './internet/internet';
import type { LatencyLaw } from './latency';
import type { HostLimits, LimitReached } from './limits';
import type { Locale, Message } from './messages';
import { inWords } from './messages';
import type { Random } from './random';
import type { Scheduler } from './scheduler';
import type { Brought, Described } from './services/brought';
import type { Unknowns } from './unknowns';

/** How a person or machine started the script. */
export type Door = 'cell' | 'menu' | 'sidebar' | 'clock' | 'open' | 'install' | 'edit' | 'web';

/** Apps Script's authorisation modes, which decide what the platform lets an execution do. */
export type AuthMode = 'NONE' | 'LIMITED' | 'CUSTOM_FUNCTION' | 'FULL';

/** How an execution ends: by itself, or through the platform. */
export type Ended = 'returned' | 'threw' | 'killed' | 'timedOut';

/** The calls of one service: each operation name with its arguments and result. */
export type Signatures<Calls> = {
  readonly [Name in keyof Calls]: (...args: never[]) => unknown;
};

/** How the script half calls the host half. Blocks, as every Apps Script call does. */
export type Call<Calls extends Signatures<Calls>> = <Name extends keyof Calls & string>(
  name: Name,
  ...args: Parameters<Calls[Name]>
) => ReturnType<Calls[Name]>;

/** What the script half may use. It runs in the bundle's own realm, without Node. */
export interface Realm<Calls extends Signatures<Calls>> {
  readonly call: Call<Calls>;
  /**
   * Makes reading an unknown member throw an error with its name. Every object that a script can
   * reach is guarded. Members can be left to `more`, whose parts are made in order until the
   * requested member is there.
   */
  readonly guard: <Target extends object>(
    name: string,
    target: Target,
    ...more: readonly (() => object)[]
  ) => Target;
  /** An enum as in Apps Script: objects with a name, each equal only to itself. */
  readonly enumeration: <Members extends object>(
    name: string,
    members: readonly (keyof Members & string)[],
  ) => Members;
  /** The error that a service throws. Its name is "Exception". */
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
  /** What the script calls the libraries and advanced services of its manifest. */
  readonly dependencies: readonly string[];
  /** What a test brings for services that are not emulated. */
  readonly services: readonly (readonly [name: string, Described])[];
  readonly locale: Locale;
}

/** The script half. It makes the globals, such as `{ CacheService }`. */
export type ScriptHalf<Calls extends Signatures<Calls>> = (
  realm: Realm<Calls>,
) => Readonly<Record<string, object>>;

/**
 * Some members of one of Google's objects, with the same parameters as Google's. A member may
 * return a part of an object as well, or null where the published types omit it.
 */
export type PartOf<Whole> = {
  readonly [Name in keyof Whole]?: Whole[Name] extends (...args: infer Args) => unknown
    ? (...args: Args) => unknown
    : object;
};

/** The execution that makes a call, as the host half sees it. */
export interface Caller {
  readonly executionId: number;
  readonly door: Door;
  readonly authMode: AuthMode;
  /**
   * The person at the keyboard or the owner of the trigger. Daily quotas count against this user.
   */
  readonly userEmail: string;
  /** The language of the user's account, in which Google addresses them. */
  readonly locale: Locale;
  /**
   * Whose user properties, cache and lock the execution uses: in a cell those of the document's
   * owner.
   */
  readonly userStoreEmail: string;
  readonly document: HostDocument | null;
  /** The cell whose formula calls a custom function. null: it is not known, or there is none. */
  readonly cell: { readonly sheetId: number; readonly row: number; readonly column: number } | null;
  /** True if the execution does not see the document's stores that others see. */
  readonly isApart: boolean;
}

const LATER = Symbol('later');

/** An answer that comes at a later moment. The script waits until it is settled. */
export interface Later<Value> {
  readonly [LATER]: true;
  /** Starts the wait. Returns what to do if the execution ends before the answer. */
  readonly begin: (settle: Settle<Value>) => () => void;
}

export interface Settle<Value> {
  readonly value: (value: Value) => void;
  /** Makes the script see an exception with this message. */
  readonly exception: (message: Message | string, limit?: LimitReached | null) => void;
}

export function later<Value>(begin: Later<Value>['begin']): Later<Value> {
  return { [LATER]: true, begin };
}

export function isLater(value: unknown): value is Later<unknown> {
  return typeof value === 'object' && value !== null && LATER in value;
}

/** Settles with the result of an action, or throws in the script. Returns how to cancel it. */
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
    settle.exception(error.said, error.limit);
  }
  return () => {};
}

/**
 * Thrown by a host half. The script sees an exception with this message, in Google's words and in
 * the language of the user's account. Plain text stays as it is.
 */
export class ServiceException extends Error {
  override readonly name = 'Exception';
  readonly said: Message | string;
  /** The limit for which it refuses. null: it refuses for another reason. */
  readonly limit: LimitReached | null;

  constructor(said: Message | string, limit: LimitReached | null = null) {
    super(inWords(said, 'en'));
    this.said = said;
    this.limit = limit;
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
  /** The name that Apps Script uses in the refusal, such as "UrlFetchApp.fetch". */
  readonly callName: string;
  readonly modes: readonly AuthMode[];
  /** The manifest must have one of these scopes. Left out: no scope is needed. */
  readonly anyScope?: readonly string[];
}

/** The host half. Operation names start with the service's name, for example "cache.get". */
export interface HostHalf<Calls extends Signatures<Calls>> {
  readonly operations: Operations<Calls>;
  readonly permission: (operation: keyof Calls & string) => Permission;
  /**
   * How a call appears in the trace. Names may be shown but contents may not, because a value can
   * hold an API key. Left out: only the sizes of the arguments are shown.
   */
  readonly shown?: (operation: keyof Calls & string, args: readonly unknown[]) => string;
  /** How many cells a call concerns, because cells take time. */
  readonly cells?: (args: readonly unknown[]) => number;
  /** Called when an execution begins. */
  readonly started?: (caller: Caller) => void;
  /** Called when an execution has ended in any way, to free what it held. */
  readonly ended?: (caller: Caller, ended: Ended) => void;
}

/** A host half without the types of its calls, as the registry keeps it. */
export interface RegisteredService {
  readonly operations: Readonly<Record<string, (caller: Caller, ...args: never[]) => unknown>>;
  readonly permission: (operation: never) => Permission;
  readonly shown?: (operation: never, args: readonly unknown[]) => string;
  readonly cells?: (args: readonly unknown[]) => number;
  readonly started?: (caller: Caller) => void;
  readonly ended?: (caller: Caller, ended: Ended) => void;
}

/** What every host half is built from. */
export interface World {
  readonly scheduler: Scheduler;
  /** A separate seeded stream for each name, so that services do not affect each other. */
  readonly random: (stream: string) => Random;
  readonly limits: HostLimits;
  /** A script can add to them. */
  readonly documents: Map<string, HostDocument>;
  /** Called with a spreadsheet that a script has made. */
  readonly onDocument: (document: HostDocument) => void;
  readonly manifest: Manifest;
  /** Whether the project is deployed as a web app. */
  readonly isWebApp: boolean;
  /** The scopes that an execution has. */
  readonly scopesOf: (caller: Caller) => readonly string[];
  /** The language of an account, by its email address. */
  readonly localeOf: (userEmail: string) => Locale;
  /** HTML files of the project by name without ".html". */
  readonly html: Readonly<Record<string, string>>;
  readonly internet: Internet;
  /** What a test brings for services that are not emulated. */
  readonly brought: Brought;
  readonly screen: Screen;
  /** How inline scripts are cut in the pages that are shown. */
  readonly scriptCut: ScriptCut;
  readonly latency: LatencyLaw;
  readonly firings: FiringLaw;
  readonly unknowns: Unknowns;
  /** Runs an installed trigger's function. `event` goes into its event object. */
  readonly startTrigger: (trigger: FiredTrigger, event: ScriptEventMembers) => void;
  /** Called when every running script is asleep and none wakes before this moment. */
  readonly onAllAsleep: (untilMs: number) => void;
  /** Writes a line to the trace. */
  readonly record: (caller: Caller, event: string, detail: string) => void;
}

/** Members of an event object. A `place` becomes the range that the script finds in it. */
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
  readonly dependencies?: Dependencies;
}

/** None of these is emulated. */
export interface Dependencies {
  readonly enabledAdvancedServices?: readonly { readonly userSymbol: string }[];
  readonly libraries?: readonly { readonly userSymbol: string }[];
}

/**
 * Where Google takes characters in an inline script for a comment. It is not known which of the two
 * applies.
 */
export type ScriptCut = 'outside-strings' | 'everywhere';

/** What a script shows to the person at the keyboard. */
export interface Screen {
  readonly onSidebar: (html: string, title: string, caller: Caller) => void;
  readonly onMenu: (menu: ScreenMenu, caller: Caller) => void;
  readonly onToast: (message: string, title: string, caller: Caller) => void;
  readonly onDialog: (html: string, title: string, caller: Caller) => void;
  /**
   * A message with the button OK. Google's script waits for the click; here the script continues at
   * once.
   */
  readonly onAlert: (message: string, title: string, caller: Caller) => void;
  /** A question. Google's script waits for the answer; here it is there at once. */
  readonly onQuestion: (dialog: Dialog, caller: Caller) => DialogReply;
}

export interface ScreenMenu {
  readonly caption: string;
  /** True for an add-on's menu, which Sheets shows under Extensions with the add-on's name. */
  readonly addOn: boolean;
  readonly items: readonly ScreenMenuItem[];
}

export type ScreenMenuItem =
  | { readonly kind: 'item'; readonly caption: string; readonly functionName: string }
  | { readonly kind: 'separator' }
  | { readonly kind: 'menu'; readonly menu: ScreenMenu };
