// A failure as the page receives it: sentences, and facts from which the page makes the rest.

import type { ConnectionDraft } from '../../connection/connection';
import { type Failure, sentences } from '../../failures/failure';

export interface RpcFailure {
  /** One of the kinds in the failure table. */
  readonly kind: string;
  /** What happened, as a whole sentence. */
  readonly message: string;
  /** What to do now, as a whole sentence. The page adds some of these itself. */
  readonly action?: string;
  /** For failures whose words are in the page: which problem it is, and what it concerns. */
  readonly why?: string;
  readonly what?: string;
  /** The service's id of the request, by which its operator can find it. */
  readonly requestId?: string;
  /**
   * The field of the form that is at fault, so that the page can show the message there. The page
   * derives it from the kind.
   */
  readonly field?: keyof ConnectionDraft;
  /**
   * Google's page where the missing permission can be granted, to be opened in a new browser tab.
   */
  readonly grantUrl?: string;
}

export function described(failure: Failure): RpcFailure {
  const requestId = 'requestId' in failure ? failure.requestId : undefined;
  const id = requestId === undefined ? {} : { requestId };
  const words = { kind: failure.kind, ...sentences(failure, true), ...id };
  return 'why' in failure && failure.kind !== 'bad-asin' ? { ...failure, ...words } : words;
}
