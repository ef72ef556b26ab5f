// ScriptApp in the script: authorisation as it can be asked for, and clock triggers.

import type { PartOf, Realm, ScriptHalf } from '../service';

/** When a trigger is due, as its builder was told. */
export interface ClockRule {
  readonly everyMs: number | null;
  /** Milliseconds after its making, for triggers that fire once. */
  readonly afterMs: number | null;
  readonly atHour: number | null;
}

export interface TriggerFacts {
  readonly uniqueId: string;
  readonly functionName: string;
}

export interface Authorisation {
  readonly isMissing: boolean;
  readonly url: string;
  readonly granted: readonly string[];
}

export interface ScriptCalls {
  'script.createTrigger': (functionName: string, rule: ClockRule) => TriggerFacts;
  'script.projectTriggers': () => readonly TriggerFacts[];
  'script.userTriggers': (documentId: string) => readonly TriggerFacts[];
  'script.deleteTrigger': (uniqueId: string) => void;
  /** null: for all that the manifest asks for. */
  'script.authorization': (scopes: readonly string[] | null) => Authorisation;
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

function createClockBuilder(
  create: (rule: ClockRule) => TriggerObject,
  guard: Realm<ScriptCalls>['guard'],
): ClockBuilder {
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
    create: () => create(rule) as GoogleAppsScript.Script.Trigger,
  });
  return self;
}

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
  const clockBuilder = (functionName: string) =>
    createClockBuilder((rule) => trigger(call('script.createTrigger', functionName, rule)), guard);
  const authorizationInfo = (_mode: unknown, scopes?: readonly string[]) => {
    const { isMissing, url, granted } = call('script.authorization', scopes ?? null);
    const { NOT_REQUIRED, REQUIRED } = AuthorizationStatus;
    return guard('AuthorizationInfo', {
      getAuthorizationStatus: () => (isMissing ? REQUIRED : NOT_REQUIRED),
      getAuthorizationUrl: () => url,
      getAuthorizedScopes: () => granted,
    });
  };
  return {
    ScriptApp: guard('ScriptApp', {
      AuthMode,
      AuthorizationStatus,
      EventType,
      TriggerSource,
      getAuthorizationInfo: authorizationInfo,
      requireScopes: (_mode: GoogleAppsScript.Script.AuthMode, scopes: string[]) =>
        call('script.requireScopes', scopes),
      requireAllScopes: () => call('script.requireScopes', realm.facts.scopes),
      newTrigger: (functionName: string) =>
        guard('TriggerBuilder', { timeBased: () => clockBuilder(String(functionName)) }),
      getProjectTriggers: () => call('script.projectTriggers').map(trigger),
      getUserTriggers: (document: { getId: () => string }) =>
        call('script.userTriggers', document.getId()).map(trigger),
      deleteTrigger: (target: TriggerObject) => call('script.deleteTrigger', target.getUniqueId()),
      getScriptId: () => call('script.getScriptId'),
    } satisfies PartOf<GoogleAppsScript.Script.ScriptApp>),
  };
};
