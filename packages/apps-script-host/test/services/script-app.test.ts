// ScriptApp as the host emulates it: an add-on's clock triggers, and authorisation.

import { describe, expect, it } from '@jest/globals';
import type { HostDocument } from '../../src/document';
import { createPlainGrid } from '../../src/sheet/plain-grid';
import { hostOf, manifestWith, outcomeOf, resultOf } from '../script-host';

const annsDocument = (): HostDocument => ({
  id: 'one',
  name: 'One',
  ownerEmail: 'ann@example.com',
  editors: [],
  model: createPlainGrid(),
});

describe('clock triggers of an add-on', () => {
  it('are made, listed and deleted by the user they belong to', async () => {
    const host = hostOf(`
      function make() {
        return ScriptApp.newTrigger('onSchedule').timeBased().everyHours(1).create().getUniqueId();
      }
      function list() {
        return ScriptApp.getProjectTriggers().map((trigger) =>
          [trigger.getHandlerFunction(), trigger.getEventType() === ScriptApp.EventType.CLOCK]);
      }
      function remove() { ScriptApp.getProjectTriggers().forEach(ScriptApp.deleteTrigger); }`);
    const run = async (functionName: string, userEmail: string) => {
      const outcome = host.start({ functionName, args: [], door: 'sidebar', userEmail });
      await host.run(host.nowMs() + 60_000);
      return (await outcome).value;
    };
    await run('make', 'ann@example.com');
    expect(await run('list', 'ann@example.com')).toEqual([['onSchedule', true]]);
    expect(await run('list', 'bob@example.com')).toEqual([]);
    await run('remove', 'bob@example.com');
    expect(host.stores.triggers.all()).toHaveLength(1);
    await run('remove', 'ann@example.com');
    expect(host.stores.triggers.all()).toEqual([]);
    await host.stop();
  });

  it.each(['everyMinutes(30)', 'after(60000)'])('are hourly at best: %s', async (rule) => {
    const code = `function f() { ScriptApp.newTrigger('g').timeBased().${rule}.create(); }`;
    expect((await outcomeOf(code)).error?.message).toBe(
      'Clock events must be scheduled at least 1 hour(s) apart.',
    );
  });

  it('are one for each user and document', async () => {
    const code = `function f() {
      for (let i = 0; i < 2; i++) ScriptApp.newTrigger('g').timeBased().everyHours(1).create();
    }`;
    const host = hostOf(code);
    const outcome = host.start({ functionName: 'f', args: [], door: 'menu' });
    await host.run(host.nowMs() + 60_000);
    await host.stop();
    expect((await outcome).error?.message).toBe(
      'This add-on has created too many time-based triggers in this document for this ' +
        'Google user account.',
    );
  });

  it('fire by the hour, somewhat late, until they are deleted', async () => {
    const host = hostOf(`
      function make() { ScriptApp.newTrigger('onSchedule').timeBased().everyHours(2).create(); }
      function onSchedule(e) {
        const cache = CacheService.getScriptCache();
        const run = e.hour + ':' + typeof e.triggerUid + ' ';
        cache.put('runs', (cache.get('runs') || '') + run, 21600);
        if (e.hour >= 14) ScriptApp.getProjectTriggers().forEach(ScriptApp.deleteTrigger);
      }
      function look() { return CacheService.getScriptCache().get('runs'); }`);
    const run = (functionName: string) => host.start({ functionName, args: [], door: 'menu' });
    void run('make');
    await host.run(host.nowMs() + 9 * 60 * 60 * 1_000);
    const runs = run('look');
    await host.run();
    await host.stop();
    expect((await runs).value).toBe('11:string 13:string 15:string ');
  });

  /** Notes each firing; `made` makes the trigger. */
  const NOTING = `
    function make() { ScriptApp.newTrigger('onSchedule').timeBased().everyHours(1).create(); }
    function onSchedule(e) {
      const cache = CacheService.getScriptCache();
      cache.put('runs', (cache.get('runs') || '') + e.hour + ' ', 21600);
    }
    function look() { return CacheService.getScriptCache().get('runs'); }`;
  const HOUR = 3_600_000;

  it('may fail to come, and may come twice', async () => {
    const host = hostOf(NOTING, {
      firings: (dueMs) => {
        const hour = new Date(dueMs).getUTCHours();
        if (hour === 11) return [];
        return hour === 12 ? [dueMs + 60_000, dueMs + 90_000] : [dueMs + 50 * 60_000];
      },
    });
    void host.start({ functionName: 'make', args: [], door: 'menu' });
    await host.run(host.nowMs() + 5 * HOUR);
    const runs = host.start({ functionName: 'look', args: [], door: 'menu' });
    await host.run();
    await host.stop();
    expect((await runs).value).toBe('10 12 12 13 ');
  });

  it('wait while the add-on is disabled for their user, and are gone when it is uninstalled', async () => {
    const host = hostOf(NOTING, { documents: [annsDocument()] });
    const { triggers } = host.stores;
    void host.start({ functionName: 'make', args: [], door: 'menu' });
    const at = (hours: number, action: () => void) => host.at(host.nowMs() + hours * HOUR, action);
    at(1.5, () => triggers.disable('ann@example.com'));
    at(3.5, () => triggers.enable('ann@example.com'));
    at(4.5, () => triggers.uninstall('ann@example.com'));
    await host.run(host.nowMs() + 6 * HOUR);
    const runs = host.start({ functionName: 'look', args: [], door: 'menu' });
    await host.run();
    await host.stop();
    expect((await runs).value).toBe('10 13 ');
    expect(triggers.all()).toEqual([]);
  });

  it('that Google disables stay listed and fire no more, whatever is done but making new ones', async () => {
    const host = hostOf(
      `${NOTING}
      function list() {
        return ScriptApp.getProjectTriggers().map((trigger) => [trigger.getHandlerFunction(), typeof trigger.isDisabled]);
      }
      function again() { ScriptApp.getProjectTriggers().forEach(ScriptApp.deleteTrigger); make(); }`,
      { documents: [annsDocument()] },
    );
    const { triggers } = host.stores;
    const run = (functionName: string) => host.start({ functionName, args: [], door: 'menu' });
    const pass = (hours: number) => host.run(host.nowMs() + hours * HOUR);
    void run('make');
    await pass(1.5);
    for (const { uniqueId } of triggers.all()) triggers.disableTrigger(uniqueId);
    triggers.enable('ann@example.com');
    await pass(2);
    const listed = run('list');
    void run('again');
    await pass(1.5);
    const runs = run('look');
    await host.run();
    await host.stop();
    // Google's reference has no member that would tell.
    expect((await listed).value).toEqual([['onSchedule', 'undefined']]);
    expect((await runs).value).toBe('10 13 ');
  });

  it('may come each ten minutes in a script that is bound to its spreadsheet', async () => {
    const code = `function f() {
      ScriptApp.newTrigger('g').timeBased().everyMinutes(10).create();
      ScriptApp.newTrigger('h').timeBased().everyHours(1).create();
      return ScriptApp.getProjectTriggers().length;
    }`;
    const limits = { firingsApartMs: 60_000, triggersPerDocument: 20 };
    const host = hostOf(code, { limits });
    const outcome = host.start({ functionName: 'f', args: [], door: 'menu' });
    await host.run(host.nowMs() + 60_000);
    await host.stop();
    expect((await outcome).value).toBe(2);
  });

  it('run for 90 minutes a day and user, and then no more', async () => {
    const host = hostOf('function f() { Utilities.sleep(60000); }', {
      limits: { triggerRuntimePerDayMs: 120_000 },
    });
    const startMs = host.nowMs();
    const ended = [0, 1, 2, 3, 25 * 60].map((minute) =>
      host.start({ functionName: 'f', args: [], door: 'clock' }, startMs + minute * 120_000),
    );
    await host.run();
    await host.stop();
    const outcomes = await Promise.all(ended);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, false, false, true]);
    expect(outcomes[2]?.error?.message).toBe('Service using too much computer time for one day');
  });

  it('need their scope in the manifest', async () => {
    const code = 'function f() { ScriptApp.getProjectTriggers(); }';
    const dist = { code, html: {}, manifest: manifestWith([]) };
    expect((await outcomeOf(code, {}, { dist })).error?.message).toBe(
      'Specified permissions are not sufficient to call ScriptApp.projectTriggers. ' +
        'Required permissions: https://www.googleapis.com/auth/script.scriptapp',
    );
  });
});

