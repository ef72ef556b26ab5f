// Of hostile replies, those that stop nobody: what stops a key would end the attack too soon.

import { createRandom, seedFrom } from 'apps-script-host/random';
import { interpret } from '../../src/service/response';
import { readReply } from '../service/reading';
import { type HostileReply, hostileReply, SECRET } from './hostile-replies';

const NOW = Date.UTC(2026, 0, 5, 9);

/** The same for a product whenever it is asked. */
export function lastingReply(asin: string): HostileReply {
  for (let attempt = 0; ; attempt++) {
    const reply = hostileReply(createRandom(seedFrom(asin, attempt)), asin);
    const read = readReply({ kind: 'response', ...reply }, SECRET, NOW);
    const isFinal = interpret(read, { asin, market: 'US' }, {}, NOW).kind === 'answer';
    // What headers say of the rate would only slow everybody down.
    if (isFinal && (!('signal' in read) || read.signal === undefined)) return reply;
  }
}
