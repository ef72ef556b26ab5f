// The one way to call a service of Google: a passing fault gets a second try, a refusal is told without its words.

import { type CallRefusal, Refused } from '../ports';

/** Before the second try, ms. A cell has 30 s for everything. */
const PAUSE_MS = 100;
const PAUSE_JITTER_MS = 300;

/** Thrown by the language, not by a service: a mistake of ours. */
const MISTAKE = /^(Type|Range|Reference|Syntax)Error/;

/**
 * Google translates its messages into the person's language, all but the names in them: scopes and
 * methods ("…/auth/script.external_request", "UrlFetchApp.fetch"), and at the end, the service whose
 * calls of a day are spent (": urlfetch", ": properties get").
 */
const NOT_PERMITTED = /googleapis\.com\/auth\/|[a-z](App|Service)\.[a-z]|\bUi\.[a-z]/;
const SPENT = /[:：]\s*(url[fF]etch|properties)\b/;
/** "Try Utilities.sleep(1000)", "rateMax": too many in a short time, which passes. */
export const HURRIED = /sleep|rateMax/;

/** What may be a key or an address; Google quotes arguments now and then. */
const UNSPEAKABLE = /(?=[!-~]*\d)[!-~]{8,}|[!-~]{24,}/g;
const WORDS_MAX = 120;

/**
 * The answer of a service. What throws for no known reason is called once more, so `call` may be
 * made twice, or tells in `judge` what came of it.
 *
 * @param judge what a failed call comes to, by its words or by asking the state; undefined: nothing known.
 */
export function serviceCall<T>(
  call: () => T,
  judge: (words: string) => T | undefined = () => undefined,
): T {
  for (let isLast = false; ; isLast = true) {
    try {
      return call();
    } catch (error) {
      // What services throw is no Error of ours in every runtime.
      const words = String(error);
      if (error instanceof Refused || MISTAKE.test(words)) throw error;
      // Asking the state are calls of services, too.
      const known = serviceCall(() => judge(words));
      if (known !== undefined) return known;
      const refusal = refusalIn(words);
      if (refusal !== undefined) throw new Refused(refusal);
      if (isLast) throw new Refused(isUnauthorised() ? { kind: 'not-permitted' } : busy(words));
      pause();
    }
  }
}

/** The same for what is good to have: `instead` where Google does not give it. */
export function serviceCallOr<T>(instead: T, call: () => T): T {
  try {
    return serviceCall(call);
  } catch (error) {
    if (error instanceof Refused) return instead;
    throw error;
  }
}

/** What Google's words tell in every language. */
export function refusalIn(words: string): CallRefusal | undefined {
  if (NOT_PERMITTED.test(words)) return { kind: 'not-permitted' };
  return SPENT.test(words) && !HURRIED.test(words) ? { kind: 'google-limit' } : undefined;
}

/** With Google's words, short, and without anything that may be a key. */
export function busy(words: string): CallRefusal {
  const shown = words.replace(/^\w+: /, '').replace(UNSPEAKABLE, '…');
  return { kind: 'google-busy', words: shown.slice(0, WORDS_MAX) };
}

/** Whether the person has still to allow the add-on something; false where it cannot be asked. */
export function isUnauthorised(): boolean {
  try {
    const { AuthMode, AuthorizationStatus } = ScriptApp;
    const info = ScriptApp.getAuthorizationInfo(AuthMode.FULL);
    return info.getAuthorizationStatus() === AuthorizationStatus.REQUIRED;
  } catch {
    return false;
  }
}

function pause(): void {
  try {
    Utilities.sleep(PAUSE_MS + Math.random() * PAUSE_JITTER_MS);
  } catch {
    // The second try comes at once then.
  }
}
