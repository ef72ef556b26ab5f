// The contract's answer as a schema: tolerant of names, nesting and text numbers, strict about nonsense.

import * as z from 'zod/mini';
import type { Analysis, Extra, Figures, RoiUnit } from './analysis';
import { type Failure, fail } from './failure';
import { FIELDS, type Field, type Meaning, meaningOf, nameForm } from './fields';
import { isPercentText, readCount, readEligibility, readFees, readNumber } from './figures';

// One-shot executions never earn back compiled parsers, and Apps Script pages may forbid them.
z.config({ jitless: true });

/** What the connection's settings say about this service's answers. */
export interface ReaderSettings {
  /** The service's own names of the two prices that the contract leaves open. */
  readonly buyPriceName?: string;
  readonly sellPriceName?: string;
  /** What the service means by ROI 25: with a unit given, figures become fractions (0.25). */
  readonly roiUnit?: RoiUnit;
}

/** A figure that is read by `read`; what it cannot read is an issue at the figure's own name. */
function figure<T>(read: (value: unknown) => T | null | undefined) {
  return z.pipe(
    z.unknown(),
    z.transform((value, context): T | null => {
      const result = read(value);
      if (result === undefined) context.issues.push({ code: 'custom', input: value });
      return result ?? null;
    }),
  );
}

/** Built on first use: an execution that is answered from the cache never pays for it. */
let schema: ReturnType<typeof makeSchema> | undefined;

function makeSchema() {
  return z.object({
    profit: figure(readNumber),
    roi: figure(readNumber),
    fees: figure(readFees),
    eligible: figure(readEligibility),
    rank_drops_30d: figure(readCount),
    buy_price: figure(readNumber),
    sell_price: figure(readNumber),
  });
}

/** Objects one level down in which services are known to put figures. */
const CONTAINERS = ['data', 'result', 'product', 'analysis', 'prices', 'pricing'];

/** Only these make an answer an analysis: a price alone could be anything. */
const TELLING: readonly Field[] = ['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d'];

/** More than any real answer has; the rest of a longer one is left out. */
const EXTRAS_MAX = 40;
const EXTRA_NAME_CHARS = 60;
const EXTRA_TEXT_CHARS = 500;

/** A list of what stands against selling is an eligibility; under these names nothing else is. */
const RESTRICTION_NAMES = ['restrictions', 'restriction'];

/** Before every name that we know ourselves. */
const NAMED_BY_SETTINGS = -1;

/** Behind every name that we know: there are fewer aliases of any field. */
const AFTER_ALIASES = 1_000;

type Sent = readonly [name: string, value: unknown];

/** The fields of a JSON body: its own and those of known containers, the body's own first. */
export function sentFields(body: unknown): readonly Sent[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  const own = Object.entries(body);
  const isContainer = ([name, value]: Sent) =>
    CONTAINERS.includes(name.toLowerCase()) && typeof value === 'object' && value !== null;
  const inner = own.filter(isContainer).flatMap(([, value]) => sentFieldsOfContainer(value));
  return [...own.filter((field) => !isContainer(field)), ...inner];
}

/** `{data: {prices: {…}}}` is the deepest that is read. */
function sentFieldsOfContainer(value: unknown): readonly Sent[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    CONTAINERS.includes(name.toLowerCase()) && typeof inner === 'object' && inner !== null
      ? Object.entries(inner)
      : [[name, inner] as const],
  );
}

/** What a sent field is taken for, by its name; the connection's own names of the prices go first. */
export function recognise([name, value]: Sent, settings: ReaderSettings): Meaning | undefined {
  const form = nameForm(name);
  const isNamed = (setting: string | undefined) => setting && nameForm(setting) === form;
  if (isNamed(settings.buyPriceName)) return { field: 'buy_price', rank: NAMED_BY_SETTINGS };
  if (isNamed(settings.sellPriceName)) return { field: 'sell_price', rank: NAMED_BY_SETTINGS };
  if (RESTRICTION_NAMES.includes(form) && Array.isArray(value))
    return { field: 'eligible', rank: AFTER_ALIASES };
  return meaningOf(name);
}

interface Sorted {
  /** The value of each field that was sent, under the surest of its names. */
  readonly named: ReadonlyMap<Field, unknown>;
  readonly extras: readonly Extra[];
}

/** Which value a field gets does not depend on the order in which a service writes its members. */
function sort(sent: readonly Sent[], settings: ReaderSettings): Sorted {
  const best = new Map<Field, { readonly rank: number; readonly value: unknown }>();
  const extras: Extra[] = [];
  for (const one of sent) {
    const [name, value] = one;
    const meaning = recognise(one, settings);
    if (meaning === undefined) addExtra(extras, name, value);
    else if (meaning.rank < (best.get(meaning.field)?.rank ?? Number.POSITIVE_INFINITY))
      best.set(meaning.field, { rank: meaning.rank, value });
  }
  return { named: new Map([...best].map(([field, { value }]) => [field, value])), extras };
}

/**
 * Reads a JSON body as the analysis of `asin`.
 *
 * null and missing figures stay null. A `not-understood` failure names the figure that is present
 * but no figure, or says that the body is no analysis, or that it is another product's.
 */
export function readAnalysis(
  body: unknown,
  asin: string,
  settings: ReaderSettings,
  nowMs: number,
): Analysis | Failure {
  const sent = sentFields(body);
  const echo = sent.find(([name]) => nameForm(name) === 'asin')?.[1];
  if (typeof echo === 'string' && echo.trim().toUpperCase() !== asin)
    return fail({ kind: 'not-understood', what: 'it is about another product' });
  const { named, extras } = sort(sent, settings);
  if (!TELLING.some((field) => named.has(field)))
    return fail({ kind: 'not-understood', what: 'it holds no analysis' });
  schema ??= makeSchema();
  const figures = FIELDS.map((field) => [field, named.get(field) ?? null]);
  const parsed = z.safeParse(schema, Object.fromEntries(figures));
  if (!parsed.success) {
    const at = parsed.error.issues[0]?.path.join('.') ?? 'a figure';
    return fail({ kind: 'not-understood', what: `${at} is not a figure` });
  }
  // "85.65%" has been read as a fraction already, whatever numbers of this service mean.
  const roiUnit = isPercentText(named.get('roi')) ? 'fraction' : settings.roiUnit;
  return { ...inUnits(parsed.data, roiUnit), extras, fetchedAtMs: nowMs };
}

/** With the service's unit of ROI settled, ROI is a fraction, which a sheet shows as a percentage. */
function inUnits(figures: Figures, roiUnit: RoiUnit | undefined) {
  if (roiUnit === undefined) return { figures };
  const roi = figures.roi !== null && roiUnit === 'percent' ? figures.roi / 100 : figures.roi;
  return { figures: { ...figures, roi }, roiUnit: 'fraction' as const };
}

function addExtra(extras: Extra[], name: string, value: unknown): void {
  if (extras.length >= EXTRAS_MAX || name.length > EXTRA_NAME_CHARS || nameForm(name) === 'asin')
    return;
  if (typeof value === 'string') extras.push([name, value.slice(0, EXTRA_TEXT_CHARS)]);
  else if (typeof value === 'number' && Number.isFinite(value)) extras.push([name, value]);
  else if (typeof value === 'boolean' || value === null) extras.push([name, value]);
}
