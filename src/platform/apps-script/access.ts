// What the person at the keyboard has allowed the add-on, scope by scope.

import type { Access } from '../ports';
import { isUnauthorised, serviceCall, serviceCallOr } from './service-call';

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
      serviceCall(
        () => info([scope]).getAuthorizationStatus() === ScriptApp.AuthorizationStatus.NOT_REQUIRED,
      ),
    // There may be an address though nothing is missing, so the status is asked first.
    grantUrl: () =>
      isUnauthorised() ? serviceCallOr(null, () => info().getAuthorizationUrl() || null) : null,
  };
}
