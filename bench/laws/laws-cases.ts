// Jobs over a list under good and bad conditions ("laws"), with the page's own loop.

import { refusalsOf } from '../../playground/api/state';
import type { BenchCase } from '../bulk/bulk-cases';
import type { Bundles } from '../bundles';
import type { Figures } from '../figures';
import { known as knownBulk, tellBulk } from '../gate/bulk';
import { tellCells } from '../gate/cells';
import { bucketOf } from '../gate/quotas';
import type { Strategy, Telling } from '../gate/scenario';
import { asked, runJob } from '../page-job';
import { since } from '../store-calls';
import { BESIDE_CASES } from './beside-cases';
import { LAWS, type Law, type LawName } from './laws';
import { BURST, createListWorld, KEYS, type KeyName, type LawList, RATE } from './list-world';

const ROWS = 1_000;
const LONG_ROWS = 10_000;

/** A list takes about four minutes, a long one 34; one that takes three hours makes no progress. */
const MS_MAX = 3 * 3_600_000;

/** By how much calls may get closer on their way: the host sends within 20 to 300 ms. */
const SQUEEZE_SECONDS = 0.28;

async function tellJob(bundles: Bundles, seed: number, list: LawList): Promise<Figures> {
  const { host, rpc, choice, sandbox, counts, firstRowMs } = await createListWorld(
    bundles,
    seed,
    list,
  );
  const counted = await asked(host, rpc, 'jobs.preview', choice);
  const clickMs = host.nowMs();
  const before = counts();
  const { status, tookMs, shownMs } = await runJob(host, rpc, choice, counted, MS_MAX);
  const after = counts();
  await host.stop();
  const { answered } = status;
  const idealMs = (1_000 * answered * RATE.perSeconds) / RATE.calls;
  const stores = since(before.stores, after.stores);
  return {
    // From the click on Start until the page says that the job is done.
    ratio: tookMs / idealMs,
    firstRowSeconds: ((firstRowMs() ?? clickMs + tookMs) - clickMs) / 1_000,
    firstRowShownSeconds: shownMs / 1_000,
    refused: refusalsOf(sandbox.state()),
    calls: sandbox.state().arrived,
    storeCallsPerCall: stores.gate / answered,
    resultStoreCallsPerRow: stores.results / answered,
    sheetCallsPer1000: (1_000 * (after.sheet - before.sheet)) / answered,
    errors: list.rows - answered,
  };
}

/**
 * The best possible ratio: everything sent within a second plus the squeeze may arrive within one
 * second.
 */
const BEST_RATIO = { burst: 1, plain: 1 + SQUEEZE_SECONDS / RATE.perSeconds, spaced: 1 };

/**
 * The part of a run that peers have: a list without a sheet, and a wait in place of each write. A
 * peer cannot continue after a fault, so laws with faults are left out.
 */
async function tellPeerRun(telling: Telling, law: Law, key: KeyName): Promise<Figures> {
  const { quota } = KEYS[key];
  const known = knownBulk(RATE.calls, 1, ROWS);
  const told = { ...known.quota, burst: key === 'burst' ? BURST : 1 };
  return tellBulk({ ...known, quota: told, counted: quota, law }, telling);
}

function lawCase(law: LawName, key: KeyName): BenchCase {
  const name = `${law}-${key}`;
  const rules: Law = LAWS[law];
  const list = { law: rules, key, rows: ROWS };
  return {
    name,
    ideal: { ratio: BEST_RATIO[key], refused: 0, errors: 0 },
    tell: async (bundles, seed) => ({ [name]: await tellJob(bundles, seed, list) }),
    ...(rules.faults === undefined && {
      tellPeer: async (bundles, seed, strategy) => ({
        [name]: await tellPeerRun({ bundles, seed, strategy }, rules, key),
      }),
    }),
  };
}

/** A list of ten thousand rows with a stated burst. */
function longCase(law: LawName): BenchCase {
  const name = `${law}-10k`;
  const list = { law: LAWS[law], key: 'burst', rows: LONG_ROWS } as const;
  return {
    name,
    ideal: { ratio: 1, refused: 0, errors: 0 },
    tell: async (bundles, seed) => ({ [name]: await tellJob(bundles, seed, list) }),
  };
}

/** A thousand formulas at once in place of a job. */
function cellsCase(law: LawName): BenchCase {
  const name = `${law}-cells`;
  const tell = async (bundles: Bundles, seed: number, strategy: Strategy = 'addOn') => ({
    [name]: await tellCells(bucketOf(RATE.calls), { bundles, seed, strategy }, { law: LAWS[law] }),
  });
  return {
    name,
    ideal: { ratio: 1, refused: 0, errors: 0, waiting: 0 },
    tell,
    tellPeer: tell,
  };
}

const EVERY_LAW = Object.keys(LAWS) as LawName[];

export const LAWS_CASES: readonly BenchCase[] = [
  ...EVERY_LAW.flatMap((law) => [lawCase(law, 'burst'), lawCase(law, 'plain'), cellsCase(law)]),
  longCase('base'),
  longCase('service-4s'),
  longCase('slow-stores'),
  lawCase('base', 'spaced'),
  lawCase('service-1500ms', 'spaced'),
  ...BESIDE_CASES,
];
