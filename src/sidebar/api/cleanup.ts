// The method of "Clean up this column"; what is to be changed is worked out in the page.

import { cleanUp } from '../../deal/cleanup';
import { CHANGES_MAX } from '../../deal/cleanup-plan';
import { isFailure } from '../../failures/failure';
import { cell, list, text } from './deals';
import { defineApi } from './define-api';
import { described } from './failure-view';
import { flag, listOf, record } from './payload';
import { upTo } from './runs';

export const cleanupApi = defineApi({
  /**
   * Changes cells of the column of products that still hold what was seen, but for formulas, merged
   * and protected ones, which are named. Answers what takes it back, to be sent in the same way.
   */
  'cleanup.apply': {
    schema: () =>
      record({
        ...list(),
        changes: listOf(
          record({
            row: upTo(Number.MAX_SAFE_INTEGER),
            seen: cell(),
            put: cell(),
            format: text(),
          }),
          CHANGES_MAX,
        ),
        isTrial: flag(),
      }),
    handler(platform, { changes, isTrial, ...place }) {
      const done = cleanUp(platform, place, changes, isTrial);
      if (isFailure(done)) return done;
      const { problem, ...rest } = done;
      return { ...rest, problem: problem && described(problem) };
    },
  },
});
