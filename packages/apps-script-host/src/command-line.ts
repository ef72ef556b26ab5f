// Implements the command `apps-script-host`, which runs a cell or a function of the project in a
// folder without a test around it.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LOCALES, type Locale } from './messages';
import {
  type CellValue,
  createHost,
  type EndedExecution,
  type Outcome,
  type ProjectHost,
} from './project-host';
import type { Matrix } from './sheet/model';

export interface CommandResult {
  readonly exitCode: 0 | 1;
  /** The requested output: a value or the contents of cells, for standard output. */
  readonly out: string;
  /** Notes on the run, for standard error: the script's logs, the trace and how it ended. */
  readonly aside: string;
}

export const HELP = `apps-script-host cell [FOLDER] FORMULA [options]
apps-script-host run [FOLDER] FUNCTION [ARGUMENT ...] [options]

Runs the Apps Script project in a folder on this machine: what a cell shows, or what a function
returns. Nothing leaves this machine, so UrlFetchApp reaches nobody, and nothing is kept for the
next time: a test has sites that answer, and a host that goes on.

  --project FOLDER   the folder of the project, if it is not named before; left out: this one
  --cells JSON       what stands in the first sheet, from A1 on: '[["price", 12.5]]'
  --hours N          then lets so many hours pass: triggers fire
  --show ADDRESS     then prints what these cells show: Log!A1:B8
  --profile NAME     bound, add-on or web
  --locale NAME      the language of Google's errors: ${LOCALES.join(', ')}
  --seed N           what is left to chance follows from it
  --trace            prints what happened, call by call
  --watch            runs it again whenever a file of the project changes
  --version          prints the version of this package
  --help             prints this

An ARGUMENT is JSON where it can be read as such, else a text.`;

/** How the log marks an uncaught error. Removed here, because the ending reports the error. */
const UNCAUGHT = /^\[uncaught\] /;

const HOUR_MS = 3_600_000;
const MS_PER_SECOND = 1_000;
const PROFILES = ['bound', 'add-on', 'web'] as const;

type Values = ReturnType<typeof readWords>['values'];

const readWords = (words: readonly string[]) =>
  parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      project: { type: 'string', default: '.' },
      cells: { type: 'string' },
      hours: { type: 'string', default: '0' },
      show: { type: 'string' },
      profile: { type: 'string', default: 'bound' },
      locale: { type: 'string', default: 'en' },
      seed: { type: 'string', default: '1' },
      trace: { type: 'boolean', default: false },
      watch: { type: 'boolean', default: false },
      version: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });

export async function commandLine(words: readonly string[]): Promise<CommandResult> {
  try {
    const { values, positionals } = readWords(words);
    if (values.version) return { exitCode: 0, out: ownVersion(), aside: '' };
    if (values.help || words.length === 0) return { exitCode: 0, out: HELP, aside: '' };
    return await played(values, positionals);
  } catch (error) {
    // The first sentence of what parseArgs says about an unknown option is enough.
    const [said = ''] = (error as Error).message.split('. To specify');
    return { exitCode: 1, out: '', aside: said };
  }
}

/** Beside this file where the package is built, above it where it is not. */
function ownVersion(): string {
  const places = ['package.json', '../package.json'].map((name) => join(__dirname, name));
  const manifest = places.find((place) => existsSync(place)) ?? '';
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}

/** The folder of the project and the words without it: `run FOLDER FUNCTION`. */
function placed(values: Values, words: readonly string[]) {
  const [what = '', first, ...rest] = words;
  if (first === undefined || rest.length === 0) return { values, words };
  // A formula follows a folder; what looks like a path is one too.
  const isFolder = existsSync(first) ? statSync(first).isDirectory() : isPath(what, first);
  if (!isFolder) return { values, words };
  return { values: { ...values, project: first }, words: [what, ...rest] };
}

/** Whether a word must be meant as a folder, though there is none of this name. */
const isPath = (what: string, word: string): boolean => what === 'cell' || /[\\/]/.test(word);

/** The folder whose changes call for another run. null: none do. */
export function watchedFolder(words: readonly string[]): string | null {
  try {
    const { values, positionals } = readWords(words);
    return values.watch ? placed(values, positionals).values.project : null;
  } catch {
    return null;
  }
}

/** Runs an action again for each call, one run at a time. Calls during a run ask for one more. */
export function repeating(action: () => Promise<void>): () => void {
  let isRunning = false;
  let isAsked = false;
  const again = async () => {
    isAsked = true;
    if (isRunning) return;
    isRunning = true;
    while (isAsked) {
      isAsked = false;
      await action();
    }
    isRunning = false;
  };
  return () => void again();
}

