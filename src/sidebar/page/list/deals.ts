// Decisions on the list in view: what is asked about it first, and what a person can do with them.

import { batch, computed, signal } from '@preact/signals-core';
import type { DecidePart } from '../../../deal/decision-columns';
import type { ChosenCost, ListSelection, ListView } from '../../../deal/list';
import type { SheetKind } from '../../../deal/new-sheet';
import type { ShoppingList } from '../../../deal/shopping-list';
import type { ChangedColumn } from '../../../deal/shown-list';
import type { SumRole } from '../../../deal/sum';
import { type CostMeant, type ListColumn, NO_COLUMN } from '../../../list/cost-choice';
import type { CostKey, QuantityReading, RateReading } from '../../../product/cost';
import type { RuleKey } from '../../../product/deal-rules';
import type { Currency, Market } from '../../../product/market';
import type { Choice } from '../../api/jobs';
import type { Payload } from '../../api/methods';
import * as app from '../ui/app';
import type { Call } from '../ui/task';
import { countText, selectedText } from '../ui/texts';
import {
  chosenCost,
  idle,
  isChoosing,
  isNewWished,
  list,
  listIdOf,
  load,
  look,
  notice,
  onOther,
  progress,
  readAll,
  reread,
  rereadSettled,
  selectionOf,
  shownMarket,
  TITLE,
  task,
  toSheet,
} from './list';

export const KEEP = 'deals-keep';

/** The first picker of a line of the sum. */
export const lineId = (role: SumRole): string => `deals-sum-${role}`;

// What was done with the list in view

export const isFiltered = signal(false);
export const isRemoveAsked = signal(false);
/** Which of the products is worked out line by line. */
export const sampleAt = signal(0);
/** The latest one, and what it was asked for. */
const shopped = signal<(ShoppingList & { readonly selection: ListSelection }) | null>(null);

/** The same, while it or its list is in view. */
export const shopping = computed(() => {
  const inView = look.value?.shoppedFrom?.id ?? list.value?.look.sheet.id;
  return shopped.value?.selection.list?.sheetId === inView ? shopped.value : null;
});

onOther(() => {
  isFiltered.value = false;
  isRemoveAsked.value = false;
  isChoosing.value = false;
  sampleAt.value = 0;
});

/** What the list in view needs: figures, decisions that count with its costs, or none of these. */
export const need = computed((): 'figures' | 'decisions' | 'nothing' => {
  const seen = list.value;
  if (seen === null) return 'figures';
  const { summary, costs } = seen;
  const hasCosts = costs.cost !== undefined || look.value?.hasCosts === true;
  if (isChoosing.value) return 'decisions';
  if (summary === null) return hasCosts ? 'decisions' : 'figures';
  const isUndecided = summary.undecided === summary.rows;
  return isUndecided && !app.isKeyMissing.value ? 'figures' : 'nothing';
});

/** The list, wherever the person is by now. */
const selectionIn = (look: ListView): ListSelection => ({
  ...selectionOf(listIdOf(look)),
  market: look.market,
});

interface Afterwards {
  /** What is read again, because the list may have changed by it. */
  readonly rereads: 'nothing' | 'list' | 'settled list' | 'sheet';
  /** The page is another one, and begins at its title. */
  readonly isOther: boolean;
}

const SAME: Afterwards = { rereads: 'nothing', isOther: false };
const CHANGED: Afterwards = { rereads: 'list', isOther: false };
const OTHER: Afterwards = { rereads: 'list', isOther: true };
const DECIDED: Afterwards = { rereads: 'settled list', isOther: true };
const AWAY: Afterwards = { rereads: 'sheet', isOther: true };

/** Works on the list in view. */
function act<Args extends unknown[]>(
  work: (call: Call, look: ListView, ...args: Args) => Promise<string | undefined>,
  { rereads, isOther }: Afterwards = CHANGED,
) {
  return task(async (call, ...args: Args) => {
    const of = list.value?.look;
    if (of === undefined) return;
    isRemoveAsked.value = false;
    const news = await work(call, of, ...args);
    if (isOther) isChoosing.value = false;
    if (rereads === 'list') await reread(call, selectionIn(of));
    if (rereads === 'settled list') await rereadSettled(call, selectionIn(of));
    if (rereads === 'sheet') await readAll(call);
    if (isOther) app.focus(TITLE);
    return news;
  });
}

// Columns, markets and rules

const choose = task((call) => reread(call));

let last: Promise<void> = Promise.resolve();

/** What is changed in quick succession, or while something else is under way, is changed in turn. */
function inTurn(change: () => Promise<void>): Promise<void> {
  last = last.then(idle).then(change);
  return last;
}

