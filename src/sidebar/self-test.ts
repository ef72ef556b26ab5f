// The diagnostics: what each part of the add-on can do here, starting with permissions.

import { connectionStore } from '../connection/connection-store';
import { FAILURE_PREFIX, isFailure, sentences } from '../failures/failure';
import { mistakeIn, troubleLog } from '../failures/trouble-log';
import {
  type Access,
  type Cache,
  type Environment,
  type Platform,
  Refused,
} from '../platform/ports';
import type { Allowance } from '../quota/google-limits';
import { recurrenceWords } from '../schedules/recurrence';
import type { ScheduleRun } from '../schedules/schedule';
import { scheduleStore } from '../schedules/schedule-store';
import {
  type ConnectionStatus,
  connectionCheck,
  connectionStatus,
  keyOwnerOf,
} from './api/connection';
import { type Finding, utc } from './support-report';

export interface PermissionNeeded {
  readonly scope: string;
  readonly about: string;
  /** What does not work without the permission. */
  readonly without: string;
}

const AUTH = 'https://www.googleapis.com/auth/';

export const PERMISSIONS: readonly PermissionNeeded[] = [
  {
    scope: `${AUTH}spreadsheets.currentonly`,
    about: 'This spreadsheet',
    without: 'it cannot be written to',
  },
  {
    scope: `${AUTH}script.external_request`,
    about: 'Calls to the service',
    without: 'the service cannot be asked',
  },
  {
    scope: `${AUTH}script.container.ui`,
    about: 'Sidebar and dialogs',
    without: 'they cannot be shown',
  },
  {
    scope: `${AUTH}script.scriptapp`,
    about: 'Schedules',
    without: 'nothing is refreshed automatically',
  },
];

/** Permissions that only a build with the e-mail digest needs. */
const MAIL_PERMISSIONS: readonly PermissionNeeded[] = [
  {
    scope: 'https://www.googleapis.com/auth/script.send_mail',
    about: 'E-mail to you',
    without: 'what schedules find shows in the sidebar only',
  },
  {
    scope: 'https://www.googleapis.com/auth/userinfo.email',
    about: 'Your address, for that e-mail',
    without: 'it cannot be sent',
  },
];

export interface Tested {
  readonly platform: Platform;
  readonly access: Access;
  readonly surroundings: Environment;
}

/** The result of one test; the caller adds `about`. */
type Said = Omit<Finding, 'about'>;
type Connected = Extract<ConnectionStatus, { connected: true }>;

/** Long enough to distinguish a stopped clock from a slow one. */
const PAUSE_MS = 200;
const LOCK_WAIT_MS = 5_000;

/** Names and values that tests write. Anybody may delete them. */
const PROBE = 'self-test';
const PROBE_TTL_SECONDS = 60;

const ok = (text: string): Said => ({ verdict: 'ok', text });
const problem = (text: string): Said => ({ verdict: 'problem', text });
const note = (text: string): Said => ({ verdict: 'note', text });

/** Runs one test. The message of a bug may contain anything, so only its name is passed on. */
function run(about: string, test: () => Said): Finding {
  try {
    return { about, ...test() };
  } catch (error) {
    const isRefused = error instanceof Refused;
    const text = isRefused ? sentences(error.refusal).message : `failed with ${mistakeIn(error)}.`;
    return { about, ...problem(text) };
  }
}

/**
 * Runs all tests. At most one call goes to the service; everything else concerns the add-on and
 * Google.
 */
export function selfTest(tested: Tested): readonly Finding[] {
  const { platform, surroundings } = tested;
  return [
    ...permissions(tested),
    run('Time zones and languages', () => places(surroundings)),
    run('Clock', () => clock(platform)),
    run('Cache of this spreadsheet', () => remembers(platform, platform.cache)),
    run('Cache of the add-on', () => remembers(platform, platform.commonCache)),
    run('Lock', () => locks(platform)),
    run('Settings store', () => stores(platform)),
    run('Schedule', () => schedule(surroundings)),
    ...schedules(platform),
    run('Key used by formulas', () => keyOfCells(platform)),
    ...connection(platform),
    run('Sheet in view', () => failedCells(surroundings)),
    ...troubles(platform),
  ];
}

