// What is typed behind `npm run build --`.
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { expect, it } from '@jest/globals';

const PROJECT = resolve(__dirname, '../../..');

it('is refused where it is no option, so that a slip does not build something else', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(PROJECT, 'scripts/build.mjs'), '--selftest'],
    { cwd: PROJECT, encoding: 'utf8' },
  );
  expect(status).toBe(1);
  expect(stderr).toContain(
    'Not built. There is no option --selftest; there is --playground, --help.',
  );
});
