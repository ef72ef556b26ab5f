// Calculates QUERY: the query language of Google's charts over rows of cells.

import type { Plain } from './key-index';
import type { Matrix } from './model';
import { order } from './native-functions';

/**
 * Source: developers.google.com/chart/interactive/docs/querylanguage. Emulated are select, where,
 * group by, order by, limit, offset and label, with the columns' names and the functions sum, avg,
 * count, max and min. All else (pivot, format, options, arithmetic, scalar functions) is an error.
 */
export interface QueryData {
  readonly rows: Matrix<Plain>;
  /** The letters of the first column, such as "C". null: columns are called Col1, Col2 alone. */
  readonly columnOf: (name: string) => number | null;
}

const AGGREGATES = ['sum', 'avg', 'count', 'max', 'min'] as const;
type Aggregate = (typeof AGGREGATES)[number];

interface Term {
  readonly column: number;
  readonly aggregate: Aggregate | null;
}

type Condition = (row: readonly Plain[]) => boolean;

interface Query {
  readonly select: readonly Term[];
  readonly where: Condition;
  readonly groupBy: readonly number[];
  readonly orderBy: readonly (Term & { readonly isAscending: boolean })[];
  readonly limit: number;
  readonly offset: number;
  readonly labels: ReadonlyMap<string, string>;
}

/** Ends the query with #VALUE!, as Sheets does for a query that it cannot parse. */
class NotParsed extends Error {}

const TOKEN = /\s*("[^"]*"|'[^']*'|`[^`]*`|-?\d+(?:\.\d+)?|[A-Za-z_][\w]*|<>|!=|<=|>=|[=<>(),*])/y;

/** null: the query cannot be parsed. `headers` below 0: the rows tell whether the first is one. */
export function queried(
  { rows, columnOf }: QueryData,
  text: string,
  headers: number,
): Matrix<Plain> | null {
  const width = rows[0]?.length ?? 0;
  const headCount = headers < 0 ? Number(hasHeader(rows)) : Math.min(headers, rows.length);
  const titles = Array.from({ length: width }, (_, at) =>
    rows
      .slice(0, headCount)
      .map((row) => row[at] ?? '')
      .join(' ')
      .trim(),
  );
  const body = ofOneKind(rows.slice(headCount), width);
  try {
    const query = parsed(text, width, columnOf);
    const found = table(body, query);
    const heads = query.select.map((term) => titleOf(term, titles, query.labels));
    const hasHeads = headCount > 0 || heads.some((head) => head !== '');
    return hasHeads ? [heads, ...found] : found;
  } catch (error) {
    if (error instanceof NotParsed) return null;
    throw error;
  }
}

/** A first row of texts over others that are not all texts. */
function hasHeader([first = [], ...rest]: Matrix<Plain>): boolean {
  const isText = (cell: Plain) => typeof cell === 'string';
  return (
    rest.length > 0 &&
    first.every(isText) &&
    rest.some((row) => row.some((cell) => cell !== null && !isText(cell)))
  );
}

/** "In case of mixed data types in a single column, the majority decides; the others are null." */
function ofOneKind(rows: Matrix<Plain>, width: number): Matrix<Plain> {
  const kinds = Array.from({ length: width }, (_, at) => {
    const counts = new Map<string, number>();
    for (const row of rows) {
      const cell = row[at] ?? null;
      if (cell !== null && cell !== '') counts.set(typeof cell, (counts.get(typeof cell) ?? 0) + 1);
    }
    return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
  });
  return rows.map((row) =>
    kinds.map((kind, at) => (typeof row[at] === kind && row[at] !== '' ? (row[at] ?? null) : null)),
  );
}

const keyOf = ({ column, aggregate }: Term) => `${aggregate ?? ''} ${column}`;

function titleOf(
  term: Term,
  titles: readonly string[],
  labels: ReadonlyMap<string, string>,
): string {
  const label = labels.get(keyOf(term));
  const title = titles[term.column] ?? '';
  return label ?? (term.aggregate ? `${term.aggregate} ${title}`.trim() : title);
}

