// The script that the tests of the Analysis tab run in the emulated host: the tab at Google.

import type { AnalysisRow, RowsMeant } from '../../src/analysis/analysis-row';
import {
  type AnalysisTab,
  existingAnalysisTab,
  openAnalysisTab,
} from '../../src/analysis/analysis-tab';
import { type Failure, isFailure } from '../../src/failures/failure';
import { googleClock } from '../../src/google/platform';
import { figuresBy } from '../../src/product/fields';

/** A change as data: these members of the row, and of its figures, become these values. */
export interface DataChange {
  readonly meant: RowsMeant;
  readonly becomes: Partial<AnalysisRow>;
}

const blankRow = (key: string): AnalysisRow => ({
  key,
  asin: '',
  market: '',
  status: '',
  figures: figuresBy(() => null),
  analyzedMs: null,
  triedMs: null,
  wantedMs: null,
  changed: '',
  alsoSent: '',
  fetchedWith: '',
  told: '',
});

function inTab<Value>(work: (tab: AnalysisTab) => Value): Value | Failure {
  const tab = openAnalysisTab(googleClock());
  return isFailure(tab) ? tab : work(tab);
}

const DOORS = {
  open: () => inTab((tab) => ({ name: tab.name, profit: tab.layout.columns.get('profit') })),
  isThere: () => existingAnalysisTab(googleClock()) !== null,
  record: (changes: readonly DataChange[]) =>
    inTab((tab) =>
      tab.record(
        changes.map(({ meant, becomes }) => [
          meant,
          (before) => ({ ...(before ?? blankRow('key' in meant ? meant.key : '')), ...becomes }),
        ]),
      ),
    ),
  read: () =>
    inTab((tab) => {
      const rows = tab.read();
      return isFailure(rows) ? rows : [...rows];
    }),
  tidy: (needed: readonly string[] = []) =>
    inTab((tab) =>
      tab.tidy(
        () =>
          ({ key }) =>
            needed.includes(key),
      ),
    ),
} as const;

Object.assign(globalThis, { tabDoors: DOORS });
