// Faults of the playground's servers, which are for one machine alone.
import type { Fault } from '../fault';

export const PLAYGROUND_FAULTS: readonly Fault[] = [
  {
    file: 'web/page-server.ts',
    words: "The playground's page answers whatever name leads to it, so other sites may read it.",
    from: 'if (isOwn(request.headers)) serve(',
    to: 'if (request.headers) serve(',
    tests: ['playground/web/page-server.test.ts'],
    named: 'is refused by both servers',
  },
  {
    file: 'web/page-server.ts',
    words: "The playground's page listens on every address of the machine.",
    from: 'server.listen(options.port, LOOPBACK, resolve);',
    to: "server.listen(options.port, '0.0.0.0', resolve);",
    tests: ['playground/web/page-server.test.ts'],
    named: 'outside of loopback',
  },
  {
    file: 'api/server.ts',
    words: 'The sandbox listens on every address of the machine.',
    from: 'server.listen(options.port ?? 0, LOOPBACK, resolve);',
    to: "server.listen(options.port ?? 0, '0.0.0.0', resolve);",
    tests: ['playground/web/page-server.test.ts'],
    named: 'outside of loopback',
  },
  {
    file: 'loopback.ts',
    words: "A page of another site may talk to the playground's script.",
    from: '(origin === undefined || origin === `http://${host}`)',
    to: "(origin !== '')",
    tests: ['playground/web/page-server.test.ts'],
    named: 'a request of somebody else',
  },
];
