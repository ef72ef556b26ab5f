// Writes "no value" shorter: the minifier says it as `void 0`, in some 470 places of Code.js.

import { type AnyNode, type Program, parse } from 'acorn';
import { childrenOf } from './free-identifiers';

/** Two letters: one letter is every function's own. Tried in turn, for one that stands nowhere else. */
const NAMES = ['U0', 'U1', 'U2', 'U3'];

/** Right after `var Namespace=(()=>{`, so that everything inside sees the name. */
const BEGIN = /^var \w+=\(\(\)=>\{/;

/** @param code a script that is one namespace, as the minifier leaves it. */
export function withNamedUndefined(code: string): string {
  const name = NAMES.find((one) => !new RegExp(`\\b${one}\\b`).test(code));
  const begin = BEGIN.exec(code)?.[0];
  if (name === undefined || begin === undefined)
    throw new Error('The bundle is no namespace, or has taken the names for no value');
  let [text, end] = [`${begin}let ${name};`, begin.length];
  for (const node of voids(parse(code, { ecmaVersion: 2020, sourceType: 'script' }))) {
    text += code.slice(end, node.start) + name;
    end = node.end;
  }
  return text + code.slice(end);
}

/** From left to right. */
function voids(program: Program): readonly AnyNode[] {
  const within = (node: AnyNode): readonly AnyNode[] =>
    isVoidZero(node) ? [node] : childrenOf(node).flatMap(within);
  return [...within(program)].sort((one, other) => one.start - other.start);
}

const isVoidZero = (node: AnyNode): boolean =>
  node.type === 'UnaryExpression' &&
  node.operator === 'void' &&
  node.argument.type === 'Literal' &&
  node.argument.value === 0;
