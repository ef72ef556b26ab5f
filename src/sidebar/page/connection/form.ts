// What is typed on the Connection page, apart from the key: checked, and made into a draft.
import type {
  ConnectionDraft,
  ConnectionSettings,
  ConnectionStatus,
  Quota,
  Sharing,
} from '../../rpc-contract';
import {
  EMPTY_SETTINGS,
  type SettingsForm,
  settingsFormOf,
  settingsOf,
  settingsProblemsOf,
} from './settings';

export type Connected = Extract<ConnectionStatus, { connected: true }>;

/** The key is not here on purpose: it stays in its field until it is sent, and nowhere else. */
export interface ConnectionForm extends SettingsForm {
  readonly baseUrl: string;
  readonly calls: string;
  readonly perSeconds: number;
  readonly findOut: boolean;
  readonly sharing: Sharing;
  /** Most calls a day by formulas; empty for as many as they want. */
  readonly cellsPerDay: string;
}

/** What can be wrong; `settings` where the server does not say which of them. */
export type ProblemField = keyof ConnectionDraft | keyof ConnectionSettings;

export type Problems = { readonly [Field in ProblemField]?: string };

export const EMPTY_FORM: ConnectionForm = {
  ...EMPTY_SETTINGS,
  baseUrl: '',
  calls: '60',
  perSeconds: 60,
  findOut: false,
  sharing: 'me',
  cellsPerDay: '',
};

const PERIOD_NAMES: Readonly<Record<number, string>> = {
  1: 'second',
  60: 'minute',
  3600: 'hour',
  86400: 'day',
};

export const USUAL_PERIODS_SECONDS: readonly number[] = Object.keys(PERIOD_NAMES).map(Number);

export function periodName(perSeconds: number): string {
  return PERIOD_NAMES[perSeconds] ?? `${perSeconds} seconds`;
}

/** What was found out, once it is sure, in the shortest usual period that has a whole call. */
export function foundLimit({ learned }: Connected): Quota | null {
  if (learned?.sure !== true) return null;
  const { calls, perSeconds } = learned;
  if (PERIOD_NAMES[perSeconds] !== undefined) return learned;
  const period = USUAL_PERIODS_SECONDS.find((seconds) => calls * seconds >= perSeconds);
  if (period === undefined) return learned;
  return { calls: Math.round((calls * period * 10) / perSeconds) / 10, perSeconds: period };
}

function quotaText({ calls, perSeconds }: Quota): string {
  return `${calls.toLocaleString()} per ${periodName(perSeconds)}`;
}

/** "60 per minute", given by a person or found out. */
export function limitText(status: Connected): string {
  if (status.quota !== null) return quotaText(status.quota);
  const found = foundLimit(status);
  if (found !== null) return `Detected: about ${quotaText(found)}`;
  const { learned } = status;
  return learned === undefined ? 'Detecting' : `Detecting, so far ${quotaText(learned)}`;
}

/** A bare host becomes an https address, as a browser's address bar would do it. */
export function tidyAddress(text: string): string {
  const trimmed = text.trim();
  return trimmed === '' || /^[a-z][a-z0-9+.-]*:/i.test(trimmed) ? trimmed : `https://${trimmed}`;
}

