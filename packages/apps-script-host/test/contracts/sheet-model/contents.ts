// Values, formulas and formats: the part of the sheet models' contract that is about cells.

import { describe, expect, it } from '@jest/globals';
import type { CellValue, SheetModel } from '../../../src/sheet/model';
import { cells, withContents } from './sheet-with-contents';

export function describeContents(create: () => SheetModel): void {
  describe('contents', () => {
    it('of a blank cell are an empty text', () => {
      const { model, id } = withContents(create());
      expect(model.values(id, cells(1, 1, 2, 2))).toEqual([
        ['', ''],
        ['', ''],
      ]);
    });

    it('come back as they were put in', () => {
      const rows = [
        ['text', 12.5, true],
        ['007', -3, false],
        ['', 'é "quoted"', 1e21],
      ];
      expect(withContents(create(), rows).values()).toEqual(rows);
    });

    it('bring dates back as dates', () => {
      const moment = new Date('2026-03-29T10:20:30.456Z');
      const { values } = withContents(create(), [[moment, new Date('1999-12-31T00:00:00Z')]]);
      expect(values()).toEqual([[moment, new Date('1999-12-31T00:00:00Z')]]);
    });

    it('tell a formula from a text that begins like one', () => {
      const { model, id, formula } = withContents(create(), [[{ formula: '=B1' }, '=B1']]);
      expect([formula(1, 1), formula(1, 2)]).toEqual(['=B1', '']);
      expect(model.values(id, cells(1, 2))).toEqual([['=B1']]);
    });

    it('put over a formula end it', () => {
      const { model, id, formula, values } = withContents(create(), [[{ formula: '=B1' }]]);
      model.write(id, 1, 1, [[5]]);
      expect([formula(1, 1), values()]).toEqual(['', [[5]]]);
    });

    it('make the used part of the sheet grow and shrink', () => {
      const { model, id } = withContents(create());
      expect(model.size(id)).toMatchObject({ lastRow: 0, lastColumn: 0 });
      model.write(id, 5, 3, [['x']]);
      model.write(id, 2, 6, [[{ formula: '=C5' }]]);
      expect(model.size(id)).toMatchObject({ lastRow: 5, lastColumn: 6 });
      model.write(id, 5, 3, [['']]);
      expect(model.size(id)).toMatchObject({ lastRow: 2, lastColumn: 6 });
    });

    it('are cleared with formulas and without formats', () => {
      const { model, id, format } = withContents(create(), [[1, { formula: '=A1' }, 3]]);
      model.setNumberFormats(id, 1, 1, [['0.00']]);
      model.clearContents(id, cells(1, 1, 1, 2));
      expect(model.values(id, cells(1, 1, 1, 3))).toEqual([['', '', 3]]);
      expect(model.formulas(id, cells(1, 1, 1, 2))).toEqual([['', '']]);
      expect(format(1, 1)).toBe('0.00');
    });
  });
}

export function describeLimits(create: () => SheetModel): void {
  describe('cells', () => {
    it.each([
      cells(0, 1),
      cells(1, 0),
      cells(1000, 1, 2, 1),
      cells(1, 26, 1, 2),
      cells(1, 1, 0, 1),
      cells(1.5, 1),
    ])('outside the sheet are refused: %j', (rectangle) => {
      const { model, id } = withContents(create());
      expect(() => model.values(id, rectangle)).toThrow(RangeError);
      expect(() => model.clearContents(id, rectangle)).toThrow(RangeError);
    });

    it('that are ragged or leave the sheet are refused and nothing is written', () => {
      const { model, id } = withContents(create());
      expect(() => model.write(id, 1, 1, [['a', 'b'], ['c']])).toThrow(RangeError);
      expect(() => model.write(id, 1000, 1, [['a'], ['b']])).toThrow(RangeError);
      expect(model.size(id)).toMatchObject({ lastRow: 0, lastColumn: 0 });
    });
  });
}

export function describeFormats(create: () => SheetModel): void {
  describe('number formats', () => {
    it('are "General" until somebody chooses one', () => {
      const { model, id, format } = withContents(create(), [[1]]);
      expect(format(1, 1)).toBe('General');
      model.setNumberFormats(id, 1, 1, [['0.00'], ['@']]);
      expect(model.numberFormats(id, cells(1, 1, 3, 1))).toEqual([['0.00'], ['@'], ['General']]);
    });

    it('stay when contents change', () => {
      const { model, id, format } = withContents(create());
      model.setNumberFormats(id, 1, 1, [['0.00']]);
      model.write(id, 1, 1, [[5]]);
      expect(format(1, 1)).toBe('0.00');
    });

    it('and bold letters go with their cells, and neither changes the other', () => {
      const { model, id, format } = withContents(create(), [['a', 'b']]);
      model.setFontWeights(id, 1, 1, [['bold', 'bold']]);
      model.setNumberFormats(id, 1, 1, [['0.00']]);
      model.setFontWeights(id, 1, 2, [['']]);
      model.insertRows(id, 1, 1);
      model.write(id, 2, 1, [['c']]);
      const weights = model.fontWeights(id, cells(1, 1, 3, 2));
      expect(weights).toEqual([
        ['', ''],
        ['bold', ''],
        ['', ''],
      ]);
      expect(format(2, 1)).toBe('0.00');
    });

    it('and alignment go with their cells', () => {
      const { model, id } = withContents(create(), [['a', 'b', 'c']]);
      const sides = ['left', 'center', 'right'];
      model.setLooks(id, 1, 1, [sides.map((side) => `horizontal=${side}`)]);
      model.setLooks(id, 1, 2, [['']]);
      model.insertRows(id, 1, 1);
      const looks = model.looks(id, cells(1, 1, 2, 3));
      expect(looks).toEqual([
        ['', '', ''],
        ['horizontal=left', '', 'horizontal=right'],
      ]);
    });

    it('decide between a number and a date', () => {
      const { model, id, values } = withContents(create(), [[new Date('2026-01-05T06:00:00Z')]]);
      model.setNumberFormats(id, 1, 1, [['0.00']]);
      expect(values()).toEqual([[46027.25]]);
      model.setNumberFormats(id, 1, 1, [['yyyy-mm-dd']]);
      expect(values()).toEqual([[new Date('2026-01-05T06:00:00Z')]]);
    });

    it.each<[CellValue, string, string]>([
      ['text', 'General', 'text'],
      ['', '0.00', ''],
      [true, 'General', 'TRUE'],
      [12.5, 'General', '12.5'],
      [12.5, '0.00', '12.50'],
      [-3, '0.0', '-3.0'],
      [1234567, '#,##0', '1,234,567'],
      [0.256, '0.0%', '25.6%'],
      [1234.5, '"$"#,##0.00', '$1,234.50'],
      [5, '[$£-809]#,##0.00', '£5.00'],
      [new Date('2026-01-05T09:07:00Z'), 'yyyy-mm-dd hh:mm', '2026-01-05 09:07'],
    ])('show %p by %p as %p', (value, format, shown) => {
      const { model, id } = withContents(create(), [[value]]);
      model.setNumberFormats(id, 1, 1, [[format]]);
      expect(model.displayValues(id, cells(1, 1))).toEqual([[shown]]);
    });
  });
}
