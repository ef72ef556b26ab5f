// Groups of rows and columns, as a script makes, collapses and finds them.

import type { PartOf } from '../../service';
import type { Axis } from '../../sheet/formula-references';
import type { GroupFacts, Place } from './calls';
import { TOGGLE_POSITIONS } from './enums';
import { type Making, wrongParameters } from './making';

/** Members of Range. */
export function groupMembers({ call }: Making, place: Place, self: () => object) {
  const chain = (change: () => void) => {
    change();
    return self();
  };
  return {
    shiftRowGroupDepth: (delta: number) =>
      chain(() => call('spreadsheet.write.shiftRowGroupDepth', place, Number(delta))),
    shiftColumnGroupDepth: (delta: number) =>
      chain(() => call('spreadsheet.write.shiftColumnGroupDepth', place, Number(delta))),
    collapseGroups: () => chain(() => call('spreadsheet.write.collapseGroups', place)),
    expandGroups: () => chain(() => call('spreadsheet.write.expandGroups', place)),
  };
}

/** Members of Sheet. */
export function sheetGroups(making: Making, sheetId: number, self: () => object) {
  const { call } = making;
  const chain = (change: () => void) => {
    change();
    return self();
  };
  const setPosition = (axis: Axis, method: string, position: unknown) =>
    chain(() => {
      const found = TOGGLE_POSITIONS.find((each) => making.togglePositions[each] === position);
      if (found === undefined) throw wrongParameters(making, `Sheet.${method}`, [position]);
      call('spreadsheet.write.setGroupControlPosition', sheetId, axis, found);
    });
  const position = (axis: Axis) =>
    making.togglePositions[call('spreadsheet.read.getGroupControlPosition', sheetId, axis)];
  const all = (axis: Axis, isCollapsed: boolean) =>
    chain(() => call('spreadsheet.write.setAllGroups', sheetId, axis, isCollapsed));
  const upTo = (axis: Axis, depth: number) =>
    chain(() => call('spreadsheet.write.expandGroupsUpToDepth', sheetId, axis, Number(depth)));
  const group = (axis: Axis, line: number, depth: number) =>
    groupOf(making, sheetId, call('spreadsheet.read.getGroup', sheetId, axis, line, depth));
  return {
    getRowGroup: (row: number, depth: number) => group('row', row, depth),
    getColumnGroup: (column: number, depth: number) => group('column', column, depth),
    getRowGroupDepth: (row: number) =>
      call('spreadsheet.read.getRowGroupDepth', sheetId, 'row', row),
    getColumnGroupDepth: (column: number) =>
      call('spreadsheet.read.getColumnGroupDepth', sheetId, 'column', column),
    getRowGroupControlPosition: () => position('row'),
    getColumnGroupControlPosition: () => position('column'),
    setRowGroupControlPosition: (to: unknown) =>
      setPosition('row', 'setRowGroupControlPosition', to),
    setColumnGroupControlPosition: (to: unknown) =>
      setPosition('column', 'setColumnGroupControlPosition', to),
    collapseAllRowGroups: () => all('row', true),
    collapseAllColumnGroups: () => all('column', true),
    expandAllRowGroups: () => all('row', false),
    expandAllColumnGroups: () => all('column', false),
    expandRowGroupsUpToDepth: (depth: number) => upTo('row', depth),
    expandColumnGroupsUpToDepth: (depth: number) => upTo('column', depth),
  };
}

function groupOf(making: Making, sheetId: number, given: GroupFacts): object {
  const { call, guard, range } = making;
  let facts = given;
  const set = (isCollapsed: boolean) => {
    call('spreadsheet.write.setGroup', sheetId, facts, isCollapsed);
    facts = { ...facts, isCollapsed };
    return self;
  };
  const self: object = guard('Group', {
    collapse: () => set(true),
    expand: () => set(false),
    isCollapsed: () => facts.isCollapsed,
    getDepth: () => facts.depth,
    getControlIndex: () => facts.controlIndex,
    getRange: () => range(facts.place),
    remove: () => call('spreadsheet.write.removeGroup', sheetId, facts),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.Group>);
  return self;
}
