// COVERAGE.md: which members of Google's classes are here, read from the code and from @types/google-apps-script.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '..');
const PAGE = join(ROOT, 'COVERAGE.md');
const MEMBERS = join(ROOT, 'src/realm/google-members.ts');

/** Where the types of Google's classes are, by namespace, of the services that are emulated. */
const NAMESPACES = [
  ...['Base', 'Cache', 'Charts', 'Content', 'HTML', 'Lock', 'Mail', 'Properties', 'Script'],
  ...['Spreadsheet', 'URL_Fetch', 'Utilities'],
];

/** Classes whose objects scripts know by another name. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  ConditionalFormatBooleanCondition: 'Spreadsheet.BooleanCondition',
  ConditionalFormatGradientCondition: 'Spreadsheet.GradientCondition',
  WeekDay: 'Base.Weekday',
};

/** Every project has these too (reference of Apps Script, "Google Workspace services" and "utilities"). */
const NOT_EMULATED: readonly string[] = [
  ...['CalendarApp', 'CardService', 'ConferenceDataService', 'ContactsApp', 'DataStudioApp'],
  ...['DocumentApp', 'DriveApp', 'FormApp', 'GmailApp', 'GroupsApp', 'Jdbc', 'LanguageApp'],
  ...['LinearOptimizationService', 'Maps', 'SitesApp', 'SlidesApp', 'XmlService'],
];

/** Not Google's: the language's own, which Google documents elsewhere. */
const NO_CLASSES: readonly string[] = ['console'];

interface Coverage {
  readonly name: string;
  readonly here: readonly string[];
  readonly missing: readonly string[];
}

function programOf(): ts.Program {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(ROOT, 'src', name));
  return ts.createProgram(files, {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: ['node', 'google-apps-script'],
    typeRoots: [join(dirname(require.resolve('@types/node/package.json')), '..')],
  });
}

/** Members by class: what the objects have that `guard` and `enumeration` hand to scripts. */
function membersHere(program: ts.Program): ReadonlyMap<string, ReadonlySet<string>> {
  const checker = program.getTypeChecker();
  const found = new Map<string, Set<string>>();
  const add = (name: string, members: readonly string[]) => {
    const known = found.get(name) ?? new Set();
    for (const member of members) known.add(member);
    found.set(name, known);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const called = node.expression.getText().split('.').at(-1);
      const [name, members] = node.arguments;
      if (name && members && ts.isStringLiteral(name)) {
        const type = checker.getTypeAtLocation(withoutSatisfies(members));
        if (called === 'guard') {
          add(name.text, type.getProperties().map(nameOf));
          for (const more of node.arguments.slice(2)) {
            const made = checker.getTypeAtLocation(more).getCallSignatures()[0];
            if (made) add(name.text, made.getReturnType().getProperties().map(nameOf));
          }
        }
        if (called === 'enumeration') add(name.text, textsOf(members, checker));
      }
    }
    ts.forEachChild(node, visit);
  };
  for (const file of program.getSourceFiles())
    if (file.fileName.includes('/src/services/')) visit(file);
  return found;
}

const nameOf = ({ name }: ts.Symbol): string => name;

const withoutSatisfies = (node: ts.Expression): ts.Expression =>
  ts.isSatisfiesExpression(node) || ts.isAsExpression(node) ? node.expression : node;

/** The texts of a list, also where it is declared elsewhere or spread from others. */
function textsOf(node: ts.Expression, checker: ts.TypeChecker): readonly string[] {
  if (ts.isStringLiteral(node)) return [node.text];
  if (ts.isParenthesizedExpression(node) || ts.isSpreadElement(node))
    return textsOf(node.expression, checker);
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
    return textsOf(node.expression, checker);
  if (ts.isArrayLiteralExpression(node))
    return node.elements.flatMap((element) => textsOf(element, checker));
  const elsewhere = ts.isIdentifier(node) ? declared(node, checker) : undefined;
  if (elsewhere === undefined) throw new Error(`${node.getText()} is no list of names.`);
  return textsOf(elsewhere, checker);
}

function declared(name: ts.Identifier, checker: ts.TypeChecker): ts.Expression | undefined {
  const symbol = checker.getSymbolAtLocation(name);
  const isAlias = symbol && (symbol.flags & ts.SymbolFlags.Alias) !== 0;
  const declaration = (isAlias ? checker.getAliasedSymbol(symbol) : symbol)?.valueDeclaration;
  return declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
}

