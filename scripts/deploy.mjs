// npm run deploy: builds, pushes to the script that clasp's settings name or that it makes, reads back. --help has the options.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/cjs/api';

register();
const requireTypeScript = createRequire(import.meta.url);
/** @type {typeof import('./build/add-on')} */
const { buildAddOn } = requireTypeScript('./build/add-on.ts');
/** @type {typeof import('./deploy/clasp')} */
const { runClasp } = requireTypeScript('./deploy/clasp.ts');
/** @type {typeof import('./deploy/deploy')} */
const { deploy } = requireTypeScript('./deploy/deploy.ts');
/** @type {typeof import('./deploy/options')} */
const { HELP, readDeployOptions } = requireTypeScript('./deploy/options.ts');
/** @type {typeof import('./deploy/target')} */
const { ADD_ON, PROBES } = requireTypeScript('./deploy/target.ts');
/** @type {typeof import('./probes/build')} */
const { buildProbes } = requireTypeScript('./probes/build.ts');

/** @param {import('./deploy/options').DeployOptions} options */
function run(options) {
  const target = options.probes ? PROBES : ADD_ON;
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return deploy({
    project: join(fileURLToPath(new URL('..', import.meta.url)), target.folder),
    target,
    build: (outDir, { probes }) =>
      probes ? buildProbes(outDir) : buildAddOn({ outDir, loopback: false }),
    clasp: runClasp,
    env: process.env,
    options,
    version,
  }).catch((error) => ({ ok: false, message: `Not deployed. ${error.message}` }));
}

const options = readDeployOptions(process.argv.slice(2));
if ('problem' in options) {
  console.error(options.problem);
  process.exitCode = 1;
} else if (options.help) {
  console.log(HELP);
} else {
  const { ok, message } = await run(options);
  (ok ? console.log : console.error)(message);
  process.exitCode = ok ? 0 : 1;
}
