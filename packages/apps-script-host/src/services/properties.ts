// PropertiesService: three persistent stores with Google's sizes, daily quota and owners.

import { createDailyQuota } from '../daily-quota';
import { PROPERTY_SIZES, reached } from '../limits';
import { say } from '../messages';
import type { Caller, HostHalf, PartOf, ScriptHalf, World } from '../service';
import { ServiceException } from '../service';
import type { StoreScope } from '../store-name';
import { storeName } from '../store-name';

type PropertyValues = Readonly<Record<string, string>>;

interface PropertyCalls {
  'properties.get': (scope: StoreScope, key: string) => string | null;
  'properties.getAll': (scope: StoreScope) => PropertyValues;
  'properties.set': (scope: StoreScope, key: string, value: string) => void;
  'properties.setAll': (
    scope: StoreScope,
    values: PropertyValues,
    deleteAllOthers: boolean,
  ) => void;
  'properties.delete': (scope: StoreScope, key: string) => void;
  'properties.deleteAll': (scope: StoreScope) => void;
}

type PropertiesObject = GoogleAppsScript.Properties.Properties;

export const propertiesScript: ScriptHalf<PropertyCalls> = ({ call, guard, facts }) => {
  const texts = (values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]));
  const properties = (scope: StoreScope): PropertiesObject => {
    const self: PropertiesObject = guard('Properties', {
      getProperty: (key: string) => call('properties.get', scope, String(key)),
      getProperties: () => ({ ...call('properties.getAll', scope) }),
      getKeys: () => Object.keys(call('properties.getAll', scope)),
      setProperty: (key: string, value: string) => {
        call('properties.set', scope, String(key), String(value));
        return self;
      },
      setProperties: (values: Record<string, string>, deleteAllOthers: boolean = false) => {
        call('properties.setAll', scope, texts(values), deleteAllOthers);
        return self;
      },
      deleteProperty: (key: string) => {
        call('properties.delete', scope, String(key));
        return self;
      },
      deleteAllProperties: () => {
        call('properties.deleteAll', scope);
        return self;
      },
    });
    return self;
  };
  return {
    PropertiesService: guard('PropertiesService', {
      getScriptProperties: () => properties('script'),
      getUserProperties: () => properties('user'),
      getDocumentProperties: () => (facts.hasDocument ? properties('document') : null),
    } satisfies PartOf<GoogleAppsScript.Properties.PropertiesService>),
  };
};

export interface PropertyStore {
  /** The contents of a store. Its name is "script", "user/<email>" or "document/<id>". */
  readonly read: (storeName: string) => PropertyValues;
  /** Calls counted today against a user. */
  readonly callsToday: (userEmail: string) => number;
  /** Copies one store's contents into another, for a document's copy that keeps its properties. */
  readonly copy: (fromName: string, toName: string) => void;
}

function checkStore(values: ReadonlyMap<string, string>): void {
  let bytes = 0;
  for (const [key, value] of values) bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  if (bytes > PROPERTY_SIZES.storeBytes) {
    throw new ServiceException(say('store-full'), {
      name: 'bytes of a store',
      value: PROPERTY_SIZES.storeBytes,
    });
  }
}

function checkEntry(key: string, value: string): void {
  if (Buffer.byteLength(key) > PROPERTY_SIZES.keyBytes) {
    throw new ServiceException(say('too-large', 'key'), {
      name: 'bytes of a key',
      value: PROPERTY_SIZES.keyBytes,
    });
  }
  if (Buffer.byteLength(value) > PROPERTY_SIZES.valueBytes) {
    throw new ServiceException(say('too-large', 'value'), {
      name: 'bytes of a value',
      value: PROPERTY_SIZES.valueBytes,
    });
  }
}

/**
 * In a cell the user properties are those of the document's owner, and only the owner may set them
 * there.
 */
function checkWriter({ unknowns }: World, caller: Caller, scope: StoreScope): void {
  if (caller.door !== 'cell') return;
  const isOthers = scope === 'user' && caller.userEmail !== caller.userStoreEmail;
  if (isOthers || (scope === 'document' && !unknowns.cellsWriteProperties)) {
    throw new ServiceException(say('no-permission', 'setProperty'));
  }
}

/** The stores, with what a call to them costs and which calls are allowed. */
function createStores(world: World) {
  const { scheduler, limits } = world;
  const stores = new Map<string, ReadonlyMap<string, string>>();
  const quota = createDailyQuota(scheduler.nowMs, limits.propertyCallsPerDay);
  const count = ({ userEmail }: Caller, what: 'get' | 'set') => {
    if (!quota.allows(userEmail, 1)) {
      throw new ServiceException(
        say('store-day-spent', `properties ${what}`),
        reached(limits, 'propertyCallsPerDay'),
      );
    }
    quota.count(userEmail, 1);
  };
  const named = (name: string): ReadonlyMap<string, string> => stores.get(name) ?? new Map();
  return {
    named,
    callsToday: quota.used,
    copy: (fromName: string, toName: string) => stores.set(toName, new Map(named(fromName))),
    read(caller: Caller, scope: StoreScope) {
      count(caller, 'get');
      return named(storeName(caller, scope));
    },
    /** All or nothing: a change that is too large leaves the store unchanged. */
    change(caller: Caller, scope: StoreScope, apply: (values: Map<string, string>) => void) {
      count(caller, 'set');
      checkWriter(world, caller, scope);
      const name = storeName(caller, scope);
      const values = new Map(named(name));
      apply(values);
      checkStore(values);
      stores.set(name, values);
    },
  };
}

function setChecked(values: Map<string, string>, key: string, value: string): void {
  checkEntry(key, value);
  values.set(key, value);
}

export function createPropertiesHost(world: World): {
  readonly half: HostHalf<PropertyCalls>;
  readonly store: PropertyStore;
} {
  const { named, callsToday, copy, read, change } = createStores(world);
  const half: HostHalf<PropertyCalls> = {
    operations: {
      'properties.get': (caller, scope, key) => read(caller, scope).get(key) ?? null,
      'properties.getAll': (caller, scope) => Object.fromEntries(read(caller, scope)),
      'properties.set': (caller, scope, key, value) =>
        change(caller, scope, (values) => setChecked(values, key, value)),
      'properties.setAll': (caller, scope, added, deleteAllOthers) =>
        change(caller, scope, (values) => {
          if (deleteAllOthers) values.clear();
          for (const [key, value] of Object.entries(added)) setChecked(values, key, value);
        }),
      'properties.delete': (caller, scope, key) =>
        change(caller, scope, (values) => values.delete(key)),
      'properties.deleteAll': (caller, scope) => change(caller, scope, (values) => values.clear()),
    },
    permission: (operation) => ({
      callName: operation.replace('properties.', 'PropertiesService.'),
      modes: ['LIMITED', 'CUSTOM_FUNCTION', 'FULL'],
    }),
    shown: (_operation, [scope, keys, value]) => {
      const names = typeof keys === 'object' && keys ? Object.keys(keys).join(',') : (keys ?? '');
      return `${scope} ${names}${typeof value === 'string' ? ` <${value.length}>` : ''}`;
    },
  };
  const store: PropertyStore = {
    read: (storeName) => Object.fromEntries(named(storeName)),
    callsToday,
    copy,
  };
  return { half, store };
}
