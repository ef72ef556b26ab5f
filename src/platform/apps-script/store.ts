// Stores of Apps Script: properties of the user and of the spreadsheet.

import type { Store } from '../ports';

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
  const properties = () => {
    if (opened === undefined) opened = open();
    return opened;
  };
  return {
    read: (name) => properties()?.getProperty(name) ?? null,
    write: (name, value) => void properties()?.setProperty(name, value),
    remove: (name) => void properties()?.deleteProperty(name),
  };
}
