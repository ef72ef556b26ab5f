// Blobs: bytes with a name and a type, which several services make.

import type { SignedBytes } from '../realm/bytes';
import { binaryOfText, fromBinary, textOfBinary, toBinary } from '../realm/bytes';
import type { Realm } from '../service';

export type Data = string | SignedBytes;

export function binaryOf(data: Data): string {
  return typeof data === 'string' ? binaryOfText(data) : toBinary(data);
}

type Blob = GoogleAppsScript.Base.Blob;

/** Types by the end of a file's name. */
const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  css: 'text/css',
  gif: 'image/gif',
  gz: 'application/x-gzip',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  pdf: 'application/pdf',
  png: 'image/png',
  txt: 'text/plain',
  xml: 'application/xml',
  zip: 'application/zip',
};

/** The type of a file by its name. null: the name tells none that is known here. */
export function typeOfName(name: string): string | null {
  const [, end = ''] = /\.(\w+)$/.exec(name) ?? [];
  return TYPES[end.toLowerCase()] ?? null;
}

const BEYOND_LATIN = /[\u{100}-\u{10ffff}]/gu;

/** Left out, a charset is UTF-8. */
function isLatin(charset = 'UTF-8'): boolean {
  if (/^utf-?8$/i.test(charset)) return false;
  if (/^iso-?8859-1$|^latin-?1$/i.test(charset)) return true;
  throw new Error(`A blob in the charset ${charset} is not emulated`);
}

/** Bytes cross to the host as text with one character per byte. */
export function createBlob(
  guard: Realm<Record<never, never>>['guard'],
  given: string,
  type: string | null,
  title: string | null,
): Blob {
  let [binary, contentType, name] = [given, type, title];
  const chain = (change: () => void) => {
    change();
    return self;
  };
  const self = guard('Blob', {
    getBytes: () => fromBinary(binary),
    setBytes: (bytes: number[]) => chain(() => (binary = toBinary(bytes))),
    getDataAsString: (charset?: string) => (isLatin(charset) ? binary : textOfBinary(binary)),
    setDataFromString: (text: string, charset?: string) =>
      chain(() => {
        const told = String(text);
        binary = isLatin(charset) ? told.replace(BEYOND_LATIN, '?') : binaryOfText(told);
      }),
    getContentType: () => contentType,
    setContentType: (next: string | null) => chain(() => (contentType = next)),
    setContentTypeFromExtension: () => chain(() => (contentType = typeOfName(name ?? ''))),
    getName: () => name,
    setName: (next: string) => chain(() => (name = next)),
    isGoogleType: () => /^application\/vnd\.google-apps\./.test(contentType ?? ''),
    getBlob: () => self,
    copyBlob: () => createBlob(guard, binary, contentType, name),
    getAs: (wanted: string) => {
      if (wanted !== contentType)
        throw new Error(`A blob of ${contentType} as ${wanted} is not emulated`);
      return createBlob(guard, binary, contentType, name);
    },
  }) as object as Blob;
  return self;
}
