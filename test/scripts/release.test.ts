// A release: its files, their checksums, its notes.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { makeRelease } from '../../scripts/release/release';

let project: string;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'release-'));
  writeFileSync(join(project, 'package.json'), '{"version": "0.2.0"}');
  changelog('## 0.2.0 – 2026-12-01\n\n- Deals.\n- Faster.\n');
});

afterEach(() => rmSync(project, { recursive: true }));

const outDir = () => join(project, 'out');
const changelog = (text: string) =>
  writeFileSync(
    join(project, 'CHANGELOG.md'),
    `# Changelog\n\n${text}\n## 0.1.0 – 2026-11-01\n\n- First.\n`,
  );

const release = (tag: string) =>
  makeRelease({
    tag,
    project,
    outDir: outDir(),
    builds: {
      'add-on': (folder) => writeFileSync(join(folder, 'Code.js'), 'add-on'),
      probes: (folder) => writeFileSync(join(folder, 'Code.js'), 'probes'),
    },
  });

test('a release holds both builds, their checksums and the notes of its version', async () => {
  mkdirSync(outDir());
  writeFileSync(join(outDir(), 'of-before.tar.gz'), '');
  expect(await release('v0.2.0')).toMatchObject({ ok: true });
  const archives = readdirSync(outDir()).filter((name) => name.endsWith('.tar.gz'));
  expect(archives.sort()).toEqual([
    'product-analysis-0.2.0-add-on.tar.gz',
    'product-analysis-0.2.0-probes.tar.gz',
  ]);
  for (const archive of archives) {
    const bytes = readFileSync(join(outDir(), archive));
    const sum = createHash('sha256').update(bytes).digest('hex');
    expect(readFileSync(join(outDir(), 'checksums.txt'), 'utf8')).toContain(`${sum}  ${archive}\n`);
  }
  const [addOn = ''] = archives;
  const shown = execFileSync('tar', ['-xzOf', join(outDir(), addOn), 'Code.js'], {
    encoding: 'utf8',
  });
  expect(shown).toBe('add-on');
  expect(readFileSync(join(outDir(), 'notes.md'), 'utf8')).toBe('- Deals.\n- Faster.\n');
});

test.each([
  ['main', 'no tag such as'],
  ['v0.3.0', 'another version'],
])('%s is refused', async (tag, why) => {
  expect(await release(tag)).toEqual({ ok: false, message: expect.stringContaining(why) });
  expect(existsSync(outDir())).toBe(false);
});

test.each([
  ['## 0.2.0 – unreleased\n\n- Deals.\n', 'no date'],
  ['', 'says nothing'],
])('a changelog that is not ready is refused: %j', async (text, why) => {
  changelog(text);
  expect(await release('v0.2.0')).toEqual({ ok: false, message: expect.stringContaining(why) });
});
