// Which script a deployment goes to: what .clasp.json says, and how a new script gets into it.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clasp, jsonOf, whyFailed } from './clasp';
import type { NewScript } from './options';
import type { Target } from './target';

export interface Script {
  readonly scriptId: string;
  /** The spreadsheet it belongs to, where that is known. */
  readonly parentId?: string;
}

/** What is committed in place of an id. */
export const PLACEHOLDER_SCRIPT_ID = 'PUT_YOUR_SCRIPT_ID_HERE';

const settingsFile = (project: string) => join(project, '.clasp.json');

const textAt = (value: unknown, name: string): string | undefined => {
  const found: unknown = value instanceof Object ? Reflect.get(value, name) : undefined;
  return typeof found === 'string' && found !== '' ? found : undefined;
};

/** The text of `.clasp.json` as JSON; what cannot be read is told with what to write there. */
function readSettings(project: string): unknown {
  const file = settingsFile(project);
  const like = `{ "scriptId": "${PLACEHOLDER_SCRIPT_ID}", "rootDir": "dist" }`;
  if (!existsSync(file)) throw new Error(`There is no .clasp.json here. Make one with ${like}.`);
  try {
    // Some editors begin a file with a byte order mark.
    return JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  } catch {
    throw new Error(`.clasp.json is not JSON. It should be like ${like}.`);
  }
}

/** "https://script.google.com/u/1/home/projects/ID/edit" or ".../d/ID/edit": people copy the whole. */
const SCRIPT_ADDRESS = /^https:\/\/script\.google\.com\/(?:\S*\/)?(?:projects|d)\/([\w-]+)/;

/** The script that `.clasp.json` names; null while it holds the placeholder. */
export function namedScript(project: string): Script | null {
  const settings = readSettings(project);
  const named = (textAt(settings, 'scriptId') ?? PLACEHOLDER_SCRIPT_ID).trim();
  if (named === PLACEHOLDER_SCRIPT_ID) return null;
  const scriptId = SCRIPT_ADDRESS.exec(named)?.[1] ?? named;
  const parentId = textAt(settings, 'parentId');
  return parentId === undefined ? { scriptId } : { scriptId, parentId };
}

/** clasp reads `.clasp.json` by itself: without a byte order mark, and with the id alone. */
export function writePlainly(project: string, { scriptId }: Script): void {
  const settings = readSettings(project);
  const isPlain = textAt(settings, 'scriptId') === scriptId;
  if (isPlain && !readFileSync(settingsFile(project), 'utf8').startsWith('\uFEFF')) return;
  const plain = { ...Object(settings), scriptId };
  writeFileSync(settingsFile(project), `${JSON.stringify(plain, null, 2)}\n`);
}

const argsFor = (wanted: NewScript): readonly string[] => {
  if (wanted.kind === 'sheet') return ['--type', 'sheets'];
  return wanted.kind === 'bound' ? ['--parentId', wanted.spreadsheetId] : [];
};

/** Makes the script and notes it in `.clasp.json`; a text says why it could not. */
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
    const settings = { ...script, rootDir: 'dist' };
    writeFileSync(settingsFile(project), `${JSON.stringify(settings, null, 2)}\n`);
    return script;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
