// All methods that the page may call, and how they are tied to the payloads they accept.

import type * as z from 'zod/mini';
import type { Platform } from '../../platform/ports';
import type { ConnectionMethods } from './connection-contract';
import type { BulkMethods } from './runs-contract';
import type { ScheduleMethods } from './schedules-contract';

export interface RpcMethods extends ConnectionMethods, BulkMethods, ScheduleMethods {}

export type RpcMethod = keyof RpcMethods;

/** A contract's methods by name. */
type Methods<Contract> = {
  readonly [Name in keyof Contract]: { readonly payload: unknown; readonly value: unknown };
};

type Payloads<Contract extends Methods<Contract>> = {
  readonly [Name in keyof Contract]: z.ZodMiniType<Contract[Name]['payload']>;
};

type Page<Contract extends Methods<Contract>> = {
  readonly [Name in keyof Contract]: (payload: Contract[Name]['payload']) => unknown;
};

type Table<Contract extends Methods<Contract>, Answers extends Page<Contract>> = {
  readonly [Name in keyof Contract]: {
    readonly payload: Payloads<Contract>[Name];
    readonly run: (
      platform: Platform,
      sent: Contract[Name]['payload'],
    ) => ReturnType<Answers[Name]>;
  };
};

/** @param pageOf is made for each call, with the platform of that call. */
export function methodsOf<Contract extends Methods<Contract>, Answers extends Page<Contract>>(
  payloads: Payloads<Contract>,
  pageOf: (platform: Platform) => Answers,
): Table<Contract, Answers> {
  const names = Object.keys(payloads) as (keyof Contract)[];
  const table = names.map((name) => [
    name,
    {
      payload: payloads[name],
      run: (platform: Platform, sent: Contract[typeof name]['payload']) =>
        pageOf(platform)[name](sent),
    },
  ]);
  return Object.fromEntries(table) as Table<Contract, Answers>;
}
