// What a person says of a list before its rows are decided: costs, columns, currency and VAT.

import type { ShownList } from '../../../deal/list';
import { RULES } from '../../../deal/rules-tab';
import type { CostMeant, CostQuestion, ListColumn, PackUse } from '../../../list/cost-choice';
import { COST_KEYS, type CostKey, type RateReading } from '../../../product/cost';
import { type Currency, MARKETS, type Market, marketRow } from '../../../product/market';
import { Picker } from '../ui/fields';
import type { BarButton } from '../ui/page';
import { amountText, asSentence, UI_TEXTS } from '../ui/texts';
import * as deals from './deals';
import { Figure, figureId } from './rules';

interface ListProps {
  readonly seen: ShownList;
}

const CHOOSE = ['', 'Choose'] as const;

/** `C “Price”` */
const columnText = ({ letter, title }: ListColumn): string => `${letter} “${title}”`;

const COST_WORDS: Readonly<Record<CostKey, string>> = {
  cost: 'cost',
  quantity: 'quantity',
  pack: 'units in a case',
  multipack: 'units in one sale',
  discount: 'discount',
  prep: 'prep',
  shipping: 'shipping',
  other: 'other costs',
};

const PACK_WORDS: Readonly<Record<PackUse, string>> = {
  ignored: 'for one unit',
  divides: 'for a pack',
  multiplies: 'for one of a pack',
};

/** "C “Price”, for a pack: 9 ÷ 2 = 4.50". @param example the cells of a row. */
export function costText(
  { column, pack: use, packColumn }: CostMeant,
  example: ShownList['example'],
): string {
  if (use === undefined) return columnText(column);
  const meant = `${columnText(column)}, ${PACK_WORDS[use]}`;
  const cellOf = (one: ListColumn | undefined) => example[(one?.column ?? 0) - 1];
  const cost = cellOf(column);
  const units = cellOf(packColumn);
  if (typeof cost !== 'number' || typeof units !== 'number' || units <= 0) return meant;
  const sums: Readonly<Record<PackUse, string>> = {
    ignored: amountText('', cost),
    divides: `${cost} ÷ ${units} = ${amountText('', cost / units)}`,
    multiplies: `${cost} × ${units} = ${amountText('', cost * units)}`,
  };
  return `${meant}: ${sums[use]}`;
}

export function Costs({ seen }: ListProps) {
  const { choices, costs, example, open, unused, packUse } = seen;
  const ofPack = packUse === 'divides' ? costs.pack : costs.multipack;
  const shown = choices.findIndex(
    ({ column, pack, packColumn }) =>
      column.column === costs.cost?.column &&
      pack === packUse &&
      (pack === 'ignored' || packColumn?.column === ofPack?.column),
  );
  const none = costs.cost === undefined ? [['', UI_TEXTS.chooseColumn] as const] : [];
  const others = COST_KEYS.flatMap((key) => {
    const column = key === 'cost' ? undefined : costs[key];
    return column === undefined ? [] : [`${COST_WORDS[key]} in ${columnText(column)}`];
  });
  return (
    <div class="picks">
      <Picker
        id={deals.COST}
        label="My cost"
        value={shown < 0 ? '' : String(shown)}
        options={[
          ...none,
          ...choices.map((meant, at) => [String(at), costText(meant, example)] as const),
        ]}
        choose={(value) => {
          const meant = choices[Number(value)];
          if (value !== '' && meant !== undefined) void deals.chooseCost(meant);
        }}
      />
      {costs.cost !== undefined &&
        open.map((question) => <ColumnQuestion key={question.role} question={question} />)}
      {others.length > 0 && <p class="hint">Also used: {others.join(', ')}.</p>}
      {unused.length > 0 && <p class="hint">Not used: {unused.map(columnText).join(', ')}.</p>}
    </div>
  );
}

/** `D “Discount”: 0.5 is 0.5%` */
const meantText = (column: ListColumn, rate: number, as?: RateReading): string =>
  as === undefined
    ? columnText(column)
    : `${columnText(column)}: ${rate} is ${Number((as === 'percent' ? rate : rate * 100).toFixed(4))}%`;

/** Which of these columns is it, if any? */
function ColumnQuestion({ question }: { readonly question: CostQuestion }) {
  const { role, columns, as = [undefined], example = 0 } = question;
  if (columns.length === 0)
    return (
      <p class="remark caution">
        Your cost is that of a case, and no column says how many are in it. Type it under Rules:
        “Units in a case”.
      </p>
    );
  const answers = [...columns.flatMap((column) => as.map((one) => ({ column, as: one }))), null];
  return (
    <Picker
      id={deals.askedId(role)}
      label={`${asSentence(COST_WORDS[role])}?`}
      value=""
      options={[
        CHOOSE,
        ...answers.map(
          (one, at) =>
            [String(at), one ? meantText(one.column, example, one.as) : 'None of these'] as const,
        ),
      ]}
      choose={(value) => {
        const answer = answers[Number(value)];
        if (value !== '') void deals.chooseColumn(role, answer?.column ?? null, answer?.as);
      }}
    />
  );
}

