// npm run check: format, lint, types, unused code, duplicates, secrets.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/cjs/api';

register();
const requireTypeScript = createRequire(import.meta.url);
/** @type {typeof import('./check/checks')} */
const { checksOf } = requireTypeScript('./check/checks.ts');
/** @type {typeof import('./check/run-checks')} */
const { runChecks } = requireTypeScript('./check/run-checks.ts');

const failed = await runChecks(
  checksOf(fileURLToPath(new URL('..', import.meta.url))),
  console.log,
);
process.exitCode = failed === 0 ? 0 : 1;
