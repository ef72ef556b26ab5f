// Runs the project's own clasp as a process, and says in plain words why it could not do something.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

export interface ClaspRun {
  readonly exitCode: number;
  /** Both of its outputs: clasp writes some of its errors to the first. */
  readonly said: string;
  /** The first alone: what `--json` is answered with. */
  readonly out: string;
}

export const CLASP = resolve(__dirname, '../../node_modules/@google/clasp/build/src/index.js');

/** `folder` is where clasp runs. There is nobody to answer questions. */
export type Clasp = (
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
) => Promise<ClaspRun>;

/** In a process of its own. */
export const runClasp: Clasp = (folder, args, env) =>
  new Promise((settle, fail) => {
    const clasp = spawn(process.execPath, [CLASP, ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said: string[] = [];
    const out: string[] = [];
    clasp.stdout.on('data', (bytes: Buffer) => {
      out.push(bytes.toString('utf8'));
      said.push(bytes.toString('utf8'));
    });
    clasp.stderr.on('data', (bytes: Buffer) => void said.push(bytes.toString('utf8')));
    clasp.on('error', fail);
    clasp.on('close', (code) =>
      settle({ exitCode: code ?? 1, said: said.join('').trim(), out: out.join('') }),
    );
  });

/**
 * What clasp answered to a command with `--json`; null where it did not do it. Its exit code does not
 * tell: errors that it reports by itself end with 0.
 */
export function jsonOf({ exitCode, out }: ClaspRun): unknown {
  if (exitCode !== 0) return null;
  try {
    return JSON.parse(out);
  } catch {
    return null;
  }
}

/** By a part of what clasp or Google's API says, which is English whatever the account's language. */
const REASONS: readonly (readonly [part: RegExp, words: string])[] = [
  [/No credentials found/, 'Nobody is logged in: run "npx clasp login", then again.'],
  [
    /invalid_grant|invalid_rapt/,
    'The login is no longer valid: run "npx clasp login", then again.',
  ],
  [
    /script\.google\.com\/home\/usersettings/,
    'The Apps Script API is switched off for this account. Switch it on at ' +
      'https://script.google.com/home/usersettings, wait a minute or two, then run this again.',
  ],
  [
    /Requested entity was not found/,
    "This account knows no script with the id in clasp's settings. Copy the id from the script's " +
      'Project settings, or log in as whoever may edit it: "npx clasp login".',
  ],
  [
    /caller does not have permission/,
    'This account may not edit the script that is named. Ask its owner for access, or log ' +
      'in as somebody else: "npx clasp login".',
  ],
];

/** @param what clasp was to do: "push". */
export function whyFailed(what: string, { said }: ClaspRun): string {
  const known = REASONS.find(([part]) => part.test(said));
  return known?.[1] ?? `clasp could not ${what}: ${said}`;
}
