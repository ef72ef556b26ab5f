// What those who carry on find beside the code: workflows, forms, a container, rules of updates.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, test } from '@jest/globals';
import { parse } from 'yaml';
import { readOptions } from '../playground/web/options';
import { ADD_ON_NAME } from '../src/failures/add-on-name';

const ROOT = resolve(__dirname, '..');
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const namesIn = (folder: string) => readdirSync(join(ROOT, folder));

const WORKFLOWS = '.github/workflows';
const FORMS = '.github/ISSUE_TEMPLATE';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: object;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly 'runs-on': string;
        readonly 'timeout-minutes': number;
        readonly steps: readonly Step[];
      }
    >
  >;
}

const workflowOf = (name: string): Workflow => parse(textOf(join(WORKFLOWS, name)));
const stepsOf = (name: string) =>
  Object.values(workflowOf(name).jobs).flatMap(({ steps }) => steps);

describe.each(namesIn(WORKFLOWS))('the workflow %s', (name) => {
  it('has a machine, an end and steps, each of which does one thing', () => {
    const { on, permissions, jobs } = workflowOf(name);
    expect(Object.keys(on).every((event) => ['push', 'pull_request'].includes(event))).toBe(true);
    expect(permissions).toEqual({ contents: expect.stringMatching(/^(?:read|write)$/) });
    for (const job of Object.values(jobs)) {
      expect(job['runs-on']).toMatch(/^ubuntu-\d\d\.04$/);
      expect(job['timeout-minutes']).toBeGreaterThan(30);
      for (const { uses, run } of job.steps) {
        expect([uses, run].filter((what) => what !== undefined)).toHaveLength(1);
        expect(uses ?? 'actions/checkout@v4').toMatch(/^actions\/(?:checkout|setup-node)@v\d+$/);
      }
    }
  });

  it('runs what is there, on the Node that .nvmrc names', () => {
    const steps = stepsOf(name);
    const called = steps.flatMap(({ run = '' }) => run.match(/(?:\.ci|scripts)\/[\w.-]+/g) ?? []);
    expect(called).toContain('.ci/run');
    expect(called.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    const versions = steps.flatMap(({ with: given }) => given?.['node-version-file'] ?? []);
    expect(versions).toEqual(['.nvmrc']);
  });
});

test('a tag is released with the files that the release makes', () => {
  const { on } = workflowOf('release.yml');
  expect(on).toEqual({ push: { tags: ['v*'] } });
  const runs = stepsOf('release.yml').map(({ run = '' }) => run);
  const made = runs.findIndex((run) => run.startsWith('node scripts/release.mjs'));
  const published = runs.findIndex((run) => run.startsWith('gh release create'));
  expect(published).toBeGreaterThan(made);
  const files = runs[published]?.match(/\.cache\/release\/[\w.*-]+/g);
  expect(files).toEqual(
    ['notes.md', '*.tar.gz', 'checksums.txt'].map((one) => `.cache/release/${one}`),
  );
});

interface Form {
  readonly name: string;
  readonly description: string;
  readonly body: readonly {
    readonly type: string;
    readonly id: string;
    readonly attributes: { readonly label: string; readonly description?: string };
  }[];
}

describe.each(namesIn(FORMS).filter((name) => name !== 'config.yml'))('the form %s', (name) => {
  const form: Form = parse(textOf(join(FORMS, name)));

  it('asks for what GitHub can ask for, each thing once', () => {
    expect([form.name, form.description].every((text) => text.length > 10)).toBe(true);
    const ids = form.body.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { type, attributes } of form.body) {
      expect(['input', 'textarea', 'dropdown', 'checkboxes']).toContain(type);
      expect(attributes.label).not.toBe('');
    }
  });
});

test('the form for what is wrong says where the support report is, in the words of the menu', () => {
  const { body }: Form = parse(textOf(join(FORMS, 'bug.yml')));
  const said = body.find(({ id }) => id === 'diagnostics')?.attributes.description ?? '';
  const [, menu, item] = /Extensions → ([^→]+) → ([^,]+), then Copy/.exec(said) ?? [];
  const code = textOf('src/sidebar/menu.ts') + textOf('src/sidebar/diagnostics.html');
  expect(menu).toBe(ADD_ON_NAME);
  for (const words of [item, 'Copy']) expect(code).toContain(String(words));
});

test('the container, .nvmrc and package.json agree on Node, and the port is the playground’s', () => {
  const { image, postCreateCommand, forwardPorts } = JSON.parse(
    textOf('.devcontainer/devcontainer.json'),
  );
  const major = textOf('.nvmrc').trim();
  expect(image).toMatch(new RegExp(`/typescript-node:${major}-`));
  expect(JSON.parse(textOf('package.json')).engines.node).toMatch(new RegExp(`^>=${major}\\.`));
  expect(postCreateCommand).toBe('npm ci');
  expect(readOptions([])).toMatchObject({ port: forwardPorts[0] });
});

test('updates keep to what works here, each bound with its reason, and majors come together', () => {
  const { packageRules } = JSON.parse(textOf('renovate.json'));
  const rules = packageRules as readonly {
    readonly description?: string;
    readonly groupName?: string;
    readonly matchUpdateTypes?: readonly string[];
    readonly matchPackageNames?: readonly string[];
    readonly allowedVersions?: string;
  }[];
  const bound = rules.filter(({ allowedVersions }) => allowedVersions !== undefined);
  expect(bound.filter(({ description = '' }) => description.length < 20)).toEqual([]);
  const { dependencies, devDependencies } = JSON.parse(textOf('package.json'));
  const versions: Readonly<Record<string, string>> = { ...dependencies, ...devDependencies };
  for (const { matchPackageNames = [], allowedVersions = '' } of bound)
    for (const pattern of matchPackageNames) {
      const start = pattern.replace('**', '');
      const own = Object.entries(versions).filter(([name]) => name.startsWith(start));
      expect(own.length).toBeGreaterThan(0);
      const most = Number(allowedVersions.replace('<', ''));
      for (const [, version] of own) expect(Number.parseInt(version, 10)).toBeLessThan(most);
    }
  const majors = rules.filter(({ matchUpdateTypes = [] }) => matchUpdateTypes.includes('major'));
  expect(majors.map(({ groupName }) => groupName)).toEqual(['majors']);
});