function permissions({ access }: Tested): readonly Finding[] {
  const needed = __EMAIL_DIGEST__ ? [...PERMISSIONS, ...MAIL_PERMISSIONS] : PERMISSIONS;
  return needed.map(({ scope, about, without }) =>
    run(`Allowed: ${about}`, () =>
      access.isGranted(scope) ? ok('yes.') : problem(`not yet, so ${without}.`),
    ),
  );
}

function places(surroundings: Environment): Said {
  const { timeZone, locale, scriptTimeZone, userLocale } = surroundings.places();
  return note(`${timeZone}, ${locale}; the add-on ${scriptTimeZone}; you ${userLocale}.`);
}

function clock({ clock: time }: Platform): Said {
  const startMs = time.nowMs();
  time.sleep(PAUSE_MS);
  const tookMs = time.nowMs() - startMs;
  const text = `${utc(startMs)}; a pause of ${PAUSE_MS} ms took ${tookMs} ms.`;
  return tookMs >= PAUSE_MS / 2 && tookMs < PAUSE_MS * 20 ? ok(text) : problem(text);
}

function remembers(platform: Platform, cache: Cache): Said {
  const startMs = platform.clock.nowMs();
  const value = String(platform.random.next());
  cache.putAll({ [PROBE]: value }, PROBE_TTL_SECONDS);
  const isKept = cache.getAll([PROBE])[PROBE] === value;
  const tookMs = platform.clock.nowMs() - startMs;
  return isKept ? ok(`kept a value, in ${tookMs} ms.`) : problem('forgot a value at once.');
}

function locks({ lock, clock: time }: Platform): Said {
  const startMs = time.nowMs();
  const { held } = lock.run(LOCK_WAIT_MS, () => undefined);
  const tookMs = time.nowMs() - startMs;
  return held ? ok(`was free, in ${tookMs} ms.`) : problem(`was not free for ${tookMs} ms.`);
}

function stores({ userStore }: Platform): Said {
  userStore.write(PROBE, PROBE);
  const isKept = userStore.read(PROBE) === PROBE;
  userStore.remove(PROBE);
  return isKept ? ok('kept a value.') : problem('forgot a value at once.');
}

function schedule(surroundings: Environment): Said {
  const count = surroundings.triggers().filter((handler) => handler === 'onSchedule').length;
  if (count === 0) return note('none of yours in this spreadsheet.');
  return ok(`${count === 1 ? 'one trigger' : `${count} triggers`} of yours in this spreadsheet.`);
}

/** The latest result and problem of each schedule; nothing if there are none. */
function schedules(platform: Platform): readonly Finding[] {
  try {
    const all = scheduleStore(platform).read();
    if (isFailure(all)) return [{ about: 'Schedules', ...problem(sentences(all).message) }];
    return (all?.list ?? []).map(({ settings, isOn, last, problem: wrong }) => {
      const about = `Schedule "${recurrenceWords(settings.recurrence)}"`;
      const text = `${isOn ? '' : 'off; '}${lastRun(last)}`;
      if (wrong === null) return { about, ...note(text) };
      return { about, ...problem(`${text} ${sentences(wrong).message}`) };
    });
  } catch {
    return [];
  }
}

function lastRun(run: ScheduleRun | null): string {
  if (run === null) return 'has not run yet.';
  const { startedMs, tookMs, outcome, refreshed, failed, calls } = run;
  const did = `${refreshed} refreshed, ${failed} failed, ${calls} calls, in ${Math.ceil(tookMs / 1_000)} s`;
  return `ran last ${utc(startedMs)}, ${outcome}: ${did}.`;
}

