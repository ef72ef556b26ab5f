// For the host's tests: a host that runs a few lines of script, in virtual time, over a made-up net.

import type { Host, HostOptions } from '../../../playground/host/host';
import { createHost } from '../../../playground/host/host';
import { createSandboxedInternet } from '../../../playground/host/internet/sandboxed';

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
