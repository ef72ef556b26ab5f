// The keys of the gate's cases: token buckets with a burst of two seconds' worth of calls, or of
// five calls.

export interface BucketQuota {
  readonly kind: 'bucket';
  readonly calls: number;
  readonly perSeconds: 1;
  readonly burst: number;
}

export function bucketOf(callsPerSecond: number): BucketQuota {
  const burst = callsPerSecond === 1 ? 5 : 2 * callsPerSecond;
  return { kind: 'bucket', calls: callsPerSecond, perSeconds: 1, burst };
}

/** The same quota in the form of a connection. */
export function declared({ calls, perSeconds, burst }: BucketQuota) {
  return { calls, perSeconds, burst };
}
