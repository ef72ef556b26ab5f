// A self-signed certificate made with Node alone, for a local imitation of Google.
// The format is X.509 v3 (RFC 5280, section 4.1) in DER: tag, length, contents, all the way down.
import { generateKeyPairSync, sign } from 'node:crypto';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** Tags of ASN.1 and the two context tags that X.509 adds. */
const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  utf8: 0x0c,
  time: 0x17,
  sequence: 0x30,
  set: 0x31,
  dnsName: 0x82,
  version: 0xa0,
  extensions: 0xa3,
} as const;

/** Object identifiers, ready encoded. */
const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const BASIC_CONSTRAINTS = Buffer.from('0603551d13', 'hex');
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex');

const NO_UNUSED_BITS = Buffer.of(0);
const TRUE = Buffer.of(TAG.boolean, 1, 0xff);

function lengthOf(size: number): Buffer {
  if (size < 0x80) return Buffer.of(size);
  const bytes = size < 0x100 ? [size] : [size >> 8, size & 0xff];
  return Buffer.of(0x80 | bytes.length, ...bytes);
}

function der(tag: number, ...parts: readonly (Buffer | string)[]): Buffer {
  const contents = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([Buffer.of(tag), lengthOf(contents.length), contents]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(TAG.sequence, ...parts);
}

/** Signs for itself as its own authority, so whoever trusts the file trusts the server. */
export function selfSigned(dnsNames: readonly string[]): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(ECDSA_WITH_SHA256);
  const name = sequence(der(TAG.set, sequence(COMMON_NAME, der(TAG.utf8, 'Local imitation'))));
  const isAuthority = sequence(TRUE);
  const hosts = sequence(...dnsNames.map((host) => der(TAG.dnsName, host)));
  const unsigned = sequence(
    der(TAG.version, der(TAG.integer, Buffer.of(2))),
    der(TAG.integer, Buffer.of(1)),
    algorithm,
    name,
    sequence(der(TAG.time, '200101000000Z'), der(TAG.time, '491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      TAG.extensions,
      sequence(
        sequence(BASIC_CONSTRAINTS, TRUE, der(TAG.octets, isAuthority)),
        sequence(SUBJECT_ALT_NAME, der(TAG.octets, hosts)),
      ),
    ),
  );
  const signature = der(TAG.bits, NO_UNUSED_BITS, sign('sha256', unsigned, privateKey));
  const base64 = sequence(unsigned, algorithm, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  };
}