describe('authorisation', () => {
  it('is asked for where the mode is NONE', async () => {
    const code = `function f() {
      const info = ScriptApp.getAuthorizationInfo(ScriptApp.AuthMode.FULL);
      const isRequired = info.getAuthorizationStatus() === ScriptApp.AuthorizationStatus.REQUIRED;
      return [isRequired, info.getAuthorizationUrl() !== null];
    }`;
    expect(await resultOf(code, { authMode: 'NONE' })).toEqual([true, true]);
    // There may be an address though nothing is missing: the status alone tells.
    expect(await resultOf(code, { authMode: 'FULL' })).toEqual([false, true]);
  });

  const [MAIL, TRIGGERS] = [
    'https://mail.google.com/',
    'https://www.googleapis.com/auth/script.scriptapp',
  ];
  const UNTICKED = { consents: { 'ann@example.com': [MAIL] } };

  it('is told scope by scope where somebody has un-ticked some', async () => {
    const code = `function f() {
      const ask = (scopes) => ScriptApp.getAuthorizationInfo(ScriptApp.AuthMode.FULL, scopes);
      const { REQUIRED } = ScriptApp.AuthorizationStatus;
      return [['${MAIL}'], ['${TRIGGERS}'], undefined].map((scopes) => {
        const info = ask(scopes);
        const isRequired = info.getAuthorizationStatus() === REQUIRED;
        return [isRequired, info.getAuthorizedScopes().length];
      });
    }`;
    const dist = { code, html: {}, manifest: manifestWith([MAIL, TRIGGERS]) };
    const ann = { userEmail: 'ann@example.com' };
    expect(await resultOf(code, ann, { dist, ...UNTICKED })).toEqual([
      [false, 1],
      [true, 1],
      [true, 1],
    ]);
    expect(await resultOf(code, { userEmail: 'bob@example.com' }, { dist, ...UNTICKED })).toEqual([
      [false, 2],
      [false, 2],
      [false, 2],
    ]);
  });

  it('that was not granted is refused at the call, except to cells, which nobody asks', async () => {
    const code = "function f() { UrlFetchApp.fetch('https://nowhere.example.com'); }";
    const ann = { userEmail: 'ann@example.com' };
    const { error } = await outcomeOf(code, ann, UNTICKED);
    expect(error?.message).toMatch(/^Specified permissions are not sufficient to call UrlFetchApp/);
    const cell = await outcomeOf(code, { ...ann, door: 'cell' }, UNTICKED);
    expect(cell.error?.message).toMatch(/^DNS error/);
  });

  it('is told to triggers by their event', async () => {
    const code =
      'function f(e) { return [e.authMode === ScriptApp.AuthMode.NONE, String(e.authMode)]; }';
    expect(await resultOf(code, { door: 'open', authMode: 'NONE' })).toEqual([true, 'NONE']);
    expect(await resultOf(code, { door: 'open' })).toEqual([false, 'LIMITED']);
  });

  it('of a scope that the manifest lacks throws', async () => {
    const code = "function f() { ScriptApp.requireScopes(ScriptApp.AuthMode.FULL, ['x']); }";
    expect((await outcomeOf(code)).error?.message).toBe('Authorization is required: x');
  });
});

