// What the search for secrets finds, and what it must let through to be of use.
import { describe, expect, it } from '@jest/globals';
import { findSecrets } from '../../../scripts/check/secrets';

/** Put together here, so that no file of the project has one in a piece. */
const joined = (...parts: readonly string[]): string => parts.join('');

describe('findSecrets', () => {
  it.each([
    ['a private key', joined('-----BEGIN RSA PRIVATE', ' KEY-----MIIEpA')],
    ['an AWS key', joined('AKIA', 'IOSFODNN7EXAMPLE')],
    ['a GitHub token', joined('gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8')],
    ['a Google API key', joined('AIza', 'SyA1B2C3D4E5F6G7H8I9J0K1L2M3N4O5P6Q')],
    ['a Google OAuth secret', joined('GOCSPX', '-a1B2c3D4e5F6g7H8i9J0k1L2')],
    ['an npm token', joined('npm', '_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8')],
    ['a secret key', joined('sk', '_live_a1B2c3D4e5F6g7H8i9J0')],
    ['a JSON web token', joined('eyJ', 'hbGciOiJIUzI1.', 'eyJ', 'zdWIiOiIxMjM0.c2lnbmF0dXJl')],
    ["somebody's Apps Script id", `"${joined('1a2B', '3c4D5e6F7g'.repeat(5), '8h9')}"`],
    ['a path of one machine', joined('/ro', 'ot/project/file.ts')],
    ['a home folder', joined('/ho', 'me/somebody/project')],
    ['a key or password', `apiKey: '${joined('a8F3kQ9z', 'X2mB7vL5')}'`],
  ])('finds %s, and its line', (what, text) => {
    expect(findSecrets(`first line\nhere: ${text}`)).toEqual([{ line: 2, what }]);
  });

  it.each([
    ["the sandbox's keys", "const DEMO_KEY = 'demo-key-5-per-second';"],
    ['a name of something with key in it', "const CACHE_KEY = 'product-analysis.results';"],
    ['a key read from elsewhere', 'const apiKey = readStoredConnection(platform).apiKey;'],
    ['a mask', "keyMask: '…4f2a'"],
    ['a hash in a lockfile', '"integrity": "sha512-AKIAiosfodnn7example/Work/root+tmp=="'],
    ['an address on the web', 'https://example.com/work/tmp/root/x'],
    ['a relative path', "from '../work/tmp'"],
  ])('lets %s through', (_what, text) => {
    expect(findSecrets(text)).toEqual([]);
  });
});
