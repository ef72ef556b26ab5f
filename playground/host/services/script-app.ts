// ScriptApp: authorisation as a script can ask for it, and clock triggers with an add-on's rules.

import type { AuthMode, Caller, HostHalf, ScriptHalf, World } from '../service';
import { ServiceException } from '../service';

/** When a trigger is due, as its builder was told. */
export interface ClockRule {
  readonly everyMs: number | null;
  /** Milliseconds after its making, for triggers that fire once. */
  readonly afterMs: number | null;
  readonly atHour: number | null;
}

interface TriggerFacts {
  readonly uniqueId: string;
  readonly functionName: string;
}

interface ScriptCalls {
  'script.createTrigger': (functionName: string, rule: ClockRule) => TriggerFacts;
  'script.projectTriggers': () => readonly TriggerFacts[];
  'script.userTriggers': (documentId: string) => readonly TriggerFacts[];
  'script.deleteTrigger': (uniqueId: string) => void;
  'script.authorizationUrl': () => string | null;
  'script.requireScopes': (scopes: readonly string[]) => void;
  'script.getScriptId': () => string;
}

type Script = typeof GoogleAppsScript.Script;
type TriggerObject = Pick<
  GoogleAppsScript.Script.Trigger,
  'getEventType' | 'getHandlerFunction' | 'getTriggerSource' | 'getUniqueId'
>;
type ClockBuilder = Pick<
  GoogleAppsScript.Script.ClockTriggerBuilder,
  'after' | 'atHour' | 'everyDays' | 'everyHours' | 'everyMinutes' | 'everyWeeks' | 'create'
>;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const scriptAppScript: ScriptHalf<ScriptCalls> = (realm) => {
  const { call, guard, enumeration } = realm;
  const AuthMode = enumeration<Script['AuthMode']>('AuthMode', [
    'NONE',
    'CUSTOM_FUNCTION',
    'LIMITED',
    'FULL',
  ]);
  const AuthorizationStatus = enumeration<Script['AuthorizationStatus']>('AuthorizationStatus', [
    'REQUIRED',
    'NOT_REQUIRED',
  ]);
  const EventType = enumeration<Script['EventType']>('EventType', ['CLOCK', 'ON_OPEN', 'ON_EDIT']);
  const TriggerSource = enumeration<Script['TriggerSource']>('TriggerSource', [
    'SPREADSHEETS',
    'CLOCK',
  ]);
  const trigger = ({ uniqueId, functionName }: TriggerFacts): TriggerObject =>
    guard('Trigger', {
      getUniqueId: () => uniqueId,
      getHandlerFunction: () => functionName,
      getEventType: () => EventType.CLOCK,
      getTriggerSource: () => TriggerSource.CLOCK,
    });
  const clockBuilder = (functionName: string) => {
    let rule: ClockRule = { everyMs: null, afterMs: null, atHour: null };
    const chain = (change: Partial<ClockRule>) => {
      rule = { ...rule, ...change };
      return self as GoogleAppsScript.Script.ClockTriggerBuilder;
    };
    const self: ClockBuilder = guard('ClockTriggerBuilder', {
      after: (milliseconds: number) => chain({ afterMs: milliseconds }),
      atHour: (hour: number) => chain({ atHour: hour }),
      everyMinutes: (count: number) => chain({ everyMs: count * MINUTE_MS }),
      everyHours: (count: number) => chain({ everyMs: count * HOUR_MS }),
      everyDays: (count: number) => chain({ everyMs: count * DAY_MS }),
      everyWeeks: (count: number) => chain({ everyMs: count * 7 * DAY_MS }),
      create: () =>
        trigger(
          call('script.createTrigger', functionName, rule),
        ) as GoogleAppsScript.Script.Trigger,
    });
    return self;
  };
  const authorizationInfo = () => {
    const url = call('script.authorizationUrl');
    const { NOT_REQUIRED, REQUIRED } = AuthorizationStatus;
    return guard('AuthorizationInfo', {
      getAuthorizationStatus: () => (url === null ? NOT_REQUIRED : REQUIRED),
      getAuthorizationUrl: () => url,
    });
  };
  return {
    ScriptApp: guard('ScriptApp', {
      AuthMode,
      AuthorizationStatus,
      EventType,
      TriggerSource,
      getAuthorizationInfo: authorizationInfo,
      requireScopes: (_mode: object, scopes: string[]) => call('script.requireScopes', scopes),
      requireAllScopes: () => call('script.requireScopes', realm.facts.scopes),
      newTrigger: (functionName: string) =>
        guard('TriggerBuilder', { timeBased: () => clockBuilder(String(functionName)) }),
      getProjectTriggers: () => call('script.projectTriggers').map(trigger),
      getUserTriggers: (document: { getId: () => string }) =>
        call('script.userTriggers', document.getId()).map(trigger),
      deleteTrigger: (target: TriggerObject) => call('script.deleteTrigger', target.getUniqueId()),
      getScriptId: () => call('script.getScriptId'),
    }),
  };
};

