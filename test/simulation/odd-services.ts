// Jobs over lists with services as they are: outages in words, in silence and of the key, single refusals,
// products that are never answered or always rejected, and limits that change. Every run ends, and costs at most two calls for each product.

import type { HostOptions } from 'apps-script-host/host-contract';
import type { SandboxReply } from 'apps-script-host/internet/sandboxed';
import { createRandom, seedFrom } from 'apps-script-host/random';
import { connect, createBook, LIST, rowOf } from './book';
import type { Plan, WorldReport } from './bulk';
import { analyze, createDesk } from './page';
import { seenRows } from './seen';
import { ASINS } from './service';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** Waves of at most ten: what is lost with one that breaks stays a small part of the list. */
const QUOTAS = [
  { calls: 5, perSeconds: 1, burst: 10 },
  { calls: 10, perSeconds: 1, burst: 20 },
  { calls: 60, perSeconds: 60, burst: 10 },
];

const answer = (status: number, body: unknown): SandboxReply => ({
  ...{ kind: 'answer', status, headers: { 'content-type': 'application/json' } },
  body: JSON.stringify(body),
  delayMs: 0,
});

/** What a single call gets now and then, whatever it asks for. */
const HICCUPS: readonly SandboxReply[] = [
  answer(500, { error: 'internal error' }),
  answer(502, { error: 'bad gateway' }),
  answer(503, {}),
  answer(429, { error: 'Too many requests' }),
  answer(401, { error: 'Invalid API key' }),
];

const REJECTED = answer(400, { error: 'This ASIN cannot be analyzed' });

/** What every call gets for a while. */
const OUTAGES: readonly SandboxReply[] = [
  answer(500, {}),
  answer(503, { error: 'maintenance' }),
  answer(401, { error: 'Invalid API key' }),
  { kind: 'silence' },
];

const times = ({ calls, perSeconds, burst }: (typeof QUOTAS)[number], factor: number) => {
  return { calls: Math.ceil(calls * factor), perSeconds, burst: Math.ceil(burst * factor) };
};

/** What is drawn of a service. */
function drawn(seed: number) {
  const random = createRandom(seedFrom(seed, 'odd service'));
  const list = ASINS.slice(0, random.integer(40, 90));
  const some = (most: number) =>
    new Set(Array.from({ length: random.integer(0, most) }, () => random.pick(list)));
  const outageMs = random.chance(0.4) ? random.integer(5 * SECOND_MS, 8 * MINUTE_MS) : 0;
  const quota = random.pick(QUOTAS);
  return {
    list,
    quota,
    silent: some(2),
    rejected: some(8),
    isReset: random.chance(0.5),
    outage: { afterMs: random.integer(0, 20 * SECOND_MS), ms: outageMs },
    outageReply: random.pick(OUTAGES),
    hiccups: random.pick([0, 0, 0.01, 0.03]),
    other: times(quota, random.pick([0.5, 2])),
    changesMs: random.chance(0.3) ? random.integer(0, MINUTE_MS) : null,
    random,
  };
}

/** A job over a list with a service that is drawn by the seed. */
export function oddService(dist: HostOptions['dist'], seed: number): Plan {
  const name = `odd service ${seed}`;
  return { name, run: async () => ({ name, ...(await play(dist, seed)) }) };
}

const START_MS = Date.UTC(2026, 2, 2, 9);

async function play(dist: HostOptions['dist'], seed: number): Promise<Omit<WorldReport, 'name'>> {
  const { list, silent, rejected, outage, hiccups, random, ...law } = drawn(seed);
  const dead: SandboxReply = law.isReset ? { kind: 'reset', delayMs: 0 } : { kind: 'silence' };
  let firstMs: number | null = null;
  let hasAnswered = false;
  let calls = 0;
  const book = createBook({
    ...{ dist, seed, startMs: START_MS, rows: list.map(rowOf), quota: law.quota },
    ...(law.changesMs !== null && {
      changed: { fromMs: START_MS + law.changesMs, quota: law.other },
    }),
    spoil(asin, nowMs) {
      firstMs ??= nowMs;
      calls += 1;
      // A run that would never end is told as one of too many calls.
      if (calls > 10 * list.length) return undefined;
      const sinceMs = nowMs - firstMs - outage.afterMs;
      if (sinceMs >= 0 && sinceMs < outage.ms) return law.outageReply;
      if (silent.has(asin)) return dead;
      if (rejected.has(asin)) return REJECTED;
      // What is refused before it has ever answered counts as refused.
      if (hasAnswered && random.chance(hiccups)) return random.pick(HICCUPS);
      hasAnswered = true;
      return undefined;
    },
  });
  connect(book, undefined, {}, { quota: law.quota });
  const desk = createDesk(book, createRandom(seedFrom(seed, 'desk')));
  const page = desk.open();
  const { status, problem } = await desk.until(analyze(page));
  const most = 2 * list.length;
  const ended = [
    ...(status?.state === 'done' ? [] : [`it ended ${status?.state}: ${problem}`]),
    ...(calls <= most ? [] : [`${calls} calls for ${list.length} products`]),
  ];
  const wanted = (asin: string) =>
    silent.has(asin) ? 'No answer' : rejected.has(asin) ? 'Rejected' : 'OK';
  const others = () =>
    seenRows(book.grid, LIST).filter(
      ({ product, status: word }) => word !== wanted(product.slice(0, 10)),
    );
  // Some may have met a silent service, or an outage at the end: a person tries them again once it is over.
  const missing = others();
  if (missing.length > 0 && missing.every(({ status: word }) => word === 'No answer')) {
    await desk.until(page.pause(outage.ms));
    await desk.until(analyze(desk.open()));
  }
  return {
    calls,
    wrongs: [...ended, ...others().map(({ product, status: word }) => `${product} has "${word}"`)],
  };
}
