// Names of properties that Code.js has in one letter, as every cell loads them.

/**
 * Parts of the platform and the engine, of areas and sizes of sheets, and of rows while a run works.
 * None may be stored, sent to the page or asked of Google: those names have to last. A letter is never
 * given to another name, and no name that lasts is a capital letter.
 */
export const INNER_NAMES: Readonly<Record<string, string>> = {
  nowMs: 'A',
  columnCount: 'B',
  platform: 'C',
  spreadsheet: 'D',
  documentStore: 'E',
  userStore: 'F',
  commonCache: 'G',
  lastColumn: 'H',
  maxColumns: 'I',
  maxRows: 'J',
  lastRow: 'K',
  bookUntilMs: 'L',
  loopbackAllowed: 'M',
  engine: 'N',
  lastGood: 'O',
  hasMoved: 'P',
  writeAll: 'Q',
  readAll: 'R',
  sendAll: 'S',
  setFormats: 'T',
  statusText: 'U',
  isLocked: 'V',
  sharedKind: 'W',
  connection: 'X',
  rowCount: 'Y',
  hasShifted: 'Z',
};
