// Clock triggers of Apps Script.

import type { TriggerOutcome, Triggers } from '../sheet-ports';

/** How Google says why there is no trigger; users report these words. */
const TOO_OFTEN = /at least 1 hour/i;
const THERE = /too many time-based triggers in this document/i;
const TOO_MANY = /too many triggers/i;

/** How often the clock may strike for a script that belongs to a spreadsheet, in minutes. */
const MINUTES_OF_GOOGLE = [1, 5, 10, 15, 30];

export function appsScriptTriggers(): Triggers {
  const calling = (handler: string) => (trigger: GoogleAppsScript.Script.Trigger) =>
    trigger.getHandlerFunction() === handler;

  /** An add-on sees those of this spreadsheet; those of a bound script are only in the other list. */
  function find(handler: string, known: string | null): string | null {
    const book = SpreadsheetApp.getActiveSpreadsheet();
    const here = book === null ? [] : ScriptApp.getUserTriggers(book);
    const isOurs = calling(handler);
    const found = here.find(isOurs)?.getUniqueId();
    if (found !== undefined || known === null) return found ?? null;
    const all = ScriptApp.getProjectTriggers().filter(isOurs);
    return all.some((trigger) => trigger.getUniqueId() === known) ? known : null;
  }

  function make(handler: string, everyMinutes: number): TriggerOutcome {
    try {
      const clock = ScriptApp.newTrigger(handler).timeBased();
      const isShort = MINUTES_OF_GOOGLE.includes(everyMinutes);
      const made = isShort ? clock.everyMinutes(everyMinutes) : clock.everyHours(1);
      const id = made.create().getUniqueId();
      const others = ScriptApp.getProjectTriggers().filter(calling(handler)).length > 1;
      return { kind: 'made', id, others };
    } catch (error) {
      const text = String(error);
      if (TOO_OFTEN.test(text)) return { kind: 'too-often' };
      if (THERE.test(text)) return { kind: 'there' };
      // Test deployments, organisations and people may not allow it at all.
      return { kind: TOO_MANY.test(text) ? 'too-many' : 'refused' };
    }
  }

  return {
    find(handler, known) {
      try {
        return find(handler, known);
      } catch {
        return null;
      }
    },
    make,
    remove(id) {
      const found = ScriptApp.getProjectTriggers().find((one) => one.getUniqueId() === id);
      if (found !== undefined) ScriptApp.deleteTrigger(found);
    },
  };
}
