// Every probe through its door, with what the report says of both answers.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { copyOf } from 'apps-script-host/document-copy';
import { featuresOf } from 'apps-script-host/sheet/book-features';
import { probes } from '../../probes/table';
import { ADD_ON_NAME } from '../../src/failures/add-on-name';
import { documentOf } from '../doors/world';
import { type ProbeOptions, type ProbeWorld, probeWorld } from './world';

const HOUR_MS = 3_600_000;
const OWNER = 'owner@example.com';
const ALLOWED = ['spreadsheets.currentonly', 'script.external_request', 'script.container.ui'];

let world: ProbeWorld;
afterEach(() => world?.stop());

/** Runs them by the menu, with the cells and the page that follow. */
async function run(options: ProbeOptions = {}): Promise<void> {
  world = probeWorld(options);
  await world.choose('runProbes');
  await world.runPage();
}

/**
 * What lists that look up a tab rest on, with what the host finds. It has no member that tells a disabled
 * trigger, and the spreadsheet here computes no formulas but those of custom functions.
 */
const LOOKED_UP: Readonly<Record<string, RegExp>> = {
  marks:
    /found: sheet: found, sheet after a new name: found, .* column: found, column after an insertion: found, column after a move: found/,
  warning: /^ok [\s\S]*found: set, the script still writes/,
  'disabled trigger': /found: there is no such member/,
  'named cell': /^ok [\s\S]*found: calculated again: /,
  R1C1: /^ok [\s\S]*found: .*read back as it was set/,
  lookups: /found: first: not within/,
};

/** Names of probes by the word that stands before them. */
function named(mark: string): readonly string[] {
  return [...world.report()]
    .filter(([name, text]) => text.startsWith(mark) && !(name in LOOKED_UP))
    .map(([name]) => name);
}

const of = (name: string): string => world.report().get(name) ?? `no ${name} in the report`;

const ON_FIRST_DAY = [
  ...['clock: spreadsheet', 'clock: properties', 'clock: cache and lock', 'clock: permissions'],
  ...['clock: event', 'clock: day'],
];

describe('the probes', () => {
  it('all find what the add-on counts on, but for those that take a day or a second account', async () => {
    await run();
    expect(named('OTHERWISE')).toEqual([]);
    expect(named('open')).toEqual(['colleague', ...ON_FIRST_DAY, 'copy']);
    const [head, verdict, where, engine] = world.reportText().split('\n');
    expect(head).toMatch(
      new RegExp(String.raw`^${ADD_ON_NAME} 0\.\d+\.\d+, probes of 2026-01-05T09:\d\d:[\d.]+Z$`),
    );
    expect(verdict).toMatch(/^\d+ as expected, \d+ otherwise, \d+ open\.$/);
    expect(where).toBe('Spreadsheet en_US, America/New_York; script Etc/UTC; you en.');
    expect(engine).toMatch(/^The engine has .*; lacks /);
  });

  it("tell Google's own texts, and what the add-on took them for", async () => {
    await run();
    const texts = [...world.report()].filter(([name]) => name.startsWith('refusal: '));
    expect(texts.map(([name, text]) => [name, /found: (.*)/.exec(text)?.[1]])).toEqual([
      ['refusal: outside', expect.stringMatching(/^taken for "gone": Exception: The coordinates /)],
      ['refusal: gone', expect.stringMatching(/^taken for "gone": Exception: Sheet \d+ not found/)],
      ['refusal: name', expect.stringMatching(/^taken for "taken": Exception: .* already exists/)],
      ['refusal: choice', expect.stringMatching(/^taken for "rejected in A1": Exception: /)],
      ['refusal: full', expect.stringMatching(/^taken for "full": Exception: .*10000000/)],
      ['refusal: cache', expect.stringMatching(/^taken for "forgotten": Exception: .*value/)],
      ['refusal: property', expect.stringMatching(/^taken for "refused": Exception: .*value/)],
      ['refusal: often', expect.stringMatching(/^taken for "refused": Exception: .* 1 hour/)],
      ['refusal: address', expect.stringMatching(/^taken for "unreachable": Exception: DNS /)],
    ]);
    expect(texts.map(([, text]) => text).join()).not.toContain('no Error');
  });

  it('compare dates by the clock of the spreadsheet, and say what they found', async () => {
    await run();
    expect(of('date')).toContain('found: 2026-01-15 07:00:00, as it should be');
    expect(of('serial')).toContain('found: 46037.291667, as it should be');
    expect(of('lock')).toMatch(/refused each time while it was held, \d+ times/);
    expect(of('slow')).toMatch(/ended after 3\d{3} ms: Exception: Timeout/);
    expect(of('round trips')).toMatch(/found: (\d+, ){4}\d+ ms/);
  });
});

