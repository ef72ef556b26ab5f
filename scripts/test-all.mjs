// npm run test:all: what `npm test` runs, then the long rest. With --rest the rest alone; what else is typed is Jest's.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

const JEST = createRequire(import.meta.url).resolve('jest/bin/jest');
const args = process.argv.slice(2).filter((one) => one !== '--rest');

/** @param {Record<string, string>} more of the environment */
function passes(more) {
  const env = { ...process.env, ...more };
  return spawnSync(process.execPath, [JEST, ...args], { env, stdio: 'inherit' }).status === 0;
}

const isFirstPart = process.argv.includes('--rest') || passes({});
// Both parts are run: whoever started them wants to know of all that fails.
process.exitCode = passes({ TESTS: 'rest' }) && isFirstPart ? 0 : 1;
