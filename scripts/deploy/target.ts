// What can be deployed: the add-on, or the probes in a script of their own.
import { ADD_ON_NAME } from '../../src/failures/add-on-name';

export interface Target {
  /** Names its scripts and spreadsheets in Drive, and its menu under Extensions. */
  readonly title: string;
  /** The folder with its clasp settings, from the project's root. */
  readonly folder: string;
  /** What is built and pushed, in this order. */
  readonly files: readonly string[];
  /** The first item of its menu to choose. */
  readonly first: string;
  /** The command that deploys it. */
  readonly command: string;
}

export const ADD_ON: Target = {
  title: ADD_ON_NAME,
  folder: '.',
  files: ['Code.js', 'Diagnostics.html', 'Sidebar.html', 'appsscript.json'],
  first: 'Open sidebar',
  command: 'npm run deploy --',
};

export const PROBES: Target = {
  title: `${ADD_ON_NAME} probes`,
  folder: 'probes',
  files: ['Code.js', 'Report.html', 'appsscript.json'],
  first: 'Run probes',
  command: 'npm run deploy -- --probes',
};
