// Derives who makes an execution and what the script is told from how the execution was started.

import { MODE_OF_DOOR } from './authorisation';
import { asSent, illegalArgument, isHiddenFromPage } from './google-script-run';
import type { Execution } from './host-contract';
import { type HostLimits, type LimitReached, reached } from './limits';
import { seedFrom } from './random';
import type { Launch } from './realm/launch';
import type { Caller, Door, FiredTrigger, ScriptEventMembers, World } from './service';

/** The user at the keyboard when no user is named and there is no document. */
const SOMEBODY = 'owner@example.com';

/** Why google.script.run fails before anything runs. null: the call is legal. */
export function illegalCall({ functionName, args }: Execution): string | null {
  if (!isHiddenFromPage(functionName)) return illegalArgument(args);
  return `google.script.run.${functionName} is not a function`;
}

export function callerOf(execution: Execution, executionId: number, world: World): Caller {
  const { documents, localeOf, unknowns } = world;
  const first = documents.values().next().value ?? null;
  const { documentId, door } = execution;
  const document = documentId === undefined ? first : (documents.get(documentId ?? '') ?? null);
  const userEmail = execution.userEmail ?? document?.ownerEmail ?? SOMEBODY;
  return {
    executionId,
    door,
    authMode: execution.authMode ?? MODE_OF_DOOR[door],
    userEmail,
    locale: localeOf(userEmail),
    userStoreEmail: door === 'cell' ? (document?.ownerEmail ?? userEmail) : userEmail,
    document,
    cell: execution.cell ?? null,
    isApart: door === 'cell' && !unknowns.cellsShareStores,
  };
}

/** The execution that the clock starts when a trigger fires. */
export function firingOf(
  { uniqueId, functionName, userEmail, ...trigger }: FiredTrigger,
  event: ScriptEventMembers,
  seesDocument: boolean,
): Execution & { readonly door: 'clock' } {
  const documentId = seesDocument ? trigger.documentId : null;
  const run = { functionName, userEmail, documentId, args: [], event };
  return { ...run, door: 'clock', triggerUid: uniqueId };
}

/** Entry points with the short time limit: custom functions and simple triggers. */
const SHORT_DOORS: readonly Door[] = ['cell', 'open', 'install', 'edit'];

export function timeLimit({ door }: Execution, limits: HostLimits): LimitReached {
  return reached(limits, SHORT_DOORS.includes(door) ? 'shortRunMs' : 'longRunMs');
}

/** Triggers receive an event object that the platform builds. Cells, menus and pages do not. */
function eventOf(
  execution: Execution,
  { authMode, userEmail }: Caller,
  nowMs: number,
): ScriptEvent {
  const { door, triggerUid, event } = execution;
  if (door === 'open' || door === 'install') return { authMode };
  // A simple trigger is not told who it is. Google gives the address "depending on a complex set of
  // security restrictions".
  if (door === 'edit') return { authMode, user: '', ...event };
  if (door !== 'clock') return null;
  const uid = triggerUid === undefined ? {} : { triggerUid };
  if (event && Object.keys(event).length > 0)
    return { authMode, user: userEmail, ...event, ...uid };
  const now = new Date(nowMs);
  return {
    authMode,
    ...uid,
    year: now.getUTCFullYear(),
    month: now.getUTCMonth() + 1,
    'day-of-month': now.getUTCDate(),
    /** 1 is Monday. */
    'day-of-week': now.getUTCDay() || 7,
    'week-of-year': weekOfYear(now),
    hour: now.getUTCHours(),
    minute: now.getUTCMinutes(),
    second: now.getUTCSeconds(),
    timezone: 'UTC',
  };
}

/** Weeks of ISO 8601: the first is that of the first Thursday. */
function weekOfYear(day: Date): number {
  const thursday = new Date(day.getTime() + (4 - (day.getUTCDay() || 7)) * DAY_MS);
  return (
    Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / DAY_MS / 7) + 1
  );
}

const DAY_MS = 86_400_000;

type ScriptEvent = Launch['event'];

export function launchOf(
  execution: Execution,
  caller: Caller,
  seed: number,
  { manifest, scheduler, brought }: World,
): Launch {
  const { functionName, args, door } = execution;
  const { executionId, document, locale } = caller;
  return {
    functionName,
    args: door === 'sidebar' ? args.map((arg) => asSent(arg)) : args,
    event: eventOf(execution, caller, scheduler.nowMs()),
    door,
    seed: seedFrom(seed, 'script', executionId),
    facts: {
      hasDocument: document !== null,
      timeZone: manifest.timeZone,
      scopes: manifest.oauthScopes,
      dependencies: [
        ...(manifest.dependencies?.enabledAdvancedServices ?? []),
        ...(manifest.dependencies?.libraries ?? []),
      ].map(({ userSymbol }) => userSymbol),
      services: brought.described,
      locale,
    },
  };
}
