// Checks what Google refuses when a script is saved or pushed, before any of it runs.

import { type AnyNode, Parser, type Program, parse } from 'acorn';

export interface ScriptFile {
  /** The name that stack traces show. */
  readonly name: string;
  readonly text: string;
}

/** The files of a project. A string is a project of one file. */
export const scriptFiles = (code: string | readonly ScriptFile[]): readonly ScriptFile[] =>
  typeof code === 'string' ? [{ name: 'Code.js', text: code }] : code;

/** Parsed files of the most recent hosts, because a test file makes many hosts with one bundle. */
const seen = new Map<string, Reading>();
const SEEN_MAX = 8;

interface Reading {
  isChecked: boolean;
  functions: ReadonlySet<string> | null;
}

function readingOf(text: string): Reading {
  const known = seen.get(text);
  if (known !== undefined) return known;
  const reading: Reading = { isChecked: false, functions: null };
  if (seen.size >= SEEN_MAX) seen.clear();
  seen.set(text, reading);
  return reading;
}

/**
 * Throws where Google refuses a file that V8 would run, with "ParseError: Unexpected token =" in
 * users' reports (clasp issues 907 and 935): fields of classes, private members and static blocks.
 * Text that is not valid JavaScript is left to fail when it is run.
 */
export function checkPushed(files: readonly ScriptFile[]): void {
  for (const file of files) {
    const reading = readingOf(file.text);
    if (reading.isChecked) continue;
    if (!hasPlainClasses(file)) {
      const program = parsed(file.text);
      if (program !== null) visit(program, file);
    }
    reading.isChecked = true;
  }
}

/** The functions declared at the top level, which are those that Google can call by name. */
export function functionsOf({ text }: ScriptFile): ReadonlySet<string> {
  const reading = readingOf(text);
  reading.functions ??= new Set(
    (parsed(text)?.body ?? []).flatMap((statement) =>
      statement.type === 'FunctionDeclaration' ? [statement.id.name] : [],
    ),
  );
  return reading.functions;
}

/**
 * Whether every apparent class parses as a class and may be pushed. If so, the rest of the file,
 * which is most of it, need not be parsed for this check.
 */
function hasPlainClasses(file: ScriptFile): boolean {
  try {
    for (const { index } of file.text.matchAll(/\bclass\b/g))
      visit(ClassParser.at(file.text, index), file);
    return true;
  } catch {
    return false;
  }
}

/**
 * A part of acorn that its types lack: it parses one expression, without others that commas join to
 * it.
 */
interface OneExpression {
  readonly nextToken: () => void;
  readonly parseExprAtom: () => AnyNode;
}

class ClassParser extends Parser {
  static at(text: string, index: number): AnyNode {
    const parser = new ClassParser(LATEST, text, index) as unknown as OneExpression;
    parser.nextToken();
    return parser.parseExprAtom();
  }
}

const LATEST = { ecmaVersion: 'latest', sourceType: 'script' } as const;

function parsed(code: string): Program | null {
  try {
    return parse(code, LATEST);
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
