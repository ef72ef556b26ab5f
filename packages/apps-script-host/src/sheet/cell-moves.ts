// Moves blocks of cells, as cutting and pasting them does, or inserting and deleting cells among others:
// formulas, names, merges, validation and rules of format follow their cells.

import { featuresOf } from './book-features';
import { blankCells, type CopiedCells, copyCells, pasteCells } from './cell-copy';
import {
  type Axis,
  type Corner,
  mapReferences,
  type Reference,
  type Shift,
  sheetPrefix,
  shiftedReference,
} from './formula-references';
import type { Area } from './key-index';
import type { CellContent, Rectangle, SheetModel } from './model';
import { isWithin, meet, overlap, shiftedRectangle, without } from './rectangle';
import { writtenFormulas } from './written-formulas';

/** Where cells go. */
type Relocation =
  | { readonly kind: 'block'; readonly from: Area; readonly to: Area }
  /** The cells of the band are shifted along the axis, others not. */
  | { readonly kind: 'band'; readonly band: Area; readonly shift: Shift };

/**
 * Cuts cells and pastes them where the first of them is to stand. References to all or some of the
 * cells alone follow; one that reaches beyond them stays, which is not known of Sheets.
 */
export function cutCells(model: SheetModel, from: Area, to: Area): void {
  const relocation = { kind: 'block', from, to } as const;
  const rewritten = rewrittenFormulas(model, relocation);
  const cells = rewritten.within(from, copyCells(model, from.sheetId, from));
  const merges = model.merges(from.sheetId).filter((merge) => isWithin(merge, from));
  const covered = model.merges(to.sheetId).filter((merge) => isWithin(merge, to));
  relocateMarks(model, relocation);
  featuresOf(model).together(() => {
    for (const merge of merges) model.breakApart(from.sheetId, merge);
    for (const merge of covered) model.breakApart(to.sheetId, merge);
    pasteCells(model, from.sheetId, from, blankCells(from));
    pasteCells(model, to.sheetId, to, cells);
    rewritten.writeOthers(from);
    for (const merge of merges) model.merge(to.sheetId, moved(merge, from, to));
  });
}

/**
 * Makes room by shifting the cells from here on down or to the right. The sheet must have the lines
 * that are then needed: see `linesMissing`. The new cells keep the formats that were there.
 */
export function insertCells(model: SheetModel, area: Area, axis: Axis): void {
  const rest = tailOf(model, area, axis);
  const tail = { ...rest, [COUNT_OF[axis]]: rest[COUNT_OF[axis]] - area[COUNT_OF[axis]] };
  const { contents, notes, links } = blankCells(area);
  const { runs: _, ...kept } = copyCells(model, area.sheetId, area);
  const gap = { ...kept, contents, notes, links };
  shiftBand(model, area, axis, area[COUNT_OF[axis]], tail, gap);
}

/** Takes cells out, and shifts those behind them up or to the left. */
export function deleteCells(model: SheetModel, area: Area, axis: Axis): void {
  const rest = tailOf(model, area, axis);
  const count = area[COUNT_OF[axis]];
  const tail = {
    ...rest,
    [axis]: area[axis] + count,
    [COUNT_OF[axis]]: rest[COUNT_OF[axis]] - count,
  };
  const gap = {
    ...rest,
    [axis]: rest[axis] + rest[COUNT_OF[axis]] - count,
    [COUNT_OF[axis]]: count,
  };
  shiftBand(model, area, axis, -count, tail, blankCells(gap));
}

/** How many lines the sheet lacks for what inserted cells push out of it. */
export function linesMissing(model: SheetModel, area: Area, axis: Axis): number {
  const rest = tailOf(model, area, axis);
  const count = Math.min(area[COUNT_OF[axis]], rest[COUNT_OF[axis]]);
  const last = {
    ...rest,
    [axis]: rest[axis] + rest[COUNT_OF[axis]] - count,
    [COUNT_OF[axis]]: count,
  };
  const isBlank = model.values(area.sheetId, last).every((row) => row.every((cell) => cell === ''));
  return isBlank ? 0 : area[COUNT_OF[axis]];
}

/** The merges that a change of these cells would cut. Sheets refuses such a change. */
export function cutMerges(model: SheetModel, { sheetId, ...cells }: Area): readonly Rectangle[] {
  return model.merges(sheetId).filter((merge) => meet(merge, cells) && !isWithin(merge, cells));
}

/** The cells of the area and those behind it, to the end of the sheet. */
export function tailOf(model: SheetModel, area: Area, axis: Axis): Area {
  const { maxRows, maxColumns } = model.size(area.sheetId);
  return axis === 'row'
    ? { ...area, rowCount: maxRows - area.row + 1 }
    : { ...area, columnCount: maxColumns - area.column + 1 };
}

