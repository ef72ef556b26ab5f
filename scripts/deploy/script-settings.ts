// Which script a deployment goes to: what clasp's settings say, and how a new script gets into them.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clasp, jsonOf, whyFailed } from './clasp';
import type { NewScript } from './options';
import type { Target } from './target';

/** Clasp's settings as they are committed, with a placeholder for the script's id. */
const COMMITTED = '.clasp.json';
/** The same with the id of somebody's own script. Git ignores it, and it counts before the other. */
export const OWN_SETTINGS = '.clasp.local.json';

export interface Script {
  readonly scriptId: string;
  /** The spreadsheet it belongs to, where that is known. */
  readonly parentId?: string;
}

/** What is committed in place of an id. */
export const PLACEHOLDER_SCRIPT_ID = 'PUT_YOUR_SCRIPT_ID_HERE';

/** The name of the file that counts: ".clasp.json" until a script was made or named. */
const settingsName = (project: string) =>
  existsSync(join(project, OWN_SETTINGS)) ? OWN_SETTINGS : COMMITTED;

/** What clasp is told before any command about the project's own script. */
export const withSettings = (project: string): readonly string[] => [
  '--project',
  settingsName(project),
];

function writeOwnSettings(project: string, settings: object): void {
  writeFileSync(join(project, OWN_SETTINGS), `${JSON.stringify(settings, null, 2)}\n`);
}

const textAt = (value: unknown, name: string): string | undefined => {
  const found: unknown = value instanceof Object ? Reflect.get(value, name) : undefined;
  return typeof found === 'string' && found !== '' ? found : undefined;
};

/** The settings as JSON; what cannot be read is told with what to write there. */
function readSettings(project: string): unknown {
  const name = settingsName(project);
  const file = join(project, name);
  const like = `{ "scriptId": "${PLACEHOLDER_SCRIPT_ID}", "rootDir": "dist" }`;
  if (!existsSync(file)) throw new Error(`There is no ${name} here. Make one with ${like}.`);
  try {
    // Some editors begin a file with a byte order mark.
    return JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  } catch {
    throw new Error(`${name} is not JSON. It should be like ${like}.`);
  }
}

/** "https://script.google.com/u/1/home/projects/ID/edit" or ".../d/ID/edit": people copy the whole. */
const SCRIPT_ADDRESS = /^https:\/\/script\.google\.com\/(?:\S*\/)?(?:projects|d)\/([\w-]+)/;

/** The script that the settings name; null while they hold the placeholder. */
export function namedScript(project: string): Script | null {
  const settings = readSettings(project);
  const named = (textAt(settings, 'scriptId') ?? PLACEHOLDER_SCRIPT_ID).trim();
  if (named === PLACEHOLDER_SCRIPT_ID) return null;
  const scriptId = SCRIPT_ADDRESS.exec(named)?.[1] ?? named;
  const parentId = textAt(settings, 'parentId');
  return parentId === undefined ? { scriptId } : { scriptId, parentId };
}

/** Clasp reads the settings by itself: without a byte order mark, and with the id alone. */
export function writePlainly(project: string, { scriptId }: Script): void {
  const settings = readSettings(project);
  const isPlain = textAt(settings, 'scriptId') === scriptId;
  const text = readFileSync(join(project, settingsName(project)), 'utf8');
  if (isPlain && !text.startsWith('\uFEFF')) return;
  writeOwnSettings(project, { ...Object(settings), scriptId });
}

const argsFor = (wanted: NewScript): readonly string[] => {
  if (wanted.kind === 'sheet') return ['--type', 'sheets'];
  return wanted.kind === 'bound' ? ['--parentId', wanted.spreadsheetId] : [];
};

/** Makes the script and notes it in `.clasp.local.json`; a text says why it could not. */
export async function createScript(
  {
    project,
    target,
    clasp,
    env,
  }: { project: string; target: Target; clasp: Clasp; env: NodeJS.ProcessEnv },
  wanted: NewScript,
): Promise<Script | string> {
  // clasp makes none beside a `.clasp.json`, and writes the new script's files where it runs.
  const folder = mkdtempSync(join(tmpdir(), 'new-script-'));
  try {
    const args = ['create-script', '--title', target.title, ...argsFor(wanted), '--json'];
    const made = await clasp(folder, args, env);
    const answer = jsonOf(made);
    const scriptId = textAt(answer, 'scriptId');
    if (scriptId === undefined) return whyFailed('make a script', made);
    const bound = wanted.kind === 'bound' ? wanted.spreadsheetId : textAt(answer, 'parentId');
    const script = bound === undefined ? { scriptId } : { scriptId, parentId: bound };
    writeOwnSettings(project, { ...script, rootDir: 'dist' });
    return script;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
