// Utilities: sleep, digests, base64, blobs, zip and dates, as far as typical scripts use them.

import { createHash, createHmac } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { say } from '../messages';
import type { SignedBytes } from '../realm/bytes';
import { binaryOfText, fromBinary, textOfBinary, toBinary } from '../realm/bytes';
import type { Caller, HostHalf, Later, PartOf, ScriptHalf, World } from '../service';
import { later, ServiceException } from '../service';

const DIGESTS = ['MD5', 'SHA_1', 'SHA_256', 'SHA_384', 'SHA_512'] as const;
type Digest = (typeof DIGESTS)[number];

/** Bytes cross as text with one character per byte. */
interface UtilitiesCalls {
  'utilities.sleep': (milliseconds: number) => void;
  'utilities.getUuid': () => string;
  'utilities.computeDigest': (algorithm: Digest, binary: string) => string;
  'utilities.computeHmacSha256Signature': (binary: string, keyBinary: string) => string;
  'utilities.base64Encode': (binary: string, isWebSafe: boolean) => string;
  'utilities.base64Decode': (text: string) => string;
  'utilities.gzip': (binary: string) => string;
  'utilities.ungzip': (binary: string) => string;
  'utilities.formatDate': (epochMs: number, timeZone: string, format: string) => string;
}

/** Reference of Utilities.sleep. */
const SLEEP_MAX_MS = 300_000;

type Data = string | SignedBytes;

function binaryOf(data: Data): string {
  return typeof data === 'string' ? binaryOfText(data) : toBinary(data);
}

type BlobObject = Pick<
  GoogleAppsScript.Base.Blob,
  | 'getBytes'
  | 'getContentType'
  | 'getDataAsString'
  | 'getName'
  | 'setName'
  | 'setContentType'
  | 'copyBlob'
  | 'getBlob'
>;

export const utilitiesScript: ScriptHalf<UtilitiesCalls> = ({ call, guard, enumeration }) => {
  const DigestAlgorithm = enumeration<typeof GoogleAppsScript.Utilities.DigestAlgorithm>(
    'DigestAlgorithm',
    [...DIGESTS],
  );
  const Charset = enumeration<typeof GoogleAppsScript.Utilities.Charset>('Charset', [
    'US_ASCII',
    'UTF_8',
  ]);
  const blob = (binary: string, type: string | null, title: string | null): BlobObject => {
    let [contentType, name] = [type, title];
    const self = guard('Blob', {
      getBytes: () => fromBinary(binary),
      getDataAsString: () => textOfBinary(binary),
      getContentType: () => contentType,
      getName: () => name,
      setName: (next: string) => {
        name = next;
        return self as GoogleAppsScript.Base.Blob;
      },
      setContentType: (next: string | null) => {
        contentType = next;
        return self as GoogleAppsScript.Base.Blob;
      },
      getBlob: () => self as GoogleAppsScript.Base.Blob,
      copyBlob: () => blob(binary, contentType, name) as GoogleAppsScript.Base.Blob,
    });
    return self;
  };
  const Utilities = guard('Utilities', {
    DigestAlgorithm,
    Charset,
    sleep: (milliseconds: number) => call('utilities.sleep', Number(milliseconds)),
    getUuid: () => call('utilities.getUuid'),
    computeDigest: (algorithm: GoogleAppsScript.Utilities.DigestAlgorithm, data: Data) =>
      fromBinary(call('utilities.computeDigest', String(algorithm) as Digest, binaryOf(data))),
    computeHmacSha256Signature: (data: Data, key: Data) =>
      fromBinary(call('utilities.computeHmacSha256Signature', binaryOf(data), binaryOf(key))),
    base64Encode: (data: Data) => call('utilities.base64Encode', binaryOf(data), false),
    base64EncodeWebSafe: (data: Data) => call('utilities.base64Encode', binaryOf(data), true),
    base64Decode: (text: string) => fromBinary(call('utilities.base64Decode', String(text))),
    base64DecodeWebSafe: (text: string) => fromBinary(call('utilities.base64Decode', String(text))),
    newBlob: (data: Data, contentType: string | null = null, name: string | null = null) =>
      blob(binaryOf(data), contentType, name),
    gzip: (source: GoogleAppsScript.Base.BlobSource, name = 'archive.gz') =>
      blob(
        call('utilities.gzip', binaryOf(source.getBlob().getBytes())),
        'application/x-gzip',
        name,
      ),
    ungzip: (source: GoogleAppsScript.Base.BlobSource) =>
      blob(call('utilities.ungzip', binaryOf(source.getBlob().getBytes())), null, null),
    /**
     * Reference of Utilities.parseCsv: rows of texts, separated by commas or by another character.
     */
    parseCsv: (csv: string, delimiter: unknown = ',') => csvRows(String(csv), String(delimiter)),
    formatString: (template: string, ...args: unknown[]) => formatString(String(template), args),
    formatDate: (date: GoogleAppsScript.Base.Date, timeZone: string, format: string) =>
      call('utilities.formatDate', date.getTime(), timeZone, format),
  } satisfies PartOf<GoogleAppsScript.Utilities.Utilities>);
  return { Utilities };
};

