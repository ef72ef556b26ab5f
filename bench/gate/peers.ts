// The input of a peer's strategy: the key and its quota, which it is assumed to know.

import type { PeerSetup } from '../peers-entry';
import { API_KEY, BASE_URL } from '../world';
import type { BucketQuota } from './quotas';
import type { PeerStrategy } from './scenario';

export function peerSetup(strategy: PeerStrategy, { calls, burst }: BucketQuota): PeerSetup {
  return { strategy, baseUrl: BASE_URL, apiKey: API_KEY, callsPerSecond: calls, burst };
}
