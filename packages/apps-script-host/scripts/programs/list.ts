// Programs that others have published, each with its main job and what comes of it. What is expected follows from
// what the program says of itself; its code is not here.

import type { ProjectHost, ProjectHostOptions } from '../../src/project-host';

export interface Program {
  /** Owner and name at GitHub. */
  readonly repository: string;
  readonly commit: string;
  /** A folder that clasp would push, or single files. */
  readonly files: readonly string[];
  readonly job: string;
  /** Cells, sites, answers and services that the job needs. */
  readonly options?: Omit<ProjectHostOptions, 'files' | 'projectDir'>;
  /** Functions beside the program's own, such as what uses a library. */
  readonly driver?: string;
  readonly play: (host: ProjectHost) => Promise<unknown>;
  readonly expected: unknown;
}

const resultOf = async (host: ProjectHost, name: string, ...args: readonly unknown[]) => {
  const { ok, value, error } = await host.run(name, ...args);
  if (!ok) throw new Error(`${error.name}: ${error.message}`);
  return value;
};

const run =
  (name: string, ...args: readonly unknown[]) =>
  (host: ProjectHost) =>
    resultOf(host, name, ...args);

const cell = (formula: string) => async (host: ProjectHost) => {
  const { ok, value, error } = await host.cell(formula);
  if (!ok) throw new Error(`${error.name}: ${error.message}`);
  return value;
};

/** Runs functions one after the other, and looks at cells. */
const shows =
  (address: string, ...names: readonly string[]) =>
  async (host: ProjectHost) => {
    for (const name of names) await resultOf(host, name);
    return host.values(address);
  };

const json = (value: unknown) => () => JSON.stringify(value);

const CELL_FUNCTIONS = {
  repository: 'jackcarey/google-sheets-custom-functions',
  commit: 'cb91be5bbc85d7d25c95d1acb0bd56e834c3fe7f',
};
const TEXT_FUNCTIONS = {
  repository: 'pfdt/google-sheets-custom-functions',
  commit: '8865a26dc3f880932eb264d4c782c8bc32fc1d72',
};
const EVE_SCRIPTS = {
  repository: 'fuzzysteve/eve-googledocs-script',
  commit: '0f6f15f18ce50b05b75706bd1352ab3edcd782a5',
};
const SNIPPETS = {
  repository: 'rafa-guillermo/Google-Apps-Script-Useful-Snippets',
  commit: '0edf7e2707851417b2f238be7cecd2b9be15d7df',
};
const SAMPLES = {
  repository: 'googleworkspace/apps-script-samples',
  commit: '8a31678d1d7e7eb9ab5e937adcc12b216ad9d4cb',
};
const PROJECTS = {
  repository: 'ashtonfei/google-apps-script-projects',
  commit: 'cb1a4377da067325273f7102a569b9909ea85c94',
};
const SHEET_LIBRARY = {
  repository: 'Max-Makhrov/GoogleSheets',
  commit: '45b363d050b53f0da0859390014463f96ef8547d',
};

/** What a geocoder knows of one place. */
const MAPS = {
  Maps: {
    newGeocoder: () => ({
      geocode: () => ({ results: [{ geometry: { location: { lat: 38.9, lng: -77 } } }] }),
    }),
    newDirectionFinder: () => {
      const finder = {
        setOrigin: () => finder,
        setDestination: () => finder,
        getDirections: () => ({
          status: 'OK',
          routes: [{ legs: [{ distance: { value: 1_609 } }] }],
        }),
      };
      return finder;
    },
  },
};

const sheetsNamed = (...names: readonly string[]) =>
  `function prepare() { ${names.map((name) => `SpreadsheetApp.getActive().insertSheet('${name}');`).join(' ')} }`;

