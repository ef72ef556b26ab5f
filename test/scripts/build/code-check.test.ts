// What the check of Code.js accepts and refuses, given as finished scripts.
import { describe, expect, it } from '@jest/globals';
import { checkCode } from '../../../scripts/build/code-check';
import { CUSTOM_FUNCTIONS, HANDLERS } from '../../../scripts/build/globals';

const DECLARATIONS = [...CUSTOM_FUNCTIONS, ...HANDLERS].map((name) => `function ${name}() {}`);

function codeWith(body: string): string {
  return [...DECLARATIONS, `var AddOn = (() => { ${body} })();`].join('\n');
}

describe('checkCode', () => {
  it.each([
    ['a private member', 'class A { #secret() {} }'],
    ['a public field', 'class A { field = 1; }'],
    ['a static field', 'class A { static field = 1; }'],
    ['a static block', 'class A { static { A.x = 1; } }'],
    ['logical assignment', 'let a = null; a ||= 1;'],
    ['a numeric separator', 'return 1_000;'],
    ['await outside of a function', 'await 1;'],
  ])('refuses %s', (_what, body) => {
    expect(() => checkCode(codeWith(body))).toThrow('newer than ES2020');
  });

  it('refuses a statement at the top level, which would run on every load', () => {
    const code = `${codeWith('')}\nANALYZE();`;
    expect(() => checkCode(code)).toThrow('declarations only');
  });

  it('refuses a name beside the listed ones', () => {
    expect(() => checkCode(`${codeWith('')}\nvar other = 1;`)).toThrow('other names');
  });

  it('refuses the lack of a listed name', () => {
    expect(() => checkCode(codeWith('').replace('function rpc() {}', ''))).toThrow('other names');
  });

  it.each([
    ['a service of Google', 'return CacheService.getScriptCache();'],
    ['the language itself', 'return new Map([[Math.max(1, NaN), JSON.stringify([])]]);'],
    ['a parameter of the same name', 'return (URL) => URL.length;'],
    ['a property of the same name', 'const a = { URL: 1, fetch() {} }; return a.URL + a.fetch();'],
    ['a declaration that comes later', 'return fetch(); function fetch() {}'],
    ['a variable of an outer function', 'var process = 1; return () => () => process;'],
    ['a name that is only asked for', "return typeof URL === 'undefined';"],
    ['a label', 'performance: for (;;) { break performance; }'],
    ['a pattern', 'const { URL, a: [crypto = 1], ...fetch } = {}; return [URL, crypto, fetch];'],
    ['the error that was caught', 'try { return 1; } catch (process) { return process; }'],
  ])('accepts %s', (_what, body) => {
    expect(() => checkCode(codeWith(body))).not.toThrow();
  });

  it('refuses a module that would have to be fetched', () => {
    const code = codeWith('return import("x");');
    expect(() => checkCode(code)).toThrow('Apps Script does not have: import()');
  });

  it.each([
    ['a member of the global object', 'return globalThis.URL;'],
    ['a computed key', 'return { [URL]: 1 };'],
    ['a default', 'return (a = URL) => a;'],
    ['a default in a pattern', 'const { a = URL } = {}; return a;'],
    ['a base class', 'return class extends URL {};'],
    ['a shorthand property', 'return { URL };'],
    ['an assignment', 'URL = 1;'],
    ['a loop', 'for (const a of URL) return a;'],
    ['a tagged template', 'return URL`text`;'],
    ['the same name declared in another function', 'function a(URL) { return URL; } return URL;'],
    [
      'the same name declared in another block',
      '{ let URL = 1; a(URL); } function a() {} return URL;',
    ],
  ])('sees the use of an absent name in %s', (_what, body) => {
    expect(() => checkCode(codeWith(body))).toThrow('Apps Script does not have: URL');
  });
});
