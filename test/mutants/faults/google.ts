// Faults of the calls to Google.
import type { Fault } from '../fault';

const LEASE = ['google/lease.test.ts'];

export const GOOGLE_FAULTS: readonly Fault[] = [
  {
    file: 'lease.ts',
    words: 'Two executions work on the sheet at the same time.',
    from: 'return leftMs > 0 && leftMs <= 2 * LEASE_MS ? lease : null;',
    to: 'return null;',
    tests: LEASE,
  },
  {
    file: 'lease.ts',
    words: 'The lease of a killed execution never ends.',
    from: 'return leftMs > 0 && leftMs <= 2 * LEASE_MS ? lease : null;',
    to: 'return lease;',
    tests: LEASE,
  },
  {
    file: 'lease.ts',
    words: 'Who has lost the lease goes on writing.',
    from: 'if (!renewal.held || !renewal.value) throw LOST;',
    to: '',
    tests: LEASE,
  },
  {
    file: 'platform.ts',
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
    tests: ['google/failing-services.test.ts'],
  },
  {
    file: 'service-call.ts',
    words: 'A service that keeps failing is called without end.',
    from: 'for (let isLast = false; ; isLast = true) {',
    to: 'for (let isLast = false; ; isLast = false) {',
    tests: ['google/failing-services.test.ts'],
  },
  {
    file: 'platform.ts',
    words: 'One value that is too large keeps all that come with it out of the cache.',
    from: '([, value]) => bytesOf(value) <= CACHE_VALUE_BYTES_MAX,',
    to: '([, value]) => bytesOf(value) <= 10 * CACHE_VALUE_BYTES_MAX,',
    tests: ['google/failing-services.test.ts'],
  },
  {
    file: 'cells.ts',
    words: 'Texts of the service are read as if typed: what begins with = is worked out.',
    from: '? asText(cell.slice(0, TEXT_CHARS_MAX)) : cell;',
    to: '? cell.slice(0, TEXT_CHARS_MAX) : cell;',
    tests: ['deal/desk.test.ts'],
    named: 'look like formulas as texts',
  },
  {
    file: 'platform.ts',
    words: 'A full store breaks what was answered.',
    from: `      serviceCallOr(false, () =>
        serviceCall(`,
    to: `      ((_instead: boolean, act: () => boolean) => act())(false, () =>
        serviceCall(`,
    tests: ['google/failing-services.test.ts'],
    named: 'a store',
  },
  {
    file: 'platform.ts',
    words: 'The cache that all users of the add-on share has the answers of each.',
    from: 'CacheService.getDocumentCache() ?? CacheService.getUserCache()',
    to: 'CacheService.getScriptCache()',
    tests: ['safety/kept-names.test.ts'],
  },
  {
    file: 'platform.ts',
    words: 'A store that is full is told as a problem that passes.',
    from: 'throw isBusy(error) && isFull() ?',
    to: 'throw isBusy(error) && !isFull() ?',
    tests: ['safety/full-properties.test.ts'],
  },
  {
    file: 'service-call.ts',
    words: 'A person who has granted everything is sent to grant it again.',
    from: 'isUnauthorised()\n    ? serviceCallOr(',
    to: 'true\n    ? serviceCallOr(',
    tests: ['google/failing-services.test.ts'],
    named: 'the address of permission',
  },
  {
    file: 'sheet.ts',
    words: 'A value that a dropdown refuses is told as a protected sheet.',
    from: 'if (cell !== undefined) rejected = cell;',
    to: '',
    tests: ['deal/desk.test.ts'],
    named: 'with the profile in use',
  },
  {
    file: 'spreadsheet.ts',
    words: 'West of Greenwich, schedules run by the clock of the other side of the world.',
    from: "return sign === '-' ? -ahead : ahead;",
    to: 'return ahead;',
    tests: ['google/time-zone.test.ts'],
  },
  {
    file: 'new-tab.ts',
    words: 'A copy to give away goes on following the Analysis tab.',
    from: '.clearDataValidations()\n        .setValues(contents);',
    to: '.clearDataValidations();',
    tests: ['list/sheet-in-view.test.ts'],
    named: 'is copied as values for sharing',
  },
];
