// The products that formulas ask for: their arguments read as Sheets would hand them to the functions.

import { isBlank } from '../../../analysis/asin';
import { besideEach } from '../../../analysis/cells';
import { isFailure } from '../../../analysis/failure';
import { type Market, type Product, productKey } from '../../../analysis/product';
import { isWanted, productOf, readQuestions } from '../../../analysis/questions';
import { type CellReader, UNKNOWN } from './cell-reader';
import type { FormulaCell, FormulaSheet } from './find';
import type { Call } from './formula-text';
import { readReference } from './reference';
import { literalText } from './refresh-argument';

/** What this function gives for a text, the others read by themselves. */
const CLEANED = /^ANALYZE_ASIN\s*\((.*)\)$/is;

/** Its third argument are prices, without which a row stays blank. */
const WITH_PRICES = 'ANALYZE_WHAT_IF';

export interface Resolved {
  /** By product key. */
  readonly products: ReadonlyMap<string, Product>;
  /** Something in it only Sheets can work out, so it may ask for more than these. */
  readonly isPartial: boolean;
}

/** @param cellsIn reads what formulas refer to as they come. */
export function resolver(
  cellsIn: CellReader,
  defaultMarket: Market | undefined,
): (cell: FormulaCell) => Resolved {
  function argument(text: string, on: FormulaSheet): unknown {
    if (text === '') return undefined;
    const literal = literalText(text);
    if (literal !== undefined) return literal;
    if (/^\d+$/.test(text)) return Number(text);
    const reference = readReference(text);
    if (reference !== null) return cellsIn(reference, on);
    const [, inner] = CLEANED.exec(text) ?? [];
    return inner === undefined ? UNKNOWN : argument(inner.trim(), on);
  }

  function productsOf({ name, args }: Call, on: FormulaSheet): readonly Product[] | null {
    const asin = argument(args[0]?.text ?? '', on);
    const market = argument(args[1]?.text ?? '', on);
    if (asin === UNKNOWN || market === UNKNOWN) return null;
    const questions = readQuestions(asin, market);
    if (isFailure(questions)) return [];
    const prices = name === WITH_PRICES ? argument(args[2]?.text ?? '', on) : UNKNOWN;
    const each = prices === UNKNOWN ? [] : besideEach(prices, questions.length, '');
    // Rows without a price are not asked for, and heights that differ are refused as a whole.
    const wanted = questions.filter(
      (_, row) => !isFailure(each) && !(row in each && isBlank(each[row])),
    );
    return wanted.filter(isWanted).map((one) => productOf(one, defaultMarket));
  }

  return ({ on, calls }) => {
    const each = calls.map((call) => productsOf(call, on));
    const products = each.flatMap((some) => some ?? []);
    return {
      products: new Map(products.map((product) => [productKey(product), product])),
      isPartial: each.includes(null),
    };
  };
}
