// Builds what is pushed to Google: a manifest, one script and two pages. Same source, same bytes.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { type CompressOptions, type MinifyOptions, minify } from 'terser';
import { version as minifierVersion } from 'terser/package.json';
import { checkCode } from './code-check';
import { declarationsOf, publicList } from './declarations';
import { NAMESPACE } from './globals';
import { helpSections } from './help-sections';
import { INNER_NAMES } from './inner-names';
import { keptText } from './kept-text';
import { checkManifest, withMailScopes } from './manifest-check';
import { SIGNS, withNamedValues } from './named-values';
import { type RoomBytes, roomBytes } from './room-report';
import { dialogOf, pageOf } from './sidebar-page';
import { nameOf, type Variant } from './variant';

export interface BuildRequest extends Variant {
  readonly outDir: string;
  /** The project to build; this one unless a test brings its own. */
  readonly root?: string;
}

export interface BuildResult {
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
  /** Of Code.js, about. */
  readonly rooms: readonly RoomBytes[];
}

const PROJECT = resolve(__dirname, '../..');

function versionOf(root: string): string {
  const parsed: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const version: unknown = parsed instanceof Object ? Reflect.get(parsed, 'version') : undefined;
  if (typeof version !== 'string') throw new Error('package.json has no version');
  return version;
}

function optionsFor(root: string, request: Variant) {
  const { loopback, emailDigest = false, selfTest = false } = request;
  return {
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: 'iife',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
    // A member of zod that the stand-in lacks, for one.
    logOverride: { 'import-is-undefined': 'error' },
    // Apps Script refuses fields, private members and static blocks of classes; 2021 has none. Logical
    // assignment it has too, but nobody says that Apps Script takes it.
    target: 'es2021',
    supported: { 'logical-assignment': false },
    define: {
      __LOOPBACK_ALLOWED__: JSON.stringify(loopback),
      __EMAIL_DIGEST__: JSON.stringify(emailDigest),
      __SELF_TEST__: JSON.stringify(selfTest),
      __VERSION__: JSON.stringify(versionOf(root)),
    },
    tsconfigRaw: { compilerOptions: { jsx: 'react-jsx', jsxImportSource: 'preact' } },
  } satisfies BuildOptions;
}

type SharedOptions = ReturnType<typeof optionsFor>;
type OwnOptions = Pick<
  BuildOptions,
  | 'alias'
  | 'charset'
  | 'define'
  | 'format'
  | 'mangleCache'
  | 'mangleProps'
  | 'minify'
  | 'minifySyntax'
  | 'supported'
>;

async function bundle(
  options: SharedOptions,
  entry: string | { readonly source: string },
  more: OwnOptions = {},
) {
  const from =
    typeof entry === 'string'
      ? { entryPoints: [entry] }
      : { stdin: { contents: entry.source, resolveDir: options.absWorkingDir } };
  const { outputFiles, metafile } = await build({ ...options, ...more, ...from });
  const text = outputFiles[0]?.text;
  if (text === undefined || outputFiles.length !== 1)
    throw new Error(`The entry should give one file, not ${outputFiles.length}`);
  return { text, metafile };
}

/** The script before it is made smaller: each module behind a line that names its file. */
async function readableCode(root: string, options: SharedOptions, isSelfTest: boolean) {
  const items = publicList(root, isSelfTest);
  const source = items.map(({ name, file }) => `export { ${name} } from ${JSON.stringify(file)};`);
  const entry = isSelfTest ? { source: source.join('\n') } : 'src/entry.ts';
  const { text, metafile } = await bundle(options, entry, {
    format: 'esm',
    alias: { 'zod/mini': join(__dirname, 'zod-stand-in.ts') },
    mangleProps: new RegExp(`^(?:${Object.keys(INNER_NAMES).join('|')})$`),
    mangleCache: { ...INNER_NAMES },
    // Names and blanks are left to the other minifier, which then finds some more to do.
    ...{ minify: false, minifySyntax: true },
  });
  return { declarations: declarationsOf(items, isSelfTest), text: asScript(text), metafile };
}

/** Members of one global in place of the exports: what esbuild puts around them is longer, and every cell runs it. */
function asScript(module: string): string {
  const [list = '', names = ''] = /export \{([^{}]*)\};\s*$/.exec(module) ?? [];
  if (names === '') throw new Error('The bundle exports nothing');
  const members = names.replace(/(\w+) as (\w+)/g, '$2: $1');
  return `var ${NAMESPACE} = (() => {\n${module.slice(0, -list.length)}return {${members}};\n})();`;
}

/** What is pushed, as it was before it was made smaller: for whoever looks which files a call passes. */
export async function readableAddOn(): Promise<string> {
  const options = optionsFor(PROJECT, { loopback: false });
  const { declarations, text } = await readableCode(PROJECT, options, false);
  return `${declarations}\n\n${text}`;
}

