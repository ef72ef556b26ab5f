// The page's work on a job: its speed, its records, its commands, and lost calls, in virtual time.

import { describe, expect, it } from '@jest/globals';
import type { Choice } from '../../../src/sidebar/api/jobs';
import {
  askersAfter,
  askMs,
  batchSize,
  goesOnHere,
  recordEveryMs,
  retryPauseMs,
} from '../../../src/sidebar/page/ui/job';
import { createVirtualJob, LOST, USUAL } from './virtual-job';

const CHOICE = {} as Choice;

describe('decisions', () => {
  it('keeps more asks in flight while they are in calls, and fewer once they mostly wait', () => {
    const wished = (askers: number, servedMs: number, waitedMs: number) =>
      askersAfter(askers, { servedMs, waitedMs }, 16_000);
    expect([wished(2, 9_000, 0), wished(7, 9_000, 5_000), wished(8, 9_000, 0)]).toEqual([3, 8, 8]);
    expect([wished(4, 2_000, 9_000), wished(2, 2_000, 9_000)]).toEqual([3, 2]);
    expect(wished(4, 2_000, 6_000)).toBe(4);
  });

  it('adds few where the time goes into stores and locks', () => {
    const wished = (askers: number) =>
      askersAfter(askers, { servedMs: 2_000, waitedMs: 2_000 }, 16_000);
    expect([wished(2), wished(5), wished(6), wished(7)]).toEqual([3, 6, 6, 7]);
  });

  it('asks for one wave at first, then for what fits the time, then for a fair share', () => {
    expect(batchSize(1_000, 2, null)).toBe(5);
    expect(batchSize(1_000, 2, 2.5)).toBe(120);
    expect(batchSize(40, 4, 2.5)).toBe(10);
    expect(batchSize(6, 4, 2.5)).toBe(5);
    expect(batchSize(3, 4, 2.5)).toBe(3);
    expect(batchSize(10_000, 2, 500)).toBe(1_000);
  });

  it('lets no two asks end within 3 s', () => {
    const endsMs: number[] = [];
    for (let i = 0; i < 3; i++) endsMs.push(50 + askMs(endsMs, 50));
    expect(endsMs).toEqual([16_050, 13_050, 10_050]);
    expect(askMs([16_050, 13_050, 10_050, 7_050], 50)).toBe(16_000);
  });

  it('records every 5 to 15 s, and less often where records take long', () => {
    expect([500, 2_500, 9_000].map(recordEveryMs)).toEqual([5_000, 10_000, 15_000]);
  });

  it('tries again after 2 s, 4 s, 8 s, and at last every minute', () => {
    expect([1, 2, 3, 9].map(retryPauseMs)).toEqual([2_000, 4_000, 8_000, 60_000]);
  });

  it('goes on with a job of its own person that nobody works on, and with one whose time has come', async () => {
    const { loop, clock } = createVirtualJob();
    const started = loop.start(CHOICE);
    await clock.until(() => clock.nowMs() > 4_000);
    const reply = await started;
    if (!reply.ok) throw new Error('It did not start.');
    const job = reply.value;
    const left = { ...job, isWorkedOn: false };
    const blocked = { ...left, state: 'blocked', resumesAtMs: 50 } as const;
    expect([job, left, blocked].map((one) => goesOnHere(one, 50))).toEqual([false, true, true]);
    const others = [
      { ...left, isMine: false },
      { ...left, isScheduled: true },
      { ...left, state: 'paused' } as const,
      { ...blocked, resumesAtMs: 51 },
    ];
    expect(others.map((one) => goesOnHere(one, 50))).toEqual([false, false, false, false]);
  });
});

