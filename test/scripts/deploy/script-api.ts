// A local imitation of the parts of Google's APIs that a deployment uses: scripts, Drive, logins.
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

export interface DeployedVersion {
  readonly deploymentId: string;
  /** None: the deployment that always has the newest contents. */
  readonly versionNumber?: number;
  readonly description?: string;
}

export interface ScriptApi {
  /** Where a client must send its tunnels, and the certificate it must trust. */
  readonly proxyUrl: string;
  readonly certificate: string;
  /** Every PUT of contents that came, refused ones too. */
  readonly pushes: () => readonly Push[];
  /** Spreadsheets that were made, by their id. */
  readonly spreadsheets: () => readonly string[];
  /** Of a script that is there, what belongs to it. */
  readonly scripts: () => ReadonlyMap<string, Readonly<StoredScript>>;
  /** A script that this account may edit. */
  addScript(scriptId: string): void;
  /** The switch in the account's settings. */
  switchOff(): void;
  /** Google takes no token any more. */
  revokeLogin(): void;
  /** Lets what is stored differ from what was sent, as a fault on the way would. */
  corrupt(change: (files: readonly ScriptFile[]) => readonly ScriptFile[]): void;
  /** Somebody saves this in the editor just before the next version is made. */
  saveBeforeVersion(files: readonly ScriptFile[]): void;
  stop(): Promise<void>;
}

