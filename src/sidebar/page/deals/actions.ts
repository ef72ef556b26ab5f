// What a person can do on the Deals page, and its buttons.

import type { ChangedColumn, ChosenCost } from '../../../deal/list';
import type { SheetKind } from '../../../deal/new-sheet';
import { type CostMeant, type ListColumn, NO_COLUMN } from '../../../list/cost-choice';
import type { CostKey } from '../../../product/cost';
import type { RuleKey } from '../../../product/deal-rules';
import type { Currency, Market } from '../../../product/market';
import type { RpcReply } from '../../api/define-api';
import type { Payload } from '../../api/methods';
import type { BarButton, Buttons } from '../ui/page';
import type { RpcClient } from '../ui/rpc-client';
import { UI_TEXTS } from '../ui/texts';
import {
  type Act,
  askedId,
  COST_ID,
  CURRENCY_ID,
  type DealsEvent,
  type DealsState,
  type Found,
  KEEP_ID,
  type ListView,
  listIdOf,
  type NoList,
  type NoListView,
  selectionOf,
} from './state';
import {
  BUSY_WORDS,
  decidedText,
  NOTICES,
  sheetMadeText,
  shoppingMadeText,
  stillText,
  summaryMadeText,
  VIEW_TEXTS,
} from './texts';

interface DealsActions {
  load(): Promise<void>;
  /** The same without any message, for when the sheet may have changed. */
  refresh(): Promise<void>;
  chooseCost(meant: CostMeant): Promise<void>;
  /** What another column holds; null: none of those that were asked about. */
  chooseColumn(role: CostKey, column: ListColumn | null): Promise<void>;
  /** For a list with both markets. */
  chooseMarket(market: Market): Promise<void>;
  /** The currency of costs, for a list with both markets. */
  chooseCurrency(currency: Currency): Promise<void>;
  /** @param hasSamples there is no key: the first rows hold samples, answered by formulas. */
  makeSheet(kind: SheetKind, hasSamples: boolean): Promise<void>;
  decide(): Promise<void>;
  /** The column is still what decisions took it for. */
  keepBound(role: ChangedColumn['role']): Promise<void>;
  remove(): Promise<void>;
  /** @param only null: shows all rows again. */
  filter(only: 'Buy' | null): Promise<void>;
  sort(): Promise<void>;
  shop(): Promise<void>;
  /** Makes a tab of formulas and charts on the list and removes the earlier one. */
  summarize(): Promise<void>;
  setRule(key: RuleKey, value: string | number | boolean | null): Promise<void>;
  /** Selects a profile. If there is none of this name, it is added with the values of the one in use. */
  chooseProfile(name: string): Promise<void>;
}

interface Dependencies {
  stateNow(): DealsState;
  /** Shows the page, because messages about an action appear there wherever it was started. */
  show(): void;
  connectionChanged(): void;
}

/** What an action comes to, or the failure in its place. */
type Outcome = RpcReply<Pick<Done, 'notice' | 'more'>>;

const done = (value: Pick<Done, 'notice' | 'more'>) => ({ ok: true, value }) as const;

