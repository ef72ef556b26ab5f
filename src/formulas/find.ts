// Finds the add-on's formulas in the spreadsheet, the products they ask for, and whether they show
// figures.

import { isFailure } from '../failures/failure';
import { FAILURE_PREFIX } from '../failures/failure-words';
import { type Area, areaOf, type SheetCell } from '../google/cells';
import type { Sheet } from '../google/sheet';
import { allSheets } from '../google/spreadsheet';
import { asMeant, isWanted, pairedCells, productOf, readQuestions } from '../product/arguments';
import { isBlank, type Product, productKey } from '../product/asin';
import type { Market } from '../product/market';
import {
  askingCalls,
  type Call,
  callsIn,
  literalText,
  type Reference,
  readReference,
  refreshOf,
  valuesOf,
} from './parse-formula';

/** A cell whose formula asks the service; rows and columns count from 1. */
export interface FormulaCell {
  readonly sheet: Sheet;
  readonly row: number;
  readonly column: number;
  readonly formula: string;
  /** Its calls of functions that ask. */
  readonly calls: readonly Call[];
  /** `own`: its refresh arguments are the user's own. `lacking`: it may be offered one. */
  readonly kind: 'following' | 'lacking' | 'own' | 'left-alone';
}

type Rows<Cell> = readonly (readonly Cell[])[];

/** Reads all cells of a sheet, from A1 on. */
function readAll<Cell>(sheet: Sheet, read: (area: Area) => Rows<Cell> | null): Rows<Cell> {
  const size = sheet.size();
  if (size === null || size.lastRow === 0) return [];
  const area = areaOf(1, 1, size.lastRow, size.lastColumn);
  return read(area) ?? [];
}

/** Sheet by sheet and row by row; each sheet is read at once. */
export function findFormulas(): readonly FormulaCell[] {
  return allSheets().flatMap((sheet) =>
    readAll(sheet, (area) => sheet.formulas(area)).flatMap((texts, down) =>
      texts.flatMap((formula, right) => {
        const calls = formula === '' ? [] : askingCalls(formula);
        if (calls.length === 0) return [];
        return [
          { sheet, row: down + 1, column: right + 1, formula, calls, kind: kindOf(formula, calls) },
        ];
      }),
    ),
  );
}

/** Functions that call ours any number of times, for products that only Sheets knows. */
const REPEATING = ['ARRAYFORMULA', 'LAMBDA'];

function kindOf(formula: string, calls: readonly Call[]): FormulaCell['kind'] {
  const named = calls.map(refreshOf);
  if (named.includes('cell')) return 'following';
  if (!named.includes('none')) return 'own';
  return callsIn(formula).some(({ name }) => REPEATING.includes(name)) ? 'left-alone' : 'lacking';
}

/** The value of an argument that only Sheets can calculate. */
const UNKNOWN = Symbol('unknown');

/** Functions around a product that change nothing of what is asked for, because its text is cleaned. */
const CLEANED = /^(?:ANALYZE_ASIN|TRIM|CLEAN|UPPER)\s*\((.*)\)$/is;

/** The third argument of this function holds prices; a row without one stays blank. */
const WITH_PRICES = 'ANALYZE_WHAT_IF';

/** What formulas refer to, as it is when this is made. Each sheet is read at once, when it is needed. */
export function readCells(defaultMarket: Market | undefined) {
  const sheets = allSheets();
  const values = new Map<Sheet['id'], Rows<SheetCell>>();
  let byName: ReadonlyMap<string, Sheet> | undefined;

  function valuesIn(sheet: Sheet): Rows<SheetCell> {
    const rows = values.get(sheet.id) ?? readAll(sheet, (area) => sheet.values(area));
    values.set(sheet.id, rows);
    return rows;
  }

  function referred(reference: Reference, own: Sheet): unknown {
    const { sheetName, to } = reference;
    byName ??= new Map(sheets.map((sheet) => [String(sheet.name()).toLowerCase(), sheet]));
    const sheet = sheetName === null ? own : byName.get(sheetName.toLowerCase());
    if (sheet === undefined) return UNKNOWN;
    const cells = valuesOf(reference, valuesIn(sheet));
    return to === null ? (cells[0]?.[0] ?? '') : cells;
  }

  function argument(text: string, own: Sheet): unknown {
    if (text === '') return undefined;
    const literal = literalText(text);
    if (literal !== undefined) return literal;
    if (/^\d+$/.test(text)) return Number(text);
    const reference = readReference(text);
    if (reference !== null) return referred(reference, own);
    const [, inner] = CLEANED.exec(text) ?? [];
    return inner === undefined ? UNKNOWN : argument(inner.trim(), own);
  }

  function productsOfCall({ name, args }: Call, own: Sheet): readonly Product[] {
    const asin = argument(args[0]?.text ?? '', own);
    const market = argument(args[1]?.text ?? '', own);
    if (asin === UNKNOWN || market === UNKNOWN) return [];
    const third = argument(args[2]?.text ?? '', own);
    const meant = name === 'ANALYZE' ? asMeant({ asin, market, fields: third }) : { asin, market };
    const questions = isFailure(meant) ? meant : readQuestions(meant.asin, meant.market);
    if (isFailure(questions)) return [];
    const prices = name === WITH_PRICES ? third : UNKNOWN;
    const each = prices === UNKNOWN ? [] : pairedCells(prices, questions.length, '');
    // A row without a price is not asked for, and a range of prices with another height is refused
    // as a whole.
    return questions
      .filter((_, row) => !isFailure(each) && !(row in each && isBlank(each[row])))
      .filter(isWanted)
      .map((question) => productOf(question, defaultMarket));
  }

  return {
    /** By product key, without those that only Sheets can work out: their cells ask by themselves. */
    productsOf: ({ calls, sheet }: FormulaCell): ReadonlyMap<string, Product> =>
      new Map(
        calls
          .flatMap((call) => productsOfCall(call, sheet))
          .map((product) => [productKey(product), product]),
      ),
    /** Whether its formula shows none, or nothing, where a function around it hides the error. */
    lacksFigures: ({ sheet, row, column }: FormulaCell): boolean => {
      const shown = String(valuesIn(sheet)[row - 1]?.[column - 1] ?? '');
      return /^(#.*|Loading.*)?$/s.test(shown) || shown.startsWith(FAILURE_PREFIX);
    },
  };
}
