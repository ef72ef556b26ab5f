// Probes that provoke refusals: what the add-on's own adapters take Google's words for.

import { appsScriptHttp } from '../src/platform/apps-script/http';
import { documentStore, spreadsheetCache } from '../src/platform/apps-script/services';
import { appsScriptSpreadsheet } from '../src/platform/apps-script/spreadsheet';
import { appsScriptTriggers } from '../src/platform/apps-script/triggers';
import {
  CLOCK_HANDLER,
  type GoogleSheet,
  NO_ADDRESS,
  onScratch,
  type Provoked,
  provoke,
  removeById,
  SCRATCH,
  saidBy,
} from './google';

/** How the add-on's own adapter classifies the refusal, and Google's message. */
export function foundByRefusal(what: Provoked): string {
  const words = onScratch((sheet) => provoke(what, sheet));
  const taken = onScratch((sheet) => {
    try {
      return takenFor(what, sheet);
    } catch (error) {
      return `the probe failed: ${saidBy(error)}`;
    }
  });
  return `taken for "${taken}": ${words}`;
}

const FIRST_CELL = { row: 1, column: 1, rowCount: 1, columnCount: 1 };

function takenFor(what: Provoked, own: GoogleSheet): string {
  const spreadsheet = appsScriptSpreadsheet();
  const sheetId = own.getSheetId();
  const sheet = spreadsheet.sheet(sheetId);
  const orGone = (cells: unknown) => (cells === null ? 'gone' : 'nothing');
  switch (what) {
    case 'outside': {
      const below = (sheet?.size()?.maxRows ?? 0) + 1;
      return orGone(sheet?.values({ ...FIRST_CELL, row: below }));
    }
    case 'gone':
      removeById(sheetId);
      return orGone(sheet?.values(FIRST_CELL));
    case 'name':
      return takenName(spreadsheet.add(SCRATCH));
    case 'choice':
      provoke('choice', own);
      sheet?.write(FIRST_CELL, [['c']]);
      sheet?.values(FIRST_CELL);
      return `rejected in ${sheet?.rejected()}`;
    case 'full':
      return String(sheet?.insertRows(1, 10_000_000));
    case 'cache':
      spreadsheetCache().putAll({ 'probe big': 'x'.repeat(101 * 1_024) }, 60);
      return 'forgotten';
    case 'property':
      return documentStore().writeAll({ 'probe big': 'x'.repeat(9.1 * 1_024) })
        ? 'stored'
        : 'refused';
    case 'often':
      return takenOften();
    case 'address': {
      const request = { url: NO_ADDRESS, headers: {}, form: {}, timeoutSeconds: 10 };
      return String(appsScriptHttp().sendAll([request])[0]?.kind);
    }
  }
}

function takenName(added: ReturnType<ReturnType<typeof appsScriptSpreadsheet>['add']>): string {
  if (typeof added === 'string') return added;
  const isOther = added.name() !== SCRATCH;
  removeById(added.id);
  return isOther ? 'taken' : 'nothing';
}

function takenOften(): string {
  const triggers = appsScriptTriggers();
  const outcome = triggers.make(CLOCK_HANDLER, 10);
  if (outcome.kind === 'made') triggers.remove(outcome.id);
  return outcome.kind;
}
