// A project as small as the build allows, for spoiling one file at a time.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { buildAddOn } from '../../../scripts/build/add-on';
import { CUSTOM_FUNCTIONS, HANDLERS } from '../../../scripts/build/globals';

export type Files = Readonly<Record<string, string>>;

const ROOT = resolve(__dirname, '../../..');
const SCOPES = [
  'script.container.ui',
  'script.external_request',
  'script.scriptapp',
  'spreadsheets.currentonly',
];

/** One custom function, as the build wants it. */
export function customFunction(name: string): string {
  return `/** Says ${name}. @customfunction */\nexport function ${name}(asin: string, market = 'US') {
  return [asin, market];
}\n`;
}

export function handlers(): string {
  return HANDLERS.map(
    (name) => `export function ${name}(payload: unknown) { return payload; }`,
  ).join('\n');
}

export const SMALL_PROJECT: Files = {
  'package.json': '{"version": "1.2.3"}',
  'appsscript.json': JSON.stringify({
    runtimeVersion: 'V8',
    oauthScopes: SCOPES.map((scope) => `https://www.googleapis.com/auth/${scope}`),
  }),
  'docs/troubleshooting.md': '## not-found\n\n> Not found\n\nCheck it.\n',
  'src/cells.ts': CUSTOM_FUNCTIONS.map(customFunction).join('\n'),
  'src/handlers.ts': handlers(),
  'src/entry.ts': `export { ${CUSTOM_FUNCTIONS.join(', ')} } from './cells';
export { ${HANDLERS.join(', ')} } from './handlers';\n`,
  'src/sidebar/diagnostics.html':
    '<!-- Dialog. -->\n<!doctype html><body>{report}<script>\n// Said once.\nalert("a//b")</script></body>',
  'src/sidebar/page/page.html':
    '<!-- Shell. -->\n<!doctype html><head><!-- STYLES --><!-- WATCH --></head><body><!-- SCRIPT --></body>',
  'src/sidebar/page/page.css': 'p { color: red }',
  'src/sidebar/page/not-started.ts': 'setTimeout(() => {});',
  'src/sidebar/page/main.tsx': 'document.body.textContent = "hello";',
};

/** Builds it with some files changed and gives what came out; rejects with what the build says. */
export async function buildWith(changes: Files, outDirOf = (root: string) => join(root, 'out')) {
  const root = mkdtempSync(join(tmpdir(), 'small-project-'));
  try {
    for (const [name, text] of Object.entries({ ...SMALL_PROJECT, ...changes })) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    const outDir = outDirOf(root);
    buildAddOn({ outDir, loopback: false, root });
    const read = (name: string): string => readFileSync(join(outDir, name), 'utf8');
    return {
      code: read('Code.js'),
      html: read('Sidebar.html'),
      dialog: read('Diagnostics.html'),
    };
  } finally {
    rmSync(root, { recursive: true });
  }
}
