// Schedules and moments in words, by the spreadsheet's clock. Pure.

import type { Recurrence, ZoneOffset } from './recurrence';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** As they are written in marks, too. */
export const MONTHS = [
  ...['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'],
  ...['Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
];

/** "Every day at 6:00" */
export function recurrenceWords(recurrence: Recurrence): string {
  if (recurrence.kind === 'hourly') return 'Every hour';
  const at = `at ${recurrence.hour}:00`;
  switch (recurrence.kind) {
    case 'daily':
      return `Every day ${at}`;
    case 'weekdays':
      return `Monday to Friday ${at}`;
    case 'weekly':
      return `Every ${DAYS[recurrence.weekday]} ${at}`;
    case 'monthly':
      // Months that are too short for a day have it on their last.
      return `Every month on day ${recurrence.day}${recurrence.day > 28 ? ', or its last,' : ''} ${at}`;
  }
}

/** "21 Nov, 6:04" */
export function momentWords(atMs: number, zone: ZoneOffset): string {
  const local = new Date(atMs + zone(atMs));
  const minutes = String(local.getUTCMinutes()).padStart(2, '0');
  return `${dayWords(local)}, ${local.getUTCHours()}:${minutes}`;
}

/** "21 Nov", of a moment in UTC that is somebody's local one. */
export const dayWords = (local: Date): string =>
  `${local.getUTCDate()} ${MONTHS[local.getUTCMonth()]}`;