describe('what else ScriptApp has', () => {
  it('fires weekly on the day that was asked for', async () => {
    const host = hostOf(
      `function f() {
        ScriptApp.newTrigger('g').timeBased().onWeekDay(ScriptApp.WeekDay.FRIDAY).atHour(6).create();
      }
      function g() { console.log('fired'); }`,
      { firings: (dueMs) => [dueMs] },
    );
    void host.start({ functionName: 'f', args: [], door: 'menu' });
    // Virtual time begins on a Monday.
    const beginMs = host.nowMs();
    await host.run(beginMs + 15 * 86_400_000);
    const fired = host.trace().filter((line) => / start +clock FULL g/.test(line));
    await host.stop();
    const hours = fired.map((line) => new Date(Number(line.split(' ')[0])).toISOString());
    expect(hours.map((moment) => moment.slice(0, 13))).toEqual(['2026-01-09T06', '2026-01-16T06']);
  });

  it('makes state tokens, no two alike', async () => {
    const code = `function f() {
      const token = () => ScriptApp.newStateToken().withMethod('back').withArgument('a', '1')
        .withTimeout(60).createToken();
      return [typeof token(), token() === token()];
    }`;
    expect(await resultOf(code)).toEqual(['string', false]);
  });
});

it('refuses other numbers of minutes than the clock has', async () => {
  const code = "function f() { ScriptApp.newTrigger('g').timeBased().everyMinutes(3); }";
  expect((await outcomeOf(code, {}, { project: 'bound' })).error?.message).toBe(
    'The value you passed to everyMinutes was invalid. It must be one of 1, 5, 10, 15 or 30.',
  );
});