/** What else is to be asked depends on it. */
function chooseColumns(choice: Omit<ChosenCost, 'sheetId'>): Promise<void> {
  const of = list.value?.look;
  if (of === undefined) return Promise.resolve();
  chosenCost.value = { sheetId: of.sheet.id, ...choice };
  return inTurn(choose);
}

export function chooseCost({ column: one, pack, packColumn }: CostMeant): Promise<void> {
  const { title, column } = one;
  const packTitle = packColumn?.title;
  return chooseColumns({ title, column, ...(pack && { pack }), ...(packTitle && { packTitle }) });
}

/**
 * What another column holds; null: none of those that were asked about.
 *
 * @param as how its rates are read, or what it counts.
 */
export function chooseColumn(
  role: CostKey,
  column: ListColumn | null,
  as?: RateReading | QuantityReading,
): Promise<void> {
  const isHere = chosenCost.value?.sheetId === list.value?.look.sheet.id;
  const { sheetId: _, ...before } = (isHere ? chosenCost.value : null) ?? { sheetId: 0 };
  const others = { ...before.others, [role]: column?.title ?? NO_COLUMN };
  return chooseColumns({ ...before, others, ...(as && { [`${role}As`]: as }) });
}

/** For a list with both markets. */
export function chooseMarket(wanted: Market): Promise<void> {
  shownMarket.value = wanted;
  return inTurn(choose);
}

export const saveRules = act(async (call, _look, change: Payload<'deals.rules'>) =>
  (await call('deals.rules', change)) === 'full'
    ? 'The tab “Deal rules” has room for four suppliers. Remove one there first.'
    : undefined,
);

const changeRules = (change: Payload<'deals.rules'>): Promise<void> =>
  inTurn(() => saveRules(change));

export const setRule = (key: RuleKey, value: string | number | boolean | null): Promise<void> =>
  changeRules({ values: { [key]: value } });

/** Selects a profile. If there is none of this name, it is added with the values of the one in use. */
export const chooseProfile = (profile: string): Promise<void> => changeRules({ profile });

/** The currency of costs, for a list with both markets. */
export const chooseCurrency = (currency: Currency): Promise<void> => changeRules({ currency });

/** The column is still what decisions took it for. */
export const keepBound = act(async (call, look, role: ChangedColumn['role']) => {
  await call('deals.keepBound', { ...listIdOf(look), role });
  return undefined;
});

// Decisions

/** The parts of adding decisions, and what comes last. */
const PARTS = {
  rules: 'Setting up your rules',
  formulas: 'Writing decisions',
} as const satisfies Readonly<Record<DecidePart, string>>;

const COUNTING = 'Counting what to buy';

async function addDecisions(call: Call, look: ListView) {
  const parts = Object.entries(PARTS) as [DecidePart, string][];
  const tell = (done: number, words: string) => {
    progress.value = { done, of: parts.length + 1, words };
  };
  const selection = selectionIn(look);
  let decided = { rows: 0, kept: 0 };
  for (const [at, [until, words]] of parts.entries()) {
    tell(at, words);
    decided = (await call('deals.decide', { ...selection, until })) ?? decided;
  }
  tell(parts.length, COUNTING);
  return decided;
}

export const decide = act(async (call, look) => {
  const { rows, kept } = await addDecisions(call, look);
  // It is bound by now.
  chosenCost.value = null;
  const own = kept === 0 ? '' : ` ${countText(kept, 'cell')} left as you typed.`;
  return `Decisions added to ${countText(rows, 'row')}.${own}`;
}, DECIDED);

export const remove = act(async (call, look) => {
  await call('deals.remove', listIdOf(look));
  return 'Decisions removed.';
}, OTHER);

/** What was removed last: the words that say so, and what brings it back. */
const removed = signal<{ readonly words: string; readonly undo: () => void } | null>(null);

/** The way back of what the page has just said. */
export const undo = computed(() =>
  removed.value?.words === notice.value ? removed.value.undo : null,
);

/** Takes every column of ours away beside the list, which is then as it was before it was analyzed. */
export const removeColumns = act(async (call, look) => {
  const isDecided = list.value?.summary != null;
  const { columns, kept, shown } = await call('deals.removeColumns', listIdOf(look));
  const own = kept === 0 ? '' : ` ${countText(kept, 'cell')} left as you typed.`;
  const words = `${countText(columns, 'column')} removed.${own}`;
  removed.value = { words, undo: () => void putBack(look, shown, isDecided) };
  return words;
}, AWAY);

const putBack = task(async (call, look: ListView, shown: readonly Choice[], isDecided: boolean) => {
  for (const one of shown) await call('list.showColumns', one);
  if (isDecided) await addDecisions(call, look);
  await readAll(call);
  return 'The columns are back. No call was made.';
});

