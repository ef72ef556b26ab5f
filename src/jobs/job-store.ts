// Where jobs are stored: the record, the history, the person's name, and the sign by which executions
// that ask learn of a command.

import * as z from 'zod/mini';
import { drawName, type Platform, RECORD_LOCK_WAIT_MS } from '../google/platform';
import { lazySchema, listText, storedItems, storedJson } from '../schema/stored-record';
import {
  type EndedJob,
  endedJobSchema,
  failedProducts,
  isOver,
  type Job,
  jobSchema,
  parseJob,
} from './job';

const JOB_NAME = 'job';
const HISTORY_NAME = 'job-history';
const PERSON_NAME = 'person';
const COMMAND_NAME = 'job:command';

/** A property holds 9 KB. */
export const JOBS_KEPT = 20;

/** Longer than an execution that asks can live. */
const SIGN_SECONDS = 3_600;

/** Records of jobs that are kept for longer than the cache keeps anything, with the schema of each. */
export const jobsKept = lazySchema(() => ({
  [JOB_NAME]: jobSchema(),
  [HISTORY_NAME]: endedJobSchema(),
}));

export interface Signs {
  /** A command has ended the asking. */
  readonly isHalted: boolean;
  /** How many products in a row the service has failed for. */
  readonly serviceFailures: number;
}

export interface JobStore {
  read(): Job | null;
  /**
   * Replaces the record. The caller holds the document's lock. A job that has ended gets its place in
   * the history.
   */
  write(job: Job, before: Job | null): void;
  /** What executions that ask tell each other. Costs one cache call. */
  signs(jobId: string): Signs;
  /**
   * The latest command that ended a job's asking, for who asks before the job is known; empty: none.
   * Costs one cache call.
   */
  latestCommand(): string;
  /** @param inARow see `Signs`. */
  noteServiceFailures(jobId: string, inARow: number): void;
  history(): readonly EndedJob[];
  /** The name of this person, drawn when first asked for and always the same. */
  person(): string;
}

export function jobStore({ documentStore, userStore, cache, random }: Platform): JobStore {
  const signName = (jobId: string) => `job:${jobId}`;
  const failuresName = (jobId: string) => `job:${jobId}:failures`;
  const history = () => storedItems(documentStore.read(HISTORY_NAME), endedJobSchema());

  return {
    read: () => parseJob(documentStore.read(JOB_NAME)),
    history,
    write(job, before) {
      const text = JSON.stringify(job);
      if (job.state !== before?.state) {
        const command = { [COMMAND_NAME]: `${job.state} ${job.id} ${job.touchedMs}` };
        const signs = { [signName(job.id)]: job.state, ...(job.state !== 'running' && command) };
        cache.putAll(signs, SIGN_SECONDS);
      }
      if (!isOver(job) || job.scheduleId !== undefined) {
        documentStore.write(JOB_NAME, text);
        return;
      }
      const others = history().filter(({ startedMs }) => startedMs !== job.startedMs);
      const log = listText([endedJob(job), ...others].slice(0, JOBS_KEPT));
      if (documentStore.writeAll({ [JOB_NAME]: text, [HISTORY_NAME]: log })) return;
      // Where there is room for one of them, the history is the one to do without.
      documentStore.write(JOB_NAME, text);
      documentStore.writeAll({ [HISTORY_NAME]: log });
    },
    signs(jobId) {
      const names = [signName(jobId), failuresName(jobId)];
      const texts = cache.getAll(names);
      const [state = 'running', failures] = names.map((name) => texts[name]);
      return { isHalted: state !== 'running', serviceFailures: Number(failures) || 0 };
    },
    latestCommand: () => cache.getAll([COMMAND_NAME])[COMMAND_NAME] ?? '',
    noteServiceFailures: (jobId, inARow) =>
      void cache.putAll({ [failuresName(jobId)]: String(inARow) }, SIGN_SECONDS),
    person() {
      const known = userStore.read(PERSON_NAME);
      if (known !== null) return known;
      const name = drawName(random);
      userStore.write(PERSON_NAME, name);
      return name;
    },
  };
}

const endedJob = (job: Job): EndedJob => ({
  startedMs: job.startedMs,
  endedMs: job.endedMs ?? job.touchedMs,
  by: job.by,
  sheetName: job.sheetName,
  state: job.state,
  products: job.products,
  failed: failedProducts(job.counts),
  calls: job.counts.calls,
});

/**
 * Moves unreadable records aside: the whole text is kept under `<name>-aside`, and of a list the
 * readable items stay in place. Returns whether anything was moved, so that the person is told
 * once. It costs one property call if all is well, else three.
 *
 * @param kept by name: the schema of the stored record, or of the items of the stored list. A
 * spreadsheet's identity may precede a list.
 */
export function setAside(
  { documentStore, lock }: Pick<Platform, 'documentStore' | 'lock'>,
  kept: Readonly<Record<string, z.ZodMiniType>>,
): boolean {
  function damaged() {
    const all = documentStore.readAll();
    return Object.entries(kept).flatMap(([name, item]) => {
      const text = all[name] ?? '[]';
      const [, home, json] = /^(\w*)(.*)/s.exec(text) ?? [];
      return z.safeParse(z.union([item, z.array(item)]), storedJson(json)).success
        ? []
        : [{ [`${name}-aside`]: text, [name]: home + JSON.stringify(storedItems(json, item)) }];
    });
  }
  if (damaged().length === 0) return false;
  const outcome = lock.run(RECORD_LOCK_WAIT_MS, () => {
    const found = damaged();
    return found.length > 0 && documentStore.writeAll(Object.assign({}, ...found));
  });
  return outcome.held && outcome.value;
}
