// Reads a market from what people type: codes, country names, shop addresses, marketplace ids.

import { type Failure, fail } from '../failures/failure';

export type Market = 'US' | 'UK';

/** Every accepted spelling, lower case. The ids are those of Amazon's selling-partner interface. */
const SPELLINGS: ReadonlyMap<string, Market> = new Map([
  ...['us', 'usa', 'u.s.', 'united states', 'com', '.com', 'amazon.com', 'atvpdkikx0der'].map(
    (text) => [text, 'US'] as const,
  ),
  ...[
    'uk',
    'gb',
    'gbr',
    'u.k.',
    'united kingdom',
    'great britain',
    'co.uk',
    '.co.uk',
    'amazon.co.uk',
    'a1f83g8c2aro7p',
  ].map((text) => [text, 'UK'] as const),
]);

/** The market that `input` names, or a `bad-market` failure. A blank input is the caller's default. */
export function readMarket(input: unknown): Market | Failure {
  const text = String(input ?? '').trim();
  const address = text.toLowerCase().replace(/^https?:\/\//, '');
  const host = address.replace(/\/.*$/, '').replace(/^(www|m|smile)\./, '');
  return SPELLINGS.get(host) ?? fail({ kind: 'bad-market', input: text.slice(0, 40) });
}

/** The market an Amazon host sells on; null for every other host, also for Amazon in other lands. */
export function marketOfHost(host: string): Market | null {
  const shop = host.toLowerCase().replace(/^(www|m|smile)\./, '');
  if (shop === 'amazon.com') return 'US';
  return shop === 'amazon.co.uk' ? 'UK' : null;
}
