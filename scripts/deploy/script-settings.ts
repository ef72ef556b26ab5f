// Which script a deployment goes to: what .clasp.json says, and how a new script gets into it.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clasp, jsonOf, whyFailed } from './clasp';
import type { NewScript } from './options';

export interface Script {
  readonly scriptId: string;
  /** The spreadsheet it belongs to, where that is known. */
  readonly parentId?: string;
}

/** What is committed in place of an id. */
export const PLACEHOLDER_SCRIPT_ID = 'PUT_YOUR_SCRIPT_ID_HERE';

/** How new scripts and spreadsheets are called in Drive. */
export const TITLE = 'Product Analysis';

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
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new Error(`.clasp.json is not JSON. It should be like ${like}.`);
  }
}

/** The script that `.clasp.json` names; null while it holds the placeholder. */
export function namedScript(project: string): Script | null {
  const settings = readSettings(project);
  const scriptId = textAt(settings, 'scriptId') ?? PLACEHOLDER_SCRIPT_ID;
  if (scriptId === PLACEHOLDER_SCRIPT_ID) return null;
  const parentId = textAt(settings, 'parentId');
  return parentId === undefined ? { scriptId } : { scriptId, parentId };
}

const argsFor = (wanted: NewScript): readonly string[] => {
  if (wanted.kind === 'sheet') return ['--type', 'sheets'];
  return wanted.kind === 'bound' ? ['--parentId', wanted.spreadsheetId] : [];
};

/** Makes the script and notes it in `.clasp.json`; a text says why it could not. */
export async function createScript(
  { project, clasp, env }: { project: string; clasp: Clasp; env: NodeJS.ProcessEnv },
  wanted: NewScript,
): Promise<Script | string> {
  // clasp makes none beside a `.clasp.json`, and writes the new script's files where it runs.
  const folder = mkdtempSync(join(tmpdir(), 'new-script-'));
  try {
    const args = ['create-script', '--title', TITLE, ...argsFor(wanted), '--json'];
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
