// A second scheduled tab that somebody deletes or clears, between firings or during one, and may
// restore.

import type { Random } from 'apps-script-host/random';
import type { CellValue } from 'apps-script-host/sheet/model';
import type { Recurrence } from '../../../src/schedules/recurrence';
import type { ListTask } from '../../../src/schedules/schedule';
import { tableOf } from '../verdict';
import { ASINS, DOCUMENT, type MonthWorld, OWNER } from './month-world';
import { wrongAt } from './record';
import { seenRows } from './rows';
import { historyOf, lookOf, suggestionOf } from './sidebar';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const SECOND = 'Second';
const ID = 'second';
const LIST = 0;

/** From this index on, products are in no other list. */
const FROM = 2_000;

/** By then it has been refreshed, if the clock fires at all. */
const BEFORE_MS = 30 * HOUR_MS;

export interface SecondTabPlan {
  readonly asins: readonly string[];
  readonly recurrence: Recurrence;
  readonly maxAgeHours: number;
  readonly goneMs: number;
  /**
   * If a number, the first firing after that moment is under way and has made this many service
   * calls; null: no firing is.
   */
  readonly amidCall: number | null;
  readonly how: 'delete' | 'clear';
  readonly after: 'nothing' | 'another of its name' | 'undo';
  readonly afterMs: number;
}

export function planSecondTab(random: Random, startMs: number, endMs: number) {
  const days = (endMs - startMs) / DAY_MS;
  const goneMs = startMs + random.integer(24 * 60, Math.ceil(days * 18) * 60) * 60_000;
  const plan: SecondTabPlan = {
    asins: ASINS.slice(FROM, FROM + random.integer(3, 25)),
    recurrence: random.pick([
      { kind: 'hourly' },
      { kind: 'daily', hour: random.integer(0, 23) },
    ] as const),
    maxAgeHours: random.pick([2, 8, 20]),
    goneMs,
    amidCall: random.chance(0.5) ? random.integer(1, 200) : null,
    how: random.pick(['delete', 'clear'] as const),
    after: random.pick(['nothing', 'another of its name', 'undo', 'undo'] as const),
    afterMs: goneMs + random.integer(1, 96) * HOUR_MS,
  };
  return random.chance(0.6) ? plan : null;
}

const TOLD = {
  delete: /^The sheet "Second" was deleted\. Undo that/,
  clear: /^The column "[^"]+" is no longer in the sheet\. Undo that/,
};

/** The message that names the cells which may hold what was written at the instant of clearing. */
const COMPARE = /^Rows or columns moved while .* Compare these cells/;

