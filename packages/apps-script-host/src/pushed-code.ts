// What Google refuses when a script is saved or pushed, before any of it runs.

import { type AnyNode, type Program, parse } from 'acorn';

export interface ScriptFile {
  /** As stacks name it. */
  readonly name: string;
  readonly text: string;
}

/** The files of a project: one text is a project of one file. */
export const scriptFiles = (code: string | readonly ScriptFile[]): readonly ScriptFile[] =>
  typeof code === 'string' ? [{ name: 'Code.js', text: code }] : code;

/** The files of the last hosts: a test file makes many with one bundle. */
const seen = new Map<string, ReadonlySet<string>>();
const SEEN_MAX = 8;

/**
 * Throws where Google refuses a file that V8 would run, "ParseError: Unexpected token =" in users'
 * reports (clasp issues 907 and 935): fields of classes, private members and static blocks. What is
 * no JavaScript at all is left to fail when it is run.
 *
 * @returns the functions declared at the top level: those that Google can call by name.
 */
export function checkPushed(files: readonly ScriptFile[]): ReadonlySet<string> {
  return new Set(files.flatMap((file) => [...functionsOf(file)]));
}

function functionsOf({ name, text }: ScriptFile): ReadonlySet<string> {
  const known = seen.get(text);
  if (known !== undefined) return known;
  const program = parsed(text);
  if (program !== null) visit(program, { name, text });
  const names = (program?.body ?? []).flatMap((statement) =>
    statement.type === 'FunctionDeclaration' ? [statement.id.name] : [],
  );
  const functions = new Set(names);
  if (seen.size >= SEEN_MAX) seen.clear();
  seen.set(text, functions);
  return functions;
}

function parsed(code: string): Program | null {
  try {
    return parse(code, { ecmaVersion: 'latest', sourceType: 'script' });
  } catch {
    return null;
  }
}

const REFUSED: Partial<Record<AnyNode['type'], string>> = {
  PropertyDefinition: '=',
  PrivateIdentifier: '#',
  StaticBlock: '{',
};

function visit(node: AnyNode, file: ScriptFile): void {
  const token = REFUSED[node.type];
  if (token !== undefined) {
    const line = file.text.slice(0, node.start).split('\n').length;
    throw new SyntaxError(
      `Syntax error: ParseError: Unexpected token ${token} line: ${line} file: ${file.name.replace(/\.js$/, '.gs')}`,
    );
  }
  for (const member of Object.values(node)) {
    if (Array.isArray(member)) {
      for (const child of member) if (isNode(child)) visit(child, file);
    } else if (isNode(member)) visit(member, file);
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
