// Prepares a test file of another project's suite so that the host can judge each assertion by itself.

import { type Node, parse } from 'acorn';

/** A node with its children, as acorn makes it. */
interface AnyNode extends Node {
  readonly [name: string]: unknown;
}

/** What a callback of these methods holds goes on after a statement that fails. */
const GOES_ON: readonly string[] = ['section', 'forEach'];

/** The members of the suite's tests that decide something. */
const ASSERTIONS: readonly string[] = [
  ...['is', 'not', 'true', 'false', 'truthy', 'falsey', 'deepEqual', 'notDeepEqual', 'rxMatch'],
  'fail',
];

export interface PreparedFile {
  /** A script that declares nothing outside of `tests`, the functions that hold the sections. */
  readonly code: string;
  /** Assertions written in each section, in order. */
  readonly sections: readonly { readonly line: number; readonly assertions: number }[];
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && typeof (value as AnyNode).type === 'string';

function* childrenOf(node: AnyNode): Generator<AnyNode> {
  for (const value of Object.values(node)) {
    if (isNode(value)) yield value;
    else if (Array.isArray(value)) for (const each of value) if (isNode(each)) yield each;
  }
}

function* within(node: AnyNode): Generator<AnyNode> {
  yield node;
  for (const child of childrenOf(node)) yield* within(child);
}

/** The method that a call names: `section` of `unit.section(…)`. */
function methodOf(node: AnyNode): string | null {
  const callee = node.callee as AnyNode | undefined;
  if (node.type !== 'CallExpression' || callee?.type !== 'MemberExpression') return null;
  return String((callee.property as AnyNode).name ?? '');
}

const isAssertion = (node: AnyNode): boolean => {
  const object = (node.callee as AnyNode | undefined)?.object as AnyNode | undefined;
  return object?.name === 't' && ASSERTIONS.includes(methodOf(node) ?? '');
};

function isTrash(statement: AnyNode): boolean {
  const { callee } = (statement.expression ?? {}) as { callee?: AnyNode };
  return (callee?.object as AnyNode | undefined)?.name === 'toTrash';
}

const assertionsIn = (node: AnyNode): number => [...within(node)].filter(isAssertion).length;

/** The names that a pattern such as `{ a, b: [c] }` declares. */
function namesOf(pattern: AnyNode): readonly string[] {
  if (pattern.type === 'Identifier') return [String(pattern.name)];
  if (pattern.type === 'Property') return namesOf(pattern.value as AnyNode);
  if (pattern.type === 'AssignmentPattern') return namesOf(pattern.left as AnyNode);
  return [...childrenOf(pattern)].flatMap(namesOf);
}

/** Declarations of these names are left out. The adapter has its own. */
type Left = readonly string[];

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function prepareFile(source: string, left: Left = []): PreparedFile {
  const program = parse(source, {
    ecmaVersion: 'latest',
    sourceType: 'module',
    locations: true,
  }) as Node as AnyNode;
  const edits: Edit[] = [];
  const put = (at: number, text: string) => edits.push({ start: at, end: at, text });
  const tests: string[] = [];
  const lineOf = (node: AnyNode) => node.loc?.start.line ?? 0;
  const declaredBy = (node: AnyNode): readonly string[] => {
    if (node.type === 'FunctionDeclaration') return namesOf(node.id as AnyNode);
    const declarations = (node.declarations as AnyNode[] | undefined) ?? [];
    return declarations.flatMap(({ id }) => namesOf(id as AnyNode));
  };

  /** A failure ends the statement alone. What it was to declare then stands for the failure. */
  function goOn(statement: AnyNode): void {
    const { start, end } = statement;
    // What it makes in Drive is thrown away at the end. Here nothing is left.
    if (isTrash(statement)) {
      edits.push({ start, end, text: '' });
      return;
    }
    const marks = `${lineOf(statement)}, ${assertionsIn(statement)}`;
    if (statement.type === 'FunctionDeclaration' || statement.type === 'ReturnStatement') return;
    if (statement.type !== 'VariableDeclaration') {
      put(start, `peer.begin(${marks}); try { `);
      put(end, ` } catch (thrown) { peer.failed(thrown); } finally { peer.end(); }`);
      visit(statement);
      return;
    }
    const declarations = statement.declarations as AnyNode[];
    const names = declaredBy(statement);
    const [first] = declarations;
    put(start, `peer.begin(${marks}); let ${names.join(', ')}; try { `);
    edits.push({ start, end: first?.start ?? end, text: '' });
    declarations.forEach((declaration, at) => {
      const next = declarations[at + 1];
      put(declaration.start, '(');
      if (!declaration.init) put(declaration.end, ' = undefined');
      put(declaration.end, ');');
      if (next) edits.push({ start: declaration.end, end: next.start, text: '' });
    });
    put(
      end,
      ` } catch (thrown) { ${names.join(' = ')} = peer.failed(thrown); } finally { peer.end(); }`,
    );
    for (const declaration of declarations)
      if (declaration.init) visit(declaration.init as AnyNode);
  }

  function goOnWithin(block: AnyNode): void {
    if (block.type !== 'BlockStatement') visit(block);
    else for (const statement of block.body as AnyNode[]) goOn(statement);
  }

  function visit(node: AnyNode): void {
    const method = methodOf(node);
    if (method !== null && GOES_ON.includes(method)) {
      for (const argument of node.arguments as AnyNode[])
        if (argument.type.endsWith('FunctionExpression')) goOnWithin(argument.body as AnyNode);
        else visit(argument);
      visit(node.callee as AnyNode);
      return;
    }
    const isBlockOf = ['IfStatement', 'ForStatement', 'ForOfStatement', 'ForInStatement'];
    if (isBlockOf.includes(node.type)) {
      for (const part of ['consequent', 'alternate', 'body'])
        if (isNode(node[part])) goOnWithin(node[part] as AnyNode);
      return;
    }
    for (const child of childrenOf(node)) visit(child);
  }

  for (const node of program.body as AnyNode[]) {
    const declaration = (node.declaration ?? node) as AnyNode;
    const names = isNode(declaration) ? declaredBy(declaration) : [];
    const isLeft = node.type === 'ImportDeclaration' || names.some((name) => left.includes(name));
    // A file ends by running itself, which only the peer's own runner may.
    const isRun = node.type === 'ExpressionStatement';
    if (isLeft || isRun) edits.push({ start: node.start, end: node.end, text: '' });
    else {
      if (node.type === 'ExportNamedDeclaration')
        edits.push({ start: node.start, end: declaration.start, text: '' });
      tests.push(...names.filter((name) => name.startsWith('test')));
    }
    if (!isLeft && !isRun) visit(node);
  }
  const sections = [...within(program)]
    .filter((node) => methodOf(node) === 'section')
    .sort((one, other) => one.start - other.start)
    .map((node) => ({ line: lineOf(node), assertions: assertionsIn(node) }));
  return {
    code: `${edited(source, edits)}\n;peer.tests = [${tests.join(', ')}];`,
    sections,
  };
}

function edited(source: string, edits: readonly Edit[]): string {
  const inOrder = edits.map((edit, at) => ({ ...edit, at }));
  inOrder.sort((one, other) => one.start - other.start || one.at - other.at);
  let text = '';
  let at = 0;
  for (const edit of inOrder) {
    text += source.slice(at, Math.max(at, edit.start)) + edit.text;
    at = Math.max(at, edit.end);
  }
  return (
    (text + source.slice(at))
      // Members that only the peer's own fake has. On Google they are undefined.
      .replace(/\b\w+\.isFake\b/g, 'undefined')
      .replace(/\bSpreadsheetApp\.openById\(/g, 'peerBook(')
      .replace(/\bSpreadsheetApp\.create\(/g, 'peerCreate(')
  );
}
