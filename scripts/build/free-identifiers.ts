// Names that a script uses but does not declare: what it expects its platform to provide.
import type { AnyNode, Class, Function as FunctionNode, Pattern, Program } from 'acorn';

/** Declarations are collected while walking and uses settled at the end, so hoisting needs no rule. */
interface Scope {
  readonly names: Set<string>;
  readonly uses: string[];
  readonly inner: Scope[];
  /** Where `var` lands: the nearest function, or the whole script; null where that is this one. */
  readonly hoist: Scope | null;
}

function newScope(hoist: Scope | null): Scope {
  return { names: new Set(), uses: [], inner: [], hoist };
}

function functionWithin(outer: Scope): Scope {
  const scope = newScope(null);
  outer.inner.push(scope);
  return scope;
}

function blockWithin(outer: Scope): Scope {
  const scope = newScope(outer.hoist ?? outer);
  outer.inner.push(scope);
  return scope;
}

function freeOf(scope: Scope): readonly string[] {
  return [...scope.uses, ...scope.inner.flatMap(freeOf)].filter((name) => !scope.names.has(name));
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** The nodes right below one. */
export const childrenOf = (node: AnyNode): readonly AnyNode[] =>
  Object.values(node).flat().filter(isNode);

function walkChildren(node: AnyNode, scope: Scope): void {
  for (const child of childrenOf(node)) walk(child, scope);
}

/** Adds the names of a pattern to `target`; its defaults and computed keys are ordinary code. */
function declare(pattern: Pattern, target: Scope, scope: Scope): void {
  switch (pattern.type) {
    case 'Identifier':
      target.names.add(pattern.name);
      return;
    case 'ObjectPattern':
      for (const property of pattern.properties) {
        if (property.type === 'Property' && property.computed) walk(property.key, scope);
        declare(property.type === 'Property' ? property.value : property, target, scope);
      }
      return;
    case 'ArrayPattern':
      for (const item of pattern.elements) if (item !== null) declare(item, target, scope);
      return;
    case 'RestElement':
      declare(pattern.argument, target, scope);
      return;
    case 'AssignmentPattern':
      declare(pattern.left, target, scope);
      walk(pattern.right, scope);
      return;
    case 'MemberExpression':
      walk(pattern, scope);
  }
}

function walkFunction(node: FunctionNode, outer: Scope): void {
  const scope = functionWithin(outer);
  if (node.id) (node.type === 'FunctionDeclaration' ? outer : scope).names.add(node.id.name);
  if (node.type !== 'ArrowFunctionExpression') scope.names.add('arguments');
  for (const parameter of node.params) declare(parameter, scope, scope);
  walk(node.body, scope);
}

function walkClass(node: Class, outer: Scope): void {
  const scope = blockWithin(outer);
  if (node.id) (node.type === 'ClassDeclaration' ? outer : scope).names.add(node.id.name);
  if (node.superClass) walk(node.superClass, scope);
  walk(node.body, scope);
}

function walk(node: AnyNode, scope: Scope): void {
  switch (node.type) {
    case 'Identifier':
      scope.uses.push(node.name);
      return;
    case 'ImportExpression':
      // Modules are the platform's to provide, too.
      scope.uses.push('import()');
      return;
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      walkFunction(node, scope);
      return;
    case 'ClassDeclaration':
    case 'ClassExpression':
      walkClass(node, scope);
      return;
    case 'VariableDeclaration':
      for (const { id, init } of node.declarations) {
        declare(id, node.kind === 'var' ? (scope.hoist ?? scope) : scope, scope);
        if (init) walk(init, scope);
      }
      return;
    case 'CatchClause': {
      const own = blockWithin(scope);
      if (node.param) declare(node.param, own, own);
      walk(node.body, own);
      return;
    }
    case 'BlockStatement':
    case 'ForStatement':
    case 'ForInStatement':
    case 'ForOfStatement':
    case 'SwitchStatement':
      walkChildren(node, blockWithin(scope));
      return;
    case 'MemberExpression': {
      const isGlobal = node.object.type === 'Identifier' && node.object.name === 'globalThis';
      walk(node.object, scope);
      if (node.computed || isGlobal) walk(node.property, scope);
      return;
    }
    case 'Property':
    case 'MethodDefinition':
      if (node.computed) walk(node.key, scope);
      walk(node.value, scope);
      return;
    case 'UnaryExpression':
      // `typeof name` is how a script asks whether its platform has the name.
      if (node.operator !== 'typeof' || node.argument.type !== 'Identifier')
        walk(node.argument, scope);
      return;
    case 'LabeledStatement':
      walk(node.body, scope);
      return;
    case 'BreakStatement':
    case 'ContinueStatement':
      return;
    default:
      walkChildren(node, scope);
  }
}

/** `globalThis.name` counts as a use of the name, `typeof name` does not. */
export function freeIdentifiers(program: Program): ReadonlySet<string> {
  const script = newScope(null);
  walkChildren(program, script);
  return new Set(freeOf(script));
}
