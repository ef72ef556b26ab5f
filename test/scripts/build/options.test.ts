// What is typed behind `npm run build --`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
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
    'Not built. There is no option --selftest; there are --email-digest, --playground, --self-test.',
  );
});

it('finds its tools where nothing was built before, as `npm start` needs it', () => {
  const build = pathToFileURL(join(PROJECT, 'scripts/build.mjs')).href;
  const empty = mkdtempSync(join(tmpdir(), 'nothing-built-'));
  // The variant is read once the tools are loaded. A whole build would take a quarter of a minute.
  const program = `
    await import(${JSON.stringify(build)});
    const { createRequire } = await import('node:module');
    const { keepBuilt } = createRequire(${JSON.stringify(build)})('./build/kept-build.ts');
    const variant = { get loopback() { throw new Error('the tools are loaded'); } };
    await keepBuilt(${JSON.stringify(join(empty, 'dist'))}, variant).catch(({ message }) => {
      process.stdout.write(message);
    });`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: PROJECT,
    encoding: 'utf8',
  });
  rmSync(empty, { recursive: true });
  expect(stdout).toBe('the tools are loaded');
});
