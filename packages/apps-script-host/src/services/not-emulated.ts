// The services of Google that are not here, and the libraries and advanced services that a manifest
// names: each of their members throws its name.

import type { ScriptHalf } from '../service';

/** Every project has these (reference of Apps Script, "Google Workspace services" and "utilities"). */
export const SERVICES: readonly string[] = [
  ...['CalendarApp', 'CardService', 'ConferenceDataService', 'ContactsApp', 'DataStudioApp'],
  ...['DocumentApp', 'DriveApp', 'FormApp', 'GmailApp', 'GroupsApp', 'Jdbc', 'LanguageApp'],
  ...['LinearOptimizationService', 'Maps', 'SitesApp', 'SlidesApp', 'XmlService'],
];

export const notEmulatedScript: ScriptHalf<Record<never, never>> = ({ guard, facts }) => {
  const names = [...SERVICES, ...facts.dependencies];
  return Object.fromEntries(names.map((name) => [name, guard(name, {})]));
};
