// Reads the playground's command line.
import { parseArgs } from 'node:util';
import { DEMO_KEY, KEYS } from '../api/keys';

export interface Options {
  readonly port: number;
  readonly keyName: string;
  readonly slow: boolean;
  readonly firstRun: boolean;
  readonly headless: boolean;
  readonly help: boolean;
}

const DEFAULT_PORT = 4173;
const HIGHEST_PORT = 65535;

export const HELP = `npm start -- [options]

  --port N      where the page is served; 0 takes any free port (default ${DEFAULT_PORT})
  --key NAME    the key the playground begins with (default ${DEMO_KEY})
  --slow        a service that takes seconds, to watch the cells wait
  --first-run   begins without a key, as right after installing
  --headless    prints the answered sample sheet and ends
  --help        prints this

Keys of the sandbox:
${KEYS.map(({ name, what }) => `  ${name.padEnd(32)}${what}`).join('\n')}`;

/** The options, or the problem with them. */
export function readOptions(args: readonly string[]): Options | { readonly problem: string } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        key: { type: 'string' },
        slow: { type: 'boolean', default: false },
        'first-run': { type: 'boolean', default: false },
        headless: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const { port: portText = String(DEFAULT_PORT), key: keyName = DEMO_KEY } = values;
    const port = Number(portText);
    if (!/^\d+$/.test(portText) || port > HIGHEST_PORT) {
      return { problem: `--port takes a number from 0 to ${HIGHEST_PORT}, not "${portText}".` };
    }
    if (!KEYS.some(({ name }) => name === keyName)) {
      return { problem: `The sandbox has no key "${keyName}"; --help lists those it has.` };
    }
    const { slow, 'first-run': firstRun, headless, help } = values;
    return { port, keyName, slow, firstRun, headless, help };
  } catch (error) {
    // parseArgs throws for an unknown flag and for a missing value.
    return { problem: `${(error as Error).message.split('. ')[0]}. --help lists the options.` };
  }
}
