// The command line of a deployment.
import { parseArgs } from 'node:util';

/** Where a new script is made. */
export type NewScript =
  | { readonly kind: 'sheet' }
  | { readonly kind: 'standalone' }
  /** By its id, which is the middle of its address. */
  | { readonly kind: 'bound'; readonly spreadsheetId: string };

export interface DeployOptions {
  readonly create: NewScript | null;
  /** A numbered version and a deployment of it, which publishing needs. */
  readonly versioned: boolean;
  readonly dryRun: boolean;
  /** The probes in place of the add-on. */
  readonly probes: boolean;
  readonly help: boolean;
}

export const HELP = `npm run deploy -- [options]

Builds the add-on, pushes it to the script that .clasp.local.json names, and reads back what arrived.
Probes have a script and settings of their own, in probes/.

  --create sheet        makes a new spreadsheet with a script of its own, and notes it in .clasp.local.json
  --create standalone   makes a script that belongs to no spreadsheet, for an add-on
  --create ADDRESS      makes the script of the spreadsheet with this address
  --versioned           makes a version and its deployment, which publishing needs
  --probes              the probes in place of the add-on (docs/verify.md)
  --dry-run             builds and says what would be done; needs no login, sends nothing
  --help                prints this`;

const SPREADSHEET_ADDRESS = /\/spreadsheets\/(?:u\/\d+\/)?d\/([\w-]{20,})/;

function newScriptOf(text: string): NewScript | null {
  if (text === 'sheet' || text === 'standalone') return { kind: text };
  const spreadsheetId = SPREADSHEET_ADDRESS.exec(text)?.[1];
  return spreadsheetId === undefined ? null : { kind: 'bound', spreadsheetId };
}

/** The options, or what is wrong with them. */
export function readDeployOptions(
  args: readonly string[],
): DeployOptions | { readonly problem: string } {
  try {
    const flag = { type: 'boolean', default: false } as const;
    const { values } = parseArgs({
      args: [...args],
      options: {
        create: { type: 'string' },
        versioned: flag,
        'dry-run': flag,
        probes: flag,
        help: flag,
      },
    });
    const { versioned, 'dry-run': dryRun, probes, help } = values;
    const create = values.create === undefined ? null : newScriptOf(values.create);
    if (values.create !== undefined && create === null)
      return {
        problem: `--create takes "sheet", "standalone" or a spreadsheet's address, not "${values.create}".`,
      };
    if (probes && versioned)
      return { problem: 'Probes are not for publishing: leave out --versioned.' };
    return { create, versioned, dryRun, probes, help };
  } catch (error) {
    // parseArgs throws for an unknown flag and for a missing value.
    return { problem: `${(error as Error).message.split('. ')[0]}. --help lists the options.` };
  }
}
