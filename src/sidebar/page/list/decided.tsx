// What the rows of a list come to: how many to buy, why the others are not, and what to do with them.

import { kindTitle, ownTitles, SHEET_KINDS, type SheetKind } from '../../../deal/new-sheet';
import type { DealSummary, MoneyTotals } from '../../../deal/offers';
import type { ChangedColumn, ShownList } from '../../../deal/shown-list';
import { costColumn } from '../../../deal/sum';
import { NO_EXCHANGE } from '../../../product/deal-rules';
import { DEFAULT_MARKET, marketRow } from '../../../product/market';
import { VERDICTS } from '../../../product/verdict';
import { isKeyMissing } from '../ui/app';
import { Do, doing } from '../ui/doing';
import { Link, NumberLine, Picker } from '../ui/fields';
import type { BarButton, Buttons } from '../ui/page';
import { showLabel, UI_TEXTS } from '../ui/texts';
import { again } from './analyze';
import { AskedSum, answer, BothMarkets, isOpen, vatOf } from './asked-sum';
import { ThisList } from './choosing';
import * as deals from './deals';
import { isChoosing, progress } from './list';
import { Rules } from './rules';

interface ListProps {
  readonly seen: ShownList;
}

interface DecidedProps extends ListProps {
  readonly summary: DealSummary;
}

// What a list comes to

/** "14 of 57 to buy" */
export function toBuyText({ verdicts, rows, undecided }: DealSummary): string {
  const decided = rows - undecided;
  if (decided === 0) return 'No decisions yet';
  return `${verdicts.Buy.toLocaleString()} of ${decided.toLocaleString()} to buy`;
}

const whole = (amount: number) => Math.round(amount).toLocaleString();

/** "Outlay $1,240 · profit $512" */
export const moneyText = ({ sign, outlay, profit }: MoneyTotals): string =>
  `Outlay ${sign}${whole(outlay)} · profit ${profit < 0 ? '−' : ''}${sign}${whole(Math.abs(profit))}`;

function MoneyLines({ seen: { costs }, summary }: DecidedProps) {
  return (
    <>
      {summary.money.map((money) => (
        <p key={money.sign} class="deal-money">
          {moneyText(money)}
        </p>
      ))}
      {costs.quantity === undefined && summary.money.length > 0 && (
        <p class="caption">If you buy each row once: no column says how many.</p>
      )}
    </>
  );
}

interface CountedProps {
  readonly count: number;
  readonly words: string;
  /** What the rows are counted as; null: as undecided. */
  readonly as: string | null;
}

/** A number, and the way to the rows behind it. */
function Counted({ count, words, as }: CountedProps) {
  return (
    <li>
      <NumberLine count={count} words={words} />
      <Do task={deals.show} args={[as, count]} label={showLabel(count, words)}>
        {UI_TEXTS.show}
      </Do>
    </li>
  );
}

/** Rows without a verdict wait for figures, or cannot get any: their status says which. */
function Verdicts({ summary: { verdicts, undecided } }: Pick<DecidedProps, 'summary'>) {
  return (
    <ul class="numbers">
      {VERDICTS.filter((verdict) => verdicts[verdict] > 0).map((verdict) => (
        <Counted key={verdict} count={verdicts[verdict]} words={verdict} as={verdict} />
      ))}
      {undecided > 0 && (
        <Counted count={undecided} words="without a decision: see Analysis status" as={null} />
      )}
    </ul>
  );
}

const REASONS_MAX = 6;

/** The reasons that keep the most rows from being a Buy; a row may have several. */
function Reasons({ summary }: Pick<DecidedProps, 'summary'>) {
  const shown = summary.reasons.slice(0, REASONS_MAX);
  if (shown.length === 0) return null;
  return (
    <section aria-label="Why the others fail">
      <h2 class="deal-head">Why the others fail</h2>
      <ul class="numbers">
        {shown.map(({ reason, rows }) => (
          <Counted key={reason} count={rows} words={reason} as={reason} />
        ))}
      </ul>
    </section>
  );
}

/** What can be done with the shopping list, once it was made. */
export function Shopping() {
  const made = deals.shopping.value;
  if (made === null) return null;
  const href = `data:text/csv;charset=utf-8,${encodeURIComponent(`\uFEFF${made.csv}`)}`;
  return (
    <>
      <a class="link" href={href} download="shopping-list.csv">
        Download it as CSV
      </a>
      <Do task={deals.markOrdered} args={[]}>
        Mark as ordered
      </Do>
    </>
  );
}

/** One link for each action that has something to do. */
function Verbs({ summary: { verdicts } }: Pick<DecidedProps, 'summary'>) {
  const { Buy, Maybe, Skip } = verdicts;
  const isFiltered = deals.isFiltered.value;
  return (
    <p class="links deal-verbs">
      {(isFiltered || Buy > 0) && (
        <Do task={deals.filter} args={[isFiltered ? null : 'Buy']}>
          {isFiltered ? 'Show all rows' : 'Show only buys'}
        </Do>
      )}
      {Buy + Maybe + Skip > 0 && (
        <>
          <Do task={deals.sort} args={[]}>
            Sort by ROI
          </Do>
          <Do task={deals.summarize} args={[]}>
            Make summary tab
          </Do>
        </>
      )}
      <Shopping />
    </p>
  );
}

const signOf = ({ look }: ShownList): string =>
  marketRow(look.market === 'column' ? DEFAULT_MARKET : look.market).sign;

export function undecidedText(seen: ShownList): readonly [title: string, line: string] {
  if (seen.summary !== null) return ['What counts', 'Decisions follow what you say here.'];
  return costColumn(seen) === undefined
    ? [
        'Which column is your cost?',
        'Choose the column with what you pay, in the list’s currency, or add one titled “Cost”.',
      ]
    : [
        'Decide with your own costs',
        'Worked out for one product. The columns follow every change, without calls.',
      ];
}

