// Faults of the gate, the rate, sharing a key and Google's day.
import type { Fault } from '../fault';

export const QUOTA_FAULTS: readonly Fault[] = [
  {
    file: 'claims.ts',
    words:
      'What cells left requests for is not booked by who has the lock, so they crowd it one by one.',
    from: "if (slots.kind !== 'go') return so;",
    to: 'return so;',
    tests: ['functions/crowded-cells.test.ts'],
  },
  {
    file: 'claims.ts',
    words: 'A request is booked again and again, so slots pass that nobody uses.',
    from: 'firstSlotMs(so.claims, [name], leaseMs) < atMs',
    to: 'name !== ""',
    tests: ['functions/crowded-cells.test.ts'],
  },
  {
    file: 'common-clock.ts',
    words:
      'Who books after another takes its own clock for right, though what it reads proves it wrong.',
    from: `highMs - lowMs <= CLOSE_MS
      ? Math.round((lowMs + highMs) / 2)
      : Math.max(lowMs, Math.min(highMs, 0))`,
    to: 'lowMs > highMs ? 1 : 0',
    tests: ['quota/clocks-apart.test.ts'],
  },
  {
    file: 'gate.ts',
    words: 'Clocks are never compared, whatever the service refuses.',
    from: 'if (options.clock.nowMs() - tooEarlyMs > CLOCKS_CHECKED_MS) return false;',
    to: 'if (tooEarlyMs < Infinity) return false;',
    tests: ['quota/clocks-apart.test.ts'],
  },
  {
    file: 'common-clock.ts',
    words: 'A clock that nobody knows is followed by some and not by others.',
    from: 'if (named !== leader) [',
    to: "if (leader === '') [",
    tests: ['quota/clocks-apart.test.ts'],
  },
  {
    file: 'gate.ts',
    words: 'A booking is made without the lock.',
    from: `const outcome = lock.run(Math.max(0, deadlineMs - nowMs), () =>
      bookLocked(names, { deadlineMs, ...(horizonMs && { horizonMs }) }),
    );`,
    to: `const value = bookLocked(names, { deadlineMs, ...(horizonMs && { horizonMs }) });
    const outcome = { held: true as const, value };`,
    tests: ['quota/gate.test.ts'],
  },
  {
    file: 'rate.ts',
    words: 'A service that asks to be asked again at once, for ever, is asked once a second.',
    from: 'const before = isRow ? last.before + 1 : 0;',
    to: 'const before = isRow ? last.before : 0;',
    tests: ['doors/reply-meaning.test.ts'],
    named: 'pauses that grow',
  },
  {
    file: 'rate.ts',
    words:
      'Where stores are slow, workers book no further ahead and come too late for their slots.',
    from: 'Math.max(horizonMs, HORIZON_LOOKS * slowestMs)',
    to: 'horizonMs',
    tests: ['quota/horizon.test.ts'],
  },
  {
    file: 'gate.ts',
    words: 'A booking that the cache did not take is used, though nobody else sees it.',
    from: 'if (!memory.write(after, reach.horizonMs !== undefined))',
    to: 'if (!memory.write(after, reach.horizonMs !== undefined) && nowMs < 0)',
    tests: ['engine/ask.test.ts', 'simulation/windows.test.ts'],
  },
  {
    file: 'gate.ts',
    words: 'Who booked a slot before the key was refused calls with it all the same.',
    from: 'stop.untilMs > commonMs))',
    to: 'stop.untilMs > commonMs) && atMs < 0)',
    tests: ['engine/ask.test.ts'],
  },
  {
    file: 'gate.ts',
    words: 'A slot that the cache forgot is used beside those that others have got since.',
    from: '=== null || mine.every(',
    to: '=== null || atMs > 0 || mine.every(',
    tests: ['engine/asking-beside-others.test.ts', 'simulation/windows.test.ts'],
  },
  {
    file: 'gate.ts',
    words: 'The slot is waited for while the lock is held.',
    from: `lock.run(Math.max(0, Math.min(deadlineMs - nowMs, QUEUE_MS)), () =>
      bookLocked(names, { deadlineMs }, clock.nowMs() - nowMs > QUEUE_MS / 2),
    );`,
    to: `lock.run(Math.max(0, Math.min(deadlineMs - nowMs, QUEUE_MS)), () => {
        const booking = bookLocked(names, { deadlineMs });
        if (booking.kind === 'go') clock.sleep(Math.max(0, booking.atMs - clock.nowMs()));
        return booking;
      });`,
    tests: ['engine/ask.test.ts'],
  },
  {
    file: 'rate.ts',
    words: 'State that the cache lost counts as a full bucket.',
    from: 'return { tatMs: nowMs + pace.burst * pace.intervalMs + pauseMs };',
    to: 'return { tatMs: nowMs };',
    tests: ['quota/rate.test.ts'],
  },
  {
    file: 'rate.ts',
    words: 'After a 429 the bucket is taken to be full at the time that it names.',
    from: 'stop.untilMs + (pace.burst - 1) * pace.intervalMs : 0',
    to: 'stop.untilMs : 0',
    tests: ['quota/rate.test.ts'],
  },
  {
    file: 'rate.ts',
    words: 'The whole burst is used, so calls that come closer on their way are refused.',
    from: 'Math.min(burst - 1, burst - Math.ceil(JITTER_MS / intervalMs), WAVE_MAX)',
    to: 'Math.min(burst, WAVE_MAX)',
    tests: ['quota/rate.test.ts'],
  },
  {
    file: 'rate.ts',
    words: 'Of two stops the shorter one holds.',
    from: 'state.stop.untilMs > stop.untilMs',
    to: 'state.stop.untilMs < stop.untilMs',
    tests: ['quota/rate.test.ts'],
  },
  {
    file: 'claims.ts',
    words: 'The claim of an execution that died never ends.',
    from: 'return claim !== undefined && claim[0] > nowMs && claim[1] !== owner;',
    to: 'return claim !== undefined && claim[1] !== owner;',
    tests: ['quota/claims.test.ts', 'quota/gate.test.ts'],
  },
  {
    file: 'claims.ts',
    words: 'Claims outgrow the value that the cache takes.',
    from: '.slice(-CLAIMS_MAX + names.length)',
    to: '.slice()',
    tests: ['quota/gate.test.ts'],
  },
  {
    file: 'gate.ts',
    words: 'Checking a connection fills the bucket, so a press of a button breaks the quota.',
    from: 'memory.isLost() ? idleState(nowMs) : rate',
    to: 'idleState(nowMs)',
    tests: ['quota/gate.test.ts'],
  },
  {
    file: 'gate.ts',
    words: 'A check of a key whose state the cache has lost begins its day anew, cap and all.',
    from: 'const read = withoutRefusalBefore(Infinity, memory.read(nowMs));',
    to: 'const { day: _day, ...read } = withoutRefusalBefore(Infinity, memory.read(nowMs));',
    tests: ['functions/cells-limit.test.ts'],
  },
  {
    file: 'gate.ts',
    words: 'Calls without an analysis are counted in the cache alone, which forgets them.',
    from: 'if ((left - 1) % stepCalls < count) options',
    to: 'if (stepCalls < 0) options',
    tests: ['functions/cells-limit.test.ts'],
  },
  {
    file: 'gate.ts',
    words: 'One refusal, be it of somebody else, and calls go one by one for ever.',
    from: 'return atMs !== undefined && atMs < momentMs ? others : state;',
    to: 'return atMs !== undefined && atMs < 0 ? others : state;',
    tests: ['quota/together.test.ts'],
  },
  {
    file: 'gate.ts',
    words: 'Everybody tries whether calls may come together, so several waves are refused.',
    from: 'const tries = reach.horizonMs !== undefined && free.length > 1 && !isTried;',
    to: 'const tries = reach.horizonMs !== undefined && free.length > 1;',
    tests: ['quota/together.test.ts'],
  },
  {
    file: 'rate.ts',
    words:
      'Calls that are to go one by one come closer on their way than the service lets through.',
    from: 'return { intervalMs: (perSeconds * 1_000) / calls + JITTER_MS, burst: 1 };',
    to: 'return { intervalMs: (perSeconds * 1_000) / calls, burst: 1 };',
    tests: ['quota/rate.test.ts'],
  },
  {
    file: 'gate.ts',
    words: 'A wave that was refused keeps its claims, so nobody asks again before they end.',
    from: 'const claims = withoutClaims(state.claims, names, owner);',
    to: 'const claims = state.claims;',
    tests: ['quota/gate.test.ts'],
  },
  {
    file: 'gate.ts',
    words: "Formulas' calls are not counted, so their daily cap never holds.",
    from: 'cellCalls: options.cellsPerDay === undefined ? 0 : count,',
    to: 'cellCalls: 0,',
    tests: ['functions/cells-limit.test.ts'],
    named: 'is kept within one formula over a list',
  },
  {
    file: 'google-limits.ts',
    words: "Google's day never ends.",
    from: 'return nowMs >= dayEndMs(day) || nowMs < day.sinceMs;',
    to: 'return nowMs < day.sinceMs;',
    tests: ['quota/google-day.test.ts'],
  },
  {
    file: 'share-key.ts',
    words: 'Each spreadsheet takes the whole rate of a key that they share.',
    from: 'intervalMs: pace.intervalMs * live * (1 + SLACK), burst }',
    to: 'intervalMs: pace.intervalMs * (1 + SLACK), burst }',
    tests: ['quota/shared-key.test.ts', 'quota/claims.test.ts'],
  },
  {
    file: 'share-key.ts',
    words: 'A spreadsheet that said goodbye is still left its part.',
    from: 'return beat.promiseMs > 0 && nowMs < liveUntilMs(beat);',
    to: 'return nowMs < liveUntilMs(beat);',
    tests: ['quota/share.test.ts'],
  },
  {
    file: 'learn-rate.ts',
    words: 'Each refusal of one wave lowers the learned rate once more.',
    from: 'if (nowMs <= state.echoUntilMs) return same;',
    to: 'if (nowMs < 0) return same;',
    tests: ['quota/learning.test.ts'],
  },
  {
    file: 'learn-rate.ts',
    words: 'What a service said of its limit holds for good.',
    from: 'doubted?.untilMs ?? Infinity) <= nowMs;',
    to: 'doubted?.untilMs ?? Infinity) < 0;',
    tests: ['quota/learning-told.test.ts'],
  },
  {
    file: 'learn-rate.ts',
    words: 'A told rate of one call a year is believed.',
    from: 'const PER_SECOND_MIN = 1 / 86_400;',
    to: 'const PER_SECOND_MIN = 1 / 31_536_000;',
    tests: ['quota/learning-told.test.ts'],
  },
  {
    file: 'learn-rate.ts',
    words: 'What a service says of its limit holds for a week.',
    from: 'const TOLD_MS = 6 * 3_600_000;',
    to: 'const TOLD_MS = 168 * 3_600_000;',
    tests: ['quota/learning-told.test.ts'],
  },
];
