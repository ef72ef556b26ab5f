// Clock triggers: an add-on may have one for each user and spreadsheet.

import { book } from './book';
import { Refused, refusalIn, serviceCall } from './service-call';

/** The result of creating a trigger: its id, or why there is none. */
export type TriggerOutcome =
  | {
      readonly kind: 'made';
      readonly id: string;
      /** The ids of this person's other triggers of the script that call the same function. */
      readonly others: readonly string[];
    }
  /** This person has a trigger for this spreadsheet that Google does not show to this script. */
  | { readonly kind: 'there' }
  /** The person has as many triggers as Google allows. */
  | { readonly kind: 'too-many' }
  /**
   * Google does not allow this interval for an add-on, or no clock trigger here at all. `words` is
   * Google's message.
   */
  | { readonly kind: 'refused'; readonly words: string };

/** The message that this document already has a trigger; Google translates the rest of it. */
const THERE = /time-based/;

/** From Google's page "Quotas for Google services", for each user and script. */
const TRIGGERS_MAX = 20;

/** The intervals, in minutes, that Google offers to a script that belongs to a spreadsheet. */
const MINUTES_OF_GOOGLE = [1, 5, 10, 15, 30];

const calling = (handler: string) => (trigger: GoogleAppsScript.Script.Trigger) =>
  trigger.getHandlerFunction() === handler;

const idOf = (trigger: GoogleAppsScript.Script.Trigger): string => trigger.getUniqueId();

function inThisSpreadsheet(): readonly GoogleAppsScript.Script.Trigger[] {
  const spreadsheet = book();
  return spreadsheet === null ? [] : ScriptApp.getUserTriggers(spreadsheet);
}

const ofThisScript = (handler: string): readonly string[] =>
  ScriptApp.getProjectTriggers().filter(calling(handler)).map(idOf);

/**
 * The ids of the triggers that call `handler` for this person in this spreadsheet; `notedId` is an
 * id that was stored. Google also lists those that it has disabled.
 */
export const findTriggers = (handler: string, notedId: string | null): readonly string[] =>
  serviceCall(
    () => findNow(handler, notedId),
    // A person who may not have triggers has none.
    (words) => (refusalIn(words) === undefined ? undefined : []),
  );

/**
 * An add-on sees the triggers of this spreadsheet; a bound script's triggers are only in the
 * project's list.
 */
function findNow(handler: string, notedId: string | null): readonly string[] {
  const found = inThisSpreadsheet().filter(calling(handler)).map(idOf);
  if (found.length > 0 || notedId === null) return found;
  return ofThisScript(handler).filter((id) => id === notedId);
}

/** Makes a trigger every so many minutes, or every hour where that is no interval of Google's. */
export function makeTrigger(handler: string, everyMinutes: number): TriggerOutcome {
  const isShort = MINUTES_OF_GOOGLE.includes(everyMinutes);
  const ours = () => ofThisScript(handler);
  try {
    // For a short interval the existing triggers are not read first: add-ons may not use one, and
    // most scripts here are add-ons.
    const before = isShort ? [] : serviceCall(ours);
    const made = serviceCall<string | TriggerOutcome>(
      () => {
        const builder = ScriptApp.newTrigger(handler).timeBased();
        const clock = isShort ? builder.everyMinutes(everyMinutes) : builder.everyHours(1);
        return clock.create().getUniqueId();
      },
      (words) => {
        if (isShort) return { kind: 'refused', words: '' };
        const id = ours().find((triggerId) => !before.includes(triggerId));
        if (id !== undefined) return id;
        if (THERE.test(words)) return { kind: 'there' };
        const isMost = ScriptApp.getProjectTriggers().length >= TRIGGERS_MAX;
        return isMost ? { kind: 'too-many' } : undefined;
      },
    );
    if (typeof made !== 'string') return made;
    const others = isShort ? serviceCall(ours).filter((id) => id !== made) : before;
    return { kind: 'made', id: made, others };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    // Google may refuse clock triggers to test deployments, organisations and people.
    const { refusal } = error;
    return { kind: 'refused', words: refusal.kind === 'google-busy' ? refusal.words : '' };
  }
}

export const removeTrigger = (id: string): void =>
  serviceCall(() => {
    const found = ScriptApp.getProjectTriggers().find((trigger) => trigger.getUniqueId() === id);
    if (found !== undefined) ScriptApp.deleteTrigger(found);
  });

/** The names of the functions that this person's triggers call in this spreadsheet. */
export const triggerHandlers = (): readonly string[] =>
  serviceCall(() => inThisSpreadsheet().map((trigger) => trigger.getHandlerFunction()));
