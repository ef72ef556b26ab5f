// A push by the real clasp: what reaches Google, and what the command says when it did not.
import {
  copyFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { runClasp } from '../scripts/deploy/clasp';
import { deploy, PLACEHOLDER_SCRIPT_ID } from '../scripts/deploy/deploy';
import { BUILT } from './build-once';
import { type ScriptApi, startScriptApi } from './scripts/deploy/script-api';

const ROOT = resolve(__dirname, '..');
const SCRIPT_ID = 'a-script-id';
const FOREVER_MS = 4_102_444_800_000;
const LOGIN = {
  tokens: {
    default: {
      type: 'authorized_user',
      client_id: 'stand-in',
      client_secret: 'stand-in',
      refresh_token: 'stand-in',
      access_token: 'stand-in-access',
      expiry_date: FOREVER_MS,
    },
  },
};

let api: ScriptApi;
let home: string;
let project: string;
let env: NodeJS.ProcessEnv;

/** What a build writes; that the command builds anew is no business of the way to Google. */
const build = async (outDir: string) => cpSync(BUILT, outDir, { recursive: true });
const built = (name: string) => readFileSync(join(project, 'dist', name), 'utf8');

function nameScript(scriptId: string): void {
  const settings = JSON.parse(readFileSync(join(ROOT, '.clasp.json'), 'utf8'));
  writeFileSync(join(project, '.clasp.json'), JSON.stringify({ ...settings, scriptId }));
}

beforeEach(async () => {
  api = await startScriptApi();
  home = mkdtempSync(join(tmpdir(), 'home-'));
  project = mkdtempSync(join(tmpdir(), 'project-'));
  writeFileSync(join(home, 'certificate.pem'), api.certificate);
  writeFileSync(join(home, '.clasprc.json'), JSON.stringify(LOGIN));
  copyFileSync(join(ROOT, '.claspignore'), join(project, '.claspignore'));
  nameScript(SCRIPT_ID);
  // Nothing of the developer's own login or proxy may take part.
  env = {
    PATH: process.env.PATH,
    HOME: home,
    HTTPS_PROXY: api.proxyUrl,
    NO_PROXY: '',
    NODE_EXTRA_CA_CERTS: join(home, 'certificate.pem'),
  };
});

afterEach(async () => {
  await api.stop();
  for (const folder of [home, project]) rmSync(folder, { recursive: true });
});

describe('deploying with the real clasp', () => {
  it('delivers exactly the three built files, and says so after reading them back', async () => {
    const result = await deploy({ project, build, env });

    expect(result).toEqual({
      ok: true,
      message: 'Deployed 3 files and read them back: Code.js, Sidebar.html, appsscript.json.',
    });
    expect(api.pushes()).toHaveLength(1);
    const [push] = api.pushes();
    expect(push?.path).toMatch(new RegExp(`^/v1/projects/${SCRIPT_ID}/content`));
    expect(push?.authorization).toBe('Bearer stand-in-access');
    const files = [...(push?.files ?? [])].sort((a, b) => a.name.localeCompare(b.name));
    expect(files).toEqual([
      { name: 'appsscript', type: 'JSON', source: built('appsscript.json') },
      { name: 'Code', type: 'SERVER_JS', source: built('Code.js') },
      { name: 'Sidebar', type: 'HTML', source: built('Sidebar.html') },
    ]);
  });

  it('leaves other files in dist unpushed, by .claspignore', async () => {
    await build(join(project, 'dist'));
    writeFileSync(join(project, 'dist', 'Code.js.map'), '{}');
    writeFileSync(join(project, 'dist', 'more.js'), 'var more = 1;');
    const push = await runClasp(project, ['push', '-f'], env);

    expect(push.exitCode).toBe(0);
    const names = api.pushes().map(({ files }) => files.map(({ name }) => name).sort());
    expect(names).toEqual([['Code', 'Sidebar', 'appsscript']]);
  });

  it('is refused without a manifest', async () => {
    await build(join(project, 'dist'));
    unlinkSync(join(project, 'dist', 'appsscript.json'));
    const push = await runClasp(project, ['push', '-f'], env);

    expect(api.pushes()).toHaveLength(1);
    expect(push.exitCode).not.toBe(0);
    expect(push.said).toContain('must include a manifest file');
  });
});

describe('a deployment that fails', () => {
  it('is not started while .clasp.json names no script', async () => {
    nameScript(PLACEHOLDER_SCRIPT_ID);
    const result = await deploy({ project, build, env });

    expect(result.ok).toBe(false);
    expect(result.message).toContain('.clasp.json names no script yet');
    expect(api.pushes()).toEqual([]);
  });

  it('says how to log in when nobody is', async () => {
    unlinkSync(join(home, '.clasprc.json'));
    const result = await deploy({ project, build, env });

    expect(result.ok).toBe(false);
    expect(result.message).toBe(
      'Not deployed. Nobody is logged in: run "npx clasp login", then again.',
    );
    expect(api.pushes()).toEqual([]);
  });

  it('pushes nothing but the three files that are expected', async () => {
    const result = await deploy({
      project,
      env,
      build: async (outDir) => {
        await build(outDir);
        unlinkSync(join(outDir, 'appsscript.json'));
      },
    });

    expect(result.message).toContain('but has Code.js, Sidebar.html.');
    expect(api.pushes()).toEqual([]);
  });

  it('is noticed when Google holds other contents than were sent', async () => {
    api.corrupt((files) => files.map((file) => ({ ...file, source: file.source.slice(0, 100) })));
    const result = await deploy({ project, build, env });

    expect(result.ok).toBe(false);
    expect(result.message).toContain('Code.js arrived with other contents');
    expect(api.pushes()).toHaveLength(1);
  });

  it('is noticed when a file did not arrive', async () => {
    api.corrupt((files) => files.filter(({ name }) => name !== 'Sidebar'));
    const result = await deploy({ project, build, env });

    expect(result.message).toContain('Sidebar.html did not arrive');
  });

  it('gives the reason that clasp gave', async () => {
    const result = await deploy({ project, build, env: { ...env, NODE_EXTRA_CA_CERTS: '' } });

    expect(result.ok).toBe(false);
    expect(result.message).toMatch(/clasp could not push: .*certificate/i);
    expect(api.pushes()).toEqual([]);
  });
});
