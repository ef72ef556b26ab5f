// What Google refuses of a file that V8 would run: nothing of it may run here either.

import { describe, expect, it } from '@jest/globals';
import { checkPushed, scriptFiles } from '../src/pushed-code';
import { hostOf } from './script-host';

describe('a file that is pushed', () => {
  it.each([
    ['a static field', 'class A {\n  static limit = 3;\n}', '='],
    ['a field', 'class A {\n  limit = 3;\n}', '='],
    ['a private member', 'class A {\n  #limit() { return 3; }\n}', '#'],
    ['a static block', 'class A {\n  static { this.limit = 3; }\n}', '{'],
  ])('is refused for %s', (_what, code, token) => {
    const refusal = `Syntax error: ParseError: Unexpected token ${token} line: 2 file: Code.gs`;
    expect(() => hostOf(code)).toThrow(refusal);
  });

  it('may have classes with methods, and names its functions', () => {
    const code = 'class A { static of() { return new A(); } }\nfunction f() {}\nfunction g() {}';
    expect([...checkPushed(scriptFiles(code))]).toEqual(['f', 'g']);
  });
});
