// Takes the built add-on to its Apps Script project, and believes it only after reading it back.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clasp, jsonOf, whyFailed } from './clasp';
import type { DeployOptions, NewScript } from './options';
import {
  createScript,
  namedScript,
  OWN_SETTINGS,
  PLACEHOLDER_SCRIPT_ID,
  type Script,
  withSettings,
  writePlainly,
} from './script-settings';
import { PROBES, type Target } from './target';
import { BOUND, lineOf, PRIVATE, PUBLIC, TEST_DEPLOYMENT, type Way } from './ways';

export interface Deployment {
  /** Where clasp's settings and `.claspignore` are; what is pushed is in its folder `dist`. */
  readonly project: string;
  readonly target: Target;
  readonly build: (outDir: string, options: DeployOptions) => unknown;
  readonly clasp: Clasp;
  readonly env: NodeJS.ProcessEnv;
  readonly options: DeployOptions;
  /** Of the add-on: "0.1.0". */
  readonly version: string;
}

export interface DeployResult {
  readonly ok: boolean;
  /** Plain sentences for whoever runs the command. */
  readonly message: string;
}

const noScript = ({ command }: Target) =>
  `No script is named yet. Make one with "${command} --create sheet", ` +
  `or put the id of your own into a copy of .clasp.json with the name ${OWN_SETTINGS}.`;

