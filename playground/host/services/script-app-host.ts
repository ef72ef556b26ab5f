// ScriptApp in the host: the triggers that are installed, an add-on's rules for them, their firing.

import type { AuthMode, Caller, HostHalf, Operations, World } from '../service';
import { ServiceException } from '../service';
import type { ClockRule, ScriptCalls, TriggerFacts } from './script-app';

export interface InstalledTrigger extends TriggerFacts {
  readonly rule: ClockRule;
  readonly userEmail: string;
  readonly documentId: string | null;
}

export interface TriggerStore {
  readonly all: () => readonly InstalledTrigger[];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** "Quotas for Google services". */
const TRIGGERS_PER_USER_MAX = 20;

/** The time of firing is "slightly randomised"; nobody says by how much. */
const FIRING_LATE_MAX_MS = 5 * 60_000;

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

/** Hours count in UTC, the time zone of the project. */
function nextFiringMs({ everyMs, afterMs, atHour }: ClockRule, nowMs: number): number {
  if (everyMs === null) return nowMs + (afterMs ?? HOUR_MS);
  if (atHour === null) return nowMs + everyMs;
  const todayMs = nowMs - (nowMs % DAY_MS) + atHour * HOUR_MS;
  return todayMs > nowMs ? todayMs : todayMs + everyMs;
}

const TRIGGER_SCOPES = ['https://www.googleapis.com/auth/script.scriptapp'];
const ANYWHERE_BUT_CELLS: readonly AuthMode[] = ['NONE', 'LIMITED', 'FULL'];

/** What needs no scope; all else handles triggers. */
const UNSCOPED: readonly string[] = [
  'script.authorization',
  'script.requireScopes',
  'script.getScriptId',
];

type AuthorisationCalls = Pick<ScriptCalls, 'script.authorization' | 'script.requireScopes'>;

/** What is granted, and where the rest can be; without a list, all that the manifest asks for. */
function authorisation({ manifest, scopesOf }: World): Operations<AuthorisationCalls> {
  const missing = (caller: Caller, scopes: readonly string[]) =>
    scopes.filter((scope) => !scopesOf(caller).includes(scope));
  return {
    'script.authorization': (caller, scopes) => {
      const isNone = caller.authMode === 'NONE';
      const isMissing = missing(caller, scopes ?? manifest.oauthScopes).length > 0;
      return {
        url: isNone || isMissing ? AUTHORIZATION_URL : null,
        granted: isNone ? [] : scopesOf(caller),
      };
    },
    'script.requireScopes': (caller, scopes) => {
      const asked = missing(caller, scopes);
      if (asked.length === 0) return;
      throw new ServiceException(`Authorization is required: ${asked.join(', ')}`);
    },
  };
}

export function createScriptAppHost(world: World): {
  readonly half: HostHalf<ScriptCalls>;
  readonly store: TriggerStore;
} {
  const { scheduler, random, startTrigger } = world;
  const triggers = new Map<string, InstalledTrigger & { callOff: () => void }>();
  const chance = random('triggers');
  const ofUser = (caller: Caller) =>
    [...triggers.values()].filter((trigger) => trigger.userEmail === caller.userEmail);
  const facts = ({ uniqueId, functionName }: InstalledTrigger) => ({ uniqueId, functionName });

  const planned = (trigger: InstalledTrigger): (() => void) => {
    const dueMs = nextFiringMs(trigger.rule, scheduler.nowMs());
    const fireMs = dueMs + chance.integer(0, FIRING_LATE_MAX_MS);
    return scheduler.at(fireMs, () => fire(trigger), { background: true });
  };
  const fire = (trigger: InstalledTrigger) => {
    const isOnce = trigger.rule.everyMs === null;
    if (isOnce) triggers.delete(trigger.uniqueId);
    else triggers.set(trigger.uniqueId, { ...trigger, callOff: planned(trigger) });
    startTrigger(trigger);
  };
  const half: HostHalf<ScriptCalls> = {
    operations: {
      'script.createTrigger': (caller, functionName, rule) => {
        checkTrigger(caller, rule, ofUser(caller));
        const { userEmail, document } = caller;
        const uniqueId = String(chance.integer(1e15, 9e15));
        const documentId = document?.id ?? null;
        const trigger = { uniqueId, functionName, rule, userEmail, documentId };
        triggers.set(uniqueId, { ...trigger, callOff: planned(trigger) });
        return facts(trigger);
      },
      'script.projectTriggers': (caller) => ofUser(caller).map(facts),
      'script.userTriggers': (caller, documentId) =>
        ofUser(caller)
          .filter((trigger) => trigger.documentId === documentId)
          .map(facts),
      'script.deleteTrigger': (caller, uniqueId) => {
        const trigger = triggers.get(uniqueId);
        if (trigger?.userEmail !== caller.userEmail) return;
        trigger.callOff();
        triggers.delete(uniqueId);
      },
      ...authorisation(world),
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
