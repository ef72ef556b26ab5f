// What counts for a list: one of its products worked out line by line, each line with its picker, and the
// questions that are open.

import { useState } from 'preact/hooks';
import { RULES } from '../../../deal/rules-tab';
import type { SampleOffer, ShownList } from '../../../deal/shown-list';
import { costColumn, priceUses, profitWith, type SumLine, type SumRole } from '../../../deal/sum';
import type { CostMeant, ListColumn, PackUse } from '../../../list/cost-choice';
import { type CostKey, RULE_COSTS, type RuleCost } from '../../../product/cost';
import { type RuleKey, type RuleValues, USUAL } from '../../../product/deal-rules';
import {
  BASE_CURRENCY,
  hasVat,
  isMarket,
  type Market,
  marketRow,
  OTHER_CURRENCIES,
  type VatMarket,
  vatOn,
} from '../../../product/market';
import { salesTaxRule, VAT_SIDES, type VatPart, vatRule } from '../../../product/vat';
import { Unfold } from '../ui/doing';
import { Picker, Select, Steps } from '../ui/fields';
import { amountText, asSentence, countText, ratioText } from '../ui/texts';
import * as deals from './deals';
import { Figure, profileInUse } from './rules';
import {
  columnText,
  fromText,
  isCounted,
  Line,
  type LineProps,
  type Worked,
  wordOf,
  workedOut,
} from './sum';

interface Option {
  readonly text: string;
  readonly isShown?: boolean;
  press(): void;
}

interface PickProps {
  readonly id: string;
  readonly label: string;
  readonly options: readonly Option[];
}

function Pick({ id, label, options }: PickProps) {
  const shown = options.findIndex(({ isShown }) => isShown);
  return (
    <Select
      id={id}
      label={label}
      value={shown < 0 ? '' : String(shown)}
      options={[
        ...(shown < 0 ? [['', 'Choose'] as const] : []),
        ...options.map(({ text }, at) => [String(at), text] as const),
      ]}
      choose={(at) => options[Number(at || -1)]?.press()}
    />
  );
}

/** The rules that may hold a value for the whole list, and what a person has typed into them. */
function Value({ rule, worked }: { readonly rule: RuleKey; readonly worked: Worked }) {
  const row = RULES.find(({ key }) => key === rule);
  const values: RuleValues = profileInUse(worked.seen.look)?.values ?? USUAL;
  if (row === undefined) return null;
  return (
    <ul class="value">
      <Figure rule={row} value={values[rule]} sign={worked.sign} />
    </ul>
  );
}

interface AskedProps extends LineProps {
  readonly cells: readonly unknown[];
}

const PACK_WORDS: Readonly<Record<PackUse, string>> = {
  ignored: 'Price of one',
  divides: 'price of a case',
  multiplies: 'sold together',
};

/** "E “Pack size”, price of a case: 9 ÷ 2 = 4.50" */
function packText({ column, pack = 'ignored', packColumn }: CostMeant, cells: AskedProps['cells']) {
  const words = PACK_WORDS[pack];
  if (packColumn === undefined || pack === 'ignored') return asSentence(words);
  const meant = `${columnText(packColumn)}, ${words}`;
  const [cost, units] = [cells[column.column - 1], cells[packColumn.column - 1]];
  if (typeof cost !== 'number' || typeof units !== 'number' || units <= 0) return meant;
  const [by, sum] = pack === 'divides' ? ['÷', cost / units] : ['×', cost * units];
  return `${meant}: ${cost} ${by} ${units} = ${amountText('', sum)}`;
}

/** What titles say that the cost may be the price of. */
const namedUses = (seen: ShownList): readonly CostMeant[] =>
  priceUses(seen).filter(({ pack }) => pack !== undefined);

/** Where titles say nothing of it, any free column may have the units in a case. */
function anyUses(seen: ShownList): readonly CostMeant[] {
  const column = costColumn(seen);
  if (column === undefined) return [];
  const used = Object.values({ ...seen.costs, pack: undefined }).map((one) => one?.column);
  return seen.look.columns
    .filter((one) => !used.includes(one.column))
    .map((packColumn) => ({ column, pack: 'divides', packColumn }));
}

/** What the column of a line's amounts is bound as. */
const columnKey = ({ role }: SumLine): CostKey =>
  role === 'tax' ? 'salesTax' : (role as RuleCost | 'cost' | 'quantity');

/** The rule that holds one value of a line for the whole list. */
function ruleOf({ role }: SumLine, { paidIn }: Worked): RuleKey | undefined {
  if (role === 'tax' && !hasVat(paidIn)) return salesTaxRule(paidIn);
  return RULE_COSTS.find((one) => one === role);
}

