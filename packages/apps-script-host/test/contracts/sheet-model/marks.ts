// Hidden rows, filters, merges, protection, notes and links: what lies over the cells of a sheet model.

import { describe, expect, it } from '@jest/globals';
import type { SheetChange, SheetModel } from '../../../src/sheet/model';
import { cells, withContents } from './sheet-with-contents';

/** What a model may do without; it then refuses to make one, by name. */
export type Missing = 'protection' | 'notes' | 'links' | 'looks';

export function describeHiding(create: () => SheetModel): void {
  describe('hidden rows', () => {
    const hidden = (model: SheetModel, id: number, last: number) =>
      Array.from({ length: last }, (_, place) => place + 1).filter((row) =>
        model.isRowHidden(id, row, 'user'),
      );

    it('are those that somebody hid and did not show again', () => {
      const { model, id } = withContents(create());
      model.hideRows(id, 3, 4);
      model.showRows(id, 4, 2);
      expect(hidden(model, id, 10)).toEqual([3, 6]);
      expect(model.isRowHidden(id, 3, 'filter')).toBe(false);
      expect(() => model.isRowHidden(id, 1001, 'user')).toThrow(RangeError);
    });

    it('stay hidden when rows come and go above them', () => {
      const { model, id } = withContents(create());
      model.hideRows(id, 5, 2);
      model.insertRows(id, 2, 3);
      expect(hidden(model, id, 12)).toEqual([8, 9]);
      model.deleteRows(id, 4, 5);
      expect(hidden(model, id, 12)).toEqual([4]);
    });

    it('keep their contents', () => {
      const { model, id, values } = withContents(create(), [['a'], ['b'], ['c']]);
      model.hideRows(id, 2, 1);
      expect(values()).toEqual([['a'], ['b'], ['c']]);
    });
  });
}

export function describeMerges(create: () => SheetModel): void {
  describe('merged cells', () => {
    const square = [
      [1, 2, 3],
      [4, 5, 6],
    ];

    it('keep the first content alone', () => {
      const { model, id, values } = withContents(create(), square);
      model.merge(id, cells(1, 1, 2, 2));
      expect(model.merges(id)).toEqual([cells(1, 1, 2, 2)]);
      expect(values()).toEqual([
        [1, '', 3],
        ['', '', 6],
      ]);
    });

    it('go with their rows and columns, take in what comes inside, and come apart', () => {
      const { model, id } = withContents(create(), square);
      model.merge(id, cells(2, 2, 2, 2));
      model.insertRows(id, 1, 1);
      model.insertColumns(id, 3, 2);
      expect(model.merges(id)).toEqual([cells(3, 2, 2, 4)]);
      model.deleteRows(id, 4, 1);
      expect(model.merges(id)).toEqual([cells(3, 2, 1, 4)]);
      model.breakApart(id, cells(1, 1, 5, 8));
      expect(model.merges(id)).toEqual([]);
    });

    it('become part of a larger merge', () => {
      const { model, id } = withContents(create(), square);
      model.merge(id, cells(1, 1, 1, 2));
      model.merge(id, cells(1, 1, 2, 3));
      expect(model.merges(id)).toEqual([cells(1, 1, 2, 3)]);
    });

    it('are told of, as hidden rows are', () => {
      const { model, id } = withContents(create());
      const heard: SheetChange[] = [];
      model.onChange((change) => heard.push(change));
      model.merge(id, cells(1, 1, 2, 2));
      model.hideRows(id, 1, 1);
      const marks = { kind: 'marks', sheetId: id };
      expect(heard.filter(({ kind }) => kind === 'marks')).toEqual([marks, marks]);
    });
  });
}

export function describeFilters(create: () => SheetModel): void {
  describe('a filter', () => {
    const list = [['market'], ['US'], ['UK'], ['US'], ['']];
    const hiding = (...texts: string[]) => ({
      rectangle: cells(1, 1, 5, 1),
      hiddenTexts: [{ column: 1, texts }],
    });

    it('hides rows by what they show, never its header', () => {
      const { model, id } = withContents(create(), list);
      model.setFilter(id, hiding('US', '', 'market'));
      const rows = [1, 2, 3, 4, 5].filter((row) => model.isRowHidden(id, row, 'filter'));
      expect(rows).toEqual([2, 4, 5]);
      expect(model.isRowHidden(id, 2, 'user')).toBe(false);
      model.setFilter(id, null);
      expect([model.filter(id), model.isRowHidden(id, 2, 'filter')]).toEqual([null, false]);
    });

    it('hides rows that do not show a text, in whatever case, and goes by what is shown', () => {
      const { model, id } = withContents(create(), list);
      const conditions = [{ column: 1, criteria: 'TEXT_EQUAL_TO', values: ['uk'] }];
      model.setFilter(id, { rectangle: cells(1, 1, 5, 1), hiddenTexts: [], conditions });
      const rows = [1, 2, 3, 4, 5].filter((row) => model.isRowHidden(id, row, 'filter'));
      expect(rows).toEqual([2, 4, 5]);
      model.insertColumns(id, 1, 1);
      expect(model.filter(id)?.conditions?.map(({ column }) => column)).toEqual([2]);
    });

    it('moves along with its columns and rows', () => {
      const { model, id } = withContents(create(), list);
      model.setFilter(id, hiding('UK'));
      model.insertColumns(id, 1, 2);
      model.insertRows(id, 1, 1);
      expect(model.filter(id)).toEqual({
        rectangle: cells(2, 3, 5, 1),
        hiddenTexts: [{ column: 3, texts: ['UK'] }],
      });
      expect(model.isRowHidden(id, 4, 'filter')).toBe(true);
    });
  });
}

