// Session: who is at the keyboard, as far as the scopes let a script know.

import { createHash } from 'node:crypto';
import type { HostHalf, PartOf, ScriptHalf, World } from '../service';

interface SessionCalls {
  'session.getActiveUser': () => string;
  'session.getEffectiveUser': () => string;
  'session.getActiveUserLocale': () => string;
  'session.getTemporaryActiveUserKey': () => string;
  'session.getScriptTimeZone': () => string;
}

export const sessionScript: ScriptHalf<SessionCalls> = ({ call, guard }) => {
  const user = (email: string) => {
    const self: Pick<GoogleAppsScript.Base.User, 'getEmail' | 'getUserLoginId'> = guard('User', {
      getEmail: () => email,
      getUserLoginId: () => email,
      toString: () => email,
    });
    return self;
  };
  return {
    Session: guard('Session', {
      getActiveUser: () => user(call('session.getActiveUser')),
      getUser: () => user(call('session.getActiveUser')),
      getTemporaryActiveUserKey: () => call('session.getTemporaryActiveUserKey'),
      getTimeZone: () => call('session.getScriptTimeZone'),
      getEffectiveUser: () => user(call('session.getEffectiveUser')),
      getActiveUserLocale: () => call('session.getActiveUserLocale'),
      getScriptTimeZone: () => call('session.getScriptTimeZone'),
    } satisfies PartOf<GoogleAppsScript.Base.Session>),
  };
};

/** Without this scope in the manifest a script cannot read any user's address. */
const EMAIL_SCOPES = ['https://www.googleapis.com/auth/userinfo.email'];

const KEY_TURNS_MS = 30 * 86_400_000;

export function createSessionHost({ manifest, scheduler }: World): HostHalf<SessionCalls> {
  return {
    operations: {
      'session.getActiveUser': (caller) => caller.userEmail,
      'session.getEffectiveUser': (caller) => caller.userEmail,
      'session.getActiveUserLocale': (caller) => caller.locale,
      // "Rotates every 30 days and is unique to the script."
      'session.getTemporaryActiveUserKey': ({ userEmail }) =>
        createHash('sha256')
          .update(`${userEmail} ${Math.floor(scheduler.nowMs() / KEY_TURNS_MS)}`)
          .digest('base64'),
      'session.getScriptTimeZone': () => manifest.timeZone,
    },
    permission: (operation) => {
      const callName = operation.replace('session.', 'Session.');
      switch (operation) {
        case 'session.getTemporaryActiveUserKey':
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
