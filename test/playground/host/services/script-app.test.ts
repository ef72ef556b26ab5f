// ScriptApp as the host emulates it: an add-on's clock triggers and what a script may ask of itself.

import { describe, expect, it } from '@jest/globals';
import { hostOf, manifestWith, outcomeOf, resultOf } from '../script-host';

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
    expect(await resultOf(code, { authMode: 'FULL' })).toEqual([false, false]);
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
