// The platform inside the script's context: built into one string and evaluated in each context
// before the script's code.

import { resultForPage } from '../google-script-run';
import { inWords, say } from '../messages';
import type { Call, Realm, Signatures } from '../service';
import { webAnswer } from '../web-app';
import { decode, encode } from '../wire';
import { enumeration, guard } from './guard';
import { type CallAnswer, type Ending, type Failure, type Launch, PASS } from './launch';
import { scriptHalves } from './script-halves';
import { busyClock, installClock, installRandom } from './time-and-chance';
import { installTimeZone } from './zoned-date';

/** What the thread puts into the context before this file is evaluated. */
interface ThreadSide {
  readonly ask: (text: string, notes: readonly string[]) => string;
  readonly nowMs: () => number;
  /** Whether time passes only as the host lets it. */
  readonly isVirtual: boolean;
  readonly launch: string;
  /** Evaluates an expression at the top level, where `const` and `class` names are also visible. */
  readonly evaluate: (source: string) => unknown;
}

/** What this file leaves in the context in place of `ThreadSide`. */
interface RealmSide {
  readonly invoke: () => void;
  readonly fail: (thrown: unknown) => void;
  /** Notes which of these promises fail. What Google does about them no page says. */
  readonly unheard: (promises: readonly Promise<unknown>[]) => void;
  readonly outcome: () => { readonly text: string; readonly notes: readonly string[] };
}

const scope = globalThis as typeof globalThis & { platform: ThreadSide | RealmSide };
const thread = scope.platform as ThreadSide;
const launch = decode(thread.launch) as Launch;

/**
 * Functions of the thread's realm do not leave this file, because through one a script could reach
 * Node.
 */
const nowMs = () => thread.nowMs();

const clock = thread.isVirtual
  ? busyClock(nowMs, (ms) => void thread.ask(encode([PASS, ms]), takeNotes()))
  : null;

let notes: string[] = [];

function takeNotes(): readonly string[] {
  const taken = notes;
  notes = [];
  return taken;
}

class Exception extends Error {
  override readonly name = 'Exception';
}

/** What the host told of the calls that it refused. */
const refusals = new WeakMap<object, Failure>();

function callFor<Calls extends Signatures<Calls>>(): Call<Calls> {
  return (name, ...args) => {
    clock?.settle();
    const sentMs = nowMs();
    const answer = decode(thread.ask(encode([name, ...args]), takeNotes())) as CallAnswer;
    if (nowMs() === sentMs) clock?.called();
    if (!answer.ok) {
      const { message, call, limit } = answer;
      const refusal = new Exception(message);
      refusals.set(refusal, { call, ...(limit && { limit }) });
      throw refusal;
    }
    return answer.value as ReturnType<Calls[typeof name]>;
  };
}

function realmFor<Calls extends Signatures<Calls>>(): Realm<Calls> {
  return {
    call: callFor<Calls>(),
    guard,
    enumeration,
    exception: (said) => new Exception(inWords(said, launch.facts.locale)),
    note: (line) => {
      notes.push(line);
    },
    nowMs,
    facts: launch.facts,
  };
}

installTimeZone(launch.facts.timeZone);
installClock(clock?.read ?? nowMs);
installRandom(launch.seed);
const globals = scriptHalves(realmFor);
Object.assign(globalThis, globals);

/** Top-level names that exist without the script. */
const platformNames = new Set(Object.getOwnPropertyNames(globalThis));

/** A name, or the path of a method: "menu.open" (guide of the V8 runtime, "Call object methods"). */
const CALLABLE = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/;

function entryPoint(): (...args: readonly unknown[]) => unknown {
  const name = launch.functionName;
  const [root = '', ...members] = name.split('.');
  const isName = CALLABLE.test(name) && !platformNames.has(root);
  let holder: unknown;
  let found = isName ? thread.evaluate(`typeof ${root} === 'undefined' ? null : ${root}`) : null;
  for (const member of members) {
    holder = found;
    found = (holder as Record<string, unknown> | null | undefined)?.[member];
  }
  if (typeof found !== 'function')
    throw new Exception(inWords(say('no-function', name), launch.facts.locale));
  const entry = found;
  return (...args) => Reflect.apply(entry, holder, args);
}