/** Members of Google's classes, by class; what they have of Object is nobody's work. */
function membersOfGoogle(program: ts.Program): ReadonlyMap<string, readonly string[]> {
  const checker = program.getTypeChecker();
  const google = checker
    .resolveName('GoogleAppsScript', undefined, ts.SymbolFlags.Namespace, false)
    ?.exports?.values();
  const namespaces = [...(google ?? [])].filter(({ name }) => NAMESPACES.includes(name));
  const classes = namespaces.flatMap((namespace) =>
    [...(namespace.exports?.values() ?? [])].map((one) => {
      const isEnum = (one.flags & ts.SymbolFlags.Enum) !== 0;
      const members = isEnum
        ? [...(one.exports?.keys() ?? [])].map(String)
        : checker.getDeclaredTypeOfSymbol(one).getProperties().map(nameOf);
      return { name: one.name, qualified: `${namespace.name}.${one.name}`, members };
    }),
  );
  const named = new Map(classes.map(({ qualified, members }) => [qualified, members]));
  return new Map([
    ...classes.map(({ name, members }) => [name, members] as const),
    ...Object.entries(TYPE_NAMES).map(([name, type]) => [name, named.get(type) ?? []] as const),
  ]);
}

function coverage(program: ts.Program, google: ReadonlyMap<string, readonly string[]>) {
  return [...membersHere(program)]
    .filter(([name]) => !NO_CLASSES.includes(name))
    .map(([name, members]): Coverage => {
      const all = google.get(name);
      if (all === undefined) throw new Error(`Google's types know no class ${name}.`);
      const here = all.filter((member) => members.has(member)).sort();
      return { name, here, missing: all.filter((member) => !members.has(member)).sort() };
    })
    .sort((one, other) => one.name.localeCompare(other.name));
}

const HEAD = `# What of Google's services is here

Written by \`npm run coverage -w apps-script-host\` from the code and from the types of
@types/google-apps-script; a test holds it true. A member of Google's that is not here throws its name
("Spreadsheet.getImages is not emulated") and is never silently missing.
`;

const counted = ({ here, missing }: Omit<Coverage, 'name'>) =>
  `${here.length} of ${here.length + missing.length}`;

/** What the host itself has to know: which of Google's members it lacks. */
export function googleMembers({ program, classes }: Found): string {
  const line = ([name, members]: readonly [string, readonly string[]]) =>
    `  ${name}: '${members.join(' ')}',`;
  const missing = classes
    .filter(({ missing }) => missing.length > 0)
    .map(({ name, missing }) => [name, missing] as const);
  const checker = program.getTypeChecker();
  const services = NOT_EMULATED.map((name) => {
    const symbol = checker.resolveName(name, undefined, ts.SymbolFlags.Value, false);
    if (symbol === undefined) throw new Error(`Google's types know no service ${name}.`);
    return [name, checker.getTypeOfSymbol(symbol).getProperties().map(nameOf).sort()] as const;
  });
  return [
    '// Written by `npm run coverage -w apps-script-host` from the types of @types/google-apps-script.',
    '// biome-ignore-all format: a class a line',
    '',
    '/** Members of Google that are not here, by the class that has them. */',
    'export const MISSING: Readonly<Record<string, string>> = {',
    ...missing.map(line),
    '};',
    '',
    '/** Members of the services of which nothing is here. */',
    'export const MEMBERS_OF_SERVICES: Readonly<Record<string, string>> = {',
    ...services.map(line),
    '};',
    '',
  ].join('\n');
}

interface Found {
  readonly program: ts.Program;
  readonly google: ReadonlyMap<string, readonly string[]>;
  readonly classes: readonly Coverage[];
}

export function found(): Found {
  const program = programOf();
  const google = membersOfGoogle(program);
  return { program, google, classes: coverage(program, google) };
}

export function coveragePage({ google, classes }: Found): string {
  const absent = [...google.keys()].filter((name) => !classes.some((one) => one.name === name));
  const all = {
    here: classes.flatMap(({ here }) => here),
    missing: classes.flatMap(({ missing }) => missing),
  };
  const row = (one: Coverage) =>
    `| ${one.name} | ${counted(one)} | ${one.here.join(', ')} | ${one.missing.join(', ') || '–'} |`;
  return [
    HEAD,
    `${counted(all)} members of ${classes.length} classes.\n`,
    '| class | members | here | not here |',
    '|---|---|---|---|',
    ...classes.map(row),
    '',
    `Of the same services, not here at all: ${absent.sort().join(', ')}.`,
    '',
  ].join('\n');
}

if (require.main === module) {
  const all = found();
  writeFileSync(PAGE, coveragePage(all));
  writeFileSync(MEMBERS, googleMembers(all));
  const [counts] = /\d+ of \d+ members of \d+ classes/.exec(readFileSync(PAGE, 'utf8')) ?? [];
  console.log(`Written ${PAGE}: ${counts}`);
}
