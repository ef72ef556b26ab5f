// What is typed on the Connection page: settings, address, key, limit; read, checked, kept.

import type { ConnectionDraft, ConnectionSettings } from '../../../connection/connection';
import type { Sharing } from '../../../connection/connection-store';
import { DEFAULT_MARKET, otherMarkets } from '../../../product/market';
import type { Quota } from '../../../quota/rate';
import type { ConnectionStatus } from '../../api/connection';
import { momentText, type Options, optionOf } from '../ui/texts';

export const FORM_ID = 'connection-form';

/** Typed beside the form. */
export interface Beside {
  /** The product to check with; empty for the usual one. */
  readonly product: string;
  readonly importText: string;
}

type SettingName = keyof ConnectionSettings;

/** Each setting as its field holds it; empty is not set. */
type SettingsForm = {
  readonly [Name in SettingName]-?: NonNullable<ConnectionSettings[Name]> | '';
};

type SettingsProblems = { readonly [Name in SettingName]?: string };

export const EMPTY_SETTINGS: SettingsForm = {
  defaultMarket: '',
  ukMarket: '',
  roiUnit: '',
  moneyUnit: '',
  buyPriceName: '',
  sellPriceName: '',
  eligibleName: '',
  feesName: '',
};

/** Formulas that name no market mean the US unless something else is set. */
export const DEFAULT_MARKETS: Options<SettingsForm['defaultMarket']> = [
  ['', DEFAULT_MARKET],
  ...otherMarkets(DEFAULT_MARKET).map((market) => [market, market] as const),
];

export const ROI_UNITS: Options<SettingsForm['roiUnit']> = [
  ['', 'Detect'],
  ['fraction', 'Fraction, 0.25'],
  ['percent', 'Percentage, 25'],
];

export const MONEY_UNITS: Options<SettingsForm['moneyUnit']> = [
  ['', 'Detect'],
  ['units', 'Amounts, 12.50'],
  ['hundredths', 'Cents or pence, 1250'],
];

/** As much as the server stores. */
export const UK_MARKET_CHARS_MAX = 20;
export const PRICE_NAME_CHARS_MAX = 60;

function settingsFormOf(settings: ConnectionSettings): SettingsForm {
  return {
    ...EMPTY_SETTINGS,
    ...settings,
    defaultMarket: optionOf(DEFAULT_MARKETS, settings.defaultMarket),
  };
}

/** What was kept from an earlier time, of which nothing is certain. */
function settingsFormFrom(kept: (name: SettingName) => unknown): SettingsForm {
  const text = (name: SettingName): string => {
    const value = kept(name);
    return typeof value === 'string' ? value : '';
  };
  return {
    defaultMarket: optionOf(DEFAULT_MARKETS, kept('defaultMarket')),
    ukMarket: text('ukMarket'),
    roiUnit: optionOf(ROI_UNITS, kept('roiUnit')),
    moneyUnit: optionOf(MONEY_UNITS, kept('moneyUnit')),
    buyPriceName: text('buyPriceName'),
    sellPriceName: text('sellPriceName'),
    eligibleName: text('eligibleName'),
    feesName: text('feesName'),
  };
}

/** Only what is set: the server refuses an empty text, and leaving it out is what empty means. */
export function settingsOf(form: SettingsForm): ConnectionSettings {
  const names = ['ukMarket', 'buyPriceName', 'sellPriceName', 'eligibleName', 'feesName'] as const;
  const { defaultMarket, roiUnit, moneyUnit } = form;
  return {
    ...(defaultMarket === '' ? {} : { defaultMarket }),
    ...(roiUnit === '' ? {} : { roiUnit }),
    ...(moneyUnit === '' ? {} : { moneyUnit }),
    ...Object.fromEntries(
      names.map((name) => [name, form[name].trim()]).filter(([, text]) => text !== ''),
    ),
  };
}

function settingsProblemsOf({ ukMarket }: SettingsForm): SettingsProblems {
  return /^[\w.-]*$/.test(ukMarket.trim())
    ? {}
    : { ukMarket: 'Use only letters, digits and . _ -' };
}

const ROI_UNIT_NAMES = { fraction: 'fraction', percent: 'percentage' } as const;
const MONEY_UNIT_NAMES = { units: 'amounts', hundredths: 'cents or pence' } as const;

