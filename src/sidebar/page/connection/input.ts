// The input of the Settings page: address, limit and settings; how it is read and checked.

import type { ConnectionDraft, ConnectionSettings } from '../../../connection/connection';
import { visibleText } from '../../../product/cell-text';
import { DEFAULT_MARKET, otherMarkets } from '../../../product/market';
import type { ConnectionStatus } from '../../api/connection';
import { asSentence, type Options } from '../ui/texts';
import { MOST_CALLS, tidyAddress } from './pasted';
import { type Connected, ownOf } from './status';

type SettingName = keyof ConnectionSettings;

/** A field with text or options; empty means that it is not set. */
export interface FormField {
  readonly label: string;
  readonly hint: string;
  readonly placeholder?: string;
  /** The options with their names; left out for a text field. */
  readonly options?: Options<string>;
  readonly charsMax?: number;
  /** Accepts digits only. */
  readonly isCount?: true;
  /** The beginning of the setting's summary; its value follows. */
  readonly sum?: string;
  /** The problem of an input, if it has one. */
  problem?(text: string): string | undefined;
}

/** The next check decides it. */
const DECIDE = 'Decide by a check';

/** A field name of the service, up to the length that the server stores. */
const NAME_FIELD = { charsMax: 60, placeholder: DECIDE } as const;

/** Settings for everybody, from top to bottom. */
const USUAL_FIELDS = {
  cellsPerDay: {
    label: 'Daily call limit for formulas',
    hint: 'In this spreadsheet. Also limits lists that others run with your key.',
    placeholder: 'No limit',
    charsMax: 60,
    isCount: true,
    problem: (text) =>
      visibleText(text) === '' || isCount(text)
        ? undefined
        : 'Enter a whole number of calls, or leave it empty.',
  },
  defaultMarket: {
    label: 'Default market',
    hint: 'For formulas that name no market.',
    options: [
      ['', DEFAULT_MARKET],
      ...otherMarkets(DEFAULT_MARKET).map((one) => [one, one] as const),
    ],
    sum: 'default market',
  },
} as const satisfies Record<string, FormField>;