async function played(given: Values, words: readonly string[]) {
  const { values, words: own } = placed(given, words);
  const [what, name, ...rest] = own;
  const isCell = what === 'cell';
  if ((!isCell && what !== 'run') || name === undefined || (isCell && rest.length > 0))
    throw new Error('Say "cell FORMULA" or "run FUNCTION". --help has the rest.');
  const host = hostOf(values);
  try {
    const outcome = await (isCell ? host.cell(name) : host.run(name, ...rest.map(argument)));
    await host.advance(numberOf('hours', values.hours) * HOUR_MS);
    return told(outcome, host, values);
  } finally {
    await host.stop();
  }
}

function hostOf({ project, cells, profile, locale, seed }: Values): ProjectHost {
  return createHost({
    projectDir: project,
    profile: oneOf(PROFILES, 'profile', profile),
    locale: oneOf<Locale>(LOCALES, 'locale', locale),
    seed: numberOf('seed', seed),
    ...(cells !== undefined && { cells: cellsOf(cells) }),
  });
}

function oneOf<Name extends string>(names: readonly Name[], option: string, text: string): Name {
  const found = names.find((name) => name === text);
  if (found === undefined) throw new Error(`--${option} takes ${names.join(', ')}, not "${text}".`);
  return found;
}

function numberOf(option: string, text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number) || number < 0)
    throw new Error(`--${option} takes a number, not "${text}".`);
  return number;
}

function cellsOf(text: string): Matrix<CellValue> {
  const rows = argument(text);
  if (!Array.isArray(rows) || !rows.every(Array.isArray))
    throw new Error(`--cells takes rows of cells, such as '[["price", 12.5]]', not '${text}'.`);
  return rows;
}

function argument(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function told(outcome: Outcome, host: ProjectHost, { show, trace }: Values): CommandResult {
  const isOther = ({ ok, error }: EndedExecution) => !ok && error !== outcome.error;
  const shown = show === undefined ? [] : host.values(show).map(lineOf);
  const { error, logs } = outcome;
  return {
    exitCode: outcome.ok ? 0 : 1,
    out: [...valueLines(outcome.value), ...shown].join('\n'),
    aside: [
      ...logs.map((line) => line.replace(UNCAUGHT, '')),
      // An uncaught error is in the logs with its stack, except where nothing ran.
      ...(error && logs.length === 0 ? [`${error.name}: ${error.message}`] : []),
      ...whereabouts(outcome),
      ...host.executions().flatMap((each) => (isOther(each) ? failureOf(each) : [])),
      ...(trace ? host.trace() : []),
      ending(outcome),
    ].join('\n'),
  };
}

/** The line of the script that failed, and the call and the limit that it failed at. */
function whereabouts({ failure = {} }: Pick<Outcome, 'failure'>): readonly string[] {
  const { line, source, call, limit } = failure;
  return [
    ...(line === undefined ? [] : [`  ${line} | ${source}`]),
    ...(call === undefined ? [] : [`  in ${call.name}, service call ${call.number}`]),
    ...(limit === undefined ? [] : [`  at the limit ${limit.name}: ${limit.value}`]),
  ];
}

/** Of an execution that a trigger or a cell has started, which is told nowhere else. */
function failureOf({ functionName, door, startedMs, error, ...rest }: EndedExecution) {
  const moment = new Date(startedMs).toISOString();
  return [
    `${functionName} (${door}) at ${moment} ${rest.ended}: ${error?.name}: ${error?.message}`,
    ...whereabouts(rest),
  ];
}

function valueLines(value: unknown): readonly string[] {
  if (value === undefined) return [];
  const isRows = Array.isArray(value) && value.length > 0 && value.every(Array.isArray);
  return isRows ? value.map(lineOf) : [textOf(value)];
}

/** Formats a row as text copied from a sheet: tabs between the cells. */
const lineOf = (row: readonly unknown[]): string => row.map(textOf).join('\t');

const textOf = (value: unknown): string => {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
};

const ENDINGS: Readonly<Record<Outcome['ended'], string>> = {
  returned: 'Returned',
  threw: 'Failed',
  killed: 'Died',
  timedOut: 'Ran out of time',
  refused: 'Refused',
};

function ending({ ended, startedMs, endedMs, serviceCalls }: Outcome): string {
  const seconds = ((endedMs - startedMs) / MS_PER_SECOND).toFixed(2);
  const calls = serviceCalls === 1 ? '1 service call' : `${serviceCalls} service calls`;
  return `${ENDINGS[ended]} after ${seconds} s at Google's pace, with ${calls}.`;
}
