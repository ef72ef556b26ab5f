// Writes "no value" and the platform's functions shorter: Code.js says them in some 950 places.

import { type AnyNode, type Program, parse } from 'acorn';
import { childrenOf } from './free-identifiers';

/** What needs no object of its own; each is worth a name from four places on. */
const MEMBERS: readonly string[] = [
  ...['Array.isArray', 'JSON.parse', 'JSON.stringify', 'Math.abs', 'Math.ceil', 'Math.floor'],
  ...['Math.max', 'Math.min', 'Math.round', 'Number.POSITIVE_INFINITY', 'Number.isFinite'],
  ...['Object.defineProperty', 'Object.entries', 'Object.fromEntries', 'Object.keys'],
];

/** Right after `var Namespace=(()=>{`, so that everything inside sees the names. */
const BEGIN = /^var \w+=\(\(\)=>\{/;

/** @param code a script that is one namespace, as the minifier leaves it. */
export function withNamedValues(code: string): string {
  const begin = BEGIN.exec(code)?.[0];
  if (begin === undefined) throw new Error('The bundle is no namespace');
  const names = new Map(freeNames(code, MEMBERS.length + 1).map((name, at) => [at, name]));
  const nameOf = (value: string) => names.get(MEMBERS.indexOf(value) + 1) ?? '';
  const members = MEMBERS.map((value) => `,${nameOf(value)}=${value}`);
  let [text, end] = [`${begin}let ${nameOf('')}${members.join('')};`, begin.length];
  for (const [node, value] of valuesIn(parse(code, { ecmaVersion: 2020, sourceType: 'script' }))) {
    text += code.slice(end, node.start) + nameOf(value);
    end = node.end;
  }
  return text + code.slice(end);
}

/** A letter and a digit each: one letter is every function's own. */
function freeNames(code: string, count: number): readonly string[] {
  const taken = new Set(code.match(/[\w$]+/g));
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const names = letters.flatMap((letter) => [...'0456789'].map((digit) => letter + digit));
  return names.filter((name) => !taken.has(name)).slice(0, count);
}

/** From left to right; '' is no value. */
function valuesIn(program: Program): readonly (readonly [AnyNode, string])[] {
  const within = (node: AnyNode): readonly (readonly [AnyNode, string])[] => {
    const value = valueIn(node);
    return value === null ? childrenOf(node).flatMap(within) : [[node, value]];
  };
  return [...within(program)].sort(([one], [other]) => one.start - other.start);
}

function valueIn(node: AnyNode): string | null {
  if (node.type === 'UnaryExpression') {
    const isVoidZero = node.argument.type === 'Literal' && node.argument.value === 0;
    return node.operator === 'void' && isVoidZero ? '' : null;
  }
  if (node.type !== 'MemberExpression' || node.computed) return null;
  const { object, property } = node;
  const isPlain = object.type === 'Identifier' && property.type === 'Identifier';
  const value = isPlain ? `${object.name}.${property.name}` : '';
  return MEMBERS.includes(value) ? value : null;
}