export function Undecided({ seen }: ListProps) {
  return (
    <>
      <BothMarkets seen={seen} />
      <AskedSum seen={seen} />
      <Rules seen={seen} sign={signOf(seen)} />
      <ThisList />
    </>
  );
}

/** Why decisions say *Check columns*. */
export function changedText([first]: readonly ChangedColumn[]): string {
  if (first === undefined)
    return 'A column that the add-on fills was changed, so decisions wait. Fill it in again.';
  const { letter, was, now } = first;
  return `Column ${letter} was “${was}” and is “${now}” now. Decisions wait until you say what it holds.`;
}

export function Decided({ seen, summary }: DecidedProps) {
  return (
    <>
      <BothMarkets seen={seen} />
      {isOpen(seen) && (
        <p class="remark caution">
          {seen.terms.currency === null
            ? `${NO_EXCHANGE.currency}: until then, nothing is decided.`
            : `VAT not set: until it is said, ${vatOf(seen)} offers are Maybe.`}
        </p>
      )}
      <MoneyLines seen={seen} summary={summary} />
      <Verbs summary={summary} />
      <Verdicts summary={summary} />
      <Reasons summary={summary} />
      <Rules seen={seen} sign={signOf(seen)} />
      <ThisList />
      <p class="links deal-verbs">
        <Do task={deals.chooseAgain} args={[]}>
          What counts
        </Do>
        <Link isDisabled={deals.remove.isBlocked} press={deals.askToRemove}>
          Remove decisions
        </Link>
      </p>
    </>
  );
}

/** What the list of a job that is over comes to. */
export function Outcome({ seen }: ListProps) {
  const { summary } = seen;
  if (summary !== null && !isChoosing.value)
    return (
      <>
        <h2 class="deal-head">{toBuyText(summary)}</h2>
        <Decided seen={seen} summary={summary} />
      </>
    );
  if (deals.need.value !== 'decisions')
    return (
      <p class="remark">
        Add a column titled “Cost”, or{' '}
        <Do task={deals.chooseAgain} args={[]}>
          choose yours
        </Do>
        , to see which of these to buy.
      </p>
    );
  const [title, line] = undecidedText(seen);
  return (
    <>
      <h2 class="deal-head">{title}</h2>
      <p class="hint">{line}</p>
      <Undecided seen={seen} />
    </>
  );
}

/** The kind of sheet to make. */
export function NewSheet() {
  const kind = deals.sheetKind.value;
  const samples = isKeyMissing.value ? ', shown for samples: no key needed.' : '.';
  return (
    <div class="picks">
      <Picker
        id="deals-kind"
        label="Kind"
        value={kind}
        options={SHEET_KINDS.map((one) => [one, kindTitle(one)] as const)}
        choose={(one) => {
          deals.sheetKind.value = one as SheetKind;
        }}
      />
      <p class="hint">
        Your columns: {ownTitles(kind)}. Figures and decisions stand beside them{samples}
      </p>
    </div>
  );
}

// Buttons

/** What is under way with the list, on the filled button wherever it was started. */
export function busyButton(): BarButton | null {
  const words = [
    [deals.decide, 'Adding'],
    [deals.remove, 'Removing'],
    [deals.removeColumns, 'Removing'],
    [deals.sort, 'Sorting'],
    [deals.shop, 'Making the list'],
    [deals.markOrdered, 'Marking'],
    [deals.summarize, 'Making the summary'],
    [deals.saveRules, 'Saving'],
    [deals.keepBound, 'Saving'],
  ] as const;
  const [, label] = words.find(([task]) => task.isBusy) ?? [];
  return label === undefined ? null : { label, isBusy: true, progress: progress.value };
}

/** How most people go on with a list that has figures; null: there is nothing to decide. */
export function nextButton(seen: ShownList): BarButton | null {
  const { summary } = seen;
  if (summary !== null && !isChoosing.value)
    return isOpen(seen)
      ? doing(deals.chooseAgain, 'What counts', UI_TEXTS.loading)
      : summary.verdicts.Buy === 0
        ? null
        : { id: 'deals-shop', label: 'Make shopping list', press: () => void deals.shop() };
  const label = summary === null ? 'Add decisions' : 'Update decisions';
  return isOpen(seen)
    ? { label, isWaiting: true, press: answer }
    : { label, press: () => void deals.decide() };
}

const ROLE_WORDS: Readonly<Record<ChangedColumn['role'], string>> = {
  product: 'product',
  market: 'market',
  cost: 'cost',
  quantity: 'quantity',
  ordered: 'column of what was ordered',
  pack: 'case size',
  multipack: 'multipack',
  discount: 'discount',
  prep: 'prep',
  shipping: 'shipping',
  other: 'other cost',
  vatRate: 'VAT rate',
  salesTax: 'sales tax',
};

/** While columns have other titles than when they were bound. */
export function changeButtons([first]: readonly ChangedColumn[]): Buttons {
  if (first === undefined)
    return { primary: { label: 'Fill in new rows', press: () => void deals.decide() } };
  const { role } = first;
  const isOfAnalyze = role === 'product' || role === 'market';
  const keep: BarButton = {
    label: `It is still the ${ROLE_WORDS[role]}`,
    press: () => void deals.keepBound(role),
  };
  const choose: BarButton = {
    id: 'deals-choose',
    label: 'Choose again',
    press: isOfAnalyze ? again : () => void deals.chooseAgain(),
  };
  // A column whose title stands elsewhere by now is likely another one.
  return first.isElsewhere ? { primary: choose, second: keep } : { primary: keep, second: choose };
}
