// What the clock calls, about every hour; a thin door to the schedules and to runs that were left alone.

import { sentences } from '../analysis/failure';
import { troubleLog } from '../analysis/trouble-log';
import { mailDigest } from '../bulk/schedule/digest-mail';
import { dispatch } from '../bulk/schedule/dispatch';
import { appsScriptMail } from '../platform/apps-script/mail';
import { appsScriptPlatform } from '../platform/apps-script/platform';
import { withSchedules } from '../platform/apps-script/schedule-platform';
import { Refused } from '../platform/ports';

/**
 * Runs when a time-driven trigger fires. The name is fixed, because triggers keep it: one that an
 * older or newer version left behind must find it here and do no harm.
 */
export function onSchedule(): void {
  const platform = withSchedules(appsScriptPlatform());
  try {
    const outcome = dispatch(platform);
    if (__EMAIL_DIGEST__ && outcome === 'worked') mailDigest(platform, appsScriptMail());
    console.info(`The clock: ${outcome}.`);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    // What is left is done in the next hour; the report for support says why it was not in this one.
    const { message } = sentences(error.refusal);
    troubleLog(platform.cache, platform.clock).note(`The clock: ${message}`);
    console.info(`The clock: ${message}`);
  }
}
