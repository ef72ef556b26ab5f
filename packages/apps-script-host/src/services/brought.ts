// Services that a test brings for what is not emulated: objects whose functions run beside the test.

import { TestMistake } from '../dialogs';
import type { Caller, HostHalf, Operations, ScriptHalf } from '../service';
import { ServiceException } from '../service';

/** By the name that scripts use. A member is a function, a value, or an object of such. */
export type BroughtServices = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A call of a function that a test brought, as it was made. */
export interface BroughtCall {
  /** "GmailApp.sendEmail", and for what a call gave "GmailApp.search().getThreads". */
  readonly name: string;
  readonly args: readonly unknown[];
}

/**
 * A value on its way between a script and a test. A function and an object with functions stay where
 * they are, and travel as a number.
 */
export type Described =
  | { readonly is: 'value'; readonly value: unknown }
  | { readonly is: 'list'; readonly list: readonly Described[] }
  | {
      readonly is: 'object';
      readonly members: readonly (readonly [name: string, Described])[];
      /** By which the test finds it if the script hands it back. null: it is the script's own. */
      readonly id: number | null;
    }
  | { readonly is: 'function'; readonly id: number };

export interface BroughtCalls {
  'brought.call': (id: number, args: Described) => Described;
}

type AnyFunction = (...args: readonly unknown[]) => unknown;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isDate = (value: unknown) => Object.prototype.toString.call(value) === '[object Date]';

/** Also what its class gives it. */
function membersOf(object: object): readonly string[] {
  const names = new Set<string>();
  for (
    let at = object;
    at !== null && Object.getPrototypeOf(at) !== null;
    at = Object.getPrototypeOf(at)
  )
    for (const name of Object.getOwnPropertyNames(at)) if (name !== 'constructor') names.add(name);
  return [...names];
}

export interface Brought {
  readonly half: HostHalf<BroughtCalls>;
  /** What the script is told of the services before it starts. */
  readonly described: readonly (readonly [name: string, Described])[];
  readonly calls: readonly BroughtCall[];
}

export function createBrought(services: BroughtServices): Brought {
  const things: { readonly name: string; readonly thing: object }[] = [];
  const calls: BroughtCall[] = [];
  const keep = (name: string, thing: object) => things.push({ name, thing }) - 1;
  const describe = (name: string, value: unknown, holder: unknown = undefined): Described => {
    if (typeof value === 'function')
      return { is: 'function', id: keep(name, (value as AnyFunction).bind(holder)) };
    if (!isObject(value) || isDate(value)) return { is: 'value', value };
    if (Array.isArray(value))
      return { is: 'list', list: value.map((each) => describe(name, each)) };
    if (value instanceof Promise)
      throw new TestMistake(`${name} gives a promise, but a service of Google's answers at once.`);
    const members = membersOf(value).map(
      (member) => [member, describe(`${name}.${member}`, value[member], value)] as const,
    );
    return { is: 'object', members, id: keep(name, value) };
  };
  const received = (told: Described): unknown => {
    switch (told.is) {
      case 'value':
        return told.value;
      case 'list':
        return told.list.map(received);
      case 'function':
        return things[told.id]?.thing;
      case 'object':
        if (told.id !== null) return things[told.id]?.thing;
        return Object.fromEntries(told.members.map(([name, each]) => [name, received(each)]));
    }
  };
  const operations: Operations<BroughtCalls> = {
    'brought.call': (_caller: Caller, id, told) => {
      const { name, thing } = things[id] as (typeof things)[number];
      const args = received(told) as readonly unknown[];
      calls.push({ name, args });
      return describe(`${name}()`, resultOf(thing as AnyFunction, args));
    },
  };
  return {
    half: {
      operations,
      permission: () => ({
        callName: 'a service of the test',
        modes: ['NONE', 'LIMITED', 'CUSTOM_FUNCTION', 'FULL'],
      }),
      shown: (_operation, [id]) => things[Number(id)]?.name ?? '',
    },
    described: Object.entries(services).map(
      ([name, service]) => [name, describe(name, service)] as const,
    ),
    calls,
  };
}

/** What the test's function throws, the script can catch. */
function resultOf(call: AnyFunction, args: readonly unknown[]): unknown {
  try {
    return call(...args);
  } catch (error) {
    if (error instanceof TestMistake) throw error;
    throw new ServiceException(error instanceof Error ? error.message : String(error));
  }
}

/** Only the members that the test brings: the rest of a service stays as it is. */
export const broughtScript: ScriptHalf<BroughtCalls> = ({ call, facts }) => {
  const ids = new WeakMap<object, number>();
  const revived = (told: Described): unknown => {
    switch (told.is) {
      case 'value':
        return told.value;
      case 'list':
        return told.list.map(revived);
      case 'function':
        return (...args: readonly unknown[]) => revived(call('brought.call', told.id, given(args)));
      case 'object': {
        const object = Object.fromEntries(
          told.members.map(([name, each]) => [name, revived(each)] as const),
        );
        if (told.id !== null) ids.set(object, told.id);
        return object;
      }
    }
  };
  /** A function of the script's own cannot leave it. A blob is sent as what is in it. */
  const given = (value: unknown): Described => {
    if (typeof value === 'function') return { is: 'value', value: undefined };
    if (!isObject(value) || isDate(value)) return { is: 'value', value };
    if (Array.isArray(value)) return { is: 'list', list: value.map(given) };
    const own = ids.get(value);
    if (own !== undefined) return { is: 'object', members: [], id: own };
    const members = Object.entries(isBlob(value) ? contentsOf(value) : value);
    return {
      is: 'object',
      members: members.map(([name, each]) => [name, given(each)] as const),
      id: null,
    };
  };
  return Object.fromEntries(facts.services.map(([name, told]) => [name, revived(told) as object]));
};

interface BlobHandle {
  readonly getName: () => string;
  readonly getContentType: () => string;
  readonly getBytes: () => readonly number[];
}

const isBlob = (value: object): value is BlobHandle => String(value) === 'Blob';

const contentsOf = (blob: BlobHandle) => ({
  name: blob.getName(),
  contentType: blob.getContentType(),
  bytes: blob.getBytes(),
});
