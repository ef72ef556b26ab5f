// Stores of Apps Script: properties of the user and of the spreadsheet.

import type { Store } from '../ports';

/** How Apps Script says that the day's calls are spent, a store is full or a value too long. */
const REFUSAL = /in one day: properties|property storage quota|Argument too large/;

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
    read: (name) => properties()?.getProperty(name) ?? null,
    write: (name, value) => void properties()?.setProperty(name, value),
    remove: (name) => void properties()?.deleteProperty(name),
    readAll: () => orRefused({}, () => properties()?.getProperties() ?? {}),
    writeAll: (values) =>
      orRefused(false, () => (properties()?.setProperties({ ...values }) ?? null) !== null),
    calls: () => calls,
  };
}

/** What is stored in one go is good to have but no more: nothing fails where Google refuses it. */
function orRefused<T>(refused: T, attempt: () => T): T {
  try {
    return attempt();
  } catch (error) {
    if (REFUSAL.test(String(error))) return refused;
    throw error;
  }
}
