// The rules of the house as functions from source files to sentences about what breaks them.
import ts from 'typescript';
import { ADD_ON_NAME } from '../../src/failures/add-on-name';
import { type Import, importsOf, isCode, nodesOf, type SourceFile } from './source-tree';

export type Rule = (files: readonly SourceFile[]) => readonly string[];

/** Server rooms from the doors down: each may know those below it, and none beside it. */
const RANKS: readonly (readonly string[])[] = [
  ['src/functions', 'src/sidebar', 'src/triggers'],
  ['src/sidebar/api'],
  ['src/schedules'],
  ['src/formulas', 'src/jobs'],
  ['src/deal'],
  ['src/list'],
  ['src/analysis'],
  ['src/sheet'],
  ['src/engine'],
  ['src/cache'],
  ['src/service'],
  ['src/limit', 'src/connection'],
  ['src/product'],
  ['src/failures'],
  ['src/google'],
  ['src/schema'],
];

/** The page lives in a browser. Its pages do not know each other. */
const PAGE = 'src/sidebar/page';
const PAGE_RANKS: readonly (readonly string[])[] = [
  [PAGE],
  [`${PAGE}/list`, `${PAGE}/schedule`, `${PAGE}/connection`],
  [`${PAGE}/ui`],
];
/**
 * Of the server the page runs the tables of figures, markets and failures, how a product or a
 * typed number is read, what answers agree on, and what decides on deals without a sheet: cells load none of that.
 */
const PAGE_RUNS =
  /^src\/(?:failures\/[a-z-]+|product\/(?:asin|cell-text|fields|market|cost|vat|verdict|deal-formulas|deal-rules|offer-costs|typed-cost)|list\/cost-choice|deal\/(?:decision-plan|product-card|rules-tab|new-sheet|sum))$/;

const ENTRY = 'src/entry';
/** Where Google is called. */
const GOOGLE = 'src/google';
/** Rooms that get the clock, HTTP and the stores from their callers, and know no sheet. */
const WITHOUT_SHEETS: readonly string[] = [
  ...['src/engine', 'src/cache', 'src/service', 'src/limit', 'src/connection', 'src/product'],
  'src/failures',
];
const DOORS = ['src/functions', 'src/sidebar', 'src/triggers'];
/** The one file of `sidebar/api` that opens the platform for the rest, as the doors do. */
const RPC = 'src/sidebar/api/rpc';
const KNOWS_API = ['src/sidebar'];
const PLATFORM = 'src/google/platform';

const ROOMS = [...RANKS.flat(), ...PAGE_RANKS.flat(), ENTRY];

/** The packages that each side may put into what is pushed. */
const SERVER_PACKAGES: readonly string[] = ['zod/mini'];
const PAGE_PACKAGES: readonly string[] = [
  ...['@preact/signals', '@preact/signals-core'],
  ...['preact', 'preact/hooks'],
];

/** Services of Google, the namespace of their types, and the member that holds Google's own sheet. */
const SERVICES: readonly string[] = [
  ...['CacheService', 'ContentService', 'Drive', 'DriveApp', 'GmailApp', 'GoogleAppsScript'],
  ...['HtmlService', 'LockService', 'Logger', 'MailApp', 'PropertiesService', 'ScriptApp'],
  ...['Session', 'SpreadsheetApp', 'UrlFetchApp', 'Utilities', 'googleSheet'],
];

/** A module is one noun with all that belongs to it; past this it is two. */
export const LINES_MAX = 800;
export const FUNCTION_LINES_MAX = 60;
const VAGUE_NAMES = /\/(?:index|utils?|helpers?|common|misc|types|constants)\.[a-z]+$/;

/** The room of a file, or of the path by which one is imported. */
function roomOf(path: string): string | undefined {
  if (path === ENTRY || path === `${ENTRY}.ts`) return ENTRY;
  const folder = path.slice(0, path.lastIndexOf('/'));
  return ROOMS.find((room) => room === folder);
}

const rankIn = (ranks: readonly (readonly string[])[], room: string) =>
  ranks.findIndex((rooms) => rooms.includes(room));

function isAllowed(from: string, to: string, { target, isType }: Import): boolean {
  if (from === to) return true;
  if (from === ENTRY) return [...DOORS, 'src/sidebar/api'].includes(to);
  if (rankIn(PAGE_RANKS, from) >= 0) {
    if (PAGE_RUNS.test(target) || rankIn(PAGE_RANKS, from) < rankIn(PAGE_RANKS, to)) return true;
    // What is asked and answered has one declaration, the server's. Google's services have no types here.
    return isType && rankIn(RANKS, to) >= 0 && target !== RPC;
  }
  if (to === GOOGLE && WITHOUT_SHEETS.includes(from) && !isType && target !== PLATFORM)
    return false;
  if (to === 'src/sidebar/api') return KNOWS_API.includes(from);
  // Doors do not know each other.
  return rankIn(RANKS, from) < rankIn(RANKS, to);
}

