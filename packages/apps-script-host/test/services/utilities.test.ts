// Utilities as the host emulates it, against values known from elsewhere.

import { createVerify, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { outcomeOf, resultOf } from '../script-host';

function returning(expression: string): string {
  return `function f() {
    const digits = (byte) => ((byte + 256) % 256).toString(16).padStart(2, '0');
    const hex = (bytes) => bytes.map(digits).join('');
    return ${expression};
  }`;
}

describe('formatString', () => {
  it.each([
    ["'%s has %d of %s', 'A', 3.9, null", 'A has 3 of null'],
    ["'%05d|%5d|%-5d|%+d', 42, 42, 42, 42", '00042|   42|42   |+42'],
    ["'%.2f %8.3f', 1.005, 3.14159", '1.00    3.142'],
    ["'%x %X %c %.3s 100%%', 255, 255, 'word', 'shorten'", 'ff FF w sho 100%'],
  ])('fills the places of %s', async (args, text) => {
    expect(await resultOf(`function f() { return Utilities.formatString(${args}); }`)).toBe(text);
  });
});

describe('parseCsv', () => {
  it.each([
    [
      String.raw`'a,b\r\n1,"x, y"\n'`,
      [
        ['a', 'b'],
        ['1', 'x, y'],
      ],
    ],
    [
      String.raw`'"say ""no""","two\nlines",\n,,'`,
      [
        ['say "no"', 'two\nlines', ''],
        ['', '', ''],
      ],
    ],
    ["'a;b,c', ';'", [['a', 'b,c']]],
    ["''", []],
  ])('reads %s', async (args, rows) => {
    expect(await resultOf(`function f() { return Utilities.parseCsv(${args}); }`)).toEqual(rows);
  });
});

describe('digests', () => {
  it.each([
    ['MD5', '900150983cd24fb0d6963f7d28e17f72'],
    ['SHA_1', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
    ['SHA_256', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ])('of a text by %s are the published ones', async (algorithm, expected) => {
    const digest = `hex(Utilities.computeDigest(Utilities.DigestAlgorithm.${algorithm}, 'abc'))`;
    expect(await resultOf(returning(digest))).toBe(expected);
  });

  it('are of US-ASCII without a charset: what it lacks is a question mark', async () => {
    const sha256 = 'Utilities.DigestAlgorithm.SHA_256';
    const all = `[Utilities.computeDigest(${sha256}, 'é', Utilities.Charset.UTF_8)[0],
      Utilities.computeDigest(${sha256}, [-61, -87])[0],
      Utilities.computeDigest(${sha256}, 'é😀')[0], Utilities.computeDigest(${sha256}, '??')[0],
      Utilities.computeHmacSha256Signature('é', 'ü')[0],
      Utilities.computeHmacSha256Signature('?', '?')[0]]`;
    const [ofText, ofBytes, ...others] = (await resultOf(returning(all))) as number[];
    expect(ofText).toBe(ofBytes);
    expect(others[0]).toBe(others[1]);
    expect(others[2]).toBe(others[3]);
  });

  it.each([
    ["computeDigest(Utilities.DigestAlgorithm.MD5, 'a', 'UTF-8')", /\(String,String\) don't match/],
    [
      "computeDigest('MD5', 'a')",
      /\(String,String\) don't match the method signature for Utilities\.computeDigest/,
    ],
    ['computeDigest(Utilities.DigestAlgorithm.MD5, [1], Utilities.Charset.UTF_8)', /don't match/],
    ["computeHmacSha256Signature('a', [1])", /don't match/],
    ["computeHmacSha256Signature('a')", /don't match/],
    ["computeHmacSha256Signature(['x'], [1])", /Cannot convert x to int\./],
    ["sleep('soon')", /Cannot convert soon to int\./],
  ])('refuse other arguments: %s', async (call, message) => {
    const { error } = await outcomeOf(returning(`Utilities.${call}`));
    expect(error?.message).toMatch(message);
  });

  it('are signed bytes', async () => {
    const sha256 = 'Utilities.DigestAlgorithm.SHA_256';
    const smallest = `Math.min(...Utilities.computeDigest(${sha256}, 'abc'))`;
    expect(await resultOf(returning(smallest))).toBeLessThan(0);
  });

  it('with a key are the published ones', async () => {
    const signature =
      "hex(Utilities.computeHmacSha256Signature('what do ya want for nothing?', 'Jefe'))";
    expect(await resultOf(returning(signature))).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });
});

describe('base64', () => {
  it('goes both ways, also for the web', async () => {
    const values = `[Utilities.base64Encode('abc?>'), Utilities.base64EncodeWebSafe([-5, -1]),
      Utilities.base64Decode('YWI='), Utilities.base64DecodeWebSafe('-_8=')]`;
    expect(await resultOf(returning(values))).toEqual(['YWJjPz4=', '-_8=', [97, 98], [-5, -1]]);
  });
});

describe('blobs', () => {
  it('are plain text where they were made of one, and keep their name when packed', async () => {
    const value = `[Utilities.newBlob('x').getContentType(), Utilities.newBlob([1]).getContentType(),
      Utilities.ungzip(Utilities.gzip(Utilities.newBlob('x'))).getName(),
      Utilities.newBlob('', null, 'a.CSV').setContentTypeFromExtension().getContentType(),
      Utilities.newBlob('a').setDataFromString('b').getDataAsString(),
      Utilities.newBlob('').setDataFromString('é本', 'ISO-8859-1').getBytes().join(),
      Utilities.newBlob('a').setBytes([99]).getDataAsString()]`;
    const seen = ['text/plain', null, 'archive', 'text/csv', 'b', '-23,63', 'c'];
    expect(await resultOf(returning(value))).toEqual(seen);
  });

  it('are packed into an archive and come out of it', async () => {
    const value = `Utilities.unzip(Utilities.zip([Utilities.newBlob('Grüße', null, 'ä.txt'),
        Utilities.newBlob('x'.repeat(5000), null, 'long.csv'), Utilities.newBlob('[]')]))
      .map((blob) => [blob.getName(), blob.getContentType(), blob.getDataAsString().length])`;
    expect(await resultOf(returning(value))).toEqual([
      ['ä.txt', 'text/plain', 5],
      ['long.csv', 'text/csv', 5000],
      ['Untitled2', 'application/octet-stream', 2],
    ]);
    const { error } = await outcomeOf(
      returning("Utilities.unzip(Utilities.newBlob('no archive'))"),
    );
    expect(error?.message).toBe('Invalid argument: blob');
  });

  it('give back their text, zipped and unzipped', async () => {
    const value = `Utilities.ungzip(Utilities.gzip(Utilities.newBlob('Grüße', 'text/plain', 'a')))
      .getDataAsString()`;
    expect(await resultOf(returning(value))).toBe('Grüße');
  });
});

describe('sleep', () => {
  it('takes up to five minutes', async () => {
    const code = returning('[Date.now(), Utilities.sleep(300000), Date.now()]');
    const [before, , after] = (await resultOf(code)) as number[];
    expect(Number(after) - Number(before)).toBe(300_000 + 1);
    expect((await outcomeOf(returning('Utilities.sleep(300001)'))).error?.message).toBe(
      'Invalid argument: 300001',
    );
  });
});

describe('formatDate', () => {
  it('writes the usual patterns in a time zone', async () => {
    const value = `Utilities.formatDate(new Date(1767603600123), 'America/New_York',
      "yyyy-MM-dd'T'HH:mm:ss.SSS EEE d MMM")`;
    expect(await resultOf(returning(value))).toBe('2026-01-05T04:00:00.123 Mon 5 Jan');
  });

  it.each([
    ['Europe/London', '2026-03-29T00:59:59Z', '+0000', '2026-03-29T01:00:00Z', '+0100'],
    ['America/New_York', '2026-11-01T05:59:59Z', '-0400', '2026-11-01T06:00:00Z', '-0500'],
    ['Australia/Sydney', '2026-04-04T15:59:59Z', '+1100', '2026-04-04T16:00:00Z', '+1000'],
    ['Australia/Lord_Howe', '2026-10-03T15:29:59Z', '+1030', '2026-10-03T15:30:00Z', '+1100'],
    ['America/Sao_Paulo', '2026-02-14T12:00:00Z', '-0300', '2026-10-18T12:00:00Z', '-0300'],
    ['Etc/UTC', '2026-01-01T00:00:00Z', '+0000', '2026-07-01T00:00:00Z', '+0000'],
  ])('knows what the clock of %s is ahead, also when it is changed', async (zone, ...edge) => {
    const [before, wasAhead, after, isAhead] = edge;
    const value = `['${before}', '${after}'].map((at) => Utilities.formatDate(new Date(at), '${zone}', 'Z'))`;
    expect(await resultOf(returning(value))).toEqual([wasAhead, isAhead]);
  });
});

describe('formatDate and parseDate', () => {
  // Sunday, 3 January 2027, 00:05:09 in London.
  const date = 'new Date(Date.UTC(2027, 0, 3, 0, 5, 9, 42))';

  it.each([
    ['h:mm a, hh KK k H', '12:05 AM, 12 00 24 0'],
    ['G yy YYYY M LLLL', 'AD 27 2027 1 January'],
    ['D DDD w ww W F u EEEE', '3 003 2 02 2 1 7 Sunday'],
    ['S SSS', '42 042'],
    ["''yyyy' year ''", "'2027 year '"],
    ['z Z X XX XXX', 'GMT+0 +0000 Z Z Z'],
  ])('writes %s', async (format, text) => {
    const value = `Utilities.formatDate(${date}, 'Europe/London', ${JSON.stringify(format)})`;
    const [shown = ''] = [String(await resultOf(returning(value)))];
    expect(shown.replace('GMT+0 ', 'GMT ')).toBe(text.replace('GMT+0 ', 'GMT '));
  });

  it('begins the week of a year that begins with it in December', async () => {
    const value = `Utilities.formatDate(new Date(Date.UTC(2026, 11, 28)), 'UTC', 'YYYY w')`;
    expect(await resultOf(returning(value))).toBe('2027 1');
  });

  it.each([
    ['GMT+2', '02:05 +0200 +02'],
    ['GMT-05:30', '18:35 -0530 -05'],
    ['PST', '16:05 -0800 -08'],
  ])('knows the zone %s', async (zone, text) => {
    const value = `Utilities.formatDate(${date}, '${zone}', 'HH:mm Z X')`;
    expect(await resultOf(returning(value))).toBe(text);
  });

  it.each([
    ["formatDate(new Date(), 'Nope/Zone', 'yyyy')", 'Invalid argument: Nope/Zone'],
    ["formatDate(new Date(), 'UTC', 'yyyy b')", 'Invalid argument: yyyy b'],
    ["parseDate('soon', 'UTC', 'yyyy')", 'Invalid argument: soon'],
  ])('throws what a script can catch: %s', async (call, message) => {
    const code = `function f() {
      try { Utilities.${call}; } catch (error) { return error.message; }
    }`;
    expect(await resultOf(code)).toBe(message);
  });

  it.each([
    ['2027-01-03T05:06:07Z', "yyyy-MM-dd'T'HH:mm:ssX", '2027-01-03T05:06:07.000Z'],
    ['3 Mar 27, 4:05 pm', 'd MMM yy, h:mm a', '2027-03-03T21:05:00.000Z'],
    ['20270704', 'yyyyMMdd', '2027-07-04T04:00:00.000Z'],
  ])('reads %s', async (text, format, moment) => {
    const value = `Utilities.parseDate('${text}', 'America/New_York', ${JSON.stringify(format)}).toISOString()`;
    expect(await resultOf(returning(value))).toBe(moment);
  });
});

describe('getUuid', () => {
  it('gives different ones of version 4', async () => {
    const [one, other] = (await resultOf(
      returning('[Utilities.getUuid(), Utilities.getUuid()]'),
    )) as string[];
    expect(one).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(other).not.toBe(one);
  });
});

it('a signature by a private key is what its public key confirms', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const value = `Utilities.computeRsaSha256Signature('claim', ${JSON.stringify(key)})`;
  const signed = (await resultOf(returning(value))) as number[];
  const isConfirmed = createVerify('RSA-SHA256')
    .update('claim')
    .verify(publicKey, Buffer.from(signed.map((byte) => byte & 255)));
  expect(isConfirmed).toBe(true);
  const { error } = await outcomeOf(
    returning("Utilities.computeRsaSha256Signature('a', 'no key')"),
  );
  expect(error?.message).toBe('Invalid argument: key');
});

it('types of files have names', async () => {
  expect(await resultOf(returning('[MimeType.CSV, MimeType.GOOGLE_SHEETS]'))).toEqual([
    'text/csv',
    'application/vnd.google-apps.spreadsheet',
  ]);
});
