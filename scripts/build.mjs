// Builds the add-on into dist/, or with --playground into the playground's own folder; --email-digest adds mail,
// --self-test probes of what Google does.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/cjs/api';

register();
/** @type {typeof import('./build/add-on')} */
const { buildAddOn } = createRequire(import.meta.url)('./build/add-on.ts');

export { buildAddOn };

async function main() {
  const loopback = process.argv.includes('--playground');
  const folder = loopback ? '../.cache/playground-dist' : '../dist';
  const outDir = fileURLToPath(new URL(folder, import.meta.url));
  const emailDigest = process.argv.includes('--email-digest');
  const selfTest = process.argv.includes('--self-test');
  const { files, rooms } = await buildAddOn({ outDir, loopback, emailDigest, selfTest });
  const sizes = files.map(({ name, bytes }) => `${name} ${bytes} bytes`);
  // Who starts the playground wants its address.
  if (!loopback) {
    console.log('Code.js by room, in KB, about:');
    for (const { room, bytes } of rooms)
      console.log(`${(bytes / 1_000).toFixed(1).padStart(7)}  ${room}`);
  }
  console.log(`Built ${folder.slice(3)}: ${sizes.join(', ')}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((error) => {
    console.error(`Not built. ${error.message}`);
    process.exitCode = 1;
  });
}
