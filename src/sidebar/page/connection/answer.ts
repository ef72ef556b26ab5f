// The answer of a check in a seller's words, and the choices for what it leaves open.

import type { ConnectionSettings } from '../../../connection/connection';
import {
  eligibilityWord,
  FIELDS,
  type Field,
  type Figures,
  fieldKind,
  fieldRow,
  fieldTitle,
  figureWords,
  inOurUnits,
  isFraction,
} from '../../../product/fields';
import { isMarket, marketRow } from '../../../product/market';
import type { CheckReport } from '../../api/check';
import { amountText, ratioText } from '../ui/texts';

type Question = CheckReport['questions'][number];

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
  figures: Figures,
  field: Field,
  market: string,
  isRoiKnown: boolean,
): string | null {
  const value = figures[field];
  if (value === null) return null;
  if (typeof value !== 'number') return eligibilityWord(value).toLowerCase();
  const sign = isMarket(market) ? marketRow(market).sign : '';
  if (fieldKind(field) === 'money') return amountText(sign, value);
  const isShare = isFraction(field, isRoiKnown || value === 0);
  return isShare ? ratioText(value) : value.toLocaleString();
}

/** "Profit $15.61 · ROI 87.2% · Fees $6.48 · Eligible yes · 202 rank drops" */
export function answerText(answered: Answered, settings: ConnectionSettings): string {
  const figures = figuresUnder(answered, settings);
  const parts = FIELDS.flatMap((field) => {
    const text = figureText(figures, field, answered.market, settings.roiUnit !== undefined);
    const title = figureWords(field);
    if (text === null) return fieldRow(field).isNamed ? [`${title} not given`] : [];
    return [fieldKind(field) === 'count' ? `${text} ${title.toLowerCase()}` : `${title} ${text}`];
  });
  return parts.join(' · ');
}

/** "Profit $15.61 · ROI 87.2%. Is that right?", without the question if it could not be otherwise. */
export function readText(answered: Answered, settings: ConnectionSettings): string {
  const question = answered.questions.length === 0 ? '' : ' Is that right?';
  return `${answerText(answered, settings)}.${question}`;
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

/** Two amounts are enough to see which unit is right. */
const moneyIn = (figures: Figures): readonly Field[] =>
  FIELDS.filter((field) => fieldKind(field) === 'money' && figures[field] !== null).slice(0, 2);

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
