// ScriptApp's host half: the installed triggers, the rules for an add-on's triggers, and their
// firing.

import { LATE_MAX_MS } from '../firings';
import { type HostLimits, reached, TRIGGERS_PER_USER_MAX } from '../limits';
import { say } from '../messages';
import type { Random } from '../random';
import type { AuthMode, Caller, HostHalf, Operations, World } from '../service';
import { ServiceException } from '../service';
import { zoneOf } from './date-format';
import type { ClockRule, EventType, ScriptCalls, TriggerFacts, TriggerRule } from './script-app';

export interface InstalledTrigger extends TriggerFacts {
  /** null: the trigger does not wait for a clock. */
  readonly rule: ClockRule | null;
  /** How long after its hour it is due. 0: on the hour. */
  readonly minuteMs: number;
  readonly userEmail: string;
  readonly documentId: string | null;
}

export interface TriggerStore {
  readonly all: () => readonly InstalledTrigger[];
  /**
   * Disables the add-on for a user. The user's triggers stay but do not fire until it is enabled
   * again. The script cannot see this.
   */
  readonly disable: (userEmail: string) => void;
  readonly enable: (userEmail: string) => void;
  /**
   * Disables one trigger as Google does without a word: it stays listed like the others and never
   * fires again. Only a new trigger does.
   */
  readonly disableTrigger: (uniqueId: string) => void;
  /** Runs all triggers that wait for an event of a spreadsheet. */
  readonly happened: (
    eventType: EventType,
    documentId: string,
    event: Readonly<Record<string, unknown>>,
  ) => void;
  /** Uninstalls the add-on for a user, which deletes the user's triggers. */
  readonly uninstall: (userEmail: string) => void;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NEAR_MS = 15 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const SCRIPT_ID = 'emulated-script';
const WEB_APP_URL = `https://script.google.com/macros/s/${SCRIPT_ID}/exec`;
const AUTHORIZATION_URL = 'https://script.google.com/d/emulated-script/authorize';

/** An add-on's clock triggers fire hourly at most, and each user has one for each document. */
function checkTrigger(
  limits: HostLimits,
  caller: Caller,
  rule: TriggerRule,
  own: readonly InstalledTrigger[],
): void {
  const { firingsApartMs, triggersPerDocument } = limits;
  const { everyMs = null, afterMs = null } = rule.on === 'CLOCK' ? rule.clock : {};
  if ((everyMs ?? afterMs ?? HOUR_MS) < firingsApartMs) {
    throw new ServiceException(say('trigger-too-often', 1), reached(limits, 'firingsApartMs'));
  }
  const here = own.filter(
    ({ documentId, eventType }) =>
      documentId === (caller.document?.id ?? null) && eventType === rule.on,
  );
  if (here.length >= triggersPerDocument) {
    throw new ServiceException(
      say('trigger-there', 'time-based'),
      reached(limits, 'triggersPerDocument'),
    );
  }
  if (own.length >= TRIGGERS_PER_USER_MAX) {
    throw new ServiceException(say('too-many-triggers'), {
      name: 'triggers of a user',
      value: TRIGGERS_PER_USER_MAX,
    });
  }
}

/**
 * How long after its hour a trigger is due, which stays the same from day to day: "Apps Script chooses
 * a time between 9 AM and 10 AM, then keeps that timing consistent" (guide of installable triggers),
 * unless the script named a minute, "plus or minus 15 minutes" (nearMinute), or a date, "near midnight
 * (+/- 15 minutes)" (atDate). A firing is late as well, within that time.
 */
function minuteOf({ atHour, nearMinute, date }: ClockRule, random: Random): number {
  const near = nearMinute ?? (date === null ? null : 0);
  if (near !== null) return near * MINUTE_MS + random.integer(-NEAR_MS, NEAR_MS - LATE_MAX_MS);
  return atHour === null ? 0 : random.integer(0, HOUR_MS - LATE_MAX_MS - MINUTE_MS);
}

/**
 * Days and hours are those of the trigger's time zone, by default the project's (reference of
 * ClockTriggerBuilder.inTimezone). A day of 23 or 25 hours moves no firing.
 */
function nextFiringMs(
  rule: ClockRule,
  minuteMs: number,
  nowMs: number,
  projectZone: string,
): number {
  const { everyMs, afterMs, atHour, weekDay, monthDay, date } = rule;
  if (everyMs === null && date === null) return nowMs + (afterMs ?? HOUR_MS);
  if (everyMs !== null && atHour === null && weekDay === null && monthDay === null)
    return nowMs + everyMs;
  const zone = zoneOf(rule.timeZone ?? projectZone);
  if (zone === null) throw new ServiceException(say('invalid-argument', String(rule.timeZone)));
  const wallMs = nowMs + zone.offsetMs(nowMs);
  const todayMs = wallMs - (wallMs % DAY_MS) + (atHour ?? 0) * HOUR_MS + minuteMs;
  const momentOf = (wall: number) => wall - zone.offsetMs(wall - zone.offsetMs(wall));
  if (date !== null)
    return Math.max(momentOf(Date.UTC(date.year, date.month - 1, date.day) + minuteMs), nowMs);
  if (everyMs === null) return nowMs;
  if (weekDay === null && monthDay === null)
    return momentOf(momentOf(todayMs) > nowMs ? todayMs : todayMs + everyMs);
  const isDay = (wall: number) => {
    const day = new Date(wall - minuteMs);
    return (
      (weekDay === null || day.getUTCDay() === weekDay) &&
      (monthDay === null || day.getUTCDate() === monthDay)
    );
  };
  let wall = todayMs;
  while (!isDay(wall) || momentOf(wall) <= nowMs)
    wall += isDay(wall) && weekDay !== null ? everyMs : DAY_MS;
  return momentOf(wall);
}

const TRIGGER_SCOPES = ['https://www.googleapis.com/auth/script.scriptapp'];
const ANYWHERE_BUT_CELLS: readonly AuthMode[] = ['NONE', 'LIMITED', 'FULL'];

/** Calls that need no scope. All others handle triggers. */
const UNSCOPED: readonly string[] = [
  'script.authorization',
  'script.requireScopes',
  'script.getOAuthToken',
  'script.getScriptId',
  'script.getService',
  'script.newStateToken',
];

type AuthorisationCalls = Pick<ScriptCalls, 'script.authorization' | 'script.requireScopes'>;

/**
 * Which scopes are granted, and the address where the user can grant the rest. Without a list, all
 * scopes of the manifest count.
 */
function authorisation({ manifest, scopesOf, unknowns }: World): Operations<AuthorisationCalls> {
  const missing = (caller: Caller, scopes: readonly string[]) =>
    scopes.filter((scope) => !scopesOf(caller).includes(scope));
  return {
    'script.authorization': (caller, scopes) => {
      const isNone = caller.authMode === 'NONE';
      const isMissing = missing(caller, scopes ?? manifest.oauthScopes).length > 0;
      const isAsked = isNone || isMissing;
      return {
        isMissing: isAsked,
        url: isAsked || !unknowns.addressOnlyIfMissing ? AUTHORIZATION_URL : null,
        granted: isNone ? [] : scopesOf(caller),
      };
    },
    'script.requireScopes': (caller, scopes) => {
      const asked = missing(caller, scopes);
      if (asked.length === 0) return;
      throw new ServiceException(say('authorisation-required', asked.join(', ')));
    },
  };
}

export function createScriptAppHost(world: World): {
  readonly half: HostHalf<ScriptCalls>;
  readonly store: TriggerStore;
} {
  const { scheduler, random, firings, startTrigger } = world;
  const triggers = new Map<string, InstalledTrigger>();
  const disabledUsers = new Set<string>();
  const disabledTriggers = new Set<string>();
  const chance = random('triggers');
  const ofUser = (caller: Caller) =>
    [...triggers.values()].filter((trigger) => trigger.userEmail === caller.userEmail);
  const facts = ({ uniqueId, functionName, eventType }: InstalledTrigger) => ({
    uniqueId,
    functionName,
    eventType,
  });

  /**
   * Counts from one due moment to the next, however late a trigger fires, so a trigger keeps its
   * minute of the hour.
   */
  const plan = (trigger: InstalledTrigger, afterMs: number): void => {
    const { uniqueId, rule, minuteMs } = trigger;
    if (rule === null) return;
    const { everyMs } = rule;
    const dueMs = nextFiringMs(rule, minuteMs, afterMs, world.manifest.timeZone);
    const at = (momentMs: number, action: () => void) =>
      scheduler.at(momentMs, () => triggers.has(uniqueId) && action(), { background: true });
    for (const momentMs of firings(dueMs, chance)) at(momentMs, () => fire(trigger));
    if (everyMs === null) return;
    at(dueMs, () => {
      // When the clock is moved forward, firings in the skipped time are not made up for.
      const lateMs = scheduler.nowMs() - dueMs;
      plan(trigger, dueMs + lateMs - (lateMs % everyMs));
    });
  };
  const fire = (trigger: InstalledTrigger, event: Readonly<Record<string, unknown>> = {}) => {
    if (trigger.rule?.everyMs === null) triggers.delete(trigger.uniqueId);
    if (disabledUsers.has(trigger.userEmail) || disabledTriggers.has(trigger.uniqueId)) return;
    startTrigger(trigger, event);
  };
  const half: HostHalf<ScriptCalls> = {
    operations: {
      'script.createTrigger': (caller, functionName, rule) => {
        checkTrigger(world.limits, caller, rule, ofUser(caller));
        const { userEmail, document } = caller;
        const uniqueId = String(chance.integer(1e15, 9e15));
        const isClock = rule.on === 'CLOCK';
        const trigger = {
          uniqueId,
          functionName,
          eventType: rule.on,
          rule: isClock ? rule.clock : null,
          minuteMs: isClock ? minuteOf(rule.clock, chance) : 0,
          userEmail,
          documentId: isClock ? (document?.id ?? null) : rule.documentId,
        };
        triggers.set(uniqueId, trigger);
        plan(trigger, scheduler.nowMs());
        return facts(trigger);
      },
      'script.projectTriggers': (caller) => ofUser(caller).map(facts),
      'script.userTriggers': (caller, documentId) =>
        ofUser(caller)
          .filter((trigger) => trigger.documentId === documentId)
          .map(facts),
      'script.deleteTrigger': (caller, uniqueId) => {
        const trigger = triggers.get(uniqueId);
        if (trigger?.userEmail === caller.userEmail) triggers.delete(uniqueId);
      },
      ...authorisation(world),
      'script.getService': () => (world.isWebApp ? WEB_APP_URL : null),
      'script.getScriptId': () => SCRIPT_ID,
      'script.getOAuthToken': ({ userEmail }) => `emulated-token-of-${userEmail}`,
      'script.newStateToken': () => `state-${chance.integer(1e15, 9e15)}`,
    },
    permission: (operation) => {
      const callName = operation.replace('script.', 'ScriptApp.');
      if (UNSCOPED.includes(operation)) return { callName, modes: ANYWHERE_BUT_CELLS };
      return { callName, modes: ['FULL'], anyScope: TRIGGER_SCOPES };
    },
    shown: (_operation, [first]) => (typeof first === 'string' ? first : ''),
  };
  const store: TriggerStore = {
    all: () => [...triggers.values()],
    disable: (userEmail) => disabledUsers.add(userEmail),
    enable: (userEmail) => disabledUsers.delete(userEmail),
    disableTrigger: (uniqueId) => disabledTriggers.add(uniqueId),
    happened: (eventType, documentId, event) => {
      for (const trigger of store.all())
        if (trigger.eventType === eventType && trigger.documentId === documentId)
          fire(trigger, event);
    },
    uninstall: (userEmail) => {
      for (const { uniqueId, ...trigger } of store.all())
        if (trigger.userEmail === userEmail) triggers.delete(uniqueId);
    },
  };
  return { half, store };
}
