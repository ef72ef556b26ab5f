// The probes are a choice of who builds: the usual build has no byte and no name of them.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildAddOn } from '../../../scripts/build/add-on';
import { checkCode } from '../../../scripts/build/code-check';
import { CUSTOM_FUNCTIONS, HANDLERS, NAMESPACE } from '../../../scripts/build/globals';

const PROBES = ['PROBE', 'probePage', 'removeProbes', 'runProbes', 'showProbes', 'watchClock'];

/** Names and words that only the probes have. */
const TRACES =
  /PROBE|Probes|Product Analysis (probes|scratch)|as expected|timeoutSeconds 3|httpbin/;

let folder: string;
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'self-test-'));
  await buildAddOn({ outDir: join(folder, 'without'), loopback: false });
  await buildAddOn({ outDir: join(folder, 'with'), loopback: false, selfTest: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

function globalsIn(code: string): readonly string[] {
  const context = createContext({});
  const before: string[] = Object.getOwnPropertyNames(runInContext('globalThis', context));
  runInContext(code, context);
  const after: string[] = Object.getOwnPropertyNames(runInContext('globalThis', context));
  return after.filter((name) => !before.includes(name)).sort();
}

describe('the self-test build', () => {
  it('adds its names to the usual ones, and its function to the autocompletion', () => {
    const usual = [...CUSTOM_FUNCTIONS, ...HANDLERS, NAMESPACE];
    expect(globalsIn(read('without/Code.js'))).toEqual([...usual].sort());
    expect(globalsIn(read('with/Code.js'))).toEqual([...usual, ...PROBES].sort());
    expect(read('with/Code.js')).toMatch(
      /@customfunction\n \*\/\nfunction PROBE\(what, value\) \{/,
    );
  });

  it('asks for no more permissions, and has the same page', () => {
    for (const name of ['appsscript.json', 'Sidebar.html'])
      expect(read(`with/${name}`)).toBe(read(`without/${name}`));
  });

  it('leaves no trace in the usual one, whose check refuses its names', () => {
    expect(TRACES.exec(read('with/Code.js'))).not.toBeNull();
    expect(TRACES.exec(read('without/Code.js'))).toBeNull();
    expect(() => checkCode(read('with/Code.js'))).toThrow(/declares other names than it should/);
  });
});
