// The ways in which the add-on gets into spreadsheets, and what works in each.

export interface Way {
  readonly name: string;
  /** What it is made of. */
  readonly how: string;
  readonly works: string;
  /** What does not, or what it takes. */
  readonly but: string;
}

export const BOUND: Way = {
  name: 'A spreadsheet’s own script',
  how: 'the four files in the script project of one spreadsheet',
  works: 'formulas, sidebar, runs and schedules, for everybody who edits that spreadsheet',
  but: 'every editor can read and change the script, and with it a shared key',
};

export const TEST_DEPLOYMENT: Way = {
  name: 'Test deployment',
  how: 'a standalone script, tried under *Deploy → Test deployments* as an Editor add-on',
  works: 'formulas, sidebar and runs, for you alone',
  but: 'no schedules: Google runs no triggers in test deployments',
};

export const PRIVATE: Way = {
  name: 'Private publication',
  how: 'a version of a standalone script, published to your own organisation',
  works: 'everything, for everybody in the organisation',
  but: 'needs Google Workspace and a standard Google Cloud project',
};

export const PUBLIC: Way = {
  name: 'Public publication',
  how: 'a version of a standalone script, listed in the Marketplace',
  works: 'everything, for anybody',
  but: 'needs OAuth verification and a review by Google: allow weeks',
};

export const WAYS: readonly Way[] = [BOUND, TEST_DEPLOYMENT, PRIVATE, PUBLIC];

/** A line for the terminal. */
export const lineOf = ({ name, works, but }: Way): string =>
  `${name}. Works: ${works}. Mind: ${but}.`;
