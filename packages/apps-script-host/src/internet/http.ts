// The internet with the machine's clock: real HTTP, but only to this machine.

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Internet, InternetReply, InternetRequest } from './internet';

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * UrlFetchApp accepts answers of up to 50 MB. Reading one byte more shows that an answer is too
 * long.
 */
const BODY_BYTES_READ = 50 * 1024 * 1024 + 1;

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of message) {
    parts.push(part);
    bytes += part.length;
    if (bytes >= BODY_BYTES_READ) break;
  }
  return Buffer.concat(parts);
}

/** Headers by their names as the server wrote them. Several headers of one name become an array. */
function headersOf({ rawHeaders }: IncomingMessage): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (let place = 0; place + 1 < rawHeaders.length; place += 2) {
    const [name = '', value = ''] = rawHeaders.slice(place, place + 2);
    const before = headers[name];
    headers[name] = before === undefined ? value : [before, value].flat();
  }
  return headers;
}

const UNAVAILABLE: InternetReply = { kind: 'fault', fault: 'unavailable', delayMs: 0 };

function send({ url, method, headers, body, timeoutMs }: InternetRequest): Promise<InternetReply> {
  return new Promise((resolve) => {
    const begin = new URL(url).protocol === 'https:' ? httpsRequest : httpRequest;
    const signal = AbortSignal.timeout(timeoutMs);
    const outgoing = begin(url, { method, headers, signal, agent: false }, async (message) => {
      try {
        const received = await bodyOf(message);
        resolve({
          kind: 'answer',
          status: message.statusCode ?? 0,
          headers: headersOf(message),
          body: received,
          delayMs: 0,
        });
      } catch {
        resolve(UNAVAILABLE);
      }
    });
    outgoing.on('error', () => resolve(UNAVAILABLE));
    outgoing.end(body);
  });
}

/** Any other machine behaves as if its name did not exist. */
export const loopbackInternet: Internet = (request) => {
  const { hostname } = new URL(request.url);
  if (LOOPBACK.includes(hostname)) return send(request);
  return { kind: 'fault', fault: 'dns', delayMs: 0 };
};
