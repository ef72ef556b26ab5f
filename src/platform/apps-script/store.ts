// Stores of Apps Script: properties of the user and of the spreadsheet.

import type { Store } from '../ports';
import { isLarger } from './cache';
import { serviceCall, serviceCallOr } from './service-call';

/** "Quotas for Google services": of one value. */
const VALUE_BYTES_MAX = 9 * 1024;

type Properties = GoogleAppsScript.Properties.Properties;

/** In a cell these are the properties of the spreadsheet's owner, whoever looks at it. */
export function userStore(): Store {
  return store(() => PropertiesService.getUserProperties());
}

/** Shared by all users of the spreadsheet; holds nothing where a script runs outside of one. */
export function documentStore(): Store {
  return store(() => PropertiesService.getDocumentProperties());
}

function store(open: () => Properties | null): Store {
  let opened: Properties | null | undefined;
  let calls = 0;
  /** One call of theirs follows each time. */
  const properties = () => {
    calls += 1;
    if (opened === undefined) opened = open();
    return opened;
  };
  const holds = (name: string, value: string | null): boolean | undefined =>
    properties()?.getProperty(name) === value || undefined;
  return {
    read: (name) => serviceCall(() => properties()?.getProperty(name) ?? null),
    // A call that failed may have done it: then it is not told as failed.
    write: (name, value) =>
      serviceCall(
        () => void properties()?.setProperty(name, value),
        () => holds(name, value),
      ),
    remove: (name) =>
      serviceCall(
        () => void properties()?.deleteProperty(name),
        () => holds(name, null),
      ),
    readAll: () => serviceCall(() => properties()?.getProperties() ?? {}),
    // What is stored in one go is good to have but no more: nothing fails where Google refuses it.
    writeAll: (values) =>
      !Object.values(values).some((value) => isLarger(value, VALUE_BYTES_MAX)) &&
      serviceCallOr(false, () =>
        serviceCall(
          () => (properties()?.setProperties({ ...values }) ?? null) !== null,
          () => Object.entries(values).every(([name, value]) => holds(name, value)) || undefined,
        ),
      ),
    calls: () => calls,
  };
}
