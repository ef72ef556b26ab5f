// Collects the host half of every service and finds an operation by name.

import type { Caller, Ended, Permission, RegisteredService, World } from './service';
import { createCacheHost } from './services/cache';
import { createHtmlHost } from './services/html';
import { createLockHost } from './services/lock';
import { createMailHost } from './services/mail';
import { createPropertiesHost } from './services/properties';
import { createScriptAppHost } from './services/script-app-host';
import { createSessionHost } from './services/session';
import { createSpreadsheetAppHost } from './services/spreadsheet-app/host';
import { createUrlFetchHost } from './services/url-fetch-host';
import { createUtilitiesHost } from './services/utilities';

/** One operation, as the execution that calls it needs it. */
export interface Operation {
  readonly run: (caller: Caller, args: readonly unknown[]) => unknown;
  readonly permission: Permission;
  readonly shown: (args: readonly unknown[]) => string;
  readonly cells: (args: readonly unknown[]) => number;
}

export type ServiceRegistry = ReturnType<typeof createServiceRegistry>;

/** Shows only sizes, because arguments may be API keys. */
function sizes(args: readonly unknown[]): string {
  return args.map((arg) => (typeof arg === 'string' ? `<${arg.length}>` : typeof arg)).join(' ');
}

type AnyOperation = (caller: Caller, ...args: readonly unknown[]) => unknown;

function operationsOf(service: RegisteredService): [string, Operation][] {
  return Object.entries(service.operations).map(([name, run]) => {
    const operation = name as never;
    return [
      name,
      {
        run: (caller, args) => (run as AnyOperation)(caller, ...args),
        permission: service.permission(operation),
        shown: (args) => service.shown?.(operation, args) ?? sizes(args),
        cells: (args) => service.cells?.(args) ?? 0,
      },
    ];
  });
}

export function createServiceRegistry(world: World) {
  const cache = createCacheHost(world);
  const properties = createPropertiesHost(world);
  const lock = createLockHost(world);
  const mail = createMailHost(world);
  const urlFetch = createUrlFetchHost(world);
  const script = createScriptAppHost(world);
  const services: readonly RegisteredService[] = [
    world.brought.half,
    cache.half,
    properties.half,
    lock.half,
    mail.half,
    urlFetch.half,
    script.half,
    createHtmlHost(world),
    createSessionHost(world),
    createSpreadsheetAppHost(world),
    createUtilitiesHost(world),
  ];
  return {
    operations: new Map(services.flatMap(operationsOf)),
    started: (caller: Caller) => {
      for (const service of services) service.started?.(caller);
    },
    ended: (caller: Caller, ended: Ended) => {
      for (const service of services) service.ended?.(caller, ended);
    },
    /** The contents of the services' stores, for tests to inspect. */
    stores: {
      cache: cache.store,
      properties: properties.store,
      locks: lock.store,
      mail: mail.store,
      urlFetch: urlFetch.store,
      triggers: script.store,
      /** The calls of services that the test brings, in their order. */
      brought: world.brought.calls,
    },
  };
}
