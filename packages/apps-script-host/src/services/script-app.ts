// ScriptApp's script half: authorisation, as far as a script can ask for it, and triggers.

import { say } from '../messages';
import type { PartOf, Realm, ScriptHalf } from '../service';

/** When a trigger is due, as its builder was told. */
export interface ClockRule {
  readonly everyMs: number | null;
  /** Milliseconds after its creation, for triggers that fire once. */
  readonly afterMs: number | null;
  readonly atHour: number | null;
  /** The minute near which it is to fire. null: any, which is chosen once. */
  readonly nearMinute: number | null;
  /** The day near whose midnight it fires once. */
  readonly date: { readonly year: number; readonly month: number; readonly day: number } | null;
  /** 0 is Sunday. null: any day. */
  readonly weekDay: number | null;
  readonly monthDay: number | null;
  /** null: that of the project. */
  readonly timeZone: string | null;
}

export const EVENT_TYPES = ['CLOCK', 'ON_OPEN', 'ON_EDIT', 'ON_CHANGE', 'ON_FORM_SUBMIT'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** What a trigger waits for: the clock or an event in a spreadsheet. */
export type TriggerRule =
  | { readonly on: 'CLOCK'; readonly clock: ClockRule }
  | { readonly on: Exclude<EventType, 'CLOCK'>; readonly documentId: string };

export interface TriggerFacts {
  readonly uniqueId: string;
  readonly functionName: string;
  readonly eventType: EventType;
}

export interface Authorisation {
  readonly isMissing: boolean;
  readonly url: string | null;
  readonly granted: readonly string[];
}

export interface ScriptCalls {
  'script.createTrigger': (functionName: string, rule: TriggerRule) => TriggerFacts;
  /** The text that identifies a page when a visitor comes back to it through Google. */
  'script.newStateToken': () => string;
  'script.projectTriggers': () => readonly TriggerFacts[];
  'script.userTriggers': (documentId: string) => readonly TriggerFacts[];
  'script.deleteTrigger': (uniqueId: string) => void;
  /** null: all scopes that the manifest asks for. */
  'script.authorization': (scopes: readonly string[] | null) => Authorisation;
  'script.requireScopes': (scopes: readonly string[]) => void;
  /** The web app's address. null: it is not deployed. */
  'script.getService': () => string | null;
  'script.getScriptId': () => string;
  'script.getOAuthToken': () => string;
}

type Script = typeof GoogleAppsScript.Script;
type TriggerObject = Pick<
  GoogleAppsScript.Script.Trigger,
  'getEventType' | 'getHandlerFunction' | 'getTriggerSource' | 'getUniqueId'
>;
type ClockBuilder = Pick<
  GoogleAppsScript.Script.ClockTriggerBuilder,
  | 'after'
  | 'at'
  | 'inTimezone'
  | 'nearMinute'
  | 'onMonthDay'
  | 'atDate'
  | 'atHour'
  | 'everyDays'
  | 'everyHours'
  | 'everyMinutes'
  | 'everyWeeks'
  | 'onWeekDay'
  | 'create'
>;

/** Reference of ClockTriggerBuilder.everyMinutes. */
const MINUTES: readonly number[] = [1, 5, 10, 15, 30];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

function createClockBuilder(
  create: (rule: ClockRule) => TriggerObject,
  { guard, exception, nowMs }: Pick<Realm<ScriptCalls>, 'guard' | 'exception' | 'nowMs'>,
): ClockBuilder {
  let rule: ClockRule = {
    ...{ everyMs: null, afterMs: null, atHour: null, weekDay: null, monthDay: null },
    ...{ nearMinute: null, date: null, timeZone: null },
  };
  const chain = (change: Partial<ClockRule>) => {
    rule = { ...rule, ...change };
    return self as GoogleAppsScript.Script.ClockTriggerBuilder;
  };
  const self: ClockBuilder = guard('ClockTriggerBuilder', {
    after: (milliseconds: number) => chain({ afterMs: milliseconds }),
    atHour: (hour: number) => chain({ atHour: hour }),
    at: (moment: GoogleAppsScript.Base.Date) =>
      chain({ afterMs: Math.max(0, moment.getTime() - nowMs()) }),
    everyMinutes: (count: number) => {
      if (!MINUTES.includes(count)) throw exception(say('every-minutes'));
      return chain({ everyMs: count * MINUTE_MS });
    },
    inTimezone: (timeZone: string) => chain({ timeZone: String(timeZone) }),
    nearMinute: (minute: number) => chain({ nearMinute: Number(minute) }),
    atDate: (year: number, month: number, day: number) => chain({ date: { year, month, day } }),
    onMonthDay: (day: number) => chain({ everyMs: rule.everyMs ?? DAY_MS, monthDay: day }),
    everyHours: (count: number) => chain({ everyMs: count * HOUR_MS }),
    everyDays: (count: number) => chain({ everyMs: count * DAY_MS }),
    everyWeeks: (count: number) => chain({ everyMs: count * 7 * DAY_MS }),
    onWeekDay: (day: GoogleAppsScript.Base.Weekday) =>
      chain({ everyMs: rule.everyMs ?? 7 * DAY_MS, weekDay: WEEK_DAYS.indexOf(String(day)) }),
    create: () => create(rule) as GoogleAppsScript.Script.Trigger,
  });
  return self;
}

const WEEK_DAYS: readonly string[] = [
  ...['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'],
];

/** One object, whose event may be chosen before it is created. */
function createSheetBuilder(
  create: (on: Exclude<EventType, 'CLOCK'>) => TriggerObject,
  guard: Realm<ScriptCalls>['guard'],
) {
  let chosen: Exclude<EventType, 'CLOCK'> | null = null;
  const event = (on: Exclude<EventType, 'CLOCK'>) => () => {
    chosen = on;
    return self as GoogleAppsScript.Script.SpreadsheetTriggerBuilder;
  };
  const self = guard('SpreadsheetTriggerBuilder', {
    onOpen: event('ON_OPEN'),
    onEdit: event('ON_EDIT'),
    onChange: event('ON_CHANGE'),
    onFormSubmit: event('ON_FORM_SUBMIT'),
    create: () => {
      if (chosen === null) throw new Error('A trigger without an event is not emulated');
      return create(chosen) as GoogleAppsScript.Script.Trigger;
    },
  } satisfies PartOf<GoogleAppsScript.Script.SpreadsheetTriggerBuilder>);
  return self;
}

/**
 * The token's text comes from the host. Its settings have no effect, because Google never calls
 * this script back.
 */
function createStateTokenBuilder({ call, guard }: Realm<ScriptCalls>): object {
  const self: object = guard('StateTokenBuilder', {
    withMethod: (_method: string) => self,
    withArgument: (_name: string, _value: string) => self,
    withTimeout: (_seconds: number) => self,
    createToken: () => call('script.newStateToken'),
  } satisfies PartOf<GoogleAppsScript.Script.StateTokenBuilder>);
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
  const EventType = enumeration<Script['EventType']>('EventType', EVENT_TYPES);
  const WeekDay = enumeration<typeof GoogleAppsScript.Base.Weekday>(
    'WeekDay',
    WEEK_DAYS as (keyof typeof GoogleAppsScript.Base.Weekday & string)[],
  );
  const TriggerSource = enumeration<Script['TriggerSource']>('TriggerSource', [
    'SPREADSHEETS',
    'CLOCK',
  ]);
  const trigger = ({ uniqueId, functionName, eventType }: TriggerFacts): TriggerObject =>
    guard('Trigger', {
      getUniqueId: () => uniqueId,
      getHandlerFunction: () => functionName,
      getEventType: () => EventType[eventType],
      getTriggerSource: () => TriggerSource[eventType === 'CLOCK' ? 'CLOCK' : 'SPREADSHEETS'],
    });
  const create = (functionName: string, rule: TriggerRule) =>
    trigger(call('script.createTrigger', functionName, rule));
  const triggerBuilder = (functionName: string) =>
    guard('TriggerBuilder', {
      timeBased: () =>
        createClockBuilder((clock) => create(functionName, { on: 'CLOCK', clock }), realm),
      forSpreadsheet: (target: string | { getId: () => string }) => {
        const documentId = typeof target === 'string' ? target : target.getId();
        return createSheetBuilder((on) => create(functionName, { on, documentId }), guard);
      },
    } satisfies PartOf<GoogleAppsScript.Script.TriggerBuilder>);
  const authorizationInfo = (_mode: unknown, scopes?: readonly string[]) => {
    const { isMissing, url, granted } = call('script.authorization', scopes ?? null);
    const { NOT_REQUIRED, REQUIRED } = AuthorizationStatus;
    return guard('AuthorizationInfo', {
      getAuthorizationStatus: () => (isMissing ? REQUIRED : NOT_REQUIRED),
      getAuthorizationUrl: () => url as string,
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
      WeekDay,
      newTrigger: (functionName: string) => triggerBuilder(String(functionName)),
      newStateToken: () => createStateTokenBuilder(realm),
      getProjectTriggers: () => call('script.projectTriggers').map(trigger),
      getUserTriggers: (document: { getId: () => string }) =>
        call('script.userTriggers', document.getId()).map(trigger),
      deleteTrigger: (target: TriggerObject) => call('script.deleteTrigger', target.getUniqueId()),
      getService: () => {
        const url = call('script.getService');
        return guard('Service', {
          getUrl: () => url as string,
          isEnabled: () => url !== null,
        } satisfies PartOf<GoogleAppsScript.Script.Service>);
      },
      getScriptId: () => call('script.getScriptId'),
      getOAuthToken: () => call('script.getOAuthToken'),
    } satisfies PartOf<GoogleAppsScript.Script.ScriptApp>),
  };
};
