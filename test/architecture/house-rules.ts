// The rules of the house as functions from source files to sentences about what breaks them.
import ts from 'typescript';
import { importsOf, isCode, nodesOf, type SourceFile } from './source-tree';

export type Rule = (files: readonly SourceFile[]) => readonly string[];

/** Rooms by the folder they start with, the longest first, so that page is not its door. */
const ROOMS = [
  'src/sidebar/page',
  'src/platform/apps-script',
  'src/functions',
  'src/sidebar',
  'src/triggers',
  'src/self-test',
  'src/bulk',
  'src/analysis',
  'src/api',
  'src/quota',
  'src/connection',
  'src/platform',
  'src/entry',
] as const;
type Room = (typeof ROOMS)[number];

const ENGINE: readonly Room[] = [
  'src/analysis',
  'src/api',
  'src/quota',
  'src/connection',
  'src/platform',
];
const BELOW_A_DOOR: readonly Room[] = ['src/bulk', ...ENGINE, 'src/platform/apps-script'];

/** What each room may know beside itself. */
const MAY_KNOW: Readonly<Record<Room, readonly Room[]>> = {
  'src/entry': ['src/functions', 'src/sidebar', 'src/triggers'],
  'src/functions': BELOW_A_DOOR,
  'src/sidebar': BELOW_A_DOOR,
  'src/triggers': BELOW_A_DOOR,
  // Its build stands in front of the usual doors; nothing imports it.
  'src/self-test': ['src/sidebar', 'src/triggers', ...BELOW_A_DOOR],
  'src/bulk': ENGINE,
  'src/analysis': ['src/api', 'src/quota', 'src/connection', 'src/platform'],
  'src/api': ['src/platform'],
  'src/quota': ['src/platform'],
  'src/connection': ['src/platform'],
  'src/platform': [],
  'src/platform/apps-script': ['src/platform'],
  // The page lives in a browser: of the server it knows the contract of rpc and the failures.
  'src/sidebar/page': ['src/analysis'],
};
const PAGE_KNOWS_OF_ITS_DOOR = /^src\/sidebar\/(?:rpc-methods|[a-z]+-contract)$/;

/** The packages that each side may put into what is pushed. */
const SERVER_PACKAGES: readonly string[] = ['zod/mini'];
const PAGE_PACKAGES: readonly string[] = ['preact', 'preact/hooks'];

/** Services of Google and the namespace of their types. */
const SERVICES: readonly string[] = [
  ...['CacheService', 'ContentService', 'Drive', 'DriveApp', 'GmailApp', 'GoogleAppsScript'],
  ...['HtmlService', 'LockService', 'Logger', 'MailApp', 'PropertiesService', 'ScriptApp'],
  ...['Session', 'SpreadsheetApp', 'UrlFetchApp', 'Utilities'],
];

/** A module is one noun with all that belongs to it; past this it is two. */
const LINES_MAX = 800;
const VAGUE_NAMES = /\/(?:index|utils?|helpers?|common|misc|types|constants)\.[a-z]+$/;

function roomOf(path: string): Room | undefined {
  return ROOMS.find(
    (room) => path === room || path.startsWith(`${room}/`) || path.startsWith(`${room}.`),
  );
}

function isAllowed(from: Room, to: Room, target: string): boolean {
  if (from === to || MAY_KNOW[from].includes(to)) return true;
  return from === 'src/sidebar/page' && PAGE_KNOWS_OF_ITS_DOOR.test(target);
}

export const importsPointOneWay: Rule = (files) =>
  files.filter(isCode).flatMap((file) => {
    const from = roomOf(file.path);
    if (from === undefined)
      return file.path.endsWith('.d.ts') ? [] : [`${file.path} is in no room`];
    return importsOf(file)
      .filter(({ isPackage }) => !isPackage)
      .filter(({ target }) => {
        const to = roomOf(target);
        return to === undefined || !isAllowed(from, to, target);
      })
      .map(({ target }) => `${file.path} may not import ${target}`);
  });

export const packagesAreFew: Rule = (files) =>
  files.filter(isCode).flatMap((file) => {
    const isPage = file.path.startsWith('src/sidebar/page/');
    const allowed = isPage ? PAGE_PACKAGES : SERVER_PACKAGES;
    return importsOf(file)
      .filter(({ isPackage, target }) => isPackage && !allowed.includes(target))
      .map(({ target }) => `${file.path} may not import the package ${target}`);
  });

export const importsMakeNoCircle: Rule = (files) => {
  const code = files.filter(isCode);
  const targets = new Map(
    code.map((file) => [
      file.path.replace(/\.\w+$/, ''),
      importsOf(file).map(({ target }) => target),
    ]),
  );
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(' → '));
    if (done.has(path) || way.includes(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...way, path]);
    done.add(path);
  };
  for (const path of targets.keys()) visit(path, []);
  return circles;
};

export const servicesStayInTheirRoom: Rule = (files) =>
  files
    .filter((file) => isCode(file) && roomOf(file.path) !== 'src/platform/apps-script')
    .flatMap((file) =>
      nodesOf(file)
        .filter((node) => ts.isIdentifier(node))
        .filter((node) => SERVICES.includes(node.text))
        .map((node) => `${file.path} names ${node.text}`),
    );

