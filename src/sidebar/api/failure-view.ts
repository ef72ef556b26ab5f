// A failure as the page receives it: sentences, and facts from which the page makes the rest.

import type { ConnectionDraft } from '../../connection/connection';
import { type Failure, fieldOf, sentences } from '../../failures/failure';

export interface RpcFailure {
  /** One of the kinds in the failure table. */
  readonly kind: string;
  /** What happened, as a whole sentence. */
  readonly message: string;
  /** What to do now, as a whole sentence. */
  readonly action?: string;
  /** The reason, for kinds that have several: the page's help is about one of them. */
  readonly why?: string;
  /** The market on which none of the first products was found, where another one may be meant. */
  readonly market?: string;
  /** The service's id of the request, by which its operator can find it. */
  readonly requestId?: string;
  /** The field of the form that is at fault, so that the page can show the message there. */
  readonly field?: keyof ConnectionDraft;
  /**
   * Google's page where the missing permission can be granted, to be opened in a new browser tab.
   */
  readonly grantUrl?: string;
}

export function described(failure: Failure): RpcFailure {
  const requestId = 'requestId' in failure ? failure.requestId : undefined;
  const field = fieldOf(failure.kind);
  const isMarketAsked = failure.kind === 'alike' && failure.of.kind === 'not-found';
  return {
    kind: failure.kind,
    ...sentences(failure, 'page'),
    ...('why' in failure && failure.kind !== 'bad-asin' && { why: failure.why }),
    ...(isMarketAsked && failure.market !== undefined && { market: failure.market }),
    ...(field !== undefined && { field }),
    ...(requestId !== undefined && { requestId }),
  };
}