describe('where Google does it in the other way, the report says what that means', () => {
  it('cells that have stores of their own, write none, and wait for slow addresses', async () => {
    const unknowns = {
      cellsShareStores: false,
      cellsWriteProperties: false,
      timeoutsAreKept: false,
    };
    await run({ host: { unknowns } });
    expect(named('OTHERWISE')).toEqual([
      ...['document cache', 'document properties', 'lock', 'write', 'slow'],
    ]);
    expect(of('document cache')).toMatch(
      /found: nothing\n.*expected: the same\n.*means: .*platform\.ts/,
    );
    expect(of('lock')).toMatch(/found: had \d+ times of \d+ while it was held\n.*\n.*platform\.ts/);
    expect(of('write')).toMatch(
      /found: Exception: You do not have permission .*\n.*\n.*engine\.ts/,
    );
    expect(of('slow')).toMatch(/found: answered 200 after 10\d{3} ms\n.*\n.*answer-cells\.ts/);
  });

  it('few cells at once, and a trigger every ten minutes', async () => {
    await run({ host: { limits: { cellsAtOnce: 8, firingsApartMs: 60_000 } } });
    expect(named('OTHERWISE')).toEqual(['at once']);
    expect(of('at once')).toMatch(/found: [678] at once of 60\n.*\n.*limits\.ts/);
    expect(of('refusal: often')).toContain('taken for "made": nothing: it was let through');
    expect(world.host.stores.triggers.all()).toEqual([]);
  });

  it('arguments of another shape, a wrong hour, and a formula that a colleague cannot use', async () => {
    await run();
    const rows = world.grid.size(world.sheetId()).lastRow;
    const ids = world.grid
      .values(world.sheetId(), { row: 1, column: 2, rowCount: rows, columnCount: 1 })
      .flat();
    const show = (id: string, value: string | Date) =>
      world.grid.write(world.sheetId(), ids.indexOf(id) + 1, 4, [[value]]);
    show('argument: TRUE', 'string "TRUE"');
    show('argument: a range of one cell', 'object [["x"]]');
    show('argument: an error', '#N/A');
    show('date', new Date(Date.UTC(2026, 0, 15, 17)));
    show('colleague', '#NAME?');
    await world.choose('showProbes');
    expect(named('OTHERWISE')).toEqual(['date', 'serial', 'colleague', 'argument: TRUE']);
    expect(of('date')).toContain('found: 2026-01-15 12:00:00 and not 2026-01-15 07:00:00');
    expect(of('colleague')).toMatch(/found: #NAME\?\n.*\n.*README/);
    show('colleague', 'seen: somebody was here');
    await world.choose('showProbes');
    expect(named('ok')).toContain('colleague');
  });

  it('texts that break on their way', async () => {
    world = probeWorld();
    await world.choose('runProbes');
    await world.runPage({
      call: ([step, payload]) => [step, step === 'echo' ? '? ? ? ?' : payload],
    });
    expect(of('texts')).toMatch(/found: the server read 3f 3f 3f 3f, the page .*\n.*\n.*rpc\.ts/);
    expect(named('OTHERWISE')).toEqual(['texts']);
  });

  it('a permission that is missing: the others are found out all the same', async () => {
    const consents = {
      [OWNER]: ALLOWED.map((name) => `https://www.googleapis.com/auth/${name}`),
    };
    await run({ host: { consents } });
    expect(named('OTHERWISE')).toEqual(['authorisation']);
    expect(of('authorisation')).toContain('found: REQUIRED, an address');
    expect(of('refusal: often')).toMatch(/taken for "refused": Exception: .*script\.scriptapp/);
    await world.choose('watchClock');
    expect(world.messages.at(-1)).toMatch(
      /^Google made no trigger: refused\. In a test deployment/,
    );
  });
});

describe('what lists that look up a tab rest on', () => {
  it('is found out or refused, probe by probe, and nothing of it stays', async () => {
    world = probeWorld();
    await world.choose('runProbes');
    const before = world.grid.sheets();
    await world.choose('runLongProbes');
    expect(world.messages.at(-1)).toBe('The long probes are through. Choose "Show probes".');
    await world.choose('showProbes');
    for (const [name, found] of Object.entries(LOOKED_UP)) expect(of(name)).toMatch(found);
    expect(world.grid.sheets()).toEqual(before);
    expect(featuresOf(world.grid).names()).toEqual([]);
    expect(featuresOf(world.grid).metadata()).toEqual([]);
    expect(world.host.stores.triggers.all()).toEqual([]);
  });

  it('is asked again where all of it was found', async () => {
    world = probeWorld();
    await world.choose('runProbes');
    await world.choose('runLongProbes');
    const rows = world.grid.size(world.sheetId()).lastRow;
    const column = (at: number) => ({ row: 1, column: at, rowCount: rows, columnCount: 1 });
    const ids = world.grid.values(world.sheetId(), column(2)).flat();
    const row = ids.indexOf('lookups') + 1;
    const found = () => world.grid.values(world.sheetId(), column(4))[row - 1]?.[0];
    world.grid.write(world.sheetId(), row, 4, [['first: 1.0 s']]);
    await world.choose('runLongProbes');
    expect(found()).not.toBe('first: 1.0 s');
    expect(found()).not.toBe('');
  });

  it('needs the sheet of the others first', async () => {
    world = probeWorld();
    await world.choose('runLongProbes');
    expect(world.messages).toEqual(['Choose "Run probes" first.']);
    expect(world.grid.sheets()).toHaveLength(1);
  });
});

describe('the page of the probes', () => {
  it('starts also where HtmlService cuts scripts from two slashes on', async () => {
    world = probeWorld();
    await world.choose('runProbes');
    // The host has cut it already, at the two slashes that one script has on purpose.
    const [scripts, cut] = [world.scripts(), /window\.probeSlashes = 'a$/m];
    const others = scripts.filter((script) => !cut.test(script)).join('\n');
    expect(scripts.some((script) => cut.test(script))).toBe(true);
    expect(others).toContain('probePage');
    expect(others).not.toMatch(/\/\/|\/\*|`|<\/script|[^\n -~]/);
    await world.runPage();
    expect(of('slashes')).toContain('found: cut');
    expect(of('texts')).toContain('found: unbroken');
  });
});

describe('the clock', () => {
  const day = () => world.host.run(world.host.nowMs() + 26 * HOUR_MS);

  it('notes what its first firing saw and when a day of firings came', async () => {
    await run();
    await world.choose('watchClock');
    expect(world.messages.at(-1)).toMatch(/^The first firing, within two hours, /);
    await world.host.run(world.host.nowMs() + 2 * HOUR_MS);
    await world.choose('showProbes');
    expect(named('open')).toEqual(['colleague', 'clock: day', 'copy']);
    expect(of('clock: day')).toMatch(/found: [12] firings, 0 doubles, 0 gaps/);
    await day();
    await world.choose('showProbes');
    expect(named('open')).toEqual(['colleague', 'copy']);
    expect(named('OTHERWISE')).toEqual([]);
    expect(of('clock: day')).toMatch(/found: 2[678] firings, 0 doubles, 0 gaps; 5\d to 6\d min/);
  });

  it('that has no spreadsheet says what schedules would need', async () => {
    await run({ host: { triggersSeeDocument: false } });
    await world.choose('watchClock');
    await world.host.run(world.host.nowMs() + 2 * HOUR_MS);
    await world.choose('showProbes');
    expect(named('OTHERWISE')).toEqual([
      ...['clock: spreadsheet', 'clock: properties', 'clock: cache and lock'],
    ]);
    expect(of('clock: spreadsheet')).toMatch(
      /found: none\n.*\n.*means: .*openById.*appsscript\.json/,
    );
    expect(of('clock: properties')).toMatch(/found: Error: There are no .*the menu reads nothing/);
    expect(of('clock: cache and lock')).toContain('found: cache false, lock false');
  });

  it('that strikes twice or not at all is counted', async () => {
    let firing = 0;
    const firings = (dueMs: number) => {
      firing += 1;
      if (firing % 10 === 0) return [];
      return firing % 7 === 0 ? [dueMs, dueMs + 60_000] : [dueMs];
    };
    await run({ host: { firings } });
    await world.choose('watchClock');
    await day();
    await world.choose('showProbes');
    expect(of('clock: day')).toMatch(/^OTHERWISE[\s\S]*found: 27 firings, 3 doubles, 2 gaps/);
  });
});

describe('a copy of the spreadsheet', () => {
  it.each([
    [true, 'document properties came along'],
    [false, 'document properties did not come along'],
  ])('with its properties: %s', async (isWhole, found) => {
    const first = documentOf('sheet-1');
    let model = first.model;
    const copy = {
      ...documentOf('sheet-2'),
      get model() {
        return model;
      },
    };
    await run({ copy });
    model = copyOf({ ...first, model: world.grid }, copy).model;
    const { properties } = world.host.stores;
    if (isWhole) properties.copy('document/sheet-1', 'document/sheet-2');
    await world.choose('showProbes', 'sheet-2');
    expect(of('copy')).toMatch(new RegExp(`^ok [\\s\\S]*found: ${found}$`));
  });
});

describe('what the probes leave behind', () => {
  it('is nothing: no sheet, no setting, no trigger, and what stood there still stands there', async () => {
    world = probeWorld();
    const { grid, host } = world;
    grid.write(0, 1, 1, [['mine', { formula: '=1+1' }]]);
    const stored = () =>
      [`user/${OWNER}`, 'document/sheet-1'].map((name) => host.stores.properties.read(name));
    const before = JSON.stringify(stored());
    await world.choose('runProbes');
    await world.runPage();
    await world.choose('watchClock');
    expect(grid.sheets()).toHaveLength(2);
    await world.choose('removeProbes');
    expect(grid.sheets().map(({ id }) => id)).toEqual([0]);
    expect(JSON.stringify(stored())).toBe(before);
    expect(host.stores.triggers.all()).toEqual([]);
    expect(grid.values(0, { row: 1, column: 1, rowCount: 1, columnCount: 1 })).toEqual([['mine']]);
    expect(grid.formulas(0, { row: 1, column: 2, rowCount: 1, columnCount: 1 })).toEqual([
      ['=1+1'],
    ]);
    expect(world.messages.at(-1)).toBe('The probes are gone: their sheets, settings and trigger.');
  });

  it('a report that says what to do where they were not run', async () => {
    world = probeWorld();
    await world.choose('showProbes');
    expect(world.reportText()).toContain('\nThe probes were not run here. Choose "Run probes".\n');
    await world.runPage();
    expect(named('ok')).toEqual([]);
    await world.choose('removeProbes');
    expect(world.grid.sheets()).toHaveLength(1);
  });

  it('a second run begins anew', async () => {
    await run();
    await world.choose('runProbes');
    await world.runPage();
    expect(named('OTHERWISE')).toEqual([]);
    expect(world.grid.sheets()).toHaveLength(2);
  });

  it('a report without anybody’s address, whatever a cell says', async () => {
    world = probeWorld();
    await world.choose('runProbes');
    const { lastRow } = world.grid.size(world.sheetId());
    const cells = { row: 2, column: 4, rowCount: lastRow - 1, columnCount: 1 };
    for (const [down] of world.grid.values(world.sheetId(), cells).entries())
      world.grid.setComputed(world.sheetId(), down + 2, 4, `made by ${OWNER} there`);
    await world.choose('showProbes');
    expect(world.reportText()).toContain('made by … there');
    expect(world.reportText()).not.toContain('@');
  });
});

it('what another outcome means names files that exist', () => {
  const named = probes().flatMap(({ otherwise }) =>
    otherwise.match(/[\w./-]+\.(?:tsx?|json|md)\b/g),
  );
  expect(named.length).toBeGreaterThan(20);
  const isFile = (name: string) => existsSync(join(__dirname, '../..', name));
  expect(named.filter((name) => name?.includes('/') && !isFile(name))).toEqual([]);
});