/** Clasp at work on the project's own script. */
const claspAt = ({ project, clasp, env }: Deployment, args: readonly string[]) =>
  clasp(project, [...withSettings(project), ...args], env);

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
async function readBack(
  { scriptId }: Script,
  { project, clasp, env }: Deployment,
  ofVersion: readonly string[] = [],
): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'read-back-'));
  try {
    writeFileSync(join(folder, '.clasp.json'), JSON.stringify({ scriptId, rootDir: '.' }));
    const pull = await clasp(folder, ['pull', ...ofVersion], env);
    if (pull.exitCode !== 0) return whyFailed('read it back', pull);
    const faults = differences(join(project, 'dist'), folder);
    return faults.length === 0
      ? null
      : `Google does not hold what was built: ${faults.join('; ')}.`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Asked before anything is made or sent: a spreadsheet whose script is refused would be left over. */
async function whyShut(deployment: Deployment, script: Script | null): Promise<string | null> {
  const user = await claspAt(deployment, ['show-authorized-user', '--json']);
  const shown = jsonOf(user);
  if (!(shown instanceof Object)) return whyFailed('tell who is logged in', user);
  if (Reflect.get(shown, 'loggedIn') !== true)
    return 'Nobody is logged in: run "npx clasp login", then again.';
  const id = script?.scriptId ?? PLACEHOLDER_SCRIPT_ID;
  const asked = await claspAt(deployment, ['list-deployments', id, '--json']);
  if (jsonOf(asked) !== null) return null;
  const why = whyFailed('reach the Apps Script API', asked);
  // Without a script it is not known, or not allowed, and that is well: the login and the switch are.
  const isUnknown = /not found|permission|invalid argument/i.test(asked.said);
  return script === null && isUnknown ? null : why;
}

async function whyNotBuilt({
  project,
  target,
  build,
  options,
}: Deployment): Promise<string | null> {
  const dist = join(project, 'dist');
  await build(dist, options);
  const built = readdirSync(dist).sort();
  if (built.join() === target.files.join()) return null;
  return `dist should have ${target.files.join(', ')} but has ${built.join(', ')}.`;
}

async function whyNotPushed(deployment: Deployment, script: Script): Promise<string | null> {
  const push = await claspAt(deployment, ['push', '-f']);
  if (push.exitCode !== 0) return whyFailed('push', push);
  return readBack(script, deployment);
}

const numberAt = (value: unknown, name: string): number | undefined => {
  const found: unknown = value instanceof Object ? Reflect.get(value, name) : undefined;
  return typeof found === 'number' ? found : undefined;
};

/** The deployment that an earlier `--versioned` made; it keeps its id from version to version. */
function ownDeployment(listed: unknown, { title }: Target): string | undefined {
  const found = (Array.isArray(listed) ? listed : []).find(
    (one) => numberAt(one, 'versionNumber') && String(one.description).startsWith(title),
  );
  return found?.deploymentId;
}

/** A version of what was pushed, read back like it, and the deployment that has it; a text says why not. */
async function makeVersion(deployment: Deployment, script: Script): Promise<number | string> {
  const { target, version } = deployment;
  const name = `${target.title} ${version}`;
  const made = await claspAt(deployment, ['create-version', name, '--json']);
  const number = numberAt(jsonOf(made), 'versionNumber');
  if (number === undefined) return whyFailed('make a version', made);
  const fault = await readBack(script, deployment, ['--versionNumber', String(number)]);
  if (fault !== null) return `Version ${number}: ${fault}`;
  const listed = await claspAt(deployment, ['list-deployments', '--json']);
  const before = ownDeployment(jsonOf(listed), target);
  const verb = before === undefined ? ['create-deployment'] : ['update-deployment', before];
  const args = [...verb, '-V', String(number), '-d', name, '--json'];
  const deployed = await claspAt(deployment, args);
  if (numberAt(jsonOf(deployed), 'versionNumber') !== number)
    return whyFailed(`deploy version ${number}`, deployed);
  return number;
}

const editorOf = ({ scriptId }: Script) => `https://script.google.com/d/${scriptId}/edit`;

/** What works there, and what a person does next. */
function nextSteps(target: Target, script: Script, version: number | null): readonly string[] {
  const { scriptId, parentId } = script;
  const tell = (...ways: readonly Way[]) =>
    target === PROBES ? ['docs/verify.md says what to do there.'] : ways.map(lineOf);
  if (parentId !== undefined)
    return [
      `Open https://docs.google.com/spreadsheets/d/${parentId}/edit and reload it; then Extensions > ${target.title} > ${target.first}.`,
      ...tell(BOUND),
    ];
  if (version !== null)
    return [
      `For the Marketplace SDK (docs/operator.md): script id ${scriptId}, version ${version}.`,
      ...tell(PRIVATE, PUBLIC),
    ];
  return [
    `If it belongs to a spreadsheet, reload that. If it is standalone, open ${editorOf(script)}, then Deploy > Test deployments > Editor add-on.`,
    ...tell(BOUND, TEST_DEPLOYMENT),
  ];
}

const MAKING: Readonly<Record<NewScript['kind'], string>> = {
  sheet: 'make a spreadsheet with a script of its own',
  standalone: 'make a standalone script',
  bound: "make the spreadsheet's own script",
};

/** What would be done, as far as that can be told without Google. */
async function rehearse(deployment: Deployment, script: Script | null): Promise<DeployResult> {
  const { options, target } = deployment;
  const { create, versioned } = options;
  const unbuilt = await whyNotBuilt(deployment);
  if (unbuilt !== null) return { ok: false, message: `Would not be deployed. ${unbuilt}` };
  // Without a script the first real deployment makes one, mostly with a spreadsheet.
  const wanted = create ?? { kind: 'sheet' };
  const making = `${MAKING[wanted.kind]}, and note its id in ${OWN_SETTINGS}`;
  const steps = [
    ...(script === null ? [making] : []),
    `push ${target.files.join(', ')} to ${script?.scriptId ?? 'it'}`,
    'read them back and compare them byte for byte',
    ...(versioned ? ['make a version and its deployment'] : []),
  ];
  const isNamed = script !== null || create !== null;
  const first = isNamed
    ? 'Built. With a login this would follow:'
    : `Built. ${noScript(target)}\nWith a login, "${target.command} --create sheet" would:`;
  return { ok: true, message: `${[first, ...steps].join('\n- ')}\nNothing was sent.` };
}

export async function deploy(deployment: Deployment): Promise<DeployResult> {
  const { project, target, options } = deployment;
  const refused = (why: string): DeployResult => ({ ok: false, message: `Not deployed. ${why}` });
  const { create, versioned, dryRun } = options;
  const named = namedScript(project);
  if (create !== null && named !== null)
    return refused(
      `A script is named already, ${named.scriptId}. Leave out --create to push to it, ` +
        "or take its id out of clasp's settings first.",
    );
  if (dryRun) return rehearse(deployment, named);
  if (create === null && named === null) return refused(noScript(target));
  if (named !== null) writePlainly(project, named);
  const stopped = (await whyShut(deployment, named)) ?? (await whyNotBuilt(deployment));
  if (stopped !== null) return refused(stopped);
  const script = named ?? (create && (await createScript(deployment, create))) ?? noScript(target);
  if (typeof script === 'string') return refused(script);
  const unpushed = await whyNotPushed(deployment, script);
  if (unpushed !== null) return refused(unpushed);
  const version = versioned ? await makeVersion(deployment, script) : null;
  const done = `Deployed ${target.files.length} files and read them back: ${target.files.join(', ')}.`;
  if (typeof version === 'string')
    return { ok: false, message: `${done}\nNo version was deployed. ${version}` };
  const versionLine = version === null ? [] : [`Version ${version} is made and deployed.`];
  return {
    ok: true,
    message: [done, ...versionLine, ...nextSteps(target, script, version)].join('\n'),
  };
}
