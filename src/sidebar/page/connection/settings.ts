// What a person may say where the service's description is silent: typed, checked, summed up.
import type { ConnectionSettings } from '../../rpc-contract';

type SettingName = keyof ConnectionSettings;

/** Each setting as its field holds it; empty is not set. */
export type SettingsForm = {
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

/** What can be chosen, with the name that a person reads. */
export type Options<Value extends string> = readonly (readonly [value: Value, name: string])[];

/** Formulas that name no market mean the US unless something else is set. */
export const DEFAULT_MARKETS: Options<SettingsForm['defaultMarket']> = [
  ['', 'US'],
  ['UK', 'UK'],
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

/** The option that `value` is, else none. */
export function optionOf<Value extends string>(options: Options<Value>, value: unknown) {
  return options.find(([one]) => one === value)?.[0] ?? '';
}

export function settingsFormOf(settings: ConnectionSettings): SettingsForm {
  return {
    ...EMPTY_SETTINGS,
    ...settings,
    defaultMarket: optionOf(DEFAULT_MARKETS, settings.defaultMarket),
  };
}

/** What was kept from an earlier time, of which nothing is certain. */
export function settingsFormFrom(kept: (name: SettingName) => unknown): SettingsForm {
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

export function settingsProblemsOf({ ukMarket }: SettingsForm): SettingsProblems {
  return /^[\w.-]*$/.test(ukMarket.trim())
    ? {}
    : { ukMarket: 'A market is written in letters, digits and . _ - alone.' };
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
