// What a reply means: one table of status, kind of body, words, and what is known of the address;
// and the words of a reply. Pure.

import { DAY, HOUR, MINUTE, SECOND } from '../failures/duration';
import { nameForm } from '../product/fields';
import { textWithoutKey } from './request';

/**
 * What is known of the address: `new`: no analysis ever came from there; `new-key`: one did, with
 * another key; `known`: one did with this key; `recent`: one did within the last hours.
 */
export type Standing = 'new' | 'new-key' | 'known' | 'recent';

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

/** What a reply means, by whose matter it is. */
export type ReplyMeaning =
  | 'answer'
  /** No analysis that can be read. */
  | 'not-understood'
  /** The product's: its answer, kept for hours. */
  | 'not-found'
  | 'rejected'
  /** The product's, or the service's if several products in a row get it. */
  | 'perhaps-not-found'
  /** The service's, and passes. */
  | 'failing'
  | 'not-ready'
  | 'timed-out'
  /** The same, of something in front of the service: a bot check, a page of maintenance. */
  | 'obstacle'
  /** The key's limit. */
  | 'throttled'
  /** The key's: everything waits for a person, or for the plan to renew. */
  | 'unauthorised'
  | 'out-of-plan'
  /** The address's. */
  | 'elsewhere'
  /** The operator's: no request of this form is understood. */
  | 'request-form';

/**
 * How many products in a row have to get this until it counts as the service's problem: then nobody
 * calls for a while, and these products are asked again. A failing service has to name a time.
 */
export const HELD_AFTER = { 'perhaps-not-found': 3, failing: 5, obstacle: 3 } as const;

/** Classes of status, by their hundreds. */
type StatusClass = '2xx' | '3xx' | '4xx' | '5xx' | 'other';

interface MeaningRow {
  /** One status or several, or classes; left out: any. */
  readonly status?: readonly (number | StatusClass)[];
  readonly body?: readonly BodyKind[];
  /** What the words have to be about, one of these; and what not. */
  readonly says?: readonly Topic[];
  readonly unless?: readonly Topic[];
  readonly address?: readonly Standing[];
  readonly means: ReplyMeaning;
}

const PROVEN: readonly Standing[] = ['known', 'recent'];
const KNOWN: readonly Standing[] = ['new-key', ...PROVEN];
const RECENT: readonly Standing[] = ['recent'];
const NEW: readonly Standing[] = ['new'];

/** Statuses that a service says no with in words of its own. Those of 5xx are often a proxy's. */
const SAID: readonly StatusClass[] = ['2xx', '4xx'];

