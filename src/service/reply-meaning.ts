// What a reply means: one table of status, kind of body, words, and what is known of the address.
// Pure.

import type { Topic } from './reply-words';

/**
 * What is known of the address: `new`: no analysis ever came from there; `known`: one did;
 * `recent`: one did within the last hours.
 */
export type Standing = 'new' | 'known' | 'recent';

export type BodyKind =
  /** JSON with one analysis in it, and nothing that takes it back. */
  | 'analysis'
  | 'several analyses'
  /** JSON that says that there is no analysis: `success: false`, an error, or words alone. */
  | 'refusal'
  /** `[]`, `{"data": null}`: JSON with a place for an analysis and nothing in it. */
  | 'nothing'
  /** JSON of another kind. */
  | 'other JSON'
  | 'page'
  | 'empty'
  | 'text'
  | 'too long';

/** What a reply means, with whose fault it is and what follows. */
const MEANINGS = {
  /** The analysis, or why this one cannot be read. */
  answer: { follows: 'answer' },
  'two-answers': { follows: 'answer' },
  'no-answer': { follows: 'answer' },
  'not-json': { follows: 'answer' },
  'too-long': { follows: 'answer' },
  /** The product's fault: kept for hours. */
  'not-found': { follows: 'answer' },
  rejected: { follows: 'answer' },
  /** The product's fault, or the service's if several products in a row get it. */
  'perhaps-not-found': { follows: 'answer', heldAfter: 3 },
  /** The service's fault, and passes. */
  failing: { follows: 'again', heldAfter: 5 },
  'not-ready': { follows: 'again' },
  'timed-out': { follows: 'answer' },
  /** The same, from something in front of the service: a bot check, a page of maintenance. */
  obstacle: { follows: 'again', heldAfter: 3 },
  /** The key's limit. */
  throttled: { follows: 'again' },
  /** The key's fault: everything waits for a person, or for the plan to renew. */
  unauthorised: { follows: 'end' },
  'out-of-plan': { follows: 'end' },
  /** The address's fault. */
  elsewhere: { follows: 'answer' },
  /** The operator's matter: no request of this form is understood. */
  'request-form': { follows: 'end' },
} as const satisfies Readonly<Record<string, Consequence>>;

interface Consequence {
  /** The product has its answer; it is asked again; or nothing more is asked. */
  readonly follows: 'answer' | 'again' | 'end';
  /**
   * How many products in a row have to get this until it counts as the service's problem: then
   * nobody calls for a while, and these products are asked again. A `failing` service has to name a
   * time.
   */
  readonly heldAfter?: number;
}

export type Meaning = keyof typeof MEANINGS;

export const heldAfter = (meaning: Meaning): number | undefined =>
  (MEANINGS[meaning] as Consequence).heldAfter;

/** Classes of status, by their hundreds. */
type StatusClass = '2xx' | '3xx' | '4xx' | '5xx' | 'other';

interface Row {
  /** One status or several, or classes; left out: any. */
  readonly status?: readonly (number | StatusClass)[];
  readonly body?: readonly BodyKind[];
  /** What the words have to be about, one of these; and what not. */
  readonly says?: readonly Topic[];
  readonly unless?: readonly Topic[];
  readonly address?: readonly Standing[];
  readonly means: Meaning;
}

const KNOWN: readonly Standing[] = ['known', 'recent'];
const RECENT: readonly Standing[] = ['recent'];
const NEW: readonly Standing[] = ['new'];

