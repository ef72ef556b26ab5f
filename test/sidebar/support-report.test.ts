// "Run diagnostics": a report that says what works and what does not, and never the key.

import { afterEach, describe, expect, it } from '@jest/globals';
import { arrivalsOf } from '../../playground/api/state';
import { ADD_ON_NAME } from '../../src/failures/add-on-name';
import { BUILT, distIn } from '../build-once';
import { runAll, SANDBOX, sheetOf, US_ASINS } from '../doors/bulk-list';
import {
  BASE_URL,
  createWorld,
  DEMO,
  OWNER,
  reply,
  type World,
  type WorldOptions,
} from '../doors/world';

const HELPER = 'helper@example.com';

const FACTS = 6;

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
        new RegExp(
          String.raw`^${ADD_ON_NAME} 0\.\d+\.\d+, diagnostics of 2026-01-05 09:00:\d\d UTC$`,
        ),
      ),
      'No problem found. The key is not in this report.',
      '',
      'ok       Permissions: all given.',
      `ok       Key: ends in …cond, for ${BASE_URL}, yours. Formulas here use your key (…cond), ` +
        'whoever edits the spreadsheet. The service answered in N ms with asin, profit, roi, fees, ' +
        'eligible, rank_drops_30d, buy_price, sell_price.',
      'ok       Limit of the key: 5 per 1 s, 10 at once, as entered.',
      '         Schedules: 0; triggers of yours here: 0.',
      '         Time zones and languages: Etc/UTC, en_US; the add-on Etc/UTC; you en.',
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
    open({ says: () => reply(422, said), host: { documents: [sheet.document] } });
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
    const stored = () =>
      ['user/owner@example.com', 'document/sheet-1'].flatMap((store) =>
        Object.keys(properties.read(store)),
      );
    const before = stored();
    expect(before).toContain('connection');
    await report();
    expect(stored()).toEqual(before);
  });

  it('reads no cell', async () => {
    const sheet = sheetOf([['ASIN', 'my supplier']]);
    open({ host: { documents: [sheet.document] } });
    await world.connect();
    const reading = /"operation":"spreadsheet\.read\.get(?:Display)?(?:Value|Formula)s/;
    await report();
    expect(world.crossed()).not.toMatch(reading);
    await world.rpc('list.look', null);
    expect(world.crossed()).toMatch(reading);
  });

  it('without a connection says where one is missing', async () => {
    open();
    const lines = await report();
    expect(lines[1]).toBe(
      'Permissions OK. No key connected: open the sidebar and connect one. ' +
        'The key is not in this report.',
    );
    expect(lines).toHaveLength(3 + FACTS);
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^TO DO {4}Key: none\. Connect one in the sidebar\. Formulas use the owner's key, whoever/,
      ),
    );
    expect(lines).toContain('         Limit of the key: not known without a key.');
  });

  it('tells a collaborator whose key pays, not which it is', async () => {
    open();
    await world.connect({ sharing: 'spreadsheet' });
    expect(await report(HELPER)).toContainEqual(
      expect.stringMatching(/^ok {7}Key: .* by someone else\. .* owner's key \(…cond\)\. The/),
    );
    await world.connect({ sharing: 'me' });
    expect(await report()).toContainEqual(
      expect.stringMatching(/^ok {7}Key: .*, yours\. Formulas use the owner's key, whoever edits/),
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
    expect(lines).toContainEqual(
      expect.stringMatching(/^PROBLEM {2}Key: .* The service refused the key\.$/),
    );
    expect(arrivalsOf(world.service())).toHaveLength(calls);
  });

  it('lists what went wrong lately in formulas and in the sidebar', async () => {
    open();
    await world.connect();
    await world.show('ANALYZE', [['B0FAULT500'], ['B0CUTSHORT'], ['nonsense']], 'US', 'profit');
    const lines = await report();
    expect(lines[1]).toMatch(/^One problem found\./);
    expect(lines).toContain('PROBLEM  Latest troubles: 2 in six hours.');
    const troubles = lines.slice(-2);
    expect(troubles).toHaveLength(2);
    expect(troubles.join('\n')).toMatch(/status 500\)\. \(call sandbox-\d+\)/);
    expect(troubles.join('\n')).toContain('could not be read (it is not JSON)');
  });

  it('lists what went wrong in a run that ended midway, and in a check, once each', async () => {
    const untilMs = Date.UTC(2026, 0, 5, 10);
    const sheet = sheetOf(US_ASINS.slice(0, 60));
    open({
      sandbox: { ...SANDBOX, outages: [{ fromMs: Date.UTC(2026, 0, 5, 9, 1), toMs: untilMs }] },
      host: { documents: [sheet.document] },
    });
    await world.connect();
    await world.host.run(Date.UTC(2026, 0, 5, 9, 2));
    expect(await runAll(world)).toMatchObject({ state: 'blocked' });
    expect(await world.rpc('connection.check', {})).toMatchObject({ ok: false });
    await world.host.run(untilMs);
    const [count, ...troubles] = (await report()).slice(-3);
    expect(count).toBe('PROBLEM  Latest troubles: 2 in six hours.');
    for (const line of troubles) expect(line).toContain('status 503');
  });

  it('goes on where one thing fails: a day whose properties are used up', async () => {
    open({ host: { limits: { propertyCallsPerDay: 3 } } });
    void world.host.start({ functionName: 'ANALYZE_ASIN', args: ['x'], door: 'cell' });
    const lines = await report();
    expect(lines).toContainEqual(
      expect.stringMatching(/^PROBLEM {2}Key: Google's daily call limit is used up\./),
    );
    expect(lines).toHaveLength(3 + FACTS);
    expect(lines).toContain('ok       Permissions: all given.');
  });

  it('counts the triggers of who asks, here and not elsewhere', async () => {
    const install =
      "function install() { ScriptApp.newTrigger('onSchedule').timeBased().everyHours(1).create(); }";
    open({ host: { dist: { ...BUNDLE, code: `${BUNDLE.code}\n${install}` } } });
    void world.host.start({ functionName: 'install', args: [], door: 'menu' });
    await world.wait(60_000);
    const untilMs = () => world.host.nowMs() + 60_000;
    expect(await report(OWNER, untilMs())).toContain(
      '         Schedules: 0; triggers of yours here: 1.',
    );
    expect(await report(HELPER, untilMs())).toContain(
      '         Schedules: 0; triggers of yours here: 0.',
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
