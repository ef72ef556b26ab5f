// A failure as the page shows it: sentences, and the field of the form at fault.

import type { ConnectionDraft } from '../../connection/connection';
import { type Failure, sentences } from '../../failures/failure';

export interface RpcFailure {
  /** One of the kinds in the failure table. */
  readonly kind: string;
  /** A whole sentence for a person: what happened. */
  readonly message: string;
  /** A whole sentence: what to do now. */
  readonly action?: string;
  /** Of a run or a schedule, whose words the page has: which problem it is, and what it is about. */
  readonly why?: string;
  readonly what?: string;
  /** The service's own name of the request, which its operator can look up. */
  readonly requestId?: string;
  /** The part of a payload that is at fault, so that the page can say it beside that field. */
  readonly field?: keyof ConnectionDraft;
  /** Google's page on which what is missing can be allowed. To be opened in a new tab. */
  readonly grantUrl?: string;
}

export function described(failure: Failure): RpcFailure {
  const requestId = 'requestId' in failure ? failure.requestId : undefined;
  const id = requestId === undefined ? {} : { requestId };
  const words = { kind: failure.kind, ...sentences(failure), ...id };
  if (failure.kind === 'run' || failure.kind === 'schedule') return { ...failure, ...words };
  if (failure.kind === 'bad-address') return { ...words, field: 'baseUrl' };
  return failure.kind === 'bad-key' ? { ...words, field: 'apiKey' } : words;
}
