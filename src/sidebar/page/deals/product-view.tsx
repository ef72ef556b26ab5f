// One product of the list: figures and verdict, prices to try, and history.

import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import { MARKS } from '../../../deal/decision-plan';
import type { Offer } from '../../../deal/offers';
import {
  AS_LISTED,
  dealAt,
  firstPrices,
  hasFigures,
  keyOf,
  productLink,
  rangeOf,
  roiOf,
} from '../../../deal/product-card';
import { USUAL } from '../../../product/deal-rules';
import { DEFAULT_MARKET, marketRow } from '../../../product/market';
import type { Deal } from '../../../product/verdict';
import { Skeleton, Title } from '../ui/heading';
import { useFocus, useReturn } from '../ui/hooks';
import type { ConnectedContext, Page } from '../ui/page';
import { amountText, eligibleText, ratioText } from '../ui/texts';
import { createProductActions, type ProductEffects, productButtons } from './product-actions';
import { PastLine } from './product-pictures';
import {
  CARD_TITLE_ID,
  type CardView,
  FIRST_PRODUCT,
  neighbour,
  pastIn,
  stepProduct,
} from './product-state';
import type { DealsState } from './state';
import {
  ageText,
  costLabel,
  exactLabel,
  FIGURE_WORDS,
  outcomeText,
  PAST_TITLES,
  PRODUCT_TEXTS,
  placeText,
  productMessages,
  rowFailureText,
  sellLabel,
  TEXTS,
} from './texts';

interface CardProps {
  readonly view: CardView;
  readonly effects: ProductEffects;
}

interface RowProps extends CardProps {
  readonly row: Offer;
}

const signOf = ({ product }: Offer): string => marketRow(product?.market ?? DEFAULT_MARKET).sign;

/** The sign of the currency of the supplier's price. */
const costSignOf = ({ paidIn }: Offer): string => marketRow(paidIn).sign;

function Steps({ view, effects }: CardProps) {
  const { row, list, selected } = view;
  const at = list.offers.findIndex((one) => one.row === row?.row);
  const step = (by: 1 | -1, label: string, sign: string) => (
    <button
      class="step"
      type="button"
      aria-label={label}
      aria-disabled={neighbour(view, by) === null || view.asked !== null}
      onClick={() => view.asked === null && effects.dispatch({ type: 'stepped', by })}
    >
      {sign}
    </button>
  );
  const isAway = row !== null && (selected?.[0] !== row.row || selected[1] !== row.row);
  return (
    <div class="steps">
      {step(-1, PRODUCT_TEXTS.previous, '‹')}
      <p class="caption">{row === null ? '' : placeText(row.row, at + 1, list.offers.length)}</p>
      {isAway && (
        <button class="link" type="button" onClick={() => void effects.actions.select()}>
          {PRODUCT_TEXTS.select}
        </button>
      )}
      {step(1, PRODUCT_TEXTS.next, '›')}
    </div>
  );
}

