// Every way in which the sandbox refuses: status, code and words, before a dialect shapes them.

export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** The faulty parameter, if there is one. */
  readonly field?: 'asin' | 'market';
}

export const PROBLEMS = {
  'no-such-path': { status: 404, code: 'no_such_path', message: 'There is nothing at this path.' },
  'bad-method': { status: 405, code: 'method_not_allowed', message: 'Use POST.' },
  'missing-key': {
    status: 401,
    code: 'missing_key',
    message: 'Send your API key as "Authorization: Bearer <API_KEY>".',
  },
  'invalid-key': { status: 401, code: 'invalid_key', message: 'This API key is not known.' },
  'revoked-key': { status: 401, code: 'revoked_key', message: 'This API key was revoked.' },
  'too-fast': {
    status: 429,
    code: 'rate_limited',
    message: 'Too many requests for the rate limit of this key.',
  },
  'out-of-plan': {
    status: 402,
    code: 'plan_used_up',
    message: 'The plan of this key is used up: no credits left.',
  },
  'bad-content-type': {
    status: 415,
    code: 'unsupported_media_type',
    message: 'Send application/x-www-form-urlencoded.',
  },
  'too-long': { status: 413, code: 'body_too_long', message: 'The body is far too long.' },
  'bad-asin': {
    status: 422,
    code: 'invalid_asin',
    message: 'The value of asin is not a valid product identifier.',
    field: 'asin',
  },
  'bad-market': {
    status: 422,
    code: 'invalid_market',
    message: 'The value of market is not a supported marketplace.',
    field: 'market',
  },
  'unknown-product': {
    status: 404,
    code: 'product_not_found',
    message: 'No product with this identifier on this marketplace.',
  },
  crash: { status: 500, code: 'internal_error', message: 'Something broke on our side.' },
  outage: { status: 503, code: 'unavailable', message: 'The service is down for the moment.' },
  'gateway-timeout': { status: 504, code: 'upstream_timeout', message: 'It took us too long.' },
} as const satisfies Record<string, Problem>;

export type ProblemName = keyof typeof PROBLEMS;
