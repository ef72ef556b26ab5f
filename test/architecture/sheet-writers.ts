// The rule that one folder writes into sheets, and who else may, in which way and why: a seller's list gets
// nothing but formulas of our own columns, their titles, and values that a person asked for.
import ts from 'typescript';
import type { Rule } from './house-rules';
import { programOf } from './platform-as-it-is';
import { isCode, type SourceFile } from './source-tree';

/** Where a sheet and its ways of writing are declared. */
const SHEET = '/google/sheet.ts';

/** What changes cells, rows, columns or metadata: members of a sheet, and functions. */
const WRITING: readonly string[] = [
  ...['write', 'writeAt', 'writeR1C1', 'writeFormulas', 'addMetadata', 'removeMetadata'],
  ...[
    'addRows',
    'insertRows',
    'deleteRows',
    'addRowOnTop',
    'addColumns',
    'insertColumns',
    'deleteColumns',
  ],
  ...['makeTab', 'copyAsValues', 'deleteNewTab'],
];

const WRITES = /^sheet\//;

/** Files from `src/` on. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  // Columns of ours beside a list: where they stand, their marks and their titles.
  'list/our-columns': ['write', 'addRowOnTop'],
  'list/free-columns': ['addColumns', 'insertColumns', 'deleteColumns'],
  'list/tagged-list': ['addMetadata', 'removeMetadata'],
  // The date of an order, when a person says that it is made.
  'deal/mark-ordered': ['write', 'addColumns'],
  // Rules that a person changes on the page.
  'deal/rules': ['writeAt'],
  // The refresh argument, where a person wants it.
  'formulas/offer': ['writeFormulas'],
};

const isAllowed = ({ member, file }: Writer) =>
  WRITES.test(file) || ALSO[file]?.includes(member) === true;

export const oneFolderWrites: Rule = (files) =>
  writersIn(files)
    .filter((one) => !isAllowed(one))
    .map(({ file, member }) => `${file} writes into sheets by ${member}`);

/** A permission that nobody uses would allow whoever comes next. */
export const permissionsToWriteAreUsed: Rule = (files) => {
  const used = new Set(writersIn(files).map(({ member, file }) => `${member} ${file}`));
  const permissions = Object.entries(ALSO).flatMap(([file, members]) =>
    members.map((member) => `${member} ${file}`),
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
      if (member !== null && WRITING.includes(member))
        writers.set(`${member} ${file}`, { member, file });
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