describe("a trigger's days and hours", () => {
  async function firingsOf(rule: string, days: number, timeZone = 'America/New_York', seed = 1) {
    const code = `function f() { ScriptApp.newTrigger('g').timeBased().${rule}.create(); } function g() {}`;
    const manifest = JSON.stringify({ ...JSON.parse(manifestWith([TRIGGERS])), timeZone });
    const host = hostOf(code, {
      dist: { code, html: {}, manifest },
      firings: (dueMs) => [dueMs],
      project: 'bound',
      seed,
    });
    void host.start({ functionName: 'f', args: [], door: 'menu' });
    await host.run(host.nowMs() + days * 86_400_000);
    const fired = host.trace().filter((line) => / start +clock FULL g/.test(line));
    await host.stop();
    return fired.map((line) => new Date(Number(line.split(' ')[0])).toISOString().slice(0, 16));
  }
  const TRIGGERS = 'https://www.googleapis.com/auth/script.scriptapp';

  it("are those of the project's zone, also when its clock is changed", async () => {
    const fired = await firingsOf('everyDays(1).atHour(9)', 65);
    const hours = fired.map((moment) => moment.slice(0, 13));
    expect(hours[0]).toBe('2026-01-05T14');
    expect(hours.slice(-3)).toEqual(['2026-03-08T13', '2026-03-09T13', '2026-03-10T13']);
  });

  it('are those of its own zone where it has one', async () => {
    const fired = await firingsOf("everyDays(1).atHour(9).inTimezone('Asia/Tokyo')", 2);
    expect(fired.map((moment) => moment.slice(0, 13))).toEqual(['2026-01-06T00', '2026-01-07T00']);
  });

  it('may be a day of the month', async () => {
    const fired = await firingsOf('onMonthDay(15).atHour(6)', 60, 'Etc/UTC');
    expect(fired.map((moment) => moment.slice(0, 13))).toEqual(['2026-01-15T06', '2026-02-15T06']);
  });

  it('have a minute that chance chooses once', async () => {
    const minutes = async (seed: number) => {
      const fired = await firingsOf('everyDays(1).atHour(9)', 5, 'Etc/UTC', seed);
      return [...new Set(fired.map((moment) => moment.slice(14)))];
    };
    const [one, other] = [await minutes(1), await minutes(2)];
    expect([one.length, other.length]).toEqual([1, 1]);
    expect(one).not.toEqual(other);
  });

  it.each([
    ['everyDays(1).atHour(12).nearMinute(30)', '2026-01-05T12:30'],
    ['onWeekDay(ScriptApp.WeekDay.TUESDAY).atHour(0).nearMinute(0)', '2026-01-06T00:00'],
    ['atDate(2026, 1, 7)', '2026-01-07T00:00'],
  ])('%s: at most a quarter of an hour from there', async (rule, near) => {
    for (const seed of [1, 2, 3, 4]) {
      const [fired = ''] = await firingsOf(rule, 7, 'Etc/UTC', seed);
      const apartMs = Math.abs(Date.parse(`${fired}Z`) - Date.parse(`${near}Z`));
      expect(apartMs).toBeLessThanOrEqual(15 * 60_000);
    }
  });
});

it('the address of the web app is there where the script is one', async () => {
  const code =
    'function f() { const app = ScriptApp.getService(); return [app.getUrl(), app.isEnabled()]; }';
  expect(await resultOf(code)).toEqual([null, false]);
  expect(await resultOf(`${code} function doGet() {}`)).toEqual([
    'https://script.google.com/macros/s/emulated-script/exec',
    true,
  ]);
});
