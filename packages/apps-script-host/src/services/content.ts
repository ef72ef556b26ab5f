// ContentService: text that a web app returns instead of a page.

import type { ScriptHalf } from '../service';

type NoCalls = Record<never, never>;

const MIME_TYPES = [
  ...(['ATOM', 'CSV', 'ICAL', 'JAVASCRIPT', 'JSON', 'RSS', 'TEXT', 'VCARD', 'XML'] as const),
] as const;

export const contentScript: ScriptHalf<NoCalls> = ({ guard, enumeration }) => {
  const MimeType = enumeration<typeof GoogleAppsScript.Content.MimeType>('MimeType', MIME_TYPES);
  const output = (text: string): GoogleAppsScript.Content.TextOutput => {
    let content: string | null = text;
    let mimeType = MimeType.TEXT;
    let fileName: string | null = null;
    const chain = (change: () => void) => {
      change();
      return self;
    };
    const self: GoogleAppsScript.Content.TextOutput = guard('TextOutput', {
      append: (more: string) => chain(() => (content = (content ?? '') + String(more))),
      /** gas-fakes on GitHub (testcontent.js) measured null. */
      clear: () => chain(() => (content = null)),
      downloadAsFile: (name: string) => chain(() => (fileName = String(name))),
      getContent: () => content as string,
      getFileName: () => fileName as string,
      getMimeType: () => mimeType,
      setContent: (next: string) => chain(() => (content = String(next))),
      setMimeType: (next: GoogleAppsScript.Content.MimeType) => chain(() => (mimeType = next)),
    });
    return self;
  };
  return {
    ContentService: guard('ContentService', {
      MimeType,
      createTextOutput: (text: unknown = '') => output(String(text)),
    } satisfies GoogleAppsScript.Content.ContentService),
  };
};
