// Reads a project from disk or from a test: which files Google gets, and in which order it
// evaluates them.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { nearest } from './option-checks';
import type { ScriptFile } from './pushed-code';

/**
 * Texts by the file names that clasp uses: "Code.js", "lib/Rates.gs", "Sidebar.html",
 * "appsscript.json".
 */
export type ProjectFiles = Readonly<Record<string, string>>;

export interface Project {
  readonly code: readonly ScriptFile[];
  /** Keyed by name without ".html". */
  readonly html: Readonly<Record<string, string>>;
  readonly manifest: string;
}

const SCRIPT = /\.(?:js|gs)$/i;
const PAGE = /\.html$/i;
const MANIFEST = 'appsscript.json';

/**
 * The scopes of a script whose manifest lists none. Google then derives them from the services that
 * the code names. This list has every scope that the emulated services need.
 */
const SCOPES_OF_SERVICES: readonly string[] = [
  'https://www.googleapis.com/auth/script.container.ui',
  'https://www.googleapis.com/auth/script.external_request',
  'https://www.googleapis.com/auth/script.scriptapp',
  'https://www.googleapis.com/auth/script.send_mail',
  'https://www.googleapis.com/auth/spreadsheets',
  'https://www.googleapis.com/auth/userinfo.email',
];

/**
 * @param files in the order in which Google evaluates them, which is the order of the editor's list
 */
export function projectOf(files: ProjectFiles): Project {
  const entries = Object.entries(files);
  const manifest = files[MANIFEST] ?? '{}';
  const {
    timeZone = 'Etc/UTC',
    oauthScopes = SCOPES_OF_SERVICES,
    dependencies,
  } = JSON.parse(manifest);
  return {
    code: entries.filter(([name]) => SCRIPT.test(name)).map(([name, text]) => ({ name, text })),
    html: Object.fromEntries(
      entries.filter(([name]) => PAGE.test(name)).map(([name, text]) => [name.slice(0, -5), text]),
    ),
    manifest: JSON.stringify({ timeZone, oauthScopes, dependencies }),
  };
}

/** What clasp never pushes if there is no .claspignore (clasp 3, core/clasp.js). */
const NEVER_PUSHED: readonly string[] = ['.git/**', 'node_modules/**'];

interface ClaspSettings {
  readonly rootDir?: string;
  readonly srcDir?: string;
  readonly filePushOrder?: readonly string[];
}

/**
 * The files of a folder as clasp 3 pushes them (core/files.js): first those of `filePushOrder`,
 * then the rest by name. `srcDir` or `rootDir` and .claspignore are respected.
 */
export function readProject(projectDir: string): ProjectFiles {
  const folder = resolve(projectDir);
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}.${offerOf(folder)}`);
  const settings = readSettings(join(folder, '.clasp.json'));
  const root = resolve(folder, settings.srcDir ?? settings.rootDir ?? '.');
  if (!existsSync(root)) throw new Error(`There is no folder ${root}, which .clasp.json names.`);
  const isIgnored = ignoring(join(folder, '.claspignore'));
  const names = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => SCRIPT.test(name) || PAGE.test(name) || name === MANIFEST)
    .filter((name) => !isIgnored(name))
    .sort((one, other) => one.localeCompare(other));
  if (!names.some((name) => SCRIPT.test(name)))
    throw new Error(`There is no script in ${root}: no .js or .gs file that clasp would push.`);
  const first = (settings.filePushOrder ?? []).map((path) => join(folder, path));
  const place = (name: string) => {
    const at = first.indexOf(join(root, name));
    return at < 0 ? first.length : at;
  };
  const ordered = names.sort((one, other) => place(one) - place(other));
  return Object.fromEntries(
    ordered.map((name) => [name, readFileSync(join(root, name), 'utf8')] as const),
  );
}

/** The folder beside it whose name is written almost like this. */
function offerOf(folder: string): string {
  const above = dirname(folder);
  if (!existsSync(above)) return '';
  const near = nearest(basename(folder), readdirSync(above));
  return near === null ? '' : ` Is it ${near}?`;
}

function readSettings(file: string): ClaspSettings {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ClaspSettings) : {};
}

/** Later lines win, and "!" includes a file again. Patterns may use `*`, `?` and `**`. */
function ignoring(file: string): (name: string) => boolean {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split(/\r?\n/) : NEVER_PUSHED;
  const rules = lines
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ ignores: !line.startsWith('!'), pattern: globOf(line.replace(/^!/, '')) }));
  return (name) => rules.findLast(({ pattern }) => pattern.test(name))?.ignores ?? false;
}

const GLOB_PARTS: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
};

function globOf(pattern: string): RegExp {
  const source = pattern.replace(
    /\*\*\/|\*\*|[*?]|[.+^${}()|[\]\\]/g,
    (part) => GLOB_PARTS[part] ?? `\\${part}`,
  );
  return new RegExp(`^${source}$`);
}
