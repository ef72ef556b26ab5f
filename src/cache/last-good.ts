// The last good analysis of each product, stored with the spreadsheet for times when the service
// cannot be asked.

import { type Failure, isFailure, willPass } from '../failures/failure';
import { bytesOf, Refused, type Store, storedJson, storedList } from '../platform/ports';
import {
  type Analysis,
  type Answer,
  answered,
  type Freshness,
  unanswered,
} from '../product/analysis';
import { roiUnitOf } from '../product/estimate';
import type { Figures } from '../product/fields';
import { parseGoogleDay } from '../quota/google-limits';
import {
  AS_SENT,
  decode,
  type EncodedAnalysis,
  encode,
  linesOf,
  partsOf,
  placeOf,
  type Reading,
  textOf,
} from './entries';

/**
 * A spreadsheet's store holds 500 KB in values of 9 KB. 44 pages leave a fifth of it for everything
 * else and hold about 6,000 products with figures alone.
 */
export const PAGES = 44;
const PAGE_BYTES_MAX = 9_000;

/**
 * Increased whenever the form of a page changes, so that an updated add-on never reads older pages.
 */
const FORM_VERSION = 1;

/**
 * Extras, which the service sent besides figures, are kept only while there is room and only if
 * they are short.
 */
const EXTRAS_BYTES_MAX = 1_000;

/**
 * The key of a page's first line. It lists the page's scopes, and the other lines refer to them by
 * position.
 */
const SCOPES = '#';
const SCOPES_MAX = 10;

/**
 * Begins the line of a product for which the service had no answer. It may accompany a line with an
 * older answer.
 */
const TRIED = '!';

/**
 * The base in which times are written, in seconds; both keep them short, and seconds are exact
 * enough for an age.
 */
const RADIX = 36;

/** A failed request that, for now, would fail in the same way again. */
export interface Tried {
  readonly failure: Failure;
  readonly atMs: number;
}

/**
 * Usage counts of a day are stored by key and by person, under names such as `key-day:…`. Unused
 * ones are deleted after this time.
 */
const DAYS_KEPT_MS = 30 * 86_400_000;

/** The start of the Google day in this text; 0 for a text that is no such day. */
const dayMs = (text: string): number => parseGoogleDay(text)?.sinceMs ?? 0;

