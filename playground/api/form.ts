// Reads a call: the two form fields of the contract, and the key in its header.
import type { SandboxRequest } from 'apps-script-host/internet/sandboxed';
import { isAsin } from './asin';
import type { Dialect } from './dialects';
import type { Market } from './fees';
import type { SandboxKey } from './keys';
import type { ProblemName } from './problems';
import type { ProductName } from './state';

export interface Question {
  readonly asin: string;
  readonly market: Market;
}

/** A call has two short fields. A longer body is not meant for this service. */
export const LONGEST_BODY_BYTES = 64 * 1024;

/** The question, or the name of the problem with it. */
export function readQuestion(request: SandboxRequest, dialect: Dialect): Question | ProblemName {
  const contentType = request.headers['content-type'] ?? '';
  if (!/^application\/x-www-form-urlencoded\b/i.test(contentType)) return 'bad-content-type';
  if (request.body.length > LONGEST_BODY_BYTES) return 'too-long';
  const fields = new URLSearchParams(request.body);
  const asin = fields.get('asin') ?? '';
  const wire = fields.get('market');
  const market = (['US', 'UK'] as const).find((one) => dialect.markets[one] === wire);
  if (!isAsin(asin)) return 'bad-asin';
  return market === undefined ? 'bad-market' : { asin, market };
}

export function nameOf(question: Question): ProductName {
  return `${question.market} ${question.asin}`;
}

export function readKey(
  request: SandboxRequest,
  keys: ReadonlyMap<string, SandboxKey>,
): SandboxKey | ProblemName {
  const sent = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  return sent === undefined ? 'missing-key' : (keys.get(sent) ?? 'invalid-key');
}
