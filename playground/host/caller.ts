// Who makes an execution and what the script is told: derived from how it was started.

import { seedFrom } from '../random';
import { MODE_OF_DOOR } from './authorisation';
import { asSent, illegalArgument, isHiddenFromPage } from './google-script-run';
import type { Execution } from './host-contract';
import type { HostLimits } from './limits';
import type { Launch } from './realm/launch';
import type { AuthMode, Caller, World } from './service';

/** Whoever is at the keyboard when nobody is named and there is no document. */
const SOMEBODY = 'owner@example.com';

/** Why google.script.run fails before anything runs, or null. */
export function illegalCall({ functionName, args }: Execution): string | null {
  if (!isHiddenFromPage(functionName)) return illegalArgument(args);
  return `google.script.run.${functionName} is not a function`;
}

export function callerOf(execution: Execution, executionId: number, { documents }: World): Caller {
  const first = documents.values().next().value ?? null;
  const { documentId, door } = execution;
  const document = documentId === undefined ? first : (documents.get(documentId) ?? null);
  const userEmail = execution.userEmail ?? document?.ownerEmail ?? SOMEBODY;
  return {
    executionId,
    door,
    authMode: execution.authMode ?? MODE_OF_DOOR[door],
    userEmail,
    userStoreEmail: door === 'cell' ? (document?.ownerEmail ?? userEmail) : userEmail,
    document,
  };
}

export function timeLimitMs({ door }: Execution, { shortRunMs, longRunMs }: HostLimits): number {
  return door === 'cell' || door === 'open' || door === 'install' ? shortRunMs : longRunMs;
}

/** Triggers and menus pass an event object of the platform's making, cells and pages do not. */
function eventOf(door: Caller['door'], authMode: AuthMode): Launch['event'] {
  return door === 'open' || door === 'install' || door === 'clock' ? { authMode } : null;
}

export function launchOf(
  { functionName, args, door }: Execution,
  { executionId, authMode, document }: Caller,
  seed: number,
  { manifest }: World,
): Launch {
  return {
    functionName,
    args: door === 'sidebar' ? args.map((arg) => asSent(arg)) : args,
    event: eventOf(door, authMode),
    door,
    seed: seedFrom(seed, 'script', executionId),
    facts: {
      hasDocument: document !== null,
      timeZone: manifest.timeZone,
      scopes: manifest.oauthScopes,
    },
  };
}