function isClockOrChance(node: ts.Node): boolean {
  if (ts.isNewExpression(node))
    return isNamed(node.expression, 'Date') && (node.arguments?.length ?? 0) === 0;
  if (ts.isCallExpression(node)) return isNamed(node.expression, 'Date');
  if (!ts.isPropertyAccessExpression(node)) return false;
  const isNow = isNamed(node.expression, 'Date') && node.name.text === 'now';
  return isNow || (isNamed(node.expression, 'Math') && node.name.text === 'random');
}

function isNamed(node: ts.Node, name: string): boolean {
  return ts.isIdentifier(node) && node.text === name;
}

export const timeAndChanceAreArguments: Rule = (files) =>
  files
    .filter((file) => isCode(file) && roomOf(file.path) !== 'src/platform/apps-script')
    .filter((file) => nodesOf(file).some(isClockOrChance))
    .map((file) => `${file.path} reads the clock or chance by itself`);

const isProbe = ({ path }: SourceFile): boolean => path === 'src/platform/apps-script/probes.ts';

/** What services throw is no Error of ours in every runtime, so nobody asks whether it is one. */
export const thrownIsTakenAsItIs: Rule = (files) =>
  // The probes find out what exceptions of services are.
  files
    .filter((file) => isCode(file) && !isProbe(file))
    .flatMap((file) =>
      nodesOf(file)
        .filter((node) => ts.isBinaryExpression(node))
        .filter(({ operatorToken, right }) => {
          const isAsked = operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword;
          return isAsked && ts.isIdentifier(right) && right.text === 'Error';
        })
        .map(() => `${file.path} asks for instanceof Error`),
    );

/** Two words in a row, as sentences have them and names do not; `\\s` stands for a space, too. */
const SENTENCE = /[a-z]{2,}(?: +|\\s[*+]?)(?:\(\??[:=!]?)?[a-z]{2,}/i;

/**
 * Google translates what it says, so an adapter can compare none of its sentences; and as adapters say
 * nothing themselves, a sentence in one is there to be compared.
 */
export const adaptersCompareNoSentences: Rule = (files) =>
  files
    .filter((file) => isCode(file) && roomOf(file.path) === 'src/platform/apps-script')
    // They name what they try out, and say nothing to anybody but the report.
    .filter((file) => !isProbe(file))
    .flatMap((file) =>
      nodesOf(file)
        .filter((node) => ts.isLiteralExpression(node) || ts.isTemplateLiteralToken(node))
        .filter((node) => SENTENCE.test(node.text))
        .map((node) => `${file.path} has the sentence ${node.text}`),
    );
/** What sleeps: each place bounds it by the time of its door. Everybody else calls `sleepUntil`. */
const SLEEPERS: readonly string[] = [
  ...['src/engine/engine.ts', 'src/engine/engine.ts'],
  ...['src/formulas/recalculate.ts', 'src/formulas/refresh.ts'],
  'src/sidebar/self-test.ts',
];

const isSleep = (node: ts.Node): boolean =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  node.expression.name.text === 'sleep';

export const waitsEndWithTheirDoor: Rule = (files) =>
  files
    .filter((file) => isCode(file) && roomOf(file.path) !== 'src/platform/apps-script')
    .filter((file) => !SLEEPERS.includes(file.path) && nodesOf(file).some(isSleep))
    .map((file) => `${file.path} sleeps by itself`);

/** The public lists, of the usual build and of the self-test's. */
const PUBLIC_LISTS: readonly string[] = ['src/entry.ts', 'src/self-test/entry.ts'];

/** Of our own files: the list of what is taken from a package is no detour to anything of ours. */
function passesOn(statement: ts.Statement): boolean {
  if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier === undefined) return false;
  const from = statement.moduleSpecifier;
  return ts.isStringLiteral(from) && from.text.startsWith('.');
}

export const thereAreNoBarrels: Rule = (files) =>
  files
    .filter((file) => isCode(file) && !PUBLIC_LISTS.includes(file.path))
    .filter(({ path, text }) => {
      const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext);
      return statements.length > 0 && statements.every(passesOn);
    })
    .map((file) => `${file.path} only passes on what others export`);

export const namesAreOfTheDomain: Rule = (files) =>
  files
    .filter(({ path }) => VAGUE_NAMES.test(path) && !path.endsWith('.html'))
    .map(({ path }) => `${path} does not say what it is for`);

/** A comment of at least three words: in scripts and CSS, in HTML, and below a `#!`. */
const FIRST_LINE = /^(?:#!.*\n)?(?:\/\/|\/\*\*?|<!--|#) \S+ \S+ \S+/;

export const filesSayWhatTheyAreFor: Rule = (files) =>
  files
    .filter(({ path }) => /\.(?:tsx?|mjs|cjs|css|html)$/.test(path))
    .filter(({ text }) => !FIRST_LINE.test(text))
    .map(({ path }) => `${path} does not start with a sentence about itself`);

export const filesAreShort: Rule = (files) =>
  files
    .filter(({ path }) => /\.(?:tsx?|mjs|cjs|css|html)$/.test(path))
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > LINES_MAX)
    .map(({ path, lines }) => `${path} has ${lines} lines, more than ${LINES_MAX}`);
