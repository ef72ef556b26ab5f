// Faults of the sidebar: its page, its menu and its report.
import type { Fault } from '../fault';

export const SIDEBAR_FAULTS: readonly Fault[] = [
  {
    file: 'diagnostics.ts',
    words: 'The report for support shows the text of a mistake.',
    from: 'failed with ${mistakeIn(error)}.`;',
    to: 'failed with ${error}.`;',
    tests: ['safety/exceptions.test.ts'],
  },
  {
    file: 'diagnostics.ts',
    words: 'The report for support says that every permission is given, whatever is missing.',
    from: 'needed.filter(({ scope }) => !access.isGranted(scope));',
    to: "needed.filter(({ scope }) => scope === '');",
    tests: ['doors/life-cycle.test.ts'],
  },
  {
    file: 'diagnostics.ts',
    words: 'The report for support calls the service with a key that it has refused.',
    from: 'if (status.stopped) return',
    to: 'if (status.stopped?.message === about) return',
    tests: ['sidebar/support-report.test.ts'],
    named: 'calls no more',
  },
  {
    file: 'page/connection/pasted.ts',
    words:
      'Of two limits in a pasted text the one over the longer time counts, and calls come too fast.',
    from: 'one.perSeconds - other.perSeconds)[0]',
    to: 'other.perSeconds - one.perSeconds)[0]',
    tests: ['sidebar/page/connection/pasted.test.ts'],
  },
  {
    file: 'page/connection/pasted.ts',
    words: 'Of the words of a pasted text the shortest is taken for the key.',
    from: 'sort((one, other) => other.length - one.length);',
    to: 'sort((one, other) => one.length - other.length);',
    tests: ['sidebar/page/connection/pasted.test.ts'],
  },
  {
    file: 'page/connection/pasted.ts',
    words: 'Of two addresses in a pasted text, neither of which is named, the first gets the key.',
    from: "return fit.length > 1 ? { baseUrl: '', choices: fit }",
    to: "return fit.length > 9 ? { baseUrl: '', choices: fit }",
    tests: ['sidebar/page/connection/pasted.test.ts'],
  },
  {
    file: 'page/connection/pasted.ts',
    words: 'The address of the API documentation is taken for that of the API.',
    from: '(TO_CALL.test(said) && !isRead)',
    to: 'TO_CALL.test(said)',
    tests: ['sidebar/page/connection/pasted.test.ts'],
  },
];