describe('speed', () => {
  it.each([
    ['usual answers', 1.06, {}],
    ['answers of 4 s', 1.15, { answerMs: 5_500 }],
    ['slow stores', 1.15, { waveMs: 1_500, recordMs: 4_000 }],
  ])('asks for 10,000 products in the time that the key needs, with %s', async (_, most, law) => {
    const job = createVirtualJob({ ...USUAL, products: 10_000, ...law });
    const tookMs = await job.run();
    expect(job.wanted.size).toBe(0);
    expect(job.sent.size).toBe(10_000);
    expect(tookMs / job.idealMs).toBeLessThanOrEqual(most);
  });

  it('asks while the job begins, in portions so small that a stop is heard soon', async () => {
    const job = createVirtualJob({ ...USUAL, products: 1_000 });
    const first = [...job.wanted].slice(0, 200);
    await job.run(first);
    expect(job.recorded.reduce((sum, { calls }) => sum + calls, 0)).toBe(job.sentAtMs.length);
    const begunMs = job.log.find(({ method }) => method === 'jobs.ask')?.atMs ?? 0;
    expect(job.sentAtMs.filter((atMs) => atMs < begunMs).length).toBeGreaterThan(15);
    const ahead = job.log.filter(({ method }) => method === 'jobs.askAhead');
    expect(ahead.length).toBeLessThan(10);
    expect(ahead.every(({ atMs }) => atMs <= begunMs)).toBe(true);
  });

  it('records the first answers within 8 s of the click', async () => {
    const job = createVirtualJob();
    await job.run();
    expect(job.recorded[0]?.atMs).toBeLessThan(7_000);
    expect(job.recorded[0]?.products).toBeGreaterThan(0);
  });

  it('records no more than every 5 s after that, one record at a time', async () => {
    const job = createVirtualJob();
    await job.run();
    const atMs = job.log.filter(({ method }) => method === 'jobs.record').map((one) => one.atMs);
    const apartMs = atMs.slice(1, -1).map((one, at) => one - (atMs[at] ?? 0));
    expect(Math.min(...apartMs)).toBeGreaterThanOrEqual(5_000);
    expect(Math.max(...apartMs)).toBeLessThanOrEqual(20_000);
  });

  it('has at most eight asks in flight, and few where few suffice', async () => {
    const slow = createVirtualJob({ ...USUAL, answerMs: 12_000 });
    await slow.run();
    expect(slow.inFlightMax()).toBe(8);
    const usual = createVirtualJob();
    await usual.run();
    expect(usual.inFlightMax()).toBeLessThanOrEqual(5);
  });

  it('shows that it lives while the key allows nothing for minutes', async () => {
    const job = createVirtualJob({ ...USUAL, products: 4, perSecond: 1 / 400, burst: 1 });
    await job.run();
    const atMs = [
      0,
      ...job.log.filter(({ method }) => method === 'jobs.record').map((one) => one.atMs),
    ];
    const apartMs = atMs.slice(1).map((one, at) => one - (atMs[at] ?? 0));
    expect(Math.max(...apartMs)).toBeLessThanOrEqual(75_000);
    expect(job.wanted.size).toBe(0);
  });
});

describe('commands', () => {
  it.each(['paused', 'stopped'] as const)(
    'sends nothing two seconds after it is %s, and loses no answer',
    async (state) => {
      // The click comes before an ask that the page would make while the command is on its way.
      const undisturbed = createVirtualJob();
      await undisturbed.run();
      const later = undisturbed.log.filter(
        ({ method, atMs }) => method === 'jobs.ask' && atMs > 20_000 && atMs < 60_000,
      );
      expect(later.length).toBeGreaterThan(3);
      for (const ask of later) {
        const job = createVirtualJob();
        void job.loop.start(CHOICE);
        await job.clock.until(() => job.clock.nowMs() > ask.atMs - 400);
        const clickMs = job.clock.nowMs();
        const asks = () => job.log.filter(({ method }) => method === 'jobs.ask').length;
        const before = asks();
        void job.loop.setState('job-1', state);
        await job.clock.until(job.isOver);
        expect(Math.max(...job.sentAtMs)).toBeLessThan(clickMs + 2_000);
        expect(asks()).toBe(before);
        expect(job.recorded.reduce((sum, { products }) => sum + products, 0)).toBe(job.sent.size);
        expect(job.page.nextCallAtMs.value).toBeNull();
      }
    },
  );

  it('goes on where it was paused, and asks for nothing twice', async () => {
    const job = createVirtualJob({ ...USUAL, products: 300 });
    void job.loop.start(CHOICE);
    await job.clock.until(() => job.clock.nowMs() > 20_000);
    void job.loop.setState('job-1', 'paused');
    await job.clock.until(() => job.clock.nowMs() > 21_000);
    void job.loop.setState('job-1', 'running');
    await job.clock.until(() => job.wanted.size === 0);
    await job.clock.until(() => job.types().filter((type) => type === 'workEnded').length === 2);
    expect([...job.sent.values()].every((times) => times === 1)).toBe(true);
    expect(job.sent.size).toBe(300);
  });

  it('goes on as before where the pause was not heard', async () => {
    const job = createVirtualJob(USUAL, (method, nth) =>
      method === 'jobs.setState' && nth === 1 ? LOST : undefined,
    );
    void job.loop.start(CHOICE);
    await job.clock.until(() => job.clock.nowMs() > 20_000);
    const reply = job.loop.setState('job-1', 'paused');
    await job.clock.until(() => job.wanted.size === 0);
    expect((await reply).ok).toBe(false);
    expect(job.sent.size).toBe(1_000);
  });

  it('ends where another page has paused the job, or another page or person continues it', async () => {
    for (const change of [{ state: 'paused' }, { isMine: false }, { continued: 1 }] as const) {
      const job = createVirtualJob();
      void job.loop.start(CHOICE);
      await job.clock.until(() => job.clock.nowMs() > 20_000);
      job.change(change);
      await job.clock.until(job.isOver);
      expect(job.clock.nowMs()).toBeLessThan(60_000);
      expect(job.types()).not.toContain('workFailed');
    }
  });
});

