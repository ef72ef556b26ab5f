// The digest of the spreadsheet at hand: looked at, put away, and from it to the rows it tells of.

import { type Failure, isFailure } from '../../analysis/failure';
import type { Digest } from './digest';
import { digestStore } from './digest-store';
import type { SchedulePlatform } from './dispatch';
import { homeHere } from './home';
import { scheduleStore } from './schedule-store';
import { showMarked } from './show-marked';
import { zoneOf } from './zone';

export interface DigestHere {
  /** null: nothing that this person has not put away. */
  look(): Digest | null;
  putAway(): void;
  /** Selects the rows that a rule of these words marked since; how many. */
  show(words: string): number | Failure;
}

export function digestHere(platform: SchedulePlatform): DigestHere {
  const store = digestStore(platform, homeHere(platform));
  return {
    look: store.look,
    putAway: () => store.putAway(platform.clock.nowMs()),
    show(words) {
      const all = scheduleStore(platform).read();
      if (isFailure(all)) return all;
      const tasks = (all?.list ?? []).map(({ settings }) => settings.task);
      const sheetIds = tasks.flatMap((task) => (task.kind === 'list' ? [task.sheetId] : []));
      const { timeZone = 'Etc/UTC' } = platform.spreadsheet.place() ?? {};
      const zone = zoneOf(platform.zones, timeZone);
      return showMarked(platform, sheetIds, words, store.seenMs(), zone);
    },
  };
}
