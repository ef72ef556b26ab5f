// The one thing to do about each kind of failure, where a press on this page can do it.
import { mendOf } from '../../../analysis/failure';
import type { RpcFailure } from '../../rpc-contract';
import type { Remedy } from '../frame/page';
import type { Change } from './state';

const LABELS = { apiKey: 'Replace the key', baseUrl: 'Edit the address' } as const;

/** Left out where asking again is all there is to do: that button is there anyway. */
export function remedyOf({ kind }: RpcFailure, open: (change: Change) => void): Remedy | undefined {
  const mend = mendOf(kind);
  return mend && { label: LABELS[mend], press: () => open(mend) };
}
