// Faults of asking: retries, deadlines, what is due to others, and the list of those who wait.
import type { Fault } from '../fault';

export const ENGINE_FAULTS: readonly Fault[] = [
  {
    file: 'ask.ts',
    words: 'A product that always fails is asked for without end.',
    from: 'if (!isRetryable(failure) || errand.attempt >= ATTEMPTS_MAX) return undefined;',
    to: 'if (!isRetryable(failure)) return undefined;',
    tests: ['analysis/errand.test.ts'],
  },
  {
    file: 'ask.ts',
    words: 'A product is tried again before the service said so.',
    from: 'nowMs + Math.max(backoffMs, namedMs)',
    to: 'nowMs + backoffMs',
    tests: ['analysis/errand.test.ts', 'analysis/ask.test.ts'],
  },
  {
    file: 'ask.ts',
    words: 'A slot that was overslept is used all the same, and crowds those behind it.',
    from: 'if (nowMs > atMs + LATE_MS) return;',
    to: 'if (nowMs > atMs + limits.endMs) return;',
    tests: ['analysis/ask.test.ts'],
  },
  {
    file: 'ask.ts',
    words: 'Who booked a slot before the key was refused calls with it all the same.',
    from: 'if (stop !== undefined && !isOver) return false;',
    to: 'if (stop !== undefined && isOver) return false;',
    tests: ['analysis/ask.test.ts'],
  },
  {
    file: 'ask.ts',
    words: 'A wave that was lost is sent again but for one product, over and over.',
    from: 'waveMax: Math.max(1, Math.floor(waveLength / 2))',
    to: 'waveMax: Math.max(1, waveLength - 1)',
    tests: ['analysis/errand.test.ts'],
  },
  {
    file: 'engine.ts',
    words: 'A cell waits for the lock when Google is about to end it.',
    from: 'lock.run(Math.min(waitMs, leftMs()), body)',
    to: 'lock.run(waitMs, body)',
    tests: ['analysis/ask.test.ts'],
  },
  {
    file: 'waiting-list.ts',
    words: 'Who waits for one key is asked for with another.',
    from: 'const name = `w:${fingerprint}`;',
    to: 'const name = `w:${fingerprint.length}`;',
    tests: ['analysis/waiting-list.test.ts'],
  },
  {
    file: 'waiting-list.ts',
    words: 'The list of those who wait outgrows the value that the cache takes.',
    from: 'const kept = keys.slice(0, room);',
    to: 'const kept = keys;',
    tests: ['analysis/waiting-list.test.ts'],
  },
];
