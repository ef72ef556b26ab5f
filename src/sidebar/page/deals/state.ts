// The state of the Deals page, its events and its reducer.

import type { ChosenCost, ListId, ListLook, ListSelection, ShownList } from '../../../deal/list';
import type { SheetKind } from '../../../deal/new-sheet';
import type { ShoppingList } from '../../../deal/shopping-list';
import { PACK_USES } from '../../../list/cost-choice';
import { COST_KEYS, type CostKey } from '../../../product/cost';
import type { RuleKey } from '../../../product/deal-rules';
import type { Market } from '../../../product/market';
import type { RpcFailure } from '../../api/failure-view';
import type { FocusRequest } from '../ui/hooks';

export const TITLE_ID = 'deals-title';
export const KEEP_ID = 'deals-keep';
export const COST_ID = 'deals-cost';
export const CURRENCY_ID = 'deals-currency';

/** The picker in which a rule, or what holds a cost, is asked for. */
export const askedId = (asked: RuleKey | CostKey): string => `deals-asked-${asked}`;

/** The names of what the page keeps while the sidebar is closed. */
export const COSTS_DRAFT = 'deals-costs';

/** The market that is shown of a list with both. */
export interface ShownMarket {
  readonly sheetId: number;
  readonly market: Market;
}

export function chosenCostFrom(kept: unknown): ChosenCost | null {
  if (typeof kept !== 'object' || kept === null) return null;
  const read = (name: string): unknown => Reflect.get(kept, name);
  const sheetId = read('sheetId');
  const title = read('title');
  const packTitle = read('packTitle');
  const pack = PACK_USES.find((one) => one === read('pack'));
  const said = Object(read('others')) as Readonly<Record<string, unknown>>;
  const others = COST_KEYS.flatMap((role) =>
    typeof said[role] === 'string' ? [[role, said[role]] as const] : [],
  );
  if (typeof sheetId !== 'number') return null;
  return {
    sheetId,
    ...(typeof title === 'string' && { title }),
    ...(pack !== undefined && { pack }),
    ...(typeof packTitle === 'string' && { packTitle }),
    ...(others.length > 0 && { others: Object.fromEntries(others) }),
  };
}

/** The person's commands on the page. */
export type Act = 'decide' | 'remove' | 'filter' | 'sort' | 'shop' | 'summarize' | 'rules';

/** A list as it was just read. */
export type Found = Omit<ShownList, 'offers' | 'selected'>;

export interface ListView extends Found {
  readonly at: 'list';
  /** The command that was sent and is not yet answered. */
  readonly asked: Act | null;
  readonly isFiltered: boolean;
  readonly isRemoveAsked: boolean;
  /** Whether the person chooses again what columns hold, because they have changed. */
  readonly isChoosing: boolean;
  /** The latest one, for people who want it as a file. */
  readonly shopping: ShoppingList | null;
  readonly failure: RpcFailure | null;
}

/** The active sheet has no list that was analyzed. */
export interface NoListView {
  readonly at: 'none';
  /** Whether it has products all the same. */
  readonly hasProducts: boolean;
  /** Whether the person wants a new sheet, whatever is shown. */
  readonly isNewWished: boolean;
  readonly isMaking: boolean;
  readonly failure: RpcFailure | null;
}

export type View =
  | { readonly at: 'loading' }
  | { readonly at: 'unreached'; readonly failure: RpcFailure }
  | NoListView
  | ListView;

export interface DealsState {
  readonly view: View;
  readonly chosen: ChosenCost | null;
  readonly shown: ShownMarket | null;
  /** The kind of sheet to make. */
  readonly sheetKind: SheetKind;
  readonly areRulesOpen: boolean;
  /** Good news to show once. */
  readonly notice: string | null;
  readonly focus: FocusRequest | null;
}

/** The active sheet has no list. */
export interface NoList {
  readonly look: null;
  readonly hasProducts: boolean;
}

export type DealsEvent =
  | { readonly type: 'lookAsked' }
  | { readonly type: 'lookArrived'; readonly found: Found | NoList }
  | { readonly type: 'lookFailed'; readonly failure: RpcFailure }
  | { readonly type: 'costChosen'; readonly chosen: ChosenCost }
  | { readonly type: 'marketChosen'; readonly shown: ShownMarket }
  | { readonly type: 'rulesToggled'; readonly isOpen: boolean }
  | { readonly type: 'sheetKindChosen'; readonly kind: SheetKind }
  | { readonly type: 'sheetAsked' }
  | { readonly type: 'sheetMade'; readonly notice: string }
  | { readonly type: 'sheetFailed'; readonly failure: RpcFailure }
  | { readonly type: 'actAsked'; readonly act: Act }
  | {
      readonly type: 'actDone';
      readonly act: Act;
      readonly notice: string | null;
      readonly more?: Partial<Pick<ListView, 'isFiltered' | 'shopping'>>;
    }
  | { readonly type: 'actFailed'; readonly failure: RpcFailure }
  | { readonly type: 'removeAsked' }
  | { readonly type: 'choosingAsked' }
  /** Escape, or the answer "keep". */
  | { readonly type: 'left' };

