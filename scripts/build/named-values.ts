// Writes "no value", the platform's functions and texts said often shorter: Code.js says them in some
// 1,500 places.

import { type AnyNode, type Program, parse } from 'acorn';
import { childrenOf } from './free-identifiers';

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

/** @param code a script that is one namespace, as the minifier leaves it. */
export function withNamedValues(code: string): string {
  const begin = BEGIN.exec(code)?.[0];
  if (begin === undefined) throw new Error('The bundle is no namespace');
  const found = valuesIn(parse(code, { ecmaVersion: 2020, sourceType: 'script' }));
  const values = ['void 0', ...MEMBERS, ...textsWorthAName(found.map(([, value]) => value))];
  const free = freeNames(code);
  const names = new Map(values.map((value, at) => [value, free[at]] as const));
  const isNamed = (value: string) => names.get(value) !== undefined;
  const named = values.filter((value) => isNamed(value) && value !== 'void 0');
  const members = named.map((value) => `,${names.get(value)}=${value}`);
  let [text, end] = [`${begin}let ${names.get('void 0')}${members.join('')};`, begin.length];
  for (const [node, value] of found.filter(([, one]) => isNamed(one))) {
    // A word before it needs its blank, as in `return"a"`.
    const blank = /[\w$]/.test(code[node.start - 1] ?? '') ? ' ' : '';
    text += code.slice(end, node.start) + blank + names.get(value);
    end = node.end;
    if (/[\w$]/.test(code[end] ?? '')) text += ' ';
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

/** From left to right, each as the script says it. */
function valuesIn(program: Program): readonly (readonly [AnyNode, string])[] {
  const within = (node: AnyNode): readonly (readonly [AnyNode, string])[] => {
    const value = valueIn(node);
    if (value !== null) return [[node, value]];
    const keeps = keptIn(node);
    return childrenOf(node)
      .filter((child) => !keeps.includes(child))
      .flatMap(within);
  };
  return [...within(program)].sort(([one], [other]) => one.start - other.start);
}

/** What has to stand as it is: keys, a directive, and what a type is compared with, which V8 knows by sight. */
function keptIn(node: AnyNode): readonly (AnyNode | null)[] {
  if (node.type === 'Property') return node.computed ? [] : [node.key];
  if (node.type === 'ExpressionStatement' && node.expression.type === 'Literal')
    return [node.expression];
  if (node.type !== 'BinaryExpression') return [];
  const isTypeOf = (side: AnyNode) => side.type === 'UnaryExpression' && side.operator === 'typeof';
  return [node.left, node.right].filter(
    (side) => side.type === 'Literal' && [node.left, node.right].some(isTypeOf),
  );
}

function valueIn(node: AnyNode): string | null {
  if (node.type === 'Literal')
    return typeof node.value === 'string' ? JSON.stringify(node.value) : null;
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
