// The service's endpoints: the one place that knows addresses, parameters and headers of the contract.

import type { HttpRequest } from '../platform/ports';

/** What a request needs of the connection. */
export interface Access {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

/**
 * `POST {base_url}/v1/analyze`: analyzes one product.
 *
 * @param market the wire value, which the contract fixes for the US only.
 */
export function analyzeRequest(
  access: Access,
  asin: string,
  market: string,
  timeoutSeconds: number,
): HttpRequest {
  return {
    url: `${access.baseUrl}/v1/analyze`,
    headers: { Authorization: `Bearer ${access.apiKey}`, Accept: 'application/json' },
    form: { asin, market },
    timeoutSeconds,
  };
}
