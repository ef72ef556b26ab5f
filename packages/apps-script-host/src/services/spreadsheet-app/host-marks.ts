// Hidden rows, filters, merges, notes, links and protection on behalf of a script.

import { say } from '../../messages';
import type { Caller, Operations, World } from '../../service';
import { ServiceException } from '../../service';
import type { Condition } from '../../sheet/conditions';
import { createDateSerial, isDate } from '../../sheet/date-serial';
import type { Protection } from '../../sheet/marks';
import type { Matrix, Rectangle, SheetModel } from '../../sheet/model';
import { isInside, meet } from '../../sheet/rectangle';
import type { FilterFacts, MarkCalls, MergeKind, Place, ProtectionFacts } from './calls';
import type { Dimension, Direction } from './enums';
import { checkLengths, checkPlace, checkSheet, documentOf, modelOf } from './host-book';
import { mergeCells, unmergeCells } from './host-merges';
import { checkEditable, checkSheetEditable, isEditable, mayEdit } from './host-protection';
import { dataRegion, nextDataCell } from './host-region';
import { type RichWriting, richTexts, writeRichTexts } from './host-rich-text';

type MarkOperations = Operations<MarkCalls>;

type Clock = Pick<World['scheduler'], 'nowMs'>;

export function markOperations({ scheduler }: Pick<World, 'scheduler'>): MarkOperations {
  return { ...ofRows(), ...ofFilters(scheduler), ...ofCells(), ...ofProtection() };
}

function placed(sheetId: number, rectangle: Rectangle): Place {
  return { sheetId, ...rectangle };
}

function wholeSheet(model: SheetModel, sheetId: number): Place {
  const { maxRows, maxColumns } = model.size(sheetId);
  return { sheetId, row: 1, column: 1, rowCount: maxRows, columnCount: maxColumns };
}

/** Makes an operation on rows of one sheet. */
function onRows<Result>(
  act: (model: SheetModel, rows: Place, caller: Caller) => Result,
): (caller: Caller, sheetId: number, firstRow: number, count?: number) => Result {
  return (caller, sheetId, row, rowCount = 1) => {
    const model = modelOf(caller);
    checkSheet(model, sheetId);
    const rows = { ...wholeSheet(model, sheetId), row, rowCount };
    if (!isInside(rows, model.size(sheetId))) {
      throw new ServiceException(say('rows-outside'));
    }
    return act(model, rows, caller);
  };
}

function ofRows() {
  return {
    'spreadsheet.read.isRowHiddenByUser': onRows((model, { sheetId, row }) =>
      model.isRowHidden(sheetId, row, 'user'),
    ),
    'spreadsheet.read.isRowHiddenByFilter': onRows((model, { sheetId, row }) =>
      model.isRowHidden(sheetId, row, 'filter'),
    ),
    'spreadsheet.write.hideRows': onRows((model, { sheetId, row, rowCount }, caller) => {
      checkSheetEditable(caller, model, sheetId);
      model.hideRows(sheetId, row, rowCount);
    }),
    'spreadsheet.write.showRows': onRows((model, { sheetId, row, rowCount }, caller) => {
      checkSheetEditable(caller, model, sheetId);
      model.showRows(sheetId, row, rowCount);
    }),
  } satisfies Partial<MarkOperations>;
}

/** The days that relative dates mean. Of periods it is not known where they begin. */
const DAYS_FROM_TODAY: Readonly<Record<string, number>> = { TODAY: 0, TOMORROW: 1, YESTERDAY: -1 };

function conditionOf(
  model: SheetModel,
  { criteria, values }: FilterFacts,
  nowMs: number,
): Condition | null {
  if (criteria === null) return null;
  if (criteria === 'CUSTOM_FORMULA')
    throw new ServiceException('A filter by a formula is not emulated');
  if (!criteria.startsWith('DATE_')) return { criteria, values };
  const [wanted] = values;
  const dayOf = (date: Date) => Math.floor(createDateSerial(model.timeZone()).toSerial(date));
  if (isDate(wanted)) return { criteria, values, day: dayOf(wanted) };
  const fromToday = DAYS_FROM_TODAY[String(wanted)];
  if (fromToday === undefined)
    throw new ServiceException(`A filter by ${String(wanted)} is not emulated`);
  return { criteria, values, day: dayOf(new Date(nowMs)) + fromToday };
}

function ofFilters({ nowMs }: Clock) {
  return {
    'spreadsheet.read.getFilter': (caller, sheetId) => {
      const model = modelOf(caller);
      checkSheet(model, sheetId);
      const filter = model.filter(sheetId);
      return filter && placed(sheetId, filter.rectangle);
    },
    'spreadsheet.write.createFilter': (caller, place) => {
      const model = modelOf(caller);
      checkPlace(model, place);
      checkEditable(caller, model, place);
      const { sheetId, ...rectangle } = place;
      if (model.filter(sheetId)) {
        throw new ServiceException(say('has-filter'));
      }
      model.setFilter(sheetId, { rectangle, hiddenTexts: [] });
    },
    'spreadsheet.read.getColumnFilterCriteria': (caller, sheetId, column) => {
      const model = modelOf(caller);
      checkSheet(model, sheetId);
      const { hiddenTexts = [], conditions = [] } = model.filter(sheetId) ?? {};
      const texts = hiddenTexts.find((one) => one.column === column)?.texts ?? [];
      const condition = conditions.find((one) => one.column === column);
      if (texts.length === 0 && condition === undefined) return null;
      const { criteria = null, values = [] } = condition ?? {};
      return { hiddenTexts: texts, criteria, values };
    },
    'spreadsheet.write.setColumnFilterCriteria': (caller, sheetId, column, criteria) => {
      const model = modelOf(caller);
      checkSheet(model, sheetId);
      checkSheetEditable(caller, model, sheetId);
      const filter = model.filter(sheetId);
      const span = filter && { ...filter.rectangle, column, columnCount: 1 };
      if (!filter || !span || !meet(span, filter.rectangle))
        throw new ServiceException(say('range-outside'));
      const isOther = (one: { readonly column: number }) => one.column !== column;
      const texts = criteria?.hiddenTexts ?? [];
      const condition = criteria && conditionOf(model, criteria, nowMs());
      model.setFilter(sheetId, {
        rectangle: filter.rectangle,
        hiddenTexts: [
          ...filter.hiddenTexts.filter(isOther),
          ...(texts.length > 0 ? [{ column, texts }] : []),
        ],
        conditions: [
          ...(filter.conditions ?? []).filter(isOther),
          ...(condition ? [{ column, ...condition }] : []),
        ],
      });
    },
    'spreadsheet.write.removeFilter': (caller, sheetId) => {
      const model = modelOf(caller);
      checkSheet(model, sheetId);
      checkSheetEditable(caller, model, sheetId);
      model.setFilter(sheetId, null);
    },
  } satisfies Partial<MarkOperations>;
}