function argumentsOfEntry(): readonly unknown[] {
  if (!launch.event) return launch.args;
  const { AuthMode } = globals.ScriptApp as { AuthMode: Readonly<Record<string, object>> };
  const { place, user, ...members } = launch.event;
  const who = user === undefined ? {} : { user: guard('User', { getEmail: () => user }) };
  const event = { ...members, ...who, authMode: AuthMode[launch.event.authMode] };
  return [place === undefined ? event : withRange(event, place as EditedPlace), ...launch.args];
}

interface EditedPlace {
  readonly sheetId: number;
  readonly row: number;
  readonly column: number;
  readonly rowCount: number;
  readonly columnCount: number;
}

interface Book {
  readonly getSheetById: (id: number) => {
    readonly getRange: (...place: number[]) => object;
  } | null;
}

/** Members are created when the script reads them, so that an unread event costs no call. */
function withRange(event: object, place: EditedPlace): object {
  const { sheetId, row, column, rowCount, columnCount } = place;
  const book = () => (globals.SpreadsheetApp as { getActive: () => Book }).getActive();
  return Object.defineProperties(event, {
    source: { enumerable: true, get: book },
    range: {
      enumerable: true,
      get: () => {
        const range = book().getSheetById(sheetId)?.getRange(row, column, rowCount, columnCount);
        // Members that only an event's range has. Scripts read them to spare calls.
        const [rowEnd, columnEnd] = [row + rowCount - 1, column + columnCount - 1];
        return (
          range && Object.assign(range, { rowStart: row, rowEnd, columnStart: column, columnEnd })
        );
      },
    },
  });
}

let ending: Ending = { ok: true, value: undefined };

/**
 * The stack without the platform's frames. They lie below the script's frames and, when a service
 * refuses a call, above them too.
 */
function ownStack(error: Error): string {
  const lines = String(error.stack ?? error.message).split('\n');
  const isPlatform = (line: string) => line.includes('platform.js');
  const untilPlatform = (some: readonly string[]) => {
    const end = some.findIndex((line) => isPlatform(line) || line.includes('(node:'));
    return some.slice(0, end < 0 ? undefined : end);
  };
  if (!isPlatform(lines[0] ?? '')) return untilPlatform(lines).join('\n');
  const frames = lines.filter((line) => line.startsWith('    at '));
  const own = frames.slice(frames.findIndex((line) => !isPlatform(line)));
  return [`${error.name}: ${error.message}`, ...untilPlatform(own)].join('\n');
}

function errorOf(thrown: unknown): Error {
  const isError = typeof thrown === 'object' && thrown !== null && 'message' in thrown;
  return isError ? (thrown as Error) : new Error(String(thrown));
}

const then = Promise.prototype.then;

function unheard(promises: readonly Promise<unknown>[]): void {
  for (const promise of promises)
    void then.call(promise, undefined, (thrown) => {
      notes.push(`[uncaught] in a promise: ${ownStack(errorOf(thrown))}`);
    });
}

function fail(thrown: unknown): void {
  const error = errorOf(thrown);
  notes.push(`[uncaught] ${ownStack(error)}`);
  ending = {
    ok: false,
    error: { name: String(error.name), message: String(error.message) },
    failure: { stack: ownStack(error), ...refusals.get(error) },
  };
}

/**
 * A value returned to a page or to a visitor of a web app. It must be of a kind that Google passes
 * on.
 */
function asHeard(value: unknown): unknown {
  if (launch.door === 'sidebar') return resultForPage(value);
  return launch.door === 'web' ? webAnswer(value) : value;
}

function succeed(value: unknown): void {
  ending = { ok: true, value: asHeard(value) };
}

const realmSide: RealmSide = {
  invoke() {
    const value = entryPoint()(...argumentsOfEntry());
    // An async function runs as far as it gets without waiting, because there is nothing to wait
    // for.
    if (value instanceof Promise) value.then(succeed).catch(fail);
    else succeed(value);
  },
  fail,
  unheard,
  outcome: () => {
    settleClock();
    return { text: encodeEnding(), notes: takeNotes() };
  },
};

/** An execution that is over can tell the host nothing any more. */
function settleClock(): void {
  try {
    clock?.settle();
  } catch {}
}

/**
 * Only cells and pages look at the returned value. If it cannot be encoded, they receive undefined.
 */
function encodeEnding(): string {
  try {
    return encode(ending);
  } catch {
    return encode({ ok: true, value: undefined } satisfies Ending);
  }
}

scope.platform = realmSide;
