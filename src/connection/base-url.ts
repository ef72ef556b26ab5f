// Base URLs: which addresses a key may be sent to, and their one written form.

export type BaseUrlReading =
  | { readonly ok: true; readonly baseUrl: string }
  | { readonly ok: false; readonly what: string };

/** Scheme, host (name or IPv4), optional port, optional path. There is no `URL` in Apps Script. */
const ADDRESS = /^(https?):\/\/([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(:\d{1,5})?(\/[\w./~%-]*)?$/i;

const LOOPBACK = /^(127\.0\.0\.1|localhost)$/i;

/**
 * The address in its one written form: lower-case host, no slash at the end, without the path of an
 * endpoint that was pasted along, however often. The written form reads as itself, since a stored key
 * is kept only for the same address. Only https, so that the key is never sent in clear.
 *
 * @param loopbackAllowed also `http://127.0.0.1:PORT`; true in the playground's build alone.
 */
export function readBaseUrl(input: string, loopbackAllowed: boolean): BaseUrlReading {
  const text = input.trim();
  if (text === '') return no('the address is missing. It begins with https://');
  const parts = ADDRESS.exec(text);
  if (parts === null) return no('this is not a web address. It begins with https://');
  const [, scheme = '', host = '', port = '', path = ''] = parts;
  const loopback = LOOPBACK.test(host);
  if (loopback && !loopbackAllowed) return no('this address is on your own computer');
  if (!loopback && scheme.toLowerCase() !== 'https')
    return no('the address must begin with https://, so that nobody can read your key on the way');
  if (!loopback && !host.includes('.')) return no('this is not a full web address');
  const root = path.replace(/(\/+v1(\/+analyze)?)*\/*$/, '');
  return { ok: true, baseUrl: `${scheme.toLowerCase()}://${host.toLowerCase()}${port}${root}` };
}

function no(what: string): BaseUrlReading {
  return { ok: false, what };
}
