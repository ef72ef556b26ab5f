// Simulates transient faults: a Google service sometimes fails for no reason, either before a call
// takes effect or after.

import { inWords, type Locale, type Message, say } from './messages';
import type { Random } from './random';

type Said = Message | string;

/** "before": nothing was done. "after": the work was done, but the script gets an error. */
export type FaultMoment = 'before' | 'after';

/** A fault planned for a known call. */
export interface PlannedFault {
  /** The place of the service call in the execution, counted from 1. */
  readonly atCall: number;
  readonly when: FaultMoment;
  /**
   * How many calls of this operation fail in a row, while calls of others succeed in between.
   * Defaults to 1.
   */
  readonly times?: number;
}

/** Random faults, drawn from the host's seed. */
export interface FaultLaw {
  /** The share of all service calls that fail, from 0 to 1. */
  readonly rate: number;
  /**
   * Limits faults to operations whose names begin like this, such as "lock". Defaults to all
   * operations.
   */
  readonly services?: readonly string[];
  /**
   * The share of faults, from 0 to 1, after which the next call of the same operation fails as
   * well. Defaults to none.
   */
  readonly againShare?: number;
}

export interface PassingFault {
  readonly when: FaultMoment;
  /** What the script sees, in the language of the user's account. */
  readonly said: Said;
}

/** The fault of an execution's call, whose number counts from 1. */
export type FaultAt = (operation: string, number: number) => PassingFault | null;

/** The law of an execution without planned or random faults. */
const NO_FAULTS: FaultAt = () => null;

/**
 * Google's words as users report them. Any service: "We're sorry, a server error occurred" and
 * "Service error" (quoted by retrying libraries such as RomainVialard/ErrorHandler). Stores:
 * PERMISSION_DENIED although nothing is forbidden (enuchi/React-Google-Apps-Script issue 46,
 * Automattic/google-docs-add-on issue 125) and "Data storage error"
 * (googleworkspace/apps-script-oauth2 issue 59). Spreadsheets: "timed out" and "failed while
 * accessing" with the document's id.
 */
const STORAGE: readonly Said[] = [say('storage-denied'), 'Data storage error'];

const DOCUMENT_ID = '1aBcD-passing-fault-eFgH';

const SPREADSHEETS: readonly Said[] = [
  say('service-error', 'Spreadsheets'),
  `Service Spreadsheets timed out while accessing document with id ${DOCUMENT_ID}.`,
  `Service Spreadsheets failed while accessing document with id ${DOCUMENT_ID}.`,
];

/** Keyed by the beginning of an operation's name. */
const OF_SERVICE: Readonly<Record<string, readonly Said[]>> = {
  cache: STORAGE,
  properties: STORAGE,
  spreadsheet: SPREADSHEETS,
  urlFetch: [say('service-error', 'URLFetch')],
  lock: [say('service-error', 'Lock')],
  script: [say('service-error', 'Script')],
  mail: [say('service-error', 'Mail')],
};

const saidOf = (operation: string): readonly Said[] => [
  ...(OF_SERVICE[operation.replace(/\..*/, '')] ?? []),
  say('server-error'),
];

/** Every text that a failed call of an operation may show. */
export const faultTexts = (operation: string, locale: Locale = 'en'): readonly string[] =>
  saidOf(operation).map((said) => inWords(said, locale));

/**
 * Draws the faults of one execution with this many calls, for tests that choose which executions
 * meet any.
 */
export function plannedFaults(
  random: Random,
  { rate, againShare = 0 }: FaultLaw,
  calls: number,
): readonly PlannedFault[] {
  return Array.from({ length: calls }, (_, at) => at + 1)
    .filter(() => random.chance(rate))
    .map((atCall) => ({
      atCall,
      when: random.chance(0.5) ? 'before' : 'after',
      times: random.chance(againShare) ? 2 : 1,
    }));
}

/**
 * @param random the execution's own stream, which decides when a fault occurs and which text it has
 */
export function faultsOf(
  planned: readonly PlannedFault[],
  law: FaultLaw | null,
  random: Random,
): FaultAt {
  if (planned.length === 0 && law === null) return NO_FAULTS;
  const first = random.integer(0, 999);
  /** Operations whose next calls are to fail again, with the number of failures left. */
  const again = new Map<string, { readonly when: FaultMoment; readonly times: number }>();
  const drawn = (
    operation: string,
  ): { readonly when: FaultMoment; readonly times: number } | null => {
    if (law?.services?.some((service) => operation.startsWith(service)) === false) return null;
    if (law === null || random.next() >= law.rate) return null;
    const times = random.next() < (law.againShare ?? 0) ? 2 : 1;
    return { when: random.next() < 0.5 ? 'before' : 'after', times };
  };
  return (operation, number) => {
    const plan = planned.find(({ atCall }) => atCall === number);
    const found = plan ? { when: plan.when, times: plan.times ?? 1 } : null;
    const fault = again.get(operation) ?? found ?? drawn(operation);
    if (fault === null) return null;
    if (fault.times > 1) again.set(operation, { ...fault, times: fault.times - 1 });
    else again.delete(operation);
    const texts = saidOf(operation);
    return { when: fault.when, said: texts[(first + number) % texts.length] ?? '' };
  };
}
