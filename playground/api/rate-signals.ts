// The headers with which services report a rate limit, with one function for each family.
import type { Allowance } from './answers';

/** The headers of an answer, also of a refusal, which may say when to try again. */
export type RateSignals = (allowance: Allowance, nowMs: number) => Readonly<Record<string, string>>;

const seconds = (ms: number): string => String(Math.ceil(ms / 1000));

/** In whole numbers: the calls that can be saved up, and the seconds it takes to save them up. */
function policyOf({ quota, admission }: Allowance): { calls: number; perSeconds: number } {
  const perSeconds =
    quota.kind === 'bucket' ? (quota.burst * quota.perSeconds) / quota.calls : quota.perSeconds;
  return { calls: admission.most, perSeconds: Math.max(1, Math.ceil(perSeconds)) };
}

export const noSignals: RateSignals = () => ({});

/** IETF draft up to its sixth version: three headers, with the reset in seconds from now. */
export const rateLimitTriple: RateSignals = (allowance) => {
  const { calls, perSeconds } = policyOf(allowance);
  return {
    'ratelimit-limit': String(calls),
    'ratelimit-remaining': String(allowance.admission.remaining),
    'ratelimit-reset': seconds(allowance.admission.resetMs),
    'ratelimit-policy': `${calls};w=${perSeconds}`,
  };
};

/** Later versions of the IETF draft: two structured headers. */
export const rateLimitStructured: RateSignals = (allowance) => {
  const { calls, perSeconds } = policyOf(allowance);
  const { remaining, resetMs } = allowance.admission;
  return {
    ratelimit: `"default";r=${remaining};t=${seconds(resetMs)}`,
    'ratelimit-policy': `"default";q=${calls};w=${perSeconds}`,
  };
};

export const xEpochSeconds: RateSignals = (allowance, nowMs) =>
  xTriple(allowance, seconds(nowMs + allowance.admission.resetMs));

export const xEpochMs: RateSignals = (allowance, nowMs) =>
  xTriple(allowance, String(Math.ceil(nowMs + allowance.admission.resetMs)));

export const xSecondsLeft: RateSignals = (allowance) =>
  xTriple(allowance, seconds(allowance.admission.resetMs));

export const xResetAfter: RateSignals = ({ admission }) => ({
  'x-ratelimit-limit': String(admission.most),
  'x-ratelimit-remaining': String(admission.remaining),
  'x-ratelimit-reset-after': seconds(admission.resetMs),
});

/** Only the rate, per second. */
export const amazonRate: RateSignals = ({ quota }) => ({
  'x-amzn-ratelimit-limit': (quota.calls / quota.perSeconds).toFixed(2),
});

function xTriple({ admission }: Allowance, reset: string): Readonly<Record<string, string>> {
  return {
    'x-ratelimit-limit': String(admission.most),
    'x-ratelimit-remaining': String(admission.remaining),
    'x-ratelimit-reset': reset,
  };
}

/** How a refusal says when to try again. Rounded up, so that a caller who obeys is never early. */
export const RETRY_AFTER = {
  seconds: (waitMs: number) => ({ 'retry-after': seconds(waitMs) }),
  date: (waitMs: number, nowMs: number) => ({
    'retry-after': new Date(Math.ceil((nowMs + waitMs) / 1000) * 1000).toUTCString(),
  }),
  none: () => ({}),
} as const satisfies Record<
  string,
  (waitMs: number, nowMs: number) => Readonly<Record<string, string>>
>;