/** For a list with both markets: which one is shown, and the currency of costs. */
export function BothMarkets({ seen }: ListProps) {
  const { rules, market, isOfBoth } = seen.look;
  if (!isOfBoth) return null;
  const none = rules?.currency ? [] : [CHOOSE];
  const rate = rules?.rate?.toLocaleString(undefined, { maximumFractionDigits: 4 });
  return (
    <div class="picks">
      <Picker
        id="deals-market"
        label="Market"
        value={market}
        options={MARKETS.map((one) => [one, one] as const)}
        choose={(one) => void deals.chooseMarket(one as Market)}
      />
      <Picker
        id={deals.CURRENCY}
        label="Costs in"
        value={rules?.currency ?? ''}
        options={[
          ...none,
          ...MARKETS.map((one) => marketRow(one)).map(
            ({ currency, sign }) => [currency, `${currency} ${sign}`] as const,
          ),
        ]}
        choose={(one) => one !== '' && void deals.chooseCurrency(one as Currency)}
      />
      {rules !== null && (
        <p class={rate === undefined ? 'remark caution' : 'hint'}>
          {rate === undefined
            ? 'No exchange rate. In the tab “Deal rules”, type what 1 GBP is in USD beside “GBP to USD”.'
            : `1 GBP = ${rate} USD, in the tab “Deal rules”.`}
        </p>
      )}
    </div>
  );
}

/** "Standard: profit £3.80", "20%" */
function answerText(value: string | number, profit: number | null): string {
  const answer = typeof value === 'number' ? `${value * 100}%` : value;
  return profit === null ? answer : `${answer}: profit ${amountText(marketRow('UK').sign, profit)}`;
}

function VatQuestion({ rule, choices }: ShownList['questions'][number]) {
  const row = RULES.find(({ key }) => key === rule);
  if (row === undefined) return null;
  if (choices.length === 0)
    return (
      <ul>
        <Figure rule={row} value={null} sign="" />
      </ul>
    );
  const answers = choices.map(
    ({ value, profit }) => [String(value), answerText(value, profit)] as const,
  );
  return (
    <Picker
      id={deals.askedId(rule)}
      label={row.label}
      value=""
      options={[CHOOSE, ...answers]}
      choose={(answer) => {
        const chosen = choices.find(({ value }) => String(value) === answer);
        if (chosen !== undefined) void deals.setRule(rule, chosen.value);
      }}
    />
  );
}

/** What is not known about VAT yet, each with what its answers make of the first product. */
export function VatQuestions({ seen: { questions } }: ListProps) {
  if (questions.length === 0) return null;
  return (
    <div class="picks asked">
      <p class="hint">
        VAT not set: until this is answered, UK offers are Maybe. Each answer shows what it makes of
        the first product, with all else as it stands.
      </p>
      {questions.map((question) => (
        <VatQuestion key={question.rule} {...question} />
      ))}
    </div>
  );
}

/** While the currency of costs is missing, nothing is decided: two currencies could be confused. */
const isCurrencyMissing = ({ look }: ShownList): boolean =>
  look.isOfBoth && (look.rules?.currency ?? null) === null;

/** Whether anything has to be said before rows are decided. */
export const isOpen = (seen: ShownList): boolean =>
  seen.costs.cost === undefined ||
  seen.open.length > 0 ||
  isCurrencyMissing(seen) ||
  seen.questions.length > 0;

/** Leads to what has to be answered before anything is decided; null: nothing can be answered here. */
export function questionButton(seen: ShownList): BarButton | null {
  const to = (label: string, id: string): BarButton => ({
    label,
    press: () => document.getElementById(id)?.focus(),
  });
  if (seen.costs.cost === undefined) return to('Choose your cost', deals.COST);
  const [open] = seen.open.filter(({ columns }) => columns.length > 0);
  if (open !== undefined) return to('Choose your columns', deals.askedId(open.role));
  if (isCurrencyMissing(seen)) return to('Choose the currency of costs', deals.CURRENCY);
  const [question] = seen.questions;
  if (question === undefined) return null;
  const { rule, choices } = question;
  const words = rule === 'ukScheme' ? 'Choose your VAT scheme' : 'Set VAT';
  return to(words, choices.length === 0 ? figureId(rule) : deals.askedId(rule));
}
