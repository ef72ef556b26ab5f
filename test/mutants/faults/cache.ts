// Faults of the result cache and of answers read anew.
import type { Fault } from '../fault';

export const CACHE_FAULTS: readonly Fault[] = [
  {
    file: 'result-cache.ts',
    words: 'A run takes for an answer that the address was wrong when a cell asked.',
    from: ': !willPass(answer.failure) && !endsRun(answer.failure);',
    to: ': !willPass(answer.failure);',
    tests: ['engine/policy.test.ts'],
  },
  {
    file: 'result-cache.ts',
    words: 'Answers of one key are found with another: the name lacks the fingerprint.',
    from: 'const prefix = `r:${scope}:`;',
    to: 'const prefix = `r:`;',
    tests: ['cache/result-cache.test.ts'],
  },
  {
    file: 'bucket.ts',
    words: 'A failure is kept as long as an analysis.',
    from: 'const keepMs = answer.ok ? ANALYSIS_KEEP_MS : keepMsOf(answer.failure);',
    to: 'const keepMs = ANALYSIS_KEEP_MS;',
    tests: ['cache/result-cache.test.ts'],
  },
  {
    file: 'result-cache.ts',
    words: 'Of two buckets the one with the older answer decides.',
    from: '.sort((a, b) => (b?.at ?? 0) - (a?.at ?? 0))',
    to: '.sort((a, b) => (a?.at ?? 0) - (b?.at ?? 0))',
    tests: ['cache/result-cache.test.ts'],
  },
  {
    file: 'bucket.ts',
    words: 'Who wants nothing older gets nothing newer.',
    from: 'entry.at < wish.notBeforeMs) return undefined;',
    to: 'entry.at > wish.notBeforeMs) return undefined;',
    tests: ['cache/result-cache.test.ts'],
  },
  {
    file: 'bucket.ts',
    words: 'Another refresh text asks nothing anew.',
    from: 'if (wish.tag !== undefined && entry.tag !== wish.tag) return undefined;',
    to: 'if (wish.tag !== undefined && entry.tag === undefined) return undefined;',
    tests: ['cache/result-cache.test.ts'],
  },
  {
    file: 'bucket.ts',
    words: 'A product stands in one bucket alone, where another execution may undo its write.',
    from: 'return [first, second === first ? (first + 1) % BUCKETS : second];',
    to: 'return [first, first];',
    tests: ['cache/result-cache.test.ts'],
  },
  {
    file: 'result-cache.ts',
    words: 'An execution that dies right after a wave loses what was paid for.',
    from: 'if (all.size === 1) return false;',
    to: 'if (all.size > 1) return false;',
    tests: ['cache/result-cache.test.ts'],
  },
  {
    file: 'result-cache.ts',
    words: 'What an execution left that died is overwritten by the next.',
    from: 'if (pending.length === 0 && isTaken(freshName))',
    to: 'if (pending.length > 0 && isTaken(freshName))',
    tests: ['cache/result-cache.test.ts'],
  },
  {
    file: 'bucket.ts',
    words: 'Products with long texts push the figures of others out of the cache.',
    from: 'const bare = LINE + withoutExtras(lines[at] ?? []).join(TAB);',
    to: 'const bare = LINE + (lines[at] ?? []).join(TAB);',
    tests: ['cache/bucket.test.ts'],
  },
  {
    file: 'bucket.ts',
    words: 'A bucket outgrows the value that the cache takes.',
    from: 'if (room < 0) break;',
    to: 'if (room < -900_000) break;',
    tests: ['cache/bucket.test.ts'],
  },
  {
    file: 'bucket.ts',
    words: 'A wait that a service named is told as if it began at each look.',
    from: 'return unanswered({ ...answer.failure, waitMs: until - nowMs });',
    to: 'return answer;',
    tests: ['cache/bucket.test.ts'],
  },
];
