// The spreadsheet in which schedules were made: a copy of it carries them along, and must not spend.

import type { Platform } from '../../platform/ports';
import type { Schedules } from './schedule-store';

const CHARS = 16;

/** A name that does not lead to the spreadsheet. */
export function homeOf({ digest }: Pick<Platform, 'digest'>, spreadsheetId: string): string {
  return digest.sha256Hex(`home:${spreadsheetId}`).slice(0, CHARS);
}

/** @param here the name of the spreadsheet they were found in. */
export const isCopy = ({ home, list }: Schedules, here: string): boolean =>
  list.length > 0 && home !== here;
