// What a person can do with the product that is shown, and its buttons.

import type { ListId } from '../../../deal/list';
import { hasFigures, keyOf } from '../../../deal/product-card';
import type { JobStatus } from '../../api/jobs';
import { createJobLoop, type JobEvent } from '../ui/job-loop';
import type { BarButton, Buttons } from '../ui/page';
import type { RpcClient } from '../ui/rpc-client';
import { UI_TEXTS } from '../ui/texts';
import type { CardView, ProductEvent, ProductState } from './product-state';
import { type DealsState, listIdOf, selectionOf } from './state';
import { refreshedText, VIEW_TEXTS } from './texts';

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
  /** What the person has chosen about the list. */
  chosenNow(): Pick<DealsState, 'chosen' | 'shown'>;
  pause(ms: number): Promise<void>;
  nowMs(): number;
}

export function createProductActions(
  rpc: RpcClient,
  dispatch: (event: ProductEvent) => void,
  { stateNow, chosenNow, pause, nowMs }: Dependencies,
): ProductActions {
  /** All rows of the list in view, or of this one, with all that a card shows. */
  const findCards = (list: ListId | null = null) =>
    rpc('deals.look', { ...selectionOf(chosenNow(), list), isCard: true });

  const find = async (isWished: boolean): Promise<void> => {
    const reply = await findCards();
    if (reply.ok) dispatch({ type: 'arrived', found: reply.value, isWished });
    else dispatch({ type: 'failed', failure: reply.failure });
  };
  const cardNow = (): CardView | null => {
    const { view } = stateNow();
    return view.at === 'card' ? view : null;
  };

  /** The latest status of the job that refreshes the product. */
  let latest: JobStatus | null = null;

  /** Shows the figures that the job has brought, and why it could not bring more. */
  async function endJob(status: JobStatus): Promise<void> {
    const view = cardNow();
    if (view !== null) {
      const reply = await findCards(listIdOf(view.list.look));
      if (reply.ok && reply.value.look !== null) {
        const found = { ...reply.value, selected: view.selected };
        dispatch({ type: 'arrived', found, isWished: false });
      }
    }
    const failure = status.state === 'blocked' ? (status.problem ?? null) : null;
    const notice = failure === null ? refreshedText(status) : null;
    dispatch({ type: 'jobEnded', notice, failure });
  }

  function showJob(event: JobEvent): void {
    if (event.type === 'statusArrived') latest = event.status;
    if (event.type === 'workFailed') dispatch({ type: 'failed', failure: event.failure });
    if (event.type === 'workEnded' && latest !== null) void endJob(latest);
  }
  const loop = createJobLoop(rpc, showJob, pause, nowMs);

  return {
    async load(isWished = false) {
      dispatch({ type: 'asked' });
      await find(isWished);
    },
    async follow(isWished) {
      const view = cardNow();
      if (view !== null && view.asked !== null) return;
      if (isWished) dispatch({ type: 'acted', act: 'follow' });
      await find(isWished);
    },
    async refresh() {
      const view = cardNow();
      if (!view?.row?.product || view.asked !== null) return;
      dispatch({ type: 'acted', act: 'refresh' });
      const { look } = view.list;
      const { headerRow, productColumn, marketColumn, market, fields } = look;
      const begun = await loop.start({
        sheetId: look.sheet.id,
        headerRow,
        productColumn,
        market:
          market === 'column'
            ? { kind: 'column', column: marketColumn ?? productColumn }
            : { kind: 'one', market },
        rows: { kind: 'product', product: keyOf(view.row) },
        fields: [...fields],
      });
      if (!begun.ok) return dispatch({ type: 'failed', failure: begun.failure });
      latest = begun.value;
      if (begun.value.state === 'running')
        return dispatch({ type: 'jobStarted', jobId: begun.value.jobId });
      await endJob(begun.value);
    },
    async stop() {
      const jobId = cardNow()?.jobId ?? null;
      if (jobId === null) return;
      dispatch({ type: 'acted', act: 'stop' });
      const reply = await loop.setState(jobId, 'stopped');
      if (reply.ok) latest = reply.value;
      else dispatch({ type: 'failed', failure: reply.failure });
    },
    async select() {
      const view = cardNow();
      if (!view?.row) return;
      const { sheet, productColumn } = view.list.look;
      const { row, shown } = view.row;
      const rows = [{ row, shown }];
      const reply = await rpc('list.showRows', { sheetId: sheet.id, productColumn, rows });
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

export function productButtons(effects: ProductEffects): Buttons {
  const { state, actions, isKeyMissing, toAnalyze } = effects;
  const { view } = state;
  switch (view.at) {
    case 'loading':
      return { primary: { label: UI_TEXTS.loading, isBusy: true } };
    case 'unreached':
      return { primary: { label: UI_TEXTS.tryAgain, press: () => void actions.load() } };
    case 'none':
      return view.hasProducts
        ? { primary: { label: UI_TEXTS.openAnalyze, press: toAnalyze } }
        : { primary: { label: UI_TEXTS.lookAgain, press: () => void actions.load(true) } };
    case 'card': {
      const { asked, jobId, row } = view;
      const follow: BarButton = {
        id: 'deals-follow',
        label: VIEW_TEXTS.showSelectedRow,
        press: () => void actions.follow(true),
      };
      const stop: BarButton = {
        id: 'deals-stop',
        label: UI_TEXTS.stop,
        press: () => void actions.stop(),
      };
      if (asked === 'refresh')
        return {
          primary: { label: VIEW_TEXTS.refreshing, isBusy: true },
          ...(jobId === null ? {} : { second: stop }),
        };
      if (asked === 'stop') return { primary: { label: UI_TEXTS.stopping, isBusy: true } };
      if (asked === 'follow') return { primary: { label: VIEW_TEXTS.looking, isBusy: true } };
      if (!row?.product || isKeyMissing) return { primary: follow };
      const label = hasFigures(row) ? VIEW_TEXTS.refreshThis : VIEW_TEXTS.analyzeThis;
      return { primary: { label, press: () => void actions.refresh() }, second: follow };
    }
  }
}
