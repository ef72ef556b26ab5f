// Which columns of a list hold costs and decisions, as metadata marks them in its sheet.

import { METADATA_KEY } from '../analysis/tab-layout';
import type { Metadata, Sheet } from '../google/sheet';
import { COST_KEYS, type CostKey } from '../product/cost';
import { isMarket } from '../product/market';
import { isLike, storedJson } from '../schema/stored-record';
import { DECISION_ROLES, type DecisionMarket, type DecisionRole } from './decision-plan';

/** A column of the person's that decisions read. */
interface CostMark {
  readonly list: string;
  readonly role: CostKey;
}

/** A column of ours. */
export interface DecisionMark {
  readonly list: string;
  readonly role: DecisionRole;
  readonly market: DecisionMarket;
  /** Its formula as it was written, see `dealFormulas`. */
  readonly formula: string;
}

interface Placed<Mark> {
  readonly mark: Mark;
  /** The column by now. */
  readonly column: number;
  readonly noted: Metadata;
}

/** The marks of one list. */
export interface ListMarks {
  readonly costs: readonly Placed<CostMark>[];
  readonly decisions: readonly Placed<DecisionMark>[];
}

const isMarketOf = (market: string): market is DecisionMarket =>
  market === 'column' || market === 'both' || isMarket(market);

/** Every mark of ours on a column that is no lookup. */
function readMark({ on, value }: Metadata): CostMark | DecisionMark | null {
  const stored = storedJson(value);
  if (on !== 'column' || !isLike(stored, { list: '', role: '' })) return null;
  const { list } = stored;
  const cost = COST_KEYS.find((one) => one === stored.role);
  if (cost !== undefined) return { list, role: cost };
  const role = DECISION_ROLES.find((one) => one === stored.role);
  if (role === undefined || !isLike(stored, { market: '', formula: '' })) return null;
  const { market, formula } = stored;
  return isMarketOf(market) ? { list, role, market, formula } : null;
}

/** The marks of all lists of a sheet. */
function readAll(sheet: Sheet): ListMarks {
  const costs: Placed<CostMark>[] = [];
  const decisions: Placed<DecisionMark>[] = [];
  for (const noted of sheet.metadata(METADATA_KEY) ?? []) {
    const mark = readMark(noted);
    if (mark === null) continue;
    if ('formula' in mark) decisions.push({ mark, column: noted.at, noted });
    else costs.push({ mark, column: noted.at, noted });
  }
  return { costs, decisions };
}

/** The columns of decisions in a sheet, whichever list they belong to. */
export const decidedColumns = (sheet: Sheet): readonly number[] =>
  readAll(sheet).decisions.map(({ column }) => column);

/** @param list the list's id. */
export function decisionMarks(sheet: Sheet, list: string): ListMarks {
  const { costs, decisions } = readAll(sheet);
  return {
    costs: costs.filter(({ mark }) => mark.list === list),
    decisions: decisions.filter(({ mark }) => mark.list === list),
  };
}

export function addMark(sheet: Sheet, mark: CostMark | DecisionMark, column: number) {
  return sheet.addMetadata(METADATA_KEY, { on: 'column', at: column, value: JSON.stringify(mark) });
}

/** Other marks of the column stay. */
export const removeMark = (sheet: Sheet, { noted }: Placed<CostMark | DecisionMark>) =>
  sheet.removeMetadata(METADATA_KEY, noted);

/** Where a decision is shown for a market; undefined: nowhere. */
export const decisionColumn = (
  { decisions }: ListMarks,
  role: DecisionRole,
  market: DecisionMarket,
): number | undefined =>
  decisions.find(({ mark }) => mark.role === role && mark.market === market)?.column;

/** The column that decisions read for this cost. */
export const costColumn = ({ costs }: ListMarks, key: CostKey): number | undefined =>
  costs.find(({ mark }) => mark.role === key)?.column;
