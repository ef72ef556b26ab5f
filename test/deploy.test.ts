// A push by the real clasp: what reaches Google, and what the command says when it did not.

import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runClasp } from '../scripts/deploy/clasp';
import { type Deployment, deploy } from '../scripts/deploy/deploy';
import { type DeployOptions, HELP, readDeployOptions } from '../scripts/deploy/options';
import { OWN_SETTINGS, withSettings } from '../scripts/deploy/script-settings';
import { ADD_ON, PROBES } from '../scripts/deploy/target';
import { ADD_ON_NAME } from '../src/failures/add-on-name';
import { built as builtAs } from './build-once';
import { residentClasp } from './scripts/deploy/resident-clasp';
import { type ScriptApi, startScriptApi } from './scripts/deploy/script-api';

const ROOT = resolve(__dirname, '..');
const SCRIPT_ID = 'a-script-id';
const FOREVER_MS = 4_102_444_800_000;
const LOGIN = {
  tokens: {
    default: {
      type: 'authorized_user',
      client_id: 'test-login',
      client_secret: 'test-login',
      refresh_token: 'test-login',
      access_token: 'test-access',
      expiry_date: FOREVER_MS,
    },
  },
};

/** The journeys that prove the command's own way of starting clasp say so. */
const clasp = residentClasp();
afterAll(clasp.stop);

let api: ScriptApi;
let home: string;
let project: string;
let env: NodeJS.ProcessEnv;

/** What a build writes; that the command builds anew is no business of the way to Google. */
const build: Deployment['build'] = (outDir, { probes }) =>
  cpSync(builtAs(probes ? 'probes' : 'usual'), outDir, { recursive: true });
const USUAL: DeployOptions = {
  create: null,
  versioned: false,
  dryRun: false,
  probes: false,
  help: false,
};
const built = (name: string) => readFileSync(join(project, 'dist', name), 'utf8');

/** What is committed, in the project and in a clone. */
const COMMITTED = readFileSync(join(ROOT, '.clasp.json'), 'utf8');
const committed = () => readFileSync(join(project, '.clasp.json'), 'utf8');

function nameScript(scriptId: string): void {
  const own = { ...JSON.parse(COMMITTED), scriptId };
  writeFileSync(join(project, OWN_SETTINGS), JSON.stringify(own));
}

/** The command with these words after it. */
function run(args: readonly string[] = [], changed: Partial<Deployment> = {}) {
  const options = readDeployOptions(args);
  if ('problem' in options) throw new Error(options.problem);
  const target = options.probes ? PROBES : ADD_ON;
  return deploy({
    ...{ target, build, env, options, version: '0.1.0' },
    project: join(project, target.folder),
    clasp: clasp.run,
    ...changed,
  });
}

