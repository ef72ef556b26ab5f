// Packs files into an archive and takes them out again: the ZIP format, without encryption.

import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly bytes: Buffer;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const DEFLATED = 8;
/** Names are in UTF-8. */
const FLAGS = 0x0800;
/** 1 January 1980, the first day that the format knows. */
const DAY = 0x21;

/** The members that the heads of an entry share, before its name. */
function head(signature: number, { name, bytes }: ZipEntry, packed: Buffer): Buffer {
  const isCentral = signature === CENTRAL;
  const buffer = Buffer.alloc(isCentral ? 46 : 30);
  buffer.writeUInt32LE(signature, 0);
  const at = isCentral ? 6 : 4;
  if (isCentral) buffer.writeUInt16LE(20, 4);
  buffer.writeUInt16LE(20, at);
  buffer.writeUInt16LE(FLAGS, at + 2);
  buffer.writeUInt16LE(DEFLATED, at + 4);
  buffer.writeUInt16LE(DAY, at + 8);
  buffer.writeUInt32LE(crc32(bytes), at + 10);
  buffer.writeUInt32LE(packed.length, at + 14);
  buffer.writeUInt32LE(bytes.length, at + 18);
  buffer.writeUInt16LE(Buffer.byteLength(name), at + 22);
  return buffer;
}

export function zipped(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const packed = deflateRawSync(entry.bytes);
    const file = Buffer.concat([head(LOCAL, entry, packed), Buffer.from(entry.name), packed]);
    const central = head(CENTRAL, entry, packed);
    central.writeUInt32LE(offset, 42);
    directory.push(central, Buffer.from(entry.name));
    files.push(file);
    offset += file.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, listed, end]);
}

/** null: the bytes are no archive. */
export function unzipped(archive: Buffer): readonly ZipEntry[] | null {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end < 0 || end + 22 > archive.length) return null;
  const entries: ZipEntry[] = [];
  let at = archive.readUInt32LE(end + 16);
  for (let count = archive.readUInt16LE(end + 10); count > 0; count -= 1) {
    if (at + 46 > archive.length || archive.readUInt32LE(at) !== CENTRAL) return null;
    const method = archive.readUInt16LE(at + 10);
    const packedSize = archive.readUInt32LE(at + 20);
    const lengths = [28, 30, 32].map((place) => archive.readUInt16LE(at + place));
    const [nameLength = 0, extra = 0, comment = 0] = lengths;
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const local = archive.readUInt32LE(at + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const packed = archive.subarray(start, start + packedSize);
    const bytes = method === DEFLATED ? inflateRawSync(packed) : Buffer.from(packed);
    if (!name.endsWith('/')) entries.push({ name, bytes });
    at += 46 + nameLength + extra + comment;
  }
  return entries;
}