export const PROGRAMS: readonly Program[] = [
  {
    repository: 'joe-broadhead/apps-script-tools',
    commit: 'de3876d9f8afd3a7c64b82d69d43a3f74ab089db',
    files: ['apps_script_tools'],
    job: 'a library of 562 files passes its own tests',
    play: async (host) => {
      const { logs } = await host.run('runAllTests');
      const [, passed, all] = /(\d+)\/(\d+) tests passed/.exec(logs.join('\n')) ?? [];
      return passed !== undefined && passed === all && Number(all) >= 1_597;
    },
    expected: true,
  },
  {
    repository: 'custom-functions/google-sheets',
    commit: 'ca92821652ee5615d7667e68575bcba0475e4671',
    files: ['functions/MD5.gs'],
    job: 'MD5 gives the digest of a text',
    play: cell('=MD5("abc")'),
    expected: '900150983cd24fb0d6963f7d28e17f72',
  },
  {
    ...CELL_FUNCTIONS,
    files: ['EXPLODE.gs'],
    job: 'EXPLODE makes a row of each part of a text',
    options: {
      cells: [
        ['ANIMAL', 'NAMES'],
        ['Dog', 'Milo,Bella'],
      ],
    },
    play: cell('=EXPLODE(A1:B2, "NAMES", ",")'),
    expected: [
      ['ANIMAL', 'NAMES'],
      ['Dog', 'Milo'],
      ['Dog', 'Bella'],
    ],
  },
  {
    ...CELL_FUNCTIONS,
    files: ['GREEDY.gs'],
    job: 'GREEDY counts the coins of a sum',
    options: { cells: [[50], [20], [10], [5], [2], [1]] },
    play: cell('=GREEDY(A1:A6, 93)'),
    expected: [
      [50, 1],
      [20, 2],
      [10, 0],
      [5, 0],
      [2, 1],
      [1, 1],
    ],
  },
  {
    ...CELL_FUNCTIONS,
    files: ['grabCSV.gs'],
    job: 'scheduled imports a CSV file into a sheet, which it protects',
    options: { sites: { 'example.com': () => 'a,b\n1,"x, y"' } },
    play: shows("'CSV Import'!A1:B2", 'scheduled'),
    expected: [
      ['a', 'b'],
      [1, 'x, y'],
    ],
  },
  {
    ...TEXT_FUNCTIONS,
    files: ['custom-functions/tracking.gs'],
    job: 'UTMtag makes the parameters of a link',
    play: cell('=UTMtag("social", "example", "spring")'),
    expected: '?utm_source=example&utm_medium=social&utm_campaign=spring',
  },
  {
    ...TEXT_FUNCTIONS,
    files: ['custom-functions/lookups.gs'],
    job: 'headLookup finds the head of the column that has a text',
    options: {
      cells: [
        ['warm', 'cold'],
        ['red', 'blue'],
        ['orange', 'green'],
      ],
    },
    play: cell('=headLookup("green", A2:B3, A1:B1)'),
    expected: 'cold',
  },
  {
    ...TEXT_FUNCTIONS,
    files: ['custom-functions/text-converters.gs'],
    job: 'removeACCENT leaves plain letters',
    play: cell('=removeACCENT("Crème brûlée")'),
    expected: 'Creme brulee',
  },
  {
    repository: 'bencooper222/google-sheets-custom-functions',
    commit: '64f59a39e34a44af0ccad59fcc3c73d9253eb3b8',
    files: ['GIS'],
    job: 'GEO_LAT asks a geocoder',
    options: { services: MAPS },
    play: cell('=GEO_LAT("White House")'),
    expected: 38.9,
  },
  {
    repository: 'mayaemerson/googlesheetsfunct',
    commit: 'b0448e09d92820396852cec7c39cde42a7c40dd6',
    files: ['src/domingosnomes.js'],
    job: 'SUNDAYSMONTH counts the Sundays of a month',
    play: cell('=SUNDAYSMONTH(3, 2026)'),
    expected: 5,
  },
  {
    repository: 'scryfall/google-sheets',
    commit: '5f66fa16f657bd7f7774d825a510e7a91c5970fd',
    files: ['scryfall-google-sheets.js'],
    job: 'SCRYFALL, a constant, lists cards of two pages',
    options: {
      sites: {
        'api.scryfall.com': ({ path }) => {
          const isLast = path.endsWith('page=2');
          const card = { name: isLast ? 'Zed' : 'Amy', colors: [], image_uris: { normal: 'x' } };
          return JSON.stringify({ data: [{ ...card, power: '2' }], has_more: !isLast });
        },
      },
    },
    play: cell('=SCRYFALL("type:legendary", "name power")'),
    expected: [
      ['Amy', '2'],
      ['Zed', '2'],
    ],
  },
  {
    ...EVE_SCRIPTS,
    files: ['FuzzworkMarket.gs'],
    job: 'loadRegionAggregates lists prices of types',
    options: {
      cells: [[34], [35], [34]],
      sites: {
        'market.fuzzwork.co.uk': ({ path }) => {
          const side = { volume: '1', weightedAverage: '2.5', max: '3', min: '2' };
          const all = { ...side, stddev: '0', median: '2', percentile: '2' };
          const [, types = ''] = path.split('types=');
          const priced = types.split(',').map((type) => [type, { buy: all, sell: all }]);
          return JSON.stringify(Object.fromEntries(priced));
        },
      },
    },
    play: async (host) => {
      const rows = (await cell('=loadRegionAggregates(A1:A3)')(host)) as unknown[][];
      return rows.map(([type, volume]) => [type, volume]);
    },
    expected: [
      ['TypeID', 'Buy volume'],
      [34, 1],
      [35, 1],
    ],
  },
  {
    ...EVE_SCRIPTS,
    files: ['esi-nameloader.gs'],
    job: 'nameloader posts ids and lists names',
    options: {
      cells: [[7], [8]],
      sites: {
        'esi.evetech.net': ({ body }) =>
          JSON.stringify(JSON.parse(body).map((id: number) => ({ id, name: `n${id}` }))),
      },
    },
    play: cell('=nameloader(A1:A2)'),
    expected: [
      [7, 'n7'],
      [8, 'n8'],
    ],
  },
  {
    ...EVE_SCRIPTS,
    files: ['moons/code.gs', 'moons/input.html'],
    job: 'addMoons shows a dialog, and what is pasted there becomes rows',
    driver: sheetsNamed('moons'),
    play: async (host) => {
      await resultOf(host, 'prepare');
      const page = await host.openSidebar('addMoons');
      await page.run('processMoon', 'Moon\nJita VII - Moon 3\n\tZeolites\t0.5\t45490\t1\t2\t3\n');
      return host.values('moons!A1:F1');
    },
    expected: [['Jita', 7, 3, 'Zeolites', 0.5, 45490]],
  },
  {
    repository: 'kyle-bartlett/Google-Sheets-Scripts',
    commit: 'a1fe6acfcea831f9b9ae539227a90feb2448c131',
    files: ['Costco PSI/Code.gs'],
    job: 'runWeeklyUpdate collects ranges of three sheets in one',
    driver: `function prepare() {
      ['Sales Data', 'Inventory Data', 'Customer Data'].forEach((name) =>
        SpreadsheetApp.getActive().insertSheet(name).getRange('A1:B1').setValues([[name, 5]]));
    }`,
    play: async (host) => {
      const [[first, second] = []] = await shows(
        "'Weekly Summary'!B2:C2",
        'prepare',
        'runWeeklyUpdate',
      )(host);
      return [first, second, host.values("'Weekly Summary'!K2")[0]?.[0]];
    },
    expected: ['Sales Data', 5, 'Inventory Data'],
  },
  {
    ...SNIPPETS,
    files: ['sheets-custom-functions/filterValues.js'],
    job: 'LISTFILTER leaves out what another list has',
    options: {
      cells: [
        ['a', 'b'],
        ['b', ''],
        ['c', ''],
      ],
    },
    play: cell('=LISTFILTER(A1:A3, B1:B3)'),
    expected: ['a', 'c'],
  },
  {
    ...SNIPPETS,
    files: ['sheets-snippets/countFormulaeInSpreadsheet.js'],
    job: 'getAllFormulae counts formulas',
    options: { cells: [[1, '=A1+1', '=B1*2']] },
    play: run('getAllFormulae'),
    expected: 2,
  },
  {
    repository: 'choraria/google-apps-script',
    commit: '38d0be9a005fe5d074c24224a9bdf699d9d440b1',
    files: ['Sheets/Webhooks/GET.gs'],
    job: 'doGet keeps the parameters of a visit as a row',
    play: async (host) => {
      await host.visit({ parameters: { gid: '0', name: 'Ann', city: 'Oslo' } });
      return host.values('A1:B2');
    },
    expected: [
      ['name', 'city'],
      ['Ann', 'Oslo'],
    ],
  },
  {
    repository: 'vtst/google-apps-scripts',
    commit: 'e0881fe2ec3942f591aa3e238671300f9c36433c',
    files: ['VtstRecordsetLib'],
    job: 'a library reads rows as records and writes one',
    options: {
      cells: [
        ['Name', 'Age'],
        ['Ann', 30],
      ],
    },
    driver: `function drive() {
      const records = createWithHeaderRow(SpreadsheetApp.getActiveSheet(), { name: 'Name', age: 'Age' });
      const [first] = records.getAllRecords();
      records.setRecord(0, { name: first.name, age: first.age + 1 });
      return records.getRecord(0);
    }`,
    play: run('drive'),
    expected: { name: 'Ann', age: 31 },
  },
  {
    repository: 'peterherrmann/BetterLog',
    commit: '2fe0d777b8c12bed4273cad517a54d0ffb7aad93',
    files: ['Code.gs'],
    job: 'a logger writes lines of a level into a sheet',
    driver: `function drive() {
      useSpreadsheet('the-spreadsheet', 'Log').info('Working on row %s', 3);
      fine('too fine');
    }`,
    play: async (host) => {
      await resultOf(host, 'drive');
      const lines = host.values('Log!A1:A5').flat().map(String);
      return ['INFO Working on row 3', 'too fine'].map((text) =>
        lines.some((line) => line.endsWith(text)),
      );
    },
    expected: [true, false],
  },
  {
    repository: 'townshipcanada/google-sheets-addon',
    commit: '09bceea03ee52a198c2aeccdfd6fcf04337b813c',
    files: ['src'],
    job: 'TOWNSHIP_CANADA_PROVINCE asks a service with the key that was saved',
    options: {
      profile: 'add-on',
      sites: {
        'developer.townshipcanada.com': () => ({ status: 401, body: '{}' }),
      },
    },
    play: async (host) => {
      const before = await cell('=TOWNSHIP_CANADA("XX-1")')(host);
      await resultOf(host, 'setApiKey', 'k');
      return [before, await cell('=TOWNSHIP_CANADA("XX-1")')(host)];
    },
    expected: ['API key required', 'Invalid API key'],
  },
  {
    repository: 'OilpriceAPI/google-sheets-addin',
    commit: '00d41976612ef30493df16d94854f506dd11a3a7',
    files: ['Code.gs', 'Sidebar.html', 'FetchDialog.html', 'appsscript.json'],
    job: 'fetchLatestPrices writes prices into its sheet',
    options: {
      sites: {
        'api.oilpriceapi.com': () =>
          JSON.stringify({
            data: {
              prices: [
                {
                  code: 'WTI_USD',
                  price: 70.5,
                  currency: 'USD',
                  created_at: '2026-01-05T09:00:00Z',
                },
              ],
            },
          }),
      },
    },
    play: async (host) => {
      await resultOf(host, 'saveApiKey', 'k');
      return resultOf(host, 'fetchLatestPrices', ['WTI_USD']);
    },
    expected: { success: true, count: 1 },
  },
  {
    repository: 'Eloise1988/CRYPTOBALANCE',
    commit: 'cdacec568ae54853e0d69c2214624075fb245f6d',
    files: ['CRYPTOTOOLS_V2.gs'],
    job: 'CRYPTOBALANCE, an async function, asks a service',
    options: {
      sites: Object.fromEntries(
        ['api.charmantadvisory.com', 'privateapi.charmantadvisory.com'].map((name) => [
          name,
          json([{ QUANTITY: '1.5' }]),
        ]),
      ),
    },
    play: cell('=CRYPTOBALANCE("BTC", "x")'),
    expected: [1.5],
  },
  {
    repository: 'tanaikech/UtlApp',
    commit: '813f2cad887312965c941a432727657311ddddbb',
    files: ['.'],
    job: 'a library of tools turns a table and names columns',
    driver: `function drive() {
      return [transpose([[1, 2], [3, 4]]), columnLetterToIndex('AA'), columnIndexToLetter(26),
        addQueryParameters('https://a.example/', { q: ['x', 'y'] })];
    }`,
    play: run('drive'),
    expected: [
      [
        [1, 3],
        [2, 4],
      ],
      ...[26, 'AA', 'https://a.example/?q=x&q=y'],
    ],
  },
  {
    repository: 'tanaikech/EncodeApp',
    commit: '4088472c5dfe1c631497be8064ede14511ac8dbc',
    files: ['EncodeApp.js'],
    job: 'a library encodes a text in another charset',
    driver: `function drive() {
      return ['UTF-8', 'ISO-8859-1'].map((charset) => encodeURIWithCharset({ text: 'é', charset }).encodedType1);
    }`,
    play: run('drive'),
    expected: ['%C3%A9', '%E9'],
  },
  {
    repository: 'tanaikech/RichTextApp',
    commit: '7cda017e69d40fabf3400f1a187ac70f514d041a',
    files: ['RichTextApp.js'],
    job: 'a library makes HTML of the styles in a cell',
    driver: `function drive() {
      const bold = SpreadsheetApp.newTextStyle().setBold(true).build();
      const text = SpreadsheetApp.newRichTextValue().setText('a bold').setTextStyle(2, 6, bold).build();
      const range = SpreadsheetApp.getActiveSheet().getRange('A1').setRichTextValue(text);
      const html = RichTextToHTMLForSpreadsheet({ range });
      return [/a&nbsp;</.test(html), /font-weight: bold;[^>]*>bold</.test(html)];
    }`,
    play: run('drive'),
    expected: [true, true],
  },
  {
    repository: 'nepia-infinity/Library-For-Google-Apps-Script',
    commit: 'bc2334781082fff42a94de780ab7dadc9dbc6153',
    files: ['01_spreadsheet.gs', '03_string.gs'],
    job: 'a library reads a sheet by its address and turns rows into objects',
    options: {
      cells: [
        ['name', 'age'],
        ['Ann', 30],
      ],
    },
    driver: `function drive() {
      const values = getValues(SpreadsheetApp.getActive().getUrl() + '#gid=0');
      return [removeDuplicates(['a', 'b', 'a']), values];
    }`,
    play: run('drive'),
    expected: [
      ['a', 'b'],
      [
        ['name', 'age'],
        ['Ann', 30],
      ],
    ],
  },
  {
    repository: 'jc324x/google-apps-script-cheat-sheet',
    commit: 'a87232de3b44d3cba865dd241b23ece24e988a86',
    files: ['main.js'],
    job: 'a collection of functions reads a sheet as objects',
    options: {
      cells: [
        ['Name', 'Age'],
        ['Ann', 30],
        ['Ben', 40],
      ],
    },
    driver: `function drive() {
      const people = arrObjFromSheet(SpreadsheetApp.getActiveSheet(), 1);
      return [people.map((one) => one.name || one.Name), rmDuplicatesFrom([1, 1, 2]), numCol(27)];
    }`,
    play: run('drive'),
    expected: [['Ann', 'Ben'], [1, 2], 'AA'],
  },
  {
    ...PROJECTS,
    files: ['projects/GAS107'],
    job: 'demoJoin joins rich texts, with their styles',
    driver: `function prepare() {
      const book = SpreadsheetApp.getActive(), sheet = book.getSheets()[0];
      const bold = SpreadsheetApp.newTextStyle().setBold(true).build();
      const text = (of) => SpreadsheetApp.newRichTextValue().setText(of);
      sheet.getRange('A1:A2').setRichTextValues([[text('one').build()], [text('two').setTextStyle(0, 3, bold).build()]]);
      sheet.getRange('D1:D3').setValues([['A1:A2'], ['F1'], [';']]);
      ['inputJoin', 'outputJoin', 'joinBy'].forEach((name, at) => book.setNamedRange(name, sheet.getRange(at + 1, 4)));
    }
    function look() {
      const value = SpreadsheetApp.getActiveSheet().getRange('F1').getRichTextValue();
      const runs = value.getRuns();
      return [value.getText(), runs[0].getTextStyle().isBold(), runs.at(-1).getTextStyle().isBold()];
    }`,
    play: async (host) => {
      await resultOf(host, 'prepare');
      await resultOf(host, 'demoJoin');
      return resultOf(host, 'look');
    },
    expected: ['one;two', false, true],
  },
  {
    ...PROJECTS,
    files: ['projects/GAS112/code.js', 'projects/GAS112/utils.js'],
    job: 'installTrigger, a constant, makes a trigger, and the menu says so',
    play: async (host) => {
      const before = await host.open();
      await resultOf(host, 'installTrigger');
      const after = await host.open();
      const captions = [before, after].map((menu) =>
        menu?.items.map((item) => (item.kind === 'item' ? item.caption : '')),
      );
      return [captions, host.stores.triggers.all().map(({ functionName }) => functionName)];
    },
    expected: [[['Install trigger'], ['Uninstall trigger']], ['triggerOnFormSubmit']],
  },
  {
    ...PROJECTS,
    files: ['projects/GAS098/Code.js'],
    job: 'createMaze paints a maze',
    play: async (host) => {
      await resultOf(host, 'prepare');
      await resultOf(host, 'createMaze');
      return resultOf(host, 'look');
    },
    driver: `function prepare() {
      const settings = { startRow: 2, startColumn: 2, rows: 5, columns: 5, matrixRows: 1, matrixColumns: 1, matrixColor: '#FFAA00' };
      const rows = [['Key', 'Value'], ...Object.entries(settings)];
      SpreadsheetApp.getActive().insertSheet('⚙️ Settings').getRange(1, 1, rows.length, 2).setValues(rows);
    }
    function look() {
      const colours = SpreadsheetApp.getActive().getSheetByName('🧩 Maze').getRange('A1:J10').getBackgrounds().flat();
      return ['#ffaa00', '#f3f3f3'].map((colour) => colours.includes(colour));
    }`,
    expected: [true, true],
  },
  {
    ...PROJECTS,
    files: ['projects/GAS001'],
    job: 'weatherForecast writes the weather of a city',
    driver: `function prepare() {
      SpreadsheetApp.getActive().insertSheet('Weather').getRange('B1').setValue('Oslo');
    }`,
    options: {
      sites: {
        'api.openweathermap.org': json({
          name: 'Oslo',
          sys: { country: 'NO' },
          weather: [{ main: 'Snow' }],
          main: { temp: -3, temp_min: -5, temp_max: -1 },
        }),
      },
    },
    play: shows('Weather!A3:B5', 'prepare', 'weatherForecast'),
    expected: [
      ['Location:', 'Oslo'],
      ['Country:', 'NO'],
      ['Weather:', 'Snow'],
    ],
  },
  {
    ...SHEET_LIBRARY,
    files: ['sheet2sets.gs', 'data/2dArray.js', 'data/Json.gs', 'types.gs'],
    job: 'data2library_ makes a table of records by their keys',
    driver: `function drive() {
      return data2library_({ data: [['Ann', 4], ['Ben', 5]], header: ['name', 'q'], key: 'name', row_data_starts: 1 });
    }`,
    play: run('drive'),
    expected: { Ann: { __row: 1, name: 'Ann', q: 4 }, Ben: { __row: 2, name: 'Ben', q: 5 } },
  },
  {
    repository: 'fastfedora/google-docs',
    commit: 'ae64c908b82cc8cf8840e176930ad937883fbe37',
    files: ['ImportJSON.gs'],
    job: 'ImportJSON makes a table of what a site says',
    options: {
      sites: {
        'data.example.com': json({
          items: [
            { id: 1, tag: 'a' },
            { id: 2, tag: 'b' },
          ],
        }),
      },
    },
    play: cell('=ImportJSON("https://data.example.com/", "/items/id", "noTruncate")'),
    // Each slash of the path becomes a blank.
    expected: [[' Items Id'], [1], [2]],
  },
  {
    ...SAMPLES,
    files: ['solutions/custom-functions/calculate-driving-distance'],
    job: 'drivingDistance asks for a way, and a menu prepares the sheet',
    options: { services: MAPS },
    play: async (host) => {
      const menu = await host.open();
      await resultOf(host, 'prepareSheet_');
      const miles = (await cell('=metersToMiles(1000)')(host)) as number;
      return [menu?.caption, await cell('=drivingDistance(A2, B2)')(host), miles];
    },
    expected: ['Directions', 1_609, 0.621371],
  },
  {
    repository: 'ferminrp/google-sheets-argento',
    commit: '4e43b4e945c9bffe18ee1851c08338bb4850e117',
    files: ['all-in-one.js'],
    job: 'ACCIONES gives the price of a share',
    options: { sites: { 'data912.com': json([{ symbol: 'YPFD', c: 41_000, v: 3 }]) } },
    play: cell('=ACCIONES("YPFD", "c")'),
    expected: 41_000,
  },
  {
    repository: 'stdlib-js/gsheets',
    commit: '094284eec9ec849d0160de0605f1067e8ee94e93',
    files: ['lib/Code.gs'],
    job: 'STDLIB_LINSPACE makes evenly spaced numbers',
    play: cell('=STDLIB_LINSPACE(0, 1, 5)'),
    expected: [0, 0.25, 0.5, 0.75, 1],
  },
  {
    repository: 'yehaisong/CanvasAPI-Google-Sheets-Add-on',
    commit: '0cc20cf339c5d46a02699798a0468d9d26b1afbf',
    files: ['config', 'clientfuncs', 'controller', 'ui', 'utilities'],
    job: 'increaseDays fills in dates, after it has asked how many days apart',
    options: { cells: [['2026-03-01 00:00'], [''], ['']], answers: ['7'] },
    play: async (host) => {
      await resultOf(host, 'increaseDays', 'A1:A3');
      return host
        .values('A1:A3')
        .flat()
        .map((date) => new Date(String(date)).getDate());
    },
    expected: [1, 8, 15],
  },
];
