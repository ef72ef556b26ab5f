// Writes "no value", the platform's functions, what is asked of types, and texts said often shorter:
// Code.js says them in some 3,000 places.

import { type AnyNode, type Program, parse } from 'acorn';
import { childrenOf, undeclaredNames } from './free-identifiers';

/** Said so often that each is worth a name of one character, which the minifier must give to nothing else. */
export const SIGNS: readonly string[] = ['$', 'Q'];
const SIGNED: readonly string[] = ['null', 'void 0'];

/** What needs no object of its own; each is worth a name from four places on. */
const MEMBERS: readonly string[] = [
  ...['Array.isArray', 'JSON.parse', 'JSON.stringify', 'Math.abs', 'Math.ceil', 'Math.floor'],
  ...['Math.max', 'Math.min', 'Math.round', 'Number.POSITIVE_INFINITY', 'Number.isFinite'],
  ...['Object.defineProperty', 'Object.entries', 'Object.fromEntries', 'Object.keys'],
  ...['Object.values', 'Array.from', 'Number.isInteger', 'String.fromCharCode', 'Number.isNaN'],
  ...['Number.parseInt', 'Number.NEGATIVE_INFINITY', 'Number.MAX_SAFE_INTEGER'],
];

/** Right after `var Namespace=(()=>{`, so that everything inside sees the names. */
const BEGIN = /^var \w+=\(\(\)=>\{/;

/** What is asked of types, by what it is called here. */
const TESTS: Readonly<Record<string, string>> = Object.fromEntries(
  ['string', 'number', 'object'].map((type) => [`typeof ${type}`, `e=>"${type}"==typeof e`]),
);

/** What the platform makes things with; none is worth a name from fewer places than these. */
const GLOBALS: readonly string[] = ['Date', 'Map', 'Number', 'Object', 'String'];

/** A piece of the script, and what is written in its place: the name of a value between two signs. */
interface Place {
  readonly start: number;
  readonly end: number;
  readonly before?: string;
  readonly value?: string;
  readonly after?: string;
}

/** @param code a script that is one namespace, as the minifier leaves it. */
export function withNamedValues(code: string): string {
  const begin = BEGIN.exec(code)?.[0];
  // So little that the minifier left no block to name anything in.
  if (begin === undefined) return code;
  const program = parse(code, { ecmaVersion: 2020, sourceType: 'script', ranges: true });
  const found = valuesIn(program);
  // A parameter of that name would hide it: a minifier leaves what it may not give as it found it.
  const taken = variablesIn(program).find((name) => SIGNS.includes(name));
  if (taken !== undefined) throw new Error(`The bundle has a variable ${taken}: name it otherwise`);
  const texts = textsWorthAName(found.map(({ value = '' }) => value));
  const values = [...Object.keys(TESTS), ...MEMBERS, ...GLOBALS, ...texts];
  const free = freeNames(code);
  const names = new Map(values.map((value, at) => [value, free[at] ?? value] as const));
  for (const [at, value] of SIGNED.entries()) names.set(value, SIGNS[at] ?? value);
  const named = [...names].filter(([value, name]) => value !== name);
  const declared = named.map(([value, name]) =>
    value === 'void 0' ? name : `${name}=${TESTS[value] ?? value}`,
  );
  let [text, end] = [`${begin}let ${declared.join()};`, begin.length];
  for (const { start, end: after, ...said } of found) {
    if (said.value !== undefined && !names.has(said.value)) continue;
    const name = (said.before ?? '') + (names.get(said.value ?? '') ?? '') + (said.after ?? '');
    // A word before it needs its blank, as in `return"a"`.
    const isJoined = /[\w$]/.test(code[start - 1] ?? '') && /^[\w$]/.test(name);
    text += code.slice(end, start) + (isJoined ? ' ' : '') + name;
    end = after;
    if (/[\w$]/.test(code[end] ?? '') && /[\w$]$/.test(name)) text += ' ';
  }
  return text + code.slice(end);
}

/** Those that are the most bytes shorter first; a gain of less than this is not worth a name. */
const GAIN_MIN = 2;
const NAME_BYTES = 2;

function textsWorthAName(values: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const value of values.filter((one) => one.startsWith('"')))
    counts.set(value, (counts.get(value) ?? 0) + 1);
  const gains = [...counts].map(([value, count]) => {
    const bytes = Buffer.byteLength(value);
    return { value, gain: count * (bytes - NAME_BYTES) - bytes - NAME_BYTES - 2 };
  });
  return gains
    .filter(({ gain }) => gain >= GAIN_MIN)
    .sort((one, other) => other.gain - one.gain)
    .map(({ value }) => value);
}

/** A letter and a digit each: one letter is every function's own. */
function freeNames(code: string): readonly string[] {
  const taken = new Set(code.match(/[\w$]+/g));
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
  const names = letters.flatMap((letter) => [...'0456789'].map((digit) => letter + digit));
  return names.filter((name) => !taken.has(name));
}

/** Variables and parameters, and no members. */
function variablesIn(node: AnyNode): readonly string[] {
  if (node.type === 'Identifier') return [node.name];
  const isMember = node.type === 'MemberExpression' && !node.computed;
  const isKey = node.type === 'Property' && !node.computed && !node.shorthand;
  const name = isMember ? node.property : isKey ? node.key : null;
  return childrenOf(node)
    .filter((child) => child !== name)
    .flatMap(variablesIn);
}

/** From left to right. */
function valuesIn(program: Program): readonly Place[] {
  const absent = undeclaredNames(program);
  const within = (node: AnyNode): readonly Place[] => {
    const { start, end } = node;
    const value = valueIn(node);
    if (value !== null) return [{ start, end, value }];
    const test = testIn(node);
    if (test !== null && !(test.asked.type === 'Identifier' && absent.has(test.asked.name))) {
      const { asked, isNot, type } = test;
      const open = { before: isNot ? '!' : '', value: `typeof ${type}`, after: '(' };
      const close = { start: asked.end, end, after: ')' };
      return [{ start, end: asked.start, ...open }, ...within(asked), close];
    }
    const keeps = keptIn(node);
    return childrenOf(node)
      .filter((child) => !keeps.includes(child))
      .flatMap(within);
  };
  return [...within(program)].sort((one, other) => one.start - other.start || one.end - other.end);
}

/** `"string"==typeof value`; of what has parentheses around it nobody could tell where it ends. */
function testIn(node: AnyNode) {
  if (node.type !== 'BinaryExpression' || !/^[!=]==?$/.test(node.operator)) return null;
  const { left, right, operator } = node;
  if (left.type !== 'Literal' || right.type !== 'UnaryExpression') return null;
  const isTest = right.operator === 'typeof' && `typeof ${left.value}` in TESTS;
  const asked = right.argument;
  const isPlain = ['Identifier', 'MemberExpression', 'CallExpression'].includes(asked.type);
  return isTest && isPlain
    ? { asked, isNot: operator.startsWith('!'), type: String(left.value) }
    : null;
}

/** What has to stand as it is: keys, a directive, and what a type is compared with, which V8 knows by sight. */
function keptIn(node: AnyNode): readonly (AnyNode | null)[] {
  if (node.type === 'Property') return node.computed ? [] : [node.key];
  if (node.type === 'MemberExpression') return node.computed ? [] : [node.property];
  if (node.type === 'ExpressionStatement' && node.expression.type === 'Literal')
    return [node.expression];
  if (node.type !== 'BinaryExpression') return [];
  const isTypeOf = (side: AnyNode) => side.type === 'UnaryExpression' && side.operator === 'typeof';
  return [node.left, node.right].filter(
    (side) => side.type === 'Literal' && [node.left, node.right].some(isTypeOf),
  );
}

function valueIn(node: AnyNode): string | null {
  if (node.type === 'Literal') {
    if (node.raw === 'null') return 'null';
    return typeof node.value === 'string' ? JSON.stringify(node.value) : null;
  }
  if (node.type === 'Identifier') return GLOBALS.includes(node.name) ? node.name : null;
  if (node.type === 'UnaryExpression') {
    const isVoidZero = node.argument.type === 'Literal' && node.argument.value === 0;
    return node.operator === 'void' && isVoidZero ? 'void 0' : null;
  }
  if (node.type !== 'MemberExpression' || node.computed) return null;
  const { object, property } = node;
  const isPlain = object.type === 'Identifier' && property.type === 'Identifier';
  const value = isPlain ? `${object.name}.${property.name}` : '';
  return MEMBERS.includes(value) ? value : null;
}
