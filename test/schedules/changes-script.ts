// A script for the emulated host: what was known of products, what is heard of them now, and who is told.

/// <reference path="../../src/build-constants.d.ts" />

import { spreadsheetIdentity } from '../../src/connection/connection-store';
import type { Failure } from '../../src/failures/failure';
import {
  appsScriptMail,
  appsScriptPlatform,
  appsScriptZones,
} from '../../src/platform/apps-script/services';
import { appsScriptSpreadsheet } from '../../src/platform/apps-script/spreadsheet';
import { appsScriptTriggers } from '../../src/platform/apps-script/triggers';
import { type Analysis, answered } from '../../src/product/analysis';
import { FIELDS, type Figures, figuresBy } from '../../src/product/fields';
import { type ChangeReport, changeKeeper } from '../../src/schedules/change-tracker';
import type { ChangeRule } from '../../src/schedules/changes';
import {
  type Digest,
  type DigestEntry,
  type DigestStore,
  digestStore,
  showMarked,
} from '../../src/schedules/digest';
import { mailDigest } from '../../src/schedules/digest-mail';

const SCOPE = 'scope';
const NOTHING: Figures = figuresBy(() => null);

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

const know = (_: Known): void => undefined;

/** A run that hears this, one answer after the other, and saves it in between as runs do. */
function hear(heard: Known, rules: readonly ChangeRule[]): Noted {
  const platform = { ...appsScriptPlatform(), spreadsheet: appsScriptSpreadsheet() };
  const { documentStore, clock } = platform;
  const options = {
    platform,
    id: 's1',
    fingerprint: SCOPE,
    fields: FIELDS,
    rules,
    dealRules: null,
    zone: () => 0,
  };
  const calls = documentStore.calls();
  const keeper = changeKeeper(options);
  const analyses = analysesOf(heard, clock.nowMs());
  for (const [key, analysis] of analyses) keeper.take(new Map([[key, answered(analysis)]]));
  for (const [key, analysis] of analyses) keeper.take(new Map([[key, answered(analysis)]]));
  const report = keeper.finish();
  const marks = heard.map(([key]) => keeper.markOf(key));
  return { ...report, marks, propertyCalls: documentStore.calls() - calls };
}

/** A run that came to this, after which a mail may go out. */
function ran(entry: DigestEntry): void {
  const platform = { ...appsScriptPlatform(), spreadsheet: appsScriptSpreadsheet() };
  store().note(entry);
  mailDigest({ ...platform, zones: appsScriptZones() }, appsScriptMail());
}

function store(): DigestStore {
  const platform = appsScriptPlatform();
  return digestStore(
    platform,
    spreadsheetIdentity(platform, appsScriptSpreadsheet().place()?.id ?? ''),
  );
}

const look = (): Digest | null => store().look();
const putAway = (nowMs: number): void => store().putAway(nowMs);

/** Selects the rows that a rule marked since a moment. */
function show(sheetIds: readonly number[], words: string, sinceMs: number): number | Failure {
  const platform = {
    ...appsScriptPlatform(),
    spreadsheet: appsScriptSpreadsheet(),
    triggers: appsScriptTriggers(),
  };
  return showMarked(platform, sheetIds, words, sinceMs, () => 0);
}

/** What can be called of it. */
export const script = { know, hear, ran, look, putAway, show };
