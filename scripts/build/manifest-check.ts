// What the manifest must say: the runtime that reads our script, and no right more than is used.

const SCOPE_PREFIX = 'https://www.googleapis.com/auth/';
const SCOPES: readonly string[] = [
  'script.container.ui',
  'script.external_request',
  'script.scriptapp',
  'spreadsheets.currentonly',
];

/** Throws with a plain sentence at the first fault. */
export function checkManifest(text: string): void {
  const manifest: unknown = JSON.parse(text);
  const of = (name: string): unknown =>
    manifest instanceof Object ? Reflect.get(manifest, name) : undefined;
  if (of('runtimeVersion') !== 'V8') throw new Error('appsscript.json: runtimeVersion must be V8');
  const scopes = of('oauthScopes');
  const asked = (Array.isArray(scopes) ? scopes : []).map(String).sort();
  const expected = SCOPES.map((scope) => SCOPE_PREFIX + scope).sort();
  if (asked.join() !== expected.join())
    throw new Error(`appsscript.json must ask for exactly these scopes: ${SCOPES.join(', ')}`);
}
