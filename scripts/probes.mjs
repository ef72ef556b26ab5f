// npm run probes -- build: the script of the probes into probes/dist/. npm run deploy -- --probes pushes it.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/cjs/api';

register();
/** @type {typeof import('./probes/build')} */
const { buildProbes } = createRequire(import.meta.url)('./probes/build.ts');

const HELP = `npm run probes -- build

Builds the script of the probes into probes/dist/. docs/verify.md says what they find out;
"npm run deploy -- --probes" pushes them into a script of their own.`;

function main() {
  if (process.argv.includes('--help')) return console.log(HELP);
  if (process.argv.slice(2).join(' ') !== 'build') throw new Error('Use: npm run probes -- build');
  const files = buildProbes(fileURLToPath(new URL('../probes/dist', import.meta.url)));
  const sizes = files.map(({ name, bytes }) => `${name} ${bytes} bytes`);
  console.log(`Built probes/dist: ${sizes.join(', ')}`);
}

try {
  main();
} catch (error) {
  console.error(`Not built. ${error.message}`);
  process.exitCode = 1;
}
