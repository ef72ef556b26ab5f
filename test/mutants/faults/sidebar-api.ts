// Faults of what the sidebar's page may ask: the key, other people's things, and what is checked.
import type { Fault } from '../fault';

export const SIDEBAR_API_FAULTS: readonly Fault[] = [
  {
    file: 'connection.ts',
    words: 'The exported settings have the key in them.',
    from: '{ text: exportedText(connection) }',
    to: '{ text: JSON.stringify(connection, null, 2) }',
    tests: ['sidebar/settings-text.test.ts'],
    named: 'holds what was set and found, and nothing of the key',
  },
  {
    file: 'connection.ts',
    words: 'The page is sent the whole key.',
    from: 'keyMask: maskOf(apiKey),',
    to: 'keyMask: apiKey,',
    tests: ['sidebar/rpc.test.ts'],
    named: 'keeps the connection and shows the end of the key',
  },
  {
    file: 'connection.ts',
    words: "Who only uses somebody's key can decide whom it is shared with.",
    from: "if (!stored.own) return fail({ kind: 'no-connection' });",
    to: "if (stored.kind === 'none') return fail({ kind: 'no-connection' });",
    tests: ['sidebar/settings-text.test.ts'],
    named: 'is nothing that somebody else can decide',
  },
  {
    file: 'connection.ts',
    words: "Pasted settings change somebody else's connection.",
    from: "stored.own && stored.kind === 'connection' && stored.connection.baseUrl === draft.baseUrl",
    to: "stored.kind === 'connection' && stored.connection.baseUrl === draft.baseUrl",
    tests: ['sidebar/settings-text.test.ts'],
    named: 'changes nothing for who only uses it',
  },
  {
    file: 'connection.ts',
    words: 'A key that was refused is never tried again, not even by a check.',
    from: 'engineFor(platform, before).gate.reopen();',
    to: 'engineFor(platform, before);',
    tests: ['connection/changes.test.ts'],
    named: 'is tried again when a person checks it',
  },
  {
    file: 'connection.ts',
    words: 'A check tries names of the UK, at a call each, though nobody asked for it.',
    from: 'const trial = wish.tryMarkets ?',
    to: 'const trial = !wish.tryMarkets ?',
    tests: ['sidebar/check.test.ts'],
    named: 'asks for the UK under other names only when told to',
  },
  {
    file: 'rpc.ts',
    words: 'What the page sends is not checked.',
    from: 'if (!parsed.success) {',
    to: 'if (!parsed.success && payload === null) {',
    tests: ['sidebar/rpc.test.ts'],
  },
  {
    file: 'runs.ts',
    words: 'A check counts calls for what is fresh already.',
    from: 'calls: products.length - fresh,',
    to: 'calls: products.length,',
    tests: ['runs/start.test.ts'],
    named: 'a list that was answered just now',
  },
  {
    file: 'rpc.ts',
    words: 'The page is shown the text of an exception.',
    from: "return refused('internal', 'Something went wrong in the add-on or at Google. Try again.');",
    to: "return refused('internal', String(error));",
    tests: ['safety/exceptions.test.ts'],
  },
  {
    file: 'rpc.ts',
    words: 'The report for support keeps the text of an exception.',
    from: 'failed with ${mistakeIn(error)}.`);',
    to: 'failed with ${error}.`);',
    tests: ['safety/exceptions.test.ts'],
  },
  {
    file: 'connection.ts',
    words: 'A limit that the service named by mistake stays, whatever is saved.',
    from: `      const connection = saved(storeOf(platform), draft);
      if (isFailure(connection)) return connection;
      engineFor(platform, connection).gate.reopen();`,
    to: `      const connection = saved(storeOf(platform), draft);
      if (isFailure(connection)) return connection;`,
    tests: ['doors/told-limit.test.ts'],
    named: 'is ended by saving',
  },
  {
    file: 'connection.ts',
    words: 'A limit that the service named by mistake is not forgotten by the button that says so.',
    from: `      const connection = connected(storeOf(platform));
      if (isFailure(connection)) return connection;
      engineFor(platform, connection).gate.reopen();`,
    to: `      const connection = connected(storeOf(platform));
      if (isFailure(connection)) return connection;`,
    tests: ['doors/told-limit.test.ts'],
    named: 'is ended by the button',
  },
];
