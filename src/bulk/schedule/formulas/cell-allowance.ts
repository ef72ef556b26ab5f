// How many cells may be made to recalculate: each reads the connection, and Google counts such reads by the day.

import type { Engine } from '../../../analysis/engine';
import { googleUse } from '../../../analysis/google-use';
import { allowancesOf, dayEndMs, parseGoogleDay, withUse } from '../../../quota/google-day';

/** A cell looks for the spreadsheet's record, then for the owner's. */
const PROPERTY_CALLS_PER_CELL = 2;

/** Of a day's property calls: people and the cells themselves make some, too. */
const SHARE = 0.5;

const NAME = 'cells-recalculated';

export interface CellAllowance {
  /** For so many cells there is room today, and when the next day can begin. Two cache calls. */
  left(): { readonly cells: number; readonly goesOnMs: number };
  /** Counts cells that recalculate. One property call. */
  took(cells: number): void;
}

/** One property call. */
export function cellAllowance(engine: Engine): CellAllowance {
  const { clock, documentStore } = engine.platform;
  let own = parseGoogleDay(documentStore.read(NAME));
  return {
    left() {
      const nowMs = clock.nowMs();
      const { isNear, perDay } = googleUse(engine, nowMs).propertyCalls;
      const used = allowancesOf(own, nowMs).propertyCalls.usedToday;
      const cells = Math.floor((SHARE * perDay - used) / PROPERTY_CALLS_PER_CELL);
      const day = isNear ? engine.gate.googleDay() : own;
      return {
        cells: isNear ? 0 : Math.max(0, cells),
        goesOnMs: dayEndMs(withUse(day, {}, nowMs)),
      };
    },
    took(cells) {
      if (cells === 0) return;
      own = withUse(own, { propertyCalls: PROPERTY_CALLS_PER_CELL * cells }, clock.nowMs());
      documentStore.writeAll({ [NAME]: JSON.stringify(own) });
    },
  };
}
