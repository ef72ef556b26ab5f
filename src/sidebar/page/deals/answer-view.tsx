// What a list comes to: how many pass, what they cost and earn, why others fail, what to do next.

import type { ComponentChildren } from 'preact';
import { type DealSummary, summaryOf } from '../../../deal/summary';
import { PROBLEMS } from '../../../product/verdict';
import { NumberLine } from '../ui/fields';
import type { Effects } from './actions';
import { hasFigures } from './actions';
import type { ListView } from './state';
import { moneyText, passText, TEXTS, undecidedText } from './texts';

interface AnswerProps {
  readonly view: ListView;
  readonly hands: Effects;
}

export function MoneyLines({ summary }: { readonly summary: DealSummary }) {
  return (
    <>
      {summary.money.map((money) => (
        <p key={money.currency} class="deal-money">
          {moneyText(money)}
        </p>
      ))}
    </>
  );
}

const VERDICTS = ['Buy', 'Maybe', 'Skip', 'No verdict'] as const;

export function Verdicts({ summary }: { readonly summary: DealSummary }) {
  const { verdicts, undecided } = summary;
  return (
    <>
      <ul class="numbers">
        {VERDICTS.filter((one) => verdicts[one] > 0).map((one) => (
          <li key={one}>
            <NumberLine count={verdicts[one]} words={one} />
          </li>
        ))}
      </ul>
      {undecided > 0 && <p class="caption remark">{undecidedText(undecided)}</p>}
    </>
  );
}

/** The reasons that keep most rows from being a Buy; a row may have several. */
export function Reasons({
  summary,
  most,
}: {
  readonly summary: DealSummary;
  readonly most: number;
}) {
  const shown = summary.reasons.slice(0, most);
  if (shown.length === 0) return null;
  return (
    <section aria-label="Why the others fail">
      <h2 class="deal-head">Why the others fail</h2>
      <ul class="numbers">
        {shown.map(({ reason, rows }) => (
          <li key={reason}>
            <NumberLine count={rows.length} words={reason} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Without the sell price nothing can be decided; figures that are saved cost nothing to write. */
export function MissingSellPrice({
  look,
  summary,
}: Pick<ListView, 'look'> & { readonly summary: DealSummary }) {
  const isMissing = summary.reasons.some(({ reason }) => reason === PROBLEMS.sell);
  const isWritten = look.figures.some(({ key }) => key === 'sell_price');
  if (!isMissing || isWritten) return null;
  return <p class="caption remark">{TEXTS.noSellPrice}</p>;
}

/** The list as a file, once it was made. */
function Shopping({ view }: Pick<AnswerProps, 'view'>) {
  const { shopping } = view;
  if (shopping === null) return null;
  const href = `data:text/csv;charset=utf-8,${encodeURIComponent(`\uFEFF${shopping.csv}`)}`;
  return (
    <a class="link" href={href} download="shopping-list.csv">
      Download it as CSV
    </a>
  );
}

interface VerbsProps extends AnswerProps {
  /** Comes first. */
  readonly children?: ComponentChildren;
}

/** One press each, where there is something for it to do. */
export function Verbs({ view, hands, children }: VerbsProps) {
  const { actions } = hands;
  const { isFiltered, asked, rows } = view;
  const isBusy = asked !== null;
  const { Buy, Maybe, Skip } = summaryOf(rows ?? []).verdicts;
  return (
    <p class="links deal-verbs">
      {children}
      {(isFiltered || Buy > 0) && (
        <button
          class="link"
          type="button"
          disabled={isBusy}
          onClick={() => void actions.filter(isFiltered ? null : 'Buy')}
        >
          {isFiltered ? 'Show all rows' : 'Show only buys'}
        </button>
      )}
      {Buy + Maybe + Skip > 0 && (
        <>
          <button class="link" type="button" disabled={isBusy} onClick={() => void actions.sort()}>
            Sort by ROI
          </button>
          <button
            class="link"
            type="button"
            disabled={isBusy}
            onClick={() => void actions.summarize()}
          >
            Make summary tab
          </button>
        </>
      )}
      <Shopping view={view} />
    </p>
  );
}

/** At the end of a run, on the Analyze page: the answer, or the way to it. */
export function AnswerCard({ view, hands, open }: AnswerProps & { open(): void }) {
  const { rows, costs, look, asked } = view;
  const { actions } = hands;
  if (!hasFigures(look)) return null;
  const more = (
    <button class="link" type="button" onClick={open}>
      Open Deals
    </button>
  );
  if (rows === null) {
    const { cost } = costs;
    if (cost === undefined)
      return (
        <section class="again deal-card" aria-label="Deals">
          <p>Add a column titled “Cost” to see which of these to buy.</p>
          {more}
        </section>
      );
    return (
      <section class="again deal-card" aria-label="Deals">
        <p>
          Which to buy? Your costs are in {cost.letter} “{cost.title}”.
        </p>
        <p class="links">
          <button
            class="link"
            type="button"
            disabled={asked !== null}
            onClick={() => void actions.decide()}
          >
            {asked === 'decide' ? 'Adding' : 'Add decisions'}
          </button>
          {more}
        </p>
      </section>
    );
  }
  const summary = summaryOf(rows);
  return (
    <section class="again deal-card" aria-label="Deals">
      <h2>{passText(summary)}</h2>
      <MoneyLines summary={summary} />
      <Reasons summary={summary} most={3} />
      <MissingSellPrice look={view.look} summary={summary} />
      <Verbs view={view} hands={hands}>
        {summary.verdicts.Buy > 0 && (
          <button
            class="link"
            type="button"
            disabled={asked !== null}
            onClick={() => void actions.shop()}
          >
            Make shopping list
          </button>
        )}
      </Verbs>
      {more}
    </section>
  );
}
