// The input of the Connection page: settings, address, key and limit; how it is read, checked and
// kept.

import type { ConnectionDraft, ConnectionSettings, Sharing } from '../../../connection/connection';
import type { Quota } from '../../../limit/limit';
import { visibleText } from '../../../product/cell-text';
import { DEFAULT_MARKET, otherMarkets } from '../../../product/market';
import type { ConnectionStatus } from '../../api/connection';
import { isObject, keptLike } from '../ui/page';
import { MOST_CALLS, tidyAddress } from './pasted';

export const FORM_ID = 'connection-form';

/** Input outside the form. */
export interface Beside {
  /** The product to check with; empty for the default one. */
  readonly product: string;
}

type SettingName = keyof ConnectionSettings;

/** Problems of the input; `texts.ts` has the sentences. */
export type ProblemKind =
  | ('no-address' | 'no-web-address' | 'not-https')
  | ('no-key' | 'key-for-new-address')
  | ('no-limit' | 'no-count' | 'no-code');

/** A field with text or options; empty means that it is not set. */
export interface FormField {
  /** The options; left out for a text field. */
  readonly options?: readonly string[];
  readonly charsMax?: number;
  /** Accepts digits only. */
  readonly isCount?: true;
  /** The problem of an input, if it has one. */
  problem?(text: string): ProblemKind | undefined;
}

/** A field name of the service, up to the length that the server stores. */
const NAME_FIELD = { charsMax: 60 } as const;

/** Settings for everybody, from top to bottom. */
const USUAL_FIELDS = {
  cellsPerDay: {
    charsMax: 60,
    isCount: true,
    problem: (text) => (visibleText(text) === '' || isCount(text) ? undefined : 'no-count'),
  },
  /** Formulas that name no market use the US unless this is set. */
  defaultMarket: { options: ['', ...otherMarkets(DEFAULT_MARKET)] },
} as const satisfies Record<string, FormField>;

/** How the service writes what is read here. A check decides it, so it is rarely set by hand. */
const DIALECT_FIELDS = {
  ukMarket: {
    charsMax: 20,
    problem: (text) => (/^[\w.-]*$/.test(visibleText(text)) ? undefined : 'no-code'),
  },
  roiUnit: { options: ['', 'fraction', 'percent'] },
  moneyUnit: { options: ['', 'units', 'hundredths'] },
  buyPriceName: NAME_FIELD,
  sellPriceName: NAME_FIELD,
} as const satisfies Record<string, FormField>;

export type FieldName = keyof typeof USUAL_FIELDS | keyof typeof DIALECT_FIELDS;

const namesOf = <Name extends string>(fields: { readonly [Key in Name]: FormField }) =>
  Object.keys(fields) as Name[];

export const FIELDS: Readonly<Record<FieldName, FormField>> = {
  ...USUAL_FIELDS,
  ...DIALECT_FIELDS,
};
export const USUAL_NAMES = namesOf(USUAL_FIELDS);
/** What a check decides. */
export const DIALECT_NAMES = namesOf(DIALECT_FIELDS);
const FIELD_NAMES: readonly FieldName[] = [...USUAL_NAMES, ...DIALECT_NAMES];
export const SETTING_NAMES = FIELD_NAMES.filter(
  (name): name is SettingName => name !== 'cellsPerDay',
);

/** A setting as the value of its field; for a field with options, one of these. */
function fieldText(name: FieldName, value: unknown): string {
  const { options } = FIELDS[name];
  if (options !== undefined) return options.find((one) => one === value) ?? '';
  return typeof value === 'string' ? value : '';
}

const fieldsOf = (read: (name: FieldName) => unknown) =>
  Object.fromEntries(FIELD_NAMES.map((name) => [name, fieldText(name, read(name))])) as Readonly<
    Record<FieldName, string>
  >;

/**
 * Only the settings that are set. The server rejects an empty text; leaving a setting out has that
 * meaning.
 */
export const settingsOf = (form: Readonly<Record<SettingName, string>>): ConnectionSettings =>
  Object.fromEntries(
    SETTING_NAMES.map((name) => [name, visibleText(form[name])]).filter(([, text]) => text !== ''),
  );

export type Connected = Extract<ConnectionStatus, { connected: true }>;

/** The form without the key, which deliberately stays in its input until it is sent. */
export interface ConnectionForm extends Readonly<Record<FieldName, string>> {
  readonly baseUrl: string;
  readonly calls: string;
  readonly perSeconds: number;
  readonly findOut: boolean;
  readonly sharing: Sharing;
}

/** What may have a problem; `settings` if the server does not say which one. */
export type ProblemField = keyof ConnectionDraft | SettingName;

export type ProblemKinds = { readonly [Field in ProblemField]?: ProblemKind };

/** Problems in words, ours or the server's. */
export type Problems = { readonly [Field in ProblemField]?: string };

/** From top to bottom, as in the form. */
export const PROBLEM_FIELDS: readonly ProblemField[] = [
  ...(['baseUrl', 'apiKey', 'quota', 'sharing', 'settings'] as const),
  ...FIELD_NAMES,
];

export const EMPTY_FORM: ConnectionForm = {
  ...fieldsOf(() => ''),
  baseUrl: '',
  calls: '60',
  perSeconds: 60,
  findOut: true,
  sharing: 'me',
};

export const USUAL_PERIODS_SECONDS: readonly number[] = [1, 60, 3_600, 86_400];

/**
 * The detected limit once it is certain, stated for the shortest common period that contains a
 * whole call.
 */