/** The first row that fits counts. */
const ROWS: readonly Row[] = [
  { status: ['2xx'], body: ['too long'], means: 'too-long' },
  { status: ['2xx'], body: ['analysis'], means: 'answer' },
  { status: ['2xx'], body: ['several analyses'], means: 'two-answers' },

  // A refusal with a status of success. Words that leave no doubt come first, then what passes.
  { status: ['2xx'], body: ['refusal'], says: ['speed'], means: 'throttled' },
  { status: ['2xx'], body: ['refusal'], says: ['otherMarket'], means: 'rejected' },
  { status: ['2xx'], body: ['refusal'], says: ['spent'], means: 'out-of-plan' },
  { status: ['2xx'], body: ['refusal'], says: ['trouble'], means: 'failing' },
  { status: ['2xx'], body: ['refusal'], says: ['plan'], means: 'out-of-plan' },
  { status: ['2xx'], body: ['refusal'], says: ['missing'], means: 'not-found' },
  { status: ['2xx'], body: ['refusal'], says: ['key'], means: 'unauthorised' },
  { status: ['2xx'], body: ['refusal', 'other JSON'], says: ['pending'], means: 'not-ready' },
  { status: [202], body: ['refusal', 'other JSON', 'nothing', 'empty'], means: 'not-ready' },
  { status: ['2xx'], body: ['refusal'], means: 'rejected' },

  { status: ['2xx'], body: ['nothing'], means: 'not-found' },
  { status: [204, 205], means: 'not-found' },
  { status: ['2xx'], body: ['page'], address: KNOWN, means: 'obstacle' },
  { status: ['2xx'], body: ['page'], means: 'elsewhere' },
  { status: ['2xx'], body: ['text'], says: ['pending'], means: 'not-ready' },
  { status: ['2xx'], body: ['text'], says: ['trouble'], address: KNOWN, means: 'obstacle' },
  { status: ['2xx'], body: ['empty'], address: KNOWN, means: 'obstacle' },
  { status: ['2xx'], body: ['text', 'empty'], means: 'not-json' },
  { status: ['2xx'], means: 'no-answer' },

  { status: [401], body: ['page'], address: RECENT, means: 'obstacle' },
  { status: [401], means: 'unauthorised' },

  { status: [402, 403], says: ['otherMarket'], means: 'rejected' },
  { status: [402], means: 'out-of-plan' },

  // 403 is also what a gateway says to robots, and to addresses of Google's that it does not like.
  { status: [403, 429], says: ['speed'], means: 'throttled' },
  { status: [403], says: ['path'], address: KNOWN, means: 'obstacle' },
  { status: [403], says: ['path'], means: 'elsewhere' },
  { status: [403], says: ['plan', 'allowance'], means: 'out-of-plan' },
  { status: [403], says: ['wrongKey'], means: 'unauthorised' },
  { status: [403], body: ['page'], means: 'obstacle' },
  { status: [403], says: ['blocked'], means: 'obstacle' },
  { status: [403], says: ['key'], means: 'unauthorised' },
  { status: [403], address: KNOWN, means: 'obstacle' },
  { status: [403], means: 'unauthorised' },

  { status: [429], says: ['plan'], means: 'out-of-plan' },
  { status: [429], means: 'throttled' },

  { status: [404, 409, 425], says: ['pending'], means: 'not-ready' },
  { status: [425], means: 'not-ready' },
  { status: [404], says: ['product'], unless: ['path'], means: 'not-found' },
  { status: [404], address: NEW, means: 'elsewhere' },
  { status: [404], means: 'perhaps-not-found' },

  { status: ['3xx', 'other', 405, 410], address: RECENT, means: 'obstacle' },
  { status: ['3xx', 'other', 405, 410], means: 'elsewhere' },
  { status: [408], means: 'timed-out' },

  { status: ['4xx'], says: ['spent'], means: 'out-of-plan' },
  { status: ['4xx'], says: ['otherMarket'], means: 'rejected' },
  { status: ['4xx'], says: ['wrongKey'], means: 'unauthorised' },
  { status: ['4xx'], says: ['missing'], means: 'not-found' },
  { status: [400, 415, 422], says: ['form'], address: RECENT, means: 'rejected' },
  { status: [400, 415, 422], says: ['form'], means: 'request-form' },
  { status: ['4xx'], says: ['trouble'], means: 'failing' },
  { status: ['4xx'], body: ['page'], address: KNOWN, means: 'obstacle' },
  { status: ['4xx'], means: 'rejected' },

  { status: [503], says: ['speed'], means: 'throttled' },
  { status: ['5xx'], means: 'failing' },
];

/** What the table looks at. */
export interface ReplyFacts {
  readonly status: number;
  readonly body: BodyKind;
  readonly topics: ReadonlySet<Topic>;
}

function classOf(status: number): StatusClass {
  if (status >= 500) return '5xx';
  return status < 200 ? 'other' : (`${Math.floor(status / 100)}xx` as StatusClass);
}

/** @param standing asked only if a row depends on it, because it may cost a call. */
export function meaningOf(facts: ReplyFacts, standing: () => Standing): Meaning {
  const { status, body, topics } = facts;
  const fits = (row: Row) =>
    (row.status?.some((one) => one === status || one === classOf(status)) ?? true) &&
    (row.body?.includes(body) ?? true) &&
    (row.says?.some((topic) => topics.has(topic)) ?? true) &&
    !row.unless?.some((topic) => topics.has(topic)) &&
    (row.address?.includes(standing()) ?? true);
  return ROWS.find(fits)?.means ?? 'rejected';
}
