// `npm run release -w apps-script-host`: builds the package and publishes it with npm. --dry-run only shows what
// would be sent; --repository URL says where the project lives, if git has no address for it.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { 'dry-run': { type: 'boolean' }, repository: { type: 'string' } },
});
const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const OUT = path('../../../.cache/apps-script-host');

function run(program, args) {
  const { status } = spawnSync(program, args, { cwd: path('..'), stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const lives = values.repository === undefined ? [] : ['--repository', values.repository];
run(process.execPath, ['--import', 'tsx', path('build.ts'), ...lives]);
if (JSON.parse(readFileSync(`${OUT}/package.json`, 'utf8')).repository === undefined) {
  console.error('Say where the project lives: --repository URL');
  process.exit(1);
}
run('npm', ['publish', OUT, ...(values['dry-run'] ? ['--dry-run'] : [])]);
