// Laws of records: each change is logged once, and the history's counts agree with the sheet and
// the service.

import type { RunShown } from '../../../../src/sidebar/api/schedules';
import type { Call } from '../month-world';
import {
  answersIn,
  isCutShort,
  isFree,
  isFull,
  isListed,
  isMeant,
  isStale,
  type Law,
  type MonthRecord,
  maxAgeMs,
  type Work,
  wrongAt,
} from '../record';
import type { LogLine, SeenRow } from '../rows';
import { accountsOf } from './calls';
import { isQuietIn } from './due-rows';

const isGiven = ({ figures }: Call) => figures !== null;

/** Times are stored to the second. */
const SECOND_MS = 1_000;

const HOUR_MS = 3_600_000;

/**
 * The answer that a line reports. If the local clock shows the time twice, the later moment counts
 * if possible.
 */
function toldBy(
  { callsOf, calendar }: MonthRecord,
  { endedMs }: Work,
  { asin, atMs }: LogLine,
): Call | undefined {
  const againMs = atMs + HOUR_MS;
  const isLater = againMs <= endedMs && calendar.showsSame(atMs, againMs);
  const readMs = isLater ? againMs : atMs;
  return callsOf(asin).findLast((call) => isGiven(call) && call.atMs <= readMs + SECOND_MS);
}

const nameOf = (call: Call | undefined, title: string) => `${call?.asin} ${call?.atMs} ${title}`;

/**
 * A line reports a figure of the newest answer that differs from the previous one, and no other
 * line repeats it.
 */
export const everyChangeIsLoggedOnce: Law = (record) => {
  const told = new Set<string>();
  return record.works.flatMap((work) =>
    work.lines.flatMap((line) => {
      const { startedMs } = work;
      const { asin, title, before, after } = line;
      const call = toldBy(record, work, line);
      const name = nameOf(call, title);
      const isAgain = told.has(name);
      told.add(name);
      const words = `the change log says ${asin} ${title} ${before} ${after}`;
      if (isAgain) return [wrongAt(startedMs, `${words} again`)];
      const isTrue = before !== after && before !== '' && after === (call?.figures?.[title] ?? '');
      return isTrue ? [] : [wrongAt(startedMs, `${words}, which is not so`)];
    }),
  );
};

/** Figures that differ by less count as equal. */
const NOISE = 0.005;

const differ = (one: unknown, other: unknown) =>
  typeof one === 'number' && typeof other === 'number'
    ? Math.abs(one - other) > NOISE
    : one !== other;

/** Whatever a row shows for the first time after a run is in the log. */
export const noChangeIsLeftOut: Law = (record) => {
  /** When the work began that last reported it. */
  const toldMs = new Map<string, number>();
  for (const work of record.works)
    for (const line of work.lines) {
      const name = nameOf(toldBy(record, work, line), line.title);
      toldMs.set(name, Math.max(work.startedMs, toldMs.get(name) ?? 0));
    }
  return record.works
    .filter((work) => !isDisturbed(work))
    .flatMap(({ before, after, calls, startedMs }) =>
      after.flatMap((row) => {
        const old = before.find((one) => one.row === row.row && one.asin === row.asin);
        const answer = answersIn(record, row).findLast((call) => calls.includes(call));
        if (answer === undefined || old === undefined || !isOwn(old)) return [];
        return (
          Object.entries(old.figures)
            // If the unit of ROI is unknown for one of two answers, they cannot be compared.
            .filter(
              ([title, figure]) =>
                figure !== '' && title !== 'ROI' && differ(figure, row.figures[title]),
            )
            .filter(([title]) => (toldMs.get(nameOf(answer, title)) ?? 0) < startedMs)
            .filter(([title]) => !isToldSince(record, row, title, old.atMs ?? 0))
            .map(([title]) =>
              wrongAt(startedMs, `the change of ${row.asin} ${title} is not logged`),
            )
        );
      }),
    );
};

/** A change is logged once for all rows of a product, and some rows show it later than others. */
const isToldSince = ({ works }: MonthRecord, row: SeenRow, title: string, sinceMs: number) =>
  works.some(({ lines }) =>
    lines.some(
      (line) =>
        line.asin === row.asin &&
        line.title === title &&
        line.after === row.figures[title] &&
        line.atMs >= sinceMs,
    ),
  );

