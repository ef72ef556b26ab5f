// The platform of a real execution. Making it calls no service: each member opens its own on first use.

import type { Platform } from '../ports';
import { commonCache, spreadsheetCache } from './cache';
import { appsScriptClock, appsScriptRandom } from './clock';
import { appsScriptDigest } from './digest';
import { appsScriptHttp } from './http';
import { appsScriptLock } from './lock';
import { documentStore, userStore } from './store';

export function appsScriptPlatform(): Platform {
  const clock = appsScriptClock();
  const random = appsScriptRandom();
  return {
    clock,
    random,
    http: appsScriptHttp(),
    cache: spreadsheetCache(),
    commonCache: commonCache(),
    userStore: userStore(),
    documentStore: documentStore(),
    lock: appsScriptLock(clock, random),
    digest: appsScriptDigest(),
  };
}
