// Decides who may call which service, from Apps Script's authorisation modes and the scopes in the
// manifest.

import type { Message } from './messages';
import { say } from './messages';
import type { AuthMode, Caller, Door, Permission } from './service';

/** The authorisation mode that the platform gives an execution, by the way it was started. */
export const MODE_OF_DOOR: Readonly<Record<Door, AuthMode>> = {
  cell: 'CUSTOM_FUNCTION',
  open: 'LIMITED',
  edit: 'LIMITED',
  install: 'FULL',
  menu: 'FULL',
  sidebar: 'FULL',
  clock: 'FULL',
  web: 'FULL',
};

/**
 * The scopes that an execution has: those of the manifest that its user granted. Cells run without
 * an identified user and are never asked for consent.
 */
export function grantsBy(
  asked: readonly string[],
  consents: Readonly<Record<string, readonly string[]>>,
): (caller: Caller) => readonly string[] {
  return ({ door, userEmail }) => {
    const granted = door === 'cell' ? undefined : consents[userEmail];
    return granted === undefined ? asked : asked.filter((scope) => granted.includes(scope));
  };
}

/** Why a call is refused, in Apps Script's words. null: it is allowed. */
export function refusal(
  { callName, modes, anyScope }: Permission,
  mode: AuthMode,
  granted: readonly string[],
): Message | null {
  const isGranted = !anyScope || anyScope.some((scope) => granted.includes(scope));
  const required = anyScope ? say('scopes-needed', anyScope.join(' || ')) : [];
  if (!modes.includes(mode)) return [...say('no-permission', callName), ...required];
  return isGranted ? null : [...say('no-scope', callName), ...required];
}
