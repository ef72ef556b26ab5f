// One product worked out line by line, for the list, where each line has its picker, and for its selected row.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Sample, ShownList } from '../../../deal/list';
import type { Offer } from '../../../deal/offers';
import { AS_LISTED, dealAt } from '../../../deal/product-card';
import { RULES } from '../../../deal/rules-tab';
import {
  costColumn,
  priceUses,
  profitWith,
  type SumLine,
  type SumRole,
  sumOf,
  vatMarketOf,
  type Why,
} from '../../../deal/sum';
import type { CostMeant, ListColumn, PackUse } from '../../../list/cost-choice';
import { RULE_COSTS } from '../../../product/cost';
import { type RuleKey, type RuleValues, USUAL } from '../../../product/deal-rules';
import {
  BASE_CURRENCY,
  DEFAULT_MARKET,
  hasVat,
  isMarket,
  type Market,
  marketRow,
  OTHER_CURRENCIES,
  type VatMarket,
  vatOn,
} from '../../../product/market';
import { salesTaxRule, VAT_SIDES, type VatPart, vatRule } from '../../../product/vat';
import type { Deal } from '../../../product/verdict';
import { nowMs } from '../ui/app';
import { Unfold } from '../ui/doing';
import { Picker, Select } from '../ui/fields';
import { amountText, asSentence, countText, ratioText } from '../ui/texts';
import * as deals from './deals';
import { Figure, profileInUse } from './rules';

/** `C “Price”` */
const columnText = ({ letter, title }: ListColumn): string => `${letter} “${title}”`;

const WORDS: Readonly<Record<SumRole, string>> = {
  cost: 'Cost',
  tax: 'VAT on it',
  discount: 'Discount',
  pack: 'in a case',
  multipack: 'in one sale',
  prep: 'Prep',
  shipping: 'Shipping',
  other: 'Other costs',
  landed: 'Landed cost',
  sale: 'Sells at',
  returns: 'Returns',
  vat: 'VAT',
  fees: 'Fees',
  profit: 'My profit',
  quantity: 'to buy',
};

/** Lines that are there whatever the list has. */
const ALWAYS: readonly SumRole[] = ['cost', 'landed', 'sale', 'vat', 'fees', 'profit'];
const COUNTS: readonly SumRole[] = ['pack', 'multipack', 'quantity'];

/** Where the list's products are sold, unless its rows say it. */
const marketOf = ({ look }: ShownList): Market =>
  look.market === 'column' ? DEFAULT_MARKET : look.market;

interface Worked {
  readonly seen: ShownList;
  /** null: the list has no product yet. */
  readonly row: Offer | null;
  readonly market: Market;
  /** Of whose tax the cost is. */
  readonly paidIn: Market;
  /** Whose VAT the lines of sale and fees are about; undefined: there is none. */
  readonly vatMarket: VatMarket | undefined;
  readonly sign: string;
  readonly deal: Deal | null;
  readonly lines: readonly SumLine[];
}

function workedOut(seen: ShownList, row: Offer | null): Worked {
  const market = row?.product?.market ?? marketOf(seen);
  const deal = row === null ? null : dealAt(row, AS_LISTED, seen.terms.inUse, nowMs());
  return {
    ...{ seen, row, market, deal, paidIn: row?.paidIn ?? market, sign: marketRow(market).sign },
    vatMarket: vatMarketOf(seen, row, market),
    lines: sumOf(seen, row, market, deal),
  };
}

// What a line is taken from, in words

/** "With VAT", "Standard 20%", "for all" */
function ruleText({ role }: SumLine, { seen, paidIn, vatMarket }: Worked): string {
  const { inUse } = seen.terms;
  const textOf = (key: RuleKey) => {
    const value = inUse[key] ?? '';
    return typeof value === 'number' ? ratioText(value) : String(value);
  };
  if (role === 'tax')
    return textOf(hasVat(paidIn) ? vatRule(paidIn, 'Costs') : salesTaxRule(paidIn));
  if (vatMarket !== undefined && role === 'fees') return textOf(vatRule(vatMarket, 'Fees'));
  if (vatMarket !== undefined && role === 'vat') {
    const scheme = textOf(vatRule(vatMarket, 'Scheme'));
    return `${scheme} ${textOf(vatRule(vatMarket, scheme === 'Flat rate' ? 'FlatRate' : 'Rate'))}`;
  }
  return 'for all';
}

