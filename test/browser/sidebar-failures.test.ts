// Every kind of failure as the Settings page says it: one sentence, one thing to do, and the id.
import { describe, expect, it } from '@jest/globals';
import { connected } from '../../playground/sidebar-states/connection-replies';
import { refuses } from '../../playground/sidebar-states/scripted-page';
import type { Failure, FailureKind } from '../../src/failures/failure';
import { described } from '../../src/sidebar/api/failure-view';
import { eventually } from './eventually';
import { expectAccessible, expectFocus, press, sidebarBrowser } from './sidebar-browser';

/** What a check may meet, each as the engine reports it. */
const MET: readonly Failure[] = [
  { kind: 'no-connection' },
  { kind: 'settings-unreadable' },
  { kind: 'settings-damaged' },
  { kind: 'key-refused', requestId: 'req_1' },
  { kind: 'plan-used-up', waitMs: 7_200_000, requestId: 'req_2' },
  { kind: 'not-found' },
  { kind: 'rejected', excerpt: 'market must be US', requestId: 'req_3' },
  { kind: 'waiting', waitMs: 40_000 },
  { kind: 'service-busy', status: 503, requestId: 'req_4' },
  { kind: 'unreachable' },
  { kind: 'timed-out' },
  { kind: 'wrong-address', status: 404 },
  { kind: 'not-understood', what: 'no JSON', requestId: 'req_5' },
  { kind: 'google-limit' },
  { kind: 'not-permitted' },
];

/** The filled button, where something else than checking again mends it. */
const REMEDIES: Partial<Record<FailureKind, string>> = {
  'key-refused': 'Replace the key',
  'wrong-address': 'Edit the address',
  unreachable: 'Edit the address',
};

describe('a failure of a check', () => {
  const { open } = sidebarBrowser();

  it('is one sentence and one thing to do, with the id of the request said quietly and more to read', async () => {
    let next: Failure | undefined;
    const page = await open({
      ...connected,
      'connection.check': () => refuses(described(next ?? { kind: 'timed-out' })),
    });
    await press(page, 'Check');
    for (const failure of MET) {
      next = failure;
      const words = described(failure);
      await press(page, 'Check again');
      const alert = page.getByRole('alert');
      const said = [
        [words.message, words.action].filter(Boolean).join(' '),
        ...(words.requestId === undefined ? [] : [`Request ${words.requestId}`]),
        'Learn more',
      ];
      await eventually(async () => (await alert.innerText()).split(/\n+/), said);
      const filled = await page.locator('.bar .primary').innerText();
      expect(filled).toBe(REMEDIES[failure.kind] ?? 'Check again');
      expect(words.message).toMatch(/^[A-Z].*[.?]$/);
      expect(words.action ?? words.message).toMatch(/\.$/);
    }
    await expectAccessible(page);
    await press(page, 'Check again');
  });

  it('is mended where its button leads', async () => {
    const failure = described({ kind: 'key-refused' });
    const page = await open({ ...connected, 'connection.check': () => refuses(failure) });
    await press(page, 'Check');
    await press(page, 'Replace the key');
    await expectFocus(page, 'apiKey');
  });
});
