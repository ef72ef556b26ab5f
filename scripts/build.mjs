// Builds the add-on into dist/; --email-digest adds mail, --self-test probes of what Google does. With
// --playground into the playground's own folder, unless what is there is still as it would be.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/cjs/api';
import { register as registerModules } from 'tsx/esm/api';

register();
// `register` serves `require` alone, and a required file may call `import()`.
registerModules();
/** @type {typeof import('./build/add-on')} */
const { buildAddOn } = createRequire(import.meta.url)('./build/add-on.ts');
/** @type {typeof import('./build/kept-build')} */
const { keepBuilt } = createRequire(import.meta.url)('./build/kept-build.ts');

export { buildAddOn };

/** @param {string} name */
const folderIn = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

async function buildPlayground() {
  await keepBuilt(folderIn('.cache/playground-dist'), { loopback: true });
  console.log('Built .cache/playground-dist');
}

const OPTIONS = ['--email-digest', '--playground', '--self-test'];

async function main() {
  const unknown = process.argv.slice(2).find((option) => !OPTIONS.includes(option));
  if (unknown !== undefined)
    throw new Error(`There is no option ${unknown}; there are ${OPTIONS.join(', ')}.`);
  if (process.argv.includes('--playground')) return buildPlayground();
  const emailDigest = process.argv.includes('--email-digest');
  const selfTest = process.argv.includes('--self-test');
  const request = { outDir: folderIn('dist'), loopback: false, emailDigest, selfTest };
  const { files, rooms } = await buildAddOn(request);
  const sizes = files.map(({ name, bytes }) => `${name} ${bytes} bytes`);
  console.log('Code.js by room, in KB, about:');
  for (const { room, bytes } of rooms)
    console.log(`${(bytes / 1_000).toFixed(1).padStart(7)}  ${room}`);
  console.log(`Built dist: ${sizes.join(', ')}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((error) => {
    console.error(`Not built. ${error.message}`);
    process.exitCode = 1;
  });
}
