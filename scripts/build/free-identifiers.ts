// Names that a script uses but does not declare: what it expects its platform to provide.

import type { AnyNode, Program } from 'acorn';
import { analyze } from 'eslint-scope';

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** The nodes right below one. In a loop, as a script has a hundred thousand. */
export function childrenOf(node: AnyNode): readonly AnyNode[] {
  const children: AnyNode[] = [];
  for (const value of Object.values(node) as readonly unknown[]) {
    if (isNode(value)) children.push(value);
    else if (Array.isArray(value)) for (const one of value) if (isNode(one)) children.push(one);
  }
  return children;
}

function* nodesOf(node: AnyNode): Generator<AnyNode> {
  yield node;
  for (const child of childrenOf(node)) yield* nodesOf(child);
}

const isName = (node: AnyNode, name?: string): boolean =>
  node.type === 'Identifier' && (name === undefined || node.name === name);

/** Each use of a name that the script declares nowhere. */
function undeclared(program: Program) {
  // The same tree, of which two packages have types of their own.
  const tree = program as unknown as Parameters<typeof analyze>[0];
  const { globalScope } = analyze(tree, { ecmaVersion: 2022, sourceType: 'script' });
  const uses = (globalScope?.through ?? []).map(({ identifier }) => identifier);
  return uses.filter(({ name }) => globalScope?.set.has(name) !== true);
}

/** Names that may be nowhere: the platform has them, or the script asks for their type. */
export const undeclaredNames = (program: Program): ReadonlySet<string> =>
  new Set(undeclared(program).map(({ name }) => name));

/**
 * `globalThis.name` counts as a use of the name, `typeof name` does not: so a script asks whether its
 * platform has the name. Modules are the platform's to provide, too: `import()`.
 *
 * @param program a script, parsed with `ranges`.
 */
export function freeIdentifiers(program: Program): ReadonlySet<string> {
  const [free, asked] = [new Set<string>(), new Set<unknown>()];
  for (const node of nodesOf(program)) {
    if (node.type === 'ImportExpression') free.add('import()');
    if (node.type === 'UnaryExpression' && node.operator === 'typeof' && isName(node.argument))
      asked.add(node.argument);
    const isOfAll = node.type === 'MemberExpression' && isName(node.object, 'globalThis');
    if (isOfAll && !node.computed && node.property.type === 'Identifier')
      free.add(node.property.name);
  }
  for (const identifier of undeclared(program))
    if (!asked.has(identifier)) free.add(identifier.name);
  return free;
}
