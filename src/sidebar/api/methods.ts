// All methods that the page may call, by name. The page infers its types from this file.

import { connectionApi } from './connection';
import { dealsApi } from './deals';
import { jobsApi } from './jobs';
import { schedulesApi } from './schedules';

export const METHODS = { ...connectionApi, ...jobsApi, ...schedulesApi, ...dealsApi };

export type RpcMethod = keyof typeof METHODS;

type Of<M extends RpcMethod> = (typeof METHODS)[M];

/** What the page sends with a method. */
export type Payload<M extends RpcMethod> = NonNullable<Of<M>['payload']>;

/** What a method returns if it does not fail. */
export type Value<M extends RpcMethod> = Exclude<Of<M>['value'], undefined>;