/** The first row that fits counts. */
const ROWS: readonly MeaningRow[] = [
  { status: ['2xx'], body: ['analysis'], means: 'answer' },
  { status: ['2xx'], body: ['several analyses', 'too long'], means: 'not-understood' },

  // Words that say whose matter it is, whatever the status.
  { status: SAID, says: ['pace'], means: 'throttled' },
  { status: SAID, says: ['spent'], unless: ['otherMarket'], means: 'out-of-plan' },
  { status: SAID, says: ['speed'], means: 'throttled' },
  { status: ['2xx', 403, 404], says: ['path'], address: KNOWN, means: 'obstacle' },
  { status: ['2xx', 403, 404], says: ['path'], means: 'elsewhere' },
  { status: ['2xx', 404, 409, 423, 425], says: ['pending'], means: 'not-ready' },
  { status: [202], body: ['refusal', 'other JSON', 'nothing', 'empty'], means: 'not-ready' },
  { status: [404], says: ['product'], means: 'not-found' },
  {
    status: ['2xx', 400, 409, 410, 422],
    says: ['missing'],
    unless: ['path', 'wrongKey'],
    means: 'not-found',
  },
  { status: ['5xx'], says: ['spent'], unless: ['trouble'], means: 'out-of-plan' },
  { status: ['5xx'], says: ['pace', 'speed'], unless: ['trouble'], means: 'throttled' },
  { status: SAID, says: ['trouble'], unless: ['missing'], means: 'failing' },
  { status: SAID, says: ['otherMarket'], means: 'rejected' },
  { status: SAID, says: ['wrongKey'], means: 'unauthorised' },
  { status: [400, 415, 422], says: ['form'], address: RECENT, means: 'rejected' },
  { status: [400, 415, 422], says: ['form'], means: 'request-form' },
  { status: [402], means: 'out-of-plan' },
  { status: [429], means: 'throttled' },
  { status: SAID, says: ['product'], unless: ['namedKey'], means: 'rejected' },
  { status: ['2xx', 403], says: ['plan'], means: 'out-of-plan' },

  // Without such words, the status and the body.
  { status: ['2xx'], body: ['refusal'], says: ['key'], means: 'unauthorised' },
  { status: ['2xx'], body: ['refusal'], means: 'rejected' },
  { status: ['2xx'], body: ['nothing'], means: 'not-found' },
  { status: [204, 205], means: 'not-found' },
  { status: ['2xx'], body: ['page', 'empty'], address: KNOWN, means: 'obstacle' },
  { status: ['2xx'], body: ['page'], means: 'elsewhere' },
  { status: ['2xx'], means: 'not-understood' },
  { status: [401], body: ['page'], address: RECENT, means: 'obstacle' },
  { status: [401], means: 'unauthorised' },
  // 403 is also what a gateway says to robots, and to addresses of Google's that it does not like.
  { status: [403], body: ['page'], means: 'obstacle' },
  { status: [403], says: ['blocked'], means: 'obstacle' },
  { status: [403], says: ['key'], means: 'unauthorised' },
  { status: [403], address: PROVEN, means: 'obstacle' },
  { status: [403], means: 'unauthorised' },
  { status: [404], address: NEW, means: 'elsewhere' },
  { status: [404], means: 'perhaps-not-found' },
  { status: ['3xx', 'other', 405, 410], address: RECENT, means: 'obstacle' },
  { status: ['3xx', 'other', 405, 410], means: 'elsewhere' },
  { status: [408], means: 'timed-out' },
  { status: [421, 424, 499], means: 'failing' },
  { status: [409, 423, 425], means: 'not-ready' },
  { status: ['4xx'], body: ['page'], address: KNOWN, means: 'obstacle' },
  { status: ['4xx'], means: 'rejected' },
  { status: ['5xx'], means: 'failing' },
];

/** Whether the key has answered before. */
export const isProven = (standing: Standing): boolean => PROVEN.includes(standing);

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

export function replyMeaning(
  { status, body, topics }: ReplyFacts,
  standing: Standing,
): ReplyMeaning {
  const fits = (row: MeaningRow) =>
    (row.status?.some((expected) => expected === status || expected === classOf(status)) ?? true) &&
    (row.body?.includes(body) ?? true) &&
    (row.says?.some((topic) => topics.has(topic)) ?? true) &&
    !row.unless?.some((topic) => topics.has(topic)) &&
    (row.address?.includes(standing) ?? true);
  return ROWS.find(fits)?.means ?? 'rejected';
}

/** Enough to recognise a problem, short enough for a cell. */
const EXCERPT_CHARS = 120;

/** Enough to classify a problem; a body may be a hundred times as long. */
const WORDS_CHARS_MAX = 2_000;

/** How deep words are searched for in an error body: `{errors: [{detail: …}]}` is three levels. */
const DEPTH_MAX = 4;

/**
 * Members that carry messages, best first, in every error shape known from real services, in the form
 * that `nameForm` returns.
 */
const WORD_FORMS = [
  ...['message', 'detail', 'details', 'title', 'errordescription', 'errormessage', 'errormsg'],
  ...['msg', 'reason', 'faultstring', 'note', 'information', 'info', 'error', 'errors', 'code'],
  ...['type', 'errortype', 'errorcode', 'extensions'],
];

