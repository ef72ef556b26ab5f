// What a person can do on the Deals page, and its buttons.

import { type CostMeant, costColumnsOf } from '../../../deal/decision-plan';
import type { ListCell, ListInspection } from '../../../deal/list';
import type { SheetKind } from '../../../deal/new-sheet';
import {
  addedProfile,
  changedRules,
  chosenCurrency,
  chosenProfile,
  profileNamed,
  readRules,
} from '../../../deal/rules-tab';
import { shoppingCsv, shoppingTab } from '../../../deal/shopping-list';
import { buysOf } from '../../../deal/summary';
import { summaryTab } from '../../../deal/summary-tab';
import type { RuleKey } from '../../../product/deal-rules';
import { type Currency, MARKETS, type Market, marketRow } from '../../../product/market';
import type { BarButton, Buttons } from '../ui/page';
import type { RpcClient } from '../ui/rpc-client';
import { UI_TEXTS } from '../ui/texts';
import { createDealDesk, done, listIdOf, marketOfBoth, type Result } from './desk';
import {
  type Act,
  type DealsEvent,
  type DealsState,
  type Found,
  KEEP_ID,
  type ListView,
  type NoList,
  type NoListView,
} from './state';
import {
  BUSY_WORDS,
  decidedText,
  NOTICES,
  sheetMadeText,
  shoppingMadeText,
  summaryMadeText,
  VIEW_TEXTS,
} from './texts';

interface DealsActions {
  load(): Promise<void>;
  /** The same without any message, for when the sheet may have changed. */
  refresh(): Promise<void>;
  chooseCost(meant: CostMeant): void;
  /** For a list with both markets. */
  chooseMarket(market: Market): Promise<void>;
  /** The currency of costs, for a list with both markets. */
  chooseCurrency(currency: Currency): Promise<void>;
  /** @param hasSamples there is no key: the first rows hold samples, answered by formulas. */
  makeSheet(kind: SheetKind, hasSamples: boolean): Promise<void>;
  decide(): Promise<void>;
  remove(): Promise<void>;
  /** @param only null: shows all rows again. */
  filter(only: 'Buy' | null): Promise<void>;
  sort(): Promise<void>;
  shop(): Promise<void>;
  /** Makes a tab of formulas and charts on the list and removes the earlier one. */
  summarize(): Promise<void>;
  setRule(key: RuleKey, value: ListCell): Promise<void>;
  chooseProfile(name: string): Promise<void>;
  /** Adds a profile with the values of the one in use unless there is one, and selects it. */
  addProfile(name: string): Promise<void>;
}

interface Dependencies {
  stateNow(): DealsState;
  /** Shows the page, because messages about an action appear there wherever it was started. */
  show(): void;
  connectionChanged(): void;
}

