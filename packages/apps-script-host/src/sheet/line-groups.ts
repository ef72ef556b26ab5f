// Groups of rows or columns that can be collapsed, one within the other. Pure functions.

import type { Axis } from './formula-references';

export interface LineGroup {
  readonly axis: Axis;
  /** The number of its first row or column, counted from 1. */
  readonly first: number;
  readonly count: number;
  /** 1 for the outermost. */
  readonly depth: number;
  readonly isCollapsed: boolean;
}

/** Reference of Range.shiftRowGroupDepth: "no effect when decreasing … below zero or above eight". */
const DEPTH_MAX = 8;

export type Lines = Pick<LineGroup, 'axis' | 'first' | 'count'>;

export const includes = ({ first, count }: Pick<LineGroup, 'first' | 'count'>, line: number) =>
  line >= first && line < first + count;

export const depthAt = (groups: readonly LineGroup[], axis: Axis, line: number): number =>
  groups.filter((group) => group.axis === axis && includes(group, line)).length;

/** Whether all lines of the group are among these. */
export const isAmong = (group: LineGroup, { axis, first, count }: Lines): boolean =>
  group.axis === axis && group.first >= first && group.first + group.count <= first + count;

export const isTouched = (group: LineGroup, { axis, first, count }: Lines): boolean =>
  group.axis === axis && group.first < first + count && first < group.first + group.count;

/**
 * The groups after the lines were put deeper or less deep. A group of some depth is every run of
 * lines that are at least so deep, as the reference of AddDimensionGroupRequest describes it, so
 * neighbours grow together. A run stays collapsed if a part of it was.
 */
export function withDepth(
  groups: readonly LineGroup[],
  lines: Lines,
  delta: number,
): readonly LineGroup[] {
  const { axis } = lines;
  const own = groups.filter((group) => group.axis === axis);
  const ends = [...own, lines].map(({ first, count }) => first + count);
  const depths = Array.from({ length: Math.max(...ends) }, (_, line) => {
    const depth = depthAt(own, axis, line);
    const isShifted = includes(lines, line);
    return isShifted ? Math.min(Math.max(depth + delta, 0), DEPTH_MAX) : depth;
  });
  const made: LineGroup[] = [];
  for (let depth = 1; depth <= DEPTH_MAX; depth += 1) {
    for (let line = 1; line < depths.length; line += 1) {
      if ((depths[line] ?? 0) < depth) continue;
      const end = depths.findIndex((other, at) => at > line && other < depth);
      const count = (end < 0 ? depths.length : end) - line;
      const run = { axis, first: line, count };
      const before = own.filter((group) => group.depth === depth && isTouched(group, run));
      made.push({ ...run, depth, isCollapsed: before.some(({ isCollapsed }) => isCollapsed) });
      line += count;
    }
  }
  return [...groups.filter((group) => group.axis !== axis), ...made];
}
