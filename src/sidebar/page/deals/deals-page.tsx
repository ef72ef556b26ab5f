// The Deals page for the frame: a list with its decisions, or its selected row.

import type { ComponentChildren } from 'preact';
import type { ChangedColumn, ShownList } from '../../../deal/list';
import { kindTitle, ownTitles, SHEET_KINDS, type SheetKind } from '../../../deal/new-sheet';
import type { DealSummary, Money } from '../../../deal/offers';
import { DEFAULT_MARKET, marketRow } from '../../../product/market';
import { VERDICTS } from '../../../product/verdict';
import { goTo, isKeyMissing } from '../ui/app';
import { Do, doing } from '../ui/doing';
import { Link, NumberLine, Picker } from '../ui/fields';
import { Skeleton, Title } from '../ui/heading';
import { type BarButton, type Buttons, type Messages, type Page, remedyOf } from '../ui/page';
import { countText, movedText, UI_TEXTS } from '../ui/texts';
import { CardBody, cardButtons, cardMessages } from './card';
import * as deals from './deals';
import * as product from './product';
import { BothMarkets, Costs, columnText, isOpen, questionButton, VatQuestions } from './questions';
import { Rules } from './rules';

const { TITLE } = deals;

interface ListProps {
  readonly seen: ShownList;
}

interface DecidedProps extends ListProps {
  readonly summary: DealSummary;
}

// What a list comes to

/** "14 of 57 pass" */
export function passText({ verdicts, rows, undecided }: DealSummary): string {
  const decided = rows - undecided;
  const { Buy: buys } = verdicts;
  if (decided === 0) return 'No decisions yet';
  return `${buys.toLocaleString()} of ${decided.toLocaleString()} ${buys === 1 ? 'passes' : 'pass'}`;
}

const whole = (amount: number) => Math.round(amount).toLocaleString();

/** "Outlay $1,240 · profit $512" */
export const moneyText = ({ sign, outlay, profit }: Money): string =>
  `Outlay ${sign}${whole(outlay)} · profit ${profit < 0 ? '−' : ''}${sign}${whole(Math.abs(profit))}`;

function MoneyLines({ summary }: Pick<DecidedProps, 'summary'>) {
  return (
    <>
      {summary.money.map((money) => (
        <p key={money.sign} class="deal-money">
          {moneyText(money)}
        </p>
      ))}
    </>
  );
}

/** Rows without a verdict wait for figures, or cannot get any: their status says which. */
function Verdicts({ summary: { verdicts, undecided } }: Pick<DecidedProps, 'summary'>) {
  return (
    <>
      <ul class="numbers">
        {VERDICTS.filter((verdict) => verdicts[verdict] > 0).map((verdict) => (
          <li key={verdict}>
            <NumberLine count={verdicts[verdict]} words={verdict} />
          </li>
        ))}
      </ul>
      {undecided > 0 && (
        <p class="caption remark">
          {countText(undecided, 'row')} without a decision: see Analysis status.
        </p>
      )}
    </>
  );
}

