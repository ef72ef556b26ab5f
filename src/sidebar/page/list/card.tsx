// The selected row as it is shown: figures and verdict, prices to try, and history.

import { HIGHLIGHTS } from '../../../deal/decision-plan';
import type { Offer } from '../../../deal/offers';
import {
  AS_LISTED,
  dealAt,
  firstPrices,
  hasFigures,
  productLink,
  rangeOf,
  shownRoi,
} from '../../../deal/product-card';
import { whyOf } from '../../../deal/sum';
import { about } from '../../../failures/duration';
import { USUAL } from '../../../product/deal-rules';
import { eligibilityWord } from '../../../product/fields';
import { marketRow } from '../../../product/market';
import type { Deal } from '../../../product/verdict';
import { goTo, isKeyMissing, nowMs } from '../ui/app';
import { Do, doing, unreadView } from '../ui/doing';
import { Link, Steps } from '../ui/fields';
import { Title } from '../ui/heading';
import { type Buttons, type Messages, remedyOf, type View } from '../ui/page';
import { amountText, asSentence, momentText, ratioText, UI_TEXTS } from '../ui/texts';
import { CARD_TITLE as TITLE, toList } from './list';
import * as product from './product';
import { Sum, whyText } from './sum';

const { prices, row: shownRow } = product;

interface RowProps {
  readonly row: Offer;
}

const signOf = ({ market }: Offer): string => marketRow(market).sign;

/** The sign of the currency of the supplier's price. */
const costSignOf = ({ paidIn }: Offer): string => marketRow(paidIn).sign;

function RowSteps({ row }: RowProps) {
  const { offers = [], selected = null } = product.list.value ?? {};
  const at = offers.findIndex((offer) => offer.row === row.row);
  const isAway = selected?.[0] !== row.row || selected[1] !== row.row;
  return (
    <Steps
      text={`Row ${row.row} · ${(at + 1).toLocaleString()} of ${offers.length.toLocaleString()}`}
      of="row"
      can={(by) => product.neighbour(by) !== null && product.busy.value === null}
      step={product.step}
    >
      {isAway && (
        <Do task={product.select} args={[]}>
          Select it
        </Do>
      )}
    </Steps>
  );
}

/** "Margin 34.9% · pay at most £12.10 · breaks even at £18.40". @param sign that of the cost. */
function limitText(row: Offer, { margin, maxBuy, breakEven }: Deal, sign: string): string {
  const limit =
    maxBuy === 0 ? 'no price meets the targets' : `pay at most ${amountText(sign, maxBuy ?? 0)}`;
  const parts = [
    margin !== null && `Margin ${ratioText(margin)}`,
    maxBuy !== null && limit,
    breakEven !== null && `breaks even at ${amountText(signOf(row), breakEven)}`,
  ];
  return asSentence(parts.filter(Boolean).join(' · '));
}

function Verdict({ row, deal }: { readonly row: Offer; readonly deal: Deal }) {
  const mark = HIGHLIGHTS.find(({ text }) => text === deal.verdict);
  const isDecided = deal.verdict !== 'No verdict' && mark !== undefined;
  const look = isDecided ? { background: mark.background, color: mark.color } : {};
  const why = whyOf(row, deal, rulesNow(), nowMs());
  const limit = limitText(row, deal, costSignOf(row));
  return (
    <>
      <p class="verdict">
        <strong style={look}>{deal.verdict}</strong>
      </p>
      {why.length > 0 && (
        <ul class="reasons">
          {why.map((one) => (
            <li key={one.reason}>{whyText(one, signOf(row))}</li>
          ))}
        </ul>
      )}
      {limit !== '' && <p class="hint">{limit}</p>}
    </>
  );
}

interface FigureProps {
  readonly name: string;
  /** null: the service gave none. */
  readonly value: string | null;
}

function Figure({ name, value }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={value === null ? 'hint' : undefined}>{value ?? 'not given'}</dd>
    </div>
  );
}

