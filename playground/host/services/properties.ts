// PropertiesService: three stores that last, with sizes, a daily quota and owners as Google's have.

import { createDailyQuota } from '../daily-quota';
import type { Caller, HostHalf, ScriptHalf, World } from '../service';
import { ServiceException } from '../service';

type PropertyScope = 'script' | 'user' | 'document';
type PropertyValues = Readonly<Record<string, string>>;

interface PropertyCalls {
  'properties.get': (scope: PropertyScope, key: string) => string | null;
  'properties.getAll': (scope: PropertyScope) => PropertyValues;
  'properties.set': (scope: PropertyScope, key: string, value: string) => void;
  'properties.setAll': (
    scope: PropertyScope,
    values: PropertyValues,
    deleteAllOthers: boolean,
  ) => void;
  'properties.delete': (scope: PropertyScope, key: string) => void;
  'properties.deleteAll': (scope: PropertyScope) => void;
}

/** "Quotas for Google services": 9 KB a value, 500 KB a store; users measured what is counted. */
const VALUE_BYTES_MAX = 9 * 1024;
const KEY_BYTES_MAX = 8_066;
const STORE_BYTES_MAX = 512 * 1024;

type PropertiesObject = Omit<GoogleAppsScript.Properties.Properties, never>;

export const propertiesScript: ScriptHalf<PropertyCalls> = ({ call, guard, facts }) => {
  const texts = (values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]));
  const properties = (scope: PropertyScope): PropertiesObject => {
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
    }),
  };
};

export interface PropertyStore {
  /** What one store holds: "script", "user/<email>" or "document/<id>". */
  readonly read: (storeName: string) => PropertyValues;
  /** Calls counted today against a user. */
  readonly callsToday: (userEmail: string) => number;
}

function checkStore(values: ReadonlyMap<string, string>): void {
  let bytes = 0;
  for (const [key, value] of values) bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  if (bytes > STORE_BYTES_MAX) {
    throw new ServiceException(
      'You have exceeded the property storage quota. Please remove some properties and try again.',
    );
  }
}

function checkEntry(key: string, value: string): void {
  if (Buffer.byteLength(key) > KEY_BYTES_MAX) {
    throw new ServiceException('Argument too large: key');
  }
  if (Buffer.byteLength(value) > VALUE_BYTES_MAX) {
    throw new ServiceException('Argument too large: value');
  }
}

/** In a cell the user properties are the document owner's, and nobody else may set them there. */
function checkWriter(caller: Caller, scope: PropertyScope): void {
  if (scope === 'user' && caller.door === 'cell' && caller.userEmail !== caller.userStoreEmail) {
    throw new ServiceException('You do not have permission to call setProperty');
  }
}

export function createPropertiesHost({ scheduler, limits }: World): {
  readonly half: HostHalf<PropertyCalls>;
  readonly store: PropertyStore;
} {
  const stores = new Map<string, Map<string, string>>();
  const quota = createDailyQuota(scheduler.nowMs, limits.propertyCallsPerDay);
  const nameOf = (caller: Caller, scope: PropertyScope) => {
    if (scope === 'script') return 'script';
    if (scope === 'user') return `user/${caller.userStoreEmail}`;
    return `document/${caller.document?.id}`;
  };
  const count = (caller: Caller, what: 'get' | 'set') => {
    if (!quota.allows(caller.userEmail, 1)) {
      throw new ServiceException(`Service called too frequently in one day: properties ${what}.`);
    }
    quota.count(caller.userEmail, 1);
  };
  const read = (caller: Caller, scope: PropertyScope) => {
    count(caller, 'get');
    return stores.get(nameOf(caller, scope)) ?? new Map<string, string>();
  };
  /** All or nothing: a change that is too large leaves the store as it was. */
  const change = (
    caller: Caller,
    scope: PropertyScope,
    apply: (values: Map<string, string>) => void,
  ) => {
    count(caller, 'set');
    checkWriter(caller, scope);
    const values = new Map(stores.get(nameOf(caller, scope)));
    apply(values);
    checkStore(values);
    stores.set(nameOf(caller, scope), values);
  };
  const half: HostHalf<PropertyCalls> = {
    operations: {
      'properties.get': (caller, scope, key) => read(caller, scope).get(key) ?? null,
      'properties.getAll': (caller, scope) => Object.fromEntries(read(caller, scope)),
      'properties.set': (caller, scope, key, value) =>
        change(caller, scope, (values) => {
          checkEntry(key, value);
          values.set(key, value);
        }),
      'properties.setAll': (caller, scope, added, deleteAllOthers) =>
        change(caller, scope, (values) => {
          if (deleteAllOthers) values.clear();
          for (const [key, value] of Object.entries(added)) {
            checkEntry(key, value);
            values.set(key, value);
          }
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
    read: (storeName) => Object.fromEntries(stores.get(storeName) ?? []),
    callsToday: quota.used,
  };
  return { half, store };
}