interface StoredScript {
  readonly title: string;
  readonly parentId?: string;
  files: readonly ScriptFile[];
  /** What each version holds, from version 1 on. */
  readonly versions: (readonly ScriptFile[])[];
  readonly deployments: DeployedVersion[];
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

const HOSTS = '.googleapis.com';

/** One for all: a client reads once which certificates it trusts. */
const CERTIFICATE = selfSigned([`*${HOSTS}`]);

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

const refusal = (code: number, status: string, message: string, reason: string): Reply => ({
  status: code,
  body: { error: { code, message, status, errors: [{ message, domain: 'global', reason }] } },
});

/** As google/clasp quotes it in its issue 973. */
const SWITCHED_OFF = refusal(
  403,
  'PERMISSION_DENIED',
  'User has not enabled the Apps Script API. Enable it by visiting ' +
    'https://script.google.com/home/usersettings then retry. If you enabled this API recently, ' +
    'wait a few minutes for the action to propagate to our systems and retry.',
  'forbidden',
);
const NOT_FOUND = refusal(404, 'NOT_FOUND', 'Requested entity was not found.', 'notFound');

/** What Google puts into a new project. */
const NEW_FILES: readonly ScriptFile[] = [
  { name: 'appsscript', type: 'JSON', source: '{"timeZone":"America/New_York"}' },
  { name: 'Code', type: 'SERVER_JS', source: 'function myFunction() {\n\n}\n' },
];

const newScript = (title: string, parentId?: string): StoredScript => ({
  title,
  ...(parentId === undefined ? {} : { parentId }),
  files: NEW_FILES,
  versions: [],
  deployments: [{ deploymentId: 'head' }],
});

function createGoogle() {
  const pushes: Push[] = [];
  const spreadsheets: string[] = [];
  const scripts = new Map<string, StoredScript>();
  let saved: readonly ScriptFile[] | null = null;
  let isOn = true;
  let isLoggedIn = true;
  let onTheWay = (files: readonly ScriptFile[]): readonly ScriptFile[] => files;

  const content = (script: StoredScript, path: string, version: string | null): Reply => {
    const files = version === null ? script.files : script.versions[Number(version) - 1];
    return files === undefined ? NOT_FOUND : { status: 200, body: { scriptId: path, files } };
  };

  const putContent = (script: StoredScript, push: Push): Reply => {
    pushes.push(push);
    if (!hasManifest(push.files)) {
      const message = 'Project contents must include a manifest file named appsscript.';
      return refusal(400, 'INVALID_ARGUMENT', message, 'badRequest');
    }
    script.files = onTheWay(push.files);
    return { status: 200, body: { files: script.files } };
  };

  const deploy = (script: StoredScript, id: string | undefined, config: DeployedVersion): Reply => {
    const { versionNumber, description = '' } = config;
    if (versionNumber === undefined || script.versions[versionNumber - 1] === undefined)
      return refusal(
        400,
        'INVALID_ARGUMENT',
        'Request contains an invalid argument.',
        'badRequest',
      );
    const at = script.deployments.findIndex(({ deploymentId }) => deploymentId === id);
    if (id !== undefined && at < 0) return NOT_FOUND;
    const deploymentId = id ?? `deployment-${script.deployments.length}`;
    const made = { deploymentId, versionNumber, description };
    if (id === undefined) script.deployments.push(made);
    else script.deployments[at] = made;
    return { status: 200, body: asDeployment(made) };
  };

  const create = ({ title, parentId }: { title: string; parentId?: string }): Reply => {
    const scriptId = `new-script-${scripts.size + 1}`;
    scripts.set(scriptId, newScript(title, parentId));
    return { status: 200, body: { scriptId, title, parentId } };
  };

  const ofScript = async (request: IncomingMessage, url: URL): Promise<Reply> => {
    const [, scriptId = '', what, id] = url.pathname.split('/').slice(2);
    const script = scripts.get(scriptId);
    if (script === undefined) return NOT_FOUND;
    const sent = request.method === 'GET' ? null : JSON.parse((await bodyOf(request)) || '{}');
    if (what === 'content' && sent === null)
      return content(script, scriptId, url.searchParams.get('versionNumber'));
    if (what === 'content') {
      const authorization = request.headers.authorization ?? '';
      return putContent(script, { path: url.pathname, authorization, files: sent.files });
    }
    if (what === 'versions') {
      script.files = saved ?? script.files;
      script.versions.push(script.files);
      return { status: 200, body: { scriptId, versionNumber: script.versions.length } };
    }
    if (what !== 'deployments') return NOT_FOUND;
    if (sent !== null) return deploy(script, id, sent.deploymentConfig ?? sent);
    return { status: 200, body: { deployments: script.deployments.map(asDeployment) } };
  };

  const answer = async (request: IncomingMessage): Promise<Reply> => {
    const url = new URL(request.url ?? '', `https://${request.headers.host}`);
    if (url.pathname === '/token')
      return isLoggedIn
        ? { status: 200, body: { access_token: 'test-access', expires_in: 3599 } }
        : { status: 400, body: { error: 'invalid_grant', error_description: 'Bad Request' } };
    if (url.pathname === '/oauth2/v2/userinfo')
      return { status: 200, body: { email: 'owner@example.com', id: '1' } };
    if (!isLoggedIn) return refusal(401, 'UNAUTHENTICATED', 'Invalid Credentials', 'authError');
    if (url.pathname === '/drive/v3/files' && request.method === 'POST') {
      const id = `spreadsheet-${spreadsheets.length + 1}`;
      spreadsheets.push(id);
      return { status: 200, body: { id } };
    }
    if (!url.pathname.startsWith('/v1/projects')) return { status: 404, body: {} };
    if (!isOn) return SWITCHED_OFF;
    if (url.pathname !== '/v1/projects') return ofScript(request, url);
    return create(JSON.parse(await bodyOf(request)));
  };

  return {
    answer,
    pushes: () => pushes,
    spreadsheets: () => spreadsheets,
    scripts: () => scripts,
    addScript: (scriptId: string) => void scripts.set(scriptId, newScript('Known')),
    switchOff: () => {
      isOn = false;
    },
    revokeLogin: () => {
      isLoggedIn = false;
    },
    corrupt: (change: typeof onTheWay) => {
      onTheWay = change;
    },
    saveBeforeVersion: (files: readonly ScriptFile[]) => {
      saved = files;
    },
  };
}

const asDeployment = ({ deploymentId, ...config }: DeployedVersion) => ({
  deploymentId,
  deploymentConfig: { ...config, manifestFileName: 'appsscript' },
});

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
  const { answer, ...known } = createGoogle();
  const { key, cert } = CERTIFICATE;
  const google = createHttpsServer({ key, cert }, async (request, response) => {
    const { status, body } = await answer(request);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  const proxy = createProxy(await listen(google));
  const port = await listen(proxy.server);
  return {
    proxyUrl: `http://127.0.0.1:${port}`,
    certificate: cert,
    ...known,
    stop: async () => {
      proxy.close();
      google.closeAllConnections();
      for (const server of [google, proxy.server])
        await new Promise((settle) => server.close(settle));
    },
  };
}