export function createDealsActions(
  rpc: RpcClient,
  dispatch: (event: DealsEvent) => void,
  { stateNow, show, connectionChanged }: Dependencies,
): DealsActions {
  const arrived = (reply: RpcReply<Found | NoList>): void => {
    if (reply.ok) dispatch({ type: 'lookArrived', found: reply.value });
    else dispatch({ type: 'lookFailed', failure: reply.failure });
  };
  const find = () => rpc('deals.look', { ...selectionOf(stateNow()), isCard: false });
  /** The list in view, wherever the person is by now. */
  const selectionIn = ({ look }: ListView) => ({
    ...selectionOf(stateNow(), listIdOf(look)),
    market: look.market,
  });
  /** The list as it is now. */
  const again = async (view: ListView) =>
    arrived(await rpc('deals.look', { ...selectionIn(view), isCard: false }));
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
    work: (view: ListView) => Promise<Outcome>,
    rereads: boolean,
  ): Promise<void> {
    const { view } = stateNow();
    if (view.at !== 'list' || view.asked !== null) return;
    dispatch({ type: 'actAsked', act: kind });
    show();
    const reply = await work(view);
    if (!reply.ok) return dispatch({ type: 'actFailed', failure: reply.failure });
    if (rereads) await again(view);
    dispatch({ type: 'actDone', act: kind, ...reply.value });
  }

  /** Rules that are changed in quick succession are saved one after the other. */
  let lastRule: Promise<void> = Promise.resolve();
  const changeRules = (change: Payload<'deals.rules'>): Promise<void> => {
    const work = async (): Promise<Outcome> => {
      const reply = await rpc('deals.rules', change);
      if (!reply.ok) return reply;
      return done({ notice: reply.value === 'full' ? NOTICES.noRoom : null });
    };
    lastRule = lastRule.then(() => act('rules', work, true));
    return lastRule;
  };

  /** What was chosen of the sheet in view. */
  const chosenHere = (): Partial<ChosenCost> | null => {
    const { view, chosen } = stateNow();
    return view.at === 'list' && chosen?.sheetId === view.look.sheet.id ? chosen : null;
  };
  /** What else is to be asked depends on it. */
  async function choose(choice: Omit<ChosenCost, 'sheetId'>): Promise<void> {
    const { view } = stateNow();
    if (view.at !== 'list') return;
    dispatch({ type: 'costChosen', chosen: { sheetId: view.look.sheet.id, ...choice } });
    await refresh();
  }

  return {
    load,
    refresh,
    chooseCost({ column: { title }, pack, packColumn }) {
      const packTitle = packColumn?.title;
      return choose({ title, ...(pack && { pack }), ...(packTitle && { packTitle }) });
    },
    chooseColumn(role, column) {
      const { sheetId: _, ...before } = chosenHere() ?? {};
      return choose({
        ...before,
        others: { ...before.others, [role]: column?.title ?? NO_COLUMN },
      });
    },
    async chooseMarket(market) {
      const { view } = stateNow();
      if (view.at !== 'list' || view.asked !== null) return;
      dispatch({ type: 'marketChosen', shown: { sheetId: view.look.sheet.id, market } });
      arrived(await rpc('deals.look', { ...selectionIn(view), market, isCard: false }));
    },
    chooseCurrency: (currency) => changeRules({ currency }),
    async makeSheet(kind, hasSamples) {
      const { view } = stateNow();
      if (view.at !== 'none' || view.isMaking) return;
      dispatch({ type: 'sheetAsked' });
      const begun = hasSamples ? await rpc('demo.start', {}) : null;
      const made = begun?.ok === false ? begun : await rpc('deals.newSheet', { kind, hasSamples });
      if (!made.ok) return dispatch({ type: 'sheetFailed', failure: made.failure });
      if (hasSamples) connectionChanged();
      arrived(await find());
      dispatch({ type: 'sheetMade', notice: sheetMadeText(made.value.name, hasSamples) });
    },
    decide: () =>
      act(
        'decide',
        async (view) => {
          const reply = await rpc('deals.decide', selectionIn(view));
          if (!reply.ok) return reply;
          return done({ notice: decidedText(reply.value.rows, reply.value.kept) });
        },
        true,
      ),
    keepBound: (role) =>
      act(
        'rules',
        async ({ look }) => {
          const reply = await rpc('deals.keepBound', { ...listIdOf(look), role });
          return reply.ok ? done({ notice: null }) : reply;
        },
        true,
      ),
    remove: () =>
      act(
        'remove',
        async ({ look }) => {
          const reply = await rpc('deals.remove', listIdOf(look));
          return reply.ok ? done({ notice: NOTICES.removed }) : reply;
        },
        true,
      ),
    filter: (only) =>
      act(
        'filter',
        async (view) => {
          const reply = await rpc('deals.filter', { ...selectionIn(view), only });
          if (!reply.ok) return reply;
          const notice = only === null ? NOTICES.allShown : NOTICES.buysShown;
          return done({ notice, more: { isFiltered: only !== null } });
        },
        false,
      ),
    sort: () =>
      act(
        'sort',
        async (view) => {
          const reply = await rpc('deals.sort', selectionIn(view));
          return reply.ok ? done({ notice: NOTICES.sorted }) : reply;
        },
        true,
      ),
    shop: () =>
      act(
        'shop',
        async (view) => {
          const reply = await rpc('deals.shop', selectionIn(view));
          if (!reply.ok) return reply;
          const { tab, passing, buys } = reply.value;
          if (tab === null)
            return done({ notice: passing === 0 ? NOTICES.noBuys : NOTICES.noQuantity });
          return done({ notice: shoppingMadeText(buys, tab), more: { shopping: reply.value } });
        },
        false,
      ),
    summarize: () =>
      act(
        'summarize',
        async (view) => {
          const reply = await rpc('deals.summarize', selectionIn(view));
          return reply.ok ? done({ notice: summaryMadeText(reply.value.name) }) : reply;
        },
        false,
      ),
    setRule: (key, value) => changeRules({ values: { [key]: value } }),
    chooseProfile: (profile) => changeRules({ profile }),
  };
}

