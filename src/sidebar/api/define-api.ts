// Defines the page's methods: one entry holds a method's name, the schema of its payload and its
// handler.

import * as z from 'zod/mini';
import type { Failure } from '../../failures/failure';
import type { Platform } from '../../google/platform';
import { lazySchema, type ReadonlyDeep } from '../../schema/stored-record';
import type { RpcFailure } from './failure-view';

/** The payload of most methods: an empty record. */
export const nothingSchema = lazySchema(() => z.strictObject({}));

/** A method without its types. Its schema is built when the method is called. */
export interface Method {
  readonly schema: () => z.ZodMiniType;
  readonly handler: (platform: Platform, sent: never) => unknown;
}

type Schemas<Sent> = {
  readonly [Name in keyof Sent]: {
    readonly schema: () => z.ZodMiniType<Sent[Name]>;
    readonly handler: (platform: Platform, sent: Sent[Name]) => unknown;
  };
};

type Handlers<Reply> = {
  readonly [Name in keyof Reply]: {
    readonly handler: (platform: Platform, sent: never) => Reply[Name];
  };
};

/** Methods by name, with the type of each payload and of each reply that is no failure. */
export type Api<Sent, Reply> = {
  readonly [Name in keyof Sent & keyof Reply]: Method & {
    readonly payload?: ReadonlyDeep<Sent[Name]>;
    readonly value?: Exclude<Reply[Name], Failure>;
  };
};

/**
 * Infers the types: the payload from the schema, the reply from the handler. `payload` and `value`
 * exist only as types.
 */
export const defineApi = <Sent, Reply>(
  methods: Schemas<Sent> & Handlers<Reply>,
): Api<Sent, Reply> => methods as Record<never, Method> as Api<Sent, Reply>;

export type RpcReply<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: RpcFailure };
