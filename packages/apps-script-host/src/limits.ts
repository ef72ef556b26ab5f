// Limits of Apps Script that count over time or over executions; a test may set them lower.

/**
 * "Quotas": developers.google.com/apps-script/guides/services/quotas, consumer accounts. What follows
 * from reports or from caution alone says so; the README lists it under what nobody could verify.
 */
export interface HostLimits {
  /** Quotas, "Simultaneous executions per user". */
  readonly executionsPerUser: number;
  /** Quotas, "Simultaneous executions per script". */
  readonly executionsPerScript: number;
  /** How many cells the spreadsheet calculates at once for one user; further ones wait. Users count 30. */
  readonly cellsAtOnce: number;
  /**
   * Time limit of cells and of simple triggers. Quotas, "Custom function runtime"; guide of simple
   * triggers, "Restrictions".
   */
  readonly shortRunMs: number;
  /** Time limit of everything else. Quotas, "Script runtime". */
  readonly longRunMs: number;
  /** Quotas, "URL Fetch calls". */
  readonly urlFetchPerDay: number;
  /**
   * Calls elsewhere within ten seconds; more are "too many times in a short time". Google names no
   * number; a batch of 1,000 was seen to work.
   */
  readonly urlFetchInShortTime: number;
  /** Quotas, "Properties read/write". */
  readonly propertyCallsPerDay: number;
  /** Quotas, "Email recipients per day". */
  readonly mailRecipientsPerDay: number;
  /** Quotas, "Triggers total runtime". */
  readonly triggerRuntimePerDayMs: number;
  /**
   * Google names no number; 200 a second is far above what 30 executions do with calls of 20 to 50 ms.
   */
  readonly lockOperationsPerSecond: number;
  /**
   * What lies between two firings of a clock trigger at least: guide "Triggers for Google Workspace
   * add-ons", an hour; reference of ClockTriggerBuilder.everyMinutes, a minute for other scripts.
   */
  readonly firingsApartMs: number;
  /**
   * The same guide: one of each type, for each user and document, for an add-on; Quotas, "Triggers":
   * 20 for each user and script, for others.
   */
  readonly triggersPerDocument: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A consumer account's, with triggers as an add-on has them. */
export const CONSUMER_LIMITS: HostLimits = {
  executionsPerUser: 30,
  executionsPerScript: 1_000,
  cellsAtOnce: 30,
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

/** A script that belongs to one spreadsheet: its clock may strike each minute, with 20 triggers. */
export const BOUND_SCRIPT_LIMITS: Partial<HostLimits> = {
  firingsApartMs: MINUTE_MS,
  triggersPerDocument: 20,
};

/** "Quotas for Google services": 9 KB a value, 500 KB a store; users measured what is counted. */
export const PROPERTY_SIZES = {
  valueBytes: 9 * 1024,
  keyBytes: 8_066,
  storeBytes: 512 * 1024,
} as const;

/** "Quotas for Google services", "Triggers": of one user and script. */
export const TRIGGERS_PER_USER_MAX = 20;
