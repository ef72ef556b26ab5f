// Finds the one analysis in a body, however it is wrapped, and the members that belong to it; and
// reads JSON as services write it.

import * as z from 'zod/mini';
import type { ConnectionSettings } from '../connection/connection';
import {
  DEFAULT_FIELDS,
  type Field,
  fieldRow,
  type Meaning,
  meaningOf,
  nameForm,
} from '../product/fields';
import { lazySchema } from '../schema/stored-record';

/** The settings that name a field, each with its field. */
export const NAME_SETTINGS = [
  ['buyPriceName', 'buy_price'],
  ['sellPriceName', 'sell_price'],
] as const;

/**
 * Under these names, a list is read as eligibility: it lists what forbids selling. Other values
 * there are not.
 */
const RESTRICTION_NAMES = /^restrictions?$/;

/** Ranks before every name that this file knows. */
const NAMED_BY_SETTINGS = -1;

/** Ranks after every name that this file knows; no field has this many aliases. */
const AFTER_ALIASES = 1_000;

export type Sent = readonly [name: string, value: unknown];

/**
 * The field that a member stands for, by its name. Names from the connection's settings come first.
 */
export function recognise([name, value]: Sent, settings: ConnectionSettings): Meaning | undefined {
  const form = nameForm(name);
  for (const [setting, field] of NAME_SETTINGS) {
    const chosen = settings[setting];
    if (chosen !== undefined && nameForm(chosen) === form)
      return { field, rank: NAMED_BY_SETTINGS };
  }
  if (RESTRICTION_NAMES.test(form) && Array.isArray(value))
    return { field: 'eligible', rank: AFTER_ALIASES };
  return meaningOf(name);
}

/** Objects beside or inside of an analysis in which some services put figures of the same product. */
const CONTAINERS = /^(data|result|product|item|analysis|prices|pricing)$/i;

/** `{data: {prices: {…}}}` is the deepest nesting of such objects that is read. */
const CONTAINERS_DEEP = 2;

/** Members that hold a product's ASIN, in the form that `nameForm` returns. */
export const PRODUCT_NAMES = /^(product|item)?asin$/;

/** Members in which some services repeat the request. */
export const ECHO_NAMES = /^(request|query|input|params|meta)$/;

/** `{response: {payload: {body: {…}}}}`: lists and texts in JSON on the way do not count. */
const LEVELS_MAX = 3;

/** Lists of more are none of analyses, and what counts is whether there is more than one. */
const ITEMS_MAX = 20;

/** An analysis has at least this many figures. */
const FIGURES_MIN = 2;