function VerdictLine({ deal }: { readonly deal: Deal }) {
  const mark = MARKS.find(({ text }) => text === deal.verdict);
  const isDecided = deal.verdict !== 'No verdict' && mark !== undefined;
  const look = isDecided ? { background: mark.background, color: mark.color } : {};
  return (
    <>
      <p class="verdict">
        <strong style={look}>{deal.verdict}</strong>
      </p>
      {deal.reasons.length > 0 && (
        <ul class="reasons">
          {deal.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
    </>
  );
}

interface FigureProps {
  readonly name: string;
  /** null: the service gave none. */
  readonly value: string | null;
  readonly isStrong?: boolean;
}

function Figure({ name, value, isStrong = false }: FigureProps) {
  return (
    <div class={isStrong ? 'strong' : undefined}>
      <dt>{name}</dt>
      <dd class={value === null ? 'hint' : undefined}>{value ?? PRODUCT_TEXTS.notGiven}</dd>
    </div>
  );
}

const orNull = <Value,>(value: Value | null, text: (value: Value) => string): string | null =>
  value === null ? null : text(value);

function Figures({ row, deal }: { readonly row: Offer; readonly deal: Deal }) {
  const { figures } = row;
  const sign = signOf(row);
  const money = (amount: number) => amountText(sign, amount);
  const paid = (amount: number) => amountText(costSignOf(row), amount);
  const roi = roiOf(row);
  return (
    <>
      {deal.profit !== null && deal.roi !== null && (
        <dl class="figures">
          <Figure name={FIGURE_WORDS.myProfit} value={money(deal.profit)} isStrong />
          <Figure name={FIGURE_WORDS.myRoi} value={ratioText(deal.roi)} isStrong />
          <Figure name={FIGURE_WORDS.margin} value={orNull(deal.margin, ratioText)} />
          <Figure name={FIGURE_WORDS.maxBuy} value={orNull(deal.maxBuy, paid)} isStrong />
        </dl>
      )}
      <h2 class="deal-head">{PRODUCT_TEXTS.ofService}</h2>
      <dl class="figures">
        <Figure name={FIGURE_WORDS.sell} value={orNull(figures.sell_price, money)} />
        <Figure name={FIGURE_WORDS.fees} value={orNull(figures.fees, money)} />
        <Figure name={FIGURE_WORDS.profit} value={orNull(figures.profit, money)} />
        <Figure
          name={FIGURE_WORDS.roi}
          value={roi === null ? orNull(figures.roi, String) : ratioText(roi)}
        />
        {figures.buy_price !== null && (
          <Figure name={FIGURE_WORDS.buy} value={money(figures.buy_price)} />
        )}
        <Figure name={FIGURE_WORDS.eligible} value={orNull(figures.eligible, eligibleText)} />
        <Figure
          name={FIGURE_WORDS.drops}
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
        aria-label={exactLabel(label)}
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

interface WhatIfProps extends RowProps {
  readonly deal: Deal;
}

function WhatIf({ view, effects, row, deal }: WhatIfProps) {
  const first = firstPrices(row);
  if (first === null) return <p class="hint deal-note">{PRODUCT_TEXTS.noVerdictFees}</p>;
  const { prices } = view;
  const sign = signOf(row);
  const pack = Number(row.costs.pack ?? 1);
  const isChanged = prices.cost !== null || prices.sell !== null;
  const priced = (more: Partial<typeof prices>) =>
    effects.dispatch({ type: 'priced', prices: { ...prices, ...more } });
  return (
    <section aria-label={PRODUCT_TEXTS.whatIf}>
      <h2 class="deal-head">{PRODUCT_TEXTS.whatIf}</h2>
      <Slider
        id="deals-what-cost"
        label={costLabel(costSignOf(row), pack)}
        sign={costSignOf(row)}
        first={first.cost}
        value={prices.cost ?? first.cost}
        change={(cost) => priced({ cost })}
      />
      <Slider
        id="deals-what-sell"
        label={sellLabel(sign)}
        sign={sign}
        first={first.sell}
        value={prices.sell ?? first.sell}
        change={(sell) => priced({ sell })}
      />
      <p class="outcome" aria-live="polite">
        {isChanged ? outcomeText(deal, sign) : ''}
      </p>
      <p class="links">
        <span class="hint">{PRODUCT_TEXTS.whatIfHint}</span>
        {isChanged && (
          <button
            class="link"
            type="button"
            onClick={() => effects.dispatch({ type: 'priced', prices: AS_LISTED })}
          >
            {PRODUCT_TEXTS.listed}
          </button>
        )}
      </p>
    </section>
  );
}

function History({ view, effects, row }: RowProps) {
  const past = pastIn(view);
  if (past === null) return null;
  return (
    <section aria-label={PAST_TITLES[past.field]}>
      <h2 class="deal-head">{PAST_TITLES[past.field]}</h2>
      <PastLine
        past={past}
        sign={signOf(row)}
        isFraction={row.roiUnit === 'fraction'}
        nowMs={effects.nowMs()}
        isOpen={effects.state.isPastOpen}
        toggle={(isOpen) => effects.dispatch({ type: 'pastToggled', isOpen })}
      />
    </section>
  );
}

function Analyzed({ view, effects, row }: RowProps) {
  const { list, prices } = view;
  const { look, costs } = list;
  const rules = look.rules?.inUse ?? USUAL;
  const nowMs = effects.nowMs();
  const listed = dealAt(row, AS_LISTED, rules, nowMs);
  const deal = dealAt(row, prices, rules, nowMs);
  const isCostKnown = costs.cost !== undefined;
  return (
    <>
      {isCostKnown ? (
        <VerdictLine deal={listed} />
      ) : (
        <p class="waits">
          {PRODUCT_TEXTS.noCostColumn}{' '}
          <button class="link" type="button" onClick={effects.toList}>
            {PRODUCT_TEXTS.chooseCost}
          </button>
        </p>
      )}
      <Figures row={row} deal={listed} />
      <p class="caption remark">{ageText(row.fetchedAtMs, nowMs)}</p>
      {row.failure !== null && <p class="waits">{rowFailureText(row.failure)}</p>}
      <WhatIf view={view} effects={effects} row={row} deal={deal} />
      <History view={view} effects={effects} row={row} />
    </>
  );
}

function Unanalyzed({ effects, row }: Pick<RowProps, 'effects' | 'row'>) {
  const { isKeyMissing } = effects;
  if (row.failure !== null) return <p class="waits">{rowFailureText(row.failure)}</p>;
  const lead = isKeyMissing ? PRODUCT_TEXTS.noKey : PRODUCT_TEXTS.unanalyzedLead;
  return (
    <>
      <p class="verdict">
        <strong>{PRODUCT_TEXTS.unanalyzed}</strong>
      </p>
      <p>{lead}</p>
    </>
  );
}

function Card({ view, effects }: CardProps) {
  const { row } = view;
  if (row === null)
    return <Title id={CARD_TITLE_ID} text={PRODUCT_TEXTS.noRow} lead={PRODUCT_TEXTS.noRowLead} />;
  const { product, name, shown, problem } = row;
  const title = name === '' ? (product?.asin ?? shown) : name;
  return (
    <>
      <Steps view={view} effects={effects} />
      <Title id={CARD_TITLE_ID} text={title} />
      {product === null ? (
        <p class="waits">{problem}</p>
      ) : (
        <>
          <p class="caption product-line">
            {product.asin} · {product.market}
            {' · '}
            <a class="link" href={productLink(product)} target="_blank" rel="noopener noreferrer">
              {PRODUCT_TEXTS.page}
            </a>
          </p>
          {hasFigures(row) ? (
            <Analyzed view={view} effects={effects} row={row} />
          ) : (
            <Unanalyzed effects={effects} row={row} />
          )}
        </>
      )}
    </>
  );
}

function ProductBody({ effects }: { readonly effects: ProductEffects }) {
  const { view } = effects.state;
  switch (view.at) {
    case 'loading':
      return (
        <>
          <Title id={CARD_TITLE_ID} text={PRODUCT_TEXTS.title} />
          <Skeleton rows={4} />
        </>
      );
    case 'unreached':
      return <Title id={CARD_TITLE_ID} text={PRODUCT_TEXTS.title} lead={PRODUCT_TEXTS.unreached} />;
    case 'none':
      return view.hasProducts ? (
        <Title id={CARD_TITLE_ID} text={TEXTS.noFigures} lead={PRODUCT_TEXTS.noFiguresLead} />
      ) : (
        <Title id={CARD_TITLE_ID} text={PRODUCT_TEXTS.none} lead={PRODUCT_TEXTS.noneLead} />
      );
    case 'card':
      return <Card view={view} effects={effects} />;
  }
}

interface ProductOptions {
  readonly isShown: boolean;
  readonly chosen: Pick<DealsState, 'chosen' | 'shown'>;
  toList(): void;
}

type Side = Pick<Page, 'buttons' | 'messages'> &
  Required<Pick<Page, 'isLoading' | 'enter' | 'again'>> & { readonly body: ComponentChildren };

/** The selected row, as a side of the Deals page. */
export function useProduct(
  { rpc, nowMs, goTo, pause, connection }: ConnectedContext,
  { isShown, chosen, toList }: ProductOptions,
): Side {
  const [state, dispatch] = useReducer(stepProduct, FIRST_PRODUCT);
  const latest = useRef(state);
  latest.current = state;
  const wished = useRef(chosen);
  wished.current = chosen;
  const actions = useMemo(
    () =>
      createProductActions(rpc, dispatch, {
        stateNow: () => latest.current,
        chosenNow: () => wished.current,
        pause,
        nowMs,
      }),
    [rpc, pause, nowMs],
  );
  const { view } = state;
  useFocus(state.focus);
  const isIdle = view.at === 'none' || (view.at === 'card' && view.asked === null);
  const follow = useCallback(() => actions.follow(false), [actions]);
  useReturn(CARD_TITLE_ID, isShown && isIdle, nowMs, follow);
  const key = view.at === 'card' && view.changes === null ? keyOf(view.row) : '';
  useEffect(() => {
    if (isShown && key !== '') void actions.askPast();
  }, [isShown, key, actions]);
  const effects: ProductEffects = {
    state,
    actions,
    dispatch,
    nowMs,
    toList,
    toAnalyze: () => goTo('analyze'),
    isKeyMissing: connection?.connected === false,
  };
  return {
    body: <ProductBody effects={effects} />,
    buttons: productButtons(effects),
    messages: productMessages(state, {
      toConnection: () => goTo('connection'),
      lookAgain: () => void actions.load(true),
    }),
    isLoading: view.at === 'loading',
    enter: () => {
      if (view.at === 'loading') void actions.load();
      else if (isIdle) void actions.follow(false);
    },
    again: () => {
      if (view.at === 'unreached') void actions.load();
    },
  };
}
