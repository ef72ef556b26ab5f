// The spreadsheet in which schedules were made: a copy of it carries them along, and must not spend.

import type { Platform } from '../../platform/ports';
import type { SheetPlatform } from '../../platform/sheet-ports';
import type { Schedules } from './schedule-store';

const CHARS = 16;

/** A name that does not lead to the spreadsheet. */
export function homeOf({ digest }: Pick<Platform, 'digest'>, spreadsheetId: string): string {
  return digest.sha256Hex(`home:${spreadsheetId}`).slice(0, CHARS);
}

/** The name of the spreadsheet at hand. */
export const homeHere = (platform: Pick<SheetPlatform, 'digest' | 'spreadsheet'>): string =>
  homeOf(platform, platform.spreadsheet.place()?.id ?? '');

/** @param here the name of the spreadsheet they were found in. */
export const isCopy = ({ home, list }: Schedules, here: string): boolean =>
  list.length > 0 && home !== here;
