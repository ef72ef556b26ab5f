// Of hostile replies, those that stop nobody: what stops a key would end the attack too soon.

import { createRandom, seedFrom } from 'apps-script-host/random';
import { rateSignal } from '../../src/service/rate-headers';
import { interpret, receive } from '../../src/service/response';
import { type HostileReply, hostileReply, SECRET } from './hostile-replies';

const STANDINGS = ['new', 'new-key', 'known', 'recent'] as const;

const NOW = Date.UTC(2026, 0, 5, 9);

/** The same for a product whenever it is asked. */
export function lastingReply(asin: string): HostileReply {
  for (let attempt = 0; ; attempt++) {
    const reply = hostileReply(createRandom(seedFrom(asin, attempt)), asin);
    const said = receive({ kind: 'response', ...reply }, SECRET, {});
    // What headers say of the rate would only slow everybody down.
    const isSlow =
      said.kind === 'response' && rateSignal(said.headers, said.json, NOW) !== undefined;
    const isFinal = STANDINGS.every((standing) => {
      const read = interpret(said, standing, { asin, market: 'US' }, {}, NOW);
      return read.kind === 'answer' && read.heldAfter === undefined && !isSlow;
    });
    if (isFinal) return reply;
  }
}
