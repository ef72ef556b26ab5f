// A script for the emulated host: what was known of products, what is heard of them now, and what is made of it.

import type { Analysis, Figures } from '../../../src/analysis/analysis';
import { answered } from '../../../src/analysis/answer';
import { FIELDS } from '../../../src/analysis/fields';
import { lastGood } from '../../../src/analysis/last-good';
import { type ChangeReport, changeKeeper } from '../../../src/bulk/schedule/change-keeper';
import type { ChangeRule } from '../../../src/bulk/schedule/changes';
import { appsScriptPlatform } from '../../../src/platform/apps-script/platform';
import { appsScriptSpreadsheet } from '../../../src/platform/apps-script/spreadsheet';

const SCOPE = 'scope';
const NOTHING: Figures = {
  ...{ profit: null, roi: null, fees: null, eligible: null },
  ...{ rank_drops_30d: null, buy_price: null, sell_price: null },
};

export type Known = readonly (readonly [key: string, figures: Partial<Figures>])[];

export interface Noted extends ChangeReport {
  readonly marks: readonly (string | undefined)[];
  /** Property calls, those of the log among them. */
  readonly propertyCalls: number;
}

function analysesOf(known: Known, fetchedAtMs: number): ReadonlyMap<string, Analysis> {
  return new Map(
    known.map(([key, figures]) => [
      key,
      { figures: { ...NOTHING, ...figures }, extras: [], roiUnit: 'fraction', fetchedAtMs },
    ]),
  );
}

/** Puts analyses where the last good ones are kept. */
export function know(known: Known): void {
  const { documentStore, clock } = appsScriptPlatform();
  lastGood(documentStore, SCOPE).save(analysesOf(known, clock.nowMs()));
}

/** A run that hears this, one answer after the other, and saves it in between as runs do. */
export function hear(heard: Known, rules: readonly ChangeRule[]): Noted {
  const platform = { ...appsScriptPlatform(), spreadsheet: appsScriptSpreadsheet() };
  const { documentStore, clock } = platform;
  const options = { platform, scope: SCOPE, fields: FIELDS, rules, zone: () => 0 };
  const keeper = changeKeeper(options);
  const analyses = analysesOf(heard, clock.nowMs());
  const calls = documentStore.calls();
  for (const [key, analysis] of analyses) keeper.take(new Map([[key, answered(analysis)]]));
  lastGood(documentStore, SCOPE).save(analyses);
  for (const [key, analysis] of analyses) keeper.take(new Map([[key, answered(analysis)]]));
  const report = keeper.finish();
  const marks = heard.map(([key]) => keeper.markOf(key));
  return { ...report, marks, propertyCalls: documentStore.calls() - calls };
}
