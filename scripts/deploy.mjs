// npm run deploy: builds (with --email-digest or --self-test if asked to), pushes to the script that .clasp.json names, reads back.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/cjs/api';

register();
const requireTypeScript = createRequire(import.meta.url);
/** @type {typeof import('./build/add-on')} */
const { buildAddOn } = requireTypeScript('./build/add-on.ts');
/** @type {typeof import('./deploy/deploy')} */
const { deploy } = requireTypeScript('./deploy/deploy.ts');

const emailDigest = process.argv.includes('--email-digest');
const selfTest = process.argv.includes('--self-test');
const { ok, message } = await deploy({
  project: fileURLToPath(new URL('..', import.meta.url)),
  build: (outDir) => buildAddOn({ outDir, loopback: false, emailDigest, selfTest }),
  env: process.env,
}).catch((error) => ({ ok: false, message: `Not deployed. ${error.message}` }));
(ok ? console.log : console.error)(message);
process.exitCode = ok ? 0 : 1;
