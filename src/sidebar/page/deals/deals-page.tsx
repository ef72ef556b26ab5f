// The Deals page for the frame: its reducer, its body and what it keeps.

import type { ComponentChildren } from 'preact';
import { useCallback, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { kindTitle, ownTitles, SHEET_KINDS, type SheetKind } from '../../../deal/new-sheet';
import type { DealSummary } from '../../../deal/offers';
import { RULES } from '../../../deal/rules-tab';
import type { CostQuestion } from '../../../list/cost-choice';
import { COST_KEYS } from '../../../product/cost';
import {
  type Currency,
  DEFAULT_MARKET,
  MARKETS,
  type Market,
  marketRow,
} from '../../../product/market';
import { Link, Picker } from '../ui/fields';
import { Skeleton, Title } from '../ui/heading';
import { useFocus, useKept, useReturn } from '../ui/hooks';
import type { BarButton, ConnectedContext, Page } from '../ui/page';
import { movedText, UI_TEXTS } from '../ui/texts';
import { buttonsOf, createDealsActions, type Effects, nextButton } from './actions';
import { AnswerCard, MoneyLines, Reasons, Verbs, Verdicts } from './answer-view';
import { useProduct } from './product-view';
import { Rules } from './rules-view';
import {
  askedId,
  COST_ID,
  COSTS_DRAFT,
  CURRENCY_ID,
  chosenCostFrom,
  firstState,
  type ListView,
  type NoListView,
  step,
  TITLE_ID,
} from './state';
import {
  alsoUsedText,
  answerText,
  changedText,
  columnText,
  costColumnText,
  costText,
  messagesOf,
  passText,
  questionText,
  rateText,
  SIDE_WORDS,
  sheetColumnsText,
  TEXTS,
  unusedText,
  VIEW_TEXTS,
  vatHint,
} from './texts';

interface BodyProps {
  readonly view: ListView;
  readonly effects: Effects;
}

function Costs({ view, effects }: BodyProps) {
  const { choices: meant, costs, example, open, unused, packUse } = view;
  const { actions } = effects;
  const ofPack = packUse === 'divides' ? costs.pack : costs.multipack;
  const shown = meant.findIndex(
    ({ column, pack, packColumn }) =>
      column.column === costs.cost?.column &&
      pack === packUse &&
      (pack === 'ignored' || packColumn?.column === ofPack?.column),
  );
  const none = costs.cost === undefined ? [['', UI_TEXTS.chooseColumn] as const] : [];
  const others = COST_KEYS.flatMap((key) => {
    const column = key === 'cost' ? undefined : costs[key];
    return key === 'cost' || column === undefined ? [] : [costColumnText(key, column)];
  });
  return (
    <div class="picks">
      <Picker
        id={COST_ID}
        label={VIEW_TEXTS.myCost}
        value={shown < 0 ? '' : String(shown)}
        options={[
          ...none,
          ...meant.map((one, at) => [String(at), costText(one, example)] as const),
        ]}
        choose={(value) => {
          const one = meant[Number(value)];
          if (value !== '' && one !== undefined) void actions.chooseCost(one);
        }}
      />
      {costs.cost !== undefined &&
        open.map((question) =>
          question.columns.length === 0 ? (
            <p key={question.role} class="remark caution">
              {VIEW_TEXTS.caseSizeAsked}
            </p>
          ) : (
            <ColumnQuestion key={question.role} question={question} effects={effects} />
          ),
        )}
      {others.length > 0 && <p class="hint">{alsoUsedText(others)}</p>}
      {unused.length > 0 && <p class="hint">{unusedText(unused)}</p>}
    </div>
  );
}

interface ColumnQuestionProps {
  readonly question: CostQuestion;
  readonly effects: Effects;
}

/** Which of these columns is it, if any? */
function ColumnQuestion({ question, effects }: ColumnQuestionProps) {
  const { role, columns } = question;
  const answers = [...columns, null];
  return (
    <Picker
      id={askedId(role)}
      label={questionText(question)}
      value=""
      options={[
        ['', VIEW_TEXTS.choose] as const,
        ...answers.map(
          (one, at) => [String(at), one ? columnText(one) : VIEW_TEXTS.noneOfThese] as const,
        ),
      ]}
      choose={(value) => {
        if (value !== '') void effects.actions.chooseColumn(role, answers[Number(value)] ?? null);
      }}
    />
  );
}

const signOf = ({ look }: ListView): string =>
  marketRow(look.market === 'column' ? DEFAULT_MARKET : look.market).sign;

/** For a list with both markets: which one is shown, and the currency of costs. */
function BothMarkets({ view, effects }: BodyProps) {
  const { rules, market: shown, isOfBoth } = view.look;
  if (!isOfBoth) return null;
  const { actions } = effects;
  const none = rules?.currency ? [] : [['', VIEW_TEXTS.choose] as const];
  const rate = rules?.rate ?? null;
  return (
    <div class="picks">
      <Picker
        id="deals-market"
        label={VIEW_TEXTS.market}
        value={shown}
        options={MARKETS.map((one) => [one, one] as const)}
        choose={(one) => void actions.chooseMarket(one as Market)}
      />
      <Picker
        id={CURRENCY_ID}
        label={VIEW_TEXTS.costsIn}
        value={rules?.currency ?? ''}
        options={[
          ...none,
          ...MARKETS.map((one) => marketRow(one)).map(
            ({ currency, sign }) => [currency, `${currency} ${sign}`] as const,
          ),
        ]}
        choose={(one) => one !== '' && void actions.chooseCurrency(one as Currency)}
      />
      {rules !== null && (
        <p class={rate === null ? 'remark caution' : 'hint'}>
          {rate === null ? TEXTS.noRate : rateText(rate)}
        </p>
      )}
    </div>
  );
}

/** What is not known about VAT yet, each with what its answers make of the first product. */
function VatQuestions({ view, effects }: BodyProps) {
  const { questions, look } = view;
  const { ukScheme, ukFlatRate } = look.rules?.inUse ?? {};
  const isRateMissing = ukScheme === 'Flat rate' && !ukFlatRate;
  if (questions.length === 0 && !isRateMissing) return null;
  return (
    <div class="picks asked">
      {isRateMissing && <p class="remark caution">{TEXTS.noFlatRate}</p>}
      {questions.length > 0 && <p class="hint">{vatHint(questions.map(({ rule }) => rule))}</p>}
      {questions.map(({ rule, choices }) => (
        <Picker
          key={rule}
          id={askedId(rule)}
          label={RULES.find(({ key }) => key === rule)?.label ?? ''}
          value=""
          options={[
            ['', VIEW_TEXTS.choose] as const,
            ...choices.map(({ value, profit }) => [value, answerText(value, profit)] as const),
          ]}
          choose={(value) => value !== '' && void effects.actions.setRule(rule, value)}
        />
      ))}
    </div>
  );
}

function Undecided({ view, effects }: BodyProps) {
  const isCostKnown = view.costs.cost !== undefined;
  return (
    <>
      {isCostKnown ? (
        <Title id={TITLE_ID} text={TEXTS.decide} lead={TEXTS.decideLead} />
      ) : (
        <Title id={TITLE_ID} text={TEXTS.noCost} lead={TEXTS.noCostLead} />
      )}
      <Costs view={view} effects={effects} />
      <BothMarkets view={view} effects={effects} />
      <VatQuestions view={view} effects={effects} />
      <Rules view={view} effects={effects} sign={signOf(view)} />
    </>
  );
}

function Decided({ view, effects, summary }: BodyProps & { readonly summary: DealSummary }) {
  const { asked, changed } = view;
  const isChanged = changed !== null && changed.length > 0;
  return (
    <>
      <Title id={TITLE_ID} text={passText(summary)} />
      <p class="caption">“{view.look.sheet.name}”</p>
      {changed !== null && <p class="remark caution">{changedText(changed)}</p>}
      {view.movedRows > 0 && <p class="remark caution">{movedText(view.movedRows)}</p>}
      <BothMarkets view={view} effects={effects} />
      <VatQuestions view={view} effects={effects} />
      <MoneyLines summary={summary} />
      <Verbs view={view} effects={effects} />
      <Verdicts summary={summary} />
      <Reasons summary={summary} most={6} />
      <Rules view={view} effects={effects} sign={signOf(view)} />
      {view.costs.cost === undefined && <Costs view={view} effects={effects} />}
      <p class="links deal-verbs">
        <Link
          isDisabled={asked !== null || view.costs.cost === undefined || isChanged}
          press={() => void effects.actions.decide()}
        >
          {VIEW_TEXTS.fillInNewRows}
        </Link>
        <Link isDisabled={asked !== null} press={() => effects.dispatch({ type: 'removeAsked' })}>
          {VIEW_TEXTS.removeDecisions}
        </Link>
      </p>
    </>
  );
}

interface NoListProps {
  readonly view: NoListView;
  readonly effects: Effects;
}

function NoList({ view, effects }: NoListProps) {
  const { state, dispatch, isKeyMissing } = effects;
  const { sheetKind } = state;
  if (view.hasProducts && !view.isNewWished)
    return <Title id={TITLE_ID} text={TEXTS.noFigures} lead={TEXTS.noFiguresLead} />;
  const [text, lead] = view.isNewWished
    ? [TEXTS.newSheet, TEXTS.newSheetLead]
    : [TEXTS.none, TEXTS.noneLead];
  return (
    <>
      <Title id={TITLE_ID} text={text} lead={lead} />
      <div class="picks">
        <Picker
          id="deals-kind"
          label={VIEW_TEXTS.kind}
          value={sheetKind}
          options={SHEET_KINDS.map((kind) => [kind, kindTitle(kind)] as const)}
          choose={(kind) => dispatch({ type: 'sheetKindChosen', kind: kind as SheetKind })}
        />
        <p class="hint">{sheetColumnsText(ownTitles(sheetKind), isKeyMissing)}</p>
      </div>
    </>
  );
}

function DealsBody({ effects }: { readonly effects: Effects }) {
  const { view } = effects.state;
  switch (view.at) {
    case 'loading':
      return (
        <>
          <Title id={TITLE_ID} text={UI_TEXTS.deals} />
          <Skeleton rows={3} />
        </>
      );
    case 'unreached':
      return <Title id={TITLE_ID} text={UI_TEXTS.deals} lead={TEXTS.unreached} />;
    case 'none':
      return <NoList view={view} effects={effects} />;
    case 'list': {
      const props = { view, effects };
      return view.summary === null || view.isChoosing ? (
        <Undecided {...props} />
      ) : (
        <Decided {...props} summary={view.summary} />
      );
    }
  }
}

type SideId = keyof typeof SIDE_WORDS;

const SIDES: readonly SideId[] = ['list', 'product'];

/** The name of the draft with the side of the page that was last shown. */
const SIDE_DRAFT = 'deals-side';

function useDeals({ rpc, drafts, nowMs, goTo, opens, connectionChanged }: ConnectedContext) {
  const [opening] = useState(() => ({
    chosen: chosenCostFrom(drafts.read(COSTS_DRAFT)),
    isNewWished: opens === 'new-deal-sheet',
  }));
  const [state, dispatch] = useReducer(step, opening, firstState);
  const [kept, setSide] = useState<SideId>(() =>
    drafts.read(SIDE_DRAFT) === 'product' ? 'product' : 'list',
  );
  const latest = useRef(state);
  latest.current = state;
  const actions = useMemo(
    () =>
      createDealsActions(rpc, dispatch, {
        stateNow: () => latest.current,
        show: () => {
          setSide('list');
          goTo('deals');
        },
        connectionChanged,
      }),
    [rpc, goTo, connectionChanged],
  );
  useKept(drafts, COSTS_DRAFT, state.chosen);
  useKept(drafts, SIDE_DRAFT, kept);
  useFocus(state.focus);
  const { view } = state;
  const isIdle =
    view.at === 'none'
      ? !view.isNewWished && !view.isMaking
      : view.at === 'list' && view.asked === null;
  useReturn(TITLE_ID, isIdle, nowMs, actions.refresh);
  return { state, dispatch, actions, isIdle, kept, setSide };
}

interface SidesProps {
  readonly shown: SideId;
  choose(side: SideId): void;
}

function Sides({ shown, choose }: SidesProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is sent.
    <div class="sides" role="group" aria-label={VIEW_TEXTS.show}>
      {SIDES.map((side) => (
        <button key={side} type="button" aria-pressed={side === shown} onClick={() => choose(side)}>
          {SIDE_WORDS[side]}
        </button>
      ))}
    </div>
  );
}

