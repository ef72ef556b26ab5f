// A failure as the page shows it: sentences, and the field of the form at fault.

import { type Failure, sentences } from '../../failures/failure';
import type { RpcFailure } from './connection-contract';

/** Of a mistake of ours the name alone: what else it says may hold anything. */
export const mistakeIn = (thrown: unknown): string =>
  /^\w*Error\b/.exec(String(thrown))?.[0] ?? 'something unknown';

export function described(failure: Failure): RpcFailure {
  const requestId = 'requestId' in failure ? failure.requestId : undefined;
  const id = requestId === undefined ? {} : { requestId };
  const words = { kind: failure.kind, ...sentences(failure), ...id };
  if (failure.kind === 'bad-address') return { ...words, field: 'baseUrl' };
  return failure.kind === 'bad-key' ? { ...words, field: 'apiKey' } : words;
}