function table(body: Matrix<Plain>, query: Query): Matrix<Plain> {
  const kept = body.filter(query.where);
  const isGrouped = query.groupBy.length > 0 || query.select.some(({ aggregate }) => aggregate);
  const groups = isGrouped ? grouped(kept, query.groupBy) : kept.map((row) => [row]);
  const values = (term: Term, rows: Matrix<Plain>): Plain =>
    term.aggregate
      ? aggregated(
          term.aggregate,
          rows.map((row) => row[term.column] ?? null),
        )
      : (rows[0]?.[term.column] ?? null);
  const inOrder = groups.map((rows, at) => ({ rows, at }));
  inOrder.sort((one, other) => {
    for (const term of query.orderBy) {
      const found = compared(values(term, one.rows), values(term, other.rows));
      if (found !== 0) return term.isAscending ? found : -found;
    }
    return one.at - other.at;
  });
  return inOrder
    .slice(query.offset, query.offset + query.limit)
    .map(({ rows }) => query.select.map((term) => values(term, rows)));
}

/** Blanks come before all else. */
function compared(one: Plain, other: Plain): number {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null);
  return order(one, other);
}

/** The rows of each combination of values, in the order of these values. */
function grouped(rows: Matrix<Plain>, columns: readonly number[]): readonly Matrix<Plain>[] {
  const groups = new Map<string, (readonly Plain[])[]>();
  for (const row of rows) {
    const key = JSON.stringify(columns.map((column) => row[column]));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].sort(([one], [other]) => {
    for (const column of columns) {
      const found = compared(one?.[column] ?? null, other?.[column] ?? null);
      if (found !== 0) return found;
    }
    return 0;
  });
}

function aggregated(aggregate: Aggregate, cells: readonly Plain[]): Plain {
  const there = cells.filter((cell) => cell !== null);
  if (aggregate === 'count') return there.length;
  if (aggregate === 'max' || aggregate === 'min') {
    const sorted = [...there].sort(compared);
    return sorted.at(aggregate === 'min' ? 0 : -1) ?? null;
  }
  if (there.some((cell) => typeof cell !== 'number')) throw new NotParsed();
  const sum = there.reduce((total: number, cell) => total + Number(cell), 0);
  if (aggregate === 'sum') return there.length === 0 ? null : sum;
  return there.length === 0 ? null : sum / there.length;
}

function parsed(text: string, width: number, columnOf: QueryData['columnOf']): Query {
  const tokens = tokensOf(text);
  let at = 0;
  const peek = (word: string, ahead = 0) => tokens[at + ahead]?.toLowerCase() === word;
  const take = () => {
    const token = tokens[at];
    if (token === undefined) throw new NotParsed();
    at += 1;
    return token;
  };
  const accept = (word: string) => {
    if (!peek(word)) return false;
    at += 1;
    return true;
  };
  const need = (word: string) => {
    if (!accept(word)) throw new NotParsed();
  };
  const column = (): number => {
    const name = take().replaceAll('`', '');
    const [, number] = /^Col([1-9]\d*)$/.exec(name) ?? [];
    const found = number === undefined ? columnOf(name) : Number(number) - 1;
    if (found === null || found < 0 || found >= width) throw new NotParsed();
    return found;
  };
  const term = (): Term => {
    const aggregate = AGGREGATES.find((each) => peek(each) && peek('(', 1)) ?? null;
    if (aggregate === null) return { column: column(), aggregate };
    at += 2;
    const within = { column: column(), aggregate };
    need(')');
    return within;
  };
  const list = <Item>(read: () => Item): Item[] => {
    const items = [read()];
    while (accept(',')) items.push(read());
    return items;
  };
  const literal = (): Plain => {
    if (accept('date') || accept('datetime') || accept('timestamp'))
      return dateOf(unquoted(take()));
    const token = take();
    if (/^["']/.test(token)) return unquoted(token);
    if (/^(?:true|false)$/i.test(token)) return token.toLowerCase() === 'true';
    if (!/^-?\d/.test(token)) throw new NotParsed();
    return Number(token);
  };
  const comparison = (): Condition => {
    if (accept('(')) {
      const inner = either();
      need(')');
      return inner;
    }
    if (accept('not')) {
      const inner = comparison();
      return (row) => !inner(row);
    }
    const place = column();
    if (accept('is')) {
      const isNot = accept('not');
      need('null');
      return (row) => (row[place] === null) !== isNot;
    }
    const operator = take().toLowerCase();
    if (operator === 'starts' || operator === 'ends') need('with');
    const holds = CONDITIONS[operator];
    if (!holds) throw new NotParsed();
    const wanted = literal();
    return (row) => {
      const cell = row[place] ?? null;
      return cell !== null && holds(cell, wanted);
    };
  };
  const both = (): Condition => {
    const all = [comparison()];
    while (accept('and')) all.push(comparison());
    return (row) => all.every((each) => each(row));
  };
  const either = (): Condition => {
    const all = [both()];
    while (accept('or')) all.push(both());
    return (row) => all.some((each) => each(row));
  };
  const everything = () =>
    Array.from({ length: width }, (_, place): Term => ({ column: place, aggregate: null }));
  const count = () => {
    const number = Number(take());
    if (!Number.isInteger(number) || number < 0) throw new NotParsed();
    return number;
  };
  const clause = <Value>(words: readonly string[], ifAbsent: Value, read: () => Value): Value => {
    if (!words.every((word, ahead) => peek(word, ahead))) return ifAbsent;
    at += words.length;
    return read();
  };
  const ascending = () => {
    if (accept('desc')) return false;
    accept('asc');
    return true;
  };
  const query: Query = {
    select: clause(['select'], everything(), () => (accept('*') ? everything() : list(term))),
    where: clause<Condition>(['where'], () => true, either),
    groupBy: clause(['group', 'by'], [], () => list(column)),
    orderBy: clause(['order', 'by'], [], () =>
      list(() => ({ ...term(), isAscending: ascending() })),
    ),
    limit: clause(['limit'], Number.POSITIVE_INFINITY, count),
    offset: clause(['offset'], 0, count),
    labels: clause(
      ['label'],
      new Map<string, string>(),
      () => new Map(list(() => [keyOf(term()), unquoted(take())] as const)),
    ),
  };
  const isAlone = ({ column: place, aggregate }: Term) =>
    aggregate === null && !query.groupBy.includes(place);
  const isGrouped = query.groupBy.length > 0 || query.select.some(({ aggregate }) => aggregate);
  if (at < tokens.length || (isGrouped && query.select.some(isAlone))) throw new NotParsed();
  return query;
}

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  const whole = text.trim();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < whole.length) {
    const [, token] = TOKEN.exec(whole) ?? [];
    if (token === undefined) throw new NotParsed();
    tokens.push(token);
  }
  return tokens;
}

