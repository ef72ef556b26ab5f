// Everything that can go wrong with a service, each fault behind a test ASIN that always causes it.
import type { SandboxAnswer, SandboxReply } from 'apps-script-host/internet/sandboxed';
import type { ProblemName } from './problems';
import { answer } from './reply';

/** What a fault can use: the good answer, and the way refusals look in this dialect. */
interface Spoilable {
  readonly good: SandboxAnswer;
  readonly refuse: (
    problem: ProblemName,
    headers?: Readonly<Record<string, string>>,
  ) => SandboxAnswer;
  /** How often this product was requested before. */
  readonly askedBefore: () => number;
}

/** Ten megabytes: far more than any analysis, but less than `UrlFetchApp` can carry. */
const HUGE_BYTES = 10 * 1024 * 1024;
/** Longer than a person waits, but shorter than the 30 seconds of a cell. */
const SLOW_MS = 20_000;

const page = (title: string) =>
  `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;

const withBody = (good: SandboxAnswer, body: string): SandboxAnswer => ({ ...good, body });

const FAULTS = {
  crash: ({ refuse }) => refuse('crash'),
  'bad-gateway': () => answer(502, 'text/html', page('502 Bad Gateway')),
  outage: ({ refuse }) => refuse('outage'),
  'outage-two-seconds': ({ refuse }) => refuse('outage', { 'retry-after': '2' }),
  'gateway-timeout': ({ refuse }) => refuse('gateway-timeout'),
  'fails-once': ({ good, refuse, askedBefore }) => (askedBefore() === 0 ? refuse('outage') : good),
  silence: () => ({ kind: 'silence' }),
  reset: () => ({ kind: 'reset', delayMs: 0 }),
  slow: ({ good }) => ({ ...good, delayMs: SLOW_MS }),
  html: () => answer(200, 'text/html', page('Sign in to the network')),
  'other-shape': ({ good }) => withBody(good, '{"status":"ok","items":[1,2,3],"next":null}'),
  'cut-short': ({ good }) => withBody(good, good.body.slice(0, Math.ceil(good.body.length / 2))),
  empty: ({ good }) => withBody(good, ''),
  huge: ({ good }) => withBody(good, `{"padding":"${'x'.repeat(HUGE_BYTES)}"}`),
  redirect: () =>
    answer(302, 'text/html', page('Moved'), { location: 'https://elsewhere.example/v1/analyze' }),
  nulls: ({ good }) => withBody(good, JSON.stringify(JSON.parse(good.body), onlyAsin)),
  'formula-text': ({ good }) =>
    withBody(
      good,
      JSON.stringify({
        ...JSON.parse(good.body),
        note: '=IMPORTXML("https://elsewhere.example","//a")',
        label: '<img src=x onerror=alert(1)>',
      }),
    ),
  'not-found': ({ refuse }) => refuse('unknown-product'),
  'not-found-page': () => answer(404, 'text/html', page('404 Not Found')),
} as const satisfies Record<string, (spoilable: Spoilable) => SandboxReply>;

/**
 * "503 after 3600": this status, with the rest as `Retry-After`, which may be seconds, a date or
 * nonsense.
 */
type TimedFault = `${number} after ${string}`;

export type FaultName = keyof typeof FAULTS | TimedFault;

export function spoil(fault: FaultName, spoilable: Spoilable): SandboxReply {
  if (!isTimed(fault)) return FAULTS[fault](spoilable);
  const [status = '', retryAfter = ''] = fault.split(' after ');
  return answer(Number(status), 'text/html', page(status), { 'retry-after': retryAfter });
}

const isTimed = (fault: FaultName): fault is TimedFault => fault.includes(' after ');

/**
 * "outage": every call gets a 503; "faults": some calls fail, in different ways; "none": all
 * succeed.
 */
export type Trouble = 'none' | 'faults' | 'outage';

export const TROUBLES: Readonly<
  Record<Trouble, readonly { readonly fault?: FaultName; readonly share?: number }[]>
> = {
  none: [],
  faults: [
    { fault: 'crash', share: 0.1 },
    { fault: 'bad-gateway', share: 0.1 },
    { fault: 'cut-short', share: 0.05 },
    { fault: 'reset', share: 0.05 },
  ],
  outage: [{}],
};

/** The test ASINs. They are well formed, so that only the service can reject them. */
export const FAULT_PRODUCTS: Readonly<Record<string, { fault: FaultName; what: string }>> = {
  B0FAULT500: { fault: 'crash', what: '500 with an error body' },
  B0FAULT502: { fault: 'bad-gateway', what: '502 with an HTML page' },
  B0FAULT503: { fault: 'outage-two-seconds', what: '503, to be tried again in 2 seconds' },
  B0FAULT504: { fault: 'gateway-timeout', what: '504 with an error body' },
  B0FLAKY001: { fault: 'fails-once', what: '503 at the first call, an answer afterwards' },
  B0SILENCE0: { fault: 'silence', what: 'no answer, ever' },
  B0RESET000: { fault: 'reset', what: 'the connection breaks' },
  B0SLOW0020: { fault: 'slow', what: 'a good answer after 20 seconds' },
  B0HTMLPAGE: { fault: 'html', what: '200 with an HTML page' },
  B0NEWSHAPE: { fault: 'other-shape', what: 'JSON that is no analysis' },
  B0CUTSHORT: { fault: 'cut-short', what: 'JSON that ends in the middle' },
  B0EMPTY000: { fault: 'empty', what: '200 with nothing in it' },
  B0HUGE10MB: { fault: 'huge', what: 'a body of 10 MB' },
  B0REDIRECT: { fault: 'redirect', what: '302 to another host' },
  B0NULLS000: { fault: 'nulls', what: 'every figure null' },
  B0FORMULA0: { fault: 'formula-text', what: 'text that wants to be a formula, or HTML' },
  B0NOTFOUND: { fault: 'not-found', what: 'a product that nobody knows' },
  B0NOTFPAGE: { fault: 'not-found-page', what: 'the same, said with a web page' },
};

/** Keeps the ASIN and the nesting, and empties every other value. */
function onlyAsin(name: string, value: unknown): unknown {
  if (name === 'asin' || (typeof value === 'object' && value !== null)) return value;
  return null;
}
