// The house: who may know whom, and what every file keeps to. Each rule is also shown to fire.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ADD_ON_NAME } from '../src/failures/add-on-name';
import {
  doorsOpenThePlatform,
  filesAreShort,
  filesSayWhatTheyAreFor,
  functionsFitOnAScreen,
  importsMakeNoCircle,
  importsPointOneWay,
  lockedFilesKnowNoSheet,
  nameStandsOnce,
  namesAreOfTheDomain,
  noSentenceIsCompared,
  onePlaceCalls,
  packagesAreFew,
  packagesAreUsedByName,
  probesKeepTheirPlace,
  type Rule,
  servicesStayInTheirRoom,
  textIsReadInOnePlace,
  thereAreNoBarrels,
  thrownIsTakenAsItIs,
  timeAndChanceAreArguments,
  waitsEndWithTheirDoor,
} from './architecture/house-rules';
import { platformIsTakenAsItIs } from './architecture/platform-as-it-is';
import { oneFolderWrites, permissionsToWriteAreUsed } from './architecture/sheet-writers';
import { readTree, type SourceFile } from './architecture/source-tree';

const ROOT = resolve(__dirname, '..');
const SOURCE = readTree(ROOT, 'src');
const EVERYTHING = ['src', 'probes', 'packages', 'playground', 'scripts', 'bench', 'test']
  .filter((folder) => existsSync(join(ROOT, folder)))
  .flatMap((folder) => readTree(ROOT, folder))
  // Built, and there only for whoever built it.
  .filter(({ path }) => !path.startsWith('probes/dist/'));

const RULES_OF_THE_SOURCE: readonly (readonly [string, Rule])[] = [
  ['imports point one way, room by room, from the doors to Google', importsPointOneWay],
  ['every function fits on a screen', functionsFitOnAScreen],
  ['imports make no circle', importsMakeNoCircle],
  ['nothing comes in from npm but zod/mini, preact and its signals', packagesAreFew],
  ['one folder names the services of Google', servicesStayInTheirRoom],
  ['only doors open the platform', doorsOpenThePlatform],
  ['clock and chance are read where Google is called', timeAndChanceAreArguments],
  ['no sentence of Google is compared', noSentenceIsCompared],
  ['platform and engines are taken as they are', platformIsTakenAsItIs],
  ['one place sends calls to the service', onePlaceCalls],
  ['whatever waits is bounded by the time of its door', waitsEndWithTheirDoor],
  ['who takes the lock reads and writes no sheet', lockedFilesKnowNoSheet],
  ['nothing relies on what services throw being an Error', thrownIsTakenAsItIs],
  [
    'one folder writes into sheets, and a list gets only formulas of ours and what a person asks for',
    oneFolderWrites,
  ],
  ['whoever may write into sheets does', permissionsToWriteAreUsed],
  ['one function takes characters that show nothing out of what is read', textIsReadInOnePlace],
];
const RULES_OF_EVERY_FILE: readonly (readonly [string, Rule])[] = [
  ['no file only passes on what others export', thereAreNoBarrels],
  ['every name says what the file is for', namesAreOfTheDomain],
  ["the add-on's name stands in one file", nameStandsOnce],
  ['every file starts with a sentence about itself', filesSayWhatTheyAreFor],
  ['no file is longer than 800 lines', filesAreShort],
  ['packages are used by their names', packagesAreUsedByName],
];

describe('the source of the add-on', () => {
  it('is found', () => {
    expect(SOURCE.map(({ path }) => path)).toContain('src/entry.ts');
  });

  it.each(RULES_OF_THE_SOURCE)('%s', (_name, rule) => {
    expect(rule(SOURCE)).toEqual([]);
  });
});

describe('the probes', () => {
  it('call Google in two files and use nothing of the add-on but its own calls of Google', () => {
    expect(probesKeepTheirPlace(readTree(ROOT, 'probes'))).toEqual([]);
  });
});