/** An object that carries the figures of an analysis. */
interface Spot {
  readonly object: object;
  readonly count: number;
  /** The names of the members on the way to it, and the objects that have them, outermost first. */
  readonly names: readonly string[];
  readonly outer: readonly object[];
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** How many fields an object's own members name; 0 if the contract names none of them. */
function countFields(object: object, settings: ConnectionSettings): number {
  const fields = new Set(
    Object.entries(object).flatMap((member) => recognise(member, settings)?.field ?? []),
  );
  return DEFAULT_FIELDS.some((field) => fields.has(field)) ? fields.size : 0;
}

function spotsIn(
  value: unknown,
  settings: ConnectionSettings,
  names: readonly string[] = [],
  outer: readonly object[] = [],
): readonly Spot[] {
  const object = opened(value);
  if (Array.isArray(object))
    return object.slice(0, ITEMS_MAX).flatMap((item) => spotsIn(item, settings, names, outer));
  if (!isObject(object)) return [];
  const count = countFields(object, settings);
  const here = count < FIGURES_MIN ? [] : [{ object, count, names, outer }];
  const inner = Object.entries(object).flatMap((entry) => {
    const [name, member] = entry;
    const isPart = recognise(entry, settings) !== undefined || ECHO_NAMES.test(nameForm(name));
    if (isPart || names.length >= LEVELS_MAX || name === '__proto__') return [];
    return spotsIn(member, settings, [...names, name], [...outer, object]);
  });
  // With fewer figures it explains a part of what is around it, as a history or a comparison does.
  return [...here, ...inner.filter((spot) => here.length === 0 || spot.count >= count)];
}

/** The fields of an object: first its own, then the fields of containers in it. */
function fieldsIn(value: unknown, depth = CONTAINERS_DEEP): readonly Sent[] {
  const body = opened(value);
  if (!isObject(body) || Array.isArray(body)) return [];
  const own = Object.entries(body);
  const isContainer = ([name, member]: Sent) =>
    depth > 0 && CONTAINERS.test(name) && isObject(opened(member));
  const inner = own.filter(isContainer).flatMap(([, member]) => fieldsIn(member, depth - 1));
  return [...own.filter((field) => !isContainer(field)), ...inner];
}

/** The members around an analysis: those of each object on the way to it, without the way itself. */
function fieldsAround({ names, outer }: Spot): readonly Sent[] {
  return outer.flatMap((object, level) => {
    const siblings = Object.entries(object).filter(([name]) => name !== names[level]);
    return fieldsIn(Object.fromEntries(siblings));
  });
}

/** What a body holds. */
export interface FoundAnalysis {
  readonly analyses: 'one' | 'several' | 'none';
  /** The members of the analysis: its own first, then those around it. Else those of the body. */
  readonly sent: readonly Sent[];
  /** The names of what it is wrapped in, which may be a product or a market. */
  readonly wrappers: readonly string[];
}

/**
 * The analysis in a body: the one object that carries at least two figures, else the body itself
 * with the containers in it. `several`: it is not clear which one is meant.
 */
export function findAnalysis(body: unknown, settings: ConnectionSettings): FoundAnalysis {
  const [spot, another] = spotsIn(body, settings);
  const fieldOf = (member: Sent) => recognise(member, settings)?.field;
  if (spot === undefined || another !== undefined) {
    const sent = fieldsIn(body);
    // A body with nothing but a price could be anything.
    const isNamed = (field: Field | undefined) => field !== undefined && fieldRow(field).isNamed;
    const count = sent.some((member) => isNamed(fieldOf(member))) ? 'one' : 'none';
    return { analyses: another === undefined ? count : 'several', sent, wrappers: [] };
  }
  const own = fieldsIn(spot.object);
  const given = new Set(own.map(fieldOf));
  // A figure of the analysis itself counts before one around it, whatever their names.
  const around = fieldsAround(spot).filter((member) => {
    const field = fieldOf(member);
    return field === undefined || !given.has(field);
  });
  return { analyses: 'one', sent: [...own, ...around], wrappers: spot.names };
}

/** Money in an object of its own: `{"amount": 4.2, "currency": "USD"}`. */
const moneySchema = lazySchema(() => {
  const text = z.optional(z.nullable(z.string()));
  const others = {
    currency: text,
    currencyCode: text,
    currency_code: text,
    currencySymbol: text,
    symbol: text,
    formatted: text,
    display: text,
  };
  const number = z.nullable(z.union([z.number(), z.string()]));
  return z.union([
    z.strictObject({ amount: number, ...others }),
    z.strictObject({ value: number, ...others }),
  ]);
});

/**
 * The amount in an object of money; undefined for any other value. An object with other members,
 * such as an exponent, is none, because they may change what the amount means.
 */
export function amountInMoney(value: unknown): string | number | null | undefined {
  const read = z.safeParse(moneySchema(), value);
  if (!read.success) return undefined;
  return 'amount' in read.data ? read.data.amount : read.data.value;
}

/** What a service says beside the figures of a reply. */
const asideSchemas = lazySchema(() => {
  const number = z.number();
  const word = z.nullable(z.union([z.string(), z.number(), z.boolean()]));
  return {
    success: word,
    ok: word,
    status: word,
    state: word,
    statusCode: number,
    code: word,
    error: z.unknown(),
    errors: z.unknown(),
    request_id: z.string(),
    retry_after: number,
    retryAfter: number,
    retry_after_ms: number,
    retryAfterMs: number,
    refillIn: number,
    refillRate: number,
    tokensLeft: number,
  };
});

type AsideSchemas = ReturnType<typeof asideSchemas>;

export type Aside = { readonly [Name in keyof AsideSchemas]?: z.infer<AsideSchemas[Name]> };

/** The members beside the figures of a body. One of another type counts as missing. */
export function asideIn(body: unknown): Aside {
  const members = new Map<string, unknown>(isObject(body) ? Object.entries(body) : []);
  const read = Object.entries(asideSchemas()).flatMap(([name, schema]) => {
    const member = z.safeParse(schema, members.get(name));
    return members.has(name) && member.success ? [[name, member.data] as const] : [];
  });
  return Object.fromEntries(read);
}

/** A byte order mark, and signs that keep a browser from running the JSON as a script: `)]}',`. */
const GUARD = /^\uFEFF?\s*(?:\)\]\}'?,?|while\s*\(1\);|for\s*\(;;\);|\{\}\s*&&)?/;

/** Texts, and the words that some programs write in place of a number. */
const TEXT_OR_WORD = /"(?:[^"\\]|\\[\s\S])*"?|-?\b(?:NaN|Infinity|undefined)\b/g;

/** The value, with such words as texts, which are no figures; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  const json = text.replace(GUARD, '');
  return (
    parsed(json) ??
    parsed(json.replace(TEXT_OR_WORD, (part) => (part.startsWith('"') ? part : `"${part}"`)))
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value inside a text that is an object or a list in JSON; any other value as it is. */
export function opened(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*["[{]/.test(value)) return value;
  const inner = parseJson(value);
  return inner === undefined ? value : opened(inner);
}

/** A name of a member, or a brace. */
const NAME_OR_BRACE = /"((?:[^"\\]|\\[\s\S])*)"\s*(:?)|[{}]/g;

/** The names that one object of the text has twice. `JSON.parse` keeps only the last one's value. */
export function repeatedNames(text: string): readonly string[] {
  const repeated: string[] = [];
  const open: Set<string>[] = [];
  for (const [token, raw = '', colon] of text.matchAll(NAME_OR_BRACE)) {
    const names = open[open.length - 1];
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (colon === ':' && names !== undefined) {
      const name = String(parsed(`"${raw}"`) ?? raw);
      if (names.has(name)) repeated.push(name);
      names.add(name);
    }
  }
  return repeated;
}
