// For the host's tests: a host that runs a few lines of script in virtual time.

import type { Execution, Host, HostOptions, Outcome } from '../src/host';
import { createHost } from '../src/host';
import { createSandboxedInternet } from '../src/internet/sandboxed';

const SCOPES = [
  'https://www.googleapis.com/auth/spreadsheets.currentonly',
  'https://www.googleapis.com/auth/script.external_request',
  'https://www.googleapis.com/auth/script.container.ui',
  'https://www.googleapis.com/auth/script.scriptapp',
];

export function manifestWith(oauthScopes: readonly string[]): string {
  return JSON.stringify({ timeZone: 'Etc/UTC', oauthScopes });
}

export function hostOf(code: string, options: Partial<HostOptions> = {}): Host {
  return createHost({
    dist: { code, html: {}, manifest: manifestWith(SCOPES) },
    clock: 'virtual',
    seed: 1,
    internet: createSandboxedInternet({}),
    workers: 4,
    ...options,
  });
}

/** Runs the script's function `f` from a menu, alone and to its end. */
export async function outcomeOf(
  code: string,
  execution: Partial<Execution> = {},
  options: Partial<HostOptions> = {},
): Promise<Outcome> {
  const host = hostOf(code, { workers: 1, ...options });
  const outcome = host.start({ functionName: 'f', args: [], door: 'menu', ...execution });
  await host.run();
  await host.stop();
  return outcome;
}

/** What `f` returns; the test fails with the script's own error if it throws. */
export async function resultOf(
  code: string,
  execution: Partial<Execution> = {},
  options: Partial<HostOptions> = {},
): Promise<unknown> {
  const { ok, value, error } = await outcomeOf(code, execution, options);
  if (!ok) throw new Error(`${error?.name}: ${error?.message}`);
  return value;
}
