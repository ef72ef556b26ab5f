// Session: who is at the keyboard, as far as the scopes let a script know.

import type { HostHalf, PartOf, ScriptHalf, World } from '../service';

interface SessionCalls {
  'session.getActiveUser': () => string;
  'session.getEffectiveUser': () => string;
  'session.getActiveUserLocale': () => string;
  'session.getScriptTimeZone': () => string;
}

export const sessionScript: ScriptHalf<SessionCalls> = ({ call, guard }) => {
  const user = (email: string) => {
    const self: Pick<GoogleAppsScript.Base.User, 'getEmail'> = guard('User', {
      getEmail: () => email,
    });
    return self;
  };
  return {
    Session: guard('Session', {
      getActiveUser: () => user(call('session.getActiveUser')),
      getEffectiveUser: () => user(call('session.getEffectiveUser')),
      getActiveUserLocale: () => call('session.getActiveUserLocale'),
      getScriptTimeZone: () => call('session.getScriptTimeZone'),
    } satisfies PartOf<GoogleAppsScript.Base.Session>),
  };
};

/** Without this scope in the manifest a script cannot read any user's address. */
const EMAIL_SCOPES = ['https://www.googleapis.com/auth/userinfo.email'];

export function createSessionHost({ manifest }: World): HostHalf<SessionCalls> {
  return {
    operations: {
      'session.getActiveUser': (caller) => caller.userEmail,
      'session.getEffectiveUser': (caller) => caller.userEmail,
      'session.getActiveUserLocale': (caller) => caller.locale,
      'session.getScriptTimeZone': () => manifest.timeZone,
    },
    permission: (operation) => {
      const callName = operation.replace('session.', 'Session.');
      switch (operation) {
        case 'session.getActiveUserLocale':
          return { callName, modes: ['NONE', 'LIMITED', 'CUSTOM_FUNCTION', 'FULL'] };
        case 'session.getScriptTimeZone':
          return { callName, modes: ['LIMITED', 'FULL'] };
        default:
          return { callName, modes: ['FULL'], anyScope: EMAIL_SCOPES };
      }
    },
  };
}