/** The reasons that keep the most rows from being a Buy; a row may have several. */
function Reasons({ summary, most }: Pick<DecidedProps, 'summary'> & { readonly most: number }) {
  const shown = summary.reasons.slice(0, most);
  if (shown.length === 0) return null;
  return (
    <section aria-label="Why the others fail">
      <h2 class="deal-head">Why the others fail</h2>
      <ul class="numbers">
        {shown.map(({ reason, rows }) => (
          <li key={reason}>
            <NumberLine count={rows} words={reason} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A link to the shopping list as a file, once it was made. */
function Shopping() {
  const made = deals.shopping.value;
  if (made === null) return null;
  const href = `data:text/csv;charset=utf-8,${encodeURIComponent(`\uFEFF${made.csv}`)}`;
  return (
    <a class="link" href={href} download="shopping-list.csv">
      Download it as CSV
    </a>
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

/** The totals of this sheet's list for the end of a run; nothing while they are unknown. */
export function dealsCard(sheetId: number): ComponentChildren {
  const seen = deals.list.value;
  if (seen?.look.sheet.id !== sheetId) return null;
  const { summary, costs } = seen;
  const open = () => {
    deals.toList();
    goTo('deals');
  };
  return (
    <section class="again deal-card" aria-label={UI_TEXTS.deals}>
      {summary !== null ? (
        <>
          <h2>{passText(summary)}</h2>
          <MoneyLines summary={summary} />
          <Reasons summary={summary} most={3} />
          <Verbs summary={summary} />
        </>
      ) : (
        <p>
          {costs.cost === undefined
            ? 'Add a column titled “Cost” to see which of these to buy.'
            : `Which to buy? Your costs are in ${columnText(costs.cost)}.`}
        </p>
      )}
      <Link press={open}>Open Deals</Link>
    </section>
  );
}

// The list

const signOf = ({ look }: ShownList): string =>
  marketRow(look.market === 'column' ? DEFAULT_MARKET : look.market).sign;

function Undecided({ seen }: ListProps) {
  return (
    <>
      {seen.costs.cost === undefined ? (
        <Title
          id={TITLE}
          text="Which column is your cost?"
          lead="Choose the column with what you pay, in the list’s currency, or add one titled “Cost”."
        />
      ) : (
        <Title
          id={TITLE}
          text="Decide with your own costs"
          lead="Adds Landed cost, My profit, My ROI, Max buy, Verdict and Why, and for the UK Net sale. They follow at once when a cost or a rule changes, and use no calls."
        />
      )}
      <Costs seen={seen} />
      <BothMarkets seen={seen} />
      <VatQuestions seen={seen} />
      <Rules seen={seen} sign={signOf(seen)} />
    </>
  );
}

/** Why decisions say *Check columns*. */
function changedText([first]: readonly ChangedColumn[]): string {
  if (first === undefined)
    return 'A column that the add-on fills was changed, so decisions wait. Fill it in again.';
  const { letter, was, now } = first;
  return `Column ${letter} was “${was}” and is “${now}” now. Decisions wait until you say what it holds.`;
}

function Decided({ seen, summary }: DecidedProps) {
  const { look, costs, changed, movedRows } = seen;
  const isUnclear = costs.cost === undefined || (changed !== null && changed.length > 0);
  return (
    <>
      <Title id={TITLE} text={passText(summary)} />
      <p class="caption">“{look.sheet.name}”</p>
      {changed !== null && <p class="remark caution">{changedText(changed)}</p>}
      {movedRows > 0 && <p class="remark caution">{movedText(movedRows)}</p>}
      <BothMarkets seen={seen} />
      <VatQuestions seen={seen} />
      <MoneyLines summary={summary} />
      <Verbs summary={summary} />
      <Verdicts summary={summary} />
      <Reasons summary={summary} most={6} />
      <Rules seen={seen} sign={signOf(seen)} />
      {costs.cost === undefined && <Costs seen={seen} />}
      <p class="links deal-verbs">
        <Link isDisabled={isUnclear || deals.decide.isBlocked} press={() => void deals.decide()}>
          Fill in new rows
        </Link>
        <Link isDisabled={deals.remove.isBlocked} press={deals.askToRemove}>
          Remove decisions
        </Link>
      </p>
    </>
  );
}

/** A list that waits for its figures, or a new sheet to make. */
function NoList({ isListed }: { readonly isListed: boolean }) {
  if (isListed)
    return <Title id={TITLE} text="Analyze this list first" lead="Decisions need its figures." />;
  const kind = deals.sheetKind.value;
  const samples = isKeyMissing.value ? ', shown for samples: no key needed.' : '.';
  return (
    <>
      {deals.isNewWished.value ? (
        <Title
          id={TITLE}
          text="New deal sheet"
          lead="A tab for products, your costs, their figures and what to buy."
        />
      ) : (
        <Title
          id={TITLE}
          text="No list on this sheet"
          lead="Go to the sheet that has your products, then look again. Or make a new sheet for deals."
        />
      )}
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
    </>
  );
}

function ListBody() {
  const seen = deals.seen.value;
  if (deals.isNewWished.value) return <NoList isListed={false} />;
  if (deals.isUnreached.value)
    return <Title id={TITLE} text={UI_TEXTS.deals} lead="The sheet could not be read just now." />;
  if (seen === null)
    return (
      <>
        <Title id={TITLE} text={UI_TEXTS.deals} />
        <Skeleton rows={3} />
      </>
    );
  if (seen.look === null) return <NoList isListed={seen.hasProducts} />;
  return seen.summary === null || deals.isChoosing.value ? (
    <Undecided seen={seen} />
  ) : (
    <Decided seen={seen} summary={seen.summary} />
  );
}

// Buttons

const toAnalyze = { label: UI_TEXTS.openAnalyze, press: () => goTo('analyze') };

/** What is under way with the list, on the filled button wherever it was started. */
function busyButton(): BarButton | null {
  const words = [
    [deals.decide, 'Adding'],
    [deals.remove, 'Removing'],
    [deals.sort, 'Sorting'],
    [deals.shop, 'Copying'],
    [deals.summarize, 'Making the summary'],
    [deals.saveRules, 'Saving'],
    [deals.keepBound, 'Saving'],
  ] as const;
  const [, label] = words.find(([task]) => task.isBusy) ?? [];
  return label === undefined ? null : { label, isBusy: true };
}

/** How most people go on with a list that has figures; null: there is nothing to decide. */
function nextButton(seen: ShownList): BarButton | null {
  const { summary } = seen;
  if (summary !== null && !deals.isChoosing.value)
    return summary.verdicts.Buy === 0
      ? null
      : { label: 'Make shopping list', press: () => void deals.shop() };
  return isOpen(seen) ? null : { label: 'Add decisions', press: () => void deals.decide() };
}

/** The same for this sheet's list at the end of a run; null: nothing is known. */
export function dealsNext(sheetId: number): BarButton | null {
  const seen = deals.list.value;
  return seen?.look.sheet.id === sheetId ? (busyButton() ?? nextButton(seen)) : null;
}

const ROLE_WORDS: Readonly<Record<ChangedColumn['role'], string>> = {
  product: 'product',
  market: 'market',
  cost: 'cost',
  quantity: 'quantity',
  pack: 'case size',
  multipack: 'multipack',
  discount: 'discount',
  prep: 'prep',
  shipping: 'shipping',
  other: 'other cost',
};

/** While columns have other titles than when they were bound; null: they have not. */
function changeButtons({ changed }: ShownList): Buttons | null {
  if (changed === null || deals.isChoosing.value) return null;
  const [first] = changed;
  if (first === undefined)
    return { primary: { label: 'Fill in new rows', press: () => void deals.decide() } };
  const { role } = first;
  const isOfAnalyze = role === 'product' || role === 'market';
  const again = isOfAnalyze ? toAnalyze.press : deals.chooseAgain;
  return {
    primary: {
      label: `It is still the ${ROLE_WORDS[role]}`,
      press: () => void deals.keepBound(role),
    },
    second: { id: 'deals-choose', label: 'Choose again', press: again },
  };
}

function listButtons(seen: ShownList): Buttons {
  const { summary } = seen;
  if (deals.isRemoveAsked.value)
    return {
      primary: {
        label: 'Remove decisions',
        isDangerous: true,
        press: () => void deals.remove(),
      },
      second: { id: deals.KEEP, label: 'Keep them', press: deals.leave },
    };
  const busy = busyButton();
  if (busy !== null) return { primary: busy };
  const change = changeButtons(seen);
  if (change !== null) return change;
  const isUndecided = summary !== null && summary.rows > 0 && summary.undecided === summary.rows;
  if (!isKeyMissing.value && isUndecided) return { primary: toAnalyze, second: lookAgain() };
  const next = nextButton(seen) ?? questionButton(seen);
  return next === null ? { primary: lookAgain() } : { primary: next, second: lookAgain() };
}

const lookAgain = (label: string = UI_TEXTS.lookAgain): BarButton => ({
  ...{ id: 'deals-look', label, press: () => void deals.load() },
});

/** The one filled button, and what stands beside it. */
export function dealsButtons(): Buttons {
  const seen = deals.seen.value;
  const make = doing(deals.makeSheet, 'Make deal sheet', 'Making the sheet');
  if (deals.makeSheet.isBusy) return { primary: make };
  if (deals.isNewWished.value) return { primary: make, second: lookAgain(UI_TEXTS.back) };
  if (deals.isUnreached.value)
    return { primary: { label: UI_TEXTS.tryAgain, press: () => void deals.load() } };
  if (seen === null) return { primary: { label: UI_TEXTS.loading, isBusy: true } };
  if (seen.look !== null) return listButtons(seen);
  return { primary: seen.hasProducts ? toAnalyze : make, second: lookAgain() };
}

function messages(): Messages {
  const failure = deals.failure.value;
  if (deals.isUnreached.value) return { failure };
  const remedy =
    failure === null ? undefined : remedyOf(failure, { toConnection: () => goTo('connection') });
  return {
    ...{ failure, remedy, notice: failure === null ? deals.notice.value || null : null },
    question: deals.isRemoveAsked.value
      ? 'Removes the formulas and colors of the decision columns. Figures and costs stay.'
      : null,
  };
}

// The two sides of the page

const SIDES = [
  ['list', 'Whole list'],
  ['product', 'Selected row'],
] as const;

function Sides({ shown }: { readonly shown: 'list' | 'product' }) {
  const choose = (to: typeof shown): void => {
    if (to === shown) return;
    deals.side.value = to;
    if (to === 'list') deals.enter();
    else product.enter();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is sent.
    <div class="sides" role="group" aria-label="Show">
      {SIDES.map(([side, words]) => (
        <button key={side} type="button" aria-pressed={side === shown} onClick={() => choose(side)}>
          {words}
        </button>
      ))}
    </div>
  );
}

export function dealsPage(): Page {
  const isNew = deals.isNewWished.value || deals.makeSheet.isBusy;
  const frame = { id: 'deals', name: UI_TEXTS.deals } as const;
  if (deals.side.value === 'product' && !isNew)
    return {
      ...frame,
      body: (
        <>
          <Sides shown="product" />
          <CardBody />
        </>
      ),
      buttons: cardButtons(),
      messages: cardMessages(),
      isLoading: product.load.isBusy,
      enter: product.enter,
      again: () => {
        if (product.isUnreached.value) void product.load();
      },
    };
  return {
    ...frame,
    body: (
      <>
        {deals.list.value !== null && <Sides shown="list" />}
        <ListBody />
      </>
    ),
    buttons: dealsButtons(),
    messages: messages(),
    isLoading: deals.load.isBusy,
    leave: deals.leave,
    enter: deals.enter,
    again: () => {
      if (deals.isUnreached.value) void deals.load();
    },
  };
}