/** "Default market UK · ROI sent as percentage"; empty where nothing is set. */
export function settingsText(settings: ConnectionSettings): string {
  const { defaultMarket, ukMarket, roiUnit, moneyUnit } = settings;
  const { buyPriceName, sellPriceName, eligibleName, feesName } = settings;
  const text = [
    ...(defaultMarket === undefined ? [] : [`default market ${defaultMarket}`]),
    ...(ukMarket === undefined ? [] : [`UK sent as ${ukMarket}`]),
    ...(roiUnit === undefined ? [] : [`ROI sent as ${ROI_UNIT_NAMES[roiUnit]}`]),
    ...(moneyUnit === undefined ? [] : [`money sent as ${MONEY_UNIT_NAMES[moneyUnit]}`]),
    ...(buyPriceName === undefined ? [] : [`buy price is ${buyPriceName}`]),
    ...(sellPriceName === undefined ? [] : [`sell price is ${sellPriceName}`]),
    ...(eligibleName === undefined ? [] : [`eligible is ${eligibleName}`]),
    ...(feesName === undefined ? [] : [`fees are ${feesName}`]),
  ].join(' · ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export interface Pasted {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** null: the text names none. */
  readonly limit: Quota | null;
}

/** As much as the server stores; no service sells more. */
const MOST_CALLS = 1_000_000;

/** Shorter words beside an address are words. */
const KEY_CHARS_MIN = 8;

const ADDRESS = /https?:\/\/[^\s"'<>,;]+/i;
/** Letters, digits and the signs that keys are written with, a digit or a sign among them. */
const KEY = /^(?=.*[\d_.~+/=-])[\w.~+/=-]+$/;

/** As operators write them, in seconds. */
const PERIODS: readonly (readonly [word: RegExp, seconds: number])[] = [
  [/^s(ec(ond)?s?)?$/i, 1],
  [/^m(in(ute)?s?)?$/i, 60],
  [/^h(((ou)?r)s?)?$/i, 3_600],
];

/**
 * "5 requests per second", "300/min", "60 rpm", "1 call every 2 seconds". What a day allows is a plan:
 * as a limit it would keep calls many seconds apart.
 */
const LIMITS = [
  /(?<![\d.,])(\d[\d,]*)\s*(?:[a-z]+\b\s*){0,2}?(?:\/|\bper\b|\ban?\b|\bevery\b|\beach\b|\bin\b)\s*(?:(\d+)\s*)?(s|m|h|secs?|mins?|hrs?|seconds?|minutes?|hours?)\b/gi,
  /(?<![\d.,])(\d[\d,]*)()\s*r(?:eq)?p([smh])\b/gi,
];

/** The limit that a text names; of several the one over the shortest time, to which calls are kept. */
export function limitIn(text: string): Quota | null {
  const found = LIMITS.flatMap((pattern) => [...text.matchAll(pattern)]).flatMap(
    ([, count = '', times, period = '']) => {
      const calls = Number(count.replaceAll(',', ''));
      const [, seconds = 0] = PERIODS.find(([word]) => word.test(period)) ?? [];
      const perSeconds = seconds * Number(times || 1);
      const isFit = calls >= 1 && calls <= MOST_CALLS && perSeconds >= 1;
      return isFit ? [{ calls, perSeconds }] : [];
    },
  );
  return found.sort((one, other) => one.perSeconds - other.perSeconds)[0] ?? null;
}

/** null unless the text has both; then the address and the longest word that can be a key. */
export function addressAndKey(text: string): Pasted | null {
  const [baseUrl] = ADDRESS.exec(text) ?? [];
  if (baseUrl === undefined) return null;
  const words = text
    .replace(baseUrl, ' ')
    .split(/[\s"'`<>,;:|]+/)
    .filter((word) => word.length >= KEY_CHARS_MIN && KEY.test(word));
  const [apiKey] = words.sort((one, other) => other.length - one.length);
  if (apiKey === undefined) return null;
  const limit = limitIn(text.replace(baseUrl, ' ').replace(apiKey, ' '));
  return { baseUrl: baseUrl.replace(/[.)\]]+$/, ''), apiKey, limit };
}

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
  findOut: true,
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

/** "60 per minute", given by a person or found out, and whether calls may come together. */
export function limitText(status: Connected): string {
  if (status.quota !== null)
    return quotaText(status.quota) + (status.isOneByOne ? ', one by one as the service asks' : '');
  const found = foundLimit(status);
  if (found !== null) return `Detected: about ${quotaText(found)}`;
  const { learned } = status;
  return learned === undefined ? 'Detecting' : `Detecting, so far ${quotaText(learned)}`;
}

/** Where the limit is the service's own word: until when it is believed. */
export function advertisedText({ learned }: Connected, nowMs: number): string | null {
  if (learned?.toldUntilMs === undefined) return null;
  return `Set by the service. Kept until ${momentText(learned.toldUntilMs, nowMs)}, then detected again.`;
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

/** The connection the viewer may change: one shared by someone else is only used, not changed. */
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
  return 'Enter a whole number of calls, or leave it empty.';
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

/** The names under which they are kept. */
export const FORM_DRAFT = 'connection-form';
export const BESIDE_DRAFT = 'connection-beside';

export function formFrom(kept: unknown): ConnectionForm | null {
  if (typeof kept !== 'object' || kept === null) return null;
  const of = (field: keyof ConnectionForm): unknown => Reflect.get(kept, field);
  const perSeconds = of('perSeconds');
  return {
    ...settingsFormFrom(of),
    baseUrl: typeof of('baseUrl') === 'string' ? String(of('baseUrl')) : EMPTY_FORM.baseUrl,
    calls: typeof of('calls') === 'string' ? String(of('calls')) : EMPTY_FORM.calls,
    perSeconds: typeof perSeconds === 'number' ? perSeconds : EMPTY_FORM.perSeconds,
    findOut: of('findOut') !== false,
    sharing: of('sharing') === 'spreadsheet' ? 'spreadsheet' : 'me',
    cellsPerDay: typeof of('cellsPerDay') === 'string' ? String(of('cellsPerDay')) : '',
  };
}

export function besideFrom(kept: unknown): Beside {
  const of = (field: keyof Beside): string => {
    const value = typeof kept === 'object' && kept !== null ? Reflect.get(kept, field) : null;
    return typeof value === 'string' ? value : '';
  };
  return { product: of('product'), importText: of('importText') };
}