/** Takes off what is often copied along with a key: spaces, invisible signs, quotes, "Bearer". */
export function tidyKey(text: string): string {
  return text
    .replace(/^\s*(authorization\s*:\s*)?bearer\s+/i, '')
    .replace(/[\s\p{Cf}]/gu, '')
    .replace(/^(["'`])(.+)\1$/, '$2');
}

/** The connection the viewer may change: one shared by somebody else is only used, not changed. */
export function ownOf(status: ConnectionStatus): Connected | null {
  return status.connected && status.owner === undefined ? status : null;
}

export function formOf(status: ConnectionStatus, fallback: ConnectionForm): ConnectionForm {
  const own = ownOf(status);
  if (own === null) return fallback;
  return {
    ...settingsFormOf(own.settings),
    baseUrl: own.baseUrl,
    calls: String(own.quota?.calls ?? EMPTY_FORM.calls),
    perSeconds: own.quota?.perSeconds ?? EMPTY_FORM.perSeconds,
    findOut: own.quota === null,
    sharing: own.sharing,
    cellsPerDay: String(own.cellCalls.perDay ?? ''),
  };
}

/** Of a draft that came as a text; its key is not in it. */
export function formOfDraft(draft: ConnectionDraft, fallback: ConnectionForm): ConnectionForm {
  return {
    ...settingsFormOf(draft.settings ?? {}),
    baseUrl: draft.baseUrl,
    calls: String(draft.quota?.calls ?? fallback.calls),
    perSeconds: draft.quota?.perSeconds ?? fallback.perSeconds,
    findOut: draft.quota === null,
    sharing: draft.sharing,
    cellsPerDay: String(draft.cellsPerDay ?? ''),
  };
}

function urlOf(text: string): URL | null {
  try {
    return new URL(tidyAddress(text));
  } catch {
    return null;
  }
}

function addressProblem(text: string): string | undefined {
  if (text.trim() === '') return 'Enter the address of the service.';
  const url = urlOf(text);
  if (url === null) return 'This is not a web address. It looks like https://api.example.com.';
  // Whether a local address is allowed is the server's to say; it is only so in the playground.
  const isLocal = url.hostname === 'localhost' || url.hostname === '127.0.0.1';
  if (url.protocol !== 'https:' && !isLocal) return 'The address must begin with https://.';
  return undefined;
}

function keyProblem(form: ConnectionForm, was: ConnectionStatus, hasKey: boolean) {
  if (hasKey) return undefined;
  const own = ownOf(was);
  if (own === null) return 'Paste the key you were given.';
  // A path in another form of writing is for the server to compare; another host is clear here.
  return urlOf(form.baseUrl)?.origin === urlOf(own.baseUrl)?.origin
    ? undefined
    : 'A new address needs the key again, so that it is never sent elsewhere by mistake.';
}

/** As much as the server stores; no service sells more. */
const MOST_CALLS = 1_000_000;

function isCount(text: string): boolean {
  const calls = /^\d+$/.test(text.trim()) ? Number(text) : 0;
  return calls >= 1 && calls <= MOST_CALLS;
}

function quotaProblem(form: ConnectionForm): string | undefined {
  if (form.findOut || isCount(form.calls)) return undefined;
  return 'Enter a whole number of calls, or tick “Detect automatically”.';
}

function capProblem({ cellsPerDay }: ConnectionForm): string | undefined {
  if (cellsPerDay.trim() === '' || isCount(cellsPerDay)) return undefined;
  return 'Enter a whole number of calls, or nothing.';
}

export function problemsOf(form: ConnectionForm, was: ConnectionStatus, hasKey: boolean): Problems {
  const baseUrl = addressProblem(form.baseUrl);
  const apiKey = keyProblem(form, was, hasKey);
  const quota = quotaProblem(form);
  const cellsPerDay = capProblem(form);
  return {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(quota === undefined ? {} : { quota }),
    ...(cellsPerDay === undefined ? {} : { cellsPerDay }),
    ...settingsProblemsOf(form),
  };
}

export function draftOf(
  form: ConnectionForm,
  was: ConnectionStatus,
  apiKey: string,
): ConnectionDraft {
  const calls = Number(form.calls);
  const known = ownOf(was)?.quota ?? null;
  const isSame = known?.calls === calls && known.perSeconds === form.perSeconds;
  const quota = isSame ? known : { calls, perSeconds: form.perSeconds };
  return {
    baseUrl: tidyAddress(form.baseUrl),
    apiKey,
    quota: form.findOut ? null : quota,
    sharing: form.sharing,
    settings: settingsOf(form),
    cellsPerDay: form.cellsPerDay.trim() === '' ? null : Number(form.cellsPerDay),
  };
}