describe('every file', () => {
  it.each(RULES_OF_EVERY_FILE)('%s', (_name, rule) => {
    expect(rule(EVERYTHING)).toEqual([]);
  });
});

const file = (path: string, ...lines: readonly string[]): SourceFile => ({
  path,
  text: lines.join('\n'),
});

const SHEET = file(
  'src/google/sheet.ts',
  "export class Sheet { write(area: string, cells: string): string { return ''; } }",
);

const BROKEN: readonly (readonly [string, Rule, readonly SourceFile[]])[] = [
  [
    'a module that writes into lists',
    oneFolderWrites,
    [
      SHEET,
      file(
        'src/jobs/start.ts',
        "import type { Sheet } from '../google/sheet';",
        "export const start = (sheet: Sheet) => sheet.write('A1', 'OK');",
      ),
    ],
  ],
  [
    'a module that takes the way of writing for later',
    oneFolderWrites,
    [
      SHEET,
      file(
        'src/jobs/start.ts',
        "import type { Sheet } from '../google/sheet';",
        'export function start({ write }: Sheet): void {',
        "  write('A1', 'OK');",
        '}',
      ),
    ],
  ],
  [
    'a reader that cleans text by itself',
    textIsReadInOnePlace,
    [file('src/product/market.ts', 'const name = String(input).trim().toLowerCase();')],
  ],
  [
    'a reader with characters of its own that show nothing',
    textIsReadInOnePlace,
    [file('src/list/rows.ts', "const text = cell.replace(/[\\u200B\\uFEFF]/g, '');")],
  ],
  [
    'an arrow that runs back',
    importsPointOneWay,
    [file('src/service/request.ts', "import { analyze } from '../engine/analyze';")],
  ],
  [
    'an arrow that runs back for a type alone',
    importsPointOneWay,
    [file('src/limit/gate.ts', "import type { Engine } from '../engine/engine';")],
  ],
  [
    'a door that knows another door',
    importsPointOneWay,
    [file('src/functions/cell.ts', "import { rpc } from '../sidebar/api/rpc';")],
  ],
  [
    'a door that knows the probes',
    importsPointOneWay,
    [file('src/sidebar/menu.ts', "import { runProbes } from '../../probes/menu';")],
  ],
  [
    'a probe that knows more of the add-on than how it calls Google',
    probesKeepTheirPlace,
    [
      file(
        'probes/menu.ts',
        "import { connectionStore } from '../src/connection/connection-store';",
      ),
    ],
  ],
  [
    'a call to Google anywhere in the probes',
    probesKeepTheirPlace,
    [file('probes/report.ts', 'const text = SpreadsheetApp.getActiveSpreadsheet();')],
  ],
  [
    'a helper that knows another',
    importsPointOneWay,
    [
      file(
        'src/limit/gate.ts',
        "import { connectionStore } from '../connection/connection-store';",
      ),
    ],
  ],
  [
    'an engine that knows sheets',
    importsPointOneWay,
    [file('src/engine/ask.ts', "import { activeSheet } from '../google/spreadsheet';")],
  ],
  [
    'a server that knows the page',
    importsPointOneWay,
    [file('src/sidebar/api/rpc.ts', "import { Sidebar } from '../page/main';")],
  ],
  [
    'a page that knows the server',
    importsPointOneWay,
    [file('src/sidebar/page/main.tsx', "import { METHODS } from '../api/methods';")],
  ],
  [
    'a page that knows rpc',
    importsPointOneWay,
    [file('src/sidebar/page/main.tsx', "import type { rpc } from '../api/rpc';")],
  ],
  [
    'a method that opens a platform itself',
    doorsOpenThePlatform,
    [file('src/sidebar/api/jobs.ts', "import { googleLock } from '../../google/platform';")],
  ],
  [
    'a product that knows the playground',
    importsPointOneWay,
    [file('src/service/request.ts', "import { handle } from '../../playground/api/handle';")],
  ],
  [
    'a product that knows the tests, on demand',
    importsPointOneWay,
    [file('src/service/request.ts', "const load = () => import('../../test/client');")],
  ],
  ['a file outside of the rooms', importsPointOneWay, [file('src/shared/text.ts', '')]],
  [
    'two files that need each other',
    importsMakeNoCircle,
    [
      file('src/service/a.ts', "import { b } from './b';"),
      file('src/service/b.ts', "import { a } from './a';"),
    ],
  ],
  [
    'zod by its costly name',
    packagesAreFew,
    [file('src/service/parse-analysis.ts', "import { z } from 'zod';")],
  ],
  [
    'a package of the page in the server',
    packagesAreFew,
    [file('src/service/client.ts', "import { h } from 'preact';")],
  ],
  ['a module of Node', packagesAreFew, [file('src/service/client.ts', "import 'node:fs';")]],
  [
    'a test that reaches into a package',
    packagesAreUsedByName,
    [
      file(
        'test/doors/a.ts',
        "import { say } from '../../packages/apps-script-host/src/messages';",
      ),
    ],
  ],
  [
    'a service in a door',
    servicesStayInTheirRoom,
    [file('src/sidebar/menu.ts', 'SpreadsheetApp.getUi();')],
  ],
  [
    "a type of Google's in the engine",
    servicesStayInTheirRoom,
    [file('src/engine/ask.ts', 'let event: GoogleAppsScript.Events.SheetsOnOpen;')],
  ],
  [
    "Google's own sheet in a module of lists",
    servicesStayInTheirRoom,
    [file('src/list/sheet-in-view.ts', 'const cells = sheet.googleSheet.getDataRange();')],
  ],
  ['the clock', timeAndChanceAreArguments, [file('src/limit/limit.ts', 'Date.now();')]],
  ['the clock as an object', timeAndChanceAreArguments, [file('src/service/a.ts', 'new Date();')]],
  ['the clock as a text', timeAndChanceAreArguments, [file('src/service/a.ts', 'Date();')]],
  ['chance', timeAndChanceAreArguments, [file('src/limit/limit.ts', 'Math.random();')]],
  ['chance, not yet called', timeAndChanceAreArguments, [file('src/a.ts', 'f(Math.random);')]],
  ...[
    '/too many/i.test(words)',
    '/too\\smany/.test(words)',
    "words.includes('too many')",
    '`too many`',
  ].map((text): (typeof BROKEN)[number] => [
    `a sentence that is compared: ${text}`,
    noSentenceIsCompared,
    [file('src/google/a.ts', `const is = ${text};`)],
  ]),
  [
    'an engine with another gate',
    platformIsTakenAsItIs,
    [
      file('src/limit/gate.ts', 'export interface Gate { book(): number }'),
      file(
        'src/engine/engine.ts',
        "import type { Gate } from '../limit/gate';",
        'export interface Engine { readonly gate: Gate; readonly name: string }',
      ),
      file(
        'src/jobs/ask.ts',
        "import type { Engine } from '../engine/engine';",
        'const slow = (engine: Engine) => ({ ...engine, gate: { book: () => 1 } });',
      ),
    ],
  ],
  [
    'a part of a platform whose clock goes another way',
    platformIsTakenAsItIs,
    [
      file(
        'src/google/platform.ts',
        'export interface Clock { nowMs(): number; sleep(ms: number): void }',
        'export interface Platform { readonly clock: Clock; readonly zone: string }',
      ),
      file(
        'src/jobs/ask.ts',
        "import type { Platform } from '../google/platform';",
        "const at = ({ clock }: Pick<Platform, 'clock'>) => ({ ...clock, ...{ nowMs: () => 0 } });",
      ),
    ],
  ],
  ['a call of its own', onePlaceCalls, [file('src/jobs/ask.ts', 'platform.http.sendAll([]);')]],
  [
    'a sheet where the lock is taken',
    lockedFilesKnowNoSheet,
    [
      file(
        'src/jobs/job.ts',
        "import { sheetById } from '../google/spreadsheet';",
        'export const begin = () => lock.run(10_000, () => sheetById(1));',
      ),
    ],
  ],
  ['a wait of its own', waitsEndWithTheirDoor, [file('src/jobs/ask.ts', 'clock.sleep(5);')]],
  [
    'what was thrown and asked for its class',
    thrownIsTakenAsItIs,
    [file('src/a.ts', 'const text = thrown instanceof Error ? thrown.message : String(thrown);')],
  ],
  ['a barrel', thereAreNoBarrels, [file('src/service/all.ts', "export * from './client';")]],
  ['a vague name', namesAreOfTheDomain, [file('src/service/utils.ts', '')]],
  [
    "a sentence with the add-on's name written out",
    nameStandsOnce,
    [file('src/sidebar/menu.ts', `const TITLE = '${ADD_ON_NAME}';`)],
  ],
  ['a file without a word about itself', filesSayWhatTheyAreFor, [file('src/a.ts', 'f();')]],
  ['a long file', filesAreShort, [file('src/a.ts', ...Array.from({ length: 801 }, () => 'f();'))]],
];

