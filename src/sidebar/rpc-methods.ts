// Everything that the sidebar's page may ask the server, by name: types only, for both sides.
import type { BulkMethods } from './bulk-contract';
import type { ConnectionMethods } from './rpc-contract';
import type { ScheduleMethods } from './schedule-contract';

export interface RpcMethods extends ConnectionMethods, BulkMethods, ScheduleMethods {}

export type RpcMethod = keyof RpcMethods;
