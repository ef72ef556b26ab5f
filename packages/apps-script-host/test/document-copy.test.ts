// "Make a copy" of a spreadsheet: what comes along and what the two still share, which is nothing.

import { describe, expect, it } from '@jest/globals';
import { copyOf } from '../src/document-copy';
import { featuresOf } from '../src/sheet/book-features';
import { createPlainGrid } from '../src/sheet/plain-grid';

describe('a copied spreadsheet', () => {
  it('has the same sheets by id and name, with their cells, and a life of its own', () => {
    const model = createPlainGrid({ sheetName: 'List', timeZone: 'Australia/Sydney' });
    const gone = model.addSheet('Gone', 2);
    const prices = model.addSheet('Prices', 2);
    model.deleteSheet(gone);
    model.write(0, 1, 1, [['ASIN'], ['B000000001']]);
    model.write(prices, 1, 1, [[{ formula: '=List!A2' }, 7.5]]);
    model.setNumberFormats(prices, 1, 2, [['0.00']]);
    const original = { id: 'one', name: 'One', ownerEmail: 'a@b.c', editors: [], model };
    const copy = copyOf(original, { id: 'two', name: 'Copy', ownerEmail: 'd@e.f', editors: [] });

    const cells = { row: 1, column: 1, rowCount: 1, columnCount: 2 };
    expect(copy.model.sheets()).toEqual(model.sheets());
    expect(copy.model.timeZone()).toBe('Australia/Sydney');
    expect(copy.model.formulas(prices, cells)).toEqual([['=List!A2', '']]);
    expect(copy.model.displayValues(prices, cells)[0]?.[1]).toBe('7.50');

    copy.model.write(0, 2, 1, [['B000000002']]);
    expect(model.values(0, { ...cells, row: 2, columnCount: 1 })).toEqual([['B000000001']]);
  });

  it('has the names of cells and the developer metadata, and new ones with numbers of their own', () => {
    const model = createPlainGrid();
    const cell = { row: 2, column: 2, rowCount: 1, columnCount: 1 };
    featuresOf(model).setNames([{ name: 'REFRESH', sheetId: 0, rectangle: cell }]);
    const place = { sheetId: 0, rectangle: null, axis: null };
    const mark = { id: 7, key: 'tab', value: null, visibility: 'DOCUMENT' as const, ...place };
    featuresOf(model).setMetadata([mark]);
    const original = { id: 'one', name: 'One', ownerEmail: 'a@b.c', editors: [], model };
    const copy = copyOf(original, { id: 'two', name: 'Copy', ownerEmail: 'd@e.f', editors: [] });
    expect(featuresOf(copy.model).names()).toEqual(featuresOf(model).names());
    expect(featuresOf(copy.model).metadata()).toEqual([mark]);
    expect(featuresOf(copy.model).nextId()).toBe(8);
  });
});
