// Passing faults: now and then a service of Google's fails for no reason, before a call took effect or after it.

import { inWords, type Locale, type Message, say } from './messages';
import type { Random } from './random';

type Said = Message | string;

/** Before: nothing was done. After: it was done, and the script does not hear of it. */
export type FaultMoment = 'before' | 'after';

/** A fault at a call that is known beforehand. */
export interface PlannedFault {
  /** The n-th service call of the execution, the first being 1. */
  readonly atCall: number;
  readonly when: FaultMoment;
  /** So many calls of this operation fail in a row, the others between them do not. Left out: 1. */
  readonly times?: number;
}

/** Faults as they come, drawn from the host's seed. */
export interface FaultLaw {
  /** The share of all service calls that fail. */
  readonly rate: number;
  /** Only these fail, by the beginnings of operations' names, such as "lock". Left out: all. */
  readonly services?: readonly string[];
  /** Of those, the share after which the next call of the same operation fails as well. Left out: none. */
  readonly againShare?: number;
}

export interface PassingFault {
  readonly when: FaultMoment;
  /** What the script sees, in the language of the person's account. */
  readonly said: Said;
}

/** The fault that befalls a call of an execution, the first being 1. */
export type FaultAt = (operation: string, number: number) => PassingFault | null;

/** What an execution meets if nothing is planned or drawn. */
const NO_FAULTS: FaultAt = () => null;

/**
 * Google's words, as users report them: for any service "We're sorry, a server error occurred" and
 * "Service error" (quoted by retrying libraries such as RomainVialard/ErrorHandler), of stores
 * PERMISSION_DENIED though nothing is forbidden (enuchi/React-Google-Apps-Script issue 46,
 * Automattic/google-docs-add-on issue 125) and "Data storage error" (googleworkspace/apps-script-oauth2
 * issue 59), of spreadsheets "timed out" and "failed while accessing" with the document's id.
 */
const STORAGE: readonly Said[] = [say('storage-denied'), 'Data storage error'];

const DOCUMENT_ID = '1aBcD-passing-fault-eFgH';

const SPREADSHEETS: readonly Said[] = [
  say('service-error', 'Spreadsheets'),
  `Service Spreadsheets timed out while accessing document with id ${DOCUMENT_ID}.`,
  `Service Spreadsheets failed while accessing document with id ${DOCUMENT_ID}.`,
];

/** By the beginning of an operation's name. */
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

/** Everything that a failed call of an operation may say. */
export const faultTexts = (operation: string, locale: Locale = 'en'): readonly string[] =>
  saidOf(operation).map((said) => inWords(said, locale));

/** Faults of one execution of so many calls, as chance has them: for who knows which executions are to meet some. */
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

/** @param random a stream of the execution's own: which text a fault has, and when one is drawn. */
export function faultsOf(
  planned: readonly PlannedFault[],
  law: FaultLaw | null,
  random: Random,
): FaultAt {
  if (planned.length === 0 && law === null) return NO_FAULTS;
  const first = random.integer(0, 999);
  /** Operations that are to fail again, so often. */
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
