// A failure as the page shows it: sentences, and what the page needs to say the rest.

import type { ConnectionDraft } from '../../connection/connection';
import { type Failure, sentences } from '../../failures/failure';

export interface RpcFailure {
  /** One of the kinds in the failure table. */
  readonly kind: string;
  /** A whole sentence for a person: what happened. */
  readonly message: string;
  /** A whole sentence: what to do now. Some are the page's, which adds them. */
  readonly action?: string;
  /** Where the page has the words: which problem it is, and what it is about. */
  readonly why?: string;
  readonly what?: string;
  /** The service's own name of the request, which its operator can look up. */
  readonly requestId?: string;
  /** The part of the form that is at fault, so that the page can say it there; the page knows it by the kind. */
  readonly field?: keyof ConnectionDraft;
  /** Google's page on which what is missing can be allowed. To be opened in a new tab. */
  readonly grantUrl?: string;
}

export function described(failure: Failure): RpcFailure {
  const requestId = 'requestId' in failure ? failure.requestId : undefined;
  const id = requestId === undefined ? {} : { requestId };
  const words = { kind: failure.kind, ...sentences(failure, true), ...id };
  return 'why' in failure && failure.kind !== 'bad-asin' ? { ...failure, ...words } : words;
}
