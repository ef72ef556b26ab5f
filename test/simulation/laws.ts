// The laws that hold in every simulated world, each judged from outside: by what a person sees, and by
// what the service received.

import type { CellValue } from 'apps-script-host/sheet/model';
import type { PlainGrid } from 'apps-script-host/sheet/plain-grid';
import type { Book } from './book';
import { isTyped } from './people';
import { type SeenRow, seenRows } from './seen';
import type { Call, Figures, Quota } from './service';

/** A figure beside a product is that product's on that market. */
export function figuresAreTheProducts(
  grid: PlainGrid,
  callsOf: (product: string) => readonly Call[],
): readonly string[] {
  return grid
    .sheets()
    .flatMap(({ id }) => seenRows(grid, id))
    .flatMap((row) => wrongIn(row, callsOf));
}

function wrongIn(row: SeenRow, callsOf: (product: string) => readonly Call[]): readonly string[] {
  // People may type over figures in their lists.
  // A column of the tab that somebody has deleted gives an error until the next job adds it again.
  const shown = Object.entries(row.figures).filter(
    ([, value]) => !isTyped(value) && !isError(value),
  );
  const filled = shown.filter(([, value]) => value !== '');
  const where = `row ${row.row} (${row.text}) of ${row.product}`;
  if (filled.length === 0) return [];
  const answers = callsOf(row.product).flatMap(({ figures }) =>
    figures === null ? [] : [figures],
  );
  if (row.product !== '' && answers.some((one) => filled.every(isIn(one)))) return [];
  return [`${where} shows ${shownIn(filled)}, of ${answers.length} answers ${shownIn(answers)}`];
}

const isError = (value: CellValue) => typeof value === 'string' && value.startsWith('#');

const shownIn = (what: unknown) => JSON.stringify(what).slice(0, 300);

const isIn =
  (figures: Figures) =>
  ([title, value]: readonly [string, CellValue]): boolean =>
    isTyped(value) || value === (figures[title] ?? '');

/**
 * Rows of products that a job has left without an answer or a reason, or with less than the answer
 * had.
 *
 * @param callsOf left out: figures may be missing, because somebody has deleted their column.
 */
export function rowsAreAnswered(
  grid: PlainGrid,
  sheetId: number,
  callsOf?: (product: string) => readonly Call[],
): readonly string[] {
  const isWhole = ({ product, figures }: SeenRow) =>
    callsOf === undefined ||
    callsOf(product).some((call) => Object.entries(figures).every(isIn(call.figures ?? {})));
  return seenRows(grid, sheetId)
    .filter(({ text }) => text !== '')
    .filter((row) => {
      const { product, status, atMs, figures, typed, blank } = row;
      if (Object.values(figures).some(isError) || blank.length > 0) return true;
      // What a person has typed there stays.
      if (['status', 'analyzed_at', 'helper'].some((role) => typed.includes(role))) return false;
      if (product === '') return status === '' || status === 'OK' || status === 'Waiting';
      return status === 'OK' ? atMs === null || !isWhole(row) : status !== 'Not found';
    })
    .map(
      ({ row, text, status, blank }) =>
        `row ${row} (${text}) was not analyzed: "${status}" ${blank.join()}`,
    );
}

/** What excuses a call for a product that was answered before. */
export interface Excuses {
  /** Executions that asked and were cut off: each may lose the wave that it has just received. */
  readonly kills: number;
  readonly faults: readonly string[];
}

/** The calls of one key that it need not have made. */
function repeatedCalls(calls: readonly Call[]): number {
  const settled = new Set<string>();
  let repeated = 0;
  for (const { key, product, isSettled } of calls) {
    const name = `${key} ${product}`;
    if (settled.has(name)) repeated += 1;
    if (isSettled) settled.add(name);
  }
  return repeated;
}

/** Nothing is asked twice, where the world ends before any answer is old. */
export function nothingIsAskedTwice(
  { service }: Pick<Book, 'service'>,
  { burst }: Quota,
  { kills, faults }: Excuses,
): readonly string[] {
  const repeated = repeatedCalls(service.calls);
  // The cache refused the same answers twice.
  const unkept = faults.filter(
    (fault, at) => fault.endsWith('cache.putAll') && faults[at - 1]?.endsWith('cache.putAll'),
  ).length;
  const allowed = (kills + unkept) * burst;
  return repeated > allowed ? [`${repeated} calls were repeated, ${allowed} may be`] : [];
}

/** No call is refused for speed. */
export const limitIsKept = ({ service }: Pick<Book, 'service'>): readonly string[] => {
  const refused = service.calls.filter(({ status }) => status === 429).length;
  return refused > 0 ? [`the service refused ${refused} calls`] : [];
};

/** Google's own words, unless we quote them, an error's name or a hole never reach a person. */
const RAW =
  /Service (?:error|Spreadsheets)|server error occurred|PERMISSION_DENIED|Data storage|TypeError|undefined|NaN|\[object|went wrong/i;

export const wordsAreOurs = (told: readonly string[]): readonly string[] =>
  told
    .filter((text) => text === '' || RAW.test(text.replace(/problem \("[^"]*"\)/g, '')))
    .map((text) => `says "${text}"`);
