// MimeType: the names of types of files.

import type { ScriptHalf } from '../service';

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const GOOGLE = 'application/vnd.google-apps';

const TYPES = {
  GOOGLE_APPS_SCRIPT: `${GOOGLE}.script`,
  GOOGLE_DRAWINGS: `${GOOGLE}.drawing`,
  GOOGLE_DOCS: `${GOOGLE}.document`,
  GOOGLE_FORMS: `${GOOGLE}.form`,
  GOOGLE_SHEETS: `${GOOGLE}.spreadsheet`,
  GOOGLE_SITES: `${GOOGLE}.site`,
  GOOGLE_SLIDES: `${GOOGLE}.presentation`,
  FOLDER: `${GOOGLE}.folder`,
  SHORTCUT: `${GOOGLE}.shortcut`,
  BMP: 'image/bmp',
  GIF: 'image/gif',
  JPEG: 'image/jpeg',
  PNG: 'image/png',
  SVG: 'image/svg+xml',
  PDF: 'application/pdf',
  CSS: 'text/css',
  CSV: 'text/csv',
  HTML: 'text/html',
  JAVASCRIPT: 'application/javascript',
  PLAIN_TEXT: 'text/plain',
  RTF: 'application/rtf',
  OPENDOCUMENT_GRAPHICS: 'application/vnd.oasis.opendocument.graphics',
  OPENDOCUMENT_PRESENTATION: 'application/vnd.oasis.opendocument.presentation',
  OPENDOCUMENT_SPREADSHEET: 'application/vnd.oasis.opendocument.spreadsheet',
  OPENDOCUMENT_TEXT: 'application/vnd.oasis.opendocument.text',
  MICROSOFT_EXCEL: `${OFFICE}.spreadsheetml.sheet`,
  MICROSOFT_EXCEL_LEGACY: 'application/vnd.ms-excel',
  MICROSOFT_POWERPOINT: `${OFFICE}.presentationml.presentation`,
  MICROSOFT_POWERPOINT_LEGACY: 'application/vnd.ms-powerpoint',
  MICROSOFT_WORD: `${OFFICE}.wordprocessingml.document`,
  MICROSOFT_WORD_LEGACY: 'application/msword',
  ZIP: 'application/zip',
};

export const mimeTypeScript: ScriptHalf<Record<never, never>> = ({ guard }) => ({
  MimeType: guard('MimeType', { ...TYPES }),
});
