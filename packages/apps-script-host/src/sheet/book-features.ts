// Holds what belongs to a spreadsheet besides its cells and follows rows and columns: names, rules,
// metadata and tabs.

import type { Axis, Shift } from './formula-references';
import type { LineGroup } from './line-groups';
import type { Rectangle, SheetModel } from './model';
import { shiftOf } from './overlays';
import { shiftedRectangle } from './rectangle';

export interface NamedCells {
  readonly name: string;
  readonly sheetId: number;
  /** null: deleted. The name remains, and formulas with it are #REF!. */
  readonly rectangle: Rectangle | null;
}

/** A rule of conditional formatting, in the words of the script's builder. */
export interface FormatRule {
  readonly rectangles: readonly Rectangle[];
  /** A member of SpreadsheetApp.BooleanCriteria. null: a gradient. */
  readonly criteria: string | null;
  readonly values: readonly unknown[];
  /** Keyed by "background", "fontColor", "bold" …, as the builder was told. */
  readonly format: Readonly<Record<string, unknown>>;
  readonly gradient?: Gradient;
}

/** One end of a gradient, or what lies between. null: not set. */
export interface GradientPoint {
  /** "#rrggbb". */
  readonly color: string | null;
  readonly type: 'NUMBER' | 'PERCENT' | 'PERCENTILE' | 'MIN' | 'MAX' | null;
  readonly value: string;
}

type Gradient = Readonly<Record<'min' | 'mid' | 'max', GradientPoint>>;

/** Developer metadata, which Google keeps with a row, a column, a sheet or the spreadsheet. */
export interface Metadata {
  readonly id: number;
  readonly key: string;
  readonly value: string | null;
  readonly visibility: 'DOCUMENT' | 'PROJECT';
  readonly sheetId: number | null;
  /** null: the whole sheet or the whole spreadsheet. */
  readonly rectangle: Rectangle | null;
  readonly axis: 'row' | 'column' | null;
}

/** Bands of two colours, with a header and a footer where these have a colour. */
export interface Bands {
  readonly id: number;
  readonly rectangle: Rectangle;
  readonly axis: 'row' | 'column';
  readonly header: string | null;
  readonly first: string | null;
  readonly second: string | null;
  readonly footer: string | null;
}

/** How a sheet is displayed. An unset value is that of a new sheet. */
interface SheetLook {
  readonly rules: readonly FormatRule[];
  readonly tabColor: string | null;
  readonly isHidden: boolean;
  /** Column numbers, counted from 1. */
  readonly hiddenColumns: readonly number[];
  /** Rows whose height has been changed, in pixels. */
  readonly rowHeights: readonly { readonly row: number; readonly pixels: number }[];
  readonly hasHiddenGridlines: boolean;
  readonly bandings: readonly Bands[];
  readonly groups: readonly LineGroup[];
  /** Where the toggles of its groups are: right before or right after each. */
  readonly toggles: Readonly<Record<Axis, 'BEFORE' | 'AFTER'>>;
  /** The column by which its filter was last sorted. */
  readonly filterSort: { readonly column: number; readonly ascending: boolean } | null;
}

const AS_NEW: SheetLook = {
  ...{ rules: [], tabColor: null, isHidden: false, hiddenColumns: [] },
  ...{ rowHeights: [], hasHiddenGridlines: false, bandings: [], filterSort: null },
  ...{ groups: [], toggles: { row: 'AFTER', column: 'AFTER' } },
};

/** Default height of a row in pixels. */
export const ROW_HEIGHT = 21;

export interface BookFeatures {
  /** Changes that this makes are calculated together, after the last: Google commits a cache at once. */
  readonly together: (change: () => void) => void;
  readonly isTogether: () => boolean;
  /** Calls the listener after changes that were made together. */
  readonly onTogether: (listener: () => void) => void;
  readonly names: () => readonly NamedCells[];
  readonly setNames: (names: readonly NamedCells[]) => void;
  readonly metadata: () => readonly Metadata[];
  readonly setMetadata: (metadata: readonly Metadata[]) => void;
  readonly nextId: () => number;
  readonly look: (sheetId: number) => SheetLook;
  readonly setLook: (sheetId: number, part: Partial<SheetLook>) => void;
  /** Called with the names, in lower case, whose meaning changes, so that formulas with them are recalculated. */
  readonly onNames: (listener: (changed: readonly string[]) => void) => void;
  /** Called when a script changes how a sheet is displayed. */
  readonly onLook: (listener: () => void) => void;
}

const known = new WeakMap<SheetModel, BookFeatures>();

/**
 * The features of a model: one set for each, whether plain grid or Univer, because both report how
 * rows and columns move.
 */
export function featuresOf(model: SheetModel): BookFeatures {
  const before = known.get(model);
  if (before) return before;
  const features = createFeatures(model);
  known.set(model, features);
  return features;
}

