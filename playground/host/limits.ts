// Limits of Apps Script that count over time or over executions; a test may set them lower.

export interface HostLimits {
  readonly executionsPerUser: number;
  readonly executionsPerScript: number;
  /** How many cells the spreadsheet calculates at once for one user; further ones wait. */
  readonly cellsAtOnce: number;
  /** Time limit of cells and of simple triggers (onOpen, onInstall). */
  readonly shortRunMs: number;
  /** Time limit of everything else. */
  readonly longRunMs: number;
  readonly urlFetchPerDay: number;
  /** Calls elsewhere within ten seconds; more are "too many times in a short time". */
  readonly urlFetchInShortTime: number;
  readonly propertyCallsPerDay: number;
  readonly mailRecipientsPerDay: number;
  readonly triggerRuntimePerDayMs: number;
  readonly lockOperationsPerSecond: number;
  /** What lies between two firings of a clock trigger at least; a script bound to a sheet may have 60,000. */
  readonly firingsApartMs: number;
  readonly triggersPerDocument: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * "Quotas for Google services", consumer accounts, except three: Google does not say how many cells
 * are calculated at once (users count 30), how many lock operations are too many (200 a second is
 * far above what 30 executions do with calls of 20 to 50 ms), nor how many calls elsewhere are too
 * many in a short time (a batch of 1,000 was seen to work). Triggers are limited as an add-on's.
 */
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