/** The columns that a role may be taken from, those that are asked about first. */
function columnOptions({ line, worked }: LineProps, key = columnKey(line)): readonly Option[] {
  if (key === 'cost') {
    const { choices } = worked.seen;
    const at = costColumn(worked.seen)?.column;
    const isFirst = ({ column }: CostMeant, index: number) =>
      choices.findIndex((one) => one.column.column === column.column) === index;
    return choices.filter(isFirst).map(({ column }) => ({
      text: columnText(column),
      isShown: column.column === at && worked.seen.costs.cost !== undefined,
      press: () => void deals.chooseCost({ column }),
    }));
  }
  const { open, look, costs } = worked.seen;
  const question = open.find((one) => one.role === key);
  const asked = question?.columns ?? [];
  const used = Object.values(costs).map(({ column }) => column);
  const isFree = ({ column }: ListColumn) =>
    !asked.some((one) => one.column === column) && !used.includes(column);
  const own = costs[key];
  const columns = [
    ...asked,
    ...(own && asked.length === 0 ? [own] : []),
    ...look.columns.filter(isFree),
  ];
  const { as, example = 0 } = question ?? {};
  return columns.flatMap((column): readonly Option[] => {
    if (as !== undefined && asked.includes(column))
      return as.map((one) => ({
        text: `${columnText(column)}: ${key === 'quantity' ? one : `${example} is ${Number((one === 'percent' ? example : example * 100).toFixed(4))}%`}`,
        press: () => void deals.chooseColumn(key, column, one),
      }));
    return [
      {
        text: columnText(column),
        isShown: question === undefined && own?.column === column.column,
        press: () => void deals.chooseColumn(key, column),
      },
    ];
  });
}

/** What an offer costs: from a column, of one value for all, or nothing. */
function CostPick(props: AskedProps) {
  const { line, worked, cells } = props;
  const { role, from, isUnsure } = line;
  const [isTyping, setTyping] = useState(false);
  const { seen } = worked;
  const rule = ruleOf(line, worked);
  const named = role === 'pack' ? namedUses(seen) : [];
  const uses = role === 'pack' && named.length === 0 ? anyUses(seen) : named;
  const column = costColumn(seen);
  const isAll = from === 'all' || isTyping;
  const to = (isAsked: boolean, press: () => void) => () => {
    setTyping(isAsked);
    press();
  };
  const nothing = () => {
    if (rule !== undefined && from === 'all') void deals.setRule(rule, null);
    else if (role !== 'pack') void deals.chooseColumn(columnKey(line), null);
    else if (column !== undefined) void deals.chooseCost({ column, pack: 'ignored' });
  };
  const columns: readonly Option[] =
    role === 'pack'
      ? uses.map((use) => ({
          text: packText(use, cells),
          isShown:
            seen.costs.cost !== undefined &&
            !isUnsure &&
            seen.packUse === use.pack &&
            (use.pack === 'ignored' ||
              use.packColumn?.column ===
                (use.pack === 'divides' ? seen.costs.pack : seen.costs.multipack)?.column),
          press: () => void deals.chooseCost(use),
        }))
      : columnOptions(props);
  const isNone = from === null && !isUnsure;
  const others: readonly Option[] = [
    ...(rule === undefined
      ? []
      : [
          {
            text: 'One value for all',
            isShown: isAll,
            press: () => {
              if (typeof from === 'object' && from !== null) nothing();
            },
          },
        ]),
    ...(role === 'cost' || named.length > 0
      ? []
      : [{ text: 'None', isShown: isNone && !isTyping, press: nothing }]),
  ];
  return (
    <>
      <Pick
        id={deals.lineId(role)}
        label={wordOf(line, worked)}
        options={[
          ...columns.map((one) => ({ ...one, press: to(false, one.press) })),
          ...others.map((one, at) => ({
            ...one,
            press: to(rule !== undefined && at === 0, one.press),
          })),
        ]}
      />
      {isAll && rule !== undefined && <Value rule={rule} worked={worked} />}
    </>
  );
}

const VAT_WORDS: Readonly<Record<Exclude<VatPart, 'FlatRate'>, string>> = {
  Scheme: 'VAT scheme',
  Rate: 'VAT rate of the products',
  Costs: 'Costs with VAT or without',
  Fees: 'Fees with VAT or without',
};

interface VatPickProps {
  readonly of: VatMarket;
  readonly part: keyof typeof VAT_WORDS;
  readonly answers: readonly (string | number)[];
  readonly line: SumLine;
  readonly worked: Worked;
}

