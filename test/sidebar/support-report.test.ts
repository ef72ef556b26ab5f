// "Run diagnostics": a report that says what works and what does not, and never the key.

import { afterEach, describe, expect, it } from '@jest/globals';
import { createSandboxedInternet } from 'apps-script-host/internet/sandboxed';
import { createPlainGrid } from 'apps-script-host/sheet/plain-grid';
import { arrivalsOf } from '../../playground/api/state';
import { BUILT, distIn } from '../build-once';
import { runAll, SANDBOX, sheetOf, US_ASINS } from '../doors/bulk-list';
import {
  BASE_URL,
  createWorld,
  DEMO,
  documentOf,
  type World,
  type WorldOptions,
} from '../doors/world';

const OWNER = 'owner@example.com';
const HELPER = 'helper@example.com';

/** The files that would be pushed, for a world with a line more. */
const BUNDLE = distIn(BUILT);

let world: World;
let dialog = '';
afterEach(() => world.stop());

function open({ host, ...options }: WorldOptions = {}): void {
  const screen = {
    onDialog: (html: string) => {
      dialog = html;
    },
  };
  world = createWorld({ ...options, host: { screen, ...host } });
}

/** The report's lines as support gets to read them. */
async function report(userEmail = OWNER, untilMs?: number): Promise<readonly string[]> {
  const call = { functionName: 'runDiagnostics', args: [], door: 'menu', userEmail } as const;
  const outcome = world.host.start(call);
  await world.host.run(untilMs);
  expect(await outcome).toMatchObject({ ok: true });
  const text = /<textarea[^>]*>([\s\S]*)<\/textarea>/.exec(dialog)?.[1] ?? '';
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code)).split('\n');
}

