// Converts dates in the playground's spreadsheets, which use the time zone of the script's
// manifest: UTC.
import { createDateSerial } from 'apps-script-host/sheet/date-serial';

export const TIME_ZONE = 'Etc/UTC';
export const dates = createDateSerial(TIME_ZONE);
