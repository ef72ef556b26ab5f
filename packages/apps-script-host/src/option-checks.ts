// Tells mistakes in what a test gives to a host: an error names the option and the nearest right one.

import { CONSUMER_LIMITS } from './limits';
import { LOCALES } from './messages';
import type { Crash, ProjectHostOptions } from './project-host';

type Check = (name: string, value: unknown) => void;

const shown = (value: unknown) =>
  typeof value === 'string' ? `'${value}'` : JSON.stringify(value);

function fail(name: string, takes: string, value: unknown): never {
  throw new TypeError(`createHost: ${name} takes ${takes}, not ${shown(value)}.`);
}

const oneOf =
  (names: readonly string[]): Check =>
  (name, value) => {
    if (!names.includes(value as string))
      fail(name, names.map((each) => `'${each}'`).join(', '), value);
  };

const number =
  (lowest: number, highest = Number.POSITIVE_INFINITY): Check =>
  (name, value) => {
    if (typeof value === 'number' && value >= lowest && value <= highest) return;
    const range = highest === Number.POSITIVE_INFINITY ? `${lowest} on` : `${lowest} to ${highest}`;
    fail(name, `a number from ${range}`, value);
  };

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object that has no other members than these. */
const members =
  (checks: Readonly<Record<string, Check>>, takes = 'an object'): Check =>
  (name, value) => {
    if (!isObject(value)) fail(name, takes, value);
    for (const [member, each] of Object.entries(value)) {
      const path = name === '' ? member : `${name}.${member}`;
      const check = checks[member];
      if (check === undefined) throw new TypeError(`createHost: ${unknown(path, member, checks)}`);
      if (each !== undefined) check(path, each);
    }
  };

function unknown(path: string, member: string, checks: Readonly<Record<string, Check>>): string {
  const near = nearest(member, Object.keys(checks));
  const offer = near === null ? `There are ${Object.keys(checks).join(', ')}.` : `Is it ${near}?`;
  return `there is no option ${path}. ${offer}`;
}

/** The name that is written almost like this. null: none is. */
export function nearest(word: string, names: readonly string[]): string | null {
  const [first] = names
    .map((name) => ({ name, steps: stepsBetween(word.toLowerCase(), name.toLowerCase()) }))
    .sort((one, other) => one.steps - other.steps);
  return first !== undefined && first.steps <= Math.max(2, word.length / 3) ? first.name : null;
}

/** How many letters have to be put in, taken out or replaced (Levenshtein). */
function stepsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [place, letter] of [...one].entries()) {
    const next = [place + 1];
    for (const [at, known] of [...other].entries())
      next.push(
        Math.min(
          (row[at] ?? 0) + (known === letter ? 0 : 1),
          (row[at + 1] ?? 0) + 1,
          (next[at] ?? 0) + 1,
        ),
      );
    row = next;
  }
  return row[other.length] ?? 0;
}

const text: Check = (name, value) => {
  if (typeof value !== 'string' || value === '') fail(name, 'a text', value);
};

const files: Check = (name, value) => {
  if (!isObject(value)) fail(name, 'texts by file name', value);
  for (const [file, content] of Object.entries(value))
    if (typeof content !== 'string') fail(`${name}['${file}']`, 'a text', content);
};

const sites: Check = (name, value) => {
  if (!isObject(value)) fail(name, 'functions by host name', value);
  for (const [site, answer] of Object.entries(value)) {
    if (/[/]/.test(site)) {
      const host = site.replace(/^\w*:?\/\//, '').replace(/\/.*$/, '');
      throw new TypeError(
        `createHost: sites takes host names, not addresses: '${host}' instead of '${site}'.`,
      );
    }
    if (typeof answer !== 'function') fail(`sites['${site}']`, 'a function', answer);
  }
};

const cells: Check = (name, value) => {
  const isRows = Array.isArray(value) && value.length > 0 && value.every(Array.isArray);
  if (!isRows) fail(name, "rows of cells, such as [['price', 12.5]]", value);
};

const answers: Check = (name, value) => {
  if (typeof value === 'function') return;
  const isAnswer = (each: unknown) => typeof each === 'string' || isObject(each);
  if (!Array.isArray(value) || !value.every(isAnswer))
    fail(name, "answers to dialogs, one after the other, such as ['YES', 'some text']", value);
};

const services: Check = (name, value) => {
  if (!isObject(value)) fail(name, 'objects by the names of services', value);
  for (const [service, members] of Object.entries(value))
    if (!isObject(members)) fail(`${name}.${service}`, 'an object with functions', members);
};

const documents: Check = (name, value) => {
  if (!isObject(value)) fail(name, 'rows of cells by the id of each spreadsheet', value);
  for (const [id, rows] of Object.entries(value)) cells(`${name}['${id}']`, rows);
};

const latency: Check = (name, value) => {
  if (!isObject(value)) oneOf(['modelled', 'none'])(name, value);
};

const any: Check = () => {};

const OPTIONS: Readonly<Record<keyof ProjectHostOptions, Check>> = {
  files,
  projectDir: text,
  profile: oneOf(['bound', 'add-on', 'web']),
  seed: number(Number.NEGATIVE_INFINITY),
  clock: oneOf(['virtual', 'real']),
  latency,
  faults: members(
    { rate: number(0, 1), services: any, againShare: number(0, 1) },
    'an object such as { rate: 0.01 }',
  ),
  locale: oneOf(LOCALES),
  limits: members(
    Object.fromEntries(Object.keys(CONSUMER_LIMITS).map((limit) => [limit, number(0)])),
  ),
  sites,
  documents,
  answers,
  services,
  cells,
  runawayMs: number(1),
};

export function checkOptions(options: ProjectHostOptions): void {
  members(OPTIONS)('', options);
  const { files: own, projectDir }: { readonly files?: unknown; readonly projectDir?: unknown } =
    options;
  if ((own === undefined) === (projectDir === undefined))
    throw new TypeError(
      "createHost takes either files, such as { 'Code.gs': 'function f() {}' }, or projectDir, a folder.",
    );
}

export function checkCrash(at: Crash): void {
  const [[member, value] = ['', undefined], ...rest] = Object.entries(at ?? {});
  const isCall = member === 'beforeCall' || member === 'afterCall';
  if (isCall && rest.length === 0 && Number.isInteger(value) && Number(value) >= 1) return;
  throw new TypeError(
    `kill takes { beforeCall: 1 } or { afterCall: 1 }, counted from 1, not ${JSON.stringify(at)}.`,
  );
}
