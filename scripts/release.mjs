// node scripts/release.mjs v0.2.0: what a release of that tag holds, into .cache/release/. The release workflow runs it.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/cjs/api';

register();
const requireTypeScript = createRequire(import.meta.url);
/** @type {typeof import('./build/add-on')} */
const { buildAddOn } = requireTypeScript('./build/add-on.ts');
/** @type {typeof import('./probes/build')} */
const { buildProbes } = requireTypeScript('./probes/build.ts');
/** @type {typeof import('./release/release')} */
const { makeRelease } = requireTypeScript('./release/release.ts');

const { ok, message } = await makeRelease({
  tag: process.argv[2] ?? '',
  project: fileURLToPath(new URL('..', import.meta.url)),
  outDir: fileURLToPath(new URL('../.cache/release', import.meta.url)),
  builds: {
    'add-on': (outDir) => buildAddOn({ outDir, loopback: false }),
    // For whoever finds out on an account what Google does (docs/verify.md).
    probes: buildProbes,
  },
}).catch((error) => ({ ok: false, message: `Not released. ${error.message}` }));
(ok ? console.log : console.error)(message);
process.exitCode = ok ? 0 : 1;