const COUNT_OF = { row: 'rowCount', column: 'columnCount' } as const;

function shiftBand(
  model: SheetModel,
  area: Area,
  axis: Axis,
  count: number,
  tail: Area,
  gap: CopiedCells,
): void {
  const { maxRows, maxColumns } = model.size(area.sheetId);
  const band =
    axis === 'row'
      ? { ...area, row: 1, rowCount: maxRows }
      : { ...area, column: 1, columnCount: maxColumns };
  const relocation = { kind: 'band', band, shift: { axis, first: area[axis], count } } as const;
  const rewritten = rewrittenFormulas(model, relocation);
  const isThere = tail[COUNT_OF[axis]] > 0;
  const cells = isThere ? rewritten.within(tail, copyCells(model, tail.sheetId, tail)) : null;
  const { sheetId } = area;
  const merges = model.merges(sheetId).filter((merge) => meet(merge, tailOf(model, area, axis)));
  relocateMarks(model, relocation);
  featuresOf(model).together(() => {
    for (const merge of merges) model.breakApart(sheetId, merge);
    const to = { ...tail, [axis]: tail[axis] + count };
    const end = { ...area, [axis]: count > 0 ? area[axis] : to[axis] + to[COUNT_OF[axis]] };
    if (cells) pasteCells(model, sheetId, to, cells);
    pasteCells(model, sheetId, end, gap);
    rewritten.writeOthers(tail, count > 0 ? null : area);
    for (const merge of merges) {
      const place = shiftedRectangle(merge, relocation.shift);
      if (place && place.rowCount * place.columnCount > 1) model.merge(sheetId, place);
    }
  });
}

const moved = <Place extends Rectangle>(place: Place, from: Rectangle, to: Rectangle): Place => ({
  ...place,
  row: place.row + to.row - from.row,
  column: place.column + to.column - from.column,
});

/** Where all of these cells are now. null: they are gone. Cells that part company stay. */
function followed(area: Area, relocation: Relocation): Area | null {
  if (relocation.kind === 'block') {
    const { from, to } = relocation;
    if (area.sheetId !== from.sheetId || !isWithin(area, from)) return area;
    return { ...moved(area, from, to), sheetId: to.sheetId };
  }
  const { band, shift } = relocation;
  if (area.sheetId !== band.sheetId || !isWithin(area, band)) return area;
  const rectangle = shiftedRectangle(area, shift);
  return rectangle && { sheetId: area.sheetId, ...rectangle };
}

/** Where each of these cells is now. What is pasted over is gone. */
function scattered(area: Area, relocation: Relocation): readonly Area[] {
  const { sheetId } = area;
  const source = relocation.kind === 'block' ? relocation.from : relocation.band;
  const met = sheetId === source.sheetId ? overlap(area, source) : null;
  const rest = met ? without(area, source) : [area];
  const stay =
    relocation.kind === 'block' && sheetId === relocation.to.sheetId
      ? rest.flatMap((each) => without(each, relocation.to))
      : rest;
  const went = met && followed({ sheetId, ...met }, relocation);
  return [...stay.map((each) => ({ ...each, sheetId })), ...(went ? [went] : [])];
}

/** Validation, rules of format and names. A rule that goes to another sheet is one of that sheet's. */
function relocateMarks(model: SheetModel, relocation: Relocation): void {
  const features = featuresOf(model);
  features.setNames(
    features.names().map((name) => {
      if (!name.rectangle) return name;
      const place = followed({ sheetId: name.sheetId, ...name.rectangle }, relocation);
      if (!place) return { ...name, rectangle: null };
      const { sheetId, ...rectangle } = place;
      return { ...name, sheetId, rectangle };
    }),
  );
  const ids = model.sheets().map(({ id }) => id);
  const dropdowns = ids.flatMap((sheetId) =>
    model.dropdowns(sheetId).flatMap(({ rectangle, from, ...dropdown }) => {
      const choices = from && followed({ sheetId, ...from }, relocation);
      return scattered({ sheetId, ...rectangle }, relocation).map((area) => ({
        area,
        dropdown: { ...dropdown, ...(choices && { from: plain(choices) }) },
      }));
    }),
  );
  const rules = ids.flatMap((sheetId) =>
    features.look(sheetId).rules.flatMap(({ rectangles, ...rule }) => {
      const areas = rectangles.flatMap((each) => scattered({ sheetId, ...each }, relocation));
      return ids.flatMap((id) => {
        const here = areas.filter((area) => area.sheetId === id).map(plain);
        return here.length === 0 ? [] : [{ id, rule: { ...rule, rectangles: here } }];
      });
    }),
  );
  const touched =
    relocation.kind === 'block' ? [relocation.from, relocation.to] : [relocation.band];
  for (const id of new Set(touched.map(({ sheetId }) => sheetId))) {
    if (model.dropdowns(id).length > 0 || dropdowns.some(({ area }) => area.sheetId === id))
      model.setDropdowns(
        id,
        dropdowns
          .filter(({ area }) => area.sheetId === id)
          .map(({ area, dropdown }) => ({ ...dropdown, rectangle: plain(area) })),
      );
    features.setLook(id, { rules: rules.filter((each) => each.id === id).map(({ rule }) => rule) });
  }
}

