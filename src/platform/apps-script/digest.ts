// Digest of Apps Script.

import type { Digest } from '../ports';
import { serviceCall } from './service-call';

export function appsScriptDigest(): Digest {
  return {
    sha256Hex(text) {
      const bytes = serviceCall(() =>
        Utilities.computeDigest(Utilities.DigestAlgorithm.SHA_256, text),
      );
      // Bytes come signed, as in Java.
      return bytes.map((byte) => ((byte + 256) % 256).toString(16).padStart(2, '0')).join('');
    },
  };
}