export interface DealsPage {
  readonly page: Page;
  /** The totals of this sheet's list for the end of a run; nothing while they are unknown. */
  card(sheetId: number): ComponentChildren;
  /** How most people go on with this sheet's list at the end of a run; null: nothing is known. */
  next(sheetId: number): BarButton | null;
  /** A run has ended, or its end is shown again. */
  runEnded(): void;
}

export function useDealsPage(context: ConnectedContext): DealsPage {
  const { state, dispatch, actions, isIdle, kept, setSide } = useDeals(context);
  const { goTo, connection } = context;
  const isKeyMissing = connection?.connected === false;
  const { view } = state;
  const effects = { state, actions, dispatch, toAnalyze: () => goTo('analyze'), isKeyMissing };
  const runEnded = useCallback(() => void actions.refresh(), [actions]);
  const isNew = view.at === 'none' && (view.isNewWished || view.isMaking);
  const side = isNew ? 'list' : kept;
  const toList = () => {
    setSide('list');
    enterList();
  };
  const product = useProduct(context, {
    isShown: side === 'product',
    chosen: state,
    toList,
  });
  const enterList = () => {
    if (view.at === 'loading') void actions.load();
    else if (isIdle) void actions.refresh();
  };
  const choose = (to: SideId) => {
    if (to === side) return;
    if (to === 'list') return toList();
    setSide(to);
    product.enter();
  };
  const sides = (side === 'product' || view.at === 'list') && (
    <Sides shown={side} choose={choose} />
  );
  const ofProduct: Page = {
    id: 'deals',
    name: UI_TEXTS.deals,
    ...product,
    body: (
      <>
        {sides}
        {product.body}
      </>
    ),
  };
  const ofList: Page = {
    id: 'deals',
    name: UI_TEXTS.deals,
    body: (
      <>
        {sides}
        <DealsBody effects={effects} />
      </>
    ),
    buttons: buttonsOf(effects),
    messages: messagesOf(state, { toConnection: () => goTo('connection') }),
    isLoading: view.at === 'loading',
    leave: () => {
      if (view.at === 'none' && view.isNewWished && !view.isMaking) void actions.load();
      else dispatch({ type: 'left' });
    },
    enter: enterList,
    again: () => {
      if (view.at === 'unreached') void actions.load();
    },
  };
  const card = (sheetId: number) =>
    view.at === 'list' && view.look.sheet.id === sheetId ? (
      <AnswerCard
        view={view}
        effects={effects}
        open={() => {
          toList();
          goTo('deals');
        }}
      />
    ) : null;
  const next = (sheetId: number) =>
    view.at === 'list' && view.look.sheet.id === sheetId ? nextButton(view, effects) : null;
  return { page: side === 'product' ? ofProduct : ofList, card, next, runEnded };
}