function createFeatures(model: SheetModel): BookFeatures {
  let names: readonly NamedCells[] = [];
  let metadata: readonly Metadata[] = [];
  /** Of deleted sheets, which an older version of the file brings back. */
  let lostMetadata: readonly Metadata[] = [];
  const lostNames = new Map<string, NamedCells>();
  let ids = 0;
  const looks = new Map<number, SheetLook>();
  const listeners: ((changed: readonly string[]) => void)[] = [];
  const viewers: (() => void)[] = [];
  const enders: (() => void)[] = [];
  let isTogether = false;
  const look = (sheetId: number) => looks.get(sheetId) ?? AS_NEW;
  /** A name of a sheet that is there again has its cells back. */
  const returned = (each: NamedCells): NamedCells => {
    const before = lostNames.get(each.name);
    lostNames.delete(each.name);
    return before?.sheetId === each.sheetId ? before : each;
  };
  const setNames = (next: readonly NamedCells[]) => {
    const changed = changedNames(names, next);
    names = next;
    if (changed.length > 0) for (const listener of listeners) listener(changed);
  };
  model.onChange((change) => {
    if (change.kind === 'sheets') {
      const left = new Set(model.sheets().map(({ id }) => id));
      for (const sheetId of looks.keys()) if (!left.has(sheetId)) looks.delete(sheetId);
      const isLost = ({ sheetId }: Metadata) => sheetId !== null && !left.has(sheetId);
      const everything = [...metadata, ...lostMetadata];
      lostMetadata = everything.filter(isLost);
      metadata = everything.filter((each) => !isLost(each));
      names = names.map((each) => {
        if (left.has(each.sheetId)) return each.rectangle ? each : returned(each);
        if (each.rectangle) lostNames.set(each.name, each);
        return { ...each, rectangle: null };
      });
      return;
    }
    const shift = shiftOf(change);
    if (shift === null) return;
    const { sheetId } = change;
    names = names.map((each) =>
      each.sheetId === sheetId && each.rectangle
        ? { ...each, rectangle: shiftedRectangle(each.rectangle, shift) }
        : each,
    );
    metadata = metadata.flatMap((each) => shiftedMetadata(each, sheetId, shift) ?? []);
    if (looks.has(sheetId)) looks.set(sheetId, shiftedLook(look(sheetId), shift));
  });
  return {
    together(change) {
      isTogether = true;
      try {
        change();
      } finally {
        isTogether = false;
        for (const ender of enders) ender();
      }
    },
    isTogether: () => isTogether,
    onTogether: (listener) => {
      enders.push(listener);
    },
    names: () => names,
    setNames,
    metadata: () => metadata,
    setMetadata: (next) => {
      metadata = next;
      for (const { id } of next) ids = Math.max(ids, id);
    },
    nextId: () => {
      ids += 1;
      return ids;
    },
    look,
    setLook: (sheetId, part) => {
      looks.set(sheetId, { ...look(sheetId), ...part });
      for (const viewer of viewers) viewer();
    },
    onNames: (listener) => {
      listeners.push(listener);
    },
    onLook: (listener) => {
      viewers.push(listener);
    },
  };
}

/** The names, in lower case, that stand for other cells than before, or for none. */
function changedNames(
  before: readonly NamedCells[],
  after: readonly NamedCells[],
): readonly string[] {
  const meanings = (all: readonly NamedCells[]) =>
    new Map(
      all.map(({ name, ...meaning }) => [name.toLowerCase(), JSON.stringify(meaning)] as const),
    );
  const [old, now] = [meanings(before), meanings(after)];
  return [...new Set([...old.keys(), ...now.keys()])].filter(
    (name) => old.get(name) !== now.get(name),
  );
}

/** Google: "if the associated object is deleted then its metadata is deleted too". */
function shiftedMetadata(each: Metadata, sheetId: number, shift: Shift): Metadata | null {
  if (each.sheetId !== sheetId || !each.rectangle || each.axis !== shift.axis) return each;
  const rectangle = shiftedRectangle(each.rectangle, shift);
  return rectangle && { ...each, rectangle };
}

function shiftedLook(look: SheetLook, shift: Shift): SheetLook {
  const rules = look.rules.flatMap((rule) => {
    const rectangles = rule.rectangles.flatMap((each) => shiftedRectangle(each, shift) ?? []);
    return rectangles.length === 0 ? [] : { ...rule, rectangles };
  });
  const bandings = look.bandings.flatMap((each) => {
    const rectangle = shiftedRectangle(each.rectangle, shift);
    return rectangle ? [{ ...each, rectangle }] : [];
  });
  const groups = look.groups.flatMap((group) => shiftedGroup(group, shift) ?? []);
  if (shift.axis === 'row') {
    const rowHeights = look.rowHeights.flatMap(({ row, pixels }) => {
      const moved = shiftedRectangle({ row, column: 1, rowCount: 1, columnCount: 1 }, shift);
      return moved ? [{ row: moved.row, pixels }] : [];
    });
    return { ...look, rules, bandings, groups, rowHeights };
  }
  const hiddenColumns = look.hiddenColumns.flatMap(
    (column) =>
      shiftedRectangle({ row: 1, column, rowCount: 1, columnCount: 1 }, shift)?.column ?? [],
  );
  return { ...look, rules, bandings, groups, hiddenColumns };
}

function shiftedGroup(group: LineGroup, shift: Shift): LineGroup | null {
  const { axis, first, count } = group;
  if (axis !== shift.axis) return group;
  const place = shiftedRectangle(
    axis === 'row'
      ? { row: first, rowCount: count, column: 1, columnCount: 1 }
      : { row: 1, rowCount: 1, column: first, columnCount: count },
    shift,
  );
  if (!place) return null;
  return axis === 'row'
    ? { ...group, first: place.row, count: place.rowCount }
    : { ...group, first: place.column, count: place.columnCount };
}
