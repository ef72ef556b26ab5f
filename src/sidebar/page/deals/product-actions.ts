// What a person can do with the product that is shown, and its buttons.

import { hasFigures, keyOf, writtenFields } from '../../../deal/product-card';
import type { BulkStatus } from '../../api/runs';
import type { BarButton, Buttons } from '../ui/page';
import type { RpcClient } from '../ui/rpc-client';
import { UI_TEXTS } from '../ui/texts';
import { createDealDesk } from './desk';
import type { CardView, ProductEvent, ProductState } from './product-state';
import type { ChosenCost, ShownMarket } from './state';
import { refreshedText, VIEW_TEXTS } from './texts';

/** One product is answered in seconds or waits for the key's limit; a run's call ends by then. */
const SLICE_MS = 60_000;

interface ProductActions {
  load(isWished?: boolean): Promise<void>;
  /** Shows the row that is selected now; what is known about the list stays. */
  follow(isWished: boolean): Promise<void>;
  refresh(): Promise<void>;
  stop(): Promise<void>;
  select(): Promise<void>;
  askPast(): Promise<void>;
}

interface Dependencies {
  stateNow(): ProductState;
  chosenNow(): ChosenCost | null;
  shownNow(): ShownMarket | null;
  pause(ms: number): Promise<void>;
}

export function createProductActions(
  rpc: RpcClient,
  dispatch: (event: ProductEvent) => void,
  { stateNow, chosenNow, shownNow, pause }: Dependencies,
): ProductActions {
  const desk = createDealDesk(rpc);

  const find = async (isWished: boolean): Promise<void> => {
    const reply = await desk.findCards(chosenNow(), shownNow());
    if (reply.ok) dispatch({ type: 'arrived', found: reply.value, isWished });
    else dispatch({ type: 'failed', failure: reply.failure });
  };
  const cardNow = (): CardView | null => {
    const { view } = stateNow();
    return view.at === 'card' ? view : null;
  };
  const follow = async (isWished: boolean): Promise<void> => {
    const view = cardNow();
    if (view === null) return find(isWished);
    const reply = await desk.cards(view.list);
    // Another sheet is active, or columns have moved.
    if (!reply.ok || reply.value.selected === null) return find(isWished);
    dispatch({ type: 'arrived', found: reply.value, isWished });
  };

  /** Calls the run's worker until nothing is left to do or the person has to act. */
  async function workOff(runId: string, first: BulkStatus): Promise<void> {
    let status = first;
    for (;;) {
      const reply = await rpc('bulk.run', { runId, worker: 0, maxMs: SLICE_MS });
      if (!reply.ok) return dispatch({ type: 'failed', failure: reply.failure });
      const { againInMs } = reply.value;
      status = reply.value.status;
      if (againInMs === null) break;
      await pause(againInMs);
    }
    const view = cardNow();
    if (view !== null) {
      const rows = await desk.cards(view.list);
      if (rows.ok) {
        const found = { ...rows.value, selected: view.selected };
        dispatch({ type: 'arrived', found, isWished: false });
      }
    }
    const failure = status.state === 'stuck' ? (status.problem ?? null) : null;
    dispatch({
      type: 'runEnded',
      notice: failure === null ? refreshedText(status) : null,
      failure,
    });
  }

  return {
    async load(isWished = false) {
      dispatch({ type: 'asked' });
      await find(isWished);
    },
    async follow(isWished) {
      const view = cardNow();
      if (view !== null && view.asked !== null) return;
      if (isWished) dispatch({ type: 'acted', act: 'follow' });
      await follow(isWished);
    },
    async refresh() {
      const view = cardNow();
      if (!view?.row?.product || view.asked !== null) return;
      const { list, row } = view;
      dispatch({ type: 'acted', act: 'refresh' });
      const begun = await rpc('bulk.start', {
        ...list.place,
        rows: { kind: 'product', product: keyOf(row) },
        fields: writtenFields(list.look),
      });
      if (!begun.ok) return dispatch({ type: 'failed', failure: begun.failure });
      if (begun.value === null) return dispatch({ type: 'runEnded', notice: null, failure: null });
      const { runId } = begun.value;
      dispatch({ type: 'runStarted', runId });
      await workOff(runId, begun.value);
    },
    async stop() {
      const runId = cardNow()?.runId ?? null;
      if (runId === null) return;
      dispatch({ type: 'acted', act: 'stop' });
      const reply = await rpc('bulk.stop', { runId });
      if (!reply.ok) dispatch({ type: 'failed', failure: reply.failure });
    },
    async select() {
      const view = cardNow();
      if (!view?.row) return;
      const { sheetId, productColumn } = view.list.place;
      const { row, shown } = view.row;
      const reply = await rpc('bulk.show', { sheetId, productColumn, rows: [{ row, shown }] });
      if (reply.ok) dispatch({ type: 'shown' });
      else dispatch({ type: 'failed', failure: reply.failure });
    },
    async askPast() {
      const row = cardNow()?.row ?? null;
      if (!row?.product) return;
      const reply = await rpc('deals.history', { product: keyOf(row) });
      // A card is useful without its history.
      const changes = reply.ok ? reply.value : [];
      dispatch({ type: 'changesArrived', key: keyOf(row), changes });
    },
  };
}

export interface ProductEffects {
  readonly state: ProductState;
  readonly actions: ProductActions;
  dispatch(event: ProductEvent): void;
  toAnalyze(): void;
  /** Shows where the cost column is chosen. */
  toList(): void;
  nowMs(): number;
  readonly isKeyMissing: boolean;
}

/** Whether one press can refresh the product. */
export const canRefresh = ({ list, row }: CardView, isKeyMissing: boolean): boolean =>
  row?.product != null && writtenFields(list.look).length > 0 && !isKeyMissing;

export function productButtons(effects: ProductEffects): Buttons {
  const { state, actions, isKeyMissing, toAnalyze } = effects;
  const { view } = state;
  switch (view.at) {
    case 'loading':
      return { primary: { label: UI_TEXTS.loading, isBusy: true } };
    case 'unreached':
      return { primary: { label: UI_TEXTS.tryAgain, press: () => void actions.load() } };
    case 'none':
      return { primary: { label: UI_TEXTS.lookAgain, press: () => void actions.load(true) } };
    case 'card': {
      const { asked, runId, row } = view;
      const follow: BarButton = {
        id: 'deals-follow',
        label: VIEW_TEXTS.showSelectedRow,
        press: () => void actions.follow(true),
      };
      if (asked === 'refresh')
        return {
          primary: { label: VIEW_TEXTS.refreshing, isBusy: true },
          ...(runId === null
            ? {}
            : {
                second: {
                  id: 'deals-stop',
                  label: UI_TEXTS.stop,
                  press: () => void actions.stop(),
                },
              }),
        };
      if (asked === 'stop') return { primary: { label: UI_TEXTS.stopping, isBusy: true } };
      if (asked === 'follow') return { primary: { label: VIEW_TEXTS.looking, isBusy: true } };
      if (canRefresh(view, isKeyMissing)) {
        const label =
          row !== null && hasFigures(row) ? VIEW_TEXTS.refreshThis : VIEW_TEXTS.analyzeThis;
        return { primary: { label, press: () => void actions.refresh() }, second: follow };
      }
      return row?.product && !hasFigures(row)
        ? { primary: { label: UI_TEXTS.openAnalyze, press: toAnalyze }, second: follow }
        : { primary: follow };
    }
  }
}
