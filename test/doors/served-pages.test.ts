// Sidebar and report as they arrive in the browser: Google cuts their scripts on the way, and nothing is lost.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { parse } from 'acorn';
import type { ScreenMenuItem, ScriptCut } from 'apps-script-host/service';
import { servedPage } from 'apps-script-host/services/html';
import { buildSync } from 'esbuild';
import { checkPlain } from '../../scripts/build/plain-script';
import { BUILT } from '../build-once';
import { createWorld, type World } from './world';

const ROOT = join(__dirname, '../..');
const built = readFileSync(join(BUILT, 'Sidebar.html'), 'utf8');

let world: World;
afterEach(() => world.stop());

/** What is shown when a menu item is chosen, and the captions of all items. */
async function shownBy(functionName: string, scriptCut: ScriptCut) {
  const [pages, items]: [string[], ScreenMenuItem[]] = [[], []];
  const onPage = (html: string) => pages.push(html);
  const screen = {
    onSidebar: onPage,
    onDialog: onPage,
    onMenu: (menu: { readonly items: readonly ScreenMenuItem[] }) => items.push(...menu.items),
  };
  world = createWorld({ host: { screen, scriptCut } });
  void world.host.start({ functionName: 'onOpen', args: [], door: 'open' });
  void world.host.start({ functionName, args: [], door: 'menu' });
  await world.host.run();
  const captions = items.flatMap((item) => (item.kind === 'item' ? [item.caption] : []));
  return { page: pages.join(), captions };
}

const scriptsOf = (html: string): readonly string[] =>
  [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = '']) => script);

const CUTS = [['outside-strings'], ['everywhere']] as const;

describe.each(CUTS)('where Google cuts %s', (cut) => {
  it('the sidebar arrives as it was built', async () => {
    const { page } = await shownBy('openSidebar', cut);
    expect(page.replace(/ data-(locale|opens)="[^"]*"/g, '')).toBe(built);
    expect(scriptsOf(page)).toHaveLength(2);
  });

  it('the report arrives with its script whole', async () => {
    const { page } = await shownBy('runDiagnostics', cut);
    const scripts = scriptsOf(page);
    expect(scripts).toHaveLength(1);
    for (const script of scripts) {
      expect(() => checkPlain(`<script>${script}</script>`)).not.toThrow();
      expect(servedPage(`<script>${script}</script>`, cut)).toBe(`<script>${script}</script>`);
      expect(() => parse(script, { ecmaVersion: 2020 })).not.toThrow();
    }
  });
});

// What the other model cuts depends on which quote follows which: packages/apps-script-host/test/services/html.test.ts.
it('the sidebar would not start if it were written as bundlers write', () => {
  const { outputFiles } = buildSync({
    absWorkingDir: ROOT,
    entryPoints: ['src/sidebar/page/main.tsx'],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: 'es2021',
    tsconfigRaw: { compilerOptions: { jsx: 'react-jsx', jsxImportSource: 'preact' } },
  });
  const script = outputFiles[0]?.text ?? '';
  expect(() => parse(script, { ecmaVersion: 2021 })).not.toThrow();
  const [served = ''] = scriptsOf(servedPage(`<script>${script}</script>`, 'everywhere'));
  expect(served.length).toBeLessThan(script.length - 20_000);
  expect(() => parse(served, { ecmaVersion: 2021 })).toThrow(SyntaxError);
});

it('the page that did not start names items that the menu has', async () => {
  const { captions } = await shownBy('openSidebar', 'everywhere');
  const [watch = ''] = scriptsOf(built);
  expect(captions.filter((caption) => watch.includes(caption))).toEqual([
    'Open sidebar',
    'Run diagnostics',
  ]);
});
