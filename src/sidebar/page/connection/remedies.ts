// The one thing to do about each kind of failure, where a press on this page can do it.
import type { FailureKind } from '../../../analysis/failure';
import type { RpcFailure } from '../../rpc-contract';
import type { Remedy } from '../frame/page';
import type { Change } from './state';

const CHANGES: Readonly<Partial<Record<FailureKind, readonly [Change, string]>>> = {
  'key-refused': ['apiKey', 'Replace the key'],
  'bad-key': ['apiKey', 'Replace the key'],
  'bad-address': ['baseUrl', 'Edit the address'],
  'wrong-address': ['baseUrl', 'Edit the address'],
  unreachable: ['baseUrl', 'Edit the address'],
};

/** Left out where asking again is all there is to do: that button is there anyway. */
export function remedyOf({ kind }: RpcFailure, open: (change: Change) => void): Remedy | undefined {
  const [change, label] = CHANGES[kind as FailureKind] ?? [];
  return change === undefined || label === undefined
    ? undefined
    : { label, press: () => open(change) };
}
