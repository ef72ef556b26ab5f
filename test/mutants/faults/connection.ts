// Faults of the connection's record, its address, its key and whom it is shared with.
import type { Fault } from '../fault';

export const CONNECTION_FAULTS: readonly Fault[] = [
  {
    file: 'connection-store.ts',
    words: 'An address with http is accepted, and the key goes out in clear.',
    from: "if (!loopback && scheme.toLowerCase() !== 'https')",
    to: "if (!loopback && scheme === '')",
    tests: ['connection/connection.test.ts'],
  },
  {
    file: 'connection-store.ts',
    words: 'The stored key is sent to a new address that somebody typed.',
    from: 'if (before.baseUrl !== baseUrl)',
    to: "if (before.baseUrl === '')",
    tests: ['connection/connection-store.test.ts'],
  },
  {
    file: 'connection-store.ts',
    words: 'A key is shared with the spreadsheet by who wanted it for themselves.',
    from: 'if (isShared) shared.write(',
    to: 'if (draft.sharing !== undefined) shared.write(',
    tests: ['sidebar/rpc.test.ts'],
    named: 'mine only',
  },
  {
    file: 'connection-store.ts',
    words: 'Who clears their connection leaves its key shared.',
    from: 'if (isTheirs(records)) shared.remove();',
    to: '',
    tests: ['sidebar/rpc.test.ts'],
    named: 'is taken back',
  },
  {
    file: 'connection-store.ts',
    words: 'What a check decides does not take the place of what was decided before.',
    from: 'const settings = { ...connection.settings, ...decided };',
    to: 'const settings = { ...decided, ...connection.settings };',
    tests: ['connection/connection-store.test.ts'],
  },
  {
    file: 'connection-store.ts',
    words: 'What was decided of one service is believed of the next address.',
    from: '(isSameService ? before.settings : ofAny(before))',
    to: '(before?.settings ?? ofAny(before))',
    tests: ['connection/connection-store.test.ts'],
  },
  {
    file: 'connection-store.ts',
    words: "Somebody's shared key counts as the own of whoever looks.",
    from: "sharing: 'spreadsheet' as const, own: false };",
    to: "sharing: 'spreadsheet' as const, own: true };",
    tests: ['sidebar/rpc.test.ts'],
    named: 'nobody sees it',
  },
  {
    file: 'connection.ts',
    words: 'All of a key but its beginning is shown.',
    from: '`…${apiKey.slice(-4)}`',
    to: '`…${apiKey.slice(4)}`',
    tests: ['connection/connection.test.ts'],
  },
  {
    file: 'connection.ts',
    words: 'One key at two addresses has one cache and one gate.',
    from: 'hasher.sha256Hex(`${baseUrl}\\n${apiKey}`)',
    to: 'hasher.sha256Hex(apiKey || baseUrl)',
    tests: ['connection/connection.test.ts'],
  },
  {
    file: 'connection.ts',
    words: 'An answer that was read in one unit is found under another one.',
    from: "['buyPriceName', 'sellPriceName', 'roiUnit', 'moneyUnit', 'ukMarket']",
    to: "['buyPriceName', 'sellPriceName', 'roiUnit', 'ukMarket']",
    tests: ['connection/connection.test.ts'],
  },
  {
    file: 'connection-store.ts',
    words: 'A connection is changed without the lock, and a key that was taken back returns.',
    from: 'const done = parts.lock.run(LOCK_WAIT_MS, afresh);',
    to: 'const done = { held: true as const, value: afresh() };',
    tests: ['connection/changes.test.ts'],
  },
  {
    file: 'connection-store.ts',
    words: 'Of the two records of a key the first one changes where the second does not fit.',
    from: 'own.putBack();\n        shared.putBack();',
    to: '',
    tests: ['safety/full-properties.test.ts'],
  },
  {
    file: 'connection.ts',
    words: 'The page can hand over members that nobody checks, such as a fingerprint.',
    from: `export const draftSchema = lazySchema(() =>
  z.strictObject({`,
    to: `export const draftSchema = lazySchema(() =>
  z.looseObject({`,
    tests: ['sidebar/draft.test.ts'],
    named: 'may not say',
  },
  {
    file: 'connection.ts',
    words: 'A stored connection with a member that is no longer known is used all the same.',
    from: `const connectionSchema = lazySchema(() =>
  z.strictObject({`,
    to: `const connectionSchema = lazySchema(() =>
  z.object({`,
    tests: ['connection/connection.test.ts'],
    named: 'another member',
  },
  {
    file: 'connection-store.ts',
    words: 'Who removed their key and connects it again counts as somebody else to the formulas.',
    from: 'if (documentStore.read(NAME) === ownerIn(removed))',
    to: 'if (documentStore.read(NAME) === NAME)',
    tests: ['connection/connection-store.test.ts'],
  },
];
