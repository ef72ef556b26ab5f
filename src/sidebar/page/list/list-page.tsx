// The List page for the frame: the list in view or its selected row, and its messages.

import * as app from '../ui/app';
import { Title } from '../ui/heading';
import { type Messages, type Page, remedyOf } from '../ui/page';
import { UI_TEXTS } from '../ui/texts';
import { countFailure, leave, otherMarket, problem, startAnalyze, stop } from './analyze';
import { cardMessages, cardView } from './card';
import * as deals from './deals';
import {
  elsewhere,
  enter,
  failure,
  isNewWished,
  job,
  list,
  load,
  look,
  notice,
  side,
  startList,
  TITLE,
} from './list';
import * as product from './product';
import { heard } from './run';
import { stageNow } from './stages';

const toConnection = () => app.goTo('connection');

/** What went wrong last, else what holds the job or the start up. */
function messages(): Messages {
  const status = job.status.value;
  const question = deals.isRemoveAsked.value
    ? 'Removes the formulas and colors of the decision columns. Figures and costs stay.'
    : null;
  const spoken = { ...(status !== null && heard(status)), question };
  const counted = status === null ? countFailure.value : null;
  const shown = failure.value ?? job.failure.value ?? problem.value ?? counted;
  if (shown === null) {
    const undo = deals.undo.value;
    const remedy = undo === null ? undefined : { label: 'Undo', press: undo };
    return { ...spoken, notice: notice.value || null, remedy };
  }
  // What stops a job is solved in the sheet, and a choice has its own way to look again.
  const again = failure.value !== null && (status !== null || deals.need.value !== 'figures');
  const ways = { toConnection, ...(again && { lookAgain: () => void load() }) };
  // The buttons below are its two other answers, where its list is in view.
  const isAsked = shown === problem.value && elsewhere.value === null;
  const isMarketAsked = isAsked && otherMarket.value !== null;
  const ends = { label: UI_TEXTS.stop, press: () => void stop() };
  return { ...spoken, failure: shown, remedy: isMarketAsked ? ends : remedyOf(shown, ways) };
}

const SIDES = [
  ['list', 'Whole list'],
  ['product', 'Selected row'],
] as const;

function Sides({ shown }: { readonly shown: 'list' | 'product' }) {
  const choose = (to: typeof shown): void => {
    if (to === shown) return;
    side.value = to;
    if (to === 'list') enter();
    else product.enter();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is sent.
    <div class="sides" role="group" aria-label="Show">
      {SIDES.map(([one, words]) => (
        <button key={one} type="button" aria-pressed={one === shown} onClick={() => choose(one)}>
          {words}
        </button>
      ))}
    </div>
  );
}

/** All that happens by itself. @param isOffered whether another page offers to start the list. */
export function startListPage(isOffered: () => boolean): void {
  startList();
  startAnalyze(isOffered);
  product.startProduct();
}

export function listPage(): Page {
  const hasSides = list.value !== null && !isNewWished.value && !deals.makeSheet.isBusy;
  const frame = { id: 'list', name: UI_TEXTS.list } as const;
  if (hasSides && side.value === 'product') {
    const { body, buttons } = cardView();
    return {
      ...frame,
      body: (
        <>
          <Sides shown="product" />
          {body}
        </>
      ),
      buttons,
      messages: cardMessages(),
      isLoading: product.load.isBusy,
      enter: () => {
        enter();
        product.enter();
      },
      again: () => {
        if (product.seen.value === null && !product.load.isBusy) void product.load();
      },
    };
  }
  const { title, line, body, buttons } = stageNow();
  return {
    ...frame,
    body: (
      <>
        {hasSides && <Sides shown="list" />}
        <Title id={TITLE} text={title} {...(line !== '' && { lead: line })} />
        {body}
      </>
    ),
    buttons,
    messages: messages(),
    isLoading: load.isBusy,
    leave: () => {
      leave();
      deals.leave();
    },
    enter,
    again: () => {
      job.wake();
      if (look.value === null && !load.isBusy) void load();
    },
  };
}
