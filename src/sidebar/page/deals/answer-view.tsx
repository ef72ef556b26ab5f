// The totals of a list: how many products pass, what they cost and earn, why others fail, and what
// to do next.

import type { DealSummary } from '../../../deal/offers';
import { VERDICTS } from '../../../product/verdict';
import { Link, NumberLine } from '../ui/fields';
import { UI_TEXTS } from '../ui/texts';
import type { Effects } from './actions';
import type { ListView } from './state';
import { moneyText, passText, undecidedText, VIEW_TEXTS, whichToBuyText } from './texts';

interface AnswerProps {
  readonly view: ListView;
  readonly effects: Effects;
}

export function MoneyLines({ summary }: { readonly summary: DealSummary }) {
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

/** The reasons that keep the most rows from being a Buy; a row may have several. */
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
    <section aria-label={VIEW_TEXTS.reasons}>
      <h2 class="deal-head">{VIEW_TEXTS.reasons}</h2>
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
function Shopping({ view }: Pick<AnswerProps, 'view'>) {
  const { shopping } = view;
  if (shopping === null) return null;
  const href = `data:text/csv;charset=utf-8,${encodeURIComponent(`\uFEFF${shopping.csv}`)}`;
  return (
    <a class="link" href={href} download="shopping-list.csv">
      {VIEW_TEXTS.downloadCsv}
    </a>
  );
}

/** One button for each action that has something to do. */
export function Verbs({ view, effects }: AnswerProps) {
  const { actions } = effects;
  const { isFiltered, asked, summary } = view;
  const isBusy = asked !== null;
  const { Buy = 0, Maybe = 0, Skip = 0 } = summary?.verdicts ?? {};
  return (
    <p class="links deal-verbs">
      {(isFiltered || Buy > 0) && (
        <Link isDisabled={isBusy} press={() => void actions.filter(isFiltered ? null : 'Buy')}>
          {isFiltered ? VIEW_TEXTS.showAllRows : VIEW_TEXTS.showOnlyBuys}
        </Link>
      )}
      {Buy + Maybe + Skip > 0 && (
        <>
          <Link isDisabled={isBusy} press={() => void actions.sort()}>
            {VIEW_TEXTS.sortByRoi}
          </Link>
          <Link isDisabled={isBusy} press={() => void actions.summarize()}>
            {VIEW_TEXTS.makeSummaryTab}
          </Link>
        </>
      )}
      <Shopping view={view} />
    </p>
  );
}

/** The totals, or a link to them, at the end of a run on the Analyze page. */
export function AnswerCard({ view, effects, open }: AnswerProps & { open(): void }) {
  const { summary, costs } = view;
  const more = (
    <button class="link" type="button" onClick={open}>
      {VIEW_TEXTS.openDeals}
    </button>
  );
  if (summary === null) {
    const { cost } = costs;
    if (cost === undefined)
      return (
        <section class="again deal-card" aria-label={UI_TEXTS.deals}>
          <p>{VIEW_TEXTS.addCost}</p>
          {more}
        </section>
      );
    return (
      <section class="again deal-card" aria-label={UI_TEXTS.deals}>
        <p>{whichToBuyText(`${cost.letter} “${cost.title}”`)}</p>
        {more}
      </section>
    );
  }
  return (
    <section class="again deal-card" aria-label={UI_TEXTS.deals}>
      <h2>{passText(summary)}</h2>
      <MoneyLines summary={summary} />
      <Reasons summary={summary} most={3} />
      <Verbs view={view} effects={effects} />
      {more}
    </section>
  );
}