beforeEach(async () => {
  api = await startScriptApi();
  api.addScript(SCRIPT_ID);
  home = mkdtempSync(join(tmpdir(), 'home-'));
  project = mkdtempSync(join(tmpdir(), 'project-'));
  writeFileSync(join(home, 'certificate.pem'), api.certificate);
  writeFileSync(join(home, '.clasprc.json'), JSON.stringify(LOGIN));
  mkdirSync(join(project, 'probes'));
  for (const name of ['', 'probes/'].flatMap((at) => [`${at}.claspignore`, `${at}.clasp.json`]))
    copyFileSync(join(ROOT, name), join(project, name));
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
  it('delivers exactly the four built files, and says so after reading them back', async () => {
    const result = await run([], { clasp: runClasp });

    expect(result.ok).toBe(true);
    expect(result.message.split('\n')[0]).toBe(
      'Deployed 4 files and read them back: Code.js, Diagnostics.html, Sidebar.html, appsscript.json.',
    );
    expect(api.pushes()).toHaveLength(1);
    const [push] = api.pushes();
    expect(push?.path).toMatch(new RegExp(`^/v1/projects/${SCRIPT_ID}/content`));
    expect(push?.authorization).toBe('Bearer test-access');
    const files = [...(push?.files ?? [])].sort((a, b) => a.name.localeCompare(b.name));
    expect(files).toEqual([
      { name: 'appsscript', type: 'JSON', source: built('appsscript.json') },
      { name: 'Code', type: 'SERVER_JS', source: built('Code.js') },
      { name: 'Diagnostics', type: 'HTML', source: built('Diagnostics.html') },
      { name: 'Sidebar', type: 'HTML', source: built('Sidebar.html') },
    ]);
  });

  it('delivers the probes to a script of their own, and leaves the add-on alone', async () => {
    const { ok, message } = await run(['--probes', '--create', 'sheet']);

    expect(ok).toBe(true);
    expect(message).toContain(`Extensions > ${ADD_ON_NAME} probes > Run probes.`);
    const names = api.pushes().map(({ files }) => files.map(({ name }) => name).sort());
    expect(names).toEqual([['Code', 'Report', 'appsscript']]);
    const code = api.pushes()[0]?.files.find(({ name }) => name === 'Code');
    expect(code?.source).toContain('function runProbes(');
    const own = JSON.parse(readFileSync(join(project, 'probes', OWN_SETTINGS), 'utf8'));
    expect(own.scriptId).toBe('new-script-2');
    expect(written().scriptId).toBe(SCRIPT_ID);
    expect((await run(['--probes', '--dry-run'])).message).toContain(
      'push Code.js, Report.html, appsscript.json to new-script-2',
    );
  });

  it('says how to make the script of the probes where there is none', async () => {
    expect((await run(['--probes'])).message).toContain(
      'Make one with "npm run deploy -- --probes --create sheet"',
    );
  });

  it.each([
    ['a byte order mark before the settings', (text: string) => `\uFEFF${text}`],
    ...['home/projects', 'u/1/home/projects', 'd'].map(
      (path) =>
        [
          `the address with /${path}/ for an id`,
          (text: string) =>
            text.replace(SCRIPT_ID, `https://script.google.com/${path}/${SCRIPT_ID}/edit`),
        ] as const,
    ),
  ])('takes %s, and gives clasp the id', async (_what, edited) => {
    const file = join(project, OWN_SETTINGS);
    writeFileSync(file, edited(readFileSync(file, 'utf8')));
    expect(await run()).toMatchObject({ ok: true });
    expect(api.pushes()[0]?.path).toMatch(new RegExp(`^/v1/projects/${SCRIPT_ID}/content`));
    expect(written()).toMatchObject({ scriptId: SCRIPT_ID, rootDir: 'dist' });
  });

  it('leaves other files in dist unpushed, by .claspignore', async () => {
    await build(join(project, 'dist'), USUAL);
    writeFileSync(join(project, 'dist', 'Code.js.map'), '{}');
    writeFileSync(join(project, 'dist', 'more.js'), 'var more = 1;');
    const push = await clasp.run(project, [...withSettings(project), 'push', '-f'], env);

    expect(push.exitCode).toBe(0);
    const names = api.pushes().map(({ files }) => files.map(({ name }) => name).sort());
    expect(names).toEqual([['Code', 'Diagnostics', 'Sidebar', 'appsscript']]);
  });

  it('is refused without a manifest', async () => {
    await build(join(project, 'dist'), USUAL);
    unlinkSync(join(project, 'dist', 'appsscript.json'));
    const push = await runClasp(project, [...withSettings(project), 'push', '-f'], env);

    expect(api.pushes()).toHaveLength(1);
    expect(push.exitCode).not.toBe(0);
    expect(push.said).toContain('must include a manifest file');
  });
});

const written = () => JSON.parse(readFileSync(join(project, OWN_SETTINGS), 'utf8'));
const forgetScript = () => unlinkSync(join(project, OWN_SETTINGS));

const EXISTING = 'https://docs.google.com/spreadsheets/d/a-spreadsheet-that-is-there/edit#gid=0';

describe('a script that is made', () => {
  beforeEach(forgetScript);

  it('belongs to a new spreadsheet, is noted, and all four files replace what Google put there', async () => {
    const { ok, message } = await run(['--create', 'sheet'], { clasp: runClasp });

    expect(ok).toBe(true);
    expect(api.spreadsheets()).toEqual(['spreadsheet-1']);
    expect(written()).toEqual({
      scriptId: 'new-script-2',
      parentId: 'spreadsheet-1',
      rootDir: 'dist',
    });
    const script = api.scripts().get('new-script-2');
    expect(script?.parentId).toBe('spreadsheet-1');
    expect(script?.files.map(({ name }) => name).sort()).toEqual([
      'Code',
      'Diagnostics',
      'Sidebar',
      'appsscript',
    ]);
    expect(script?.files.find(({ name }) => name === 'Code')?.source).toBe(built('Code.js'));
    expect(committed()).toBe(COMMITTED);
    expect(message).toContain('Open https://docs.google.com/spreadsheets/d/spreadsheet-1/edit');
    expect(message).toContain('Works: formulas, sidebar, runs and schedules');
  });

  it('belongs to the spreadsheet whose address is given', async () => {
    expect((await run(['--create', EXISTING])).ok).toBe(true);
    expect(api.scripts().get('new-script-2')?.parentId).toBe('a-spreadsheet-that-is-there');
    expect(api.spreadsheets()).toEqual([]);
  });

  it('stands alone, and says that test deployments run no triggers', async () => {
    const { message } = await run(['--create', 'standalone']);

    expect(written()).toEqual({ scriptId: 'new-script-2', rootDir: 'dist' });
    expect(message).toContain('Deploy > Test deployments > Editor add-on');
    expect(message).toContain('no schedules: Google runs no triggers in test deployments');
  });

  it('is not made where one is named', async () => {
    nameScript(SCRIPT_ID);
    const { ok, message } = await run(['--create', 'sheet']);

    expect(ok).toBe(false);
    expect(message).toContain('A script is named already, a-script-id.');
    expect(api.scripts().size).toBe(1);
  });

  it('is not made, nor a spreadsheet for it, while the Apps Script API is switched off', async () => {
    api.switchOff();
    const { ok, message } = await run(['--create', 'sheet']);

    expect(ok).toBe(false);
    expect(message).toContain('Switch it on at https://script.google.com/home/usersettings');
    expect(api.spreadsheets()).toEqual([]);
    expect(readdirSync(project)).not.toContain(OWN_SETTINGS);
  });
});

