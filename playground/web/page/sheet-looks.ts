// Shows what Univer's grid cannot show by itself: conditional formats, filtered rows and dropdowns.
import { InterceptorEffectEnum, type IStyleData } from '@univerjs/core';
import {
  INTERCEPTOR_POINT,
  IRenderManagerService,
  SheetInterceptorService,
  SheetSkeletonManagerService,
} from '@univerjs/preset-sheets-core';
import { formatShown } from 'apps-script-host/sheet/conditional-format';
import type { SheetLook } from '../protocol';
import { element, make } from './elements';
import type { Grid } from './grid';

export interface SheetLooks {
  readonly show: (looks: readonly SheetLook[]) => void;
  readonly select: (sheetId: string, row: number, column: number) => void;
}

/** The mark in the corner of a cell that offers a list. */
const LIST_MARK = { br: { color: '#5f6368', size: 6 } };

export function createSheetLooks(grid: Grid): SheetLooks {
  const looks = new Map<string, SheetLook>();
  const choices = createChoices(grid);
  let selected = { sheetId: '', row: 0, column: 0 };
  const offer = (): void => choices.offer(optionsAt(looks.get(selected.sheetId), selected));
  showInCells(grid, looks);
  return {
    show: (next) => {
      looks.clear();
      for (const look of next) looks.set(look.sheetId, look);
      redraw(grid, next);
      offer();
    },
    select: (sheetId, row, column) => {
      selected = { sheetId, row, column };
      offer();
    },
  };
}

/** Also recalculates the heights of rows, because rows hidden by a filter have none. */
function redraw(grid: Grid, looks: readonly SheetLook[]): void {
  const workbook = grid.api.getActiveWorkbook();
  if (!workbook) return;
  const render = grid.univer
    .__getInjector()
    .get(IRenderManagerService)
    .getRenderById(workbook.getId());
  const skeletons = render?.with(SheetSkeletonManagerService);
  for (const { sheetId } of looks) skeletons?.makeDirty({ sheetId });
  workbook.getActiveSheet().refreshCanvas();
}

interface Cell {
  readonly row: number;
  readonly column: number;
}

function optionsAt(look: SheetLook | undefined, { row, column }: Cell): readonly string[] | null {
  const found = look?.dropdowns.find(
    ({ area }) =>
      row >= area.startRow &&
      row <= area.endRow &&
      column >= area.startColumn &&
      column <= area.endColumn,
  );
  return found?.options ?? null;
}

function showInCells(grid: Grid, looks: ReadonlyMap<string, SheetLook>): void {
  const interceptors = grid.univer.__getInjector().get(SheetInterceptorService);
  interceptors.intercept(INTERCEPTOR_POINT.CELL_CONTENT, {
    priority: 0,
    effect: InterceptorEffectEnum.Style,
    handler: (cell, { workbook, subUnitId, row, col }, next) => {
      const look = looks.get(subUnitId);
      if (!look || !cell) return next(cell);
      const markers = optionsAt(look, { row, column: col }) ? { markers: LIST_MARK } : {};
      const format = formatShown(look.rules, { row: row + 1, column: col + 1 }, `${cell.v ?? ''}`);
      const own = workbook.getStyles().getStyleByCell(cell);
      const style = format ? { s: { ...own, ...styleOf(format) } } : {};
      return next({ ...cell, ...markers, ...style });
    },
  });
  interceptors.intercept(INTERCEPTOR_POINT.ROW_FILTERED, {
    handler: (isFiltered, { subUnitId, row }, next) =>
      looks.get(subUnitId)?.rowsBehindFilter.includes(row) ? true : next(isFiltered),
  });
}

/** Converts the format that the script's builder received to a Univer style. */
function styleOf({ background, fontColor, bold }: Readonly<Record<string, unknown>>): IStyleData {
  return {
    ...(typeof background === 'string' ? { bg: { rgb: background } } : {}),
    ...(typeof fontColor === 'string' ? { cl: { rgb: fontColor } } : {}),
    ...(bold === true ? { bl: 1 } : {}),
  };
}

/** Shows the selected cell's list below the grid and types the chosen value into the cell. */
function createChoices(grid: Grid) {
  const place = element('cell-choices', HTMLElement);
  const list = make('select', { 'aria-label': 'Choose a value for the cell' });
  place.append(list);
  list.addEventListener('change', () => {
    grid.api
      .getActiveWorkbook()
      ?.getActiveSheet()
      .getSelection()
      ?.getActiveRange()
      ?.setValue(list.value);
  });
  return {
    offer: (options: readonly string[] | null): void => {
      place.hidden = options === null;
      if (options === null) return;
      const range = grid.api.getActiveWorkbook()?.getActiveSheet().getSelection()?.getActiveRange();
      list.replaceChildren(...options.map((option) => make('option', {}, option)));
      list.value = range?.getDisplayValue() ?? '';
    },
  };
}
