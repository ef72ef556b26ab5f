// Represents bytes as Apps Script does, as signed numbers in plain arrays, and converts text to and
// from them.

export type SignedBytes = readonly number[];

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

function signed(byte: number): number {
  return byte > 127 ? byte - 256 : byte;
}

/** One character per byte: the form in which bytes cross between script and host. */
export function toBinary(bytes: SignedBytes): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte & 255);
  return text;
}

export function fromBinary(binary: string): number[] {
  const bytes: number[] = new Array(binary.length);
  for (let place = 0; place < binary.length; place += 1) {
    bytes[place] = signed(binary.charCodeAt(place));
  }
  return bytes;
}

export function binaryOfText(text: string): string {
  return unescape(encodeURIComponent(text.replace(LONE_SURROGATE, '\uFFFD')));
}

/** Bytes that are not valid UTF-8 are read as Latin-1, which accepts any byte. */
export function textOfBinary(binary: string): string {
  try {
    return decodeURIComponent(escape(binary));
  } catch {
    return binary;
  }
}
