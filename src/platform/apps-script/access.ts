// What the person at the keyboard has allowed the add-on, scope by scope.

import type { Access } from '../ports';

/** Asking for single scopes is newer than the published types. */
interface Asking {
  getAuthorizationInfo(
    mode: GoogleAppsScript.Script.AuthMode,
    scopes?: readonly string[],
  ): GoogleAppsScript.Script.AuthorizationInfo;
}

export function appsScriptAccess(): Access {
  const info = (scopes?: readonly string[]) => {
    const app: Asking = ScriptApp;
    return app.getAuthorizationInfo(ScriptApp.AuthMode.FULL, scopes);
  };
  return {
    isGranted: (scope) =>
      info([scope]).getAuthorizationStatus() === ScriptApp.AuthorizationStatus.NOT_REQUIRED,
    grantUrl() {
      try {
        return info().getAuthorizationUrl() || null;
      } catch {
        // Whoever asks has a failure to tell of already.
        return null;
      }
    },
  };
}
