// Combines pictures of one size into an animated PNG, storing only the part of each that differs
// from the previous one.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

export interface Frame {
  /** A PNG with eight bits per channel and no transparency. */
  readonly png: Buffer;
  readonly holdMs: number;
}

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rows: readonly Buffer[];
}

interface Part {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Red, green, blue. */
const CHANNELS = 3;
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const HEADER_BYTES = 13;
const COLOUR_TYPE_AT = 9;
const TRUE_COLOUR = 2;

/**
 * The last picture is the default image, which viewers without animation show. It is also what
 * remains when the animation has finished.
 */
export function animatedPng(frames: readonly Frame[], plays: number): Buffer {
  const pictures = frames.map(({ png }) => pixelsOf(png));
  const first = pictures[0];
  const last = pictures.at(-1);
  if (first === undefined || last === undefined) throw new Error('There is no picture.');
  const header = Buffer.alloc(HEADER_BYTES);
  numbers(header, [first.width, first.height]);
  header.set([8, TRUE_COLOUR], 8);
  let sequence = 0;
  const animated = pictures.flatMap((picture, at) => {
    const part = changedPart(pictures[at - 1], picture);
    const control = chunk('fcTL', controlOf(sequence++, part, frames[at]?.holdMs ?? 0));
    const data = Buffer.concat([numbers(Buffer.alloc(4), [sequence++]), packed(picture, part)]);
    return [control, chunk('fdAT', data)];
  });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('acTL', numbers(Buffer.alloc(8), [frames.length, plays])),
    chunk('IDAT', packed(last, whole(last))),
    ...animated,
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const whole = ({ width, height }: Pixels): Part => ({ x: 0, y: 0, width, height });

/** Writes numbers one after another, four bytes each. */
function numbers(into: Buffer, values: readonly number[]): Buffer {
  values.forEach((value, at) => {
    into.writeUInt32BE(value, at * 4);
  });
  return into;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = numbers(Buffer.alloc(4), [data.length]);
  return Buffer.concat([length, body, numbers(Buffer.alloc(4), [crc32(body)])]);
}

/** The part overwrites what was there and remains. */
function controlOf(sequence: number, { x, y, width, height }: Part, holdMs: number): Buffer {
  const control = numbers(Buffer.alloc(26), [sequence, width, height, x, y]);
  control.writeUInt16BE(holdMs, 20);
  control.writeUInt16BE(1000, 22);
  return control;
}

function pixelsOf(png: Buffer): Pixels {
  const data: Buffer[] = [];
  let header = Buffer.alloc(HEADER_BYTES);
  for (let at = SIGNATURE.length; at < png.length; ) {
    const end = at + 8 + png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const content = png.subarray(at + 8, end);
    if (type === 'IHDR') header = Buffer.from(content);
    if (type === 'IDAT') data.push(content);
    at = end + 4;
  }
  if (header[COLOUR_TYPE_AT] !== TRUE_COLOUR) throw new Error('The picture is not in true colour.');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const lines = inflateSync(Buffer.concat(data));
  const rows: Buffer[] = [];
  const stride = width * CHANNELS;
  for (let y = 0; y < height; y++) {
    const from = y * (stride + 1);
    const line = Buffer.from(lines.subarray(from + 1, from + 1 + stride));
    unfilter(line, lines[from] ?? 0, rows[y - 1] ?? Buffer.alloc(stride));
    rows.push(line);
  }
  return { width, height, rows };
}

/** https://www.w3.org/TR/png-3/#9Filters */
function unfilter(line: Buffer, filter: number, above: Buffer): void {
  for (let at = 0; at < line.length; at++) {
    const left = line[at - CHANNELS] ?? 0;
    const up = above[at] ?? 0;
    const corner = at < CHANNELS ? 0 : (above[at - CHANNELS] ?? 0);
    const guesses = [0, left, up, (left + up) >> 1, nearest(left, up, corner)];
    line[at] = (line[at] ?? 0) + (guesses[filter] ?? 0);
  }
}

function nearest(left: number, up: number, corner: number): number {
  const sum = left + up - corner;
  const [toLeft, toUp, toCorner] = [sum - left, sum - up, sum - corner].map(Math.abs) as [
    number,
    number,
    number,
  ];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

/** The smallest part that contains all differences. One pixel if there are none. */
function changedPart(before: Pixels | undefined, now: Pixels): Part {
  if (before === undefined) return whole(now);
  let [left, top, right, bottom] = [now.width, now.height, -1, -1];
  now.rows.forEach((row, y) => {
    const old = before.rows[y];
    if (old === undefined || row.equals(old)) return;
    top = Math.min(top, y);
    bottom = y;
    const differs = (x: number) => row[x] !== old[x];
    let from = 0;
    while (!differs(from)) from++;
    let to = row.length - 1;
    while (!differs(to)) to--;
    left = Math.min(left, Math.floor(from / CHANNELS));
    right = Math.max(right, Math.floor(to / CHANNELS));
  });
  if (right < 0) return { x: 0, y: 0, width: 1, height: 1 };
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** Unfiltered, because flat colours and repeated letters compress best that way. */
function packed({ rows }: Pixels, { x, y, width, height }: Part): Buffer {
  const lines = rows
    .slice(y, y + height)
    .flatMap((row) => [Buffer.alloc(1), row.subarray(x * CHANNELS, (x + width) * CHANNELS)]);
  return deflateSync(Buffer.concat(lines), { level: 9 });
}
