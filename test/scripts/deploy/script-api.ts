// A stand-in on this machine for the part of Google's Apps Script API that a push and a pull use.
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { selfSigned } from './certificate';

export interface ScriptFile {
  readonly name: string;
  readonly type: string;
  readonly source: string;
}

export interface Push {
  readonly path: string;
  readonly authorization: string;
  readonly files: readonly ScriptFile[];
}

export interface ScriptApi {
  /** Where a client must send its tunnels, and the certificate it must trust. */
  readonly proxyUrl: string;
  readonly certificate: string;
  /** Every PUT that came, refused ones too. */
  readonly pushes: () => readonly Push[];
  /** Lets what is stored differ from what was sent, as a fault on the way would. */
  corrupt(change: (files: readonly ScriptFile[]) => readonly ScriptFile[]): void;
  stop(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

const HOSTS = '.googleapis.com';

function listen(server: Server): Promise<number> {
  return new Promise((settle) => {
    server.listen(0, '127.0.0.1', () => settle((server.address() as AddressInfo).port));
  });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

/** The real API refuses a project without its manifest; clasp itself sends one without a word. */
function hasManifest(files: readonly ScriptFile[]): boolean {
  return files.some(({ name, type }) => name === 'appsscript' && type === 'JSON');
}

function createProject() {
  const pushes: Push[] = [];
  let stored: readonly ScriptFile[] = [];
  let onTheWay = (files: readonly ScriptFile[]): readonly ScriptFile[] => files;

  const answer = async (request: IncomingMessage): Promise<Reply> => {
    const path = request.url ?? '';
    if (!/^\/v1\/projects\/[^/]+\/content/.test(path)) return { status: 404, body: {} };
    if (request.method === 'PUT') {
      const { files }: { files: readonly ScriptFile[] } = JSON.parse(await bodyOf(request));
      pushes.push({ path, authorization: request.headers.authorization ?? '', files });
      if (!hasManifest(files)) {
        const message = 'Project contents must include a manifest file named appsscript.';
        return { status: 400, body: { error: { code: 400, message, status: 'INVALID_ARGUMENT' } } };
      }
      stored = onTheWay(files);
    }
    return { status: 200, body: { scriptId: 'any', files: stored } };
  };

  const corrupt = (change: typeof onTheWay): void => {
    onTheWay = change;
  };
  return { answer, corrupt, pushes: () => pushes };
}

/** Opens a tunnel to our own server whatever googleapis.com host is asked for, and to no other. */
function createProxy(httpsPort: number): { readonly server: Server; close(): void } {
  const sockets = new Set<Socket>();
  const server = createHttpServer().on('connect', ({ url }, client: Socket) => {
    if (!(url ?? '').split(':')[0]?.endsWith(HOSTS)) {
      client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const upstream = connect(httpsPort, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => {}));
  });
  return { server, close: () => sockets.forEach((socket) => void socket.destroy()) };
}

export async function startScriptApi(): Promise<ScriptApi> {
  const project = createProject();
  const { key, cert } = selfSigned([`*${HOSTS}`]);
  const google = createHttpsServer({ key, cert }, async (request, response) => {
    const { status, body } = await project.answer(request);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  const proxy = createProxy(await listen(google));
  const port = await listen(proxy.server);
  return {
    proxyUrl: `http://127.0.0.1:${port}`,
    certificate: cert,
    pushes: project.pushes,
    corrupt: project.corrupt,
    stop: async () => {
      proxy.close();
      google.closeAllConnections();
      for (const server of [google, proxy.server])
        await new Promise((settle) => server.close(settle));
    },
  };
}
