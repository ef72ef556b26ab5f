// Utilities: sleep, digests, base64, blobs, zip and dates, as far as typical scripts use them.

import { createHash, createHmac, createSign } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { say } from '../messages';
import type { SignedBytes } from '../realm/bytes';
import { fromBinary, toBinary } from '../realm/bytes';
import type { Caller, HostHalf, Later, PartOf, ScriptHalf, World } from '../service';
import { later, ServiceException } from '../service';
import { binaryOf, createBlob, type Data, typeOfName } from './blob';
import { formatMoment, parseMoment, type Zone, zoneOf } from './date-format';
import { typeNames } from './parameters';
import { unzipped, zipped } from './zip';

const DIGESTS = ['MD5', 'SHA_1', 'SHA_256', 'SHA_384', 'SHA_512'] as const;
type Digest = (typeof DIGESTS)[number];

/** Bytes cross as text with one character per byte. */
interface UtilitiesCalls {
  'utilities.sleep': (milliseconds: number) => void;
  'utilities.getUuid': () => string;
  'utilities.computeDigest': (algorithm: Digest, binary: string) => string;
  'utilities.computeHmac': (algorithm: Digest, binary: string, keyBinary: string) => string;
  'utilities.computeRsa': (hash: 'SHA_1' | 'SHA_256', binary: string, key: string) => string;
  'utilities.base64Encode': (binary: string, isWebSafe: boolean) => string;
  'utilities.base64Decode': (text: string) => string;
  'utilities.gzip': (binary: string) => string;
  'utilities.ungzip': (binary: string) => string;
  /** Names and contents, one after the other. */
  'utilities.zip': (entries: readonly ArchiveEntry[]) => string;
  'utilities.unzip': (binary: string) => readonly ArchiveEntry[];
  'utilities.formatDate': (epochMs: number, timeZone: string, format: string) => string;
  /** In ms. */
  'utilities.parseDate': (text: string, timeZone: string, format: string) => number;
}

interface ArchiveEntry {
  readonly name: string;
  readonly binary: string;
}

/** Reference of Utilities.sleep. */
const SLEEP_MAX_MS = 300_000;

const MACS = ['HMAC_MD5', 'HMAC_SHA_1', 'HMAC_SHA_256', 'HMAC_SHA_384', 'HMAC_SHA_512'] as const;

/**
 * Measured at Google by gas-fakes on GitHub (testutilities.js): without a charset, texts are US-ASCII,
 * and each other character becomes "?", so that different texts have one digest.
 */
const asAscii = (text: string) => text.replace(/[^\0-\x7f]/gu, '?');

type Source = GoogleAppsScript.Base.BlobSource;

