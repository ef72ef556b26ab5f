// Builds the add-on into dist/, with --playground into the playground's own folder.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/cjs/api';

register();
/** @type {typeof import('./build/add-on')} */
const { buildAddOn } = createRequire(import.meta.url)('./build/add-on.ts');

const HELP = `npm run build -- [options]

Builds what is pushed to Google into dist/: Code.js, Sidebar.html, Diagnostics.html, appsscript.json.

  --playground   builds for the playground, into .cache/playground-dist
  --help         prints this`;

const OPTIONS = ['--playground', '--help'];

function main() {
  if (process.argv.includes('--help')) return console.log(HELP);
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