/** Until one is chosen, each answer says what it makes of the product's profit. */
function VatPick({ of, part, answers, line, worked }: VatPickProps) {
  const { seen, row, sign, market, paidIn } = worked;
  const isTaxed = market === of || paidIn === of;
  const rule = vatRule(of, part);
  const said = seen.terms.inUse[rule];
  const isSaid = answers.some((answer) => answer === said);
  const textOf = (answer: string | number) => {
    const words = typeof answer === 'number' ? ratioText(answer) : answer;
    const isShown = row !== null && !isSaid && isTaxed;
    const profit = isShown ? profitWith(seen, row, { market: of, part }, answer) : null;
    return profit === null ? words : `${words}: profit ${amountText(sign, profit)}`;
  };
  return (
    <Pick
      id={part === 'Rate' ? `${deals.lineId(line.role)}-rate` : deals.lineId(line.role)}
      label={VAT_WORDS[part]}
      options={answers.map((answer) => ({
        text: textOf(answer),
        isShown: answer === said,
        press: () => void deals.setRule(rule, answer),
      }))}
    />
  );
}

function VatPicks({ of, ...pick }: Pick<VatPickProps, 'of' | 'worked'> & LineProps) {
  const { schemes, rates } = vatOn(of);
  const { terms, costs, open } = pick.worked.seen;
  const isFlat = terms.inUse[vatRule(of, 'Scheme')] === 'Flat rate';
  const isAsked = open.some(({ role }) => role === 'vatRate');
  const none = () => void deals.chooseColumn('vatRate', null);
  return (
    <>
      <VatPick {...pick} of={of} part="Scheme" answers={schemes} />
      {(isAsked || costs.vatRate) && (
        <Pick
          id={`${deals.lineId('vat')}-column`}
          label="VAT rate of each row"
          options={[...columnOptions(pick, 'vatRate'), { text: 'One rate for all', press: none }]}
        />
      )}
      <VatPick {...pick} of={of} part="Rate" answers={rates.map(({ rate }) => rate)} />
      {isFlat && <Value rule={vatRule(of, 'FlatRate')} worked={pick.worked} />}
    </>
  );
}

function CurrencyPick({ seen }: Pick<Worked, 'seen'>) {
  const { isOfBoth, rules } = seen.look;
  if (!isOfBoth) return null;
  return (
    <Pick
      id={`${deals.lineId('cost')}-currency`}
      label="Currency of costs"
      options={seen.look.markets
        .filter(isMarket)
        .map(marketRow)
        .map(({ currency, sign }) => ({
          text: `in ${currency} ${sign}`,
          isShown: rules?.currency === currency,
          press: () => void deals.chooseCurrency(currency),
        }))}
    />
  );
}

/** What is asked in an amber line. */
function askText({ role }: SumLine, { seen, vatMarket }: Worked): string {
  const { terms, open } = seen;
  if (role === 'cost')
    return costColumn(seen) !== undefined && seen.costs.cost !== undefined
      ? 'Which currency are your costs in?'
      : 'Which column is what you pay?';
  if (role === 'pack')
    return seen.costs.cost === undefined
      ? 'Is it the price of one, or of a case?'
      : 'It is the price of a case. How many are in it?';
  if (role === 'tax') return 'Do your costs include VAT?';
  if (role === 'fees') return 'Do the fees include VAT? Look at one fee of the service’s.';
  if (role === 'vat') {
    const scheme = vatMarket && terms.inUse[vatRule(vatMarket, 'Scheme')];
    if (scheme && open.some((one) => one.role === 'vatRate'))
      return 'Which column has the VAT rate, if any?';
    if (scheme === 'Flat rate') return 'What is your flat rate?';
    return scheme ? 'Which rate do your products have?' : 'How do you pay VAT?';
  }
  const { as, columns = [] } = open.find((one) => one.role === role) ?? {};
  if (as !== undefined)
    return role === 'quantity' ? 'Does it count cases, or units?' : 'Percent, or a fraction?';
  return columns.length === 1 ? 'Is it this column?' : 'Which column is it, if any?';
}

