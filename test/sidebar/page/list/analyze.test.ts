// A list that is analyzed, without a browser: what a person does, what is sent, and what is shown after it.

import { describe, expect, it, jest } from '@jest/globals';
import { LOOK, PREVIEW, RUNNING } from '../../../../playground/sidebar-states/analyze-replies';
import { described } from '../../../../src/sidebar/api/failure-view';
import { fails, openPage, says } from '../open-page';

// Nothing here waits for a time, and what the page does by itself must not outlive a test.
jest.useFakeTimers({ doNotFake: ['setImmediate'] });

type Analyze = typeof import('../../../../src/sidebar/page/list/analyze');
type List = typeof import('../../../../src/sidebar/page/list/list');
type App = Pick<typeof import('../../../../src/sidebar/page/ui/app'), 'keyMended'>;

const open = () =>
  openPage(() => ({
    ...(require('../../../../src/sidebar/page/ui/app') as App),
    ...(require('../../../../src/sidebar/page/list/list') as List),
    ...(require('../../../../src/sidebar/page/list/analyze') as Analyze),
  }));

/** Answers both halves of a look at the sheet. */
async function looked({ last }: ReturnType<typeof open>, seen: object) {
  await last('deals.look').answer(says({ look: null }));
  await last('list.look').answer(says(seen));
}

async function chosen() {
  const opened = open();
  opened.page.startList();
  opened.page.startAnalyze();
  await looked(opened, LOOK);
  return opened;
}

async function counted() {
  const opened = await chosen();
  await opened.last('jobs.preview').answer(says(PREVIEW));
  return opened;
}

