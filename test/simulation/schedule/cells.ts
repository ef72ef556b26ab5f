// Formulas that use the key of a scheduled list, in its spreadsheet and in another one of the same
// owner.

import type { Random } from 'apps-script-host/random';
import type { PlainGrid } from 'apps-script-host/sheet/plain-grid';
import type { Recurrence } from '../../../src/schedules/recurrence';
import type { ScheduleSettings } from '../../../src/schedules/schedule';
import { ASINS, type Call, DOCUMENT, type MonthWorld, OTHER_DOCUMENT } from './month-world';
import { wrongAt } from './record';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A cell finds an answer from the last six hours without a call. */
export const CELL_AGE_MS = 6 * HOUR_MS;

/** From this index on, products are in no list. */
const APART_FROM = 1_000;

export interface CellsPlan {
  readonly asins: readonly string[];
  /** Products of the other spreadsheet. */
  readonly elsewhere: readonly string[];
  /** The most calls of formulas in a day and spreadsheet; null: as many as the key allows. */
  readonly perDay: number | null;
  /** The schedule that keeps formulas fresh; null: there is none. */
  readonly schedule: { readonly recurrence: Recurrence; readonly maxAgeHours: number } | null;
  /** When somebody opens both spreadsheets, so that Sheets recalculates all their formulas. */
  readonly openedMs: readonly number[];
}

/** @param listed products of the scheduled list, some of which formulas ask for as well. */
export function planCells(
  random: Random,
  listed: readonly string[],
  startMs: number,
  endMs: number,
): CellsPlan | null {
  const days = (endMs - startMs) / DAY_MS;
  const apart = ASINS.slice(APART_FROM, APART_FROM + random.integer(2, 12));
  const plan = {
    asins: [...listed.slice(0, random.integer(0, 6)), ...apart],
    elsewhere: ASINS.slice(APART_FROM + 20, APART_FROM + 20 + random.integer(0, 5)),
    perDay: random.pick([null, null, random.integer(2, 20)]),
    schedule: random.chance(0.5)
      ? {
          recurrence: { kind: 'daily', hour: random.integer(0, 23) } as const,
          maxAgeHours: random.pick([12, 20]),
        }
      : null,
    openedMs: Array.from({ length: random.integer(1, Math.ceil(days)) }, () =>
      random.integer(startMs + HOUR_MS, endMs),
    ).sort((one, other) => one - other),
  };
  return random.chance(0.5) ? plan : null;
}

export const settingsOf = ({
  recurrence,
  maxAgeHours,
}: NonNullable<CellsPlan['schedule']>): ScheduleSettings => ({
  ...{ recurrence, maxAgeHours, task: { kind: 'formulas' } },
  ...{ callsPerHour: null, quiet: null, rules: [] },
});

interface Place {
  readonly documentId: string;
  readonly grid: PlainGrid;
  readonly sheetId: number;
  readonly count: number;
  /** The formulas as last calculated. */
  readonly known: Map<number, string>;
  /** The calls that its formulas made, in order. */
  readonly calls: Call[];
}

const FORMULA = /^=ANALYZE\(A(\d+),"US","profit"(?:,"([^"]+)")?\)$/;

/** Every failure text of a cell begins like this. */
const SAID = /^Not analyzed: ./;

export function createCells({ host, grid, other, calls, callsOf }: MonthWorld, plan: CellsPlan) {
  const wrongs: string[] = [];
  let opened = 0;
  let callsEnd: number | null = null;
  const placeOf = (documentId: string, of: PlainGrid, asins: readonly string[]): Place => {
    const sheetId = of.addSheet('Formulas', 1 + of.sheets().length);
    const rows = asins.map((asin, at) => [asin, { formula: `=ANALYZE(A${at + 2},"US","profit")` }]);
    of.write(sheetId, 1, 1, [['Asked', 'Profit'], ...rows]);
    return { documentId, grid: of, sheetId, count: asins.length, known: new Map(), calls: [] };
  };
  const places = [
    placeOf(DOCUMENT, grid, plan.asins),
    placeOf(OTHER_DOCUMENT, other, plan.elsewhere),
  ].filter(({ count }) => count > 0);
  const oldestMs = CELL_AGE_MS + (plan.schedule ? plan.schedule.maxAgeHours * HOUR_MS + DAY_MS : 0);

  function work(
    { documentId, grid: of, sheetId, calls: own }: Place,
    down: number,
    formula: string,
  ): void {
    const area = { row: 2 + down, column: 1, rowCount: 1, columnCount: 1 };
    const asin = String(of.values(sheetId, area)[0]?.[0] ?? '');
    const [, , refresh] = FORMULA.exec(formula) ?? [];
    const first = calls.length;
    callsEnd = null;
    const end = host.call({
      ...{ functionName: 'ANALYZE', door: 'cell', documentId },
      args: [asin, 'US', 'profit', ...(refresh === undefined ? [] : [refresh])],
    });
    own.push(...calls.slice(first, callsEnd ?? calls.length));
    const { ended, value, error } = end;
    const tell = (text: string) =>
      wrongs.push(wrongAt(host.nowMs(), `the formula of ${asin} ${text}`));
    of.setComputed(sheetId, 2 + down, 2, ended === 'returned' ? (value as number) : '#ERROR!');
    if (ended === 'returned') {
      const isOf = ({ figures, atMs }: Call) =>
        figures !== null && figures.Profit === value && host.nowMs() - atMs <= oldestMs;
      if (!callsOf(asin).some(isOf)) tell(`shows ${String(value)}, which is no answer's`);
    } else if (ended !== 'threw' || !SAID.test(error?.message ?? ''))
      tell(`${ended}: ${error?.message}`);
  }

  function calculate(place: Place, isAll: boolean): void {
    const { grid: of, sheetId, count, known } = place;
    const area = { row: 2, column: 2, rowCount: count, columnCount: 1 };
    of.formulas(sheetId, area).forEach(([formula = ''], down) => {
      if (!isAll && known.get(down) === formula) return;
      if (FORMULA.exec(formula)?.[1] !== String(down + 2))
        wrongs.push(wrongAt(host.nowMs(), `a formula has become ${formula}`));
      known.set(down, formula);
      work(place, down, formula);
    });
  }

  /**
   * The cap applies to each spreadsheet. Google's day begins with a call, so a span touches one day
   * more than fit into it.
   */
  function overTheCap({ calls: own }: Place): readonly string[] {
    const { perDay } = plan;
    if (perDay === null) return [];
    return own.flatMap((first, from) => {
      const at = own.findIndex(
        ({ atMs }, to) => to - from >= perDay * (Math.floor((atMs - first.atMs) / DAY_MS) + 2),
      );
      const what = `formulas made ${1 + at - from} calls, at ${perDay} a day`;
      return at > from ? [wrongAt(first.atMs, what)] : [];
    });
  }

  return {
    /** The clock is about to start something whose calls are not those of cells. */
    strikes() {
      callsEnd ??= calls.length;
    },
    /**
     * Calculates newly written formulas, and all formulas if somebody has opened the spreadsheets
     * meanwhile.
     */
    untilNow() {
      const isOpened = (plan.openedMs[opened] ?? Number.POSITIVE_INFINITY) <= host.nowMs();
      if (isOpened) opened += 1;
      for (const place of places) calculate(place, isOpened);
    },
    wrongs: () => [...wrongs, ...places.flatMap((place) => overTheCap(place).slice(0, 1))],
  };
}
