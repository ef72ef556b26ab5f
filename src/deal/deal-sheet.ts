// Makes a new sheet for deals: the person's own columns, figures and decisions beside them.

import { answeredRow, wantRow } from '../analysis/analysis-row';
import { type AnalysisTab, openAnalysisTab } from '../analysis/analysis-tab';
import { whileLeased } from '../analysis/leased';
import { analyze } from '../engine/analyze';
import type { Engine } from '../engine/engine';
import { SAMPLE_ASINS } from '../engine/samples';
import { type Failure, isFailure, runProblem } from '../failures/failure';
import type { MadeTab } from '../google/new-tab';
import type { Platform } from '../google/platform';
import { sheetById } from '../google/spreadsheet';
import type { WantedColumns } from '../list/choice';
import { ensureColumns } from '../list/our-columns';
import { rowKey } from '../list/row-formulas';
import { type Product, productKey } from '../product/asin';
import { DEFAULT_MARKET } from '../product/market';
import { addFilledTab } from '../sheet/own-tab';
import { decideOnList } from './decision-columns';
import { newDealTab, SHEET_FIGURES, SHEET_PLACE, type SheetKind } from './new-sheet';
import { ensureRules } from './rules';

type WantedOfMarkets = Pick<WantedColumns, 'defaultMarket' | 'roiIsFraction'>;

/**
 * The sheet is made whole or not at all, so that pressing again gives one.
 *
 * @param samples an engine that answers samples; null: there is a key, and nothing is asked.
 */
export function makeDealSheet(
  platform: Platform,
  kind: SheetKind,
  samples: Engine | null,
  wanted: WantedOfMarkets,
): MadeTab | Failure {
  return whileLeased(platform, 'making a deal sheet', () => {
    const tab = ensureRules() ?? openAnalysisTab(platform.clock);
    if (isFailure(tab)) return tab;
    return addFilledTab(newDealTab(kind, samples !== null), ({ sheetId }) =>
      fillSheet(tab, sheetId, samples, wanted),
    );
  });
}

/** Adds figures and decisions beside the person's own columns. */
function fillSheet(
  tab: AnalysisTab,
  sheetId: number,
  samples: Engine | null,
  wanted: WantedOfMarkets,
): Failure | null {
  const sheet = sheetById(sheetId);
  if (sheet === null) return runProblem('sheet-gone');
  const list = ensureColumns(
    tab,
    { sheet, ...SHEET_PLACE },
    { ...wanted, market: 'column', columns: SHEET_FIGURES },
  );
  if (isFailure(list)) return list;
  const answered = samples === null ? null : recordSamples(tab, samples);
  if (isFailure(answered)) return answered;
  const selection = { list: { sheetId, listId: list.id }, market: null, cost: null };
  const decided = decideOnList(tab, selection, wanted.roiIsFraction);
  return isFailure(decided) ? decided : null;
}

/** Writes what the samples' products are answered into the Analysis tab. */
function recordSamples(tab: AnalysisTab, samples: Engine): Failure | null {
  const products = SAMPLE_ASINS.map((asin): Product => ({ asin, market: DEFAULT_MARKET }));
  const answers = analyze(samples, products);
  const atMs = samples.platform.clock.nowMs();
  const { fetchedWith } = samples;
  const recorded = tab.record(
    products.flatMap((product) => {
      const key = rowKey(product.asin, product.market, 'column', DEFAULT_MARKET);
      const answer = answers.get(productKey(product));
      return answer === undefined
        ? []
        : [
            [
              { key },
              (before) => {
                const waiting = wantRow(before, key, product, atMs);
                return answeredRow(waiting, { answer, atMs, fetchedWith });
              },
            ],
          ];
    }),
  );
  return isFailure(recorded) ? recorded : null;
}