export const importsPointOneWay: Rule = (files) =>
  files.filter(isCode).flatMap((file) => {
    const from = roomOf(file.path);
    if (from === undefined)
      return file.path.endsWith('.d.ts') ? [] : [`${file.path} is in no room`];
    return importsOf(file)
      .filter(({ isPackage }) => !isPackage)
      .filter((one) => {
        const to = roomOf(one.target);
        return to === undefined || !isAllowed(from, to, one);
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

/** A function's own lines: those of functions inside it are theirs, so a factory is as long as its setting up. */
function ownLines(node: ts.Node, file: ts.SourceFile): number {
  const linesOf = (one: ts.Node) =>
    file.getLineAndCharacterOfPosition(one.end).line -
    file.getLineAndCharacterOfPosition(one.getStart(file)).line;
  let lines = linesOf(node) + 1;
  const visit = (inner: ts.Node): void => {
    if (ts.isFunctionLike(inner) && 'body' in inner) lines -= linesOf(inner);
    else ts.forEachChild(inner, visit);
  };
  ts.forEachChild(node, visit);
  return lines;
}

export const functionsFitOnAScreen: Rule = (files) =>
  files.filter(isCode).flatMap(({ path, text }) => {
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
    const long: string[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isFunctionLike(node) && ownLines(node, file) > FUNCTION_LINES_MAX) {
        const name = node.name?.getText(file) ?? 'a function';
        long.push(`${path}: ${name} has ${ownLines(node, file)} lines of its own`);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
    return long;
  });

/** What others get of a package is what its manifest gives out. */
export const packagesAreUsedByName: Rule = (files) =>
  files
    .filter((file) => isCode(file) && !file.path.startsWith('packages/'))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ isPackage, target }) => !isPackage && target.startsWith('packages/'))
        .map(({ target }) => `${file.path} reaches into ${target}`),
    );

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

const servicesIn = (file: SourceFile): readonly string[] =>
  nodesOf(file)
    .filter((node) => ts.isIdentifier(node))
    .map(({ text }) => text)
    .filter((name) => SERVICES.includes(name));

export const servicesStayInTheirRoom: Rule = (files) =>
  files
    .filter((file) => isCode(file) && roomOf(file.path) !== GOOGLE)
    .flatMap((file) => servicesIn(file).map((name) => `${file.path} names ${name}`));

/** What opens the clock, the stores and the lock at Google. */
const OPENS = /^google(?:Platform|Clock|Random|Lock)$/;

/** Everybody else is given them, so that a door decides what a call works with. */
export const doorsOpenThePlatform: Rule = (files) =>
  files
    .filter(isCode)
    .filter(({ path }) => path !== `${RPC}.ts`)
    .filter(({ path }) => ![GOOGLE, ...DOORS].includes(roomOf(path) ?? ''))
    .flatMap((file) =>
      nodesOf(file)
        .filter((node) => ts.isImportSpecifier(node) && OPENS.test(node.name.text))
        .map(() => `${file.path} opens the platform`),
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

/** Of the probes' files those that call Google; the others are tables and words. */
const PROBES_AT_GOOGLE: readonly string[] = ['probes/analysis-tab.ts', 'probes/google.ts'];
/** What they use of the add-on: its name, and its calls, which they hold against what Google says. */
const PROBED = /^src\/(?:google\/|failures\/add-on-name$)/;

export const probesKeepTheirPlace: Rule = (files) =>
  files.filter(isCode).flatMap((file) => [
    ...servicesIn(file)
      .filter(() => !PROBES_AT_GOOGLE.includes(file.path))
      .map((name) => `${file.path} names ${name}`),
    ...importsOf(file)
      .map(({ target }) => target)
      .filter((target) => !target.startsWith('probes/') && !PROBED.test(target))
      .map((target) => `${file.path} may not import ${target}`),
  ]);

export const timeAndChanceAreArguments: Rule = (files) =>
  files
    .filter((file) => isCode(file) && roomOf(file.path) !== GOOGLE)
    .filter((file) => nodesOf(file).some(isClockOrChance))
    .map((file) => `${file.path} reads the clock or chance by itself`);

/** What services throw is no Error of ours in every runtime, so nobody asks whether it is one. */
export const thrownIsTakenAsItIs: Rule = (files) =>
  files.filter(isCode).flatMap((file) =>
    nodesOf(file)
      .filter((node) => ts.isBinaryExpression(node))
      .filter(({ operatorToken, right }) => {
        const isAsked = operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword;
        return isAsked && ts.isIdentifier(right) && right.text === 'Error';
      })
      .map(() => `${file.path} asks for instanceof Error`),
  );

/** Where text that people type, paste or import is read, and the one file that cleans it. */
const READERS =
  /^src\/(?:product|connection|deal|list|functions|sidebar\/page)\/|^src\/formulas\/arguments\.ts$/;
const CLEANER = 'src/product/cell-text.ts';

/** Trimming, and patterns of characters that show nothing: each reader would leave out others. */
const OWN_CLEANING =
  /\.trim(?:Start|End)?\(|\\p\{(?:C[cf]|Default_Ignorable_Code_Point|DI)\}|\[[^\]\n]*\\u(?:00ad|061c|180e|200[b-f]|202[a-e]|206\w|feff)/i;

export const textIsReadInOnePlace: Rule = (files) =>
  files
    .filter((file) => isCode(file) && READERS.test(file.path) && file.path !== CLEANER)
    .filter(({ text }) => OWN_CLEANING.test(text))
    .map(({ path }) => `${path} cleans text by itself`);

/** Two words in a row, as sentences have them and names do not; `\\s` stands for a space, too. */
const SENTENCE = /[a-z]{2,}(?: +|\\s[*+]?)(?:\(\??[:=!]?)?[a-z]{2,}/i;

/**
 * Google translates what it says, so none of its sentences can be compared; and as nothing is said to
 * people where Google is called, a sentence there is meant to be compared.
 */
export const noSentenceIsCompared: Rule = (files) =>
  files
    .filter((file) => isCode(file) && roomOf(file.path) === GOOGLE)
    .flatMap((file) =>
      nodesOf(file)
        .filter((node) => ts.isLiteralExpression(node) || ts.isTemplateLiteralToken(node))
        .filter((node) => SENTENCE.test(node.text))
        .map((node) => `${file.path} has the sentence ${node.text}`),
    );
/** What sleeps: each place bounds it by the time of its door. Everybody else calls `sleepUntil`. */
const SLEEPERS: readonly string[] = ['src/engine/call.ts', 'src/formulas/refresh.ts'];

const isSleep = (node: ts.Node): boolean =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  node.expression.name.text === 'sleep';

export const waitsEndWithTheirDoor: Rule = (files) =>
  files
    .filter((file) => isCode(file) && roomOf(file.path) !== GOOGLE)
    .filter((file) => !SLEEPERS.includes(file.path) && nodesOf(file).some(isSleep))
    .map((file) => `${file.path} sleeps by itself`);

/** The one place that sends calls. */
const CALLER = 'src/engine/call.ts';

const isCall = (node: ts.Node): boolean =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  node.expression.name.text === 'sendAll';

export const onePlaceCalls: Rule = (files) =>
  files
    .filter((file) => isCode(file) && roomOf(file.path) !== GOOGLE)
    .filter((file) => file.path !== CALLER && nodesOf(file).some(isCall))
    .map((file) => `${file.path} calls the service by itself`);

/** What of Google's is safe while cells wait for the lock: none of it reads or writes a sheet. */
const UNDER_LOCK: readonly string[] = ['platform', 'lease', 'service-call', 'triggers'];

/** `lock.run(…)`, `platform.lock.run(…)` */
const TAKES_LOCK = /\block\.run\(/;

/** Sheet calls wait for cells that compute, and these wait for the lock: sheets have a lease instead. */
export const lockedFilesKnowNoSheet: Rule = (files) =>
  files
    .filter((file) => isCode(file) && TAKES_LOCK.test(file.text))
    .flatMap((file) =>
      importsOf(file)
        .map(({ target }) => target)
        .filter((target) => roomOf(target) === GOOGLE)
        .filter((target) => !UNDER_LOCK.some((name) => target === `${GOOGLE}/${name}`))
        .map((target) => `${file.path} takes the lock and may not import ${target}`),
    );

/** The public lists, of the add-on and of the probes. */
const PUBLIC_LISTS: readonly string[] = ['src/entry.ts', 'probes/entry.ts'];

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

/** Whoever publishes the add-on under another name changes it in one file. */
const NAMED_IN = 'src/failures/add-on-name.ts';

export const nameStandsOnce: Rule = (files) =>
  files
    .filter((file) => isCode(file) && file.path !== NAMED_IN && file.text.includes(ADD_ON_NAME))
    .map(({ path }) => `${path} writes the add-on's name, which ${NAMED_IN} has`);

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
