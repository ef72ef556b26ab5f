// The Deals page: what it knows of the list in view, and what a person can do with it.

import { batch, computed, signal } from '@preact/signals-core';
import type {
  ChangedColumn,
  ChosenCost,
  ListId,
  ListLook,
  ListSelection,
  NoList,
  ShownList,
} from '../../../deal/list';
import type { SheetKind } from '../../../deal/new-sheet';
import type { ShoppingList } from '../../../deal/shopping-list';
import { type CostMeant, type ListColumn, NO_COLUMN } from '../../../list/cost-choice';
import type { CostKey } from '../../../product/cost';
import type { RuleKey } from '../../../product/deal-rules';
import type { Currency, Market } from '../../../product/market';
import type { Payload } from '../../api/methods';
import * as app from '../ui/app';
import { type Call, createTasks } from '../ui/task';
import { countText } from '../ui/texts';

const { busy, failure, notice, task, quietly } = createTasks();

export { failure, notice };

export const TITLE = 'deals-title';
export const KEEP = 'deals-keep';
export const COST = 'deals-cost';
export const CURRENCY = 'deals-currency';

/** The picker in which a rule, or what holds a cost, is asked for. */
export const askedId = (asked: RuleKey | CostKey): string => `deals-asked-${asked}`;

/** The side of the page that was shown last. */
export const side = app.kept<'list' | 'product'>('deals-side', 'list');
/** The sheet as it was read last; null: it was not. */
export const seen = signal<ShownList | NoList | null>(null);
/** null: the sheet in view has no list that was analyzed. */
export const list = computed(() => (seen.value?.look ? seen.value : null));
/** Whether the person wants a new sheet, whatever is in view. */
export const isNewWished = signal(app.opens === 'new-deal-sheet');

/** What the person has chosen of the columns. */
const chosen = app.kept<ChosenCost | null>('deals-costs', null);
/** The market that is shown of a list with both. */
const market = signal<Market | null>(null);

// What was done with the list in view

export const isFiltered = signal(false);
export const isRemoveAsked = signal(false);
/** Whether the person chooses again what columns hold, because they have changed. */
export const isChoosing = signal(false);
/** The latest one, for people who want it as a file. */
export const shopping = signal<ShoppingList | null>(null);

export const isSameList = (one: ListLook, other: ListLook): boolean =>
  one.sheet.id === other.sheet.id && one.listId === other.listId;

/** What is asked about the list in view, or about this one. */
export const selectionOf = (of: ListId | null = null): ListSelection => ({
  ...{ list: of, market: market.value, cost: chosen.value },
});

export const listIdOf = ({ sheet, listId }: ListLook): ListId => ({ sheetId: sheet.id, listId });

/** The list, wherever the person is by now. */
const selectionIn = (look: ListLook): ListSelection => ({
  ...selectionOf(listIdOf(look)),
  market: look.market,
});

/** What is said about a list ends when another one is in view. */
function arrive(found: ShownList | NoList): void {
  const before = list.value?.look;
  const isSame = before && found.look !== null && isSameList(before, found.look);
  batch(() => {
    seen.value = found;
    isNewWished.value = false;
    if (isSame) return;
    isFiltered.value = false;
    isRemoveAsked.value = false;
    isChoosing.value = false;
    shopping.value = null;
    notice.value = '';
    failure.value = null;
  });
}

const read = (call: Call, selection: ListSelection) =>
  call('deals.look', { ...selection, isCard: false });

export const load = task(async (call) => {
  batch(() => {
    seen.value = null;
    isNewWished.value = false;
  });
  arrive(await read(call, selectionOf()));
});

/** Reads the list again when the sheet may have changed. */
export const refresh = quietly(async (call) => {
  if (!isNewWished.value) arrive(await read(call, selectionOf()));
});

export const isUnreached = computed(
  () => seen.value === null && failure.value !== null && !load.isBusy,
);

export function enter(): void {
  if (seen.value !== null || isNewWished.value) void refresh();
  else if (!load.isBusy) void load();
}

export function toList(): void {
  side.value = 'list';
  enter();
}

interface Afterwards {
  /** The list may have changed by it, and is read again. */
  readonly rereads: boolean;
  /** The page is another one, and begins at its title. */
  readonly isOther: boolean;
}

const SAME: Afterwards = { rereads: false, isOther: false };
const CHANGED: Afterwards = { rereads: true, isOther: false };
const OTHER: Afterwards = { rereads: true, isOther: true };

/** Works on the list in view. */
function act<Args extends unknown[]>(
  work: (call: Call, look: ListLook, ...args: Args) => Promise<string | undefined>,
  { rereads, isOther }: Afterwards = CHANGED,
) {
  return task(async (call, ...args: Args) => {
    const look = list.value?.look;
    if (look === undefined) return;
    isRemoveAsked.value = false;
    // What is said about it appears there, wherever it was started.
    side.value = 'list';
    app.goTo('deals');
    const news = await work(call, look, ...args);
    if (rereads) arrive(await read(call, selectionIn(look)));
    isChoosing.value = false;
    if (isOther) app.focus(TITLE);
    return news;
  });
}

