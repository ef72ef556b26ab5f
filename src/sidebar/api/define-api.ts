// How a method of the page is made: the schema of what it is sent, and the handler that answers, in one entry.

import type * as z from 'zod/mini';
import type { Failure } from '../../failures/failure';
import type { FreeSheet, Presentation, SchedulePlatform } from '../../platform/ports';
import type { RpcFailure } from './failure-view';

/** What a handler works with. */
export interface PagePlatform extends SchedulePlatform {
  readonly freeSheet: FreeSheet;
  readonly presentation: Presentation;
}

/** Everything of a method but its type. A schema is built when its method is called. */
export interface Method {
  readonly schema: () => z.ZodMiniType;
  readonly handler: (platform: PagePlatform, sent: never) => unknown;
}

type Schemas<Sent> = {
  readonly [Name in keyof Sent]: {
    readonly schema: () => z.ZodMiniType<Sent[Name]>;
    readonly handler: (platform: PagePlatform, sent: Sent[Name]) => unknown;
  };
};

type Handlers<Reply> = {
  readonly [Name in keyof Reply]: {
    readonly handler: (platform: PagePlatform, sent: never) => Reply[Name];
  };
};

/** A payload as the page may hold it: the server changes nothing in it. */
type Payload<Sent> = Sent extends object
  ? { readonly [Name in keyof Sent]: Payload<Sent[Name]> }
  : Sent;

/** Methods by name, with what each is sent and what it answers where it does not fail. */
export type Api<Sent, Reply> = {
  readonly [Name in keyof Sent & keyof Reply]: Method & {
    readonly payload?: Payload<Sent[Name]>;
    readonly value?: Exclude<Reply[Name], Failure>;
  };
};

/**
 * Types are inferred: the payload from the schema, the reply from what the handler returns. They are
 * all there is of `payload` and `value`.
 */
export const defineApi = <Sent, Reply>(
  methods: Schemas<Sent> & Handlers<Reply>,
): Api<Sent, Reply> => methods as Record<never, Method> as Api<Sent, Reply>;

export type RpcReply<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: RpcFailure };
