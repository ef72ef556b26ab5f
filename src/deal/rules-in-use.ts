// Reads the rules in use for a cell or a schedule.

import * as z from 'zod/mini';
import type { Cache } from '../google/platform';
import { namedValues } from '../google/spreadsheet';
import { RULE_CELLS, type RulesInUse, rulesOf } from '../product/deal-rules';
import { lazySchema, storedAs } from '../schema/stored-record';

const CACHE_NAME = 'deal-rules';

/** The named cells by name. */
const namedCellsSchema = lazySchema(() =>
  z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
);

/**
 * The rules are about twenty cells that are read one by one, so hundreds of formulas share one
 * reading through the cache.
 */
const KEPT_SECONDS = 60;

/**
 * null: the tab "Deal rules" needs attention. Costs one cache call, and once a minute the reading
 * of the cells.
 */
export function rulesInUse(cache: Cache): RulesInUse | null {
  const kept = storedAs(cache.getAll([CACHE_NAME])[CACHE_NAME], namedCellsSchema());
  if (kept !== null) return rulesOf(kept);
  const cells = namedValues(RULE_CELLS);
  cache.putAll({ [CACHE_NAME]: JSON.stringify(cells) }, KEPT_SECONDS);
  return rulesOf(cells);
}