// Columns, markets and rules

/** What else is to be asked depends on it. */
async function chooseColumns(choice: Omit<ChosenCost, 'sheetId'>): Promise<void> {
  const look = list.value?.look;
  if (look === undefined || busy.value !== null) return;
  chosen.value = { sheetId: look.sheet.id, ...choice };
  await refresh();
}

export function chooseCost({ column: { title }, pack, packColumn }: CostMeant): Promise<void> {
  const packTitle = packColumn?.title;
  return chooseColumns({ title, ...(pack && { pack }), ...(packTitle && { packTitle }) });
}

/** What another column holds; null: none of those that were asked about. */
export function chooseColumn(role: CostKey, column: ListColumn | null): Promise<void> {
  const isHere = chosen.value?.sheetId === list.value?.look.sheet.id;
  const { sheetId: _, ...before } = (isHere ? chosen.value : null) ?? { sheetId: 0 };
  const others = { ...before.others, [role]: column?.title ?? NO_COLUMN };
  return chooseColumns({ ...before, others });
}

/** For a list with both markets. */
export async function chooseMarket(wanted: Market): Promise<void> {
  if (busy.value !== null) return;
  market.value = wanted;
  await refresh();
}

export const saveRules = act(async (call, _look, change: Payload<'deals.rules'>) =>
  (await call('deals.rules', change)) === 'full'
    ? 'The tab “Deal rules” has no room for another profile. Remove one there first.'
    : undefined,
);

let lastRule: Promise<void> = Promise.resolve();

/** Rules that are changed in quick succession are saved one after the other. */
function changeRules(change: Payload<'deals.rules'>): Promise<void> {
  lastRule = lastRule.then(() => (busy.value === null ? saveRules(change) : undefined));
  return lastRule;
}

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

export const decide = act(async (call, look) => {
  const { rows, kept } = await call('deals.decide', selectionIn(look));
  const own = kept === 0 ? '' : ` ${countText(kept, 'cell')} left as you typed.`;
  return `Decisions added to ${countText(rows, 'row')}.${own}`;
}, OTHER);

export const remove = act(async (call, look) => {
  await call('deals.remove', listIdOf(look));
  return 'Decisions removed.';
}, OTHER);

/** @param only null: shows all rows again. */
export const filter = act(async (call, look, only: 'Buy' | null) => {
  await call('deals.filter', { ...selectionIn(look), only });
  isFiltered.value = only !== null;
  return only === null ? 'All rows are shown again.' : 'Only buys are shown.';
}, SAME);

export const sort = act(async (call, look) => {
  await call('deals.sort', selectionIn(look));
  return 'Sorted by My ROI, best first.';
});

export const shop = act(async (call, look) => {
  const made = await call('deals.shop', selectionIn(look));
  if (made.tab === null)
    return made.passing === 0 ? 'No product is a Buy right now.' : 'Every Buy has a quantity of 0.';
  shopping.value = made;
  return `${countText(made.buys, 'product')} copied to the tab “${made.tab}”.`;
}, SAME);

/** Makes a tab of formulas and charts on the list and removes the earlier one. */
export const summarize = act(async (call, look) => {
  const { name } = await call('deals.summarize', selectionIn(look));
  return `The tab “${name}” has charts of this list and updates by itself.`;
}, SAME);

// A new sheet

export const sheetKind = signal<SheetKind>('wholesale');

/** Without a key the first rows hold samples, answered by formulas. */
export const makeSheet = task(async (call) => {
  const hasSamples = app.isKeyMissing.value;
  if (hasSamples) await call('demo.start', {});
  const { name } = await call('deals.newSheet', { kind: sheetKind.value, hasSamples });
  if (hasSamples) app.turned.act();
  arrive(await read(call, selectionOf()));
  app.focus(TITLE);
  return hasSamples
    ? `“${name}” shows three samples. Change a cost and watch its verdict. Connect a key to analyze your own products.`
    : `“${name}” is ready. Put your products into its first column, then run Analyze.`;
});

// What has to be answered first

export function askToRemove(): void {
  isRemoveAsked.value = true;
  app.focus(KEEP);
}

export function chooseAgain(): void {
  isChoosing.value = true;
  app.focus(TITLE);
}

/** Escape, and the answers *Keep them* and *Back*. */
export function leave(): void {
  if (isNewWished.value && !makeSheet.isBusy) void load();
  if (!isRemoveAsked.value && !isChoosing.value) return;
  batch(() => {
    isRemoveAsked.value = false;
    isChoosing.value = false;
  });
  app.focus(TITLE);
}

/** All that happens by itself. */
export const startDeals = (): void => app.onReturn([TITLE], refresh);
