// Where rows or columns are after some of them were moved to another place.

/** `count` rows or columns from `first` on, moved before the one with the number `before`. */
export interface LineMove {
  readonly first: number;
  readonly count: number;
  readonly before: number;
}

const isMoved = ({ first, count }: LineMove, at: number) => at >= first && at < first + count;

/** The new number of a row or column. */
export function movedLine(move: LineMove, at: number): number {
  const { first, count, before } = move;
  const isBackwards = before <= first;
  if (isMoved(move, at)) return at + (isBackwards ? before - first : before - first - count);
  if (isBackwards) return at >= before && at < first ? at + count : at;
  return at >= first + count && at < before ? at - count : at;
}

/**
 * The new first and last line of a span. A span of which one end was moved stays where it is, which
 * is not known of Sheets.
 */
export function movedSpan(move: LineMove, first: number, last: number): readonly [number, number] {
  if (isMoved(move, first) !== isMoved(move, last)) return [first, last];
  const ends = [movedLine(move, first), movedLine(move, last)] as const;
  return [Math.min(...ends), Math.max(...ends)];
}

/** Moves items that are kept by row or column from 0 on, where the last ones may be missing. */
export function moveItems(items: unknown[], { first, count, before }: LineMove): void {
  const needed = Math.max(first + count, before) - 1;
  if (items.length < Math.min(first, before)) return;
  while (items.length < needed) items.push(undefined);
  const moved = items.splice(first - 1, count);
  items.splice((before <= first ? before : before - count) - 1, 0, ...moved);
}
