// Reads from an answer when the service wants to be asked again.

/** Members of Keepa-style bodies: milliseconds until the bucket is filled again. */
const BODY_WAIT_MEMBERS = ['refillIn', 'retry_after_ms', 'retryAfterMs'];

type Headers = Readonly<Record<string, string>>;

/**
 * How long to wait before the next call, in ms; undefined when the answer does not say.
 * `Retry-After` decides where it is present (RFC 9110 §10.2.3: seconds or an HTTP date).
 */
export function retryAfterMs(headers: Headers, json: unknown, nowMs: number): number | undefined {
  const explicit = waitOfRetryAfter(headers['retry-after'], nowMs);
  if (explicit !== undefined) return explicit;
  const waits = [
    waitOfReset(headers['x-ratelimit-reset-after'], nowMs),
    waitOfReset(headers['ratelimit-reset'], nowMs),
    waitOfReset(/(?:^|[;,\s])(?:t|reset)=(\d+)/.exec(headers.ratelimit ?? '')?.[1], nowMs),
    waitOfReset(headers['x-ratelimit-reset'], nowMs),
    waitInBody(json),
  ];
  return waits.find((wait) => wait !== undefined);
}

function waitOfRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined || value.trim() === '') return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

/** A reset is an epoch in ms above 1e12, an epoch in seconds above 1e9, else seconds from now. */
function waitOfReset(value: string | undefined, nowMs: number): number | undefined {
  const number = Number(value);
  if (value === undefined || value.trim() === '' || !Number.isFinite(number)) return undefined;
  if (number > 1e12) return Math.max(0, number - nowMs);
  return number > 1e9 ? Math.max(0, number * 1_000 - nowMs) : Math.max(0, number * 1_000);
}

function waitInBody(json: unknown): number | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const members = new Map(Object.entries(json));
  const waits = BODY_WAIT_MEMBERS.map((name) => members.get(name));
  return waits.find((wait): wait is number => typeof wait === 'number' && wait >= 0);
}
