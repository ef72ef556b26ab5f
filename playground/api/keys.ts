// The sandbox's keys: obviously invented, each with its own quota.
import type { Quota } from './limits';

export interface SandboxKey {
  /** The key itself, as sent after `Bearer`. */
  readonly name: string;
  readonly what: string;
  /** null: never refused for speed. */
  readonly quota: Quota | null;
  /** Later quotas in order of time, each from a moment of the sandbox's clock on. */
  readonly changes?: readonly { readonly fromMs: number; readonly quota: Quota | null }[];
  readonly revoked?: true;
  /** How many answers the plan includes. Left out: any number. */
  readonly planAnswers?: number;
  /** True if no header and no field shows the quota, not even on a refusal. */
  readonly silentAboutQuota?: true;
}

export const DEMO_KEY = 'demo-key-5-per-second';

export const KEYS: readonly SandboxKey[] = [
  {
    name: DEMO_KEY,
    what: 'the usual one: 5 calls per second, 10 at once',
    quota: { kind: 'bucket', calls: 5, perSeconds: 1, burst: 10 },
  },
  {
    name: 'demo-key-1-per-second',
    what: 'slow: 1 call per second, 5 at once',
    quota: { kind: 'bucket', calls: 1, perSeconds: 1, burst: 5 },
  },
  {
    name: 'demo-key-20-per-second',
    what: 'fast: 20 calls per second, 40 at once',
    quota: { kind: 'bucket', calls: 20, perSeconds: 1, burst: 40 },
  },
  {
    name: 'demo-key-60-per-minute',
    what: '60 calls per minute, evenly: never two at once',
    quota: { kind: 'bucket', calls: 60, perSeconds: 60, burst: 1 },
  },
  {
    name: 'demo-key-60-per-calendar-minute',
    what: '60 calls in each minute of the clock',
    quota: { kind: 'calendar', calls: 60, perSeconds: 60 },
  },
  {
    name: 'demo-key-60-per-sliding-minute',
    what: '60 calls in any 60 seconds',
    quota: { kind: 'sliding', calls: 60, perSeconds: 60 },
  },
  {
    name: 'demo-key-silent-limit',
    what: '5 calls per second, 10 at once, and no header says so',
    quota: { kind: 'bucket', calls: 5, perSeconds: 1, burst: 10 },
    silentAboutQuota: true,
  },
  { name: 'demo-key-unlimited', what: 'no quota at all', quota: null },
  {
    name: 'demo-key-plan-of-25',
    what: 'its plan is used up after 25 answers',
    quota: { kind: 'bucket', calls: 5, perSeconds: 1, burst: 10 },
    planAnswers: 25,
  },
  {
    name: 'demo-key-out-of-plan',
    what: 'its plan is used up',
    quota: { kind: 'bucket', calls: 5, perSeconds: 1, burst: 10 },
    planAnswers: 0,
  },
  { name: 'demo-key-revoked', what: 'was valid once', quota: null, revoked: true },
];

/** The quota that applies at a moment of the sandbox's clock. */
export function quotaAt(key: SandboxKey, nowMs: number): Quota | null {
  const changed = (key.changes ?? []).filter((change) => change.fromMs <= nowMs).at(-1);
  return changed === undefined ? key.quota : changed.quota;
}
