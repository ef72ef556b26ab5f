// Builds what is pushed to Google: a manifest, one script and two pages. Same source, same bytes.
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';
import { declarationsOf, type Script } from './declarations';
import { CUSTOM_FUNCTIONS, HANDLERS, NAMESPACE } from './globals';
import { helpSections } from './help-sections';
import { joinedTexts } from './joined-texts';
import { checkManifest } from './manifest-check';
import { dialogOf, pageOf } from './sidebar-page';
import { smallerScript } from './smaller-script';

/** The ways to build the add-on. */
export interface Variant {
  /** Lets `http://127.0.0.1` and `http://localhost` be base URLs: for the playground alone. */
  readonly loopback: boolean;
}

interface BuildRequest extends Variant {
  readonly outDir: string;
  /** The project to build; this one unless a test brings its own. */
  readonly root?: string;
}

const PROJECT = resolve(__dirname, '../..');

/** Libraries of which something is pushed; their licences ask to be where they are. */
const PUSHED = ['@preact/signals', '@preact/signals-core', 'preact', 'zod'];

/** A ceiling against what slips in by accident; loading costs about 35 µs per KB (decision 7). */
const CODE_MAX_CHARS = 500_000;

function versionOf(root: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (typeof version !== 'string') throw new Error('package.json has no version');
  return version;
}

function optionsFor(root: string, { loopback }: Variant): BuildOptions {
  return {
    absWorkingDir: root,
    bundle: true,
    format: 'iife',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
    // Apps Script refuses fields, private members and static blocks of classes; 2021 has none. Logical
    // assignment it has too, but nobody says that Apps Script takes it.
    target: 'es2021',
    supported: { 'logical-assignment': false },
    define: {
      __LOOPBACK_ALLOWED__: JSON.stringify(loopback),
      __VERSION__: JSON.stringify(versionOf(root)),
    },
    // Shorter than calls with all children in a member.
    jsx: 'transform',
    jsxFactory: 'h',
    jsxFragment: 'Fragment',
  };
}

/** One entry, bundled in memory. Throws with esbuild's own message where the source does not build. */
function bundle(options: BuildOptions, entry: string): string {
  const { outputFiles } = buildSync({ ...options, entryPoints: [entry], write: false });
  const [file, ...others] = outputFiles;
  if (file === undefined || others.length > 0)
    throw new Error(`${entry} should give one file, not ${outputFiles.length}`);
  return file.text;
}

/** Names stay as they are, so that a stack trace names functions (decision 7). */
const SMALLER: BuildOptions = { minify: true, keepNames: true };

const ADD_ON = { entry: 'src/entry.ts', customFunctions: CUSTOM_FUNCTIONS, handlers: HANDLERS };

/** Declarations are hoisted, so they stand ready while the bundle below them still loads. */
function codeOf(root: string, options: BuildOptions, script: Script): string {
  const declarations = declarationsOf(root, script);
  return `${declarations}\n\n${bundle({ ...options, globalName: NAMESPACE }, script.entry)}`;
}

/** Code.js before it is made smaller: for whoever looks which files a call passes. */
export function readableAddOn(): string {
  return codeOf(PROJECT, optionsFor(PROJECT, { loopback: false }), ADD_ON);
}

/** Code.js of another script of this project, as small as that of the add-on. */
export function scriptOf(script: Script): string {
  return codeOf(PROJECT, { ...optionsFor(PROJECT, { loopback: false }), ...SMALLER }, script);
}

/** Where a licence's own lines, with its holder, end, and the terms that many share begin. */
const TERMS = 'Permission is hereby granted';

/** Terms that several libraries share word for word stand once, below all their holders. */
function noticesOf(): string {
  const holders = new Map<string, string[]>();
  for (const name of PUSHED) {
    const licence = readFileSync(join(PROJECT, 'node_modules', name, 'LICENSE'), 'utf8').trim();
    const at = licence.indexOf(TERMS);
    if (at < 0) throw new Error(`The licence of ${name} has other terms; read it`);
    const terms = licence.slice(at);
    const holder = `${name}\n${licence.slice(0, at).trim()}`;
    holders.set(terms, [...(holders.get(terms) ?? []), holder]);
  }
  return [...holders].flatMap(([terms, all]) => [...all, terms]).join('\n\n');
}

function sidebarOf(root: string, shared: BuildOptions): string {
  // What Google may cut out of a page, or change in it, is not even written (decision 11).
  const supported = { ...shared.supported, 'template-literal': false };
  const options: BuildOptions = { ...shared, minify: true, charset: 'ascii', supported };
  const help = helpSections(readFileSync(join(root, 'docs/troubleshooting.md'), 'utf8'));
  const page: BuildOptions = {
    ...options,
    define: { ...shared.define, __HELP__: JSON.stringify(help) },
    inject: [join(PROJECT, 'scripts/build/page-elements.ts')],
  };
  return pageOf({
    shell: readFileSync(join(root, 'src/sidebar/page/page.html'), 'utf8'),
    styles: bundle(options, 'src/sidebar/page/page.css'),
    watch: bundle(options, 'src/sidebar/page/not-started.ts'),
    script: smallerScript(joinedTexts(bundle(page, 'src/sidebar/page/main.tsx'))),
    notices: noticesOf(),
  });
}

/** Nothing is written unless every check passed; what stood in `outDir` before is gone. */
export function buildAddOn(request: BuildRequest) {
  const { root = PROJECT } = request;
  const manifest = readFileSync(join(root, 'appsscript.json'), 'utf8');
  checkManifest(manifest);
  const options = optionsFor(root, request);
  const code = codeOf(root, { ...options, ...SMALLER }, ADD_ON);
  if (code.length > CODE_MAX_CHARS)
    throw new Error(`Code.js has ${code.length} characters; the ceiling is ${CODE_MAX_CHARS}`);
  const dialog = readFileSync(join(root, 'src/sidebar/diagnostics.html'), 'utf8');
  const contents = {
    'appsscript.json': manifest,
    'Code.js': code,
    'Diagnostics.html': dialogOf('diagnostics.html', dialog),
    'Sidebar.html': sidebarOf(root, options),
  };
  return writeFolder(request.outDir, contents);
}

/** Puts a whole folder in place: nobody finds half of a build. */
export function writeFolder(folder: string, contents: Readonly<Record<string, string>>) {
  mkdirSync(dirname(folder), { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  for (const [name, text] of Object.entries(contents)) writeFileSync(join(draft, name), text);
  rmSync(folder, { recursive: true, force: true });
  renameSync(draft, folder);
  return Object.entries(contents).map(([name, text]) => ({ name, bytes: Buffer.byteLength(text) }));
}
