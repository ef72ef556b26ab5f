// The laws of a month, each of which can be read on its own. A broken world prints their names.

import type { CellValue } from 'apps-script-host/sheet/model';
import { COLLEAGUE, OWNER } from '../book';
import type { TabRow } from '../seen';
import {
  isFree,
  isFull,
  isMeant,
  isUndisturbed,
  type Law,
  type Look,
  type MonthRecord,
  maxAgeMs,
  owedIn,
  type Seen,
  type Stand,
  type Work,
  wrongAt,
} from './record';

const HOUR_MS = 3_600_000;

/**
 * No product is asked for whose latest answer is young enough for every schedule that names it. A
 * firing that was cut off may lose the wave that it has just received.
 */
const nothingIsAskedTwice: Law = (record) => {
  let excused = 0;
  const wrongs: string[] = [];
  for (const work of record.works) {
    if (work.ended === 'killed' || work.isHit) excused += record.burst;
    if (work.hasLeftover) continue;
    for (const { product, atMs } of work.calls) {
      const own = naming(work, product);
      if (own === null) continue;
      const ageMs = Math.min(...own.map(maxAgeMs));
      const before = record.callsOf(product).filter((call) => call.atMs < atMs);
      const last = before.findLast(({ isSettled }) => isSettled);
      if (last === undefined || atMs - last.atMs >= ageMs) continue;
      excused -= 1;
      const age = Math.round((atMs - last.atMs) / 60_000);
      if (excused < 0)
        wrongs.push(wrongAt(atMs, `${product} was asked again after ${age} minutes`));
    }
  }
  return wrongs;
};

/** The schedules that name a product; null: its row came or went meanwhile. */
function naming({ schedules, before, after }: Work, product: string): readonly Stand[] | null {
  const rows = [...before, ...after].filter((row) => row.product === product);
  const own = schedules.filter((one) => one.isOn && rows.some((row) => isMeant(one, row)));
  return own.length === 0 ? null : own;
}

/** Calls that only one schedule can have made, in the hour in which their firing began. */
const budgetIsKept: Law = ({ works }) => {
  const sums = new Map<string, number>();
  return works
    .filter((work) => isUndisturbed(work) && work.unsent === 0)
    .flatMap((work) =>
      work.schedules.flatMap((stand) => {
        const most = stand.settings.callsPerHour;
        if (most === null) return [];
        const isOnly = (product: string) => {
          const own = naming(work, product);
          return own?.length === 1 && own[0]?.id === stand.id;
        };
        const hour = `${stand.id} ${stand.sinceMs} ${Math.floor(work.startedMs / HOUR_MS)}`;
        const made = work.calls.filter(
          ({ product, atMs }) =>
            isOnly(product) && Math.floor(atMs / HOUR_MS) === Math.floor(work.startedMs / HOUR_MS),
        ).length;
        const sum = (sums.get(hour) ?? 0) + made;
        sums.set(hour, sum);
        return made > 0 && sum > most
          ? [wrongAt(work.startedMs, `${stand.id} made ${sum} calls in this hour, of ${most}`)]
          : [];
      }),
    );
};

/** The first firing that can refreshes what is due, as far as its hour's calls go. */
const dueRowsAreDone: Law = (record) =>
  owedIn(record)
    .filter(({ work }) => isFree(work) && !isFull(work))
    .filter(({ work, stand }) => !isSpent(stand, record, work))
    .flatMap(({ work, stand, rows }) => {
      // A product that has just failed is tried again later.
      const tried = new Set(work.calls.map(({ product }) => product));
      const [first, ...others] = rows.filter(({ product }) => !tried.has(product));
      if (first === undefined) return [];
      const what = `${1 + others.length} due rows, such as ${first.text} (${first.status})`;
      return [wrongAt(work.startedMs, `${stand.id} left ${what}`)];
    });