describe('a list that is analyzed', () => {
  it('counts what is chosen by itself, and starts nothing before', async () => {
    const { page, last, count } = await chosen();
    expect([page.count.isBusy, page.plan.value]).toEqual([true, null]);
    expect(last('jobs.preview').payload).toMatchObject(LOOK.choice);
    await page.start();
    expect(count('jobs.start')).toBe(0);
    await last('jobs.preview').answer(says(PREVIEW));
    expect([page.count.isBusy, page.plan.value?.preview]).toEqual([false, PREVIEW]);
  });

  it('counts anew what is chosen otherwise, and ignores what was counted before', async () => {
    const { page, last, count } = await chosen();
    const before = last('jobs.preview');
    if (page.choice.value) page.choose({ ...page.choice.value, fields: ['roi'] });
    await before.answer(says(PREVIEW));
    expect([page.plan.value, count('jobs.preview')]).toEqual([null, 2]);
    await last('jobs.preview').answer(says(PREVIEW));
    expect(page.plan.value?.choice.fields).toEqual(['roi']);
  });

  it('says why rows cannot be counted, and counts those of the sheet in view', async () => {
    const opened = await chosen();
    const { page, last, count } = opened;
    const failure = { kind: 'run', message: 'Another sheet is in view now.' };
    await last('jobs.preview').answer(fails(failure));
    expect(page.countFailure.value).toEqual(failure);
    void page.refresh();
    await looked(opened, { ...LOOK, sheet: { id: 8, name: 'Clearance' } });
    expect(page.countFailure.value).toBeNull();
    expect(count('jobs.preview')).toBe(2);
  });

  it('asks for as many products as it has shown; where they are others, it counts them', async () => {
    const opened = await counted();
    const { page, last, count } = opened;
    void page.start();
    expect(last('jobs.start').payload).toEqual({ ...LOOK.choice, products: PREVIEW.products });
    const failure = { kind: 'run', message: 'The list has changed: it has 372 products now.' };
    await last('jobs.start').answer(fails(failure));
    expect(page.failure.value).toEqual(failure);
    await looked(opened, { ...LOOK });
    await last('jobs.preview').answer(says({ ...PREVIEW, products: 372 }));
    expect([page.plan.value?.preview.products, count('jobs.preview')]).toEqual([372, 2]);
    expect(page.failure.value).toEqual(failure);
  });

  it('stops a job while it pauses', async () => {
    const { page, last, count } = await counted();
    void page.start();
    await last('jobs.start').answer(says({ status: RUNNING, queue: ['US B07FZ8S74R'] }));
    expect(page.doing.value).toBe('running');
    void page.pause();
    void page.stop();
    expect([page.pause.isBusy, page.stop.isBusy]).toEqual([false, true]);
    expect(count('jobs.setState')).toBe(2);
    const stopped = { ...RUNNING, state: 'stopped' };
    await last('jobs.setState').answer(says({ status: stopped, queue: [] }));
    expect([page.doing.value, page.stop.isBusy]).toEqual(['over', false]);
  });

  it('offers the other market where nothing was found, and starts anew there', async () => {
    const { page, last } = await counted();
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

describe('a second list', () => {
  const CLEARANCE = { id: 8, name: 'Clearance' };

  it('stays in view where what a job has written elsewhere is read to its end later', async () => {
    const opened = await counted();
    const { page, calls, last } = opened;
    void page.start();
    await last('jobs.start').answer(says({ status: RUNNING, queue: [] }));
    void page.stop();
    await last('jobs.setState').answer(
      says({ status: { ...RUNNING, state: 'stopped' }, queue: [] }),
    );
    const outcome = ['deals.look', 'list.look'].map(last);
    void page.refresh();
    const choice = { ...LOOK.choice, sheetId: 8 };
    await looked(opened, { ...LOOK, sheet: CLEARANCE, choice });
    expect(calls.filter(({ method }) => method === 'list.look')).toHaveLength(3);
    await outcome[0]?.answer(says({ look: null }));
    await outcome[1]?.answer(says(LOOK));
    expect([page.look.value?.sheet, page.choice.value?.sheetId]).toEqual([CLEARANCE, 8]);
    await last('jobs.preview').answer(says(PREVIEW));
    expect(page.plan.value?.choice.sheetId).toBe(8);
  });

  it('is followed while a job runs, waits for it if it is analyzed, and begins by itself', async () => {
    const opened = await counted();
    const { page, last, count } = opened;
    void page.start();
    await last('jobs.start').answer(says({ status: RUNNING, queue: [] }));
    await last('jobs.record').answer(says(RUNNING));
    void page.refresh();
    // The list that is analyzed is not read meanwhile.
    await last('list.selected').answer(says({ sheetId: LOOK.sheet.id, rows: [1, 1], shown: '' }));
    expect([count('list.look'), page.elsewhere.value]).toEqual([1, null]);
    void page.refresh();
    await last('list.selected').answer(says({ sheetId: 8, rows: [1, 1], shown: '' }));
    const choice = { ...LOOK.choice, sheetId: 8 };
    await looked(opened, { ...LOOK, sheet: CLEARANCE, choice });
    expect(page.elsewhere.value).toEqual(RUNNING);
    await last('jobs.preview').answer(says(PREVIEW));
    void page.start();
    const { jobId } = RUNNING;
    expect(last('jobs.queueNext').payload).toEqual({ jobId, sheetId: 8, choices: [choice] });
    const next = [{ sheetId: 8, market: 'US', isMine: true }];
    await last('jobs.queueNext').answer(says({ status: { ...RUNNING, next }, queue: [] }));
    expect([count('jobs.start'), count('jobs.beginNext')]).toEqual([1, 0]);
    void page.stop();
    const stopped = { ...RUNNING, state: 'stopped', next };
    await last('jobs.setState').answer(says({ status: stopped, queue: [] }));
    const second = { ...RUNNING, jobId: 'second', sheet: CLEARANCE };
    await last('jobs.beginNext').answer(says({ status: second, queue: [], choice }));
    expect([page.job.status.value?.jobId, page.elsewhere.value]).toEqual(['second', null]);
  });
});

describe('a key that was refused', () => {
  const REFUSED = described({ kind: 'key-refused' });
  it('is told no more once a person has set it right, though the job waits for Continue', async () => {
    const { page, last } = await chosen();
    await last('jobs.preview').answer(fails(REFUSED));
    expect(page.countFailure.value).toEqual(REFUSED);
    page.keyMended();
    expect(page.countFailure.value).toBeNull();
    void page.count();
    await last('jobs.preview').answer(says(PREVIEW));
    void page.start();
    const held = { ...RUNNING, state: 'blocked', problem: REFUSED };
    await last('jobs.start').answer(says({ status: held, queue: [] }));
    expect(page.problem.value).toEqual(REFUSED);
    page.keyMended();
    expect([page.problem.value, page.doing.value]).toEqual([null, 'paused']);
  });
});
