// The port of clock triggers on ScriptApp.

import { Refused, type TriggerOutcome, type Triggers } from '../ports';
import { refusalIn, serviceCall } from './service-call';
import { book } from './spreadsheet';

/** The message that this document already has a trigger; Google translates the rest of it. */
const THERE = /time-based/;

/** From Google's page "Quotas for Google services", for each user and script. */
const TRIGGERS_MAX = 20;

/** The intervals, in minutes, that Google offers to a script that belongs to a spreadsheet. */
const MINUTES_OF_GOOGLE = [1, 5, 10, 15, 30];

export function appsScriptTriggers(): Triggers {
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
   * An add-on sees the triggers of this spreadsheet; a bound script's triggers are only in the
   * project's list.
   */
  function find(handler: string, known: string | null): readonly string[] {
    const found = inThisSpreadsheet().filter(calling(handler)).map(idOf);
    if (found.length > 0 || known === null) return found;
    return ofThisScript(handler).filter((id) => id === known);
  }

  /** Deletes the clocks in this spreadsheet that call another function; returns whether any did. */
  function removeOlder(handler: string): boolean {
    const older = inThisSpreadsheet().filter(
      (trigger) =>
        trigger.getEventType() === ScriptApp.EventType.CLOCK && !calling(handler)(trigger),
    );
    for (const trigger of older) ScriptApp.deleteTrigger(trigger);
    return older.length > 0;
  }

  function make(handler: string, everyMinutes: number): TriggerOutcome {
    const outcome = makeBeside(handler, everyMinutes);
    if (outcome.kind !== 'there' || !serviceCall(() => removeOlder(handler))) return outcome;
    return makeBeside(handler, everyMinutes);
  }

  function makeBeside(handler: string, everyMinutes: number): TriggerOutcome {
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
          const id = ours().find((one) => !before.includes(one));
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

  return {
    // A person who may not have triggers has none.
    find: (handler, known) =>
      serviceCall(
        () => find(handler, known),
        (words) => (refusalIn(words) === undefined ? undefined : []),
      ),
    make,
    remove: (id) =>
      serviceCall(() => {
        const found = ScriptApp.getProjectTriggers().find((one) => one.getUniqueId() === id);
        if (found !== undefined) ScriptApp.deleteTrigger(found);
      }),
  };
}
