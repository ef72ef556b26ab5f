// What Google refuses of a file that V8 would run: nothing of it may run here either.

import { describe, expect, it } from '@jest/globals';
import { functionsOf } from '../src/pushed-code';
import { hostOf } from './script-host';

describe('a file that is pushed', () => {
  it.each([
    ['a static field', 'class A {\n  static limit = 3;\n}', '='],
    ['a field', 'class A {\n  limit = 3;\n}', '='],
    ['a private member', 'class A {\n  #limit() { return 3; }\n}', '#'],
    ['a static block', 'class A {\n  static { this.limit = 3; }\n}', '{'],
    ['a field of a class in a function', 'f = () =>\n  class { a = class { }; }', '='],
    [
      'a field below what is no class',
      '"class"; ({ class: 1 }).class;\nclass A { limit = 3; }',
      '=',
    ],
  ])('is refused for %s', (_what, code, token) => {
    const refusal = `Syntax error: ParseError: Unexpected token ${token} line: 2 file: Code.gs`;
    expect(() => hostOf(code)).toThrow(refusal);
  });

  it('may speak of classes that it does not have', () => {
    expect(() => hostOf('"class A { limit = 3; }"; // class B { static {} }')).not.toThrow();
  });

  it('may have classes with methods, and names its functions', () => {
    const code = 'class A { static of() { return new A(); } }\nfunction f() {}\nfunction g() {}';
    expect(() => hostOf(code)).not.toThrow();
    expect([...functionsOf({ name: 'Code.js', text: code })]).toEqual(['f', 'g']);
  });
});
