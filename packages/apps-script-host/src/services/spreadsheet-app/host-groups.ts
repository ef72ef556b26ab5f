// Groups of rows and columns on behalf of a script: collapsing hides their lines.

import { say } from '../../messages';
import type { Caller, Operations } from '../../service';
import { ServiceException } from '../../service';
import { featuresOf } from '../../sheet/book-features';
import type { Axis } from '../../sheet/formula-references';
import {
  depthAt,
  includes,
  isAmong,
  isTouched,
  type LineGroup,
  type Lines,
  withDepth,
} from '../../sheet/line-groups';
import type { SheetModel } from '../../sheet/model';
import type { GroupCalls, GroupFacts, Place } from './calls';
import type { TogglePosition } from './enums';
import { checkPlace, checkSheet, modelOf } from './host-book';
import { checkSheetEditable } from './host-protection';

const AXES: readonly Axis[] = ['row', 'column'];

const linesOf = (place: Place, axis: Axis): Lines =>
  axis === 'row'
    ? { axis, first: place.row, count: place.rowCount }
    : { axis, first: place.column, count: place.columnCount };

const lookOf = (model: SheetModel, sheetId: number) => featuresOf(model).look(sheetId);

const isSame = (one: LineGroup, other: LineGroup) =>
  one.axis === other.axis && one.depth === other.depth && one.first === other.first;

const positionOf = (model: SheetModel, sheetId: number, axis: Axis): TogglePosition =>
  lookOf(model, sheetId).toggles[axis];

/** Where the toggle of a group stands: right before or right after it. */
const controlOf = ({ first, count }: LineGroup, position: TogglePosition) =>
  position === 'BEFORE' ? first - 1 : first + count;

function setHidden(model: SheetModel, sheetId: number, lines: Lines, isHidden: boolean): void {
  const { axis, first, count } = lines;
  if (axis === 'row') {
    model[isHidden ? 'hideRows' : 'showRows'](sheetId, first, count);
    return;
  }
  const others = lookOf(model, sheetId).hiddenColumns.filter((column) => !includes(lines, column));
  const own = Array.from({ length: isHidden ? count : 0 }, (_, at) => first + at);
  featuresOf(model).setLook(sheetId, { hiddenColumns: [...others, ...own] });
}

/**
 * "When this property is updated, all dimensions within it are set to hidden if this property is
 * true, or set to visible if this property is false"; a collapsed group within stays collapsed
 * (Sheets API, DimensionGroup.collapsed).
 */
function setCollapsed(
  model: SheetModel,
  sheetId: number,
  meant: readonly LineGroup[],
  isCollapsed: boolean,
): void {
  const isMeant = (group: LineGroup) => meant.some((each) => isSame(each, group));
  const groups = lookOf(model, sheetId).groups.map((group) =>
    isMeant(group) ? { ...group, isCollapsed } : group,
  );
  featuresOf(model).setLook(sheetId, { groups });
  for (const group of meant) setHidden(model, sheetId, group, isCollapsed);
  for (const group of groups)
    if (group.isCollapsed && meant.some((each) => isTouched(group, each)))
      setHidden(model, sheetId, group, true);
}