async function codeOf(
  root: string,
  options: SharedOptions,
  request: BuildRequest,
): Promise<{ readonly code: string; readonly rooms: readonly RoomBytes[] }> {
  const { emailDigest: hasMail = false, selfTest: isSelfTest = false } = request;
  const { declarations, text, metafile } = await readableCode(root, options, isSelfTest);
  // Declarations are hoisted, so they stand ready while the bundle below them still loads.
  const code = `${declarations}\n\n${await smaller(text, root === PROJECT ? nameOf(request) : null)}`;
  checkCode(code, hasMail, isSelfTest);
  return { code, rooms: roomBytes(metafile, Buffer.byteLength(code)) };
}

/**
 * About 11 KB less than esbuild leaves, which every cell would load.
 *
 * @param keptAs minifying takes longer than all else; null: nothing is kept.
 */
async function smaller(text: string, keptAs: string | null): Promise<string> {
  // Nothing newer than 2020: logical assignment came the year after. No getter does but get. Declared
  // functions stay that: V8 puts off reading them, but reads an arrow inside of a function in full, and
  // with all of them as arrows, 5 KB less, loading the script took a third longer. Few are made arrows here.
  const shorter = { hoist_funs: true, keep_fargs: false, unsafe_arrows: true, pure_getters: true };
  const compress: CompressOptions = { ecma: 2020, passes: 5, ...shorter };
  const options: MinifyOptions = { ecma: 2020, compress, mangle: { reserved: [...SIGNS] } };
  const key = [minifierVersion, JSON.stringify(options), text].join('\n');
  const minified = async () => {
    const { code } = await minify(text, options);
    if (!code) throw new Error('The bundle came out of the minifier empty');
    return code;
  };
  const code =
    keptAs === null ? await minified() : await keptText(`minified-${keptAs}`, key, minified);
  return withNamedValues(code);
}

/** Libraries of which something is pushed; their licences ask to be where they are. */
const PUSHED = ['preact', 'zod'];

function noticesOf(): string {
  const licence = (name: string) =>
    readFileSync(join(PROJECT, 'node_modules', name, 'LICENSE'), 'utf8').trim();
  return PUSHED.map((name) => `${name}\n\n${licence(name)}`).join('\n\n');
}

async function htmlOf(root: string, shared: SharedOptions): Promise<string> {
  // What Google may cut out of a page, or change in it, is not even written (decision 0011).
  const supported = { ...shared.supported, 'template-literal': false };
  const own: OwnOptions = { supported, charset: 'ascii' };
  const watch = await bundle(shared, 'src/sidebar/page/not-started.ts', own);
  const help = helpSections(readFileSync(join(root, 'docs/troubleshooting.md'), 'utf8'));
  const script = await bundle(shared, 'src/sidebar/page/main.tsx', {
    ...own,
    define: { ...shared.define, __HELP__: JSON.stringify(help) },
  });
  const styles = await bundle(shared, 'src/sidebar/page/page.css', own);
  const shell = readFileSync(join(root, 'src/sidebar/page/page.html'), 'utf8');
  const texts = { styles: styles.text, watch: watch.text, script: script.text };
  return pageOf({ shell, ...texts, notices: noticesOf() });
}

function dialogIn(root: string): string {
  const file = 'diagnostics.html';
  return dialogOf(file, readFileSync(join(root, 'src/sidebar', file), 'utf8'));
}

/** Nothing is written unless every check passed; what stood in `outDir` before is gone. */
export async function buildAddOn(request: BuildRequest): Promise<BuildResult> {
  const root = request.root ?? PROJECT;
  const manifest = readFileSync(join(root, 'appsscript.json'), 'utf8');
  checkManifest(manifest);
  const options = optionsFor(root, request);
  const hasMail = request.emailDigest === true;
  const { code, rooms } = await codeOf(root, options, request);
  const contents = {
    'appsscript.json': hasMail ? withMailScopes(manifest) : manifest,
    'Code.js': code,
    'Diagnostics.html': dialogIn(root),
    'Sidebar.html': await htmlOf(root, options),
  };
  replaceFolder(request.outDir, contents);
  const files = Object.entries(contents);
  return {
    rooms,
    files: files.map(([name, text]) => ({ name, bytes: Buffer.byteLength(text) })),
  };
}

/** Whoever reads a file of it meanwhile reads a whole one: the former, or this. */
function replaceFolder(folder: string, contents: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true });
  const made = mkdtempSync(`${folder}-`);
  try {
    for (const [name, text] of Object.entries(contents)) {
      writeFileSync(join(made, name), text);
      renameSync(join(made, name), join(folder, name));
    }
  } finally {
    rmSync(made, { recursive: true });
  }
  for (const name of readdirSync(folder))
    if (!(name in contents)) rmSync(join(folder, name), { recursive: true });
}