export function describeDropdowns(create: () => SheetModel): void {
  describe('a dropdown', () => {
    it('stays with its cells and with those it offers', () => {
      const { model, id } = withContents(create());
      const from = cells(3, 3, 1, 4);
      model.setDropdowns(id, [{ rectangle: cells(1, 2), options: ['a'], from }]);
      model.insertRows(id, 2, 2);
      model.insertColumns(id, 1, 1);
      const moved = { rectangle: cells(1, 3), options: ['a'], from: cells(5, 4, 1, 4) };
      expect(model.dropdowns(id)).toEqual([moved]);
      model.deleteRows(id, 1, 1);
      expect(model.dropdowns(id)).toEqual([]);
    });

    it('is told of, and refused outside the sheet', () => {
      const { model, id } = withContents(create());
      const changes: unknown[] = [];
      model.onChange((change) => changes.push(change));
      const beyond = [{ rectangle: cells(1001, 1), options: ['a'] }];
      expect(() => model.setDropdowns(id, beyond)).toThrow(RangeError);
      model.setDropdowns(id, [{ rectangle: cells(1, 1), options: ['a'] }]);
      expect(changes).toEqual([{ kind: 'marks', sheetId: id }]);
    });
  });
}

export function describeProtection(create: () => SheetModel): void {
  describe('protection', () => {
    it('covers cells or a sheet, moves along and ends', () => {
      const { model, id: sheetId } = withContents(create());
      const range = model.protect({
        sheetId,
        rectangle: cells(2, 2, 3, 1),
        editors: ['a@x.example'],
      });
      const unprotected = [cells(5, 1, 1, 1)];
      const sheet = model.protect({ sheetId, rectangle: null, unprotected, isWarningOnly: true });
      model.insertRows(sheetId, 3, 2);
      expect(model.protections(sheetId)).toMatchObject([
        { id: range, rectangle: cells(2, 2, 5, 1), isWarningOnly: false, editors: ['a@x.example'] },
        { id: sheet, rectangle: null, unprotected: [cells(7, 1, 1, 1)], isWarningOnly: true },
      ]);
      model.deleteRows(sheetId, 1, 8);
      expect(model.protections(sheetId)).toMatchObject([{ id: sheet, unprotected: [] }]);
      model.unprotect(sheetId, sheet);
      expect(model.protections(sheetId)).toEqual([]);
    });
  });
}

export function describeNotesAndLinks(create: () => SheetModel): void {
  describe.each(['notes', 'links'] as const)('%s', (what) => {
    const put = { notes: 'setNotes', links: 'setLinks' } as const;

    it('belong to cells and move with them', () => {
      const { model, id } = withContents(create(), [['b'], ['a']]);
      model[put[what]](id, 1, 1, [['of b'], ['']]);
      model.sort(id, cells(1, 1, 2, 1), [{ column: 1, ascending: true }]);
      model.insertColumns(id, 1, 1);
      model.insertRows(id, 1, 1);
      expect(model[what](id, cells(1, 2, 3, 1))).toEqual([[''], [''], ['of b']]);
    });
  });

  it('links end when a cell gets new contents, notes do not', () => {
    const { model, id } = withContents(create(), [['text']]);
    model.setLinks(id, 1, 1, [['https://shop.example/1']]);
    model.setNotes(id, 1, 1, [['kept']]);
    model.write(id, 1, 1, [['other']]);
    expect([model.links(id, cells(1, 1)), model.notes(id, cells(1, 1))]).toEqual([
      [['']],
      [['kept']],
    ]);
  });
}

/**
 * A model without something has none of it, and says so to whoever wants to make one. Notes it may leave
 * out without a word: nothing depends on them.
 */
export function describeMissing(create: () => SheetModel, missing: readonly Missing[]): void {
  const attempts: Readonly<Record<Missing, (model: SheetModel, id: number) => unknown>> = {
    // Of cells: a model may know that of whole sheets alone.
    protection: (model, sheetId) => model.protect({ sheetId, rectangle: cells(1, 1) }),
    notes: (model, id) => model.setNotes(id, 1, 1, [['note']]),
    links: (model, id) => model.setLinks(id, 1, 1, [['https://shop.example/1']]),
    looks: (model, id) => model.setLooks(id, 1, 1, [['size=12']]),
  };
  it.each(missing)('has no %s, and refuses by name what somebody would miss', (what) => {
    const { model, id } = withContents(create());
    const attempt = () => attempts[what](model, id);
    if (what === 'notes') attempt();
    else expect(attempt).toThrow(expect.objectContaining({ name: 'NotInThisModel' }));
    expect(model.protections(id)).toEqual([]);
    const texts = [model.notes, model.links, model.looks].map((read) => read(id, cells(1, 1)));
    expect(texts).toEqual([[['']], [['']], [['']]]);
  });
}