describe('the report', () => {
  it('of a connected spreadsheet finds no problem, at the cost of one call', async () => {
    open();
    await world.connect();
    const lines = (await report()).map((line) => line.replace(/\d+ ms/g, 'N ms'));
    expect(lines).toEqual([
      expect.stringMatching(
        /^Product Analysis 0\.\d+\.\d+, diagnostics of 2026-01-05 09:00:\d\d UTC$/,
      ),
      'No problem found. The key is not in this report.',
      '',
      'ok       Allowed: This spreadsheet: yes.',
      'ok       Allowed: Calls to the service: yes.',
      'ok       Allowed: Sidebar and dialogs: yes.',
      'ok       Allowed: Schedules: yes.',
      '         Time zones and languages: Etc/UTC, en_US; the add-on Etc/UTC; you en.',
      expect.stringMatching(
        /^ok {7}Clock: 2026-01-05 09:00:\d\d UTC; a pause of N ms took N ms\.$/,
      ),
      'ok       Cache of this spreadsheet: kept a value, in N ms.',
      'ok       Cache of the add-on: kept a value, in N ms.',
      'ok       Lock: was free, in N ms.',
      'ok       Settings store: kept a value.',
      '         Schedule: none of yours in this spreadsheet.',
      'ok       Key used by formulas: Formulas here use your key (…cond), whoever edits the ' +
        'spreadsheet.',
      `ok       Your key: ends in …cond, for ${BASE_URL}, yours.`,
      'ok       Limit of the key: 5 calls per 1 s, 10 at once, as entered.',
      '         Waiting formulas: 0 products.',
      expect.stringMatching(/^ {9}Calls by formulas today: \d+, of as many as the key has\.$/),
      expect.stringMatching(/^ok {7}Google's daily calls: \d+ of \d+ used\.$/),
      expect.stringMatching(
        /^ok {7}Google's daily reads and writes of settings: \d+ of \d+ used\.$/,
      ),
      'ok       Service: answered in N ms with asin, profit, roi, fees, eligible, rank_drops_30d, ' +
        'buy_price, sell_price.',
      '         Sheet in view: no cell shows a failure.',
      '         Latest troubles: none in six hours.',
    ]);
    expect(arrivalsOf(world.service())).toHaveLength(1);
    expect(dialog).not.toContain(DEMO.apiKey);
  });

  it('names no product and no person, whatever the service and the sheet say', async () => {
    const [asin = ''] = US_ASINS;
    const sheet = sheetOf([
      ['ASIN', `for ${HELPER}`],
      [asin, ''],
    ]);
    const said = {
      error: { message: `asin ${asin} 0306406152 is closed, ask ${HELPER} or <x@y.zz>` },
    };
    const body = JSON.stringify(said);
    const refuses = () =>
      ({ kind: 'answer', status: 422, headers: {}, body, delayMs: 50 }) as const;
    open({
      host: {
        documents: [sheet.document],
        internet: createSandboxedInternet({ [new URL(BASE_URL).host]: refuses }),
      },
    });
    await world.connect();
    const { error } = await world.show('ANALYZE', asin, 'US');
    // Support would be sent it, if the report were made of the cell's words.
    expect(error?.message).toContain(HELPER);
    const lines = (await report()).join('\n');
    expect(lines).toMatch(/asin \(a product\) \(a product\) is closed, ask \(an address\)/);
    expect(lines).not.toMatch(/@|0306406152/);
    expect(lines).not.toContain(asin);
  });

  it('leaves nothing behind in the stores', async () => {
    open();
    await world.connect();
    const { properties } = world.host.stores;
    const kept = () =>
      ['user/owner@example.com', 'document/sheet-1'].flatMap((store) =>
        Object.keys(properties.read(store)),
      );
    const before = kept();
    expect(before).toContain('connection');
    await report();
    expect(kept()).toEqual(before);
  });

  it('without a connection says where one is missing', async () => {
    open();
    const lines = await report();
    expect(lines[1]).toBe(
      'Permissions OK. No key connected: open the sidebar and connect one. ' +
        'The key is not in this report.',
    );
    expect(lines).toContain('TO DO    Your key: none. Connect one in the sidebar.');
    expect(lines).toContainEqual(
      expect.stringMatching(/Key used by formulas: Formulas use the owner's key, whoever edits\. /),
    );
  });

  it('tells a collaborator whose key pays, not which it is', async () => {
    open();
    await world.connect({ sharing: 'spreadsheet' });
    const lines = await report(HELPER);
    expect(lines).toContainEqual(
      expect.stringMatching(/^ok {7}Key used by formulas: .* owner's key \(…cond\)\./),
    );
    expect(lines).toContainEqual(expect.stringMatching(/Your key: .* by someone else\.$/));
    await world.connect({ sharing: 'me' });
    expect(await report()).toContainEqual(
      expect.stringMatching(
        /^ {9}Key used by formulas: Formulas use the owner's key, whoever edits\. /,
      ),
    );
  });

  it('calls no more with a key that was refused, and says so', async () => {
    open();
    await world.connect({ apiKey: 'demo-key-revoked' });
    await world.show('ANALYZE', 'B0XKT7M4QN', 'US');
    const calls = arrivalsOf(world.service()).length;
    const lines = await report();
    // What the key caused is among the latest troubles as well.
    expect(lines[1]).toMatch(/^2 problems found\./);
    expect(lines).toContain('PROBLEM  Service: The service refused the key.');
    expect(arrivalsOf(world.service())).toHaveLength(calls);
  });

  it('lists what went wrong lately in formulas and in the sidebar', async () => {
    open();
    await world.connect();
    await world.show('ANALYZE', [['B0FAULT500'], ['B0CUTSHORT'], ['nonsense']], 'US', 'profit');
    const lines = await report();
    expect(lines[1]).toMatch(/^One problem found\./);
    expect(lines).toContain('PROBLEM  Latest troubles: 2 in six hours.');
    const troubles = lines.filter((line) => line.includes('Trouble at'));
    expect(troubles).toHaveLength(2);
    expect(troubles.join('\n')).toMatch(/status 500\)\. \(call sandbox-\d+\)/);
    expect(troubles.join('\n')).toContain('could not be read (it is not JSON)');
  });

  it('lists what went wrong in a run that ended midway, and in a check, once each', async () => {
    const untilMs = Date.UTC(2026, 0, 5, 10);
    const sheet = sheetOf([['ASIN'], ...US_ASINS.slice(0, 60).map((asin) => [asin])]);
    open({
      sandbox: { ...SANDBOX, outages: [{ fromMs: Date.UTC(2026, 0, 5, 9, 1), toMs: untilMs }] },
      host: { documents: [sheet.document] },
    });
    await world.connect();
    await world.host.run(Date.UTC(2026, 0, 5, 9, 2));
    expect(await runAll(world)).toMatchObject({ state: 'stuck' });
    expect(await world.rpc('connection.check', {})).toMatchObject({ ok: false });
    await world.host.run(untilMs);
    const troubles = (await report()).filter((line) => line.includes('Trouble at'));
    expect(troubles).toHaveLength(2);
    for (const line of troubles) expect(line).toContain('status 503');
  });

  it('goes on where one thing fails: a lock that is held, a day whose properties are spent', async () => {
    open({ host: { limits: { propertyCallsPerDay: 3 } } });
    void world.host.start({ functionName: 'ANALYZE_ASIN', args: ['x'], door: 'cell' });
    const lines = await report();
    expect(lines.filter((line) => line.startsWith('PROBLEM')).length).toBeGreaterThan(0);
    expect(lines).toContainEqual(
      expect.stringMatching(/^PROBLEM {2}Your key: Google's daily call limit is used up\./),
    );
    expect(lines).toContainEqual(expect.stringMatching(/^ok {7}Lock:/));
  });

  it('of a sheet full of failures says so, without what stands in the cells', async () => {
    const model = createPlainGrid();
    open({ host: { documents: [{ ...documentOf('sheet-1'), model }] } });
    await world.connect();
    const outcome = await world.show('ANALYZE', [['B0NOSUCH99'], ['nonsense']], 'US', 'profit');
    const texts = outcome.value as readonly (readonly string[])[];
    model.write(0, 2, 2, texts);
    const formulas = ['=ANALYZE(A5)', '=IFERROR(analyze_max_buy(A6))', '=VLOOKUP(A7,B:C,2)'];
    for (const [down, formula] of formulas.entries()) {
      model.write(0, down + 5, 2, [[{ formula }]]);
      model.setComputed(0, down + 5, 2, '#ERROR!');
    }
    const lines = await report();
    expect(lines[1]).toMatch(/^One problem found\. The key/);
    expect(lines).toContain(
      'PROBLEM  Sheet in view: 4 cells show a failure. It says what to do; point at #ERROR! to ' +
        'read it.',
    );
    expect(lines.join()).not.toMatch(/nonsense|B0NOSUCH99/);
  });

  it('counts the triggers of who asks, here and not elsewhere', async () => {
    const install =
      "function install() { ScriptApp.newTrigger('onSchedule').timeBased().everyHours(1).create(); }";
    open({ host: { dist: { ...BUNDLE, code: `${BUNDLE.code}\n${install}` } } });
    void world.host.start({ functionName: 'install', args: [], door: 'menu' });
    await world.host.run(world.host.nowMs() + 60_000);
    const untilMs = () => world.host.nowMs() + 60_000;
    expect(await report(OWNER, untilMs())).toContain(
      'ok       Schedule: one trigger of yours in this spreadsheet.',
    );
    expect(await report(HELPER, untilMs())).toContain(
      '         Schedule: none of yours in this spreadsheet.',
    );
  });
});

describe('the dialog', () => {
  it('whose file was forgotten when the others were pasted leaves the report as a message', async () => {
    const { Diagnostics: _, ...html } = BUNDLE.html;
    const messages: string[] = [];
    const screen = { onAlert: (message: string) => messages.push(message) };
    open({ host: { dist: { ...BUNDLE, html }, screen } });
    await report();
    expect(messages).toEqual([expect.stringContaining('The key is not in this report.')]);
  });

  it('shows what came from a service as text and loads nothing', async () => {
    open();
    await world.connect();
    await report();
    expect(dialog).toMatch(/^<!doctype html>/);
    expect(dialog).not.toMatch(/\b(?:src|srcset|data)\s*=|<link|@import|url\(/i);
    const inside = /<textarea[^>]*>([\s\S]*)<\/textarea>/.exec(dialog)?.[1] ?? '<';
    expect(inside).not.toMatch(/[<>]/);
  });
});