const orNull = <Value,>(value: Value | null, text: (value: Value) => string): string | null =>
  value === null ? null : text(value);

function Figures({ row }: RowProps) {
  const { figures } = row;
  const money = (amount: number) => amountText(signOf(row), amount);
  const roi = shownRoi(row);
  return (
    <>
      <h2 class="deal-head">From the service</h2>
      <dl class="figures">
        <Figure name="Fees" value={orNull(figures.fees, money)} />
        <Figure name="Profit" value={orNull(figures.profit, money)} />
        <Figure name="ROI" value={roi === null ? orNull(figures.roi, String) : ratioText(roi)} />
        {figures.buy_price !== null && <Figure name="Buy price" value={money(figures.buy_price)} />}
        <Figure name="Eligible" value={orNull(figures.eligible, eligibilityWord)} />
        <Figure
          name="Rank drops, 30 days"
          value={orNull(figures.rank_drops_30d, (drops) => drops.toLocaleString())}
        />
      </dl>
    </>
  );
}

interface SliderProps {
  readonly id: string;
  readonly label: string;
  readonly sign: string;
  readonly first: number;
  readonly value: number;
  change(value: number): void;
}

/** A slider together with a field for the exact number of the same value. */
function Slider({ id, label, sign, first, value, change }: SliderProps) {
  const { most, step } = rangeOf(first, value);
  return (
    <div class="slider">
      <label for={id}>{label}</label>
      <input
        type="number"
        class="exact"
        aria-label={`${label}, exact`}
        min="0.01"
        step="any"
        value={value.toFixed(2)}
        onChange={({ currentTarget }) => {
          const typed = currentTarget.valueAsNumber;
          if (typed > 0 && Number.isFinite(typed)) change(typed);
          else currentTarget.value = value.toFixed(2);
        }}
      />
      <input
        type="range"
        id={id}
        min={step}
        max={most}
        step={step}
        value={value}
        aria-valuetext={amountText(sign, value)}
        onInput={({ currentTarget }) => change(Number(currentTarget.value))}
      />
    </div>
  );
}

/** "Maybe: profit $4.30, ROI 29.7%"; '' if nothing can be calculated. */
const outcomeText = ({ verdict, profit, roi }: Deal, sign: string): string =>
  profit === null || roi === null
    ? ''
    : `${verdict}: profit ${amountText(sign, profit)}, ROI ${ratioText(roi)}`;

function WhatIf({ row, deal }: RowProps & { readonly deal: Deal }) {
  const first = firstPrices(row);
  if (first === null)
    return (
      <p class="hint deal-note">The service gave no fees or sell price, so there is no verdict.</p>
    );
  const { cost, sell } = prices.value;
  const [sign, costSign] = [signOf(row), costSignOf(row)];
  const pack = Number(row.costs.pack ?? 1);
  const isChanged = cost !== null || sell !== null;
  return (
    <section aria-label="What if">
      <h2 class="deal-head">What if</h2>
      <Slider
        id="deals-what-cost"
        label={pack > 1 ? `I pay ${costSign} for a pack of ${pack}` : `I pay ${costSign}`}
        sign={costSign}
        first={first.cost}
        value={cost ?? first.cost}
        change={(value) => {
          prices.value = { ...prices.value, cost: value };
        }}
      />
      <Slider
        id="deals-what-sell"
        label={`It sells at ${sign}`}
        sign={sign}
        first={first.sell}
        value={sell ?? first.sell}
        change={(value) => {
          prices.value = { ...prices.value, sell: value };
        }}
      />
      <p class="outcome" aria-live="polite">
        {isChanged ? outcomeText(deal, sign) : ''}
      </p>
      <p class="links">
        <span class="hint">An estimate: fees stay as they are.</span>
        {isChanged && (
          <Link
            press={() => {
              prices.value = AS_LISTED;
            }}
          >
            Back to the list’s prices
          </Link>
        )}
      </p>
    </section>
  );
}

