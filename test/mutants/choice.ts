// Which faults a run takes: those of the folders named, or of the files that changed and some more. Pure.
import { AREAS, type Area, hashOf, type PlacedFault, pathOf } from './fault';

/** A run over what changed takes at least so many. */
const CHANGED_MIN = 10;

export const isArea = (name: string): name is Area => AREAS.some((area) => area === name);

/** None named: all. */
export const inAreas = (faults: readonly PlacedFault[], areas: readonly string[]) =>
  faults.filter(({ area }) => areas.length === 0 || areas.includes(area));

/**
 * Those of files that changed. Where they are few others join them in an order that the commit's
 * hash decides, so that all come round by and by.
 */
export function ofChanged(
  faults: readonly PlacedFault[],
  changedPaths: readonly string[],
  commit: string,
): readonly PlacedFault[] {
  const isChanged = (fault: PlacedFault) => changedPaths.includes(pathOf(fault));
  const turnOf = (fault: PlacedFault) => hashOf([commit, pathOf(fault), fault.from, fault.to]);
  const others = faults
    .filter((fault) => !isChanged(fault))
    .map((fault) => ({ fault, turn: turnOf(fault) }))
    .sort((a, b) => a.turn.localeCompare(b.turn))
    .map(({ fault }) => fault);
  const changed = faults.filter(isChanged);
  return [...changed, ...others.slice(0, Math.max(0, CHANGED_MIN - changed.length))];
}
