// The keys of the gate's cases: token buckets with two seconds' worth of burst, or five calls.

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

/** The same quota in the words of a connection. */
export function declared({ calls, perSeconds, burst }: BucketQuota) {
  return { calls, perSeconds, burst };
}