const KEPT: readonly (readonly [string, Rule, readonly SourceFile[]])[] = [
  [
    'a door on the engine and the platform',
    importsPointOneWay,
    [
      file(
        'src/functions/cell.ts',
        "import { analyze } from '../engine/analyze';",
        "import { googlePlatform } from '../google/platform';",
      ),
    ],
  ],
  [
    'the page on the types of its methods',
    importsPointOneWay,
    [
      file(
        'src/sidebar/page/state.ts',
        "import type { Value } from '../api/methods';",
        "import type { Choice } from '../../list/choice';",
      ),
    ],
  ],
  [
    'a service that is only spoken of',
    servicesStayInTheirRoom,
    [file('src/service/a.ts', '// Unlike CacheService, a text.', "const text = 'Session over';")],
  ],
  [
    'a date made from a number',
    timeAndChanceAreArguments,
    [file('src/service/a.ts', 'const at = (nowMs: number) => new Date(nowMs);')],
  ],
  [
    'what Google does not translate',
    noSentenceIsCompared,
    [
      file('src/google/a.ts', "const is = /[:：]\\s*urlfetch|time-based/.test('getRange');"),
      file('src/sidebar/menu.ts', "const title = 'Open sidebar';"),
    ],
  ],
  [
    'a platform with something beside it, and data with another value in it',
    platformIsTakenAsItIs,
    [
      file(
        'src/google/platform.ts',
        'export interface Clock { nowMs(): number }',
        'export interface Platform { readonly clock: Clock }',
        'export interface Area { readonly row: number }',
      ),
      file(
        'src/jobs/ask.ts',
        "import type { Area, Platform } from '../google/platform';",
        'const more = (platform: Platform) => ({ ...platform, sheet: 1 });',
        'const below = (area: Area) => ({ ...area, row: area.row + 1 });',
      ),
    ],
  ],
  [
    'a lease and triggers where the lock is taken',
    lockedFilesKnowNoSheet,
    [
      file(
        'src/jobs/clock.ts',
        "import { beforeWrite } from '../google/lease';",
        "import { makeTrigger } from '../google/triggers';",
        'export const begin = () => platform.lock.run(10_000, () => makeTrigger());',
      ),
    ],
  ],
  ['the public list', thereAreNoBarrels, [file('src/entry.ts', "export { rpc } from './rpc';")]],
];

describe('the rules', () => {
  it.each(BROKEN)('notice %s', (_what, rule, files) => {
    expect(rule(files)).toHaveLength(1);
  });

  it.each(KEPT)('allow %s', (_what, rule, files) => {
    expect(rule(files)).toEqual([]);
  });
});
