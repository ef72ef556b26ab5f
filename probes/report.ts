// The report of the probes: what was found so far, beside what was expected and what else would mean.

import { ADD_ON_NAME } from '../src/failures/add-on-name';
import { localesHere } from '../src/google/spreadsheet';
import { foundByClock } from './clock';
import { book, readPlace, readSheet, type SheetFound, saidBy, wallClock } from './google';
import { KNOWN_MOMENT_MS, MOMENT_FORMAT, type Probe, probes, type Verdict } from './table';

type Found = Readonly<Record<string, string>>;

/** The report for the developers. It holds nothing of the spreadsheet's own cells, and no addresses. */
export function probeReport(): string {
  const sheet = readSheet();
  const found = foundSoFar(sheet);
  const lines = probes().map((probe) => ({ probe, ...judged(probe, found[probe.id] ?? '') }));
  const count = (verdict: Verdict) => lines.filter((one) => one.verdict === verdict).length;
  const text = [
    `${ADD_ON_NAME} ${__VERSION__}, probes of ${new Date().toISOString()}`,
    `${count('as expected')} as expected, ${count('otherwise')} otherwise, ${count('open')} open.`,
    surroundings(),
    runtime(),
    ...(sheet === null ? ['The probes were not run here. Choose "Run probes".'] : []),
    ...lines.map(({ probe, found: what, verdict }) => lineOf(probe, what, verdict)),
  ].join('\n');
  return text.replace(ADDRESS, '…');
}

const MARKS: Readonly<Record<Verdict, string>> = {
  'as expected': 'ok         ',
  otherwise: 'OTHERWISE  ',
  open: 'open       ',
};

function lineOf({ id, where, about, expected, otherwise }: Probe, found: string, verdict: Verdict) {
  const details = [
    ...(found === '' ? [] : [`found: ${found}`]),
    ...(verdict === 'as expected' ? [] : [`expected: ${expected}`]),
    ...(verdict === 'otherwise' ? [`means: ${otherwise}`] : []),
  ];
  return [`\n${MARKS[verdict]}${id} (${where}): ${about}`, ...details].join('\n           ');
}

function judged({ judge }: Probe, found: string): { found: string; verdict: Verdict } {
  // A probe that failed says nothing about what it tests.
  const isThere = !/^(Loading|the probe failed|$)/.test(found);
  return { found, verdict: isThere ? judge(found) : 'open' };
}

/** What the sheet recorded, combined with results that need more than the text of a cell. */
function foundSoFar(sheet: SheetFound | null): Found {
  if (sheet === null) return foundByClock();
  const cells = Object.fromEntries(sheet.lines.map(({ id, found }) => [id, found]));
  const inputs = Object.fromEntries(sheet.lines.map(({ id, input }) => [id, input]));
  return {
    ...cells,
    lock: foundOfLock(cells.lock ?? '', inputs.lock ?? ''),
    write: foundOfWriting(cells.write ?? ''),
    date: asItShouldBe(cells.date ?? '', wallClock(KNOWN_MOMENT_MS, MOMENT_FORMAT)),
    serial: asItShouldBe((cells.serial ?? '').replace(',', '.'), serial().toFixed(6)),
    'at once': foundOfLog(sheet.log),
    copy: foundOfCopy(sheet),
    ...foundByClock(),
  };
}

/**
 * @param tries "1767603600000 no, …"
 * @param hold "start end", in ms since 1970.
 */
function foundOfLock(tries: string, hold: string): string {
  const [fromMs = Number.NaN, toMs = Number.NaN] = hold.split(' ').map(Number);
  const all = [...tries.matchAll(/(\d{13}) (yes|no)/g)];
  if (all.length === 0 || Number.isNaN(toMs)) return tries;
  const inside = all.filter(([, atMs]) => Number(atMs) >= fromMs && Number(atMs) <= toMs);
  const had = inside.filter(([, , isHad]) => isHad === 'yes').length;
  if (inside.length === 0) return 'it was not tried while it was held: show the probes again';
  if (had > 0) return `had ${had} times of ${inside.length} while it was held`;
  return `refused each time while it was held, ${inside.length} times`;
}

function foundOfWriting(said: string): string {
  if (said !== 'written') return said;
  const isRead = readPlace('written by a cell') !== null;
  return isRead ? 'written, and the menu reads it' : 'written, but the menu reads nothing';
}

function asItShouldBe(shown: string, wanted: string): string {
  if (shown === '' || shown.startsWith('Loading')) return '';
  return shown === wanted ? `${shown}, as it should be` : `${shown} and not ${wanted}`;
}

const DAY_MS = 86_400_000;

/** 1 January 1970 in days since 30 December 1899, which is how sheets count. */
const EPOCH_SERIAL = 25_569;

function serial(): number {
  const wall = wallClock(KNOWN_MOMENT_MS, "yyyy-MM-dd'T'HH:mm:ss'Z'");
  return Date.parse(wall) / DAY_MS + EPOCH_SERIAL;
}

/** The most probes that ran at once. Each line is "start end" of one probe. */
function foundOfLog(log: readonly string[]): string {
  const runs = log.flatMap((text) => {
    const [, fromMs, toMs] = /^(\d{13}) (\d{13})$/.exec(text) ?? [];
    return fromMs === undefined ? [] : [{ fromMs: Number(fromMs), toMs: Number(toMs) }];
  });
  if (runs.length === 0) return '';
  const atOnce = ({ fromMs }: { readonly fromMs: number }) =>
    runs.filter((one) => one.fromMs <= fromMs && fromMs < one.toMs).length;
  return `${Math.max(...runs.map(atOnce))} at once of ${runs.length}`;
}

function foundOfCopy({ home }: SheetFound): string {
  if (home === book().getId()) return 'this is no copy';
  const cameAlong = readPlace('home') === home;
  return `document properties ${cameAlong ? 'came along' : 'did not come along'}`;
}

function surroundings(): string {
  try {
    const { timeZone, locale, scriptTimeZone, userLocale } = localesHere();
    return `Spreadsheet ${locale}, ${timeZone}; script ${scriptTimeZone}; you ${userLocale}.`;
  } catch (error) {
    return `Languages and time zones: ${saidBy(error)}`;
  }
}

/** The newest language features that Google's engine has. */
function runtime(): string {
  const features: readonly (readonly [string, boolean])[] = [
    ['replaceAll', 'replaceAll' in String.prototype],
    ['at', 'at' in Array.prototype],
    ['hasOwn', 'hasOwn' in Object],
    ['findLast', 'findLast' in Array.prototype],
    ['toSorted', 'toSorted' in Array.prototype],
    ['groupBy', 'groupBy' in Object],
  ];
  const names = (has: boolean) =>
    features.flatMap(([name, is]) => (is === has ? [name] : [])).join(', ') || 'nothing of these';
  return `The engine has ${names(true)}; lacks ${names(false)}.`;
}

const ADDRESS = /[^\s"'<>()]+@[^\s"'<>()]+/g;
