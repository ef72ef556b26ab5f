// Columns that lists get without a job: of a choice, or again once the tab that they look into was deleted.

import { openAnalysisTab } from '../analysis/analysis-tab';
import { whileLeased } from '../analysis/leased';
import type { Engine } from '../engine/engine';
import { type Failure, isFailure, runProblem } from '../failures/failure';
import type { Platform } from '../google/platform';
import { allSheets } from '../google/spreadsheet';
import type { Choice } from '../list/choice';
import { fillInNewRows } from '../list/our-cells';
import { type ListRow, productsOf, readRows } from '../list/rows';
import { taggedLists } from '../list/tagged-list';
import { changesOf, chosenList, makeColumns } from './start';

/**
 * Adds the columns of a choice that its list lacks, and names the products in the tab, where it looks
 * them up. Returns the number of rows.
 */
export function showColumns(platform: Platform, engine: Engine, choice: Choice): number | Failure {
  const { fetchedWith } = engine;
  return whileLeased(platform, 'adding columns', () => {
    const all: Choice = { ...choice, rows: { kind: 'all' } };
    const chosen = chosenList(engine, all);
    const made = isFailure(chosen) ? chosen : makeColumns(engine, all, chosen);
    if (isFailure(made)) return made;
    const { tab, rows } = made;
    const by = { atMs: platform.clock.nowMs(), fetchedWith };
    const named = tab.record(changesOf(rows, new Map(), new Map(), by));
    return isFailure(named) ? named : rows.length;
  });
}

export interface BroughtBack {
  /** Products whose answers were stored. */
  readonly products: number;
  /** Products that have to be asked again. */
  readonly missing: number;
}

/** Makes the tab Analysis again for all lists of the spreadsheet, with the answers that are stored. */
export function bringBackTab(platform: Platform, engine: Engine): BroughtBack | Failure {
  const { fetchedWith } = engine;
  return whileLeased(platform, 'bringing the tab “Analysis” back', () => {
    const tab = openAnalysisTab(platform.clock);
    if (isFailure(tab)) return tab;
    const lists = allSheets().flatMap(taggedLists);
    const rows: ListRow[] = [];
    for (const list of lists)
      for (const { market } of list.blocks) {
        const read = readRows({ ...list, market }, new Map());
        if (read === null) return runProblem('sheet-gone');
        rows.push(...read);
      }
    const products = productsOf(rows);
    const atMs = platform.clock.nowMs();
    const stored = engine.cache.find([...products.keys()], {}, atMs);
    const answered = new Map([...products].filter(([key]) => stored.has(key)));
    const named = tab.record(changesOf(rows, answered, stored, { atMs, fetchedWith }));
    if (isFailure(named)) return named;
    for (const list of lists) {
      const filled = fillInNewRows(tab, list);
      if (isFailure(filled)) return filled;
    }
    return { products: answered.size, missing: products.size - answered.size };
  });
}
