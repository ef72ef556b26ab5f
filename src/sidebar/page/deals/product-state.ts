// The state of the product that is shown, its events and its reducer.

import type { ShownList } from '../../../deal/list';
import type { Offer } from '../../../deal/offers';
import { AS_LISTED, keyOf, type Past, type Prices, pastOf } from '../../../deal/product-card';
import type { RpcFailure } from '../../api/failure-view';
import type { Value } from '../../api/methods';
import type { FocusRequest } from '../ui/hooks';
import { isSameList, type NoList } from './state';

export const CARD_TITLE_ID = 'deals-product-title';

/** The list, with the rows that have content. */
export type CardList = Pick<ShownList, 'look' | 'costs' | 'offers'>;

/** The first and last selected row; null: another sheet is active. */
type Selected = Pick<ShownList, 'selected'>;

type Changes = Value<'deals.history'>;

export interface CardView extends Selected {
  readonly at: 'card';
  readonly list: CardList;
  /** null: the selection contains no product. */
  readonly row: Offer | null;
  readonly prices: Prices;
  /** The changes of the product shown; null: not known yet. */
  readonly changes: Changes | null;
  /** The command that was sent and is not yet answered. */
  readonly asked: 'refresh' | 'stop' | 'follow' | null;
  /** The job that refreshes the product. */
  readonly jobId: string | null;
  readonly failure: RpcFailure | null;
}

export type ProductView =
  | { readonly at: 'loading' }
  | { readonly at: 'unreached'; readonly failure: RpcFailure }
  | { readonly at: 'none'; readonly hasProducts: boolean }
  | CardView;

export interface ProductState {
  readonly view: ProductView;
  readonly notice: string | null;
  readonly isPastOpen: boolean;
  readonly focus: FocusRequest | null;
}

export type ProductEvent =
  | { readonly type: 'asked' }
  /** @param isWished the person asked for the selected row, whatever was shown before. */
  | {
      readonly type: 'arrived';
      readonly found: (CardList & Selected) | NoList;
      readonly isWished: boolean;
    }
  | { readonly type: 'failed'; readonly failure: RpcFailure }
  | { readonly type: 'stepped'; readonly by: 1 | -1 }
  | { readonly type: 'shown' }
  | { readonly type: 'priced'; readonly prices: Prices }
  | { readonly type: 'changesArrived'; readonly key: string; readonly changes: Changes }
  | { readonly type: 'acted'; readonly act: NonNullable<CardView['asked']> }
  | { readonly type: 'jobStarted'; readonly jobId: string }
  | {
      readonly type: 'jobEnded';
      readonly notice: string | null;
      readonly failure: RpcFailure | null;
    }
  | { readonly type: 'pastToggled'; readonly isOpen: boolean };

export const FIRST_PRODUCT: ProductState = {
  view: { at: 'loading' },
  notice: null,
  isPastOpen: false,
  focus: null,
};

const rowWithin = ({ offers }: CardList, selected: Selected['selected']): Offer | null => {
  const [first, last] = selected ?? [0, 0];
  return offers.find(({ row }) => row >= first && row <= last) ?? null;
};

/** The row that was shown, found again because rows may have moved. */
function rowAgain({ offers }: CardList, before: Offer | null): Offer | undefined {
  const key = keyOf(before);
  const there = offers.find(({ row }) => row === before?.row);
  const isMoved = key !== '' && (there === undefined || keyOf(there) !== key);
  return (isMoved ? offers.find((one) => keyOf(one) === key) : undefined) ?? there;
}

const isSameArea = (one: Selected['selected'], other: Selected['selected']): boolean =>
  one?.[0] === other?.[0] && one?.[1] === other?.[1];

/** The row shown before stays until another one is selected. */
function afterLook(
  state: ProductState,
  found: (CardList & Selected) | NoList,
  isWished: boolean,
): ProductState {
  if (found.look === null)
    return { ...state, view: { at: 'none', hasProducts: found.hasProducts } };
  const { selected, look, costs, offers } = found;
  const list = { look, costs, offers };
  const before = state.view.at === 'card' ? state.view : null;
  const isSameOne = before !== null && isSameList(before.list.look, list.look);
  const stays = !isWished && isSameOne && isSameArea(before.selected, selected);
  const kept = stays ? rowAgain(list, before.row) : undefined;
  const row = kept ?? rowWithin(list, selected);
  const isSame = before !== null && keyOf(before.row) === keyOf(row);
  return {
    ...state,
    notice: isSame ? state.notice : null,
    view: {
      at: 'card',
      list,
      selected,
      row,
      prices: isSame && before.row?.row === row?.row ? before.prices : AS_LISTED,
      changes: isSame ? before.changes : null,
      asked: before?.asked === 'follow' ? null : (before?.asked ?? null),
      jobId: before?.jobId ?? null,
      failure: isSame ? before.failure : null,
    },
  };
}

/** The row before or after the one shown. */
export function neighbour({ list, row }: CardView, by: 1 | -1): Offer | null {
  const at = list.offers.findIndex((one) => one.row === row?.row);
  return at < 0 ? null : (list.offers[at + by] ?? null);
}

function stepCard(state: ProductState, view: CardView, event: ProductEvent): ProductState {
  switch (event.type) {
    case 'stepped': {
      const row = neighbour(view, event.by);
      if (row === null) return state;
      const changes = keyOf(row) === keyOf(view.row) ? view.changes : null;
      const shown = { ...view, row, changes, prices: AS_LISTED, failure: null };
      return { ...state, notice: null, view: shown };
    }
    case 'shown': {
      const { row } = view;
      return row === null ? state : { ...state, view: { ...view, selected: [row.row, row.row] } };
    }
    case 'priced':
      return { ...state, view: { ...view, prices: event.prices } };
    case 'changesArrived':
      return event.key === keyOf(view.row)
        ? { ...state, view: { ...view, changes: event.changes } }
        : state;
    case 'acted':
      return { ...state, notice: null, view: { ...view, asked: event.act, failure: null } };
    case 'jobStarted':
      return { ...state, view: { ...view, jobId: event.jobId } };
    case 'jobEnded': {
      const { notice, failure } = event;
      return { ...state, notice, view: { ...view, asked: null, jobId: null, failure } };
    }
    default:
      return state;
  }
}

export function stepProduct(state: ProductState, event: ProductEvent): ProductState {
  const { view } = state;
  switch (event.type) {
    case 'asked':
      return { ...state, view: { at: 'loading' }, notice: null };
    case 'arrived': {
      const next = afterLook(state, event.found, event.isWished);
      return event.isWished ? { ...next, focus: { to: CARD_TITLE_ID } } : next;
    }
    case 'failed':
      return view.at === 'card'
        ? { ...state, view: { ...view, asked: null, failure: event.failure } }
        : { ...state, view: { at: 'unreached', failure: event.failure } };
    case 'pastToggled':
      return { ...state, isPastOpen: event.isOpen };
    default:
      return view.at === 'card' ? stepCard(state, view, event) : state;
  }
}

export const pastIn = ({ changes, row }: CardView): Past | null =>
  changes === null || row === null ? null : pastOf(changes, row);
