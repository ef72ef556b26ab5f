// Dates as a sheet keeps them (days since 30 December 1899) and as a script gets them.

const DAY_MS = 24 * 60 * 60 * 1000;
/** Serial number of 1 January 1970. */
const EPOCH_SERIAL = 25569;

/** The playground's spreadsheets are in UTC, as its script is. */
export function dateFromSerial(serial: number): Date {
  return new Date(Math.round((serial - EPOCH_SERIAL) * DAY_MS));
}

export function serialFromDate(date: Date): number {
  return date.getTime() / DAY_MS + EPOCH_SERIAL;
}