function Control(props: AskedProps) {
  const { line, worked } = props;
  const { role, from } = line;
  const { paidIn, vatMarket } = worked;
  const pick = { worked, line };
  if (from === 'title' || from === 'cost')
    return <span class="hint">{fromText(line, worked)}</span>;
  if (role === 'returns') return <Value rule={role} worked={worked} />;
  if (role === 'tax' && hasVat(paidIn))
    return <VatPick {...pick} of={paidIn} part="Costs" answers={VAT_SIDES} />;
  if (role === 'fees')
    return vatMarket && (hasVat(worked.market) || line.isUnsure) ? (
      <VatPick {...pick} of={vatMarket} part="Fees" answers={VAT_SIDES} />
    ) : null;
  if (role === 'vat') return vatMarket ? <VatPicks {...pick} of={vatMarket} /> : null;
  return (
    <>
      <CostPick {...props} />
      {role === 'cost' && <CurrencyPick seen={worked.seen} />}
    </>
  );
}

const RESULTS: readonly SumRole[] = ['landed', 'sale', 'profit'];

function AskedLine(props: AskedProps) {
  const { line, worked } = props;
  if (RESULTS.includes(line.role)) return <Line {...props} />;
  return (
    <Line line={line} worked={worked} ask={line.isUnsure ? askText(line, worked) : undefined}>
      <span class="from">
        <Control {...props} />
      </span>
    </Line>
  );
}

const sampleNow = ({ samples }: ShownList): SampleOffer | null =>
  samples[deals.sampleAt.value] ?? samples[0] ?? null;

/** What counts for the list, worked out for one of its products. */
export function AskedSum({ seen }: Pick<Worked, 'seen'>) {
  const { samples, unused } = seen;
  const sample = sampleNow(seen);
  const at = sample === null ? -1 : samples.indexOf(sample);
  const row = sample?.offer ?? null;
  const worked = workedOut(seen, row);
  const lines = (counted: boolean) => (
    <ul class="sum">
      {worked.lines
        .filter((line) => isCounted(line) === counted)
        .map((line) => (
          <AskedLine key={line.role} line={line} worked={worked} cells={sample?.cells ?? []} />
        ))}
    </ul>
  );
  return (
    <section aria-label="What counts">
      {row !== null && (
        <Steps
          text={`${row.name || row.shown} · row ${row.row}`}
          of="product"
          can={(by) => samples[at + by] !== undefined}
          step={(by) => {
            deals.sampleAt.value = at + by;
          }}
        />
      )}
      {lines(true)}
      <Unfold id="deals-more" name="Not counted">
        {lines(false)}
        {unused.length > 0 && <p class="hint">Nor {unused.map(columnText).join(', ')}.</p>}
      </Unfold>
    </section>
  );
}

/** The market on view of a list with several, and the rates at which costs are converted. */
export function BothMarkets({ seen }: Pick<Worked, 'seen'>) {
  const { rules, market, isOfBoth } = seen.look;
  if (!isOfBoth) return null;
  const markets = seen.look.markets.filter(isMarket);
  const currencies = OTHER_CURRENCIES.filter((currency) =>
    markets.some((one) => marketRow(one).currency === currency),
  );
  const rates = rules === null ? [] : currencies.map((one) => [one, rules.rates[one]] as const);
  return (
    <div class="picks">
      <Picker
        id="deals-market"
        label="Market"
        value={market}
        options={markets.map((one) => [one, one] as const)}
        choose={(one) => void deals.chooseMarket(one as Market)}
      />
      {rates.map(([one, rate]) => (
        <p key={one} class={rate === undefined ? 'remark caution' : 'hint'}>
          {rate === undefined
            ? `No exchange rate. In the tab “Deal rules”, type what 1 ${one} is in ${BASE_CURRENCY} beside “${one} to ${BASE_CURRENCY}”.`
            : `1 ${one} = ${rate.toLocaleString(undefined, { maximumFractionDigits: 4 })} ${BASE_CURRENCY}, in the tab “Deal rules”.`}
        </p>
      ))}
    </div>
  );
}

/** The number of lines without an answer. Decisions wait for them. */
const left = (seen: ShownList): number =>
  workedOut(seen, seen.samples[0]?.offer ?? null).lines.filter(({ isUnsure }) => isUnsure).length;

/** Whether anything has to be said before rows are decided, as far as it was read. */
export const isOpen = (seen: ShownList): boolean =>
  (seen.summary === null || seen.samples.length > 0) && left(seen) > 0;

/** Of whose VAT the first question is. */
export const vatOf = (seen: ShownList): VatMarket | undefined =>
  workedOut(seen, seen.samples[0]?.offer ?? null).vatMarket;

/** "1 question left" */
export const leftText = (seen: ShownList): string => `${countText(left(seen), 'question')} left`;

/** Leads to the first line that is asked about. */
export function answer(): void {
  deals.sampleAt.value = 0;
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>('.sum .unsure :is(select, input)')?.focus(),
  );
}