/** null: Google refused the call. */
function unlessRefused<T>(act: () => T): T | null {
  try {
    return act();
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}

type Texts = Readonly<Record<string, string>>;

export interface LastGood {
  /**
   * The last analysis of each product that has one, whatever its age. Costs at most one property
   * call.
   */
  find(keys: readonly string[]): ReadonlyMap<string, Analysis>;
  /**
   * The same, but each figure that the last answer lacks is taken from the latest answer that had
   * it.
   */
  findKnown(keys: readonly string[]): ReadonlyMap<string, Analysis>;
  /** Products that had no answer when they were last asked. Costs at most one property call. */
  findTried(keys: readonly string[]): ReadonlyMap<string, Tried>;
  /**
   * Stores analyses by product key in place of older ones, along with any other texts. Costs two
   * property calls.
   */
  save(analyses: ReadonlyMap<string, Analysis>, others?: Texts): void;
  /** Stores failed requests until there is an answer. Costs two property calls. */
  saveTried(tried: ReadonlyMap<string, Tried>): void;
}

/**
 * @param scope names the connection, as it does for the result cache.
 * @param reading how this execution reads answers; others are reinterpreted.
 * @param known the whole content of the store, for callers that need its state at an earlier
 * moment.
 */
export function lastGood(
  store: Store,
  scope: string,
  reading: Reading = AS_SENT,
  known?: Texts,
): LastGood {
  const nameOf = (key: string) => `last${FORM_VERSION}:${placeOf(key, PAGES)}`;
  /** The whole content of the store, once this execution had to read more than one page. */
  let stored = known;

  function pagesOf(names: readonly string[]): Texts {
    const [only, another] = names;
    if (stored === undefined && only !== undefined && another === undefined)
      return { [only]: store.read(only) ?? '' };
    stored ??= store.readAll();
    return stored;
  }

  function findEach<T>(
    keys: readonly string[],
    read: (page: string | undefined, key: string) => T | undefined,
  ): ReadonlyMap<string, T> {
    const pages = pagesOf([...new Set(keys.map(nameOf))]);
    const found = keys.map((key) => [key, read(pages[nameOf(key)], key)] as const);
    return new Map(found.flatMap(([key, one]) => (one === undefined ? [] : [[key, one]])));
  }

  function save(news: ReadonlyMap<string, Analysis | Tried>, others: Texts = {}): void {
    const pages = unlessRefused(() => store.readAll());
    // The pages cannot be read, so writing them would lose their content.
    if (pages === null) return;
    const added = new Map<string, Map<string, Analysis | Tried>>();
    for (const [key, one] of news) {
      const name = nameOf(key);
      added.set(name, (added.get(name) ?? new Map()).set(key, one));
    }
    const changed = [...added].map(
      ([name, some]) => [name, mergePage(pages[name], scope, reading, some)] as const,
    );
    const merged = { ...others, ...Object.fromEntries(changed) };
    if (store.writeAll(merged)) stored = { ...pages, ...merged };
    const newest = Math.max(0, ...Object.values(others).map(dayMs));
    for (const [name, text] of Object.entries(pages))
      if (name.includes('-day:') && newest - dayMs(text) > DAYS_KEPT_MS)
        unlessRefused(() => store.remove(name));
  }

  return {
    find: (keys) => findEach(keys, (page, key) => readIn(page, scope, reading, key, false)),
    findKnown: (keys) => findEach(keys, (page, key) => readIn(page, scope, reading, key, true)),
    findTried: (keys) => findEach(keys, (page, key) => triedIn(page, scope, reading, key)),
    save,
    saveTried: (tried) => save(tried),
  };
}

/**
 * The answers, in which a temporary failure is accompanied by the product's last analysis. Costs at
 * most one property call.
 */
export function staleIfError(
  lastGood: LastGood,
  answers: ReadonlyMap<string, Answer>,
): ReadonlyMap<string, Answer> {
  const failed = [...answers].flatMap(([key, answer]) =>
    !answer.ok && willPass(answer.failure) ? [[key, answer] as const] : [],
  );
  if (failed.length === 0) return answers;
  const last = lastGood.find(failed.map(([key]) => key));
  const known = failed.flatMap(([key, answer]) => {
    const analysis = last.get(key);
    return analysis === undefined ? [] : [[key, { ...answer, last: analysis }] as const];
  });
  return new Map([...answers, ...known]);
}

/**
 * Last good answers that are recent enough, by product key; none if the policy names no age. Costs
 * one property call.
 *
 * @param isDue whether a product needs an answer that recent; for any other, the last answer is
 * enough.
 */
export function keptAnswers(
  lastGood: LastGood,
  keys: readonly string[],
  { notBeforeMs }: Freshness,
  isDue: (key: string) => boolean = () => true,
): ReadonlyMap<string, Answer> {
  if (notBeforeMs === undefined || keys.length === 0) return new Map();
  const isNewEnough = ([key, analysis]: readonly [string, Analysis]) =>
    analysis.fetchedAtMs >= notBeforeMs || !isDue(key);
  const found = [...lastGood.find(keys)].filter(isNewEnough);
  return new Map(found.map(([key, analysis]) => [key, answered(analysis)]));
}

/** A packed analysis without its extras, which are stored as a separate part. */
type Bare = readonly [figures: EncodedAnalysis[0], roiUnit?: number];

/**
 * If the latest answer lacks figures that an earlier one had, the last known value of every figure
 * follows.
 */
type Line = readonly [...Required<Bare>, ...known: Bare | []];

/** The scopes on a page that belong to one connection, one for each way of reading its answers. */
function waysIn(page: string, scope: string) {
  const isWay = (text: string) => text === scope || text.startsWith(`${scope}[`);
  return scopesIn(page).flatMap((text, place) =>
    isWay(text) ? [{ place, was: text.slice(scope.length) }] : [],
  );
}

/** The newest answer among all ways of reading, reinterpreted in today's way. */
function readIn(page = '', scope: string, { anew }: Reading, key: string, isKnown: boolean) {
  const found = waysIn(page, scope).flatMap(({ place, was }) => {
    const analysis = lineIn(page, place + key, isKnown);
    const answer = analysis && anew(answered(analysis), key, was);
    return answer?.ok ? [answer.analysis] : [];
  });
  return found.sort((a, b) => b.fetchedAtMs - a.fetchedAtMs)[0];
}

function lineIn(page: string, name: string, isKnown: boolean): Analysis | undefined {
  const [at = '', json = '', extras = '[]'] = partsOf(page, name) ?? [];
  const line = storedList(json) as Partial<Line>;
  const [last, lastUnit, known = last, knownUnit = lastUnit] = line;
  const [figures, roiUnit = 0] = isKnown ? [known, knownUnit] : [last, lastUnit];
  // An unreadable line counts as absent.
  if (!Array.isArray(figures)) return undefined;
  return decode([figures, storedList(extras), roiUnit], Number.parseInt(at, RADIX) * 1_000);
}

/** The last known value of every figure; undefined if the new analysis lacks none of them. */
function knownAfter(before: Analysis | undefined, now: Analysis): Analysis | undefined {
  const lost = Object.entries(before?.figures ?? {}).filter(
    ([name, figure]) => figure !== null && now.figures[name as keyof Figures] === null,
  );
  if (before === undefined || lost.length === 0) return undefined;
  const roiUnit = roiUnitOf(now.figures.roi === null ? before : now);
  const figures = { ...now.figures, ...Object.fromEntries(lost) };
  return { ...now, figures, ...(roiUnit && { roiUnit }) };
}

function triedIn(page = '', scope: string, { anew }: Reading, key: string): Tried | undefined {
  const found = waysIn(page, scope).flatMap(({ place, was }) => {
    const [at = '', json = ''] = partsOf(page, TRIED + place + key) ?? [];
    const failure = storedJson(json);
    const answer = isFailure(failure) && anew(unanswered(failure), key, was);
    return answer && !answer.ok
      ? [{ failure: answer.failure, atMs: Number.parseInt(at, RADIX) * 1_000 }]
      : [];
  });
  return found.sort((a, b) => b.atMs - a.atMs)[0];
}

/** Scopes are stored as JSON because they contain settings, which may hold any text. */
const scopesIn = (page: string): readonly string[] =>
  (partsOf(page, SCOPES) ?? []).map((scope) => String(storedJson(scope) ?? ''));

/** Puts new analyses at the beginning of a page and keeps as many older ones as fit. */
function mergePage(
  page: string | undefined,
  scope: string,
  reading: Reading,
  added: ReadonlyMap<string, Analysis | Tried>,
): string {
  const known = scopesIn(page ?? '');
  const now = scope + reading.text;
  const isFull = !known.includes(now) && known.length >= SCOPES_MAX;
  const scopes = isFull ? [now] : [...new Set([...known, now])];
  const place = scopes.indexOf(now);
  const fresh = [...added].map(([key, one]) =>
    'failure' in one
      ? triedLine(TRIED + place + key, one)
      : lineOf(place + key, one, knownAfter(readIn(page, scope, reading, key, true), one)),
  );
  const ways = waysIn(page ?? '', scope);
  // An answer deletes the record of a failed request; a failed request does not delete the last
  // answer.
  const gone = [...added].flatMap(([key, one]) =>
    ways.flatMap(({ place: at }) => [TRIED + at + key, ...('failure' in one ? [] : [at + key])]),
  );
  const replaced = new Set([SCOPES, ...gone]);
  const older = isFull ? [] : linesOf(page ?? '').filter(([key = '']) => !replaced.has(key));
  const head = [SCOPES, ...scopes.map((one) => JSON.stringify(one))];
  return textOf(fitted([head, ...fresh, ...older]), PAGE_BYTES_MAX);
}

function lineOf(key: string, analysis: Analysis, known?: Analysis): readonly string[] {
  const { extras } = analysis;
  const at = Math.round(analysis.fetchedAtMs / 1_000).toString(RADIX);
  const line = [key, at, JSON.stringify([analysis, known].flatMap(bare))];
  const more = JSON.stringify(extras);
  return extras.length > 0 && bytesOf(more) <= EXTRAS_BYTES_MAX ? [...line, more] : line;
}

function bare(analysis: Analysis | undefined): Bare | [] {
  if (analysis === undefined) return [];
  const [figures, , roiUnit = 0] = encode(analysis);
  return [figures, roiUnit];
}

const triedLine = (key: string, { failure, atMs }: Tried): readonly string[] => [
  ...[key, Math.round(atMs / 1_000).toString(RADIX), JSON.stringify(failure)],
];

const FIGURES_PARTS = 3;

/** On a full page, the oldest lines give up everything but their figures. */
function fitted(lines: readonly (readonly string[])[]): readonly (readonly string[])[] {
  let bytes = lines.reduce((sum, line) => sum + bytesOf(line.join(' ')) + 1, 0);
  const slim = [...lines].reverse().map((line) => {
    if (bytes <= PAGE_BYTES_MAX || line[0] === SCOPES) return line;
    const kept = line.slice(0, FIGURES_PARTS);
    bytes -= bytesOf(line.join(' ')) - bytesOf(kept.join(' '));
    return kept;
  });
  return slim.reverse();
}