function fromText(line: SumLine, worked: Worked): string {
  const { from, role } = line;
  if (from === null) return '';
  if (from === 'title')
    return role === 'tax' ? `${worked.seen.terms.side}, by its title` : 'by the title of the cost';
  if (from === 'cost') return 'in the cost';
  return from === 'all' ? ruleText(line, worked) : columnText(from);
}

function valueText({ role, amount }: SumLine, { sign, deal }: Worked): string {
  if (amount === null) return '–';
  if (COUNTS.includes(role)) return amount.toLocaleString();
  const money = amountText(sign, amount);
  return role === 'profit' && deal?.roi != null ? `${money} · ${ratioText(deal.roi)}` : money;
}

interface LineProps {
  readonly line: SumLine;
  readonly worked: Worked;
}

interface ShownLineProps extends LineProps {
  readonly ask?: string | undefined;
  readonly children?: ComponentChildren;
}

function Line({ line, worked, ask, children }: ShownLineProps) {
  const { role, sign, isUnsure } = line;
  const isSalesTax = role === 'tax' && !hasVat(worked.paidIn);
  const words = `${sign} ${isSalesTax ? 'Sales tax' : WORDS[role]}`;
  return (
    <li class={isUnsure ? 'unsure' : sign === '=' ? 'strong' : undefined}>
      <span class="what">{words}</span>
      {children ?? <span class="hint">{fromText(line, worked)}</span>}
      {(!isUnsure || line.amount !== null) && <span class="amount">{valueText(line, worked)}</span>}
      {ask !== undefined && <span class="ask">{ask}</span>}
    </li>
  );
}

/** What a row's verdict follows from. */
export function Sum({ seen, row }: { readonly seen: ShownList; readonly row: Offer }) {
  const worked = workedOut(seen, row);
  return (
    <ul class="sum">
      {worked.lines
        .filter(({ role, from, isUnsure }) => from !== null || isUnsure || ALWAYS.includes(role))
        .map((line) => (
          <Line key={line.role} line={line} worked={worked} />
        ))}
    </ul>
  );
}

// Pickers

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

/** The columns that a role may be taken from, those that are asked about first. */
function columnOptions({ line, worked }: LineProps): readonly Option[] {
  const { role, from } = line;
  if (role === 'cost') {
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
  const question = open.find((one) => one.role === role);
  const asked = question?.columns ?? [];
  const used = Object.values(costs).map(({ column }) => column);
  const isFree = ({ column }: ListColumn) =>
    !asked.some((one) => one.column === column) && !used.includes(column);
  const key = role as (typeof RULE_COSTS)[number] | 'quantity';
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
        text: `${columnText(column)}: ${example} is ${Number((one === 'percent' ? example : example * 100).toFixed(4))}%`,
        press: () => void deals.chooseColumn(key, column, one),
      }));
    return [
      {
        text: columnText(column),
        isShown: !line.isUnsure && typeof from === 'object' && from?.column === column.column,
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
  const rule = RULE_COSTS.find((one) => one === role);
  const uses = role === 'pack' ? priceUses(seen).filter(({ pack }) => pack !== undefined) : [];
  const isAll = from === 'all' || isTyping;
  const to = (isAsked: boolean, press: () => void) => () => {
    setTyping(isAsked);
    press();
  };
  const nothing = () => {
    if (rule !== undefined && from === 'all') void deals.setRule(rule, null);
    else if (role !== 'pack') void deals.chooseColumn(role as 'quantity', null);
  };
  const columns: readonly Option[] =
    uses.length > 0
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
      : role === 'pack'
        ? []
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
    ...(role === 'cost' || (role === 'pack' && uses.length > 0)
      ? []
      : [{ text: 'None', isShown: isNone && !isTyping, press: nothing }]),
  ];
  return (
    <>
      <Pick
        id={deals.lineId(role)}
        label={WORDS[role]}
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
  readonly line: SumRole;
  readonly worked: Worked;
}

/** While nobody has answered, each answer says what it makes of the product. */
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
      id={part === 'Rate' ? `${deals.lineId(line)}-rate` : deals.lineId(line)}
      label={VAT_WORDS[part]}
      options={answers.map((answer) => ({
        text: textOf(answer),
        isShown: answer === said,
        press: () => void deals.setRule(rule, answer),
      }))}
    />
  );
}

