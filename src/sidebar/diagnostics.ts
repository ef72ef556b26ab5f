// Facts for whoever gives support. Each is found by itself, so one that fails hides no other.

import { connectionStore } from '../connection/connection-store';
import { type Failure, isFailure } from '../failures/failure';
import { sentences } from '../failures/failure-words';
import { mistakeIn, troubleLog } from '../failures/trouble-log';
import type { Platform } from '../google/platform';
import { isGranted, Refused } from '../google/service-call';
import { localeHere, localesHere } from '../google/spreadsheet';
import { triggerHandlers } from '../google/triggers';
import { recurrenceWords } from '../schedules/due';
import { type Schedule, scheduleStore } from '../schedules/schedule';
import { connectionCheck } from './api/check';
import { type ConnectionStatus, connectionStatus, keyOwnerOf } from './api/connection';
import { type Finding, utc } from './support-report';

const AUTH = 'https://www.googleapis.com/auth/';

export const PERMISSIONS: readonly { readonly scope: string; readonly about: string }[] = [
  { scope: `${AUTH}spreadsheets.currentonly`, about: 'this spreadsheet' },
  { scope: `${AUTH}script.external_request`, about: 'calls to the service' },
  { scope: `${AUTH}script.container.ui`, about: 'sidebar and dialogs' },
  { scope: `${AUTH}script.scriptapp`, about: 'schedules' },
];

type Said = Omit<Finding, 'about'>;
type Connected = Extract<ConnectionStatus, { connected: true }>;

const ok = (text: string): Said => ({ verdict: 'ok', text });
const problem = (text: string): Said => ({ verdict: 'problem', text });
const note = (text: string): Said => ({ verdict: 'note', text });

/** At most one call goes to the service, and nothing is stored but what that call shows. */
export function diagnostics(platform: Platform): readonly Finding[] {
  let connected: Connected | undefined;
  const key = () => {
    const status = connectionStatus(platform);
    if (!isFailure(status) && status.connected) connected = status;
    return keyInUse(platform, status);
  };
  return [
    fact('Permissions', permissions),
    fact('Key', key),
    fact('Limit of the key', () => limit(connected)),
    fact('Schedules', () => schedules(platform)),
    fact('Time zones and languages', timeZones),
    fact('Latest troubles', () => troubles(platform)),
  ];
}

function fact(about: string, find: () => Said | Failure): Finding {
  try {
    const found = find();
    return { about, ...(isFailure(found) ? problem(sentences(found).message) : found) };
  } catch (error) {
    // The message of a bug may contain anything, so only its name is passed on.
    const isRefused = error instanceof Refused;
    const text = isRefused ? sentences(error.refusal).message : `failed with ${mistakeIn(error)}.`;
    return { about, ...problem(text) };
  }
}

function permissions(): Said {
  const missing = PERMISSIONS.filter(({ scope }) => !isGranted(scope));
  if (missing.length === 0) return ok('all given.');
  return problem(`not given: ${missing.map(({ about }) => about).join(', ')}.`);
}

/** The key of runs, the key of formulas, and whether the service answers one call. */
function keyInUse(platform: Platform, status: ConnectionStatus | Failure): Said | Failure {
  if (isFailure(status)) return status;
  const store = connectionStore(platform);
  const formulas = keyOwnerOf(store).text;
  if (!status.connected)
    return { verdict: 'no-key', text: `none. Connect one in the sidebar. ${formulas}` };
  const whose = status.isOthers ? 'shared here by someone else' : 'yours';
  const about = `ends in ${status.keyMask}, for ${status.baseUrl}, ${whose}. ${formulas}`;
  if (status.stopped) return problem(`${about} ${status.stopped.message}`);
  const answer = connectionCheck(platform, {});
  if (isFailure(answer)) return problem(`${about} ${sentences(answer).message}`);
  const fields = answer.recognised.flatMap(({ as }) => as ?? []).join(', ') || 'no fields';
  return ok(`${about} The service answered in ${answer.latencyMs} ms with ${fields}.`);
}

function limit(connected: Connected | undefined): Said {
  if (connected === undefined) return note('not known without a key.');
  const { quota, learned } = connected;
  if (quota === null && learned === undefined) return note('not known yet; calls start slowly.');
  const { calls, perSeconds, burst } = { burst: undefined, ...learned, ...quota };
  const most = burst === undefined ? '' : `, ${burst} at once`;
  const found = learned?.sure ? 'found out' : 'still being found out';
  return ok(`${calls} per ${perSeconds} s${most}, ${quota === null ? found : 'as entered'}.`);
}

function schedules(platform: Platform): Said {
  const triggers = triggerHandlers().filter((handler) => handler === 'onSchedule').length;
  const all = scheduleStore(platform).read().list;
  const count = `${all.length}; triggers of yours here: ${triggers}.`;
  const text = [count, ...all.map(lineOf)].join('\n');
  return all.some((schedule) => schedule.problem !== null) ? problem(text) : note(text);
}

function lineOf({ settings, isOn, last, problem: wrong }: Schedule): string {
  const ran =
    last === null
      ? 'has not run yet.'
      : `ran last ${utc(last.startedMs)}, ${last.outcome}: ${last.refreshed} refreshed, ` +
        `${last.failed} failed, ${last.calls} calls.`;
  const why = wrong === null ? '' : ` ${sentences(wrong).message}`;
  return `"${recurrenceWords(settings.recurrence, localeHere())}"${isOn ? '' : ', off'}: ${ran}${why}`;
}

function timeZones(): Said {
  const { timeZone, locale, scriptTimeZone, userLocale } = localesHere();
  return note(`${timeZone}, ${locale}; the add-on ${scriptTimeZone}; you ${userLocale}.`);
}

function troubles({ cache, clock }: Platform): Said {
  const recent = troubleLog(cache, clock).recent();
  if (recent.length === 0) return note('none in six hours.');
  const lines = recent.map(({ atMs, text }) => `${utc(atMs)}: ${text}`);
  return problem([`${lines.length} in six hours.`, ...lines].join('\n'));
}
