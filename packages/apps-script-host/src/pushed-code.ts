// Reads a project's files before any of them runs: what Google refuses when they are saved, which
// functions they have, and in which order they are evaluated.

import { type AnyNode, Parser, type Program, parse } from 'acorn';

type Statement = Program['body'][number];

export interface ScriptFile {
  /** The name that stack traces show. */
  readonly name: string;
  readonly text: string;
}

/** The files of a project. A string is a project of one file. */
export const scriptFiles = (code: string | readonly ScriptFile[]): readonly ScriptFile[] =>
  typeof code === 'string' ? [{ name: 'Code.js', text: code }] : code;

/** Parsed files of the most recent hosts, because a test file makes many hosts with one project. */
const seen = new Map<string, Reading>();
const SEEN_MAX = 2_000;

interface Reading {
  isChecked: boolean;
  content: Content | null;
}

interface Content {
  readonly isReadable: boolean;
  readonly functions: ReadonlySet<string>;
  readonly variables: readonly string[];
  readonly halves: Halves;
}

/** Parsed once, because it takes long. */
function contentOf(text: string): Content {
  const reading = readingOf(text);
  if (reading.content === null) {
    const program = parsed(text);
    const body = program?.body ?? [];
    reading.content = {
      isReadable: program !== null,
      functions: new Set(body.flatMap(namesOfFunctions)),
      variables: body.flatMap(namesOfVariables),
      halves: splitUp(text, body),
    };
  }
  return reading.content;
}

function readingOf(text: string): Reading {
  const known = seen.get(text);
  if (known !== undefined) return known;
  const reading: Reading = { isChecked: false, content: null };
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

/**
 * The functions that Google recognises at the top level and calls by name (guide of the V8 runtime,
 * "Improved function detection"): declared ones, and `const f = () => 1` as well as `var f = function () {}`.
 */
export const functionsOf = ({ text }: ScriptFile): ReadonlySet<string> => contentOf(text).functions;

function namesOfFunctions(statement: Statement): readonly string[] {
  if (statement.type === 'FunctionDeclaration') return [statement.id.name];
  if (statement.type !== 'VariableDeclaration') return [];
  return statement.declarations.flatMap(({ id, init }) => {
    const isFunction =
      init?.type === 'FunctionExpression' || init?.type === 'ArrowFunctionExpression';
    return isFunction && id.type === 'Identifier' ? [id.name] : [];
  });
}

function namesOfVariables(statement: Statement): readonly string[] {
  if (statement.type !== 'VariableDeclaration' || statement.kind !== 'var') return [];
  return statement.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
}

/** Whether JavaScript can read the file at all. */
export const isReadable = ({ text }: ScriptFile): boolean => contentOf(text).isReadable;

/** A file's functions and its other statements, each in the place that it has in the file. */
interface Halves {
  readonly functions: string;
  readonly statements: string;
}

/**
 * The files in the order in which Google evaluates them (release notes of Apps Script, 6 June 2022):
 * the functions of all files, then the statements of one file after the other. So a function may be
 * called before its file has been reached, and may give a `var` its value; a constant or class may not
 * be read yet. A single file needs no order: the language itself has its functions first.
 */
export function inOrderOfEvaluation(files: readonly ScriptFile[]): readonly ScriptFile[] {
  if (files.length < 2) return files;
  const variables = files.flatMap(({ text }) => contentOf(text).variables);
  const declared = variables.length === 0 ? '' : `var ${variables.join(', ')};`;
  const halves = files.map(({ name, text }) => ({ name, ...contentOf(text).halves }));
  return [
    { name: 'the variables of all files', text: declared },
    ...halves.map(({ name, functions }) => ({ name, text: functions })),
    ...halves.map(({ name, statements }) => ({ name, text: statements })),
  ].filter(({ text }) => text.trim() !== '');
}

/** Text that cannot be read stays whole and fails when it is run. */
function splitUp(text: string, body: Program['body']): Halves {
  const isFunction = (node: Statement) => node.type === 'FunctionDeclaration';
  if (!body.some(isFunction)) return { functions: '', statements: text };
  // A directive such as 'use strict' is for both halves.
  const isForBoth = (node: Statement) => 'directive' in node && node.directive !== undefined;
  const withOnly = (isTaken: (node: Statement) => boolean) =>
    body.some(isTaken)
      ? blanked(
          text,
          body.filter((node) => !isTaken(node) && !isForBoth(node)),
        )
      : '';
  return {
    functions: withOnly(isFunction),
    statements: withOnly((node) => !isFunction(node) && !isForBoth(node)),
  };
}

/** Spaces in place of some statements keep the lines and columns of the others. */
function blanked(text: string, statements: readonly Statement[]): string {
  let at = 0;
  const pieces = statements.map(({ start, end }) => {
    const before = text.slice(at, start);
    at = end;
    return before + text.slice(start, end).replace(/[^\n\r\u2028\u2029]/g, ' ');
  });
  return pieces.join('') + text.slice(at);
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
