// For servers that only this machine may use: the address they listen on, and whose requests they
// answer.
import type { IncomingHttpHeaders } from 'node:http';

export const LOOPBACK = '127.0.0.1';

const OWN_HOST = /^(127\.0\.0\.1|localhost)(:\d+)?$/i;

/**
 * Whether a request names this machine and, if it comes from a page, whether that page is from the
 * same server. The name of another site can be made to point here (DNS rebinding), and that site's
 * pages must not get answers.
 */
export function isOwn({ host = '', origin }: IncomingHttpHeaders): boolean {
  return OWN_HOST.test(host) && (origin === undefined || origin === `http://${host}`);
}