const NONE: Omit<NoListView, 'hasProducts'> = {
  at: 'none',
  isNewWished: false,
  isMaking: false,
  failure: null,
};

interface Opening {
  readonly chosen: ChosenCost | null;
  /** Whether the page was opened to make a sheet. */
  readonly isNewWished: boolean;
}

export const firstState = ({ chosen, isNewWished }: Opening): DealsState => ({
  view: isNewWished ? { ...NONE, hasProducts: false, isNewWished } : { at: 'loading' },
  chosen,
  shown: null,
  sheetKind: 'wholesale',
  areRulesOpen: false,
  notice: null,
  focus: null,
});

export const isSameList = (one: Pick<ListLook, 'sheet' | 'listId'>, other: typeof one): boolean =>
  one.sheet.id === other.sheet.id && one.listId === other.listId;

/** What is asked about the list in view. */
export const selectionOf = (
  { chosen, shown }: Pick<DealsState, 'chosen' | 'shown'>,
  list: ListId | null = null,
): ListSelection => ({ list, market: shown?.market ?? null, cost: chosen });

export const listIdOf = ({ sheet, listId }: ListLook): ListId => ({ sheetId: sheet.id, listId });

/** If the same list is read again, the command under way and messages about the list stay. */
function afterLook(state: DealsState, found: Found | NoList): DealsState {
  const { view } = state;
  if (found.look === null) return { ...state, view: { ...NONE, hasProducts: found.hasProducts } };
  const isSame = view.at === 'list' && isSameList(view.look, found.look);
  const fresh = {
    asked: null,
    isFiltered: false,
    isRemoveAsked: false,
    isChoosing: false,
    shopping: null,
    failure: null,
  };
  return {
    ...state,
    notice: isSame ? state.notice : null,
    view: { ...fresh, ...(isSame ? view : {}), ...found, at: 'list' },
  };
}

function stepList(state: DealsState, view: ListView, event: DealsEvent): DealsState {
  switch (event.type) {
    case 'costChosen':
      return { ...state, chosen: event.chosen };
    case 'actAsked':
      return {
        ...state,
        notice: null,
        view: { ...view, asked: event.act, isRemoveAsked: false, failure: null },
      };
    case 'actDone': {
      const isDecision = event.act === 'decide' || event.act === 'remove';
      return {
        ...state,
        notice: event.notice,
        view: { ...view, ...event.more, asked: null, isChoosing: false },
        focus: isDecision ? { to: TITLE_ID } : state.focus,
      };
    }
    case 'actFailed':
      return { ...state, view: { ...view, asked: null, failure: event.failure } };
    case 'removeAsked':
      return { ...state, view: { ...view, isRemoveAsked: true }, focus: { to: KEEP_ID } };
    case 'choosingAsked':
      return { ...state, view: { ...view, isChoosing: true }, focus: { to: TITLE_ID } };
    case 'left':
      return view.isRemoveAsked || view.isChoosing
        ? {
            ...state,
            view: { ...view, isRemoveAsked: false, isChoosing: false },
            focus: { to: TITLE_ID },
          }
        : state;
    default:
      return state;
  }
}

function stepNoList(state: DealsState, view: NoListView, event: DealsEvent): DealsState {
  switch (event.type) {
    case 'sheetAsked':
      return { ...state, notice: null, view: { ...view, isMaking: true, failure: null } };
    case 'sheetFailed':
      return { ...state, view: { ...view, isMaking: false, failure: event.failure } };
    default:
      return state;
  }
}

export function step(state: DealsState, event: DealsEvent): DealsState {
  const { view } = state;
  switch (event.type) {
    case 'lookAsked':
      return { ...state, view: { at: 'loading' }, notice: null };
    case 'lookArrived':
      return afterLook(state, event.found);
    case 'lookFailed':
      return view.at === 'list'
        ? { ...state, view: { ...view, asked: null, failure: event.failure } }
        : { ...state, view: { at: 'unreached', failure: event.failure } };
    case 'marketChosen':
      return { ...state, shown: event.shown, notice: null };
    case 'rulesToggled':
      return { ...state, areRulesOpen: event.isOpen };
    case 'sheetKindChosen':
      return { ...state, sheetKind: event.kind };
    case 'sheetMade':
      return { ...state, notice: event.notice, focus: { to: TITLE_ID } };
    default:
      if (view.at === 'none') return stepNoList(state, view, event);
      return view.at === 'list' ? stepList(state, view, event) : state;
  }
}
