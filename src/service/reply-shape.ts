// The shapes that replies have besides their figures, as schemas. Each is made when it is first
// used, because most executions make no call.

import * as z from 'zod/mini';
import { lazySchema } from '../schema/lazy-schema';

const scalar = () => z.nullable(z.union([z.string(), z.number(), z.boolean()]));

/** Money in an object of its own: `{"amount": 4.2, "currency": "USD"}`. */
const moneySchema = lazySchema(() => {
  const text = z.optional(z.nullable(z.string()));
  const others = {
    currency: text,
    currencyCode: text,
    currency_code: text,
    currencySymbol: text,
    symbol: text,
    formatted: text,
    display: text,
  };
  const number = z.nullable(z.union([z.number(), z.string()]));
  return z.union([
    z.strictObject({ amount: number, ...others }),
    z.strictObject({ value: number, ...others }),
  ]);
});

/**
 * The amount in an object of money; undefined for any other value. An object with other members,
 * such as an exponent, is none, because they may change what the amount means.
 */
export function amountInMoney(value: unknown): string | number | null | undefined {
  const read = z.safeParse(moneySchema(), value);
  if (!read.success) return undefined;
  return 'amount' in read.data ? read.data.amount : read.data.value;
}

/** What a service says beside the figures of a reply. */
const asideSchemas = lazySchema(() => {
  const number = z.number();
  const word = scalar();
  return {
    success: word,
    ok: word,
    status: word,
    state: word,
    statusCode: number,
    code: word,
    error: z.unknown(),
    errors: z.unknown(),
    request_id: z.string(),
    retry_after: number,
    retryAfter: number,
    retry_after_ms: number,
    retryAfterMs: number,
    refillIn: number,
    refillRate: number,
    tokensLeft: number,
  };
});

type Schemas = ReturnType<typeof asideSchemas>;

export type Aside = { readonly [Name in keyof Schemas]?: z.infer<Schemas[Name]> };

/** The members beside the figures of a body. One of another type counts as missing. */
export function asideIn(body: unknown): Aside {
  if (typeof body !== 'object' || body === null) return {};
  const members = new Map<string, unknown>(Object.entries(body));
  const read = Object.entries(asideSchemas()).flatMap(([name, schema]) => {
    const member = z.safeParse(schema, members.get(name));
    return members.has(name) && member.success ? [[name, member.data] as const] : [];
  });
  return Object.fromEntries(read);
}
