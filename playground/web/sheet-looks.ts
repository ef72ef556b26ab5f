// Collects what the pages show of a sheet besides Univer's own data: conditional formats, filters,
// dropdowns.
import { chartsIn } from 'apps-script-host/services/chart';
import { featuresOf } from 'apps-script-host/sheet/book-features';
import type { Dropdown } from 'apps-script-host/sheet/marks';
import type { LiveSheet } from './live-sheet';
import type { Area, SheetLook, ShownChart } from './protocol';
import type { UniverModel } from './univer-model';

/** Returns the current looks and reports them again whenever they have changed. */
export function followLooks(
  { model, onCalculated }: Pick<LiveSheet, 'model' | 'onCalculated'>,
  tell: (looks: readonly SheetLook[]) => void,
): { readonly now: () => readonly SheetLook[] } {
  const now = () => model.sheets().map(({ id }) => lookOf(model, id));
  let told = JSON.stringify(now());
  let isDue = false;
  const look = (): void => {
    isDue = false;
    const looks = now();
    const text = JSON.stringify(looks);
    if (text === told) return;
    told = text;
    tell(looks);
  };
  /** Reports changes that happen together only once. */
  const due = (): void => {
    if (isDue) return;
    isDue = true;
    setImmediate(look);
  };
  model.onChange(due);
  // Charts show what formulas give.
  onCalculated(due);
  featuresOf(model).onLook(due);
  return { now };
}

function lookOf(model: UniverModel, id: number): SheetLook {
  const sheetId = model.univerIdOf(id);
  const rectangle = model.filter(id)?.rectangle;
  const rows = Array.from({ length: rectangle?.rowCount ?? 0 }, (_, at) => at);
  const first = rectangle?.row ?? 1;
  return {
    sheetId,
    rules: featuresOf(model).look(id).rules,
    rowsBehindFilter: rows
      .map((at) => first + at)
      .filter((row) => model.isRowHidden(id, row, 'filter'))
      .map((row) => row - 1),
    dropdowns: model.dropdowns(id).map((one) => ({
      area: areaOf(one),
      options: optionsOf(model, id, one),
    })),
    charts: chartsOf(model, id),
  };
}

/** Charts of other types are left out, because the page does not know how to draw them. */
function chartsOf(model: UniverModel, id: number): readonly ShownChart[] {
  const { lastRow } = model.size(id);
  return chartsIn(model, id).flatMap(({ type, ranges, headers, options }) => {
    const [range] = ranges;
    if (type !== 'COLUMN' || range === undefined || headers !== 1) return [];
    const rowCount = Math.min(range.row + range.rowCount - 1, lastRow) - range.row + 1;
    const [titles = [], ...lines] = rowCount < 1 ? [] : model.values(id, { ...range, rowCount });
    const points = lines.map(
      ([label = '', ...values]) => [String(label), values.map(Number)] as const,
    );
    const series = titles.slice(1).map(String);
    return [{ title: String(options.title ?? ''), series, points }];
  });
}

function areaOf({ rectangle }: Dropdown): Area {
  const { row, column, rowCount, columnCount } = rectangle;
  return {
    startRow: row - 1,
    endRow: row + rowCount - 2,
    startColumn: column - 1,
    endColumn: column + columnCount - 2,
  };
}

function optionsOf(model: UniverModel, id: number, { options, from }: Dropdown): string[] {
  const there = from ? model.displayValues(id, from).flat() : [];
  return [...options.map(String), ...there].filter((option) => option !== '');
}
