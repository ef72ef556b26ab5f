// The Analyze page without a browser: what a person does, what is sent, and what is shown after it.

import { describe, expect, it, jest } from '@jest/globals';
import { LOOK, PREVIEW, RUNNING } from '../../../../playground/sidebar-states/analyze-replies';
import { fails, openPage, says } from '../open-page';

// Nothing here waits for a time, and what the page does by itself must not outlive a test.
jest.useFakeTimers({ doNotFake: ['setImmediate'] });

const open = () =>
  openPage<typeof import('../../../../src/sidebar/page/analyze/analyze')>(() =>
    require('../../../../src/sidebar/page/analyze/analyze'),
  );

async function chosen() {
  const opened = open();
  opened.page.startAnalyze(() => {});
  await opened.last('list.look').answer(says(LOOK));
  return opened;
}

describe('the Analyze page', () => {
  it('shows the preview of what is chosen', async () => {
    const { page, last } = await chosen();
    expect(page.at.value).toBe('choosing');
    void page.preview();
    expect(page.preview.isBusy).toBe(true);
    expect(last('jobs.preview').payload).toMatchObject(LOOK.choice);
    await last('jobs.preview').answer(says(PREVIEW));
    expect([page.at.value, page.preview.isBusy]).toEqual(['preview', false]);
  });

  it('ignores the preview of a choice that was changed meanwhile', async () => {
    const { page, last } = await chosen();
    void page.preview();
    if (page.choice.value) page.choose({ ...page.choice.value, fields: ['roi'] });
    expect(page.preview.isBusy).toBe(false);
    await last('jobs.preview').answer(says(PREVIEW));
    expect(page.at.value).toBe('choosing');
  });

  it('says why a preview failed, and looks again where the sheet is concerned', async () => {
    const { page, last, count } = await chosen();
    void page.preview();
    const failure = { kind: 'run', message: 'Another sheet is in view now.' };
    await last('jobs.preview').answer(fails(failure));
    expect(page.failure.value).toEqual(failure);
    expect(count('list.look')).toBe(2);
    const other = { ...LOOK, sheet: { id: 8, name: 'Clearance' } };
    await last('list.look').answer(says(other));
    expect(page.failure.value).toBeNull();
    expect(page.notice.value).toMatch(/“Clearance” is in view now/);
  });

  it('starts a job, which leaves nothing to go back to, and stops while it pauses', async () => {
    const { page, last, count } = await chosen();
    void page.preview();
    await last('jobs.preview').answer(says(PREVIEW));
    void page.start();
    page.leave();
    expect(page.at.value).toBe('preview');
    await last('jobs.start').answer(says({ status: RUNNING, queue: ['US B07FZ8S74R'] }));
    expect([page.at.value, page.doing.value]).toEqual(['job', 'running']);
    void page.pause();
    void page.stop();
    expect([page.pause.isBusy, page.stop.isBusy]).toEqual([false, true]);
    expect(count('jobs.setState')).toBe(2);
    const stopped = { ...RUNNING, state: 'stopped' };
    await last('jobs.setState').answer(says({ status: stopped, queue: [] }));
    expect([page.doing.value, page.stop.isBusy]).toEqual(['over', false]);
  });

  it('offers the other market where nothing was found, and starts anew there', async () => {
    const { page, last } = await chosen();
    void page.preview();
    await last('jobs.preview').answer(says(PREVIEW));
    void page.start();
    expect(page.otherMarket.value).toBeNull();
    const problem = { kind: 'alike', message: 'None was found.', market: 'US' };
    const asking = { ...RUNNING, state: 'blocked', problem };
    await last('jobs.start').answer(says({ status: asking, queue: [] }));
    expect(page.otherMarket.value).toBe('UK');
    void page.tryOther();
    expect(last('jobs.setState').payload).toMatchObject({ state: 'stopped' });
    const stopped = { ...asking, state: 'stopped' };
    await last('jobs.setState').answer(says({ status: stopped, queue: [] }));
    expect(last('jobs.start').payload).toMatchObject({ market: { kind: 'one', market: 'UK' } });
  });
});

describe('a key that was refused', () => {
  const REFUSED = { kind: 'key-refused', message: 'The service refused the key.' };
  const openBoth = () =>
    openPage(() => ({
      ...(require('../../../../src/sidebar/page/analyze/analyze') as typeof import('../../../../src/sidebar/page/analyze/analyze')),
      ...(require('../../../../src/sidebar/page/ui/app') as Pick<
        typeof import('../../../../src/sidebar/page/ui/app'),
        'keyMended'
      >),
    }));

  it('is told no more once a person has set it right, though the job waits for Continue', async () => {
    const { page, last } = openBoth();
    page.startAnalyze(() => {});
    await last('list.look').answer(says(LOOK));
    void page.preview();
    await last('jobs.preview').answer(fails(REFUSED));
    expect(page.failure.value).toEqual(REFUSED);
    page.keyMended();
    expect(page.failure.value).toBeNull();
    void page.preview();
    await last('jobs.preview').answer(says(PREVIEW));
    void page.start();
    const held = { ...RUNNING, state: 'blocked', problem: REFUSED };
    await last('jobs.start').answer(says({ status: held, queue: [] }));
    expect(page.problem.value).toEqual(REFUSED);
    page.keyMended();
    expect([page.problem.value, page.doing.value]).toEqual([null, 'paused']);
  });
});
