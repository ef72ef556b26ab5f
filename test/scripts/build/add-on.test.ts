// Every guard of the build, shown to fire: nothing that Google or Sheets would refuse is written.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { buildWith, customFunction, type Files, handlers, SMALL_PROJECT } from './small-project';

const cells = SMALL_PROJECT['src/cells.ts'] ?? '';
const entry = SMALL_PROJECT['src/entry.ts'] ?? '';
const manifest = JSON.parse(SMALL_PROJECT['appsscript.json'] ?? '');
const page = SMALL_PROJECT['src/sidebar/page/page.html'] ?? '';

function withRpcBody(body: string): Files {
  const rest = handlers().replace(/export function rpc.*/, '');
  return { 'src/handlers.ts': `${rest}\nexport function rpc(payload: any) { ${body} }` };
}

/** The page's own script, which stands in the body alone. */
function bodyScript(html: string): string {
  const body = html.slice(html.indexOf('<body>'));
  return body.slice(body.indexOf('<script>') + 8, body.lastIndexOf('</script>'));
}

describe('buildAddOn on a sound project', () => {
  it('writes the JSDoc as it stands above a declaration without types', async () => {
    const { code } = await buildWith({});
    expect(code).toContain(
      '/** Says ANALYZE. @customfunction */\nfunction ANALYZE(asin, market) ' +
        '{ return AddOn.ANALYZE(asin, market); }',
    );
  });

  it('puts the version in', async () => {
    const { code } = await buildWith(withRpcBody('return __VERSION__'));
    expect(code).toContain('"1.2.3"');
  });

  it('keeps a closing tag in a text of the page from closing the script', async () => {
    const script = 'document.title = "</script><!-- <script>"';
    const { html } = await buildWith({ 'src/sidebar/page/main.tsx': script });
    const inside = bodyScript(html);
    expect(inside).not.toMatch(/<\/script|<!--/i);
    const page = createContext({ document: { title: '' } });
    runInContext(inside, page);
    expect(runInContext('document.title', page)).toBe('</script><!-- <script>');
  });
});

describe('the dialog', () => {
  const dialog = SMALL_PROJECT['src/sidebar/diagnostics.html'] ?? '';

  it('is pushed without a word about itself, and means the same', async () => {
    expect((await buildWith({})).dialog).toBe(
      '<!doctype html><body>{report}<script>alert("a\\x2f\\x2fb");</script></body>',
    );
  });

  it.each([
    ['loads something', dialog.replace('{report}', '<img src="x.png">'), /loads something from el/],
    [
      'has a style that does',
      `${dialog}<style>@import "x.css";</style>`,
      /loads something: @import/,
    ],
    [
      'asks somebody else',
      dialog.replace('alert', 'fetch'),
      /only use google.script.run, not fetch/,
    ],
    ['has an address', `${dialog}<a href="https://x.example">x</a>`, /A page holds "\/\/"/],
    ['has a comment', `${dialog}<style>/* Red. */</style>`, /A page holds "\/\*"/],
  ])('that %s is refused', async (_what, spoilt, reason) => {
    await expect(buildWith({ 'src/sidebar/diagnostics.html': spoilt })).rejects.toThrow(reason);
  });
});