export function createDealsActions(
  rpc: RpcClient,
  dispatch: (event: DealsEvent) => void,
  { stateNow, show, connectionChanged }: Dependencies,
): DealsActions {
  const desk = createDealDesk(rpc);

  const arrived = (reply: Result<Found | NoList>): void => {
    if (reply.ok) dispatch({ type: 'lookArrived', found: reply.value });
    else dispatch({ type: 'lookFailed', failure: reply.failure });
  };
  const find = () => desk.find(stateNow());
  /** The list as it is now, wherever the person is. */
  const again = ({ look }: ListView) => desk.find(stateNow(), listIdOf(look));
  const load = async (): Promise<void> => {
    dispatch({ type: 'lookAsked' });
    arrived(await find());
  };
  const refresh = async (): Promise<void> => {
    const reply = await find();
    if (reply.ok) dispatch({ type: 'lookArrived', found: reply.value });
  };
  /** Does one action at a time, and reads the list again if the action may have changed it. */
  async function act(
    kind: Act,
    work: (view: ListView) => Promise<Result<Pick<Done, 'notice' | 'more'>>>,
    rereads: boolean,
  ): Promise<void> {
    const { view } = stateNow();
    if (view.at !== 'list' || view.asked !== null) return;
    dispatch({ type: 'actAsked', act: kind });
    show();
    const reply = await work(view);
    if (!reply.ok) return dispatch({ type: 'actFailed', failure: reply.failure });
    if (rereads) arrived(await again(view));
    dispatch({ type: 'actDone', act: kind, ...reply.value });
  }

  async function changeRules(
    change: (rules: ReturnType<typeof readRules>) => ReturnType<typeof chosenProfile> | null,
  ): Promise<void> {
    const work = async (view: ListView) => {
      const ready = await desk.withRules(view.look);
      if (!ready.ok) return ready;
      const now = await again(view);
      if (!now.ok) return now;
      const rules = 'at' in now.value ? null : now.value.look.rules;
      const cells = rules === null ? null : change(readRules(rules));
      if (cells === null) return done({ notice: NOTICES.noRoom });
      const reply = await rpc('deals.set', cells);
      return reply.ok ? done({ notice: null }) : reply;
    };
    await act('rules', work, true);
  }

  /** Rules that are changed in quick succession are saved one after the other. */
  let lastRule: Promise<void> = Promise.resolve();
  const changeNext: typeof changeRules = (change) => {
    lastRule = lastRule.then(() => changeRules(change));
    return lastRule;
  };

  return {
    load,
    refresh,
    chooseCost(meant) {
      const { view } = stateNow();
      if (view.at !== 'list') return;
      const { column, pack } = meant;
      const chosen = { sheetId: view.look.sheet.id, title: column.title, pack };
      dispatch({ type: 'costChosen', costs: costColumnsOf(view.look, meant), chosen });
      // What is to be asked about VAT depends on the title of the costs.
      void refresh();
    },
    async chooseMarket(market) {
      const { view } = stateNow();
      if (view.at !== 'list' || view.asked !== null) return;
      const shown = { sheetId: view.look.sheet.id, market };
      dispatch({ type: 'marketChosen', shown });
      arrived(await desk.find({ ...stateNow(), shown }, listIdOf(view.look)));
    },
    chooseCurrency: (currency) => changeNext((rules) => chosenCurrency(rules, currency)),
    async makeSheet(kind, hasSamples) {
      const { view } = stateNow();
      if (view.at !== 'none' || view.isMaking) return;
      dispatch({ type: 'sheetAsked' });
      const made = await desk.newSheet(kind, hasSamples);
      if (!made.ok) return dispatch({ type: 'sheetFailed', failure: made.failure });
      if (hasSamples) connectionChanged();
      const found = await find();
      // The unit of ROI may be known by now.
      if (found.ok && 'look' in found.value) await desk.withRules(found.value.look);
      arrived(found);
      dispatch({ type: 'sheetMade', notice: sheetMadeText(made.value.name, hasSamples) });
    },
    decide: () =>
      act(
        'decide',
        async (view) => {
          const ready = await desk.withRules(view.look);
          if (!ready.ok) return ready;
          const reply = await desk.decide(view);
          if (!reply.ok) return reply;
          const { rows, kept } = reply.value;
          return done({ notice: decidedText(rows, kept) });
        },
        true,
      ),
    remove: () =>
      act(
        'remove',
        async (view) => {
          const reply = await desk.remove(view);
          return reply.ok ? done({ notice: NOTICES.removed }) : reply;
        },
        true,
      ),
    filter: (only) =>
      act(
        'filter',
        async ({ look }) => {
          const reply = await rpc('deals.filter', {
            ...{ ...listIdOf(look), market: look.market, only },
          });
          if (!reply.ok) return reply;
          const notice = only === null ? NOTICES.allShown : NOTICES.buysShown;
          return done({ notice, more: { isFiltered: only !== null } });
        },
        false,
      ),
    sort: () =>
      act(
        'sort',
        async ({ look }) => {
          const reply = await rpc('deals.sort', { ...listIdOf(look), market: look.market });
          return reply.ok ? done({ notice: NOTICES.sorted }) : reply;
        },
        true,
      ),
    shop: () =>
      act(
        'shop',
        async (view) => {
          const now = await again(view);
          if (!now.ok || 'at' in now.value) return now.ok ? done({ notice: null }) : now;
          const passing = buysOf(now.value.rows ?? []);
          const buys = passing.filter(({ quantity }) => quantity > 0);
          if (passing.length === 0) return done({ notice: NOTICES.noBuys });
          if (buys.length === 0) return done({ notice: NOTICES.noQuantity });
          const reply = await rpc('deals.tab', shoppingTab(buys, paidIn(now.value.look)));
          if (!reply.ok) return reply;
          const { name } = reply.value;
          const shopping = { tab: name, buys: buys.length, csv: shoppingCsv(buys) };
          return done({ notice: shoppingMadeText(buys.length, name), more: { shopping } });
        },
        false,
      ),
    summarize: () =>
      act(
        'summarize',
        async (view) => {
          const now = await again(view);
          if (!now.ok || 'at' in now.value) return now.ok ? done({ notice: null }) : now;
          const { look, costs, rows } = now.value;
          const tab = summaryTab({ look, costs, rows: rows ?? [] });
          if (tab === null) return done({ notice: null });
          const reply = await rpc('deals.tab', tab);
          return reply.ok ? done({ notice: summaryMadeText(reply.value.name) }) : reply;
        },
        false,
      ),
    setRule: (key, value) =>
      changeNext((rules) => changedRules(rules, rules.profile, { [key]: value })),
    chooseProfile: (name) => changeNext((rules) => chosenProfile(rules, name)),
    addProfile: (name) =>
      changeNext((rules) => {
        const there = profileNamed(rules, name);
        if (there !== undefined) return chosenProfile(rules, there.name);
        const added = addedProfile(rules, name, rules.profile);
        const { seen, cells } = chosenProfile(rules, name);
        return (
          added && { ...added, seen: [...added.seen, ...seen], cells: [...added.cells, ...cells] }
        );
      }),
  };
}

