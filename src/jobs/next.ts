// The lists that are analyzed once the job before them has ended.

import { openEngine } from '../engine/doors';
import { type Failure, isFailure, runProblem } from '../failures/failure';
import type { Platform } from '../google/platform';
import { unlessBusy } from '../google/service-call';
import { sheetById } from '../google/spreadsheet';
import type { Choice } from '../list/choice';
import { productsOf } from '../list/rows';
import { taggedList } from '../list/tagged-list';
import { ensureClock } from './clock';
import {
  atRest,
  dueNext,
  type Job,
  type JobAtWork,
  jobStore,
  type NextJob,
  nextElsewhere,
  withNext,
} from './job';
import { chosenList, startJob } from './start';
import { drainQueue } from './work';

/** Lists that may wait at a time, each market by itself: the record has room for them. */
const WAITING_MAX = 4;

/** Products of selected rows that may wait, of all lists together: the record keeps the key of each. */
const SELECTED_MAX = 200;

const selectedIn = (choices: readonly Choice[]): number =>
  choices.reduce((all, { rows }) => all + (rows.kind === 'products' ? rows.products.length : 0), 0);

/** What is selected or visible may be other rows once the job begins, so that its products are noted. */
function lasting(platform: Platform, choice: Choice): Choice | Failure {
  if (choice.rows.kind !== 'selection' && choice.rows.kind !== 'visible') return choice;
  const engine = openEngine(platform, 'list');
  if (isFailure(engine)) return engine;
  const chosen = chosenList(engine, choice);
  if (isFailure(chosen)) return chosen;
  return { ...choice, rows: { kind: 'products', products: [...productsOf(chosen.rows).keys()] } };
}

/**
 * Has lists follow a job, whether or not it is over by now.
 *
 * @param chosen of this sheet, in turn; none: nothing of it is to follow the job any more.
 */
export function queueNext(
  platform: Platform,
  jobId: string,
  sheetId: number,
  chosen: readonly Choice[],
): JobAtWork | Failure {
  const choices: Choice[] = [];
  for (const choice of chosen) {
    const lasts = lasting(platform, choice);
    if (isFailure(lasts)) return lasts;
    choices.push(lasts);
  }
  const store = jobStore(platform);
  const by = store.person();
  const sheetName = sheetById(sheetId)?.name() ?? '';
  let problem: Failure | null = null;
  const work = store.change(jobId, (job) => {
    const elsewhere = nextElsewhere(job, sheetId);
    const listId = job.sheetId === sheetId ? { listId: job.listId } : {};
    const mine = choices.map((choice) => ({ by, sheetName, choice, ...listId }));
    const theirs = mine.length > 0 ? elsewhere.find((waiting) => waiting.by !== by) : undefined;
    const next = [...elsewhere, ...mine];
    if (theirs !== undefined)
      problem = runProblem(
        'run-in-progress',
        `someone else’s analysis of "${theirs.sheetName}" comes next`,
      );
    else if (mine.length > 0 && next.length > WAITING_MAX)
      problem = runProblem('run-in-progress', `${elsewhere.length} analyses wait already`);
    else if (selectedIn(next.map(({ choice }) => choice)) > SELECTED_MAX)
      problem = runProblem(
        'no-matching-rows',
        `at most ${SELECTED_MAX} products of selected rows can wait`,
      );
    return atRest(problem === null ? withNext(job, next) : job);
  });
  if (isFailure(work) || choices.length === 0) return work;
  if (problem !== null) return problem;
  // The clock begins it if the page is closed by then.
  unlessBusy(() => ensureClock(platform));
  return work;
}

/** Failures after which it is tried again: another execution works on the sheet, or has begun a job. */
const COMES_AGAIN: readonly string[] = ['busy', 'run-in-progress', 'sheet-busy'];

interface BegunNext extends JobAtWork {
  readonly choice: Choice;
}

/** Begins what this person wants next; null: there is nothing. What cannot begin is given up. */
export function beginNext(platform: Platform): BegunNext | null | Failure {
  const store = jobStore(platform);
  const job = store.read();
  const next = dueNext(job, store.person(), platform.clock.nowMs());
  if (job === null || next === null) return null;
  const engine = openEngine(platform, 'list');
  if (isFailure(engine)) return engine;
  const choice = choiceNow(next);
  const begun = startJob(platform, engine, choice);
  const isForGood = isFailure(begun) && begun.kind === 'run' && !COMES_AGAIN.includes(begun.why);
  if (isForGood) store.change(job.id, (now) => atRest(withNext(now, (now.next ?? []).slice(1))));
  return isFailure(begun) ? begun : { ...begun, choice };
}

/** The job before it has tagged the list, which may stand elsewhere by now, below titles of its own. */
function choiceNow({ choice, listId }: NextJob): Choice {
  const list = listId === undefined ? null : taggedList({ sheetId: choice.sheetId, listId });
  if (list === null) return choice;
  const { productTitle: _, ...rest } = choice;
  return { ...rest, headerRow: list.headerRow, productColumn: list.productColumn };
}

/** The same for the clock, which works on it until the time is up. */
export function workOnNext(platform: Platform, untilMs: number): Job | null | Failure {
  const begun = beginNext(platform);
  return begun === null || isFailure(begun) ? begun : drainQueue(platform, begun, untilMs);
}
