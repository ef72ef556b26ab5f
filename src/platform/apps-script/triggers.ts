// Clock triggers of Apps Script.

import type { Triggers } from '../sheet-ports';

export function appsScriptTriggers(): Triggers {
  return {
    ensureHourly(handler) {
      try {
        const isOurs = (trigger: GoogleAppsScript.Script.Trigger) =>
          trigger.getHandlerFunction() === handler;
        if (ScriptApp.getProjectTriggers().some(isOurs)) return true;
        ScriptApp.newTrigger(handler).timeBased().everyHours(1).create();
        return true;
      } catch {
        // Test deployments, organisations and people may not allow it; a run goes on without.
        return false;
      }
    },
  };
}