export function foundLimit({ learned }: Connected): Quota | null {
  if (learned?.sure !== true) return null;
  const { calls, perSeconds } = learned;
  if (USUAL_PERIODS_SECONDS.includes(perSeconds)) return learned;
  const period = USUAL_PERIODS_SECONDS.find((seconds) => calls * seconds >= perSeconds);
  if (period === undefined) return learned;
  return { calls: Math.round((calls * period * 10) / perSeconds) / 10, perSeconds: period };
}

/** The connection that the viewer may change; one that somebody else shared can only be used. */
export function ownOf(status: ConnectionStatus): Connected | null {
  return status.connected && !status.isOthers ? status : null;
}

/** The form for a saved draft, which has no key. */
function formOfDraft(draft: Omit<ConnectionDraft, 'apiKey'>): ConnectionForm {
  const { baseUrl, quota, sharing, settings = {}, cellsPerDay } = draft;
  return {
    ...fieldsOf((name) =>
      name === 'cellsPerDay' ? String(cellsPerDay ?? '') : (settings[name] ?? ''),
    ),
    baseUrl,
    calls: String(quota?.calls ?? EMPTY_FORM.calls),
    perSeconds: quota?.perSeconds ?? EMPTY_FORM.perSeconds,
    findOut: quota === null,
    sharing,
  };
}

export function formOf(status: ConnectionStatus, fallback: ConnectionForm): ConnectionForm {
  const own = ownOf(status);
  return own === null ? fallback : formOfDraft({ ...own, cellsPerDay: own.cellCalls.perDay });
}

function urlOf(text: string): URL | null {
  try {
    return new URL(tidyAddress(text));
  } catch {
    return null;
  }
}

function addressProblem(text: string): ProblemKind | undefined {
  if (tidyAddress(text) === '') return 'no-address';
  const url = urlOf(text);
  if (url === null) return 'no-web-address';
  // The server decides whether a local address is allowed; it is so only in the playground.
  const isLocal = url.hostname === 'localhost' || url.hostname === '127.0.0.1';
  if (url.protocol !== 'https:' && !isLocal) return 'not-https';
  return undefined;
}

function keyProblem(
  form: ConnectionForm,
  was: ConnectionStatus,
  hasKey: boolean,
): ProblemKind | undefined {
  if (hasKey) return undefined;
  const own = ownOf(was);
  if (own === null) return 'no-key';
  // The server compares different notations of a path; a different host is recognised here.
  return urlOf(form.baseUrl)?.origin === urlOf(own.baseUrl)?.origin
    ? undefined
    : 'key-for-new-address';
}

function isCount(text: string): boolean {
  const typed = visibleText(text);
  const calls = /^\d+$/.test(typed) ? Number(typed) : 0;
  return calls >= 1 && calls <= MOST_CALLS;
}

function quotaProblem(form: ConnectionForm): ProblemKind | undefined {
  if (form.findOut || isCount(form.calls)) return undefined;
  return 'no-limit';
}

export function problemsOf(
  form: ConnectionForm,
  was: ConnectionStatus,
  hasKey: boolean,
): ProblemKinds {
  const problems = {
    baseUrl: addressProblem(form.baseUrl),
    apiKey: keyProblem(form, was, hasKey),
    quota: quotaProblem(form),
    ...Object.fromEntries(FIELD_NAMES.map((name) => [name, FIELDS[name].problem?.(form[name])])),
  };
  return Object.fromEntries(Object.entries(problems).filter(([, text]) => text !== undefined));
}

export function draftOf(
  form: ConnectionForm,
  was: ConnectionStatus,
  apiKey: string,
): ConnectionDraft {
  const calls = Number(visibleText(form.calls));
  const known = ownOf(was)?.quota ?? null;
  const isSame = known?.calls === calls && known.perSeconds === form.perSeconds;
  const quota = isSame ? known : { calls, perSeconds: form.perSeconds };
  const baseUrl = tidyAddress(form.baseUrl);
  return {
    baseUrl,
    apiKey,
    quota: form.findOut ? null : quota,
    sharing: form.sharing,
    settings: settingsFor(form, ownOf(was), baseUrl),
    cellsPerDay:
      visibleText(form.cellsPerDay) === '' ? null : Number(visibleText(form.cellsPerDay)),
  };
}

/** What a check decided of another address is decided again; what was typed for it is kept. */
function settingsFor(
  form: ConnectionForm,
  own: Connected | null,
  baseUrl: string,
): ConnectionSettings {
  const settings = settingsOf(form);
  if (own === null || own.baseUrl === baseUrl) return settings;
  const isTyped = (name: SettingName) => settings[name] !== own.settings[name];
  const dropped = DIALECT_NAMES.filter((name) => !isTyped(name));
  return settingsOf({ ...form, ...Object.fromEntries(dropped.map((name) => [name, ''])) });
}

/** The form without what a check decides. */
export const withoutDialect = (form: ConnectionForm): ConnectionForm => ({
  ...form,
  ...Object.fromEntries(DIALECT_NAMES.map((name) => [name, ''])),
});

/** The names under which they are kept. */
export const FORM_DRAFT = 'connection-form';
export const BESIDE_DRAFT = 'connection-beside';

const SHARINGS: readonly unknown[] = ['me', 'spreadsheet'] satisfies readonly Sharing[];

export function formFrom(kept: unknown): ConnectionForm | null {
  if (!isObject(kept)) return null;
  const form = keptLike(kept, EMPTY_FORM);
  const sharing = SHARINGS.includes(form.sharing) ? form.sharing : EMPTY_FORM.sharing;
  return { ...form, ...fieldsOf((name) => form[name]), sharing };
}

export const besideFrom = (kept: unknown): Beside => keptLike(kept, { product: '' });