/** How the service writes what is read here. A check decides it, so it is rarely set by hand. */
const DIALECT_FIELDS = {
  ukMarket: {
    label: 'UK market code',
    hint: 'How the service writes this market.',
    placeholder: 'UK',
    charsMax: 20,
    sum: 'UK as',
    problem: (text) =>
      /^[\w.-]*$/.test(visibleText(text)) ? undefined : 'Use only letters, digits and . _ -',
  },
  roiUnit: {
    label: 'ROI is sent as',
    hint: 'Formulas get the fraction.',
    options: [
      ['', DECIDE],
      ['fraction', 'Fraction, 0.25'],
      ['percent', 'Percentage, 25'],
    ],
    sum: 'ROI as',
  },
  moneyUnit: {
    label: 'Money is sent as',
    hint: 'Formulas get whole amounts.',
    options: [
      ['', DECIDE],
      ['units', 'Amounts, 12.50'],
      ['hundredths', 'Cents or pence, 1250'],
    ],
    sum: 'money as',
  },
  buyPriceName: {
    ...NAME_FIELD,
    label: 'Name of the buy price',
    hint: 'If a check does not read it as buy_price.',
    sum: 'buy price is',
  },
  sellPriceName: {
    ...NAME_FIELD,
    label: 'Name of the sell price',
    hint: 'If a check does not read it as sell_price.',
    sum: 'sell price is',
  },
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
const SETTING_NAMES = FIELD_NAMES.filter((name): name is SettingName => name !== 'cellsPerDay');

/** A setting as the value of its field; for a field with options, one of these. */
function fieldText(name: FieldName, value = ''): string {
  const { options } = FIELDS[name];
  return options === undefined || options.some(([one]) => one === value) ? value : '';
}

const fieldsOf = (read: (name: FieldName) => string | undefined) =>
  Object.fromEntries(FIELD_NAMES.map((name) => [name, fieldText(name, read(name))])) as Readonly<
    Record<FieldName, string>
  >;

/** The form without the key, which deliberately stays in its input until it is sent. */
export interface ConnectionForm extends Readonly<Record<FieldName, string>> {
  readonly baseUrl: string;
  readonly calls: string;
  readonly perSeconds: number;
  readonly findOut: boolean;
}

/** What can be changed separately: a part of the connection, or one of its settings. */
export type Change = keyof ConnectionDraft | SettingName;

export const EMPTY_FORM: ConnectionForm = {
  ...fieldsOf(() => ''),
  baseUrl: '',
  calls: '60',
  perSeconds: 60,
  findOut: true,
};

export function formOf(status: ConnectionStatus): ConnectionForm {
  const own = ownOf(status);
  if (own === null) return EMPTY_FORM;
  const { baseUrl, quota, settings, cellCalls } = own;
  return {
    ...fieldsOf((name) =>
      name === 'cellsPerDay' ? String(cellCalls.perDay ?? '') : settings[name],
    ),
    baseUrl,
    calls: String(quota?.calls ?? EMPTY_FORM.calls),
    perSeconds: quota?.perSeconds ?? EMPTY_FORM.perSeconds,
    findOut: quota === null,
  };
}

// What is wrong

function urlOf(text: string): URL | null {
  try {
    return new URL(tidyAddress(text));
  } catch {
    return null;
  }
}

function addressProblem(text: string): string | undefined {
  if (tidyAddress(text) === '') return 'Enter the address of the service.';
  const url = urlOf(text);
  if (url === null) return 'This is not a web address. It looks like https://api.example.com.';
  // The server decides whether a local address is allowed; it is so only in the playground.
  const isLocal = url.hostname === 'localhost' || url.hostname === '127.0.0.1';
  if (url.protocol !== 'https:' && !isLocal) return 'The address must begin with https://.';
  return undefined;
}

function keyProblem(form: ConnectionForm, was: ConnectionStatus): string | undefined {
  const own = ownOf(was);
  if (own === null) return 'Paste the key you were given.';
  // The server compares different notations of a path; a different host is recognised here.
  return urlOf(form.baseUrl)?.origin === urlOf(own.baseUrl)?.origin
    ? undefined
    : 'For a new address, enter the key again. That way it is never sent elsewhere by mistake.';
}

function isCount(text: string): boolean {
  const typed = visibleText(text);
  const calls = /^\d+$/.test(typed) ? Number(typed) : 0;
  return calls >= 1 && calls <= MOST_CALLS;
}

/** Problems by the field beside which they are shown. */
export type Problems = Readonly<Partial<Record<string, string>>>;

export function problemsOf(form: ConnectionForm, was: ConnectionStatus, hasKey: boolean): Problems {
  const problems = {
    baseUrl: addressProblem(form.baseUrl),
    apiKey: hasKey ? undefined : keyProblem(form, was),
    quota:
      form.findOut || isCount(form.calls)
        ? undefined
        : 'Enter a whole number of calls, or tick “Detect automatically”.',
    ...Object.fromEntries(FIELD_NAMES.map((name) => [name, FIELDS[name].problem?.(form[name])])),
  };
  return Object.fromEntries(Object.entries(problems).filter(([, text]) => text !== undefined));
}

// What is sent

/**
 * Only the settings that are set. The server rejects an empty text; leaving a setting out has that
 * meaning.
 */
const settingsOf = (form: Readonly<Record<SettingName, string>>): ConnectionSettings =>
  Object.fromEntries(
    SETTING_NAMES.map((name) => [name, visibleText(form[name])]).filter(([, text]) => text !== ''),
  );

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
  const cellsPerDay = visibleText(form.cellsPerDay);
  return {
    baseUrl,
    apiKey,
    quota: form.findOut ? null : quota,
    sharing: ownOf(was)?.sharing ?? 'me',
    settings: settingsFor(form, ownOf(was), baseUrl),
    cellsPerDay: cellsPerDay === '' ? null : Number(cellsPerDay),
  };
}

/** The form without what a check decides. */
export const withoutDialect = (form: ConnectionForm): ConnectionForm => ({
  ...form,
  ...Object.fromEntries(DIALECT_NAMES.map((name) => [name, ''])),
});

// In words

/** "Default market UK · ROI as percentage"; '' if nothing is set. */
export function settingsText(settings: ConnectionSettings): string {
  const parts = SETTING_NAMES.flatMap((name) => {
    const value = settings[name];
    if (value === undefined) return [];
    const { sum, options = [] } = FIELDS[name];
    const option = options.find(([one]) => one === value)?.[1];
    // The UK is a name, "Percentage, 25" a description.
    const [word] = option === value ? [value] : (option?.toLowerCase().split(',') ?? [value]);
    return [`${sum} ${word}`];
  });
  return asSentence(parts.join(' · '));
}

/** "Default market UK": the summary of the folded part. */
export const moreSettingsText = (form: ConnectionForm): string => settingsText(settingsOf(form));