describe('calls that fail', () => {
  it('asks again ever later while the server is not reached, and pays for nothing twice', async () => {
    const job = createVirtualJob({ ...USUAL, products: 200 }, (method, nth) =>
      /ask|record/.test(method) && nth % 3 === 0 ? LOST : undefined,
    );
    await job.run();
    expect(job.wanted.size).toBe(0);
    expect([...job.sent.values()].every((times) => times === 1)).toBe(true);
    expect(job.types()).toContain('linkLost');
    // The queue is not read again for what was lost on the way.
    expect(job.log.some(({ method }) => method === 'jobs.setState')).toBe(false);
  });

  it('keeps answers until they are recorded', async () => {
    const job = createVirtualJob({ ...USUAL, products: 50 }, (method, nth) =>
      method === 'jobs.record' && nth < 5 ? LOST : undefined,
    );
    await job.run();
    expect(job.wanted.size).toBe(0);
    expect(job.recorded.reduce((sum, { calls }) => sum + calls, 0)).toBe(50);
  });

  it('goes on where somebody else held the lock, however often, and says nothing of it', async () => {
    const busy = { kind: 'run', why: 'busy', what: '', message: 'Busy.' };
    const job = createVirtualJob({ ...USUAL, products: 200 }, (_method, nth) =>
      nth > 2 && nth % 3 > 0 ? busy : undefined,
    );
    await job.run();
    expect(job.wanted.size).toBe(0);
    expect(job.types()).not.toContain('workFailed');
    expect(job.types()).not.toContain('linkLost');
  });

  it('ends with the reason where another try does not help', async () => {
    const failure = { kind: 'protected', message: 'Protected.' };
    for (const failing of ['jobs.ask', 'jobs.record']) {
      const job = createVirtualJob(USUAL, (method) => (method === failing ? failure : undefined));
      await job.run();
      expect(job.events).toContainEqual({ type: 'workFailed', failure });
      expect(job.clock.nowMs()).toBeLessThan(30_000);
    }
  });

  it('finds a job whose start was answered and not heard', async () => {
    const job = createVirtualJob(USUAL, (method) => (method === 'jobs.start' ? LOST : undefined));
    const reply = job.loop.start(CHOICE);
    await job.clock.until(job.isOver);
    expect((await reply).ok).toBe(true);
    expect(job.wanted.size).toBe(0);
  });
});

describe('a queue that is empty before the job is over', () => {
  it('reads the queue again, and gives up where that brings nothing', async () => {
    const job = createVirtualJob({ ...USUAL, products: 10 });
    job.change({ state: 'running', left: 3 });
    void job.loop.start(CHOICE);
    // The server never says that the job is done.
    await job.clock.until(() => job.wanted.size === 0);
    job.change({ state: 'running', left: 3 });
    await job.clock.until(job.isOver);
    expect(job.log.filter(({ method }) => method === 'jobs.setState').length).toBeGreaterThan(0);
    expect(job.log.length).toBeLessThan(40);
  });
});

describe('a job that is followed', () => {
  it('is shown as it is, every two seconds, or every ten while it rests', async () => {
    const job = createVirtualJob();
    const status = { ...(await statusOf(job)), isMine: false };
    job.change({ isMine: false });
    job.loop.follow(status);
    await job.clock.until(() => job.clock.nowMs() > 18_000);
    const looks = job.log.filter(({ method }) => method === 'jobs.status').length;
    expect(looks).toBeGreaterThanOrEqual(3);
    expect(job.types()).not.toContain('workBegun');
    job.loop.follow(null);
    await job.clock.until(() => job.clock.nowMs() > 60_000);
    expect(job.log.filter(({ method }) => method === 'jobs.status').length).toBeLessThanOrEqual(
      looks + 1,
    );
  });

  it('is gone on with at once by the page that worked on it before it was opened again', async () => {
    const job = createVirtualJob({ ...USUAL, products: 50 });
    const status = await statusOf(job);
    expect(status.isWorkedOn).toBe(true);
    job.loop.follow(status, status.jobId);
    await job.clock.until(() => job.clock.nowMs() > 3_000);
    expect(job.types()).toContain('workBegun');
  });

  it('is gone on with once nobody works on it', async () => {
    const job = createVirtualJob({ ...USUAL, products: 50 });
    const status = await statusOf(job);
    job.loop.follow(status);
    job.change({ isWorkedOn: false });
    await job.clock.until(job.isOver);
    expect(job.types()).toContain('workBegun');
    expect(job.wanted.size).toBe(0);
  });
});

async function statusOf(job: ReturnType<typeof createVirtualJob>) {
  const reply = job.loop.setState('job-1', 'paused');
  await job.clock.until(() => job.clock.nowMs() >= 500);
  const { ok } = await reply;
  if (!ok) throw new Error('No status.');
  job.change({ state: 'running' });
  const value = await reply;
  if (!value.ok) throw new Error('No status.');
  return { ...value.value, state: 'running' as const };
}