describe('a version', () => {
  it('is made, read back and deployed, and the next one keeps the deployment', async () => {
    const first = await run(['--versioned']);
    await run(['--versioned'], { version: '0.2.0' });
    const script = api.scripts().get(SCRIPT_ID);

    expect(first.message).toContain('Version 1 is made and deployed.');
    expect(first.message).toContain('script id a-script-id, version 1');
    expect(script?.versions).toHaveLength(2);
    expect(script?.deployments).toEqual([
      { deploymentId: 'head' },
      {
        deploymentId: 'deployment-1',
        versionNumber: 2,
        description: `${ADD_ON_NAME} 0.2.0`,
      },
    ]);
  });

  it('is not deployed where it holds something else than was pushed', async () => {
    api.saveBeforeVersion([{ name: 'appsscript', type: 'JSON', source: '{}' }]);
    const { ok, message } = await run(['--versioned']);

    expect(ok).toBe(false);
    expect(message).toContain('No version was deployed. Version 1: ');
    expect(message).toContain('Code.js did not arrive');
    expect(api.scripts().get(SCRIPT_ID)?.deployments).toEqual([{ deploymentId: 'head' }]);
  });
});

describe('a rehearsal', () => {
  beforeEach(() => unlinkSync(join(home, '.clasprc.json')));

  it('needs no login, sends nothing, and says what would be done', async () => {
    const { ok, message } = await run(['--dry-run', '--versioned']);

    expect(ok).toBe(true);
    expect(message).toContain(
      'push Code.js, Diagnostics.html, Sidebar.html, appsscript.json to a-script-id',
    );
    expect(message).toContain('make a version and its deployment');
    expect(api.pushes()).toEqual([]);
  });

  it('says what the first real one would do, where a clone names no script yet', async () => {
    forgetScript();
    const { ok, message } = await run(['--dry-run']);
    expect(ok).toBe(true);
    expect(message).toContain('No script is named yet.');
    expect(message).toContain('"npm run deploy -- --create sheet" would:');
    const files = ADD_ON.files.join(', ');
    const steps = (made: string) => [
      `${made}, and note its id in .clasp.local.json`,
      `push ${files} to it`,
      'read them back and compare them byte for byte',
    ];
    const said = (text: string) =>
      text.split('\n').flatMap((line) => line.match(/^- (.*)/)?.[1] ?? []);
    expect(said(message)).toEqual(steps('make a spreadsheet with a script of its own'));
    const alone = await run(['--dry-run', '--create', 'standalone']);
    expect(said(alone.message)).toEqual(steps('make a standalone script'));
  });
});

describe('the words after the command', () => {
  it('are those that the help lists', () => {
    const listed = [...HELP.matchAll(/^ {2}(--[a-z-]+)( [a-zA-Z]+)? {2}/gm)];
    const read = listed.map(([, name = '', value]) =>
      readDeployOptions(
        value === undefined || value === ' ADDRESS'
          ? [name, ...(value ? [EXISTING] : [])]
          : [name, value.trim()],
      ),
    );
    expect(listed.length).toBeGreaterThan(6);
    expect(read.filter((one) => 'problem' in one)).toEqual([]);
  });

  it.each([
    [['--creat'], 'Unknown option'],
    [['--create', 'somewhere'], '--create takes "sheet", "standalone" or a spreadsheet\'s address'],
    [['--create'], 'argument missing'],
    [['--probes', '--versioned'], 'Probes are not for publishing'],
  ])('%j are refused with words', (args, words) => {
    const read = readDeployOptions(args);
    expect('problem' in read ? read.problem : '').toContain(words);
  });

  it.each([EXISTING, EXISTING.replace('/d/', '/u/1/d/')])('%s is a spreadsheet', (address) => {
    const read = readDeployOptions(['--create', address]);
    const spreadsheetId = 'a-spreadsheet-that-is-there';
    expect(read).toMatchObject({ create: { kind: 'bound', spreadsheetId } });
  });
});

