// Of hostile replies, those that stop nobody: what stops a key would end the attack too soon.

import { createRandom, seedFrom } from 'apps-script-host/random';
import { interpret } from '../../src/service/response';
import { readReply } from '../service/reading';
import { type HostileReply, hostileReply, SECRET } from './hostile-replies';

const STANDINGS = ['new', 'known', 'recent'] as const;

const NOW = Date.UTC(2026, 0, 5, 9);

/** The same for a product whenever it is asked. */
export function lastingReply(asin: string): HostileReply {
  for (let attempt = 0; ; attempt++) {
    const reply = hostileReply(createRandom(seedFrom(asin, attempt)), asin);
    const isFinal = STANDINGS.every((standing) => {
      const said = readReply({ kind: 'response', ...reply }, SECRET, NOW, standing);
      const read = interpret(said, { asin, market: 'US' }, {}, NOW);
      // What headers say of the rate would only slow everybody down.
      const isSlow = 'signal' in said && said.signal !== undefined;
      return read.kind === 'answer' && read.heldAfter === undefined && !isSlow;
    });
    if (isFinal) return reply;
  }
}