export const utilitiesScript: ScriptHalf<UtilitiesCalls> = ({
  call,
  guard,
  enumeration,
  exception,
}) => {
  const DigestAlgorithm = enumeration<typeof GoogleAppsScript.Utilities.DigestAlgorithm>(
    'DigestAlgorithm',
    [...DIGESTS],
  );
  const MacAlgorithm = enumeration<typeof GoogleAppsScript.Utilities.MacAlgorithm>('MacAlgorithm', [
    ...MACS,
  ]);
  const RsaAlgorithm = enumeration<typeof GoogleAppsScript.Utilities.RsaAlgorithm>('RsaAlgorithm', [
    'RSA_SHA_1',
    'RSA_SHA_256',
  ]);
  const Charset = enumeration<typeof GoogleAppsScript.Utilities.Charset>('Charset', [
    'US_ASCII',
    'UTF_8',
  ]);
  const blob = (binary: string, type: string | null, title: string | null) =>
    createBlob(guard, binary, type, title);
  const isBytes = (value: unknown): value is SignedBytes => Array.isArray(value);
  /** Texts with or without a charset, or bytes without one. */
  const read = (method: string, all: readonly unknown[], data: readonly unknown[]): string[] => {
    const wrong = () => exception(say('wrong-parameters', typeNames(all), `Utilities.${method}`));
    const [charset, ...more] = all.slice(data.length);
    if (more.length > 0) throw wrong();
    const isKnown = charset === undefined || Object.values(Charset).includes(charset as never);
    if (data.every((one) => typeof one === 'string') && isKnown)
      return data.map((text) =>
        charset === Charset.UTF_8 ? binaryOf(String(text)) : asAscii(String(text)),
      );
    if (!data.every(isBytes) || charset !== undefined) throw wrong();
    const bad = data.flat().find((byte) => typeof byte !== 'number');
    if (bad !== undefined) throw exception(say('cannot-convert', String(bad), 'int'));
    return data.map(toBinary);
  };
  const macOf = (method: string, digest: Digest, [value, key, ...rest]: readonly unknown[]) => {
    const [binary = '', keyBinary = ''] = read(method, [value, key, ...rest], [value, key]);
    return fromBinary(call('utilities.computeHmac', digest, binary, keyBinary));
  };
  const rsaOf = (method: string, hash: 'SHA_1' | 'SHA_256', args: readonly unknown[]) => {
    const [value, key, ...rest] = args;
    const [binary = ''] = read(method, [value, ...rest], [value]);
    return fromBinary(call('utilities.computeRsa', hash, binary, String(key)));
  };
  const Utilities = guard('Utilities', {
    RsaAlgorithm,
    DigestAlgorithm,
    MacAlgorithm,
    Charset,
    sleep: (milliseconds: number) => {
      if (Number.isNaN(Number(milliseconds)))
        throw exception(say('cannot-convert', String(milliseconds), 'int'));
      call('utilities.sleep', Number(milliseconds));
    },
    getUuid: () => call('utilities.getUuid'),
    computeDigest: (...args: unknown[]) => {
      const [algorithm, data, ...rest] = args;
      const [binary = ''] = DIGESTS.some((one) => DigestAlgorithm[one] === algorithm)
        ? read('computeDigest', [data, ...rest], [data])
        : [];
      const name = DIGESTS.find((one) => DigestAlgorithm[one] === algorithm);
      if (name === undefined || data === undefined)
        throw exception(say('wrong-parameters', typeNames(args), 'Utilities.computeDigest'));
      return fromBinary(call('utilities.computeDigest', name, binary));
    },
    computeHmacSha256Signature: (...args: unknown[]) =>
      macOf('computeHmacSha256Signature', 'SHA_256', args),
    computeHmacSignature: (algorithm: unknown, ...args: unknown[]) => {
      const name = MACS.find((one) => MacAlgorithm[one] === algorithm);
      if (name === undefined)
        throw exception(
          say(
            'wrong-parameters',
            typeNames([algorithm, ...args]),
            'Utilities.computeHmacSignature',
          ),
        );
      return macOf('computeHmacSignature', name.replace('HMAC_', '') as Digest, args);
    },
    computeRsaSha1Signature: (...args: unknown[]) =>
      rsaOf('computeRsaSha1Signature', 'SHA_1', args),
    computeRsaSha256Signature: (...args: unknown[]) =>
      rsaOf('computeRsaSha256Signature', 'SHA_256', args),
    computeRsaSignature: (algorithm: unknown, ...args: unknown[]) =>
      rsaOf(
        'computeRsaSignature',
        algorithm === RsaAlgorithm.RSA_SHA_1 ? 'SHA_1' : 'SHA_256',
        args,
      ),
    base64Encode: (data: Data) => call('utilities.base64Encode', binaryOf(data), false),
    base64EncodeWebSafe: (data: Data) => call('utilities.base64Encode', binaryOf(data), true),
    base64Decode: (text: string) => fromBinary(call('utilities.base64Decode', String(text))),
    base64DecodeWebSafe: (text: string) => fromBinary(call('utilities.base64Decode', String(text))),
    /** A text without a type is plain text. */
    newBlob: (data: Data, contentType?: string | null, name: string | null = null) => {
      const usual = typeof data === 'string' ? 'text/plain' : null;
      return blob(binaryOf(data), contentType === undefined ? usual : contentType, name);
    },
    gzip: (source: Source, name = 'archive.gz') =>
      blob(
        call('utilities.gzip', binaryOf(source.getBlob().getBytes())),
        'application/x-gzip',
        name,
      ),
    /** The name of what was packed, without the end that packing gave it. */
    ungzip: (source: Source) => {
      const packed = source.getBlob();
      const name = packed.getName()?.replace(/\.gz$/, '') ?? null;
      return blob(call('utilities.ungzip', binaryOf(packed.getBytes())), null, name);
    },
    zip: (sources: Source[], name = 'archive.zip') => {
      const entries = sources.map((source, at) => {
        const each = source.getBlob();
        return { name: each.getName() ?? `Untitled${at || ''}`, binary: binaryOf(each.getBytes()) };
      });
      return blob(call('utilities.zip', entries), 'application/zip', name);
    },
    /** Bytes whose name tells no type are of the general one: programs ask for them as that. */
    unzip: (source: Source) =>
      call('utilities.unzip', binaryOf(source.getBlob().getBytes())).map(({ name, binary }) =>
        blob(binary, typeOfName(name) ?? 'application/octet-stream', name),
      ),
    /**
     * Reference of Utilities.parseCsv: rows of texts, separated by commas or by another character.
     */
    parseCsv: (csv: string, delimiter: unknown = ',') => csvRows(String(csv), String(delimiter)),
    formatString: (template: string, ...args: unknown[]) => formatString(String(template), args),
    formatDate: (date: GoogleAppsScript.Base.Date, timeZone: string, format: string) =>
      call('utilities.formatDate', date.getTime(), String(timeZone), String(format)),
    parseDate: (text: string, timeZone: string, format: string) =>
      new Date(call('utilities.parseDate', String(text), String(timeZone), String(format))),
    jsonParse: (text: string) => JSON.parse(text),
    jsonStringify: (value: unknown) => JSON.stringify(value),
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

const hashName = (algorithm: Digest) => algorithm.replace('SHA_', 'sha').toLowerCase();

function digest(algorithm: Digest, binary: string): string {
  if (!DIGESTS.includes(algorithm)) {
    throw new ServiceException(say('invalid-argument', algorithm));
  }
  return createHash(hashName(algorithm)).update(bytes(binary)).digest().toString('latin1');
}

/** null, as a zone or as a result, is an argument that Google refuses. */
function zoned<Result>(
  timeZone: string,
  format: string,
  use: (zone: Zone) => Result | null,
): Result {
  const zone = zoneOf(timeZone);
  if (zone === null) throw new ServiceException(say('invalid-argument', timeZone));
  const result = use(zone);
  if (result === null) throw new ServiceException(say('invalid-argument', format));
  return result;
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
      'utilities.computeHmac': (_caller, algorithm, binary, keyBinary) =>
        createHmac(hashName(algorithm), bytes(keyBinary))
          .update(bytes(binary))
          .digest()
          .toString('latin1'),
      'utilities.computeRsa': (_caller, hash, binary, key) => {
        try {
          return createSign(hash.replace('SHA_', 'RSA-SHA'))
            .update(bytes(binary))
            .sign(key)
            .toString('latin1');
        } catch {
          throw new ServiceException(say('invalid-argument', 'key'));
        }
      },
      'utilities.base64Encode': (_caller, binary, isWebSafe) => {
        const text = bytes(binary).toString('base64');
        return isWebSafe ? text.replaceAll('+', '-').replaceAll('/', '_') : text;
      },
      'utilities.base64Decode': (_caller, text) => Buffer.from(text, 'base64').toString('latin1'),
      'utilities.gzip': (_caller, binary) => gzipSync(bytes(binary)).toString('latin1'),
      'utilities.ungzip': (_caller, binary) => gunzipSync(bytes(binary)).toString('latin1'),
      'utilities.zip': (_caller, entries) =>
        zipped(entries.map(({ name, binary }) => ({ name, bytes: bytes(binary) }))).toString(
          'latin1',
        ),
      'utilities.unzip': (_caller, binary) => {
        const entries = unzipped(bytes(binary));
        if (entries === null) throw new ServiceException(say('invalid-argument', 'blob'));
        return entries.map((entry) => ({
          name: entry.name,
          binary: entry.bytes.toString('latin1'),
        }));
      },
      'utilities.formatDate': (_caller, epochMs, timeZone, format) =>
        zoned(timeZone, format, (zone) => formatMoment(epochMs, zone, format)),
      'utilities.parseDate': (_caller, text, timeZone, format) =>
        zoned(timeZone, text, (zone) => parseMoment(text, zone, format)),
    },
    permission: (operation) => ({
      callName: operation
        .replace('utilities.', 'Utilities.')
        .replace(/(computeHmac|computeRsa)$/, '$1Signature'),
      modes: ['NONE', 'LIMITED', 'CUSTOM_FUNCTION', 'FULL'],
    }),
    shown: (operation, [first]) => (operation === 'utilities.sleep' ? String(first) : ''),
  };
}