/** Makes the tab Analysis again, from what is stored. */
export const bringBackTab = task(async (call) => {
  const { products, missing } = await call('list.bringBackTab', {});
  await readAll(call);
  app.focus(TITLE);
  const back = `The tab “Analysis” is back, with ${countText(products, 'product')}. No call was made.`;
  return missing === 0
    ? back
    : `${back} ${missing.toLocaleString()} more are no longer stored: analyze the rows “Never analyzed”.`;
});

/** @param only null: shows all rows again. */
export const filter = act(async (call, look, only: 'Buy' | null) => {
  await call('deals.filter', { ...selectionIn(look), only });
  isFiltered.value = only !== null;
  return only === null ? 'All rows are shown again.' : 'Only buys are shown.';
}, SAME);

/** @param words a verdict or a reason; null: rows without a decision. @param wanted how many were counted. */
export const show = act(async (call, look, words: string | null, wanted: number) => {
  const shown = await call('deals.showCounted', { ...selectionIn(look), words });
  return selectedText({ wanted, shown });
}, SAME);

export const sort = act(async (call, look) => {
  await call('deals.sort', selectionIn(look));
  return 'Sorted by My ROI, best first.';
});

export const shop = act(async (call, look) => {
  const selection = selectionIn(look);
  const made = await call('deals.shop', selection);
  const left = made.hidden
    ? `${countText(made.hidden, 'Buy')} left out: hidden by your filter.`
    : '';
  if (made.tab === null)
    return made.passing === 0
      ? 'No product is a Buy right now.'
      : left || 'Every Buy is ordered already, or has a quantity of 0.';
  shopped.value = { ...made, selection };
  const told = made.isNew
    ? `${countText(made.buys, 'product')} copied to the tab “${made.tab}”.`
    : `Nothing has changed since “${made.tab}” was made.`;
  return left ? `${told} ${left}` : told;
}, AWAY);

/** Leads from a shopping list to its list. */
export const backToList = task(async (call) => {
  const { id } = look.value?.shoppedFrom ?? {};
  if (id !== undefined) await toSheet(call, id);
});

/** Once what is on the shopping list was bought: the next one leaves it out. */
export const markOrdered = task(async (call) => {
  if (shopping.value === null) return;
  const { selection, lines } = shopping.value;
  const rows = await call('deals.markOrdered', { ...selection, lines });
  shopped.value = null;
  await readAll(call);
  const marked = `${countText(rows, 'product')} marked as ordered. The next shopping list leaves them out.`;
  const others = lines.length - rows;
  return others > 0 ? `${marked} ${countText(others, 'line')} changed since and stay.` : marked;
});

/** Makes a tab of formulas and charts on the list and removes the earlier one. */
export const summarize = act(async (call, look) => {
  const { name } = await call('deals.summarize', selectionIn(look));
  return `The tab “${name}” has charts of this list and updates by itself.`;
}, SAME);

// A new sheet

export const sheetKind = signal<SheetKind>('wholesale');

export function askForNew(): void {
  isNewWished.value = true;
  app.focus(TITLE);
}

/** Without a key the rows hold samples. */
export const makeSheet = task(async (call) => {
  const hasSamples = app.isKeyMissing.value;
  if (hasSamples) await call('demo.start', {});
  const { name } = await call('deals.newSheet', { kind: sheetKind.value, hasSamples });
  if (hasSamples) app.turned.act();
  isNewWished.value = false;
  await readAll(call);
  app.focus(TITLE);
  return hasSamples
    ? `“${name}” shows a dozen samples. Change a cost and watch its verdict. Connect a key to analyze your own products.`
    : `“${name}” is ready. Put your products into its first column, then analyze it.`;
});

// What has to be answered first

export function askToRemove(): void {
  isRemoveAsked.value = true;
  app.focus(KEEP);
}

/** Shows what counts, to be said anew. */
export const chooseAgain = task(async (call) => {
  isChoosing.value = true;
  await reread(call);
  app.focus(lineId('cost'));
});

const unchoose = task(async (call) => {
  chosenCost.value = null;
  await reread(call);
});

/** Escape, and the answers *Keep them* and *Back*. */
export function leave(): void {
  if (isNewWished.value && !makeSheet.isBusy) {
    isNewWished.value = false;
    void load();
  }
  if (!isRemoveAsked.value && !isChoosing.value) return;
  if (isChoosing.value && list.value?.summary != null) void unchoose();
  batch(() => {
    isRemoveAsked.value = false;
    isChoosing.value = false;
  });
  app.focus(TITLE);
}
