// Keeps what a scheduled run finds out about changes: for the rows, for the log and for the digest.
//
// A run makes one before its first answer and calls it at three places:
// 1. `take(answers)` wherever answers come in, those of the cache too (a slice's `onAnswers`);
// 2. `markOf(productKey)` when a row is written: unless undefined, its cell in the column `change`;
// 3. `finish()` once, after the last write: the log is written then, which takes some 3 s.

import type { Analysis } from '../../analysis/analysis';
import type { Answer } from '../../analysis/answer';
import { roiUnitOf } from '../../analysis/estimate';
import { type Failure, isFailure } from '../../analysis/failure';
import { FIELDS, type Field } from '../../analysis/fields';
import { ruleWords } from '../../analysis/figure-words';
import { lastGood } from '../../analysis/last-good';
import { productOfKey } from '../../analysis/product';
import type { Store } from '../../platform/ports';
import type { SheetPlatform } from '../../platform/sheet-ports';
import { type LogLine, logChanges } from './change-log';
import { markText } from './change-mark';
import {
  type Change,
  type ChangeRule,
  changesBetween,
  crossedRules,
  type FieldValues,
} from './changes';
import type { ZoneOffset } from './recurrence';

export interface ChangeKeeperOptions {
  readonly platform: Pick<SheetPlatform, 'spreadsheet' | 'documentStore' | 'lock' | 'clock'>;
  /** `scope` of the engine that asks: what another connection heard is not compared. */
  readonly scope: string;
  /** What is logged; figures of the rules are logged as well. */
  readonly fields: readonly Field[];
  readonly rules: readonly ChangeRule[];
  readonly zone: ZoneOffset;
}

export interface ChangeReport {
  /** Lines in the change log. */
  readonly changes: number;
  /** Products that a rule marked, by its words. */
  readonly marked: Readonly<Record<string, number>>;
  /** Why the changes are not in the log; all else of the run is as it should be. */
  readonly problem?: Failure;
}

export interface ChangeKeeper {
  /** New answers, by product key. One property call the first time. */
  take(answers: ReadonlyMap<string, Answer>): void;
  /** undefined: no news about this product. */
  markOf(productKey: string): string | undefined;
  finish(): ChangeReport;
}

/** What became of one product. */
interface News {
  readonly atMs: number;
  readonly lines: readonly LogLine[];
  readonly words: readonly string[];
}

export function changeKeeper(options: ChangeKeeperOptions): ChangeKeeper {
  const { platform, scope, rules, zone } = options;
  // The run saves new analyses by and by: before is what stood there when it began.
  const before = lastGood(asItIsNow(platform.documentStore), scope);
  const fields = FIELDS.filter((field) => options.fields.includes(field) || concerns(rules, field));
  const news = new Map<string, News>();

  return {
    take(answers) {
      const analyses = [...answers].flatMap(([key, answer]) =>
        answer.ok ? [[key, answer.analysis] as const] : [],
      );
      if (analyses.length === 0) return;
      const known = before.find(analyses.map(([key]) => key));
      const atMs = platform.clock.nowMs();
      for (const [key, analysis] of analyses) {
        const [old, product] = [known.get(key), productOfKey(key)];
        if (old === undefined || product === null) continue;
        const changes = changesOf(old, analysis, fields);
        const words = crossedRules(rules, changes).map(ruleWords);
        const roiIsFraction = roiUnitOf(analysis) !== undefined;
        const lines = changes.map((change) => ({
          ...change,
          ...{ atMs, product, roiIsFraction },
          marked: crossedRules(rules, [change]).map(ruleWords).join('; '),
        }));
        news.set(key, { atMs, lines, words });
      }
    },
    markOf(productKey) {
      const { atMs, words } = news.get(productKey) ?? { atMs: 0, words: [] };
      return words.length === 0 ? undefined : markText(words, atMs, zone);
    },
    finish() {
      const marked: Record<string, number> = {};
      for (const { words } of news.values())
        for (const one of words) marked[one] = (marked[one] ?? 0) + 1;
      const lines = [...news.values()].flatMap((one) => one.lines);
      const logged = logChanges(platform, lines);
      return isFailure(logged)
        ? { changes: 0, marked, problem: logged }
        : { changes: logged, marked };
    },
  };
}

/** A store as it is when it is first looked at: everything in one property call. */
function asItIsNow(store: Store): Store {
  let all: Readonly<Record<string, string>> | undefined;
  const readAll = () => {
    all ??= store.readAll();
    return all;
  };
  return { ...store, readAll, read: (name) => readAll()[name] ?? null };
}

function concerns(rules: readonly ChangeRule[], field: Field): boolean {
  return rules.some((rule) =>
    rule.kind === 'no-longer-eligible' ? field === 'eligible' : rule.field === field,
  );
}

function changesOf(old: Analysis, now: Analysis, fields: readonly Field[]): readonly Change[] {
  // As a number without a unit it may be a hundred times what it was.
  const isRoiAlike = (roiUnitOf(old) === undefined) === (roiUnitOf(now) === undefined);
  const compared = fields.filter((field) => field !== 'roi' || isRoiAlike);
  return changesBetween(valuesOf(old, compared), valuesOf(now, compared));
}

/** ROI as a fraction, wherever its unit is known: rules say it so. */
function valuesOf(analysis: Analysis, fields: readonly Field[]): FieldValues {
  const scale = roiUnitOf(analysis) === 'percent' ? 100 : 1;
  const { roi, ...figures } = analysis.figures;
  const values = { ...figures, roi: roi === null ? null : roi / scale };
  return Object.fromEntries(fields.map((field) => [field, values[field]]));
}