/**
 * While the currency of costs is missing, nothing is decided, because two currencies could be
 * confused.
 */
const isCurrencyMissing = ({ look }: ListView): boolean =>
  look.isOfBoth && (look.rules?.currency ?? null) === null;

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
  const { costs, summary, asked, isChoosing } = view;
  if (asked !== null && asked !== 'filter') return { label: BUSY_WORDS[asked], isBusy: true };
  if (summary !== null && !isChoosing)
    return summary.verdicts.Buy === 0
      ? null
      : { label: VIEW_TEXTS.makeShoppingList, press: () => void actions.shop() };
  const isOpen = costs.cost === undefined || view.open.length > 0;
  return isOpen || isCurrencyMissing(view) || isSchemeMissing(view)
    ? null
    : { label: VIEW_TEXTS.addDecisions, press: () => void actions.decide() };
}

/** Leads to what has to be answered before anything is decided; null: nothing has. */
function questionButton(view: ListView): BarButton | null {
  const to = (label: string, id: string): BarButton => ({
    label,
    press: () => document.getElementById(id)?.focus(),
  });
  if (view.costs.cost === undefined) return to(VIEW_TEXTS.chooseCost, COST_ID);
  const [open] = view.open.filter(({ columns }) => columns.length > 0);
  if (open !== undefined) return to(VIEW_TEXTS.chooseColumns, askedId(open.role));
  if (isCurrencyMissing(view)) return to(VIEW_TEXTS.chooseCurrency, CURRENCY_ID);
  return isSchemeMissing(view) ? to(VIEW_TEXTS.chooseScheme, askedId('ukScheme')) : null;
}

/** While columns have other titles than when they were bound; null: they have not. */
function changeButtons({ changed }: ListView, effects: Effects): Buttons | null {
  const { actions, dispatch, toAnalyze } = effects;
  if (changed === null) return null;
  const [first] = changed;
  if (first === undefined)
    return { primary: { label: VIEW_TEXTS.fillInNewRows, press: () => void actions.decide() } };
  const isOfAnalyze = first.role === 'product' || first.role === 'market';
  return {
    primary: { label: stillText(first), press: () => void actions.keepBound(first.role) },
    second: {
      id: 'deals-choose',
      label: VIEW_TEXTS.chooseAgain,
      press: isOfAnalyze ? toAnalyze : () => dispatch({ type: 'choosingAsked' }),
    },
  };
}

function listButtons(view: ListView, effects: Effects): Buttons {
  const { actions, dispatch, toAnalyze, isKeyMissing } = effects;
  const { summary, asked, isRemoveAsked } = view;
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
  const change = view.isChoosing ? null : changeButtons(view, effects);
  if (change !== null) return change;
  const isUndecided = summary !== null && summary.rows > 0 && summary.undecided === summary.rows;
  if (!isKeyMissing && isUndecided)
    return { primary: { label: UI_TEXTS.openAnalyze, press: toAnalyze }, second: again };
  const next = nextButton(view, effects) ?? questionButton(view);
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
