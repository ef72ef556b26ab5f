// The list of checks that a change must pass beside the tests, each a tool run as it is set up here.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findSecrets } from './secrets';

export interface CheckResult {
  readonly ok: boolean;
  /** What the tool said; of interest when it failed. */
  readonly said: string;
}

export interface Check {
  readonly name: string;
  run(): Promise<CheckResult>;
}

/** `script` is a file of a package, run with this Node: the same on every system. */
function tool(root: string, name: string, script: string, args: readonly string[]): Check {
  const path = join(root, 'node_modules', script);
  const run = () =>
    new Promise<CheckResult>((settle) => {
      if (!existsSync(path)) {
        settle({ ok: false, said: `${script} is not installed: run npm ci` });
        return;
      }
      const env = { ...process.env, NO_COLOR: '1' };
      const child = spawn(process.execPath, [path, ...args], { cwd: root, env, stdio: 'pipe' });
      child.stdin.end();
      const said: string[] = [];
      for (const output of [child.stdout, child.stderr])
        output.on('data', (bytes: Buffer) => said.push(bytes.toString('utf8')));
      child.on('error', ({ message }) => settle({ ok: false, said: message }));
      child.on('close', (code) => settle({ ok: code === 0, said: said.join('').trim() }));
    });
  return { name, run };
}

/** Tracked and about to be tracked; what .gitignore names is nobody's business. */
function filesOf(root: string): readonly string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const names = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0');
  return names.filter((name) => name !== '' && existsSync(join(root, name)));
}

function secrets(root: string): Check {
  const run = async (): Promise<CheckResult> => {
    const findings = filesOf(root).flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      // Pictures and the like: nothing in them reads as a line.
      if (text.includes('\0')) return [];
      return findSecrets(text).map(({ line, what }) => `${file}:${line} looks like ${what}`);
    });
    return { ok: findings.length === 0, said: findings.join('\n') };
  };
  return { name: 'secrets and machine paths', run };
}

/** Each world has its own types: the server no DOM, the page no Apps Script. */
function typeChecks(root: string): readonly Check[] {
  return readdirSync(root)
    .filter((file) => /^tsconfig\.\S+\.json$/.test(file) && file !== 'tsconfig.base.json')
    .sort()
    .map((file) => tool(root, `types of ${file}`, 'typescript/bin/tsc', ['-p', file]));
}

export function checksOf(root: string): readonly Check[] {
  return [
    tool(root, 'format and lint', '@biomejs/biome/bin/biome', [
      'ci',
      '--colors=off',
      '--error-on-warnings',
    ]),
    ...typeChecks(root),
    tool(root, 'unused code and dependencies', 'knip/bin/knip.js', ['--no-progress']),
    tool(root, 'duplicates', 'jscpd/bin/jscpd', ['--config', '.jscpd.json']),
    secrets(root),
  ];
}