/** For a list with both markets: the one whose currency the costs are in. */
function paidIn(look: ListInspection): Market | null {
  const { rules } = look;
  if (marketOfBoth(look) === null || rules === null) return null;
  const { currency } = readRules(rules);
  return MARKETS.find((market) => marketRow(market).currency === currency) ?? null;
}

/**
 * While the currency of costs is missing, nothing is decided, because two currencies could be
 * confused.
 */
const isCurrencyMissing = ({ look }: ListView): boolean =>
  marketOfBoth(look) !== null && (look.rules === null || readRules(look.rules).currency === null);

/** Without the scheme of a seller in the UK, every profit could be a sixth of the sale too high. */
const isSchemeMissing = ({ questions }: ListView): boolean =>
  questions.some(({ rule }) => rule === 'ukScheme');

type Done = Extract<DealsEvent, { type: 'actDone' }>;

export interface Effects {
  readonly state: DealsState;
  readonly actions: DealsActions;
  dispatch(event: DealsEvent): void;
  toAnalyze(): void;
  /** Whether a new sheet shows samples because there is no key. */
  readonly isKeyMissing: boolean;
}

/** How most people go on with a list that has figures; null: there is nothing to decide. */
export function nextButton(view: ListView, { actions }: Effects): BarButton | null {
  const { costs, rows, asked } = view;
  if (asked !== null && asked !== 'filter') return { label: BUSY_WORDS[asked], isBusy: true };
  if (rows !== null)
    return buysOf(rows).length === 0
      ? null
      : { label: VIEW_TEXTS.makeShoppingList, press: () => void actions.shop() };
  return costs.cost === undefined || isCurrencyMissing(view) || isSchemeMissing(view)
    ? null
    : { label: VIEW_TEXTS.addDecisions, press: () => void actions.decide() };
}

function listButtons(view: ListView, effects: Effects): Buttons {
  const { actions, dispatch, toAnalyze, isKeyMissing } = effects;
  const { rows, asked, isRemoveAsked } = view;
  const again: BarButton = {
    id: 'deals-look',
    label: UI_TEXTS.lookAgain,
    press: () => void actions.load(),
  };
  if (isRemoveAsked)
    return {
      primary: {
        label: VIEW_TEXTS.removeDecisions,
        isDangerous: true,
        press: () => void actions.remove(),
      },
      second: {
        id: KEEP_ID,
        label: VIEW_TEXTS.keepDecisions,
        press: () => dispatch({ type: 'left' }),
      },
    };
  if (asked !== null && asked !== 'filter')
    return { primary: { label: BUSY_WORDS[asked], isBusy: true } };
  const isUndecided = rows?.every(({ verdict }) => verdict === null) === true;
  if (!isKeyMissing && isUndecided && rows.length > 0)
    return { primary: { label: UI_TEXTS.openAnalyze, press: toAnalyze }, second: again };
  const next = nextButton(view, effects);
  return next === null ? { primary: again } : { primary: next, second: again };
}

function noListButtons(
  { hasProducts, isNewWished, isMaking }: NoListView,
  effects: Effects,
): Buttons {
  const { actions, state, isKeyMissing, toAnalyze } = effects;
  const load = () => void actions.load();
  if (hasProducts && !isNewWished)
    return {
      primary: { label: UI_TEXTS.openAnalyze, press: toAnalyze },
      second: { id: 'deals-look', label: UI_TEXTS.lookAgain, press: load },
    };
  if (isMaking) return { primary: { label: VIEW_TEXTS.makingTheSheet, isBusy: true } };
  const make = () => void actions.makeSheet(state.sheetKind, isKeyMissing);
  return {
    primary: { label: VIEW_TEXTS.makeDealSheet, press: make },
    second: {
      id: 'deals-look',
      label: isNewWished ? UI_TEXTS.back : UI_TEXTS.lookAgain,
      press: load,
    },
  };
}

export function buttonsOf(effects: Effects): Buttons {
  const { view } = effects.state;
  const load = () => void effects.actions.load();
  switch (view.at) {
    case 'loading':
      return { primary: { label: UI_TEXTS.loading, isBusy: true } };
    case 'unreached':
      return { primary: { label: UI_TEXTS.tryAgain, press: load } };
    case 'none':
      return noListButtons(view, effects);
    case 'list':
      return listButtons(view, effects);
  }
}
