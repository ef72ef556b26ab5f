// Which columns of a list hold costs and decisions, as metadata marks them in its sheet.

import { METADATA_KEY } from '../analysis/tab-layout';
import type { Metadata, Sheet } from '../google/sheet';
import type { GroupMarket } from '../list/marked-list';
import { isMarket } from '../product/market';
import { isLike, storedJson } from '../schema/stored-record';
import { COST_KEYS, type CostKey, DECISION_ROLES, type DecisionRole } from './decision-plan';

/** A column of the person's that decisions read. */
interface CostMark {
  readonly list: string;
  readonly role: CostKey;
}

/** A column of ours. */
export interface DecisionMark {
  readonly list: string;
  readonly role: DecisionRole;
  /** `both`: of the column that compares both markets. */
  readonly market: GroupMarket | 'both';
  /** Its formula as it was written, see `decisionFormulas`. */
  readonly formula: string;
}

interface Placed<Mark> {
  readonly mark: Mark;
  /** The column by now. */
  readonly column: number;
}

/** The marks of one list. */
export interface ListMarks {
  readonly costs: readonly Placed<CostMark>[];
  readonly decisions: readonly Placed<DecisionMark>[];
}

const costKey = (role: string) => COST_KEYS.find((one) => one === role);
const decisionRole = (role: string) => DECISION_ROLES.find((one) => one === role);

const isGroup = (market: string): market is DecisionMark['market'] =>
  market === 'column' || market === 'both' || isMarket(market);

/** Every mark of ours on a column that is no lookup. */
function readMark({ on, value }: Metadata): CostMark | DecisionMark | null {
  const stored = storedJson(value);
  if (on !== 'column' || !isLike(stored, { list: '', role: '' })) return null;
  const { list } = stored;
  const cost = costKey(stored.role);
  if (cost !== undefined) return { list, role: cost };
  const role = decisionRole(stored.role);
  if (role === undefined || !isLike(stored, { market: '', formula: '' })) return null;
  const { market, formula } = stored;
  return isGroup(market) ? { list, role, market, formula } : null;
}

const isDecision = (mark: CostMark | DecisionMark): mark is DecisionMark => 'formula' in mark;

/** The marks of all lists of a sheet; null: the sheet is gone. */
function readAll(sheet: Sheet): readonly Placed<CostMark | DecisionMark>[] | null {
  const noted = sheet.metadata(METADATA_KEY);
  return (
    noted?.flatMap((one) => {
      const mark = readMark(one);
      return mark === null ? [] : [{ mark, column: one.at }];
    }) ?? null
  );
}

/** The columns of decisions in a sheet, whichever list they belong to. */
export const decidedColumns = (sheet: Sheet): ReadonlySet<number> =>
  new Set((readAll(sheet) ?? []).flatMap(({ mark, column }) => (isDecision(mark) ? [column] : [])));

/** @param list the list's id. */
export function decisionMarks(sheet: Sheet, list: string): ListMarks {
  const own = (readAll(sheet) ?? []).filter(({ mark }) => mark.list === list);
  return {
    costs: own.flatMap(({ mark, column }) => (isDecision(mark) ? [] : [{ mark, column }])),
    decisions: own.flatMap(({ mark, column }) => (isDecision(mark) ? [{ mark, column }] : [])),
  };
}

/** Where a decision is shown for a market; undefined: nowhere. */
export const decisionColumn = (
  { decisions }: ListMarks,
  role: DecisionRole,
  market: DecisionMark['market'],
): number | undefined =>
  decisions.find(({ mark }) => mark.role === role && mark.market === market)?.column;

/** The column that decisions read for this cost. */
export const costColumn = ({ costs }: ListMarks, key: CostKey): number | undefined =>
  costs.find(({ mark }) => mark.role === key)?.column;
