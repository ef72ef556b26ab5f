// Apps Script's limits over time and over executions. A test may set lower ones.

/**
 * Source: "Quotas", developers.google.com/apps-script/guides/services/quotas, consumer accounts.
 * Limits that come only from users' reports or from caution say so, and the README lists them under
 * what nobody could verify.
 */
export interface HostLimits {
  /** Quotas, "Simultaneous executions per user". */
  readonly executionsPerUser: number;
  /** Quotas, "Simultaneous executions per script". */
  readonly executionsPerScript: number;
  /**
   * How many cells the spreadsheet calculates at once for one user. Further cells wait. Users count
   * 30.
   */
  readonly cellsAtOnce: number;
  /**
   * Executions by cells that one user may start within a second. Google names no number and says of
   * the refusal that it "most commonly occurs for custom functions" (Quotas, "Exception messages").
   */
  readonly cellStartsPerSecond: number;
  /**
   * Time limit of cells and of simple triggers. Quotas, "Custom function runtime"; guide of simple
   * triggers, "Restrictions".
   */
  readonly shortRunMs: number;
  /** Time limit of all other executions. Quotas, "Script runtime". */
  readonly longRunMs: number;
  /** Quotas, "URL Fetch calls". */
  readonly urlFetchPerDay: number;
  /**
   * Requests within ten seconds beyond which Google answers "too many times in a short time".
   * Google names no number; a batch of 1,000 was seen to work.
   */
  readonly urlFetchInShortTime: number;
  /** Quotas, "Properties read/write". */
  readonly propertyCallsPerDay: number;
  /** Quotas, "Email recipients per day". */
  readonly mailRecipientsPerDay: number;
  /** Quotas, "Triggers total runtime". */
  readonly triggerRuntimePerDayMs: number;
  /**
   * Google names no number. 200 a second is far more than 30 executions reach with calls of 20 to
   * 50 ms.
   */
  readonly lockOperationsPerSecond: number;
  /**
   * Minimum time between two firings of a clock trigger. For add-ons an hour, from the guide
   * "Triggers for Google Workspace add-ons". For other scripts a minute, from the reference of
   * ClockTriggerBuilder.everyMinutes.
   */
  readonly firingsApartMs: number;
  /**
   * For an add-on, one trigger of each type for each user and document, from the same guide. For
   * other scripts, 20 for each user and script, from Quotas, "Triggers".
   */
  readonly triggersPerDocument: number;
}

/** A limit that an execution or a call has met. */
export interface LimitReached {
  /** A member of `HostLimits`, or what is counted where no test can lower it: "bytes of a value". */
  readonly name: string;
  readonly value: number;
}

export const reached = (limits: HostLimits, name: keyof HostLimits): LimitReached => ({
  name,
  value: limits[name],
});

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The limits of a consumer account, with the trigger limits of an add-on. */
export const CONSUMER_LIMITS: HostLimits = {
  executionsPerUser: 30,
  executionsPerScript: 1_000,
  cellsAtOnce: 30,
  cellStartsPerSecond: Number.POSITIVE_INFINITY,
  shortRunMs: 30_000,
  longRunMs: 6 * MINUTE_MS,
  urlFetchPerDay: 20_000,
  urlFetchInShortTime: 2_000,
  propertyCallsPerDay: 50_000,
  mailRecipientsPerDay: 100,
  triggerRuntimePerDayMs: 90 * MINUTE_MS,
  lockOperationsPerSecond: 200,
  firingsApartMs: HOUR_MS,
  triggersPerDocument: 1,
};

/**
 * A script bound to one spreadsheet: its clock triggers may fire every minute, and it may have 20
 * triggers.
 */
export const BOUND_SCRIPT_LIMITS: Partial<HostLimits> = {
  firingsApartMs: MINUTE_MS,
  triggersPerDocument: 20,
};

/**
 * "Quotas for Google services": 9 KB a value, 500 KB a store. Users measured what counts toward
 * these.
 */
export const PROPERTY_SIZES = {
  valueBytes: 9 * 1024,
  keyBytes: 8_066,
  storeBytes: 512 * 1024,
} as const;

/** "Quotas for Google services", "Triggers": for one user and script. */
export const TRIGGERS_PER_USER_MAX = 20;