describe('a deployment that fails', () => {
  it('is not started while no script is named', async () => {
    forgetScript();
    const result = await run();

    expect(result.ok).toBe(false);
    expect(result.message).toContain('No script is named yet.');
    expect(api.pushes()).toEqual([]);
  });

  it('is not started where .clasp.json is missing or is no JSON, and says what to write', async () => {
    forgetScript();
    writeFileSync(join(project, '.clasp.json'), '{ scriptId: 1 }');
    const like = '{ "scriptId": "PUT_YOUR_SCRIPT_ID_HERE", "rootDir": "dist" }';
    await expect(run()).rejects.toThrow(`.clasp.json is not JSON. It should be like ${like}.`);
    unlinkSync(join(project, '.clasp.json'));
    await expect(run()).rejects.toThrow(`There is no .clasp.json here. Make one with ${like}.`);
  });

  it('says how to log in when nobody is', async () => {
    unlinkSync(join(home, '.clasprc.json'));
    const result = await run();

    expect(result.ok).toBe(false);
    expect(result.message).toBe(
      'Not deployed. Nobody is logged in: run "npx clasp login", then again.',
    );
    expect(api.pushes()).toEqual([]);
  });

  it('says how to log in again when the login has ended', async () => {
    const ended = { ...LOGIN.tokens.default, expiry_date: 1 };
    writeFileSync(join(home, '.clasprc.json'), JSON.stringify({ tokens: { default: ended } }));
    api.revokeLogin();
    expect((await run()).message).toContain('The login is no longer valid: run "npx clasp login"');
  });

  it('says which switch is off', async () => {
    api.switchOff();
    expect((await run()).message).toContain('The Apps Script API is switched off');
    expect(api.pushes()).toEqual([]);
  });

  it('says that the account knows no such script', async () => {
    nameScript('somebody-elses');
    expect((await run()).message).toContain('This account knows no script with the id');
  });

  it('pushes nothing but the four files that are expected', async () => {
    const result = await run([], {
      build: async (outDir, options) => {
        await build(outDir, options);
        unlinkSync(join(outDir, 'appsscript.json'));
      },
    });

    expect(result.message).toContain('but has Code.js, Diagnostics.html, Sidebar.html.');
    expect(api.pushes()).toEqual([]);
  });

  it('is noticed when Google holds other contents than were sent', async () => {
    api.corrupt((files) => files.map((file) => ({ ...file, source: file.source.slice(0, 100) })));
    const result = await run();

    expect(result.ok).toBe(false);
    expect(result.message).toContain('Code.js arrived with other contents');
    expect(api.pushes()).toHaveLength(1);
  });

  it('is noticed when a file did not arrive', async () => {
    api.corrupt((files) => files.filter(({ name }) => name !== 'Sidebar'));
    const result = await run();

    expect(result.message).toContain('Sidebar.html did not arrive');
  });

  it('gives the reason that clasp gave', async () => {
    const result = await run([], {
      env: { ...env, NODE_EXTRA_CA_CERTS: '' },
      clasp: runClasp,
    });

    expect(result.ok).toBe(false);
    expect(result.message).toMatch(/clasp could not reach the Apps Script API: .*certificate/i);
    expect(api.pushes()).toEqual([]);
  });
});

it('the command itself builds what may use no loopback', async () => {
  const copy = mkdtempSync(join(tmpdir(), 'command-'));
  try {
    for (const name of ['scripts', 'src', 'probes', 'LICENSE', '.clasp.json', '.claspignore'])
      cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    cpSync(join(ROOT, 'docs/troubleshooting.md'), join(copy, 'docs/troubleshooting.md'));
    for (const name of readdirSync(ROOT).filter((one) => one.endsWith('.json')))
      cpSync(join(ROOT, name), join(copy, name));
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction');
    const args = ['scripts/deploy.mjs', '--dry-run', '--create', 'sheet'];
    const said = execFileSync(process.execPath, args, { cwd: copy, encoding: 'utf8' });
    expect(said).toContain('Nothing was sent.');
    const usual = builtAs('usual');
    for (const name of ['Code.js', 'Diagnostics.html', 'Sidebar.html', 'appsscript.json'])
      expect(readFileSync(join(copy, 'dist', name), 'utf8')).toBe(
        readFileSync(join(usual, name), 'utf8'),
      );
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}, 60_000);