function VatPicks({ of, ...pick }: Pick<VatPickProps, 'of' | 'line' | 'worked'>) {
  const { schemes, rates } = vatOn(of);
  const isFlat = pick.worked.seen.terms.inUse[vatRule(of, 'Scheme')] === 'Flat rate';
  return (
    <>
      <VatPick {...pick} of={of} part="Scheme" answers={schemes} />
      <VatPick {...pick} of={of} part="Rate" answers={rates} />
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
    if (scheme === 'Flat rate') return 'What is your flat rate?';
    return scheme ? 'Which rate do your products have?' : 'How do you pay VAT?';
  }
  const { as, columns = [] } = open.find((one) => one.role === role) ?? {};
  if (as !== undefined) return 'Percent, or a fraction?';
  return columns.length === 1 ? 'Is it this column?' : 'Which column is it, if any?';
}

function Control(props: AskedProps) {
  const { line, worked } = props;
  const { role, from } = line;
  const { paidIn, vatMarket } = worked;
  const pick = { worked, line: role };
  if (from === 'title' || from === 'cost')
    return <span class="hint">{fromText(line, worked)}</span>;
  if (role === 'returns') return <Value rule={role} worked={worked} />;
  if (role === 'tax')
    return hasVat(paidIn) ? (
      <VatPick {...pick} of={paidIn} part="Costs" answers={VAT_SIDES} />
    ) : (
      <Value rule={salesTaxRule(paidIn)} worked={worked} />
    );
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

interface StepsProps {
  readonly text: string;
  /** What is stepped through: "row". */
  readonly of: string;
  can(by: 1 | -1): boolean;
  step(by: 1 | -1): void;
  readonly children?: ComponentChildren;
}

export function Steps({ text, of, can, step, children }: StepsProps) {
  const arrow = (by: 1 | -1, label: string, sign: string) => (
    <button
      class="step"
      type="button"
      aria-label={label}
      aria-disabled={!can(by)}
      onClick={() => can(by) && step(by)}
    >
      {sign}
    </button>
  );
  return (
    <div class="steps">
      {arrow(-1, `Previous ${of}`, '‹')}
      <p class="caption">{text}</p>
      {children}
      {arrow(1, `Next ${of}`, '›')}
    </div>
  );
}

const sampleNow = ({ samples }: ShownList): Sample | null =>
  samples[deals.sampleAt.value] ?? samples[0] ?? null;

/** What counts for the list, worked out for one of its products. */
export function AskedSum({ seen }: Pick<Worked, 'seen'>) {
  const { samples, unused } = seen;
  const sample = sampleNow(seen);
  const at = sample === null ? -1 : samples.indexOf(sample);
  const row = sample?.offer ?? null;
  const worked = workedOut(seen, row);
  const isCounted = ({ role, from, isUnsure }: SumLine) =>
    from !== null || isUnsure || ALWAYS.includes(role);
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

/** How many lines nobody has answered yet. Decisions wait for them. */
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

// Why a verdict is what it is

/** Rounded away from the target, which else would look as if it were met: 29.96% of 30%. */
const missedRatio = (value: number) => ratioText(Math.floor(value * 1000 + 1e-6) / 1000);

/** "ROI 11% (Buy from 30%, Maybe from 15%)" */
export function whyText({ reason, missed, targets: [buy, maybe] }: Why, sign: string): string {
  if (missed === null || missed.value === null || buy === undefined) return reason;
  const { by, value } = missed;
  const money = (amount: number) => amountText(sign, amount);
  const texts = {
    profit: ['Profit', money(Math.floor(value * 100 + 1e-6) / 100), money, 'from'] as const,
    roi: ['ROI', missedRatio(value), ratioText, 'from'] as const,
    margin: ['Margin', missedRatio(value), ratioText, 'from'] as const,
    drops: ['Rank drops', value.toLocaleString(), String, 'from'] as const,
    fees: ['Fees', money(Math.ceil(value * 100 - 1e-6) / 100), money, 'up to'] as const,
  };
  if (by === 'eligible' || by === 'age') return reason;
  const [name, shown, textOf, from] = texts[by];
  const other = maybe === undefined ? '' : `, Maybe ${from} ${textOf(maybe)}`;
  return `${name} ${shown} (Buy ${from} ${textOf(buy)}${other})`;
}