export function createSecondTab(world: MonthWorld, plan: SecondTabPlan) {
  const { host, grid, calls } = world;
  const wrongs: string[] = [];
  const own = new Set(plan.asins);
  const rows = [['ASIN'], ...plan.asins.map((asin) => [asin])];
  const tab = grid.addSheet(SECOND, 2);
  grid.write(tab, 1, 1, rows);
  /** Tabs that no firing concerns, with their content. */
  const strange = new Map<number, string>();
  let [isGone, isBack, isFiring] = [false, false, false];
  let amid = 0;
  /** From this moment on, calls for it have no reason. */
  let quietMs = Number.POSITIVE_INFINITY;
  let goneSinceMs = 0;
  /** What the cleared tab contains once everything at work there has ended. */
  let leftText = '';
  /** Whether the firing was cut off, so that it could not report anything. */
  let wasCut = false;
  let restoredMs = Number.POSITIVE_INFINITY;
  let stood: readonly (readonly CellValue[])[] = [];
  /** Consecutive firings, since it disappeared, that nothing kept from their work. */
  let freeSince = 0;

  const textOf = (sheetId: number) =>
    grid.size(sheetId).lastRow === 0 ? 'nothing' : JSON.stringify(tableOf({ grid, sheetId }));
  function addStrange(name: string): void {
    const id = grid.addSheet(name, grid.sheets().length + 1);
    grid.write(id, 1, 1, rows);
    strange.set(id, textOf(id));
  }
  const tell = (text: string) => wrongs.push(wrongAt(host.nowMs(), `${SECOND}: ${text}`));
  const runs = () => historyOf(world).filter(({ name }) => name.endsWith(`, ${SECOND}`));
  /** Before that, only the schedule knows which columns it concerns. */
  const hadRun = () =>
    runs().some(({ startedAtMs, outcome }) => startedAtMs < goneSinceMs && outcome === 'done');
  const shown = () => lookOf(world, OWNER).schedules.find(({ id }) => id === ID);

  function takeAway(): void {
    isGone = true;
    goneSinceMs = host.nowMs();
    if (!isFiring) quietMs = goneSinceMs;
  }
  const act = () => {
    if (plan.how === 'delete') return { do: 'deleteSheet', sheetId: tab } as const;
    const { lastRow, lastColumn } = grid.size(tab);
    const area = { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn };
    stood = grid.values(tab, area);
    const contents = stood.map((cells) => cells.map(() => ''));
    return { do: 'edit', sheetId: tab, row: 1, column: 1, contents } as const;
  };

  /** Restores it, as an undo or an older version does. */
  function bringBack(): void {
    if (plan.how === 'delete') grid.restoreSheet(tab);
    else grid.write(tab, 1, 1, stood);
    restoredMs = host.nowMs();
    quietMs = Number.POSITIVE_INFINITY;
  }

  function after(): void {
    judge();
    isBack = true;
    if (plan.after === 'another of its name' && plan.how === 'delete') addStrange(SECOND);
    if (plan.after === 'undo') bringBack();
  }

  /** While it is gone, nothing is called for or written, and the reason is reported once. */
  function judge(): void {
    if (!isGone || restoredMs <= host.nowMs()) return;
    const call = calls.find(({ atMs, asin }) => own.has(asin) && atMs > quietMs);
    if (call !== undefined) tell(`${call.asin} was called for after it was gone`);
    if (plan.how === 'clear' && leftText !== '') {
      if (textOf(tab) !== leftText) tell('something was written after it was cleared');
      const isCompared = runs().some(({ problem }) => COMPARE.test(problem?.message ?? ''));
      if (grid.size(tab).lastRow > 0 && !isCompared && !wasCut)
        tell(`something was written as it was cleared, and nobody told: ${leftText.slice(0, 200)}`);
    }
    const words = TOLD[plan.how];
    const isTold = ({ problem }: { readonly problem?: { readonly message: string } }) =>
      words.test(problem?.message ?? '');
    const told = runs().filter(({ startedAtMs }) => startedAtMs >= goneSinceMs);
    told.forEach((run, at) => {
      const next = told[at + 1];
      if (isTold(run) && next !== undefined && isTold(next))
        tell('it is told twice that it is gone');
    });
    const one = shown();
    if (hadRun() && freeSince > 0 && !(one && isTold(one)))
      tell(`nobody is told that it is gone, but ${one?.problem?.message}`);
  }
  function judgeBack(): void {
    const isLong = host.nowMs() - restoredMs > BEFORE_MS && freeSince > 24;
    if (!isLong) return;
    const bad = seenRows(grid, tab).filter(
      ({ status, asin }) => status.kind !== 'ok' || status.asin !== asin,
    );
    if (bad.length > 0) tell(`${bad.length} rows are not done though it is back`);
    if (!calls.some(({ atMs, asin }) => own.has(asin) && atMs > restoredMs))
      tell('nothing is called for though it is back');
  }

  return {
    make(): void {
      addStrange('Bystander');
      const firstCell = { row: 1, column: 1, rowCount: 1, columnCount: 1 };
      grid.select({ sheetId: tab, rectangle: firstCell });
      const suggestion = suggestionOf(world);
      const { recurrence, maxAgeHours } = plan;
      const task: ListTask = { ...(suggestion.task as ListTask), rows: 'all' };
      const settings = { ...suggestion, recurrence, maxAgeHours, task, rules: [] };
      const { failure } = world.rpc('schedule.save', { id: ID, settings });
      if (failure !== undefined) throw new Error(`Not saved: ${failure.message}`);
      grid.select({ sheetId: LIST, rectangle: firstCell });
    },
    strikes() {
      isFiring = true;
      amid = 0;
    },
    /** What somebody does in the spreadsheet just before a call of a firing. */
    amidFiring() {
      amid += 1;
      if (isGone || plan.amidCall === null || amid < plan.amidCall) return [];
      if (host.nowMs() < plan.goneMs) return [];
      takeAway();
      return [act()];
    },
    fired(isFree: boolean) {
      isFiring = false;
      if (isGone && leftText === '' && !isFree) wasCut = true;
      if (isGone && quietMs === Number.POSITIVE_INFINITY && restoredMs > host.nowMs())
        quietMs = host.nowMs();
      // What is cleared at the instant of a write may be written to, which is reported.
      if (isGone && isFree && leftText === '' && plan.how === 'clear') leftText = textOf(tab);
      const isDueEachHour = plan.recurrence.kind === 'hourly';
      freeSince = isFree && isDueEachHour && isGone ? freeSince + 1 : 0;
    },
    untilNow() {
      const isTime = plan.amidCall === null ? plan.goneMs : plan.goneMs + 6 * HOUR_MS;
      if (!isGone && host.nowMs() >= isTime) {
        takeAway();
        host.act(act(), { documentId: DOCUMENT });
      }
      if (isGone && !isBack && host.nowMs() >= Math.max(plan.afterMs, goneSinceMs + HOUR_MS))
        after();
    },
    /** At the very end: its schedule behaves like any other, and nothing of it remains. */
    wrongs(): readonly string[] {
      judge();
      judgeBack();
      for (const [id, text] of strange)
        if (textOf(id) !== text) tell(`another tab has changed: ${textOf(id).slice(0, 200)}`);
      if (world.rpc('schedule.remove', { id: ID }).failure) tell('its schedule cannot be removed');
      if (shown() !== undefined) tell('its schedule is still there');
      return wrongs;
    },
  };
}

export const apartOf = (plan: SecondTabPlan): readonly (readonly [string, number])[] =>
  plan.asins.map((asin) => [asin, plan.maxAgeHours * HOUR_MS]);