describe('a page with templates, addresses, signs of comments and letters of all the world', () => {
  const script = String.raw`
    const host = document.host;
    const tag = ({ raw }, ...values) => raw.join('|') + values;
    document.said = [
      @https://#{host}//#{1 + 1}/*@, 'http://x' /* gone */, @\n//@, tag@//#{host}\n·@, '\x60😀·</p>',
      /^https?:\/\/[^/]+[/*]\/?$/.test(@https://#{host}/@), host.replace(/[/*·]/gu, '-'),
    ];`
    .replaceAll('@', '`')
    .replaceAll('#', '$');

  it('is written without any of them, and says the same', async () => {
    const { html } = await buildWith({ 'src/sidebar/page/main.tsx': script });
    const inside = bodyScript(html);
    expect(inside).not.toMatch(/\/[/*]|`|<\/|[^\n -~]/);
    const page = createContext({ document: { host: 'a/b*c·' } });
    runInContext(inside, page);
    expect(runInContext('JSON.stringify(document.said)', page)).toBe(
      JSON.stringify([
        ...['https://a/b*c·//2/*', 'http://x', '\n//', '//|\\n·a/b*c·', '`😀·</p>'],
        ...[false, 'a-b-c-'],
      ]),
    );
  });

  it('has a script beside it that watches its start, with the version', async () => {
    const watch = "setTimeout(() => { document.title = 'Version ' + __VERSION__ })";
    const { html } = await buildWith({ 'src/sidebar/page/not-started.ts': watch });
    expect(html.indexOf('Version 1.2.3')).toBeGreaterThan(0);
    expect(html.indexOf('Version 1.2.3')).toBeLessThan(html.indexOf('"hello"'));
    expect(html.match(/<script>/g)).toHaveLength(2);
  });
});

const REFUSED: readonly (readonly [string, Files, RegExp])[] = [
  [
    'a custom function without JSDoc',
    { 'src/cells.ts': cells.replace('/** Says ANALYZE. @customfunction */', '') },
    /cells\.ts: ANALYZE has no JSDoc/,
  ],
  [
    'a custom function that Sheets would not list',
    { 'src/cells.ts': cells.replace('ANALYZE_ASIN. @customfunction', 'ANALYZE_ASIN.') },
    /JSDoc of ANALYZE_ASIN must say @customfunction/,
  ],
  [
    'a handler that Sheets would list',
    { 'src/handlers.ts': `/** @customfunction */\n${handlers()}` },
    /JSDoc of enableFunctions must not say @customfunction/,
  ],
  [
    'a parameter without a name',
    { 'src/cells.ts': cells.replace('(asin: string', '({ asin }: { asin: string }') },
    /every parameter of ANALYZE needs a plain name/,
  ],
  [
    'a custom function that is not a declaration',
    {
      'src/cells.ts': cells.replace(
        customFunction('ANALYZE'),
        '/** @customfunction */\nexport const ANALYZE = (asin: string) => asin;\n',
      ),
    },
    /has no "export function ANALYZE"/,
  ],
  [
    'a listed name that is not exported',
    { 'src/entry.ts': entry.replace('ANALYZE_ASIN, ', '') },
    /ANALYZE_ASIN is missing/,
  ],
  [
    'an exported name that is not listed',
    {
      'src/cells.ts': `${cells}\n${customFunction('SPY')}`,
      'src/entry.ts': entry.replace('ANALYZE, ', 'ANALYZE, SPY, '),
    },
    /SPY is not in/,
  ],
  [
    'a renamed export',
    { 'src/entry.ts': entry.replace('ANALYZE, ', 'ANALYZE as WHY, ') },
    /ANALYZE is renamed/,
  ],
  [
    'code in the public list',
    { 'src/entry.ts': `${entry}\nexport const extra = 1;` },
    /may only re-export/,
  ],
  [
    'a re-export from nowhere',
    { 'src/entry.ts': entry.replace('./cells', './cellar') },
    /re-exports from a missing file/,
  ],
  [
    'a script that has grown by accident',
    withRpcBody(`return ${JSON.stringify('x'.repeat(500_000))} + payload`),
    /the ceiling is 500000/,
  ],
  [
    'a manifest for the old runtime',
    { 'appsscript.json': JSON.stringify({ ...manifest, runtimeVersion: 'DEPRECATED_ES5' }) },
    /runtimeVersion must be V8/,
  ],
  [
    'a manifest that asks for more',
    {
      'appsscript.json': JSON.stringify({
        ...manifest,
        oauthScopes: [...manifest.oauthScopes, 'https://www.googleapis.com/auth/drive'],
      }),
    },
    /exactly these scopes/,
  ],
  [
    'a manifest that asks for less than is used',
    { 'appsscript.json': JSON.stringify({ ...manifest, oauthScopes: [] }) },
    /exactly these scopes/,
  ],
  [
    'a page with a script from elsewhere',
    {
      'src/sidebar/page/page.html': page.replace(
        '<body>',
        '<body><script src="https://cdn.example/x.js"></script>',
      ),
    },
    /page\.html loads something from elsewhere/,
  ],
  [
    'a page with a style from elsewhere',
    { 'src/sidebar/page/page.css': '@import "https://fonts.example/x.css"; p { color: red }' },
    /page\.css loads something/,
  ],
  [
    'a page that speaks to the network by itself',
    { 'src/sidebar/page/main.tsx': 'fetch("https://elsewhere.example")' },
    /only use google\.script\.run, not fetch/,
  ],
  [
    'a page whose styles Google might cut',
    {
      'src/sidebar/page/page.css':
        'p { background: url("data:image/svg+xml,<a b=\'http://x\'/>") }',
    },
    /A page holds "\/\/", which Google may misread/,
  ],
  [
    'a page with an address in its markup',
    {
      'src/sidebar/page/page.html': page.replace(
        '<body>',
        '<body><a href="https://x.example">x</a>',
      ),
    },
    /A page holds "\/\/"/,
  ],
  [
    'a watch over the start that is a program of its own',
    { 'src/sidebar/page/not-started.ts': `document.title = ${JSON.stringify('x'.repeat(1_000))}` },
    /The script that watches the start has \d+ bytes/,
  ],
  [
    'a watch over the start that speaks to the network',
    { 'src/sidebar/page/not-started.ts': 'fetch("/started")' },
    /only use google\.script\.run, not fetch/,
  ],
  [
    'a shell without a place for the watch over the start',
    { 'src/sidebar/page/page.html': page.replace('<!-- WATCH -->', '') },
    /needs <!-- WATCH --> exactly once/,
  ],
  [
    'a shell without a place for the script',
    { 'src/sidebar/page/page.html': page.replace('<!-- SCRIPT -->', '') },
    /needs <!-- SCRIPT --> exactly once/,
  ],
];

describe('buildAddOn refuses', () => {
  it.each(REFUSED)('%s', async (_what, changes, reason) => {
    await expect(buildWith(changes)).rejects.toThrow(reason);
  });

  it('without touching what an earlier build wrote', async () => {
    const outDir = mkdtempSync(join(tmpdir(), 'earlier-'));
    writeFileSync(join(outDir, 'Code.js'), 'earlier');
    await expect(buildWith({ 'appsscript.json': '{}' }, () => outDir)).rejects.toThrow('V8');
    expect(readFileSync(join(outDir, 'Code.js'), 'utf8')).toBe('earlier');
    rmSync(outDir, { recursive: true });
  });
});
