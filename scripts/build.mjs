// Builds the add-on into dist/, with --playground into the playground's own folder.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/cjs/api';

register();
/** @type {typeof import('./build/add-on')} */
const { buildAddOn } = createRequire(import.meta.url)('./build/add-on.ts');

const OPTIONS = ['--playground'];

function main() {
  const unknown = process.argv.slice(2).find((option) => !OPTIONS.includes(option));
  if (unknown !== undefined)
    throw new Error(`There is no option ${unknown}; there is ${OPTIONS.join(', ')}.`);
  const loopback = process.argv.includes('--playground');
  const folder = loopback ? '.cache/playground-dist' : 'dist';
  const outDir = fileURLToPath(new URL(`../${folder}`, import.meta.url));
  const files = buildAddOn({ outDir, loopback });
  const sizes = files.map(({ name, bytes }) => `${name} ${bytes} bytes`);
  console.log(`Built ${folder}: ${sizes.join(', ')}`);
}

try {
  main();
} catch (error) {
  console.error(`Not built. ${error.message}`);
  process.exitCode = 1;
}
