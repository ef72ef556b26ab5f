// The one way to call a Google service: an unexplained fault gets a second try, and a refusal
// becomes a typed value. And what the person has granted, on which calls depend.

/** Why a Google service gave no answer. Each kind is also a kind of failure. */
export type Refusal =
  | CallRefusal
  /**
   * Google has no room left in this store: the person's own, or the one shared by the spreadsheet.
   */
  | { readonly kind: 'store-full'; readonly holder: 'you' | 'here' };

/** The refusals that any Google service may give. */
export type CallRefusal =
  /** The person has not granted the add-on what the call needs. */
  | { readonly kind: 'not-permitted' }
  /** The person's scripts have used up one of Google's daily limits. */
  | { readonly kind: 'google-limit' }
  /**
   * The call failed twice for an unknown reason. `words` is Google's message without anything
   * secret.
   */
  | { readonly kind: 'google-busy'; readonly words: string };

/**
 * Every call whose answer decides something throws this when its second try fails as well. A door
 * turns it into the failure of the same kind.
 */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.kind);
    this.refusal = refusal;
  }
}

/** Whether Google's services failed temporarily, so that the same work can be tried again. */
export const isBusy = (
  error: unknown,
): error is Refused & { readonly refusal: { readonly kind: 'google-busy' } } =>
  error instanceof Refused && error.refusal.kind === 'google-busy';

/** What some work gives, or that Google's services failed temporarily while it was done. */
export function unlessBusy<T>(work: () => T): T | Extract<Refusal, { kind: 'google-busy' }> {
  try {
    return work();
  } catch (error) {
    if (!isBusy(error)) throw error;
    return error.refusal;
  }
}

/** The pause before the second try, ms. It is short because a cell has 30 s for everything. */
const PAUSE_MS = 100;
const PAUSE_JITTER_MS = 300;

/** Errors that the language itself throws. They are bugs of ours, not faults of a service. */
const MISTAKE = /^(Type|Range|Reference|Syntax)Error/;

/**
 * Google translates its messages into the person's language, except for the names in them: scopes
 * and methods ("…/auth/script.external_request", "UrlFetchApp.fetch"), and the service whose daily
 * calls are used up. That may stand anywhere in the sentence: ": urlfetch", "サービス premium urlfetch を".
 */
const NOT_PERMITTED = /googleapis\.com\/auth\/|[a-z](App|Service)\.[a-z]|\bUi\.[a-z]/;
const SPENT =
  /[:：]\s*properties\b|(?<![\w./@-])(url[fF]etch|properties\W(get|set|read|write|delete))(?![\w/@-]|\.\w)/;
/** "Try Utilities.sleep(1000)" or "rateMax": too many calls in a short time, which passes. */
const HURRIED = /Utilities\.sleep|\bsleep ?\(|rateMax/;
const ADDRESS = /\bhttps?:\/\/[^\s"'<>]+/gi;

/** Text that may be a key or an address; Google sometimes quotes arguments. */
const UNSPEAKABLE = /(?=[!-~]*\d)[!-~]{8,}|[!-~]{24,}/g;
const WORDS_MAX = 120;

/**
 * Calls a service and returns its answer. If it throws for no known reason it is called once more,
 * so `call` must be safe to repeat, or `judge` must find out what the first try did.
 *
 * @param judge what a failed call amounts to, decided by Google's message or by asking for the
 * current state; undefined: unknown.
 * @throws Refused when the call is refused or the second try fails as well.
 */
export function serviceCall<T>(
  call: () => T,
  judge: (words: string) => T | undefined = () => undefined,
): T {
  for (let isLast = false; ; isLast = true) {
    try {
      return call();
    } catch (error) {
      // In some runtimes, what a service throws is no instance of this script's Error.
      const words = String(error);
      if (error instanceof Refused || MISTAKE.test(words)) throw error;
      // Asking for the current state uses services, too, so it needs the same protection.
      const judged = serviceCall(() => judge(words));
      if (judged !== undefined) return judged;
      const refusal = refusalIn(words);
      if (refusal !== undefined) throw new Refused(refusal);
      if (isLast) throw new Refused(isUnauthorised() ? { kind: 'not-permitted' } : busy(words));
      pauseBeforeRetry();
    }
  }
}

/** The same for calls that are nice to have: returns `instead` when Google refuses. */
export function serviceCallOr<T>(instead: T, call: () => T): T {
  try {
    return serviceCall(call);
  } catch (error) {
    if (error instanceof Refused) return instead;
    throw error;
  }
}

/** The refusal that Google's message names, recognised in every language. */
export function refusalIn(words: string): CallRefusal | undefined {
  if (NOT_PERMITTED.test(words)) return { kind: 'not-permitted' };
  // An address may contain any word.
  const own = words.replace(ADDRESS, '');
  return SPENT.test(own) && !isHurried(own) ? { kind: 'google-limit' } : undefined;
}

/** Whether Google complains of too many calls in a short time. */
export const isHurried = (words: string): boolean => HURRIED.test(words.replace(ADDRESS, ''));

/** A refusal with Google's message, shortened and without anything that may be a key. */
export function busy(words: string): CallRefusal {
  const shown = words.replace(/^\w+: /, '').replace(UNSPEAKABLE, '…');
  return { kind: 'google-busy', words: shown.slice(0, WORDS_MAX) };
}

/** Whether the person has yet to grant the add-on a permission; false where Google does not say. */
function isUnauthorised(): boolean {
  try {
    return authorisation().getAuthorizationStatus() === ScriptApp.AuthorizationStatus.REQUIRED;
  } catch {
    return false;
  }
}

function pauseBeforeRetry(): void {
  try {
    Utilities.sleep(PAUSE_MS + Math.random() * PAUSE_JITTER_MS);
  } catch {
    // If sleeping fails, the second try simply follows at once.
  }
}

/** All scopes, or these: the published types do not know yet that single ones can be asked about. */
type Scopes = readonly [] | readonly [readonly string[]];

interface ScopedScript {
  getAuthorizationInfo(
    mode: GoogleAppsScript.Script.AuthMode,
    ...scopes: Scopes
  ): GoogleAppsScript.Script.AuthorizationInfo;
}

function authorisation(...scopes: Scopes): GoogleAppsScript.Script.AuthorizationInfo {
  const app: ScopedScript = ScriptApp;
  return app.getAuthorizationInfo(ScriptApp.AuthMode.FULL, ...scopes);
}

/** Whether the person has granted this scope. */
export const isGranted = (scope: string): boolean =>
  serviceCall(
    () =>
      authorisation([scope]).getAuthorizationStatus() ===
      ScriptApp.AuthorizationStatus.NOT_REQUIRED,
  );

/** The address where the person can grant what is missing; null: nothing is missing. */
export const grantUrl = (): string | null =>
  // Google may return an address although nothing is missing, so the status is asked first.
  isUnauthorised()
    ? serviceCallOr(null, () => authorisation().getAuthorizationUrl() || null)
    : null;