/** Makes an operation on the cells of a script's range. */
function on<Args extends readonly unknown[], Result>(
  act: (model: SheetModel, place: Place, caller: Caller, ...args: Args) => Result,
) {
  return (caller: Caller, place: Place, ...args: Args): Result => {
    const model = modelOf(caller);
    checkPlace(model, place);
    return act(model, place, caller, ...args);
  };
}

function ofCells() {
  const merged = (model: SheetModel, place: Place) =>
    model.merges(place.sheetId).filter((merge) => meet(merge, place));
  const setNotes = on((model, place, caller, notes: Matrix<string>) => {
    checkEditable(caller, model, place);
    checkLengths(notes);
    model.setNotes(place.sheetId, place.row, place.column, notes);
  });
  return {
    'spreadsheet.read.getMergedRanges': on((model, place) =>
      merged(model, place).map((merge) => placed(place.sheetId, merge)),
    ),
    'spreadsheet.write.merge': on((model, place, caller, kind: MergeKind) => {
      checkEditable(caller, model, place);
      mergeCells(model, place, kind);
    }),
    'spreadsheet.write.breakApart': on((model, place, caller) => {
      checkEditable(caller, model, place);
      unmergeCells(model, place);
    }),
    'spreadsheet.read.getDataRegion': on((model, place, _caller, dimension: Dimension | null) =>
      dataRegion(model, place, dimension),
    ),
    'spreadsheet.read.getNextDataCell': on((model, place, _caller, direction: Direction) =>
      nextDataCell(model, place, direction),
    ),
    'spreadsheet.read.isPartOfMerge': on((model, place) => merged(model, place).length > 0),
    'spreadsheet.read.canEdit': on((model, place, caller) => isEditable(caller, model, place)),
    'spreadsheet.read.getNotes': on((model, place) => model.notes(place.sheetId, place)),
    'spreadsheet.write.setNote': setNotes,
    'spreadsheet.write.setNotes': setNotes,
    'spreadsheet.read.getRichTextValues': on(richTexts),
    'spreadsheet.write.setRichTextValues': on(
      (model, place, caller, texts: Matrix<RichWriting>) => {
        checkEditable(caller, model, place);
        writeRichTexts(model, place, texts);
      },
    ),
  } satisfies Partial<MarkOperations>;
}

function factsOf(caller: Caller, model: SheetModel, protection: Protection): ProtectionFacts {
  const { id, sheetId, rectangle, unprotected, isWarningOnly, editors, description, rangeName } =
    protection;
  return {
    id,
    kind: rectangle ? 'RANGE' : 'SHEET',
    place: rectangle ? placed(sheetId, rectangle) : wholeSheet(model, sheetId),
    unprotected: unprotected.map((each) => placed(sheetId, each)),
    isWarningOnly,
    canEdit: mayEdit(caller, protection),
    editors,
    description,
    ...(rangeName !== undefined && { rangeName }),
  };
}

function ofProtection() {
  return {
    'spreadsheet.read.getProtections': (caller, sheetId) => {
      const model = modelOf(caller);
      if (sheetId !== null) checkSheet(model, sheetId);
      const sheetIds = sheetId === null ? model.sheets().map(({ id }) => id) : [sheetId];
      return sheetIds
        .flatMap((id) => model.protections(id))
        .map((protection) => factsOf(caller, model, protection));
    },
    /**
     * The user who protects may still edit, and so may all others until they are removed from the
     * list.
     */
    'spreadsheet.write.protect': (caller, wanted, instead) => {
      const model = modelOf(caller);
      const { sheetId, rectangle } = wanted;
      if (rectangle) checkPlace(model, placed(sheetId, rectangle));
      else checkSheet(model, sheetId);
      checkSheetEditable(caller, model, sheetId);
      if (instead !== null) model.unprotect(sheetId, instead);
      const id = model.protect({ editors: documentOf(caller).editors, ...wanted });
      const made = model.protections(sheetId).find((each) => each.id === id);
      if (!made) throw new Error('A protection that was just made is there.');
      return factsOf(caller, model, made);
    },
    'spreadsheet.write.unprotect': (caller, sheetId, id) => {
      const model = modelOf(caller);
      checkSheet(model, sheetId);
      checkSheetEditable(caller, model, sheetId);
      model.unprotect(sheetId, id);
    },
  } satisfies Partial<MarkOperations>;
}
