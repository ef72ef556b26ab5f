// The words of a reply: which ones it holds, what they are about, and how much of them is shown.

import { textWithoutKey } from './request';

/** Enough to recognise a problem, short enough for a cell. */
const EXCERPT_CHARS = 120;

/** Enough to classify a problem; a body may be a hundred times as long. */
const WORDS_CHARS_MAX = 2_000;

/** How deep words are searched for in an error body: `{errors: [{detail: …}]}` is three levels. */
const DEPTH_MAX = 4;

/** Members that carry messages, best first, in every error shape known from real services. */
export const WORD_MEMBERS = [
  ...['message', 'detail', 'details', 'title', 'error_description', 'errorMessage', 'errorMsg'],
  ...['msg', 'reason', 'error', 'errors', 'code', 'type', 'errorType'],
];

/**
 * All text in the body that may say what is wrong, best first. It is cut between two words, because
 * half a word could be the beginning of the key, which would not be recognised as such.
 */
export function errorWords(json: unknown, text: string): string {
  const words = json === undefined ? [isHtml(text) ? '' : text] : wordsIn(json, DEPTH_MAX);
  return shortened(words.join(' '));
}

function shortened(words: string): string {
  const all = words.replace(/\s+/g, ' ').trim();
  return all.length > WORDS_CHARS_MAX ? all.slice(0, WORDS_CHARS_MAX).replace(/\S*$/, '') : all;
}

function wordsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return [value];
  if (depth === 0) return [];
  if (Array.isArray(value)) return value.slice(0, 5).flatMap((one) => wordsIn(one, depth - 1));
  const members = new Map<string, unknown>(Object.entries(Object(value)));
  const known = WORD_MEMBERS.filter((name) => members.has(name));
  if (known.length > 0) return known.flatMap((name) => wordsIn(members.get(name), depth - 1));
  return depth === DEPTH_MAX
    ? []
    : [...members.values()].slice(0, 5).flatMap((one) => wordsIn(one, depth - 1));
}

export function isHtml(text: string): boolean {
  return /^\s*(<!doctype|<!--|<html|<head|<body|<title|<center|<h1|<\?xml)/i.test(text);
}

/** What a person reads on a web page, as far as it may say what is wrong. */
export function pageWords(html: string): string {
  const text = html
    .slice(0, 20_000)
    .replace(/<(script|style)\b[^>]*>[\s\S]*?(<\/\1>|$)/gi, ' ')
    .replace(/<[^>]*>/g, ' ');
  return shortened(text);
}

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
  speed: /\b(rate ?limit\w*|too many requests|throttl\w*|slow down)\b/i,
  /** Unmistakable also with a status that may mean anything wrong with a request. */
  spent:
    /\b((insufficient|not enough|no( more)?|out of|exhausted) (\w+ )?(credits|funds|tokens)|plan limit)\b/i,
  plan: /\b(credits?|plan|subscription|payment|billing|monthly|insufficient (funds|tokens)|upgrade)\b/i,
  /** A key without calls left, which some services report with the status of a refused key. */
  allowance: /\b(quota|(usage|daily|weekly|monthly) limit)\b/i,
  /** A plan for other markets: "Your subscription does not include the UK"; "us" is no market. */
  otherMarket:
    /\b([Nn]ot|n't|[Oo]nly) (include|cover|support|allow|available|valid|enabled|contain|permit)\w*\b.{0,40}\b([Mm]arket\w*|[Rr]egion|[Cc]ountry|UK|GB|US|[Uu]nited ([Kk]ingdom|[Ss]tates))\b/,
  key: /\b(api ?key|(?<!unexpected )token|unauthori[sz]ed|unauthenticated|credentials?|authentication|not subscribed)\b/i,
  /** A key that is said to be wrong, whatever the status. */
  wrongKey:
    /\b(invalid|incorrect|wrong|missing|unknown|expired|revoked|disabled|no|bad|inactive|suspended) (\w+ ){0,2}(api ?key|access key|(?<!unexpected )token|credentials?)\b|\b(api ?key|access key|token|credentials?) (\w+ ){0,3}(invalid|not valid|expired|revoked|missing|unknown|disabled|inactive|incorrect|suspended|not (known|recogni[sz]ed|exist))\b/i,
  missing: /\b(not found|unknown (asin|product)|no (such )?(asin|product)|no (data|results?))\b/i,
  product: /\b(asin|product|item|listing|sku|isbn|catalog(ue)?|no data)\b/i,
  /**
   * A web server or gateway that does not know the path uses these words if it sends no page:
   * "Cannot POST /v1/analyze", "no Route matched", and Amazon's "Missing Authentication Token".
   */
  path: /\b((page|path|route|endpoint|url|deployment) not found|no route|no such app|v1\/analyze|missing authentication token|(endpoint|api) .{0,40}does ?n[o']t exists?)\b/i,
  /** What went wrong is the service's own. */
  trouble:
    /\b(internal (server )?error|server error|(time|timed)[ -]?out|(temporarily|currently|service) unavailable|bad gateway|maintenance|over(loaded| capacity)|(unexpected|unknown|unhandled) (error|exception)|something went wrong|upstream|ECONN\w+|ETIMEDOUT|database (error|unavailable)|try again (later|in a))\b/i,
  /** Someone in front of the service turned the call away, whatever the key. */
  blocked:
    /\berror code:? ?1\d{3}\b|\b(blocked|bot|captcha|challenge|firewall|access denied .{0,40}(reference|ip)|(your|client) ip)\b/i,
  pending:
    /\b((in|under) progress|(still|being|currently) (process|analy[sz]|prepar|comput|calculat)\w*|(is|are) processing|^processing\W*$|queued|pending|not (yet )?(ready|finished|complete)|not yet available)\b/i,
  /** The body of the request as a whole could not be read. */
  form: /\b(JSON (decode|parse) error|(request )?body (is |was )?(missing|required|empty|invalid)|(request body|payload) (is )?(missing|required)|required request body|unsupported (media|content) ?type|content ?type|malformed (request|JSON|body)|(in|invalid|not valid) JSON|param is missing|field (is )?required|required field|(asin|market)\b.{0,20}\b(field )?is required)\b/i,
} as const;

export type Topic = keyof typeof TOPICS;

/** Of a web page only these count: it holds many words of any kind. */
const PAGE_TOPICS: readonly Topic[] = ['speed', 'wrongKey'];

export function topicsOf(words: string, isPage: boolean): ReadonlySet<Topic> {
  const plain = plainForm(words);
  const all = isPage ? PAGE_TOPICS : (Object.keys(TOPICS) as Topic[]);
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