function keyOfCells(platform: Platform): Said {
  const payer = keyOwnerOf(connectionStore({ ...platform, loopbackAllowed: __LOOPBACK_ALLOWED__ }));
  const isInUse = payer.keyMask !== undefined && payer.kind !== 'copied';
  return { verdict: isInUse ? 'ok' : 'note', text: payer.text };
}

function connection(platform: Platform): readonly Finding[] {
  let status: Connected | undefined;
  const key = run('Your key', () => {
    const found = connectionStatus(platform);
    if (isFailure(found)) return problem(sentences(found).message);
    if (!found.connected) return { verdict: 'no-key', text: 'none. Connect one in the sidebar.' };
    status = found;
    const whose =
      found.owner === undefined ? 'yours' : 'shared with this spreadsheet by someone else';
    return ok(`ends in ${found.keyMask}, for ${found.baseUrl}, ${whose}.`);
  });
  if (status === undefined) return [key];
  const known = status;
  return [
    key,
    run('Limit of the key', () => limit(known)),
    run('Waiting formulas', () => note(`${known.waiting} products.`)),
    run('Calls by formulas today', () => callsOfCells(known)),
    ...googleUse("Google's daily calls", known.googleCalls),
    ...googleUse("Google's daily reads and writes of settings", known.googlePropertyCalls),
    run('Service', () => (known.stopped ? problem(known.stopped.message) : service(platform))),
  ];
}

function limit({ quota, learned }: Connected): Said {
  const rate = (one: { readonly calls: number; readonly perSeconds: number }) =>
    `${one.calls} calls per ${one.perSeconds} s`;
  if (quota !== null) {
    const burst = quota.burst === undefined ? '' : `, ${quota.burst} at once`;
    return ok(`${rate(quota)}${burst}, as entered.`);
  }
  if (learned === undefined) return note('not known yet; calls start slowly.');
  return ok(`${rate(learned)}, ${learned.sure ? 'found out' : 'still being found out'}.`);
}

function callsOfCells({ cellCalls }: Connected): Said {
  const { perDay, usedToday } = cellCalls;
  if (perDay === null) return note(`${usedToday}, of as many as the key has.`);
  const text = `${usedToday} of ${perDay}.`;
  return usedToday < perDay ? ok(text) : problem(text);
}

/**
 * One of Google's allowances according to the add-on's own count. Google itself says only when it
 * is used up.
 */
function googleUse(about: string, use: Allowance | undefined): readonly Finding[] {
  if (use === undefined) return [];
  const text = `${use.usedToday} of ${use.perDay} used.`;
  return [{ about, ...(use.isNear ? problem(text) : ok(text)) }];
}

/** Makes one real call, which also shows that Google allows calls. */
function service(platform: Platform): Said {
  const report = connectionCheck(platform, {});
  if (isFailure(report)) return problem(sentences(report).message);
  const fields = report.recognised.flatMap(({ as }) => as ?? []);
  const read = fields.length === 0 ? 'no fields' : fields.join(', ');
  return ok(`answered in ${report.latencyMs} ms with ${read}.`);
}

/** Counts cells with failure texts or with errors of our formulas. */
function failedCells(surroundings: Environment): Said {
  const count = surroundings.countCells(
    (shown, formula) =>
      shown.startsWith(FAILURE_PREFIX) || (shown[0] === '#' && /ANALYZE/i.test(formula)),
  );
  if (count === 0) return note('no cell shows a failure.');
  const cells = count === 1 ? 'one cell shows' : `${count} cells show`;
  return problem(`${cells} a failure. It says what to do; point at #ERROR! to read it.`);
}

function troubles({ cache, clock: time }: Platform): readonly Finding[] {
  try {
    const recent = troubleLog(cache, time).recent();
    if (recent.length === 0) return [{ about: 'Latest troubles', ...note('none in six hours.') }];
    return [
      { about: 'Latest troubles', ...problem(`${recent.length} in six hours.`) },
      ...recent.map(({ atMs, text }) => ({ about: `Trouble at ${utc(atMs)}`, ...note(text) })),
    ];
  } catch {
    return [];
  }
}
