// google.script.run as the host emulates it: what goes through between the page and the server.

import { describe, expect, it } from '@jest/globals';
import { outcomeOf, resultOf } from './script-host';

const sidebar = { door: 'sidebar' } as const;
const echo = 'function f(value) { return value; } function hidden_() {}';

describe('an argument', () => {
  it('may be a number, text, boolean, null, array or plain object', async () => {
    const value = { a: [1, 'b', true, null], c: { d: {} } };
    expect(await resultOf(echo, { ...sidebar, args: [value] })).toEqual(value);
  });

  it('may not be anything else', async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const cases: [unknown, string][] = [
      [new Date(), '0'],
      [{ at: new Date() }, 'at'],
      [[() => 1], '0'],
      [new Map(), '0'],
      [circular, 'self'],
    ];
    for (const [value, name] of cases) {
      expect(await outcomeOf(echo, { ...sidebar, args: [value] })).toMatchObject({
        ended: 'refused',
        error: { name: 'TypeError', message: `Failed due to illegal value in property: ${name}` },
      });
    }
  });

  it('may have undefined inside, which becomes null in arrays and nothing elsewhere', async () => {
    const args = [[undefined, { a: undefined, b: 1 }]];
    const code = "function f(v) { return [v[0] === null, 'a' in v[1], v[1].b]; }";
    expect(await resultOf(code, { ...sidebar, args })).toEqual([true, false, 1]);
  });

  it('may be the same object twice', async () => {
    const shared = { a: 1 };
    expect(await resultOf(echo, { ...sidebar, args: [[shared, shared]] })).toEqual([
      shared,
      shared,
    ]);
  });
});

describe('a function', () => {
  it.each(['hidden_', 'a.b', 'f()'])('called %s cannot be called', async (functionName) => {
    expect(await outcomeOf(echo, { ...sidebar, functionName })).toMatchObject({
      ended: 'refused',
      error: { message: `google.script.run.${functionName} is not a function` },
    });
  });
});

describe('a result', () => {
  it.each(['new Date()', '{ at: new Date() }', '[() => 1]'])('of %s fails', async (value) => {
    const outcome = await outcomeOf(`function f() { return ${value}; }`, sidebar);
    expect(outcome.error?.message).toBe(
      'The script completed but the returned value is not a supported return type.',
    );
  });

  it('has null for undefined in arrays and for nothing at all', async () => {
    const code = 'function f() { return { list: [undefined, 1], none: undefined }; }';
    expect(await resultOf(code, sidebar)).toEqual({ list: [null, 1] });
    expect(await resultOf('function f() {}', sidebar)).toBeNull();
  });
});