function unquoted(token: string): string {
  if (!/^["']/.test(token)) throw new NotParsed();
  return token.slice(1, -1);
}

/** A date as formulas read it, in days. */
function dateOf(text: string): number {
  const moment = Date.parse(`${text.replace(' ', 'T')}${text.includes(':') ? 'Z' : ''}`);
  if (Number.isNaN(moment)) throw new NotParsed();
  return moment / 86_400_000 + 25_569;
}

const sameKind = (one: Plain, other: Plain) => typeof one === typeof other;

/** Texts are compared with their case. */
const less = (one: Plain, other: Plain) => Number(one ?? 0) < Number(other ?? 0);
const before = (one: Plain, other: Plain) =>
  sameKind(one, other) && (typeof one === 'string' ? one < String(other) : less(one, other));

const textual =
  (holds: (cell: string, wanted: string) => boolean) => (cell: Plain, wanted: Plain) =>
    holds(String(cell), String(wanted));

const CONDITIONS: Readonly<Record<string, (cell: Plain, wanted: Plain) => boolean>> = {
  '=': (cell, wanted) => cell === wanted,
  '!=': (cell, wanted) => cell !== wanted,
  '<>': (cell, wanted) => cell !== wanted,
  '<': before,
  '>': (cell, wanted) => before(wanted, cell),
  '<=': (cell, wanted) => sameKind(cell, wanted) && !before(wanted, cell),
  '>=': (cell, wanted) => sameKind(cell, wanted) && !before(cell, wanted),
  contains: textual((cell, wanted) => cell.includes(wanted)),
  starts: textual((cell, wanted) => cell.startsWith(wanted)),
  ends: textual((cell, wanted) => cell.endsWith(wanted)),
  matches: textual((cell, wanted) => {
    try {
      return new RegExp(`^(?:${wanted})$`, 'u').test(cell);
    } catch {
      throw new NotParsed();
    }
  }),
  /** "%" is any text and "_" any character. */
  like: textual((cell, wanted) =>
    new RegExp(
      `^${wanted
        .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
        .replaceAll('%', '[\\s\\S]*')
        .replaceAll('_', '[\\s\\S]')}$`,
    ).test(cell),
  ),
};