/** "Analyzed 14:02, about 3 h ago" */
function ageText(fetchedAtMs: number | null): string {
  if (fetchedAtMs === null) return 'Analyzed at an unknown time';
  const age = Math.max(0, nowMs() - fetchedAtMs);
  return `Analyzed ${momentText(fetchedAtMs, nowMs())}, ${about(age)} ago`;
}

const rulesNow = () => product.list.value?.look.rules?.inUse ?? USUAL;

function Analyzed({ row }: RowProps) {
  const seen = product.list.value;
  if (seen === null) return null;
  const rules = rulesNow();
  const listed = dealAt(row, AS_LISTED, rules, nowMs());
  return (
    <>
      {seen.costs.cost !== undefined ? (
        <Verdict row={row} deal={listed} />
      ) : (
        <p class="waits">
          To get a verdict, say what your cost is. <Link press={toList}>Whole list</Link>
        </p>
      )}
      <Sum seen={seen} row={row} />
      <Figures row={row} />
      <p class="caption remark">{ageText(row.fetchedAtMs)}</p>
      {row.failure !== null && <p class="waits">{row.failure}</p>}
      <WhatIf row={row} deal={dealAt(row, prices.value, rules, nowMs())} />
    </>
  );
}

function Unanalyzed({ row }: RowProps) {
  if (row.failure !== null) return <p class="waits">{row.failure}</p>;
  return (
    <>
      <p class="verdict">
        <strong>Not analyzed yet</strong>
      </p>
      <p>
        {isKeyMissing.value
          ? 'Connect a key to get its figures.'
          : 'Analyze asks the service once, and shows the figures beside this row.'}
      </p>
    </>
  );
}

function Card() {
  const row = shownRow.value;
  if (row === null)
    return (
      <Title
        id={TITLE}
        text="No product in this row"
        lead="Select a row of your list in the sheet."
      />
    );
  const { product: named, name, shown, problem } = row;
  return (
    <>
      <RowSteps row={row} />
      <Title id={TITLE} text={name === '' ? (named?.asin ?? shown) : name} />
      {named === null ? (
        <p class="waits">{problem}</p>
      ) : (
        <>
          <p class="caption product-line">
            {named.asin} · {named.market}
            {' · '}
            <a class="link" href={productLink(named)} target="_blank" rel="noopener noreferrer">
              Open product page
            </a>
          </p>
          {hasFigures(row) ? <Analyzed row={row} /> : <Unanalyzed row={row} />}
        </>
      )}
    </>
  );
}

function buttonsNow(): Buttons {
  if (product.refresh.isBusy) {
    if (product.isStopping.value) return { primary: { label: UI_TEXTS.stopping, isBusy: true } };
    const stop = { id: 'deals-stop', label: UI_TEXTS.stop, press: () => void product.stop() };
    return {
      primary: { label: 'Refreshing', isBusy: true },
      ...(product.job.isHere.value && { second: stop }),
    };
  }
  const follow = doing(product.follow, 'Show selected row', 'Looking', { id: 'deals-follow' });
  const row = shownRow.value;
  if (product.follow.isBusy || !row?.product || isKeyMissing.value) return { primary: follow };
  const label = hasFigures(row) ? 'Refresh this' : 'Analyze this';
  return { primary: doing(product.refresh, label, 'Refreshing'), second: follow };
}

export const cardView = (): View =>
  product.seen.value === null
    ? unreadView(product.load, { id: TITLE, text: 'Selected row' }, UI_TEXTS.sheetUnread)
    : { body: <Card />, buttons: buttonsNow() };

export function cardMessages(): Messages {
  const failure = product.failure.value;
  if (product.seen.value === null) return { failure };
  const ways = { toConnection: () => goTo('connection'), lookAgain: () => void product.follow() };
  const remedy = failure === null ? undefined : remedyOf(failure, ways);
  return { failure, remedy, notice: failure === null ? product.notice.value || null : null };
}
