// The rule that nobody makes another platform or engine of one by spreading it and overriding its
// members.
import { posix } from 'node:path';
import ts from 'typescript';
import type { Rule } from './house-rules';
import { isCode, type SourceFile } from './source-tree';

/** Rooms whose interfaces act: what they declare with a function in it is of a platform or an engine. */
const ROOMS_THAT_ACT = ['google', 'connection', 'limit', 'service', 'cache', 'engine'];

/** All that is needed of the language's own library: without it, data has no members that act. */
const LIBRARY = '/library.d.ts';
const LIBRARY_TEXT = `
interface Array<T> {} interface ReadonlyArray<T> {} interface Object {} interface Function {}
type Partial<T> = { [P in keyof T]?: T[P] };
type Readonly<T> = { readonly [P in keyof T]: T[P] };
type Pick<T, K extends keyof T> = { [P in K]: T[P] };
type Exclude<T, U> = T extends U ? never : T;
type Omit<T, K> = Pick<T, Exclude<keyof T, K>>;
type NonNullable<T> = T & {};
`;

export function programOf(files: readonly SourceFile[]): ts.Program {
  const texts = new Map(files.map(({ path, text }) => [`/${path}`, text]));
  const folders = new Set(files.map(({ path }) => posix.dirname(`/${path}`)));
  texts.set(LIBRARY, LIBRARY_TEXT);
  const host: ts.CompilerHost = {
    fileExists: (name) => texts.has(name),
    readFile: (name) => texts.get(name),
    getSourceFile(name, options) {
      const text = texts.get(name);
      return text === undefined ? undefined : ts.createSourceFile(name, text, options);
    },
    directoryExists: (name) => folders.has(name),
    getDirectories: () => [],
    getDefaultLibFileName: () => LIBRARY,
    getCurrentDirectory: () => '/',
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    writeFile: () => undefined,
  };
  const options: ts.CompilerOptions = {
    ...{ noLib: true, types: [], strict: true, target: ts.ScriptTarget.ESNext },
    ...{ module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
  };
  return ts.createProgram([...texts.keys()], options, host);
}

/** Whether it has a member that is called, or one that has such members. */
function acts(checker: ts.TypeChecker, type: ts.Type, depth = 2): boolean {
  if (type.getCallSignatures().length > 0) return true;
  const members = depth > 0 ? type.getProperties() : [];
  return members.some((one) => acts(checker, checker.getTypeOfSymbol(one), depth - 1));
}

/** The room in which what the type is made of is declared. */
function isOfRoom(type: ts.Type): boolean {
  const parts = type.isUnionOrIntersection() ? type.types : [type];
  // Members of a platform that was picked from have been declared there all the same.
  const symbols = parts.flatMap((part) => [part.getSymbol(), ...part.getProperties()]);
  return symbols.some((symbol) => {
    const [declared] = symbol?.declarations ?? [];
    const [, source, room = ''] = declared?.getSourceFile().fileName.split('/') ?? [];
    return source === 'src' && ROOMS_THAT_ACT.includes(room);
  });
}

/** The members of what acts that an object spreads and then gives another value. */
function overridden(
  checker: ts.TypeChecker,
  { properties }: ts.ObjectLiteralExpression,
): readonly string[] {
  const first = properties.findIndex(ts.isSpreadAssignment);
  if (first === -1 || first === properties.length - 1) return [];
  const members = new Set<string>();
  const found: string[] = [];
  for (const part of properties) {
    const spread = ts.isSpreadAssignment(part) ? part.expression : undefined;
    const type = spread && checker.getTypeAtLocation(spread);
    const names = type?.getProperties().map(({ name }) => name) ?? [part.name?.getText() ?? ''];
    found.push(...names.filter((name) => members.has(name)));
    if (type !== undefined && isOfRoom(type) && acts(checker, type))
      for (const name of names) members.add(name);
  }
  return found;
}

export const platformIsTakenAsItIs: Rule = (files) => {
  const code = files.filter((file) => isCode(file) && !file.path.startsWith('src/sidebar/page/'));
  const program = programOf(code);
  const checker = program.getTypeChecker();
  const broken: string[] = [];
  for (const { path } of code) {
    const visit = (node: ts.Node): void => {
      if (ts.isObjectLiteralExpression(node))
        broken.push(...overridden(checker, node).map((name) => `${path} overrides ${name}`));
      ts.forEachChild(node, visit);
    };
    const source = program.getSourceFile(`/${path}`);
    if (source !== undefined) visit(source);
  }
  return broken;
};
