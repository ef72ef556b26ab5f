// The rules in use, as a cell or a schedule reads them.

import { type Cache, type Spreadsheet, storedJson } from '../platform/ports';
import { type NamedCells, RULE_CELLS, type RulesInUse, rulesOf } from '../product/deal-rules';

const CACHE_NAME = 'deal-rules';

/** Some fifteen cells are read one by one, which hundreds of formulas need not do. */
const KEPT_SECONDS = 60;

/** null: the tab "Deal rules" is to be checked. One cache call, once a minute the cells besides. */
export function rulesInUse(
  cache: Cache,
  spreadsheet: () => Pick<Spreadsheet, 'namedCells'>,
): RulesInUse | null {
  const kept = storedJson(cache.getAll([CACHE_NAME])[CACHE_NAME]) as NamedCells | null;
  if (kept !== null) return rulesOf(kept);
  const cells = spreadsheet().namedCells(RULE_CELLS);
  cache.putAll({ [CACHE_NAME]: JSON.stringify(cells) }, KEPT_SECONDS);
  return rulesOf(cells);
}
