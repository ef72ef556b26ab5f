// Claims the spreadsheet for a run that is being started: there is one at a time.

import { about } from '../analysis/about';
import type { Failure } from '../analysis/failure';
import type { SheetPlatform } from '../platform/sheet-ports';
import { clearAbandoned } from './abandoned';
import type { Choice } from './choice';
import { isEnding, isOver, JOB_VERSION, type Job, NO_COUNTS, type Scheduled } from './job';
import type { JobStore } from './job-store';
import type { Layout } from './our-columns';
import type { Plan } from './preflight';
import { runProblem } from './problem';

/** Names of runs: two of one spreadsheet hardly ever share one. */
const IDS = 36 ** 5;

/** One run in a spreadsheet at a time: they would share the key's quota anyway. */
export function claim(
  platform: SheetPlatform,
  store: JobStore,
  { sheet, rule, rows }: Plan,
  { fields, layout }: Pick<Choice, 'fields'> & { readonly layout: Layout | null },
  scheduled: Scheduled | undefined,
): Job | Failure {
  const { clock, random } = platform;
  clearAbandoned(platform, store);
  const nowMs = clock.nowMs();
  const by = store.person();
  const id = Math.floor(random.next() * IDS).toString(36);
  const first: Job = {
    version: JOB_VERSION,
    id,
    by,
    state: 'starting',
    startedMs: nowMs,
    endedMs: null,
    touchedMs: nowMs,
    sheetId: sheet.id,
    sheetName: sheet.name() ?? '',
    // Whoever finds that this start was cut off can take its marks away.
    layout: layout ?? { headerRow: 0, columns: [], others: [] },
    fields,
    market: rule,
    rows: rows.length,
    lanes: 1,
    counters: NO_COUNTS,
    problem: null,
    ...(scheduled === undefined ? {} : { scheduled }),
  };
  const job = store.change((now) => (now !== null && isTaken(now, first, nowMs) ? now : first));
  if (job === undefined) return runProblem('busy');
  if (job?.id === id) return job;
  return elsewhere({ clock }, store);
}

/** Whoever starts again on a sheet while their own start there is not through takes it over: it was cut off. */
function isTaken(job: Job, { by, sheetId }: Job, nowMs: number): boolean {
  const isOwn = job.state === 'starting' && job.by === by && job.sheetId === sheetId;
  return isEnding(job, nowMs) || (!isOver(job, nowMs) && !isOwn);
}

export function elsewhere({ clock }: Pick<SheetPlatform, 'clock'>, store: JobStore): Failure {
  const what = whose(store.read(), store.person(), clock.nowMs());
  return runProblem('elsewhere', what);
}

function whose(job: Job | null, viewer: string, nowMs: number): string {
  if (job === null) return 'somebody else is starting a run in this spreadsheet';
  const who = job.by === viewer ? 'you have' : 'someone else has';
  return (
    `${who} a run over ${job.rows} rows of "${job.sheetName}", started ` +
    `${about(nowMs - job.startedMs)} ago`
  );
}
