// Probes that provoke refusals: what the add-on's own calls take Google's words for.

import { documentStore, sendAll, spreadsheetCache } from '../src/google/platform';
import { addSheet, sheetById } from '../src/google/spreadsheet';
import { makeTrigger, removeTrigger } from '../src/google/triggers';
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

/** What the add-on's own call takes the refusal for, and Google's message. */
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
  const sheetId = own.getSheetId();
  const sheet = sheetById(sheetId);
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
      return takenName(addSheet(SCRATCH));
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
      return String(sendAll([request])[0]?.kind);
    }
  }
}

function takenName(added: ReturnType<typeof addSheet>): string {
  if (typeof added === 'string') return added;
  const isOther = added.name() !== SCRATCH;
  removeById(added.id);
  return isOther ? 'taken' : 'nothing';
}

function takenOften(): string {
  const outcome = makeTrigger(CLOCK_HANDLER, 10);
  if (outcome.kind === 'made') removeTrigger(outcome.id);
  return outcome.kind;
}