/** Whether it may have used up the calls of an hour that the firing touches. */
function isSpent({ settings, id }: Stand, { works }: MonthRecord, { startedMs, endedMs }: Work) {
  const most = settings.callsPerHour;
  if (most === null) return false;
  const hours = [startedMs, endedMs].map((atMs) => Math.floor(atMs / HOUR_MS));
  return hours.some((hour) => {
    const calls = works
      .filter((one) => Math.abs(one.startedMs - startedMs) < 2 * HOUR_MS)
      .flatMap((one) =>
        one.calls.filter(({ product }) => naming(one, product)?.some((own) => own.id === id)),
      )
      .filter(({ atMs }) => Math.floor(atMs / HOUR_MS) === hour).length;
    return calls >= most;
  });
}

/** Google skips at most one firing in twenty-five, and hardly ever six in a row. */
const GAP_MS = 7 * HOUR_MS;

/** Without this law, a clock that is lost would leave nothing to judge. */
const theClockStrikes: Law = ({ works, startMs, endMs, disabled }) => {
  const firings = works.map(({ startedMs }) => startedMs);
  const moments = [startMs, ...firings, ...disabled.map(({ toMs }) => toMs), endMs].sort(
    (a, b) => a - b,
  );
  return moments.flatMap((atMs, at) => {
    const before = moments[at - 1] ?? atMs;
    const isOff = disabled.some(({ fromMs, toMs }) => fromMs <= atMs && before < toMs);
    return atMs - before > GAP_MS && !isOff
      ? [wrongAt(before, 'the clock did not fire for hours')]
      : [];
  });
};

/** Nobody sees what a script throws, and Google runs a failing trigger more and more rarely. */
const noFiringFails: Law = ({ works }) =>
  works.flatMap(({ ended, startedMs, logs }) => {
    // The run time of a firing that was cut off could not be recorded.
    const wasCut = works.some(
      (one) =>
        one.ended === 'killed' &&
        one.startedMs < startedMs &&
        one.endedMs > startedMs - 24 * HOUR_MS,
    );
    const isFault = ended === 'failed' || (ended === 'refused' && !wasCut);
    return isFault ? [wrongAt(startedMs, `the firing ${ended}: ${logs.at(-1)}`)] : [];
  });

/** The figures of the tab by key and title; the newest row of a key counts. */
function figuresIn(rows: readonly TabRow[]): ReadonlyMap<string, TabRow> {
  return new Map(
    rows
      .filter(({ analyzed_at }) => analyzed_at !== '')
      .map((row) => [String(row.key).toLowerCase(), row]),
  );
}

const LOGGED = [
  ['profit', 'Profit'],
  ['roi', 'ROI'],
  ['fees', 'Fees'],
  ['eligible', 'Eligible'],
  ['rank_drops_30d', 'Rank drops 30d'],
  ['buy_price', 'Buy price'],
  ['sell_price', 'Sell price'],
] as const;

/** What comes from rounding is no change. */
const isNear = (title: string, one: CellValue, other: CellValue) =>
  String(one) === String(other) ||
  (typeof one === 'number' &&
    typeof other === 'number' &&
    Math.abs(one - other) < (title === 'ROI' ? 0.0005 : 0.005));

/** What changed in the tab, other than from nothing to something, stands in the log once, whatever the product is written like. */
const everyChangeIsLoggedOnce: Law = ({ works }) =>
  works
    .filter((work) => isUndisturbed(work))
    .flatMap(({ startedMs, tabBefore, tabAfter, lines }) => {
      const before = figuresIn(tabBefore);
      const owed = new Set<string>();
      for (const [key, row] of figuresIn(tabAfter)) {
        const old = before.get(key);
        const product = `${row.asin}|${row.market}`;
        if (old === undefined) continue;
        for (const [column, title] of LOGGED)
          if (old[column] !== '' && !isNear(title, old[column], row[column]))
            owed.add(`${product} ${title}: ${old[column]} to ${row[column]}`);
      }
      const written = lines.map(
        (line) => `${line.product} ${line.title}: ${line.before} to ${line.after}`,
      );
      const once = new Set(written);
      return [
        ...[...owed].filter((text) => !once.has(text)).map((text) => `${text} is not logged`),
        ...written.filter((text) => !owed.has(text)).map((text) => `${text} is logged in vain`),
        ...(once.size < written.length ? ['a change is logged twice'] : []),
      ].map((text) => wrongAt(startedMs, text));
    });

