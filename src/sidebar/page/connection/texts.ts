// The wording of the Connection page: settings and who decided them, usage, status, messages.

import type { ConnectionSettings, Sharing } from '../../../connection/connection';
import { stopsKey } from '../../../failures/failure';
import type { Quota } from '../../../limit/limit';
import { seenText } from '../../../product/cell-text';
import {
  type Field,
  type Figures,
  fieldKind,
  fieldRow,
  fieldTitle,
  inOurUnits,
} from '../../../product/fields';
import { DEFAULT_MARKET, isMarket, marketRow } from '../../../product/market';
import type { DialectSetting } from '../../../service/dialect';
import type { CheckReport, CheckRequest } from '../../api/check';
import type { ConnectionStatus } from '../../api/connection';
import type { RpcFailure } from '../../api/failure-view';
import {
  amountText,
  asSentence,
  countText,
  eligibleText,
  momentText,
  type Options,
  ratioText,
  UI_TEXTS,
} from '../ui/texts';
import {
  type Beside,
  type Connected,
  type FieldName,
  foundLimit,
  type ProblemKind,
  type ProblemKinds,
  type Problems,
  SETTING_NAMES,
} from './form';
import { type ConnectionState, type Notice, type Refreshing, viewOf, type Waiting } from './state';

/** From this share of an allowance on, the page warns; there is still time to act. */
const NEAR_SHARE = 0.8;

export interface Usage {
  /** "312 of 2,000"; only the first number if there is no limit. */
  readonly text: string;
  /** From 0 to 1; null if there is no limit. */
  readonly share: number | null;
  readonly isNear: boolean;
}

export function usageOf({ usedToday, perDay }: Connected['cellCalls']): Usage {
  const used = usedToday.toLocaleString();
  if (perDay === null) return { text: used, share: null, isNear: false };
  const share = Math.min(1, usedToday / perDay);
  return { text: `${used} of ${perDay.toLocaleString()}`, share, isNear: share >= NEAR_SHARE };
}

/**
 * none: no key · good · caution: the limit is unknown or a check failed · bad: no calls are made.
 */
type Tone = 'none' | 'good' | 'caution' | 'bad';

export interface ChipText {
  readonly tone: Tone;
  /** Parts from left to right; the first is shortened if the column is too narrow. */
  readonly parts: readonly string[];
}

const PERIOD_SIGNS: Readonly<Record<string, string>> = {
  second: 's',
  minute: 'min',
  hour: 'h',
  day: 'day',
};

