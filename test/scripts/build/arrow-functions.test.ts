// What declared functions are made into: the same program, in which arrows stand where they are needed.
import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import { withArrows } from '../../../scripts/build/arrow-functions';

/** A function's body, what it returns, and how many declarations are left in it. */
const PROGRAMS: readonly (readonly [string, string, unknown, number])[] = [
  ['one value', 'return f(1);function f(a){return a+1}', 2, 0],
  ['an object', 'return f(1).b;function f(a){return{b:a}}', 1, 0],
  ['several values in one', 'return f(1);function f(a){return a++,a}', 2, 0],
  ['nothing returned', 'var b=0;f();return b;function f(){b=2}', 2, 0],
  [
    'defaults and patterns',
    'return f({a:1});function f({a},b=()=>{return a},...c){return b()}',
    1,
    0,
  ],
  [
    'called before it is declared',
    'var b=f();function f(){return g()}function g(){return 3}return b',
    3,
    0,
  ],
  [
    'one in another',
    'return f();function f(){return g();function g(){return h=>{return 4}}}',
    undefined,
    0,
  ],
  ['in an arrow', 'return (()=>{return f();function f(){return 5}})()', 5, 0],
  ['calls itself', 'return f(3);function f(a){return a?a*f(a-1):1}', 6, 0],
  ['one that is assigned anew', 'f=()=>7;return f();function f(){return 1}', 7, 0],
  ['this', 'return {f}.f();function f(){return this.f?1:0}', 1, 1],
  ['arguments', 'return f(1,2);function f(){return arguments.length}', 2, 1],
  ['a constructor', 'return new F instanceof F;function F(){}', true, 1],
  ['a prototype', 'F.prototype.b=8;return F.prototype.b;function F(){}', 8, 1],
  ['a generator', 'return [...f()][0];function* f(){yield 9}', 9, 1],
  ['one in a block', 'if(true){function f(){return 1}}return f()', 1, 1],
  [
    'a directive',
    '"use strict";return f();function f(){return(function(){return this})()===undefined}',
    true,
    1,
  ],
  ['a getter', 'return {get b(){return f();function f(){return 1}}}.b', 1, 0],
];

it.each(PROGRAMS)('does the same: %s', (_, body, value, left) => {
  const script = `var made=(function(){${body}})();`;
  const resultOf = (text: string) =>
    runInNewContext(`${text}typeof made==="function"?undefined:made`);
  const arrows = withArrows(script);
  expect(resultOf(arrows)).toEqual(value);
  expect(resultOf(script)).toEqual(value);
  expect(arrows.match(/function\*? \w/g) ?? []).toHaveLength(left);
});