/** RFC 4180: quotes enclose separators and line ends, and a quote within them is doubled. */
function csvRows(text: string, separator: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endRow = () => {
    rows.push([...row, cell]);
    row = [];
    cell = '';
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '"' && isQuoted && text.charAt(at + 1) === '"') {
      cell += sign;
      at += 1;
    } else if (sign === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted;
    else if (isQuoted) cell += sign;
    else if (sign === separator) {
      row.push(cell);
      cell = '';
    } else if (sign === '\n') endRow();
    else if (sign !== '\r') cell += sign;
  }
  if (cell !== '' || row.length > 0) endRow();
  return rows;
}

/**
 * The printf placeholders that scripts use: flags, width, precision and s, d, i, f, e, x, X, c, %.
 */
const FORMAT_PLACE = /%([-+ 0]*)(\d+)?(?:\.(\d+))?([sdifexXc%])/g;

function formatString(template: string, args: readonly unknown[]): string {
  let next = 0;
  return template.replace(FORMAT_PLACE, (_, flags: string, width, precision, type: string) => {
    if (type === '%') return '%';
    const arg = args[next];
    next += 1;
    const text = formatted(arg, type, precision === undefined ? null : Number(precision));
    const isSigned = 'dife'.includes(type) && Number(arg) >= 0;
    const sign = isSigned && flags.includes('+') ? '+' : isSigned && flags.includes(' ') ? ' ' : '';
    const size = Number(width ?? 0);
    if (flags.includes('-')) return (sign + text).padEnd(size);
    if (!flags.includes('0') || !'difexX'.includes(type)) return (sign + text).padStart(size);
    const minus = text.startsWith('-') ? '-' : sign;
    return minus + text.replace(/^-/, '').padStart(size - minus.length, '0');
  });
}

function formatted(arg: unknown, type: string, precision: number | null): string {
  switch (type) {
    case 'd':
    case 'i':
      return String(Math.trunc(Number(arg)));
    case 'f':
      return Number(arg).toFixed(precision ?? 6);
    case 'e':
      return Number(arg).toExponential(precision ?? 6);
    case 'x':
      return Math.trunc(Number(arg)).toString(16);
    case 'X':
      return Math.trunc(Number(arg)).toString(16).toUpperCase();
    case 'c':
      return String(arg).slice(0, 1);
    default:
      return precision === null ? String(arg) : String(arg).slice(0, precision);
  }
}

function bytes(binary: string): Buffer {
  return Buffer.from(binary, 'latin1');
}

function digest(algorithm: Digest, binary: string): string {
  if (!DIGESTS.includes(algorithm)) {
    throw new ServiceException(say('invalid-argument', algorithm));
  }
  const name = algorithm.replace('SHA_', 'sha').toLowerCase();
  return createHash(name).update(bytes(binary)).digest().toString('latin1');
}

