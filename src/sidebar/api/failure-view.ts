// A failure as the page receives it: sentences, and facts from which the page makes the rest.

import type { ConnectionDraft } from '../../connection/connection';
import {
  type Failure,
  fieldOf,
  mendOf,
  opensConnection,
  stopsKey,
  willPass,
} from '../../failures/failure';
import { sentences, sentencesForMany } from '../../failures/failure-words';
import type { MarketSource } from '../../list/tagged-list';

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
  /** Whether it is corrected under Settings. */
  readonly opensSettings?: true;
  /** Whether nothing is sent with this key until it is over. */
  readonly stopsKey?: true;
  /** The part of the connection whose change corrects it. */
  readonly mend?: 'apiKey' | 'baseUrl';
  /**
   * Google's page where the missing permission can be granted, to be opened in a new browser tab.
   */
  readonly grantUrl?: string;
}

export function described(failure: Failure): RpcFailure {
  const { kind } = failure;
  const requestId = 'requestId' in failure ? failure.requestId : undefined;
  const [field, mend] = [fieldOf(kind), mendOf(kind)];
  const isMarketAsked = kind === 'alike' && failure.of.kind === 'not-found';
  return {
    kind,
    ...sentences(failure, 'page'),
    ...('why' in failure && kind !== 'bad-asin' && { why: failure.why }),
    ...(isMarketAsked && failure.market !== undefined && { market: failure.market }),
    ...(field !== undefined && { field }),
    ...(opensConnection(kind) && { opensSettings: true }),
    ...(stopsKey(kind) && { stopsKey: true }),
    ...(mend !== undefined && { mend }),
    ...(requestId !== undefined && { requestId }),
  };
}

/** Products of a list that failed in one way. */
export interface FailedProducts extends Pick<RpcFailure, 'kind' | 'message' | 'action'> {
  readonly products: number;
  /** Whether another try may answer them. */
  readonly passes?: true;
}

/** @param market where they were asked for; `column`: each row names its own. */
export const failedProductsOf = (
  kind: string,
  products: number,
  market: MarketSource = 'column',
): FailedProducts => ({
  kind,
  products,
  ...sentencesForMany(kind, products, market === 'column' ? undefined : market),
  ...(willPass({ kind }) && { passes: true }),
});
