// What the clock calls. Nothing switches a schedule on yet, so a run that comes all the same ends at once.

/**
 * Runs when a time-driven trigger fires. The name is fixed, because triggers keep it: one that an
 * older or newer version left behind must find it here and do no harm.
 */
export function onSchedule(): void {
  console.info('No schedule is switched on in this spreadsheet.');
}