export const isWordMember = (name: string): boolean => WORD_FORMS.includes(nameForm(name));

/**
 * All text in the body that may say what is wrong, best first. It is cut between two words, because
 * half a word could be the beginning of the key, which would not be recognised as such.
 *
 * @param json undefined: the body is not JSON.
 */
export function errorWords(json: unknown, text: string): string {
  if (json !== undefined) return shortened(wordsIn(json, DEPTH_MAX).join(' '));
  return shortened(isHtml(text) ? pageWords(text) : text);
}

function shortened(words: string): string {
  const all = words.replace(/\s+/g, ' ').trim();
  return all.length > WORDS_CHARS_MAX ? all.slice(0, WORDS_CHARS_MAX).replace(/\S*$/, '') : all;
}

function wordsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return [value];
  if (depth === 0) return [];
  if (Array.isArray(value)) return value.slice(0, 5).flatMap((item) => wordsIn(item, depth - 1));
  const members: readonly (readonly [string, unknown])[] = Object.entries(Object(value));
  const words = WORD_FORMS.flatMap((form) => members.filter(([name]) => nameForm(name) === form));
  const nested = depth === DEPTH_MAX ? [] : members.slice(0, 5);
  return (words.length > 0 ? words : nested).flatMap(([, member]) => wordsIn(member, depth - 1));
}

export function isHtml(text: string): boolean {
  return /^\s*(<!doctype|<!--|<html|<head|<body|<title|<center|<h1|<\?xml)/i.test(text);
}

/** What a person reads on a web page, as far as it may say what is wrong. */
const pageWords = (html: string): string =>
  html
    .slice(0, 20_000)
    .replace(/<(script|style)\b[^>]*>[\s\S]*?(<\/\1>|$)/gi, ' ')
    .replace(/<[^>]*>/g, ' ');

