// Rows of the Analysis tab for tests of what is pure.

import type { RecordedRow } from '../../src/analysis/analysis-row';
import type { AnalysisRow } from '../../src/analysis/row-record';
import { type Figures, figuresBy } from '../../src/product/fields';

const NOTHING: Figures = figuresBy(() => null);

/** A row of this product with figures that were fetched at `analyzedMs`. */
export const rowOf = (asin: string, more: Partial<AnalysisRow> = {}): AnalysisRow => ({
  key: `${asin}|US`,
  asin,
  market: 'US',
  status: 'OK',
  figures: NOTHING,
  analyzedMs: 1_000,
  triedMs: 1_000,
  wantedMs: null,
  changed: '',
  alsoSent: '',
  fetchedWith: 'key own',
  told: '',
  ...more,
});

/** A row whose figures became others. */
export const recorded = (
  before: Partial<Figures>,
  after: Partial<Figures>,
  more: { readonly before?: Partial<AnalysisRow>; readonly after?: Partial<AnalysisRow> } = {},
): RecordedRow => ({
  before: rowOf('B07FZ8S74R', { figures: { ...NOTHING, ...before }, ...more.before }),
  after: rowOf('B07FZ8S74R', {
    figures: { ...NOTHING, ...after },
    analyzedMs: 9_000,
    triedMs: 9_000,
    ...more.after,
  }),
});
