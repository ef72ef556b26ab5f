// Pushes the built add-on to its Apps Script project, and believes it only after reading it back.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runClasp } from './clasp';

export interface Deployment {
  /** Where `.clasp.json` and `.claspignore` are; what is pushed is in its folder `dist`. */
  readonly project: string;
  readonly build: (outDir: string) => Promise<unknown>;
  readonly env: NodeJS.ProcessEnv;
}

export interface DeployResult {
  readonly ok: boolean;
  /** A plain sentence for whoever runs the command. */
  readonly message: string;
}

export const PLACEHOLDER_SCRIPT_ID = 'PUT_YOUR_SCRIPT_ID_HERE';

const PUSHED_FILES: readonly string[] = ['Code.js', 'Sidebar.html', 'appsscript.json'];

function failed(message: string): DeployResult {
  return { ok: false, message: `Not deployed. ${message}` };
}

function scriptIdOf(project: string): string {
  const settings: unknown = JSON.parse(readFileSync(join(project, '.clasp.json'), 'utf8'));
  const id: unknown = settings instanceof Object ? Reflect.get(settings, 'scriptId') : undefined;
  return typeof id === 'string' ? id : PLACEHOLDER_SCRIPT_ID;
}

function whyPushFailed(said: string): string {
  if (said.includes('No credentials found'))
    return 'Nobody is logged in: run "npx clasp login", then again.';
  return `clasp could not push: ${said}`;
}

/** What differs between the folder that was pushed and the folder that was read back. */
function differences(pushed: string, readBack: string): readonly string[] {
  const names = new Set([...readdirSync(pushed), ...readdirSync(readBack)]);
  names.delete('.clasp.json');
  return [...names].sort().flatMap((name) => {
    if (!existsSync(join(readBack, name))) return [`${name} did not arrive`];
    if (!existsSync(join(pushed, name))) return [`${name} is there and should not be`];
    const same = readFileSync(join(pushed, name)).equals(readFileSync(join(readBack, name)));
    return same ? [] : [`${name} arrived with other contents`];
  });
}

/** clasp ends well even where it pushed nothing, so only what Google now holds counts. */
async function readBack(scriptId: string, dist: string, env: NodeJS.ProcessEnv) {
  const folder = mkdtempSync(join(tmpdir(), 'read-back-'));
  try {
    writeFileSync(join(folder, '.clasp.json'), JSON.stringify({ scriptId, rootDir: '.' }));
    const pull = await runClasp(folder, ['pull'], env);
    if (pull.exitCode !== 0) return [`reading it back failed: ${pull.said}`];
    return differences(dist, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export async function deploy({ project, build, env }: Deployment): Promise<DeployResult> {
  const scriptId = scriptIdOf(project);
  if (scriptId === PLACEHOLDER_SCRIPT_ID)
    return failed('.clasp.json names no script yet: put the id of your Apps Script project there.');
  const dist = join(project, 'dist');
  await build(dist);
  const built = readdirSync(dist).sort();
  if (built.join() !== PUSHED_FILES.join())
    return failed(`dist should have ${PUSHED_FILES.join(', ')} but has ${built.join(', ')}.`);
  const push = await runClasp(project, ['push', '-f'], env);
  if (push.exitCode !== 0) return failed(whyPushFailed(push.said));
  const faults = await readBack(scriptId, dist, env);
  if (faults.length > 0)
    return failed(`Google does not hold what was built: ${faults.join('; ')}.`);
  const message = `Deployed ${built.length} files and read them back: ${built.join(', ')}.`;
  return { ok: true, message };
}