export function groupOperations(): Operations<GroupCalls> {
  const opened = (caller: Caller, sheetId: number, isWrite: boolean) => {
    const model = modelOf(caller);
    checkSheet(model, sheetId);
    if (isWrite) checkSheetEditable(caller, model, sheetId);
    return { model, groups: lookOf(model, sheetId).groups };
  };
  const shift = (axis: Axis) => (caller: Caller, place: Place, delta: number) => {
    const { sheetId } = place;
    const { model, groups } = opened(caller, sheetId, true);
    checkPlace(model, place);
    const lines = linesOf(place, axis);
    if (lines.first === 1 && delta > 0 && positionOf(model, sheetId, axis) === 'BEFORE')
      throw new ServiceException(`The first ${axis} has no place for the control before a group.`);
    featuresOf(model).setLook(sheetId, { groups: withDepth(groups, lines, Math.trunc(delta)) });
  };
  const depth = (caller: Caller, sheetId: number, axis: Axis, line: number) => {
    const { model, groups } = opened(caller, sheetId, false);
    const { maxRows, maxColumns } = model.size(sheetId);
    if (line < 1 || line > (axis === 'row' ? maxRows : maxColumns))
      throw new ServiceException(say(axis === 'row' ? 'rows-outside' : 'columns-outside'));
    return depthAt(groups, axis, line);
  };
  return {
    'spreadsheet.write.shiftRowGroupDepth': shift('row'),
    'spreadsheet.write.shiftColumnGroupDepth': shift('column'),
    'spreadsheet.write.collapseGroups': (caller, place) => {
      const { model, groups } = opened(caller, place.sheetId, true);
      for (const axis of AXES) {
        const lines = linesOf(place, axis);
        const within = groups.filter((group) => isAmong(group, lines));
        const [deepest] = groups
          .filter((group) => !group.isCollapsed && isTouched(group, lines))
          .sort((one, other) => other.depth - one.depth);
        const meant = within.length > 0 ? within : deepest ? [deepest] : [];
        setCollapsed(model, place.sheetId, meant, true);
      }
    },
    'spreadsheet.write.expandGroups': (caller, place) => {
      const { model, groups } = opened(caller, place.sheetId, true);
      for (const axis of AXES) {
        const lines = linesOf(place, axis);
        const control = (group: LineGroup) =>
          controlOf(group, positionOf(model, place.sheetId, axis));
        const met = groups.filter(
          (group) =>
            group.isCollapsed &&
            (isTouched(group, lines) || (group.axis === axis && includes(lines, control(group)))),
        );
        // "If there is more than one group at the same location, the shallowest group is expanded."
        const isShallowest = (group: LineGroup) =>
          met.every((each) => control(each) !== control(group) || each.depth >= group.depth);
        setCollapsed(model, place.sheetId, met.filter(isShallowest), false);
      }
    },
    'spreadsheet.read.getRowGroupDepth': depth,
    'spreadsheet.read.getColumnGroupDepth': depth,
    'spreadsheet.read.getGroupControlPosition': (caller, sheetId, axis) =>
      positionOf(opened(caller, sheetId, false).model, sheetId, axis),
    'spreadsheet.write.setGroupControlPosition': (caller, sheetId, axis, position) => {
      const { model } = opened(caller, sheetId, true);
      const toggles = { ...lookOf(model, sheetId).toggles, [axis]: position };
      featuresOf(model).setLook(sheetId, { toggles });
    },
    'spreadsheet.read.getGroup': (caller, sheetId, axis, line, wanted): GroupFacts => {
      const { model, groups } = opened(caller, sheetId, false);
      const position = positionOf(model, sheetId, axis);
      const found = groups.find(
        (group) =>
          group.axis === axis &&
          group.depth === wanted &&
          (includes(group, line) || controlOf(group, position) === line),
      );
      if (!found)
        throw new ServiceException(`There is no group of depth ${wanted} at ${axis} ${line}.`);
      const { maxRows, maxColumns } = model.size(sheetId);
      const { first, count } = found;
      const place: Place =
        axis === 'row'
          ? { sheetId, row: first, rowCount: count, column: 1, columnCount: maxColumns }
          : { sheetId, column: first, columnCount: count, row: 1, rowCount: maxRows };
      return { ...found, controlIndex: controlOf(found, position), place };
    },
    'spreadsheet.write.setGroup': (caller, sheetId, meant, isCollapsed) => {
      const { model, groups } = opened(caller, sheetId, true);
      setCollapsed(
        model,
        sheetId,
        groups.filter((group) => isSame(group, meant)),
        isCollapsed,
      );
    },
    'spreadsheet.write.removeGroup': (caller, sheetId, meant) => {
      const { model, groups } = opened(caller, sheetId, true);
      featuresOf(model).setLook(sheetId, { groups: withDepth(groups, meant, -1) });
    },
    'spreadsheet.write.setAllGroups': (caller, sheetId, axis, isCollapsed) => {
      const { model, groups } = opened(caller, sheetId, true);
      const own = groups.filter((group) => group.axis === axis);
      // Reference of Sheet.expandAllRowGroups: "requires at least one row group".
      if (own.length === 0 && !isCollapsed)
        throw new ServiceException(`This sheet has no ${axis} groups.`);
      setCollapsed(model, sheetId, own, isCollapsed);
    },
    'spreadsheet.write.expandGroupsUpToDepth': (caller, sheetId, axis, depthMax) => {
      const { model, groups } = opened(caller, sheetId, true);
      const own = groups.filter((group) => group.axis === axis);
      setCollapsed(
        model,
        sheetId,
        own.filter((group) => group.depth <= depthMax),
        false,
      );
      setCollapsed(
        model,
        sheetId,
        own.filter((group) => group.depth > depthMax),
        true,
      );
    },
  };
}
