// How the checks are told: a line for each, a closing line with the counts, failures in full.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type Check, checksOf } from '../../../scripts/check/checks';
import { runChecks } from '../../../scripts/check/run-checks';

const check = (name: string, ok: boolean, said = ''): Check => ({
  name,
  run: async () => ({ ok, said }),
});

describe('runChecks', () => {
  it('says one line for each check that passed and a closing line', async () => {
    const lines: string[] = [];
    const failed = await runChecks([check('a', true), check('b', true)], (line) =>
      lines.push(line),
    );
    expect(failed).toBe(0);
    expect(lines).toEqual(['ok      a', 'ok      b', 'Checks: 2 passed, 0 failed']);
  });

  it('shows what a failed check said, and counts it', async () => {
    const lines: string[] = [];
    const failed = await runChecks([check('a', true), check('b', false, 'why')], (line) =>
      lines.push(line),
    );
    expect(failed).toBe(1);
    expect(lines).toContain('FAILED  b\nwhy\n');
    expect(lines.at(-1)).toBe('Checks: 1 passed, 1 failed');
  });

  it('counts a check that broke down as failed', async () => {
    const broken: Check = {
      name: 'a',
      run: async () => {
        throw new Error('no git');
      },
    };
    const lines: string[] = [];
    expect(await runChecks([broken], (line) => lines.push(line))).toBe(1);
    expect(lines[0]).toContain('no git');
  });
});

it('a tool that is not installed is a failure that says so', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'empty-'));
  const lines: string[] = [];
  const tools = checksOf(empty).filter(({ name }) => !name.startsWith('secrets'));
  expect(await runChecks(tools, (line) => lines.push(line))).toBe(tools.length);
  expect(lines.join('\n')).toContain('@biomejs/biome/bin/biome is not installed: run npm ci');
  rmSync(empty, { recursive: true });
});
