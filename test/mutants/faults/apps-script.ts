// Faults of the adapters to Google's services.
import type { Fault } from '../fault';

export const APPS_SCRIPT_FAULTS: readonly Fault[] = [
  {
    file: 'http.ts',
    words: 'A redirect is followed, and the key goes wherever it points.',
    from: 'followRedirects: false,',
    to: 'followRedirects: true,',
    tests: ['doors/hostile-service.test.ts'],
    named: 'a redirect to another host 302',
  },
  {
    file: 'service-call.ts',
    words: "Google's words are told with what may be a key in them.",
    from: "words.replace(/^\\w+: /, '').replace(UNSPEAKABLE, '…')",
    to: "words.replace(/^\\w+: /, '')",
    tests: ['platform/apps-script/adapters.test.ts'],
  },
  {
    file: 'service-call.ts',
    words: 'A service that keeps failing is called without end.',
    from: 'for (let isLast = false; ; isLast = true) {',
    to: 'for (let isLast = false; ; isLast = false) {',
    tests: ['platform/apps-script/adapters.test.ts'],
  },
  {
    file: 'services.ts',
    words: 'One value that is too large keeps all that come with it out of the cache.',
    from: '([, value]) => !isLarger(value, CACHE_VALUE_BYTES_MAX),',
    to: '([, value]) => !isLarger(value, 10 * CACHE_VALUE_BYTES_MAX),',
    tests: ['platform/apps-script/adapters.test.ts'],
  },
];