export function hostOf(baseUrl: string): string {
  return baseUrl.replace(/^[a-z]+:\/\//i, '').replace(/\/.*$/, '');
}

/** What stops this connection, from the server or from the latest check. */
function stopOf(state: ConnectionState, status: ConnectionStatus): RpcFailure | null {
  if (status.connected && status.stopped !== undefined) return status.stopped;
  if (state.check.at !== 'failed') return null;
  const { failure } = state.check;
  return stopsKey(failure.kind) ? failure : null;
}

export function chipOf(state: ConnectionState): ChipText {
  const { status } = state;
  if (status === null) {
    const isLoading = viewOf(state).at === 'loading';
    return { tone: 'none', parts: [isLoading ? 'Looking for your key' : 'Connection unknown'] };
  }
  if (!status.connected) {
    return { tone: 'none', parts: [status.demo ? 'Samples, no key' : 'No key connected'] };
  }
  const parts = [hostOf(status.baseUrl), status.keyMask];
  const stop = stopOf(state, status);
  if (stop !== null) {
    return { tone: 'bad', parts: [...parts, stop.kind === 'key-refused' ? 'refused' : 'stopped'] };
  }
  const { quota } = status;
  const limit = quota ?? foundLimit(status);
  if (limit === null) return { tone: 'caution', parts: [...parts, 'detecting'] };
  const sign = PERIOD_SIGNS[periodName(limit.perSeconds)] ?? periodName(limit.perSeconds);
  const rate = `${quota === null ? 'about ' : ''}${limit.calls.toLocaleString()}/${sign}`;
  if (state.check.at === 'failed') return { tone: 'caution', parts: [...parts, 'check failed'] };
  if (usageOf(status.cellCalls).isNear)
    return { tone: 'caution', parts: [...parts, 'near a limit'] };
  return { tone: 'good', parts: [...parts, rate] };
}

/** The one failure to show, the most recent first. */
export function failureOf(state: ConnectionState): RpcFailure | null {
  const { failure, check } = state;
  const view = viewOf(state);
  if (failure !== null || view.at !== 'connected' || state.mode === 'removing') return failure;
  const { stopped } = view.status;
  // The server reports the same failure with the time that is left, which is kept up to date.
  if (check.at === 'failed')
    return stopped?.kind === check.failure.kind ? { ...check.failure, ...stopped } : check.failure;
  return check.at === 'running' ? null : (stopped ?? null);
}

/** What removing the key would do, while the person has to confirm it. */
export function questionOf({ mode, pending, status }: ConnectionState): string | null {
  if (mode !== 'removing' || pending === 'remove' || status?.connected !== true) return null;
  return status.sharing === 'spreadsheet'
    ? 'Formulas in this spreadsheet stop answering until a key is connected again.'
    : 'Your formulas stop answering until you connect a key again.';
}

/** One sentence for people who hear the page and do not see the table appear. */
export function announcementOf(state: ConnectionState): string {
  if (state.pending === 'save') return 'Saving the connection.';
  if (state.pending === 'remove') return 'Removing the key.';
  if (state.check.at === 'running') return 'Checking: asking the service for one product.';
  if (state.check.at !== 'done') return '';
  const { report } = state.check;
  const answered = answeredIn(report);
  if (answered === null)
    return 'The key works, but the service does not know the product used for checking.';
  const { settings } = state.status?.connected ? state.status : report;
  return `${VIEW_TEXTS.connected}. ${readText(answered, settings)}`;
}

type Question = CheckReport['questions'][number];

/** The order in which a seller looks at them. */
const ORDER: readonly Field[] = [
  ...(['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d'] as const),
  ...(['buy_price', 'sell_price'] as const),
];

export type Answered = Pick<CheckReport, 'market' | 'questions'> & { readonly sent: Figures };

/** null if the service does not know the product. */
export const answeredIn = ({ sent, ...report }: CheckReport): Answered | null =>
  sent === null ? null : { ...report, sent };

/** The figures under these settings, of which a question may have changed one. */
function figuresUnder({ sent, questions }: Answered, settings: ConnectionSettings): Figures {
  const prices = questions.flatMap(({ setting, field, options }) => {
    const chosen = options.find(({ value }) => value === (settings[setting] ?? ''));
    return field === undefined ? [] : [[field, chosen?.amount ?? null] as const];
  });
  return inOurUnits({ ...sent, ...Object.fromEntries(prices) }, settings);
}

/** "$15.61", "87.2%", "yes"; a ROI whose unit is not known stays as it was sent. */
function figureText(
  { eligible, ...numbers }: Figures,
  field: Field,
  market: string,
  isRoiKnown: boolean,
): string | null {
  if (field === 'eligible') return eligible === null ? null : eligibleText(eligible);
  const value = numbers[field];
  if (value === null) return null;
  const sign = isMarket(market) ? marketRow(market).sign : '';
  if (fieldKind(field) === 'money') return amountText(sign, value);
  return field === 'roi' && (isRoiKnown || value === 0) ? ratioText(value) : value.toLocaleString();
}

/** "Profit $15.61 · ROI 87.2% · Fees $6.48 · Eligible yes · 202 rank drops" */
export function answerText(answered: Answered, settings: ConnectionSettings): string {
  const figures = figuresUnder(answered, settings);
  const parts = ORDER.flatMap((field) => {
    const text = figureText(figures, field, answered.market, settings.roiUnit !== undefined);
    const title = fieldTitle(field).replace(' 30d', '');
    if (text === null) return fieldRow(field).isNamed ? [`${title} not given`] : [];
    return [fieldKind(field) === 'count' ? `${text} ${title.toLowerCase()}` : `${title} ${text}`];
  });
  return parts.join(' · ');
}

export interface ChoiceText {
  readonly value: string;
  readonly label: string;
  readonly hint: string;
}

const UNIT_HINTS: Readonly<Record<string, string>> = {
  fraction: 'The service sends a fraction.',
  percent: 'The service sends a percentage.',
  units: 'The service sends whole amounts.',
  hundredths: 'The service sends cents or pence.',
};

/** The options of a question, each with what it makes of the answer. */
export function choicesOf(
  answered: Answered,
  { setting, field, options }: Question,
  settings: ConnectionSettings,
): readonly ChoiceText[] {
  return options.map(({ value }) => {
    const figures = figuresUnder(answered, { ...settings, [setting]: value });
    const text = (field: Field) => figureText(figures, field, answered.market, true);
    if (field !== undefined)
      return value === ''
        ? { value, label: 'Not in this answer', hint: '' }
        : { value, label: `${text(field)}`, hint: `The service calls it “${value}”.` };
    const shown = setting === 'roiUnit' ? ['roi' as const] : moneyIn(figures);
    const label = shown.map((one) => `${fieldTitle(one)} ${text(one)}`).join(' · ');
    return { value, label, hint: UNIT_HINTS[value] ?? '' };
  });
}

/** Two amounts are enough to see which unit is right. */
const moneyIn = (figures: Figures): readonly Field[] =>
  ORDER.filter((field) => fieldKind(field) === 'money' && figures[field] !== null).slice(0, 2);

/** "Profit $15.61 · ROI 87.2%. Is that right?", without the question if it could not be otherwise. */
export function readText(answered: Answered, settings: ConnectionSettings): string {
  const question = answered.questions.length === 0 ? '' : ' Is that right?';
  return `${answerText(answered, settings)}.${question}`;
}

/** The request for a check: with the product that was typed, else with the default one. */
export function requestOf({ product }: Beside): CheckRequest {
  const asin = seenText(product);
  return asin === '' ? {} : { asin };
}

const NOTICES: Readonly<Record<Extract<Notice, string>, string>> = {
  removed: 'The key was removed.',
  'limit-detected': 'The limit is being detected again.',
  'samples-off': 'Samples are off.',
  'setting-saved': 'Saved. Refresh formulas to show it.',
  'allowed-here': 'Formulas in this spreadsheet now use the key.',
  shared: 'Formulas in this spreadsheet now use your key.',
  unshared: 'The key is no longer shared. Formulas use it only in spreadsheets you own.',
};

export function noticeText(notice: Notice | null): string | null {
  if (notice === null || typeof notice === 'string') return notice && NOTICES[notice];
  const { sheet, range, isNew } = notice;
  const what = isNew ? `Added a sheet “${sheet}”, ${range}` : `Filled ${range} of “${sheet}”`;
  return `${what}. Figures are loading.`;
}

/** "The UK is written GB here. Refused: UK." */
export function marketsText(
  tried: readonly { readonly value: string; readonly accepted: boolean }[],
): string {
  const refused = tried.filter(({ accepted }) => !accepted).map(({ value }) => value);
  const taken = tried.find(({ accepted }) => accepted);
  const rest = refused.length === 0 ? '' : ` Refused: ${refused.join(', ')}.`;
  return taken === undefined
    ? `The service took none of the names of the UK.${rest}`
    : `The service takes ${taken.value} for the UK.${rest}`;
}

/**
 * The line about waiting products. @param isTold whether the reason for the delay is shown above.
 */
export function waitingText(waiting: Waiting, isTold = false): string {
  switch (waiting.at) {
    case 'none':
      return '';
    case 'working':
      return waiting.left === 1
        ? '1 product waits for the key’s limit. Asking for it now.'
        : `${waiting.left.toLocaleString()} products wait for the key’s limit. Asking for them now.`;
    case 'done':
      return waiting.isShown
        ? 'All waiting products are answered.'
        : 'All waiting products are answered. Refresh formulas to show them.';
    case 'stopped': {
      const { message, action } = waiting.failure;
      const why = isTold ? [] : [message, action];
      return ['Some products still wait for the key’s limit.', ...why].filter(Boolean).join(' ');
    }
  }
}

/** The result of a refresh that had nothing to do. */
export const NOTHING_REFRESHED = 'All formulas are up to date.';

/**
 * The line about a refresh. @param isTold whether the reason for its failure is shown elsewhere.
 */
export function refreshedText(refreshing: Refreshing, isTold = false): string {
  switch (refreshing.at) {
    case 'none':
      return '';
    case 'failed':
      return [refreshing.failure.message, refreshing.failure.action].filter(Boolean).join(' ');
    case 'working': {
      const { left, of, isStopping } = refreshing;
      if (isStopping) return 'Finishing current calls…';
      if (left === null) return of === 'products' ? 'Refreshing formulas…' : 'Adding to formulas…';
      return of === 'products'
        ? `Refreshing formulas: ${countText(left, 'product')} left.`
        : `Adding to formulas: ${count(left)} left.`;
    }
    case 'done': {
      const { refreshed, failed, left, lacking, ownRefresh } = refreshing.report;
      const counts = counted([
        [refreshed, 'refreshed.'],
        [failed, 'without figures.'],
        [lacking, 'not refreshed yet.'],
        [ownRefresh, 'with a refresh value of your own: change that.'],
      ]);
      const rest = left > 0 ? `${countText(left, 'product')} left to ask for.` : '';
      const parts = [counts, rest, problemIn(refreshing.report, isTold)];
      return parts.filter(Boolean).join(' ') || NOTHING_REFRESHED;
    }
    case 'added': {
      const { added, refused, left } = refreshing.report;
      const counts = counted([
        [added, 'will follow each refresh.'],
        [refused, 'in protected cells.'],
        [left, 'left.'],
      ]);
      return [counts, problemIn(refreshing.report, isTold)].filter(Boolean).join(' ');
    }
  }
}

/** "80 formulas refreshed. 3 without figures." What is counted is named once. */
const counted = (counts: readonly (readonly [number, string])[]): string =>
  counts
    .filter(([number]) => number > 0)
    .map(([number, what], at) =>
      at === 0 ? `${countText(number, 'formula')} ${what}` : `${count(number)} ${what}`,
    )
    .join(' ');

const problemIn = ({ problem }: { readonly problem?: RpcFailure }, isTold: boolean): string =>
  isTold ? '' : [problem?.message, problem?.action].filter(Boolean).join(' ');

/** The link that adds the refresh argument. */
export const addArgumentsLabel = (lacking: number): string =>
  `Refresh ${countText(lacking, 'more formula')}`;

const count = (of: number): string => of.toLocaleString();

/** The words beside a field of the form. */
interface FieldWords {
  readonly label: string;
  readonly hint: string;
  readonly placeholder?: string;
  /** The words for options by value; a value without words is shown itself. */
  readonly options?: Readonly<Record<string, string>>;
  /** The beginning of the setting's summary; its value follows. */
  readonly sum?: string;
}

/** The next check decides it. */
const DECIDE = 'Decide by a check';

export const FIELD_WORDS: Readonly<Record<FieldName, FieldWords>> = {
  cellsPerDay: {
    label: 'Daily call limit for formulas',
    hint: 'In this spreadsheet. Also limits lists that others run with your key.',
    placeholder: 'No limit',
  },
  defaultMarket: {
    label: 'Default market',
    hint: 'For formulas that name no market.',
    options: { '': DEFAULT_MARKET },
    sum: 'default market',
  },
  ukMarket: {
    label: 'UK market code',
    hint: 'How the service writes this market.',
    placeholder: 'UK',
    sum: 'UK as',
  },
  roiUnit: {
    label: 'ROI is sent as',
    hint: 'Formulas get the fraction.',
    options: { '': DECIDE, fraction: 'Fraction, 0.25', percent: 'Percentage, 25' },
    sum: 'ROI as',
  },
  moneyUnit: {
    label: 'Money is sent as',
    hint: 'Formulas get whole amounts.',
    options: { '': DECIDE, units: 'Amounts, 12.50', hundredths: 'Cents or pence, 1250' },
    sum: 'money as',
  },
  buyPriceName: {
    label: 'Name of the buy price',
    hint: 'If a check does not read it as buy_price.',
    placeholder: DECIDE,
    sum: 'buy price is',
  },
  sellPriceName: {
    label: 'Name of the sell price',
    hint: 'If a check does not read it as sell_price.',
    placeholder: DECIDE,
    sum: 'sell price is',
  },
};

/** The options of a field with their names. */
export const optionsOf = (name: FieldName, values: readonly string[]): Options<string> =>
  values.map((value) => [value, FIELD_WORDS[name].options?.[value] ?? value] as const);

/** "Default market UK · ROI as percentage"; '' if nothing is set. */
export function settingsText(settings: ConnectionSettings): string {
  const parts = SETTING_NAMES.flatMap((name) => {
    const value = settings[name];
    if (value === undefined) return [];
    const { sum, options } = FIELD_WORDS[name];
    const [word] = options?.[value]?.toLowerCase().split(',') ?? [value];
    return [`${sum} ${word}`];
  });
  return asSentence(parts.join(' · '));
}

const PROBLEMS: Readonly<Record<ProblemKind, string>> = {
  'no-address': 'Enter the address of the service.',
  'no-web-address': 'This is not a web address. It looks like https://api.example.com.',
  'not-https': 'The address must begin with https://.',
  'no-key': 'Paste the key you were given.',
  'key-for-new-address':
    'For a new address, enter the key again. That way it is never sent elsewhere by mistake.',
  'no-limit': 'Enter a whole number of calls, or tick “Detect automatically”.',
  'no-count': 'Enter a whole number of calls, or leave it empty.',
  'no-code': 'Use only letters, digits and . _ -',
};

export const problemTexts = (kinds: ProblemKinds): Problems =>
  Object.fromEntries(Object.entries(kinds).map(([field, kind]) => [field, PROBLEMS[kind]]));

const PERIOD_NAMES: Readonly<Record<number, string>> = {
  1: 'second',
  60: 'minute',
  3600: 'hour',
  86400: 'day',
};

export function periodName(perSeconds: number): string {
  return PERIOD_NAMES[perSeconds] ?? `${perSeconds} seconds`;
}

const quotaText = ({ calls, perSeconds }: Quota): string =>
  `${calls.toLocaleString()} per ${periodName(perSeconds)}`;

/** "60 per minute", entered or detected, and whether calls may come together. */
export function limitText(status: Connected): string {
  if (status.quota !== null)
    return quotaText(status.quota) + (status.isOneByOne ? ', one by one as the service asks' : '');
  const found = foundLimit(status);
  if (found !== null) return `Detected: about ${quotaText(found)}`;
  const { learned } = status;
  return learned === undefined ? 'Detecting' : `Detecting, so far ${quotaText(learned)}`;
}

/** For a limit that the service stated: how long it is used. */
export function advertisedText({ learned }: Connected, nowMs: number): string | null {
  if (learned?.toldUntilMs === undefined) return null;
  return `Set by the service. Kept until ${momentText(learned.toldUntilMs, nowMs)}, then detected again.`;
}

/** Shown below the field of the key while it is typed. */
export const keyEndText = (end: string, chars: number): string =>
  `Ends in …${end}, ${chars} characters.`;

export const keepKeyText = (mask: string): string => `Leave empty to keep ${mask}.`;

/** The names of the options, in the form and in its summary. */
export const SHARING_WORDS: Readonly<Record<Sharing, { label: string; hint: string }>> = {
  me: {
    label: 'Me and my spreadsheets',
    hint: 'Your runs and schedules, and formulas in spreadsheets you own, whoever edits them.',
  },
  spreadsheet: {
    label: 'This spreadsheet’s formulas',
    hint: 'Everyone who edits here spends your calls. The key is not shown to them.',
  },
};

/** "Used by me and my spreadsheets · Default market UK": the summary of the folded part. */
export function moreSettingsText(sharing: Sharing, settings: ConnectionSettings): string {
  const set = settingsText(settings);
  const user = `Used by ${SHARING_WORDS[sharing].label.toLowerCase()}`;
  return set === '' ? user : `${user} · ${set}`;
}

/** The service does not know the product that the check asked for. */
export const unknownProductText = ({ asin, market }: CheckReport): string =>
  `The service does not know the product used for checking, ${asin} on ${market}. It may know yours.`;

function secondsText(latencyMs: number): string {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return `${(latencyMs / 1000).toLocaleString(undefined, digits)} s`;
}

export const checkedText = ({ asin, market, latencyMs }: CheckReport): string =>
  `${asin} on ${market}, answered in ${secondsText(latencyMs)}`;

/** The legends of the questions of a check. */
export const QUESTION_WORDS: Readonly<Record<DialectSetting, string>> = {
  roiUnit: 'ROI',
  moneyUnit: 'Money',
  buyPriceName: 'Buy price',
  sellPriceName: 'Sell price',
};

/** "Change limit": the full label for screen readers, which read the verb alone. */
export const verbLabel = (verb: string, name: string): string => `${verb} ${name}`;

export const analyzeLabel = (sheet: string | null): string =>
  sheet === null ? UI_TEXTS.openAnalyze : `${UI_TEXTS.analyze} ${sheet}`;

/** Titles, labels, hints and buttons of the views. */
export const VIEW_TEXTS = {
  useOwnKey: 'Use my own key',
  useKeyHere: 'Use the key here',
  writingRows: 'Writing rows',
  createExample: 'Create an example sheet',
  checking: 'Checking',
  connecting: 'Connecting',
  connect: 'Connect',
  save: 'Save',
  trySamples: 'Try samples',
  replaceTheKey: 'Replace the key',
  editTheAddress: 'Edit the address',
  extra: 'extra',
  none: 'none',
  perSign: 'per',
  addressStart: 'https://',
  detectNow: 'Detect now',
  address: 'Address',
  whichAddress: 'Which address is called for analyses?',
  key: 'Key',
  replace: 'Replace',
  limit: 'Limit',
  settings: 'Settings',
  edit: 'Edit',
  stopSharing: 'Stop sharing',
  share: 'Share my key with this spreadsheet',
  limitFormulas: 'Limit formulas',
  changeTheLimit: 'Change the limit',
  keyUsedByFormulas: 'Key used by formulas',
  sharedTerms: 'Everyone’s formulas here spend your calls. No page shows the key.',
  formulasToday: 'Calls by formulas today',
  nearOwnLimit: 'Near your daily limit. Formulas then wait until tomorrow.',
  stopRefreshing: 'Stop refreshing',
  refreshFormulasNow: 'Refresh formulas now',
  refreshTerms: 'Figures younger than 6 hours use no calls.',
  addArgumentsTerms:
    'Adds ANALYZE_REFRESH to them. Each is calculated once and then follows every refresh.',
  removeKey: 'Remove key',
  tryingSamples: 'Trying samples',
  samplesLead:
    'Formulas in this spreadsheet answer for a dozen invented products, marked as samples.',
  samplesCost: 'No key needed, no calls made.',
  samplesOnly: 'Other products are not answered.',
  samplesEnd: 'Samples stop when you connect a key.',
  stopSamples: 'Stop samples',
  unreached: 'Your connection could not be read just now. Nothing was changed.',
  field: 'Field',
  readAs: 'Read as',
  value: 'Value',
  extraFields: 'Formulas can ask for an extra field by its own name.',
  asking: 'Asking the service for one product',
  checkProduct: 'Product to check with',
  checkProductHint: 'Test with an ASIN (optional)',
  checkAgain: 'Check again',
  check: 'Check',
  theKeyWorks: 'The key works',
  connected: 'Connected',
  checkLead: 'One real call shows that the key works and decides how answers are read.',
  checkFailed: 'Last check failed.',
  tryMarkets: 'Find the UK market code',
  tryMarketsHint: 'Takes a few calls.',
  fieldNames: 'Field names',
  keyHint: 'Kept at Google for this add-on. Only the last 4 characters are shown.',
  calls: 'Calls',
  per: 'Per',
  detectAutomatically: 'Detect automatically',
  detectHint: 'Starts slowly, then speeds up to your key’s limit.',
  whoUsesIt: 'Who uses it',
  forDevelopers: 'For developers',
  forDevelopersHint: 'Market code, units and field names',
  moreSettings: 'More settings',
  changeTheConnection: 'Change the connection',
  connectYourKey: 'Connect your key',
  connectLead: 'Paste the whole message with your address and key. We’ll test it with one call.',
} as const;
