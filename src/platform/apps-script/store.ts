// Stores of Apps Script: properties of the user and of the spreadsheet.

import type { Store } from '../ports';
import { serviceCall, serviceCallOr } from './service-call';

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
  return {
    read: (name) => serviceCall(() => properties()?.getProperty(name) ?? null),
    write: (name, value) => serviceCall(() => void properties()?.setProperty(name, value)),
    remove: (name) => serviceCall(() => void properties()?.deleteProperty(name)),
    // What is stored in one go is good to have but no more: nothing fails where Google refuses it.
    readAll: () => serviceCallOr({}, () => properties()?.getProperties() ?? {}),
    writeAll: (values) =>
      serviceCallOr(false, () => (properties()?.setProperties({ ...values }) ?? null) !== null),
    calls: () => calls,
  };
}
