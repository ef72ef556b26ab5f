// The probes are a choice of who builds: the usual build has no byte and no name of them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { checkCode } from '../../../scripts/build/code-check';
import { CUSTOM_FUNCTIONS, HANDLERS, NAMESPACE } from '../../../scripts/build/globals';
import { BUILT, built } from '../../build-once';

const PROBES = ['PROBE', 'probePage', 'removeProbes', 'runProbes', 'showProbes', 'watchClock'];

/** Names and words that only the probes have. */
const TRACES =
  /PROBE|Probes|Product Analysis (probes|scratch)|as expected|timeoutSeconds 3|httpbin/;

let withIt: string;
const read = (name: string) => {
  const [which = '', file = ''] = name.split('/');
  return readFileSync(join(which === 'with' ? withIt : BUILT, file), 'utf8');
};

beforeAll(async () => {
  withIt = await built({ loopback: false, selfTest: true });
});

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

  it('asks for no more permissions, and has the same pages', () => {
    for (const name of ['appsscript.json', 'Diagnostics.html', 'Sidebar.html'])
      expect(read(`with/${name}`)).toBe(read(`without/${name}`));
  });

  it('leaves no trace in the usual one, whose check refuses its names', () => {
    expect(TRACES.exec(read('with/Code.js'))).not.toBeNull();
    expect(TRACES.exec(read('without/Code.js'))).toBeNull();
    expect(() => checkCode(read('with/Code.js'))).toThrow(/declares other names than it should/);
  });
});