const plain = ({ row, column, rowCount, columnCount }: Rectangle): Rectangle => ({
  ...{ row, column, rowCount, columnCount },
});

/** The formulas of the spreadsheet whose references lead elsewhere now. */
function rewrittenFormulas(model: SheetModel, relocation: Relocation) {
  const names = new Map(model.sheets().map(({ id, name }) => [id, name]));
  const changed = new Map<string, { readonly cell: Area; readonly formula: string }>();
  const key = (sheetId: number, row: number, column: number) => `${sheetId} ${row} ${column}`;
  for (const { formula: text, ...place } of writtenFormulas(model)) {
    const cell = { ...place, rowCount: 1, columnCount: 1 };
    const formula = mapReferences(text, (reference) =>
      followedReference(model, names, reference, cell, relocation),
    );
    if (formula !== text) changed.set(key(cell.sheetId, cell.row, cell.column), { cell, formula });
  }
  return {
    /** Copied cells with their formulas as they are now. */
    within: (area: Area, cells: CopiedCells): CopiedCells => ({
      ...cells,
      contents: cells.contents.map((row, down) =>
        row.map((content, right): CellContent => {
          const found = changed.get(key(area.sheetId, area.row + down, area.column + right));
          return found ? { formula: found.formula } : content;
        }),
      ),
    }),
    /** Writes the formulas of all cells but those that have moved or are gone. */
    writeOthers: (area: Area, gone: Area | null = null) => {
      for (const { cell, formula } of changed.values()) {
        const isIn = (one: Area | null) => one?.sheetId === cell.sheetId && isWithin(cell, one);
        if (isIn(area) || isIn(gone)) continue;
        if (relocation.kind === 'block' && isIn(relocation.to)) continue;
        model.write(cell.sheetId, cell.row, cell.column, [[{ formula }]]);
      }
    },
  };
}

function followedReference(
  model: SheetModel,
  names: ReadonlyMap<number, string>,
  reference: Reference,
  own: Area,
  relocation: Relocation,
): Reference | null {
  const { sheetName, prefix, from, to } = reference;
  const isNamed = ([, name]: readonly [number, string]) =>
    name.toLowerCase() === sheetName?.toLowerCase();
  const sheetId = sheetName === null ? own.sheetId : [...names].find(isNamed)?.[0];
  if (sheetId === undefined) return reference;
  const area = areaOf(model, sheetId, from, to ?? from);
  const place = followed(area, relocation);
  if (place === null) return null;
  const home = followed(own, relocation)?.sheetId ?? own.sheetId;
  const isSame = place.sheetId === sheetId && (prefix !== '' || home === sheetId);
  const isOwn = prefix === '' && home === place.sheetId;
  const now = isSame || isOwn ? prefix : sheetPrefix(names.get(place.sheetId) ?? '');
  if (place === area) return now === prefix ? reference : { ...reference, prefix: now };
  if (relocation.kind === 'band') return shiftedReference(reference, relocation.shift);
  const by = ({ row, column }: Corner): Corner => ({
    row: row && { ...row, at: row.at + relocation.to.row - relocation.from.row },
    column: column && { ...column, at: column.at + relocation.to.column - relocation.from.column },
  });
  return { ...reference, prefix: now, from: by(from), to: to && by(to) };
}

/** An end that is left out is that of the sheet. */
function areaOf(model: SheetModel, sheetId: number, from: Corner, to: Corner): Area {
  const { maxRows, maxColumns } = model.size(sheetId);
  const span = (one: number, other: number) => [Math.min(one, other), Math.abs(other - one) + 1];
  const [row = 1, rowCount = 1] = span(from.row?.at ?? 1, to.row?.at ?? maxRows);
  const [column = 1, columnCount = 1] = span(from.column?.at ?? 1, to.column?.at ?? maxColumns);
  return { sheetId, row, column, rowCount, columnCount };
}