/** The beginning of the message, safe to show: no key, no markup, no control characters. */
export function excerptOf(words: string, apiKey: string): string {
  const shown = textWithoutKey(words, apiKey)
    .replace(/Bearer\s+\S+/gi, 'Bearer …')
    .replace(/<[^>]*>/g, ' ')
    .replace(/[^\P{C}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return shown.length > EXCERPT_CHARS ? `${shown.slice(0, EXCERPT_CHARS - 1)}…` : shown;
}

/**
 * What words are about. They are matched in plain form, so that an error code says as much as a
 * sentence.
 */
const TOPICS = {
  /** Calls in a second or a minute, which say that it is no matter of the plan. */
  pace: /\b(per|a|an|each|every) (second|minute)\b|\bper (sec|min)\b|\b(requests?|reqs?|calls?|\d+) ?\/ ?(s|secs?|seconds?|m|mins?|minutes?)\b|\b(rps|qps|rpm|concurren\w+)\b/i,
  /** A day's or a month's calls, or what was paid for, are used up. */
  spent:
    /\b((insufficient|not enough|zero|0|no( more)?|out of|exhausted|(all )?used up|ran out of|run out of) (\w+ ){0,2}(credits?|funds|tokens?|balance|calls( left)?|requests (left|remaining)|quota)|(out of|run out of|ran out of|used all) (\w+ )?requests|(credits?|balance|allowance|(?<!disk |storage )quota|plan|subscription|trial|tier)( \w+){0,4} (exceeded|exhausted|depleted|reached|used up|spent|expired|ended|over|inactive|lapsed|overdue)|(exceeded|exhausted|reached|hit|over|used)( \w+){0,4} (credits?|balance|allowance|quota|plan limit)|plan limit|payment required|(requests?|calls?|limit|quota|usage|volume|allowance)( \w+){0,4} (per|a|each|every|this|for (the|this)|to) ?(day|month|week|billing)|(per|each|every|rolling) (rolling )?24 ?h(ours?|rs?)?|(until|at|after) midnight|(daily|weekly|monthly|usage|lifetime|24 ?h(ours?)?) (\w+ )?(limit|quota|cap|allowance|credits?|calls?|requests?)|\d+( \w+)? ?\/ ?(d|day|month|mo|24 ?h)\b|limit( \w+){0,3} (today|this month))\b/i,
  speed:
    /\b(rate ?limit\w*|too many (requests|calls|attempts)|(requests?|calls?) (\w+ )?too (fast|quickly|often)|throttl\w*|slow down|burst|limit (\w+ ){0,2}(reached|hit)|((?<!size |weight |length )limit|(maximum|max) (number|amount) of (requests|calls)) (\w+ ){0,2}(reached|exceeded))\b/i,
  /** The plan, where nothing else is said: "Your plan does not include this". */
  plan: /\b(your|current|free|this|another|higher|the|requires?|needs?) (\w+ ){0,2}(plan|subscription|tier)\b|\b(upgrade|billing|quota|credits?|payment)\b/i,
  /** A plan for other markets: "Your subscription does not include the UK"; "us" is no market. */
  otherMarket:
    /\b(([Nn]ot|n't|[Oo]nly|[Rr]equires?|[Uu]pgrade) (\w+ ){0,6}([Mm]arket\w*|[Rr]egion|[Cc]ountry|UK|GB|US|[Uu]nited ([Kk]ingdom|[Ss]tates)|co\.uk)\b|([Mm]arket\w*|[Rr]egion|[Cc]ountry|UK|GB|US|[Uu]nited ([Kk]ingdom|[Ss]tates)|co\.uk) (\w+ ){0,3}(not|isn't|unsupported|unavailable|disabled|requires?|needs)\b)/,
  key: /\b(api ?key|(?<!unexpected )token|unauthori[sz]ed|unauthenticated|credentials?|authentication|not subscribed)\b/i,
  /** The key itself is named, so that words about a product say only what it was used for. */
  namedKey: /\b(api|access|secret|subscription) ?(key|token)\b/i,
  /** A key that is said to be wrong, whatever the status. */
  wrongKey:
    /\b(invalid|incorrect|wrong|missing|unknown|expired|revoked|disabled|no|bad|inactive|suspended) (\w+ ){0,2}(api ?key|access key|(?<!unexpected )token|credentials?)\b|\b(api ?key|access key|token|credentials?) (\w+ ){0,3}(invalid|not valid|expired|revoked|missing|required|unknown|disabled|inactive|incorrect|suspended|not (known|recogni[sz]ed|exist|found))\b|\baccount (\w+ ){0,3}(suspended|disabled|deactivated|inactive|closed|locked)\b|\b(user|account|customer) not found\b|\b(invalid|wrong|unknown|expired|revoked|disabled) key(?=\W*$)|\bkey (is |was |has been )?(invalid|not valid|expired|revoked|disabled)\b/i,
  missing:
    /\b(not found|unknown (asin|product)|no (such )?(asin|product|item|listing)s?|no (data|results?|analysis|offers?)|does ?n[o']t exist)\b/i,
  product:
    /\b(asin|product(?! analysis)|item|listing|sku|isbn|catalog(ue)?|no data|brand|category|hazmat|(un)?gated|ungat\w+|approval|(?<!access )restrict(ed|ion)s?|shipments?|B0[0-9A-Z]{8})\b/i,
  /**
   * A web server or gateway that does not know the path uses these words if it sends no page:
   * "Cannot POST /v1/analyze", "no Route matched", and Amazon's "Missing Authentication Token".
   */
  path: /\b((page|path|route|endpoint|url|deployment) not found|no route|no such app|v1\/analyze|missing authentication token|(endpoint|api) .{0,40}does ?n[o']t exists?)\b/i,
  /** What went wrong is the service's own. */
  trouble:
    /\b(internal (server )?(error|exception)|server error|(time|timed)[ -]?out|(temporarily|currently|service) unavailable|bad gateway|maintenance|over(loaded| capacity)|(unexpected|unknown|unhandled) (error|exception)|something went wrong|upstream|E(CONN\w+|TIMEDOUT|AI AGAIN|NOTFOUND|PIPE|HOSTUNREACH)|hang up|connection (\w+ )?(lost|closed|reset|refused|terminated|timeout)|(could not|cannot|can't|unable to|failed to) (connect|reach|verify|contact|resolve)|fetch failed|network error|runtime (\w+ )?exit\w*|exited with|exit status|out of memory|deadlock|database|query failed|cannot (read|return) \w+|error (has )?occurr?ed(?=\W*$)|(please )?retry (later|shortly|your|the|this|in a)|try again (later|shortly|soon|in a))\b/i,
  /** Someone in front of the service turned the call away, whatever the key. */
  blocked:
    /\berror code:? ?1\d{3}\b|\b(blocked|bot|captcha|challenge|firewall|access denied .{0,40}(reference|ip)|(your|client) ip)\b/i,
  pending:
    /\b((in|under) progress|(still|being|currently) (process|analy[sz]|prepar|comput|calculat|collect|gather|fetch)\w*|(is|are) processing|^processing\W*$|queued|pending|not (yet )?(ready|finished|complete)|not yet available|not available yet)\b/i,
  /** The body of the request as a whole could not be read. */
  form: /\b(JSON (decode|parse) error|(request )?body (is |was )?(missing|required|empty|invalid)|(request body|payload) (is )?(missing|required)|required request body|unsupported (media|content) ?type|content ?type|malformed (request|JSON|body)|(in|invalid|not valid) JSON|param is missing|field (is )?required|required field|(asin|market)\b.{0,20}\b(field )?is required)\b/i,
} as const;

export type Topic = keyof typeof TOPICS;

/** Of a web page only these count: it holds many words of any kind. */
const PAGE_TOPICS: readonly Topic[] = ['speed', 'wrongKey'];

/** Whether a body with a status of success says no: others, and JSON that is cut off, tell of a product. */
const saysNo = (words: string, body: BodyKind): boolean =>
  body === 'refusal' || (body === 'text' && !/^\s*[[{]/.test(words));

/** What a reply says in words of the service. */
export function topicsOf(words: string, status: number, body: BodyKind): ReadonlySet<Topic> {
  const plain = plainForm(words);
  const own = body === 'page' ? PAGE_TOPICS : (Object.keys(TOPICS) as Topic[]);
  const all = status >= 300 || saysNo(words, body) ? own : [];
  return new Set(all.filter((topic) => TOPICS[topic].test(plain)));
}

/**
 * Turns `invalid_api_key`, `invalid-api-key` and `InvalidApiKey` into "invalid api key". "No credits
 * were charged" is taken out, because it comforts and says nothing about the plan; a "subscription
 * key" is a key.
 */
function plainForm(words: string): string {
  const plain = words.replace(/[_-]+/g, ' ').replace(/([a-z])([A-Z])/g, '$1 $2');
  return plain
    .replace(/\b(no )?credits? (\w+ ){0,3}(charg|deduct)ed\b/gi, '')
    .replace(/\bsubscription key\b/gi, 'API key');
}

/** A wait in words: "retry after 1343.2 minutes", "Try again in 5 h". */
const WAIT =
  /\b(?:again|retry|wait|resets?|renews?|refills?|refill ?in|available)\b[^.\d]{0,40}(\d+(?:\.\d+)?) ?(ms|milliseconds?|s|sec(?:ond)?s?|m|min(?:ute)?s?|h|hrs?|hours?|d|days?)\b/i;

const UNIT_MS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY };

/** How long the words say to wait, ms; undefined if they do not. */
export function waitInWords(words: string): number | undefined {
  const [, count, unit = ''] = WAIT.exec(words) ?? [];
  const unitMs = /^m(s|illi)/i.test(unit) ? 1 : UNIT_MS[unit.charAt(0).toLowerCase()];
  return count === undefined || unitMs === undefined ? undefined : Number(count) * unitMs;
}