const isOwn = ({ status, asin }: SeenRow) => status.kind === 'ok' && status.asin === asin;

const isDisturbed = (work: Work) =>
  isCutShort(work) || work.ended !== 'returned' || work.isMoved || work.hasLeftover;

/** The history's runs count the calls that the service received and the lines of the log. */
export const theHistoryCounts: Law = (record) =>
  record.works
    .filter((work) => isFree(work) && work.calls.length > 0)
    .flatMap((work) => {
      const runs = runsOf(record, work);
      if (runs === null) return [];
      const sum = (count: (run: RunShown) => number) =>
        runs.reduce((all, run) => all + count(run), 0);
      const { startedMs, lines, before, after } = work;
      const called = [...work.calls, ...work.unsent].map(({ asin }) => asin);
      // If a formula asks for the product as well, it is not visible from outside whose call it
      // was.
      const isShared = called.some((asin) => record.apart.has(asin) && isListed(work, asin));
      const counts = (asin: string) => isShared || !record.apart.has(asin) || isListed(work, asin);
      const callsSaid = sum((run) => run.calls);
      const callsMade = called.filter(counts).length;
      const seen = [
        ['calls', isShared ? callsMade : callsSaid, callsMade],
        [
          'changes',
          sum((run) => run.changes),
          lines.filter(({ asin }) => !record.apart.has(asin) || isListed(work, asin)).length,
        ],
      ] as const;
      const wrongs = seen
        .filter(([, said, counted]) => said !== counted)
        .map(([what, said, counted]) => `${said} ${what}, of ${counted}`);
      const isFresh = (row: SeenRow) =>
        isOwn(row) &&
        before.some((old) => old.row === row.row && String(old.atMs) !== String(row.atMs));
      const [said, counted] = [sum(({ refreshed }) => refreshed), after.filter(isFresh).length];
      if (said < counted) wrongs.push(`${said} rows, of ${counted}`);
      return wrongs.map((wrong) => wrongAt(startedMs, `the history counts ${wrong}`));
    });

/** The runs that began in a firing; null: nobody has looked since, or the list of runs was cut. */
function runsOf({ looks, works }: MonthRecord, { startedMs, endedMs }: Work) {
  const seen = looks.find(({ atMs }) => atMs >= endedMs);
  const next = works.find((one) => one.startedMs > startedMs);
  if (seen === undefined || (next && next.startedMs < seen.atMs)) return null;
  const last = seen.look.schedules.flatMap((one) => one.last ?? []);
  // The list's tab keeps its name; runs of formulas and of another tab do not count.
  const isIn = ({ startedAtMs, name }: RunShown) =>
    startedAtMs >= startedMs && startedAtMs <= endedMs && name.endsWith(', Sheet1');
  const runs = [...seen.runs, ...last].filter(isIn);
  return [...new Map(runs.map((run) => [`${run.startedAtMs}`, run])).values()];
}

/**
 * A schedule that claims to be under way has something left; one that does not has nothing left
 * (`dueRowsAreDone`).
 */
export const whatIsDoneIsOver: Law = (record) => {
  const { isSpent } = accountsOf(record);
  const { works, looks } = record;
  return works
    .filter((work) => isFree(work) && !isFull(work))
    .flatMap((work) => {
      const seen = looks.find(({ atMs }) => atMs >= work.endedMs);
      const next = works.find((one) => one.startedMs > work.startedMs);
      if (seen === undefined || (next && next.startedMs < seen.atMs)) return [];
      const isLeft = (stand: Work['schedules'][number]) =>
        [...work.before, ...work.after].some(
          (row) => isMeant(stand, row) && isStale(record, row, work.endedMs - maxAgeMs(stand)),
        ) &&
        !work.after.every(
          (row) => !isMeant(stand, row) || !isStale(record, row, work.endedMs - maxAgeMs(stand)),
        );
      return work.schedules
        .filter(
          (stand) =>
            stand.isOn &&
            !isSpent(stand, work) &&
            !isQuietIn(record, stand, work) &&
            !isLeft(stand),
        )
        .filter(({ id }) => seen.look.schedules.some((one) => one.id === id && one.isUnderWay))
        .map(({ id }) => wrongAt(work.startedMs, `${id} is under way with nothing left`));
    });
};
