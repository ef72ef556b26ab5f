// Hostile replies and hostile cells through their readers, by the hundred thousand: `npm run fuzz -- [--bodies N] [--cells N] [--from N]`.

import { parseArgs } from 'node:util';
import { createRandom, seedFrom } from 'apps-script-host/random';
import type { ConnectionSettings } from '../../src/connection/connection';
import { MARKETS } from '../../src/product/market';
import { decideDialect } from '../../src/service/dialect';
import { receive } from '../../src/service/response';
import { fuzzCells } from '../product/fuzzed-cells';
import { meansOf, readReply } from '../service/reading';
import { type HostileReply, hostileReply, SECRET, secretsIn } from './hostile-replies';
import { faultOf } from './sound';

const ASIN = 'B0XKT7M4QN';
const NOW = Date.UTC(2026, 0, 5, 9);

export function readHostile(
  reply: HostileReply,
  market: (typeof MARKETS)[number] = 'US',
  settings: ConnectionSettings = {},
) {
  const { status, headers, body } = reply;
  const outcome = { kind: 'response', status, headers, body } as const;
  return readReply(outcome, SECRET, { asin: ASIN, market }, NOW, settings);
}

/** What a check decides of a reply and what is then read of it; undefined if it is no answer. */
export function readDecided(reply: HostileReply, market: (typeof MARKETS)[number] = 'US') {
  const { status, headers, body } = reply;
  const received = receive({ kind: 'response', status, headers, body }, SECRET, {});
  if (received.kind !== 'response' || meansOf(received) !== 'answer') return undefined;
  return readHostile(reply, market, decideDialect(received.found.sent, {}).dialect);
}

/** What is wrong with that: what an answer decides must never refuse the same answer. */
function faultDecided(reply: HostileReply, market: (typeof MARKETS)[number]): string | undefined {
  const read = readDecided(reply, market);
  if (read === undefined) return undefined;
  const isRefused = read.kind === 'answer' && !read.answer.ok;
  const isOwn = isRefused && read.answer.failure.kind === 'other-units';
  return isOwn ? 'refused in the units that it decided' : faultIn(read);
}

export const faultIn = (read: ReturnType<typeof readHostile>) => faultOf(read, NOW);

export interface Fuzzed {
  readonly bodies: number;
  readonly analyses: number;
  readonly lies: number;
  readonly withKey: number;
  readonly failures: ReadonlySet<string>;
  /** What came out wrong, each with the number of its reply. */
  readonly thrown: readonly string[];
  readonly wrongProducts: readonly string[];
  readonly unsound: readonly string[];
}

/** The same replies for the same numbers, wherever they are read. */
export function fuzz(bodies: number, from = 0): Fuzzed {
  const failures = new Set<string>();
  let [analyses, lies, withKey] = [0, 0, 0];
  const thrown: string[] = [];
  const wrongProducts: string[] = [];
  const unsound: string[] = [];
  for (let number = from; number < from + bodies; number++) {
    const random = createRandom(seedFrom('hostile reply', number));
    const market = random.pick(MARKETS);
    const reply = hostileReply(random, ASIN, market);
    if (reply.lies) lies += 1;
    if (secretsIn(reply.body) > 0) withKey += 1;
    const words = (fault: string) => `reply ${number}: ${fault}: ${reply.body.slice(0, 500)}`;
    try {
      const read = readHostile(reply, market);
      const isAnalysis = read.kind === 'answer' && read.answer.ok;
      const fault = faultIn(read) ?? faultDecided(reply, market);
      if (fault !== undefined) unsound.push(words(fault));
      if (isAnalysis && reply.lies) wrongProducts.push(words('taken for this product'));
      if (isAnalysis) analyses += 1;
      else if (read.kind === 'answer' && !read.answer.ok) failures.add(read.answer.failure.kind);
      else if ('failure' in read) failures.add(read.failure.kind);
    } catch (error) {
      thrown.push(words(String(error)));
    }
  }
  return { bodies, analyses, lies, withKey, failures, thrown, wrongProducts, unsound };
}

export function fuzzedWords(fuzzed: Fuzzed): string {
  const { bodies, analyses, lies, withKey, failures } = fuzzed;
  return (
    `Fuzz: ${bodies} bodies (${lies} about something else, ${withKey} with the key), ` +
    `${analyses} analyses, ${failures.size} kinds of failure: ${fuzzed.thrown.length} exceptions, ` +
    `${fuzzed.wrongProducts.length} wrong products, ${fuzzed.unsound.length} impossible or unsound`
  );
}

const HELP = `npm run fuzz -- [options]

  --bodies N   hostile replies (default 100000)
  --cells N    hostile cells (default 100000)
  --from S     the number of the first, which is its seed (default 0)
  --help       prints this

Ends with exit code 1 where a reply or a cell throws, or is read as what it is not.`;

function main(): void {
  const type = 'string';
  const help = { type: 'boolean' } as const;
  const options = { bodies: { type }, cells: { type }, from: { type }, help } as const;
  const { values } = parseArgs({ options });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const { bodies = '100000', cells = '100000', from = '0' } = values;
  const fuzzed = fuzz(Number(bodies), Number(from));
  const read = fuzzCells(Number(cells), Number(from));
  const wrong = [...fuzzed.thrown, ...fuzzed.wrongProducts, ...fuzzed.unsound, ...read.wrong];
  for (const one of wrong.slice(0, 20)) console.error(one);
  console.log(fuzzedWords(fuzzed));
  console.log(
    `Fuzz: ${read.cells} cells, ${read.read} read as products, ${read.marked} of them marked: ` +
      `${read.wrong.length} wrong`,
  );
  if (wrong.length > 0 || !(fuzzed.bodies > 0 && read.cells > 0)) process.exitCode = 1;
}

if (require.main === module) main();