/** What the sidebar shows after a firing if nothing else has happened since. */
function lookAfter({ looks, works, actsMs }: MonthRecord, work: Work): Seen | null {
  const look = looks.find(({ atMs, userEmail }) => atMs >= work.endedMs && userEmail === OWNER);
  if (look === undefined) return null;
  const isBetween = (atMs: number) => atMs > work.startedMs && atMs < look.atMs;
  const isNews = works.some(({ startedMs }) => isBetween(startedMs)) || actsMs.some(isBetween);
  return isNews ? null : look;
}

/** Whether a person who looks learns that a schedule did not do its work. */
function isTold({ problem, trigger, schedules }: Look, id: string): boolean {
  const own = schedules.find((one) => one.id === id);
  const words = [problem, trigger.problem, own?.problem].filter((one) => one !== undefined);
  return (
    words.some(({ message }) => message !== '') || (own?.last?.failed ?? 0) > 0 || own === undefined
  );
}

/** A person who looks is told why due rows were not done, or that the work goes on. */
const everyTroubleIsTold: Law = (record) =>
  owedIn(record)
    .filter(({ work }) => !work.hasLeftover && work.ended !== 'refused')
    .flatMap(({ work, stand, rows }) => {
      const look = lookAfter(record, work);
      if (look === null || isTold(look.look, stand.id)) return [];
      const { schedules } = look.look;
      const goesOn = schedules.some((one) => one.id === stand.id && one.isUnderWay);
      const isCut = work.ended === 'killed' || work.isHit || isFull(work) || work.isMoved;
      if (goesOn && (isCut || isSpent(stand, record, work))) return [];
      // Its turn had not come, or the firing was cut off before it began anything.
      const isOthers = schedules.some(({ id, isUnderWay }) => isUnderWay || isTold(look.look, id));
      if (isCut && (isOthers || work.calls.length === 0)) return [];
      const why = work.trouble ?? work.ended;
      return [
        wrongAt(work.startedMs, `${stand.id} left ${rows.length} rows (${why}) and says nothing`),
      ];
    })
    .filter((_, at) => at < 20);

/** A clock that has not fired for this long is reported as broken. */
const SILENCE_MS = 5 * HOUR_MS;

/** How long a look takes, at most. */
const LOOK_MS = 60_000;

/** Owner and colleagues learn that the add-on was disabled for the spreadsheet. */
const silenceIsTold: Law = ({ disabled, looks, works, endMs }) =>
  disabled
    .filter(({ fromMs, toMs }) => toMs - fromMs > SILENCE_MS && toMs <= endMs)
    .flatMap(({ toMs }) =>
      [OWNER, COLLEAGUE].flatMap((who) => {
        const look = looks.findLast(
          ({ atMs, userEmail }) => atMs <= toMs + LOOK_MS && userEmail === who,
        );
        const hasFired = works.some(({ startedMs }) => startedMs < toMs);
        const ids = look?.look.schedules.flatMap(({ id, isOn }) => (isOn ? [id] : [])) ?? [];
        const isFine = look === undefined || !hasFired || ids.every((id) => isTold(look.look, id));
        return isFine ? [] : [wrongAt(toMs, `${who} is not told of the silence`)];
      }),
    );

const LAWS: Readonly<Record<string, Law>> = {
  nothingIsAskedTwice,
  budgetIsKept,
  dueRowsAreDone,
  theClockStrikes,
  noFiringFails,
  everyChangeIsLoggedOnce,
  everyTroubleIsTold,
  silenceIsTold,
};

export const brokenLaws = (record: MonthRecord): readonly string[] =>
  Object.entries(LAWS).flatMap(([name, law]) => law(record).map((wrong) => `${wrong} (${name})`));
