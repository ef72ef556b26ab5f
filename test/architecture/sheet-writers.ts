// The rule that a seller's list gets nothing but formulas of our own columns, their titles, and values
// that a person asked for: each way of writing into a sheet has the modules that may use it.
import ts from 'typescript';
import type { Rule } from './house-rules';
import { programOf } from './platform-as-it-is';
import { isCode, type SourceFile } from './source-tree';

/** Where a sheet and its ways of writing are declared. */
const SHEET = '/google/sheet.ts';

/** Members of a sheet, and a function, that change what cells hold, and who may use them. Files are named from `src/` on. */
const WRITERS: Readonly<Record<string, readonly string[]>> = {
  // Our own tabs, the titles of our own columns, and the notes in their hidden helper.
  write: [
    ...['sheet/own-tab', 'sheet/log-tab', 'sheet/keyed-rows', 'sheet/marked-columns'],
    'sheet/filled-formulas',
    'analysis/refresh-cell',
    ...['list/our-columns', 'deal/mark-ordered'],
  ],
  writeAt: ['deal/rules'],
  // A new sheet.
  copyAsValues: ['sheet/own-tab'],
  writeR1C1: ['sheet/filled-formulas'],
  // The refresh argument, where a person wants it.
  writeFormulas: ['formulas/offer'],
};

const isAllowed = ({ member, file }: Writer) => WRITERS[member]?.includes(file) === true;

export const listsGetFormulasAlone: Rule = (files) =>
  writersIn(files)
    .filter((one) => !isAllowed(one))
    .map(({ file, member }) => `${file} writes into sheets by ${member}`);

/** A permission that nobody uses would allow whoever comes next. */
export const permissionsToWriteAreUsed: Rule = (files) => {
  const used = new Set(writersIn(files).map(({ member, file }) => `${member} ${file}`));
  const permissions = Object.entries(WRITERS).flatMap(([member, some]) =>
    some.map((file) => `${member} ${file}`),
  );
  return permissions.filter((one) => !used.has(one)).map((one) => `nobody uses: ${one}`);
};

interface Writer {
  readonly member: string;
  readonly file: string;
}

/** Two rules ask for the same files, and types take seconds to work out. */
const known = new WeakMap<object, readonly Writer[]>();

function writersIn(files: readonly SourceFile[]): readonly Writer[] {
  const writers = known.get(files) ?? findWriters(files);
  known.set(files, writers);
  return writers;
}

function findWriters(files: readonly SourceFile[]): readonly Writer[] {
  const code = files.filter(
    (file) =>
      isCode(file) &&
      !file.path.startsWith('src/sidebar/page/') &&
      !file.path.startsWith('src/google/'),
  );
  const program = programOf(files.filter(isCode));
  const checker = program.getTypeChecker();
  const writers = new Map<string, Writer>();
  for (const { path } of code) {
    const file = path.replace(/^src\/|\.tsx?$/g, '');
    const visit = (node: ts.Node): void => {
      const member = writerNamed(checker, node);
      if (member !== null && member in WRITERS) writers.set(`${member} ${file}`, { member, file });
      ts.forEachChild(node, visit);
    };
    const source = program.getSourceFile(`/${path}`);
    if (source !== undefined) visit(source);
  }
  return [...writers.values()];
}

/** The way of writing that is named here, whether it is called or taken for later. */
function writerNamed(checker: ts.TypeChecker, node: ts.Node): string | null {
  if (ts.isImportSpecifier(node)) return (node.propertyName ?? node.name).text;
  const isNamed =
    ts.isIdentifier(node) &&
    (ts.isPropertyAccessExpression(node.parent) || ts.isBindingElement(node.parent));
  if (!isNamed) return null;
  const symbol = ts.isBindingElement(node.parent)
    ? checker
        .getTypeAtLocation(node.parent.parent)
        .getProperty((node.parent.propertyName ?? node).getText())
    : checker.getSymbolAtLocation(node);
  const declared = symbol?.declarations?.[0];
  const isOfSheet =
    declared !== undefined &&
    ts.isMethodDeclaration(declared) &&
    declared.getSourceFile().fileName.endsWith(SHEET);
  return isOfSheet ? (symbol?.name ?? null) : null;
}
