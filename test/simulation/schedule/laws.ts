// The laws of a month, each of which can be read on its own. A broken world prints their words.

import { budgetIsKept, nothingIsAskedTwice, quotaIsKept } from './laws/calls';
import {
  dueRowsAreDone,
  fullFiringsCall,
  noFiringFails,
  stalestFirst,
  theClockStrikes,
} from './laws/due-rows';
import {
  everyChangeIsLoggedOnce,
  noChangeIsLeftOut,
  theHistoryCounts,
  whatIsDoneIsOver,
} from './laws/history';
import { aPersonsRunIsEnded, figuresAreTheProducts, noMarkIsLeft, noRowIsLost } from './laws/rows';
import { cutOffIsSaid, everyFaultIsSaid, everyTroubleIsSaid, silenceIsSaid } from './laws/told';
import type { Law, MonthRecord } from './record';

const LAWS: Readonly<Record<string, Law>> = {
  ...{ quotaIsKept, nothingIsAskedTwice, budgetIsKept },
  ...{ figuresAreTheProducts, noRowIsLost, noMarkIsLeft, aPersonsRunIsEnded },
  ...{ dueRowsAreDone, fullFiringsCall, stalestFirst, theClockStrikes, noFiringFails },
  ...{ everyTroubleIsSaid, everyFaultIsSaid, cutOffIsSaid, silenceIsSaid },
  ...{ everyChangeIsLoggedOnce, noChangeIsLeftOut, theHistoryCounts, whatIsDoneIsOver },
};

export const brokenLaws = (record: MonthRecord): readonly string[] =>
  Object.entries(LAWS).flatMap(([name, law]) => law(record).map((wrong) => `${wrong} (${name})`));
