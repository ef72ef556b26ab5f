// Every kind of failure as the Settings page says it: one sentence, one thing to do, and the id.
import { describe, expect, it } from '@jest/globals';
import { FINISHED } from '../../playground/sidebar-states/analyze-replies';
import { listed } from '../../playground/sidebar-states/analyze-states';
import { connected } from '../../playground/sidebar-states/connection-replies';
import { begins, refuses } from '../../playground/sidebar-states/scripted-page';
import { type Failure, type FailureKind, runProblem } from '../../src/failures/failure';
import { described } from '../../src/sidebar/api/failure-view';
import { eventually } from './eventually';
import { expectAccessible, expectFocus, press, sidebarBrowser } from './sidebar-browser';

/** What a check may meet, each as the engine reports it. */
const MET: readonly Failure[] = [
  { kind: 'no-connection' },
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

describe('what somebody else does in the sheet', () => {
  const { open, calls } = sidebarBrowser();

  it('is named and waited for, and the page goes on by itself', async () => {
    const busy = refuses(described(runProblem('busy', 'someone else is adding decisions')));
    let left = 2;
    const start = () => (left-- > 0 ? busy : begins({ ...FINISHED, answered: 1 }, []));
    const opening = { isTimeStill: true };
    const page = await open({ ...listed, 'jobs.start': start }, 300, 640, opening);
    await page.clock.runFor(1_000);
    await page.locator('.bar .primary').click();
    const line = page.getByText(
      'Someone else is adding decisions in this spreadsheet. This page waits, then goes on by itself.',
    );
    await line.waitFor();
    expect(calls.filter(({ method }) => method === 'jobs.start')).toHaveLength(1);
    await page.clock.resume();
    await expectAccessible(page);
    await page.clock.runFor(5_000);
    await line.waitFor({ state: 'detached' });
    expect(calls.filter(({ method }) => method === 'jobs.start')).toHaveLength(3);
  });
});
