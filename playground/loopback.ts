// Servers for this machine alone: the address they listen on, and whose requests they answer.
import type { IncomingHttpHeaders } from 'node:http';

export const LOOPBACK = '127.0.0.1';

const OWN_HOST = /^(127\.0\.0\.1|localhost)(:\d+)?$/i;

/**
 * Whether a request names this machine, and comes from a page of the same server where it comes from a
 * page: the name of another site may be made to lead here (DNS rebinding), and its pages must not.
 */
export function isOwn({ host = '', origin }: IncomingHttpHeaders): boolean {
  return OWN_HOST.test(host) && (origin === undefined || origin === `http://${host}`);
}
