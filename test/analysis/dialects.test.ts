// The reader against the sandbox: every dialect of the service is understood, refusals included.

import { describe, expect, it } from '@jest/globals';
import { DIALECTS, type DialectName } from '../../playground/api/dialects';
import { createState, handle, type SandboxState } from '../../playground/api/handle';
import { cellText, type Failure } from '../../src/failures/failure';
import type { Market } from '../../src/product/market';
import { analyzeRequest } from '../../src/service/request';
import { type Interpretation, interpret, readReply } from '../../src/service/response';

const NOW = 1_760_000_000_000;
const MUG = 'B0XKT7M4QN';
const KEY = 'demo-key-5-per-second';

const NAMES = Object.keys(DIALECTS) as DialectName[];

interface Ask {
  readonly asin?: string;
  readonly market?: Market;
  readonly apiKey?: string;
}

/** Asks as the add-on does, and gives what it makes of the reply. */
function ask(state: SandboxState, { asin = MUG, market = 'US', apiKey = KEY }: Ask = {}) {
  const wire = DIALECTS[state.dialect].markets[market];
  const request = analyzeRequest({ baseUrl: 'https://x.example', apiKey }, asin, wire, 12);
  const headers = Object.entries(request.headers).map(([name, v]) => [name.toLowerCase(), v]);
  const handled = handle(
    {
      method: 'POST',
      path: new URL(request.url).pathname,
      headers: {
        ...Object.fromEntries(headers),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams(request.form).toString(),
    },
    state,
    NOW,
  );
  if (handled.reply.kind !== 'answer') throw new Error(handled.reply.kind);
  const reply = readReply({ ...handled.reply, kind: 'response' }, apiKey, NOW);
  return { read: interpret(reply, { asin, market }, {}, NOW), state: handled.state };
}

function figuresOf({ kind, ...rest }: Interpretation) {
  if (kind !== 'answer' || !('answer' in rest) || !rest.answer.ok) throw new Error(kind);
  return rest.answer.analysis.figures;
}

function failureOf(read: Interpretation): Failure | undefined {
  if (read.kind === 'split') return undefined;
  if (read.kind !== 'answer') return read.failure;
  return read.answer.ok ? undefined : read.answer.failure;
}

/** Money of this dialect comes in hundredths, and figures are shown as they are sent. */
const scale = (name: DialectName) => (['hundredths', 'everything'].includes(name) ? 100 : 1);
const isPercent = (name: DialectName) => ['percent', 'bare-percent', 'everything'].includes(name);

describe.each(NAMES)('%s', (name) => {
  const state = createState({ dialect: name });

  it('says what the mug earns', () => {
    const figures = figuresOf(ask(state).read);
    expect(figures.profit).toBeCloseTo(9.85 * scale(name), 6);
    expect(figures.fees).toBeCloseTo(11.64 * scale(name), 6);
    expect(figures.roi).toBeCloseTo(isPercent(name) ? 85.65 : 0.8565, 6);
    expect(figures).toMatchObject({ eligible: true, rank_drops_30d: 66 });
    const hasPrices = !name.startsWith('bare') && name !== 'own-names';
    expect(figures.buy_price).toEqual(hasPrices ? expect.closeTo(11.5 * scale(name), 6) : null);
    expect(figures.sell_price).toEqual(hasPrices ? expect.closeTo(32.99 * scale(name), 6) : null);
  });

  it('sells in the UK as well', () => {
    expect(figuresOf(ask(state, { market: 'UK' }).read).fees).toEqual(expect.any(Number));
  });

  it('never turns what it does not know into a no', () => {
    const { eligible } = figuresOf(ask(state, { asin: 'B0RHV76MZC' }).read);
    expect(eligible).toBeNull();
  });

  it('does not know a product', () => {
    const failure = failureOf(ask(state, { asin: 'B0NOTFOUND' }).read);
    // A 404 without a word could be any web server's: then the address is in doubt.
    expect(failure?.kind).toBe(name === 'silent' ? 'wrong-address' : 'not-found');
  });

  it.each(['demo-key-revoked', 'nobodys-key'])('refuses the key %s, for everybody', (apiKey) => {
    const { read } = ask(state, { apiKey });
    expect(read).toMatchObject({ kind: 'end', stop: { reason: 'key-refused' } });
  });

  it('is too fast at the eleventh call at once, and everybody stops', () => {
    let now = state;
    for (let i = 0; i < 10; i++) now = ask(now).state;
    const { read } = ask(now);
    expect(read).toMatchObject({ kind: 'again', failure: { kind: 'waiting' } });
    const untilMs = 'stop' in read ? (read.stop?.untilMs ?? 0) : 0;
    // A token drips in every 200 ms; a stop is as long as the service says, else five seconds.
    expect(untilMs - NOW).toBeGreaterThanOrEqual(200);
    expect(untilMs - NOW).toBeLessThanOrEqual(5_000);
  });

  it('never lets the key into a text', () => {
    for (const asin of [MUG, 'B0NOTFOUND', 'B0FAULT500', 'B0FAULT502', 'B0HTMLPAGE']) {
      const failure = failureOf(ask(state, { asin }).read);
      if (failure !== undefined) expect(cellText(failure)).not.toContain(KEY);
    }
  });
});

describe('a used-up plan', () => {
  it.each(NAMES)('is told from other refusals in %s', (name) => {
    const { read } = ask(createState({ dialect: name }), { apiKey: 'demo-key-out-of-plan' });
    expect(read).toMatchObject({ kind: 'end', stop: { reason: 'plan-used-up' } });
  });
});
