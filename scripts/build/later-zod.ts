// Has Code.js evaluate zod on the first use of it: a cell and a firing of the clock never need it.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';

/** The one name under which the house's rules let it be imported. */
const ZOD = 'zod/mini';

/** Members of zod that a folder's files use; null where one imports it in another way, which is refused. */
function usedIn(folder: string): readonly string[] | null {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const users = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .filter((text) => text.includes(`from '${ZOD}'`));
  if (!users.every((text) => / \* as z from 'zod\/mini'/.test(text))) return null;
  const used = users.flatMap((text) => [...text.matchAll(/\bz\s*\.([a-z]\w*)(?:<[^(]*>)?\(/g)]);
  return [...new Set(used.map(([, name = '']) => name))].sort();
}

/** The library in a function that gives its members back, instead of exporting them. */
async function bodyOf(root: string, names: readonly string[]): Promise<string> {
  const contents = `export { ${names.join(', ')} } from '${ZOD}';`;
  const options: BuildOptions = { absWorkingDir: root, bundle: true, write: false, format: 'esm' };
  const stdin = { contents, resolveDir: root };
  const shared = { target: 'es2021', logLevel: 'silent' } as const;
  const { outputFiles } = await build({ ...options, ...shared, stdin });
  const text = outputFiles?.[0]?.text ?? '';
  const body = text.replace(/export \{([^}]*)\};\s*$/, (_, list: string) => {
    const members = list.split(',').map((one) => one.trim().split(' as '));
    return `return {${members.map(([own, name = own]) => `${name}: ${own}`).join(', ')}};`;
  });
  if (body === text) throw new Error('zod came out of the bundler without its exports');
  return body;
}

/** In the place of zod: the same functions, of which the first that is called loads it. */
export const laterZod = (root: string): Plugin => ({
  name: 'later-zod',
  setup(plugins) {
    const names = usedIn(join(root, 'src'));
    if (names === null) return;
    plugins.onResolve({ filter: /^zod\/mini$/ }, ({ path }) => ({ path, namespace: 'later' }));
    plugins.onLoad({ filter: /^zod\/mini$/, namespace: 'later' }, async () => {
      const exported = names.map((name) => `${name}_ as ${name}`).join(', ');
      const calls = names.map((name) => `const ${name}_ = (...sent) => zod().${name}(...sent);`);
      const load = `function load() {\n${await bodyOf(root, names)}}`;
      const once = 'let loaded;\nconst zod = () => loaded ?? (loaded = load());';
      return { contents: [load, once, ...calls, `export { ${exported} };`].join('\n') };
    });
  },
});