export interface InstalledTrigger extends TriggerFacts {
  readonly rule: ClockRule;
  readonly userEmail: string;
  readonly documentId: string | null;
  readonly createdMs: number;
}

export interface TriggerStore {
  readonly all: () => readonly InstalledTrigger[];
}

/** "Quotas for Google services". */
const TRIGGERS_PER_USER_MAX = 20;

const SCRIPT_ID = 'emulated-script';
const AUTHORIZATION_URL = 'https://script.google.com/d/emulated-script/authorize';

/** An add-on's clock triggers: hourly at best, one for each user and document. */
function checkTrigger(caller: Caller, rule: ClockRule, own: readonly InstalledTrigger[]): void {
  if ((rule.everyMs ?? rule.afterMs ?? HOUR_MS) < HOUR_MS) {
    throw new ServiceException('Clock events must be scheduled at least 1 hour(s) apart.');
  }
  if (own.some((trigger) => trigger.documentId === (caller.document?.id ?? null))) {
    throw new ServiceException(
      'This add-on has created too many time-based triggers in this document for this ' +
        'Google user account.',
    );
  }
  if (own.length >= TRIGGERS_PER_USER_MAX) {
    throw new ServiceException(
      'This script has too many triggers. Triggers must be deleted from the script before ' +
        'more can be added.',
    );
  }
}

const TRIGGER_SCOPES = ['https://www.googleapis.com/auth/script.scriptapp'];
const ANYWHERE_BUT_CELLS: readonly AuthMode[] = ['NONE', 'LIMITED', 'FULL'];

/** What needs no scope; all else handles triggers. */
const UNSCOPED: readonly string[] = [
  'script.authorizationUrl',
  'script.requireScopes',
  'script.getScriptId',
];

export function createScriptAppHost({ scheduler, manifest, random }: World): {
  readonly half: HostHalf<ScriptCalls>;
  readonly store: TriggerStore;
} {
  const triggers = new Map<string, InstalledTrigger>();
  const ids = random('triggers');
  const ofUser = (caller: Caller) =>
    [...triggers.values()].filter((trigger) => trigger.userEmail === caller.userEmail);
  const facts = ({ uniqueId, functionName }: InstalledTrigger): TriggerFacts => ({
    uniqueId,
    functionName,
  });
  const half: HostHalf<ScriptCalls> = {
    operations: {
      'script.createTrigger': (caller, functionName, rule) => {
        checkTrigger(caller, rule, ofUser(caller));
        const trigger: InstalledTrigger = {
          uniqueId: String(ids.integer(1e15, 9e15)),
          functionName,
          rule,
          userEmail: caller.userEmail,
          documentId: caller.document?.id ?? null,
          createdMs: scheduler.nowMs(),
        };
        triggers.set(trigger.uniqueId, trigger);
        return facts(trigger);
      },
      'script.projectTriggers': (caller) => ofUser(caller).map(facts),
      'script.userTriggers': (caller, documentId) =>
        ofUser(caller)
          .filter((trigger) => trigger.documentId === documentId)
          .map(facts),
      'script.deleteTrigger': (caller, uniqueId) => {
        if (triggers.get(uniqueId)?.userEmail === caller.userEmail) triggers.delete(uniqueId);
      },
      'script.authorizationUrl': ({ authMode }) => (authMode === 'NONE' ? AUTHORIZATION_URL : null),
      'script.requireScopes': (_caller, scopes) => {
        const missing = scopes.filter((scope) => !manifest.oauthScopes.includes(scope));
        if (missing.length === 0) return;
        throw new ServiceException(`Authorization is required: ${missing.join(', ')}`);
      },
      'script.getScriptId': () => SCRIPT_ID,
    },
    permission: (operation) => {
      const callName = operation.replace('script.', 'ScriptApp.');
      if (UNSCOPED.includes(operation)) return { callName, modes: ANYWHERE_BUT_CELLS };
      return { callName, modes: ['FULL'], anyScope: TRIGGER_SCOPES };
    },
    shown: (_operation, [first]) => (typeof first === 'string' ? first : ''),
  };
  return { half, store: { all: () => [...triggers.values()] } };
}