/** Kept, because making a format takes longer than everything that is asked of it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  const known = formats.get(key) ?? new Intl.DateTimeFormat('en-US', options);
  formats.set(key, known);
  return known;
}

/** The supported letters of SimpleDateFormat, by the parts that Intl provides. */
function formatDate(epochMs: number, timeZone: string, format: string): string {
  const numbers = formatOf({
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(epochMs);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    numbers.find((candidate) => candidate.type === type)?.value ?? '';
  const name = (options: Intl.DateTimeFormatOptions) => () =>
    formatOf({ timeZone, ...options }).format(epochMs);
  const values: Readonly<Record<string, () => string>> = {
    yyyy: () => part('year'),
    yy: () => part('year').slice(-2),
    MMMM: name({ month: 'long' }),
    MMM: name({ month: 'short' }),
    MM: () => part('month'),
    M: () => String(Number(part('month'))),
    dd: () => part('day'),
    d: () => String(Number(part('day'))),
    HH: () => part('hour'),
    H: () => String(Number(part('hour'))),
    mm: () => part('minute'),
    ss: () => part('second'),
    SSS: () => String(((epochMs % 1_000) + 1_000) % 1_000).padStart(3, '0'),
    EEEE: name({ weekday: 'long' }),
    EEE: name({ weekday: 'short' }),
    Z: () => offset(epochMs, timeZone).replace(':', ''),
    XXX: () => offset(epochMs, timeZone),
  };
  return format.replace(/'([^']*)'|([A-Za-z])\2*/g, (letters, quoted: string | undefined) => {
    if (quoted !== undefined) return quoted || "'";
    const value = values[letters];
    if (value === undefined) throw new Error(`Utilities.formatDate ${letters} is not emulated`);
    return value();
  });
}

/** How far the zone's clock is ahead of UTC at a moment, for example "+01:00". */
function offset(epochMs: number, timeZone: string): string {
  const parts = formatOf({ timeZone, timeZoneName: 'longOffset' }).formatToParts(epochMs);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return name.replace('GMT', '') || '+00:00';
}

/** A random UUID of version 4 from seeded numbers. */
function uuid(random: () => number): string {
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (place) => {
    const digit = Math.floor(random() * 16);
    return (place === 'x' ? digit : 8 + (digit % 4)).toString(16);
  });
}

/** Of a script that is not asleep. */
const AWAKE = Number.NEGATIVE_INFINITY;

/** Tells whenever all scripts that run have come to be asleep. */
function createSleepers({ scheduler, onAllAsleep }: World) {
  const wakingMs = new Map<number, number>();
  const look = () => {
    const firstMs = Math.min(...wakingMs.values());
    if (wakingMs.size > 0 && firstMs !== AWAKE) onAllAsleep(firstMs);
  };
  return {
    sleep: ({ executionId }: Caller, durationMs: number): Later<void> =>
      later((settle) => {
        const untilMs = scheduler.nowMs() + durationMs;
        const callOff = scheduler.at(untilMs, () => {
          wakingMs.set(executionId, AWAKE);
          settle.value(undefined);
        });
        wakingMs.set(executionId, untilMs);
        look();
        return callOff;
      }),
    started: ({ executionId }: Caller) => {
      wakingMs.set(executionId, AWAKE);
    },
    ended: ({ executionId }: Caller) => {
      wakingMs.delete(executionId);
      look();
    },
  };
}

export function createUtilitiesHost(world: World): HostHalf<UtilitiesCalls> {
  const uuidRandom = world.random('uuid');
  const { sleep, started, ended } = createSleepers(world);
  return {
    started,
    ended,
    operations: {
      'utilities.sleep': (caller, milliseconds) => {
        if (!(milliseconds >= 0 && milliseconds <= SLEEP_MAX_MS)) {
          throw new ServiceException(say('invalid-argument', milliseconds));
        }
        return sleep(caller, milliseconds);
      },
      'utilities.getUuid': () => uuid(uuidRandom.next),
      'utilities.computeDigest': (_caller, algorithm, binary) => digest(algorithm, binary),
      'utilities.computeHmacSha256Signature': (_caller, binary, keyBinary) =>
        createHmac('sha256', bytes(keyBinary)).update(bytes(binary)).digest().toString('latin1'),
      'utilities.base64Encode': (_caller, binary, isWebSafe) => {
        const text = bytes(binary).toString('base64');
        return isWebSafe ? text.replaceAll('+', '-').replaceAll('/', '_') : text;
      },
      'utilities.base64Decode': (_caller, text) => Buffer.from(text, 'base64').toString('latin1'),
      'utilities.gzip': (_caller, binary) => gzipSync(bytes(binary)).toString('latin1'),
      'utilities.ungzip': (_caller, binary) => gunzipSync(bytes(binary)).toString('latin1'),
      'utilities.formatDate': (_caller, epochMs, timeZone, format) =>
        formatDate(epochMs, timeZone, format),
    },
    permission: (operation) => ({
      callName: operation.replace('utilities.', 'Utilities.'),
      modes: ['NONE', 'LIMITED', 'CUSTOM_FUNCTION', 'FULL'],
    }),
    shown: (operation, [first]) => (operation === 'utilities.sleep' ? String(first) : ''),
  };
}
