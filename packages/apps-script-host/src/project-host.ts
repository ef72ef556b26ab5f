// The package's main interface: runs a project's functions, cells, sidebar and web app on this
// machine as Google does.

import { calculating } from './calculation';
import { argumentsOf, hasPlainArguments, readCall } from './custom-calls';
import { type Answers, answering, type Dialog, type DialogReply } from './dialogs';
import type { HostDocument } from './document';
import type { FaultLaw } from './faults';
import type { Host, Outcome } from './host';
import { createHost as createMachine } from './host';
import type { Execution, HostOptions } from './host-contract';
import { loopbackInternet } from './internet/http';
import type { Internet } from './internet/internet';
import {
  createSandboxedInternet,
  type SandboxRequest,
  UNKNOWN_NAME_MS,
} from './internet/sandboxed';
import { type LatencyLaw, MODELLED_LATENCY, NO_LATENCY } from './latency';
import type { HostLimits } from './limits';
import type { Locale } from './messages';
import { checkCrash, checkOptions } from './option-checks';
import { type Project, type ProjectFiles, projectOf, readProject } from './project-files';
import { functionsOf, isReadable } from './pushed-code';
import { recalculating } from './recalculation';
import type { ScreenMenu } from './service';
import type { BroughtCall, BroughtServices } from './services/brought';
import { servedPage } from './services/html';
import { readInput } from './services/spreadsheet-app/input';
import { parseAddress } from './sheet/a1-notation';
import { createDateSerial } from './sheet/date-serial';
import { functionNames as functionsOfSheets } from './sheet/formula-engine';
import type { CellContent, CellValue, Matrix, Rectangle } from './sheet/model';
import { GENERAL_FORMAT } from './sheet/model';
import { isDateFormat } from './sheet/number-format';
import { createPlainGrid, type PlainGrid } from './sheet/plain-grid';
import { type Visit, visitEvent, type WebAnswer } from './web-app';

export type {
  Answers,
  BroughtCall,
  BroughtServices,
  CellValue,
  Dialog,
  DialogReply,
  Outcome,
  ProjectFiles,
  Visit,
  WebAnswer,
};

/** A website's answer. A string is a page with status 200. */
export type SiteAnswer =
  | string
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      /** From sending the request to the answer's arrival, in ms. */
      readonly delayMs?: number;
    };

interface CommonOptions {
  /**
   * What the script belongs to: one spreadsheet ("bound"), all spreadsheets ("add-on") or none
   * ("web"). Defaults to "bound".
   */
  readonly profile?: 'add-on' | 'bound' | 'web';
  /** Determines everything random. Defaults to 1. */
  readonly seed?: number;
  /** Defaults to "virtual", in which hours pass in milliseconds. */
  readonly clock?: 'virtual' | 'real';
  /**
   * How long Google's actions take. Defaults to measured times in virtual time and to none with the
   * machine's clock.
   */
  readonly latency?: 'modelled' | 'none' | LatencyLaw;
  /** How often Google's services fail for no reason. Defaults to never. */
  readonly faults?: FaultLaw;
  /** The language in which Google addresses users. Defaults to English. */
  readonly locale?: Locale;
  readonly limits?: Partial<HostLimits>;
  /**
   * The sites that UrlFetchApp can reach, by host name. No other site exists, and nothing leaves
   * this machine.
   */
  readonly sites?: Readonly<Record<string, (request: SandboxRequest) => SiteAnswer>>;
  /**
   * Other spreadsheets of the same owner, by their ids, as `cells` of their first sheets:
   * `{ 'prices-2026': [['A1', 12.5]] }`. Scripts open them by id or address.
   */
  readonly documents?: Readonly<Record<string, Matrix<CellValue>>>;
  /**
   * What the person at the keyboard answers to dialogs, one after the other: the name of a button
   * ('YES'), for a prompt the text that is typed, or `{ button: 'CANCEL' }`. Or a function that is
   * asked each time. A message with nothing but OK needs no answer; any other that has none is an error.
   */
  readonly answers?: Answers;
  /**
   * Services that are not emulated, as plain objects with functions, and members that one lacks:
   * `{ GmailApp: { sendEmail: (to, subject, body) => {} } }`. Each call is recorded: see
   * {@link ProjectHost.calls}.
   */
  readonly services?: BroughtServices;
  /**
   * The content of the first sheet from A1 on, read as if typed in. Short rows end in blank cells.
   * Formulas are calculated as time passes.
   */
  readonly cells?: Matrix<CellValue>;
  /**
   * How long a script may compute between two service calls in virtual time, in ms of this machine's
   * time, until it counts as endless. Defaults to 20 seconds.
   */
  readonly runawayMs?: number;
}

export type ProjectHostOptions = CommonOptions &
  (
    | { readonly files: ProjectFiles; readonly projectDir?: never }
    /** A folder with the project and, if there is one, its .clasp.json. */
    | { readonly projectDir: string; readonly files?: never }
  );

/** A page beside the spreadsheet. */
export interface Sidebar {
  readonly title: string;
  /**
   * The HTML that the browser gets, after Google has cut what it takes for comments out of inline
   * scripts.
   */
  readonly html: string;
  /** Calls a function as the page's `google.script.run` does. */
  readonly run: (functionName: string, ...args: readonly unknown[]) => Promise<Outcome>;
}

/**
 * The service call, counted from 1, at which an execution dies: just before the call takes effect
 * or just after.
 */
export type Crash = { readonly beforeCall: number } | { readonly afterCall: number };

export interface ProjectHost {
  /** Runs a function to its end, as a menu does. */
  readonly run: (functionName: string, ...args: readonly unknown[]) => Promise<Outcome>;
  /**
   * Runs a custom function as a cell does. The formula is a single call whose arguments are
   * numbers, texts in quotes and references. `value` is what the cell shows, which is "#ERROR!" if
   * the function failed. The formula's own cell is the first below all contents.
   */
  readonly cell: (formula: string) => Promise<Outcome>;
  /**
   * Opens the file as a user does. Returns the menu that onOpen makes. null: it makes none. Throws if
   * onOpen fails, or if the project cannot be read.
   */
  readonly open: () => Promise<ScreenMenu | null>;
  /** Runs a function that shows a sidebar or a dialog. */
  readonly openSidebar: (functionName: string) => Promise<Sidebar>;
  /** Visits the web app. `value` is a {@link WebAnswer}. */
  readonly visit: (visit?: Visit) => Promise<Outcome>;
  /**
   * Types into cells of the first sheet as a user does. Text such as "=F(A1)" becomes a formula.
   * Edit triggers fire.
   */
  readonly edit: (address: string, values: Matrix<CellValue>) => Promise<void>;
  /** All executions so far, in the order in which they ended, as Google's page of that name lists them. */
  readonly executions: () => readonly EndedExecution[];
  /**
   * How the custom function of a cell ended the last time, which Sheets shows to who points at it. null: it
   * has not run.
   */
  readonly lastRun: (address: string) => EndedExecution | null;
  /**
   * What cells show, for an address such as "A1:C10" or "Log!A1:B": of the script's own spreadsheet, or
   * of another that `documents` has or that the script has made.
   */
  readonly values: (address: string, documentId?: string) => Matrix<CellValue>;
  /** The questions that the script asked so far, and what was answered. */
  readonly dialogs: () => readonly AskedDialog[];
  /** The arguments of each call of a service that the test brings, such as "GmailApp.sendEmail". */
  readonly calls: (name: string) => readonly (readonly unknown[])[];
  /** Lets time pass: triggers fire and cache entries expire. */
  readonly advance: (ms: number) => Promise<void>;
  /** The same project, whose next execution dies at the given call. */
  readonly kill: (at: Crash) => ProjectHost;
  /** One line for each event. */
  readonly trace: () => readonly string[];
  readonly nowMs: () => number;
  /** The contents of the services' stores, for tests that inspect them. */
  readonly stores: Host['stores'];
  readonly stop: () => Promise<void>;
}

/** A question and its answer. */
export interface AskedDialog extends Dialog, DialogReply {}

/** An execution and how it ended. */
export type EndedExecution = Outcome & Pick<Execution, 'functionName' | 'door' | 'cell'>;

const OWNER = 'owner@example.com';
const DOCUMENT_ID = 'the-spreadsheet';

/** Memory of a script. Google names no limit. */
const MEMORY_MB = 256;

const RUNAWAY_MS = 20_000;

/** What cells show if the function does not exist, or if it failed. */
const NO_NAME = '#NAME?';
const FAILED = '#ERROR!';

export function createHost(options: ProjectHostOptions): ProjectHost {
  checkOptions(options);
  const files = options.files ?? readProject(options.projectDir);
  const project = projectOf(files);
  const functions = functionNames(project);
  const { timeZone } = JSON.parse(project.manifest) as { readonly timeZone: string };
  const grid = createPlainGrid({ timeZone });
  const grids = new Map([[DOCUMENT_ID, grid]]);
  for (const id of Object.keys(options.documents ?? {}))
    grids.set(id, createPlainGrid({ timeZone }));
  const shown: Shown = { menu: null, page: null, dialogs: [] };
  const executions: EndedExecution[] = [];
  const machine = machineOf(
    options,
    project,
    grids,
    shown,
    ({ functionName, door, cell }, outcome) => {
      const run = { functionName, door, ...(cell && { cell }) };
      executions.push({ ...run, ...located(outcome, project) });
    },
  );
  const { settled, idle } = passing(machine, options.clock ?? 'virtual');
  let crash: Crash | null = null;

  function start(execution: Execution): Promise<Outcome> {
    const at = crash;
    crash = null;
    return settled(
      machine.start({
        ...execution,
        ...(at && 'beforeCall' in at ? { killAtCall: at.beforeCall } : {}),
        ...(at && 'afterCall' in at ? { killAfterCall: at.afterCall } : {}),
      }),
    ).then((outcome) => located(outcome, project));
  }

  const asDeclared = (name: string) => functions.get(name.toUpperCase()) ?? name;
  const isCustom = (name: string) => functions.has(name.toUpperCase());
  recalculating(
    { start: (run) => machine.start({ ...run, functionName: asDeclared(run.functionName) }) },
    grid,
    isCustom,
  );
  calculating(grid, { nowMs: machine.nowMs, isCustom });
  const type = (into: PlainGrid, cells: Matrix<CellValue>) =>
    into.write(FIRST_SHEET, 1, 1, typedIn(into, cells, machine.nowMs()));
  if (options.cells) type(grid, options.cells);
  for (const [id, cells] of Object.entries(options.documents ?? {})) {
    const other = grids.get(id) as PlainGrid;
    calculating(other, { nowMs: machine.nowMs, isCustom: () => false });
    type(other, cells);
  }

  async function cell(formula: string): Promise<Outcome> {
    const call = readCall(formula);
    const isPlain = call && call.instead === undefined && hasPlainArguments(grid, call);
    if (!isPlain)
      throw new RangeError(
        `${formula} is not one call of a custom function with constants, references or names. ` +
          `Other formulas are worked out in a cell: await host.edit('A1', [['${formula}']])`,
      );
    const args = argumentsOf(grid, FIRST_SHEET, formula);
    const name = asDeclared(call.functionName);
    if (!isCustom(name) && functionsOfSheets().includes(call.functionName))
      throw new RangeError(
        `${call.functionName} is a function of Sheets' own, and host.cell is for those of the script. ` +
          `It is worked out in a cell: await host.edit('B1', [['${formula}']]), then host.values('B1').`,
      );
    if (!isCustom(name)) return unknownFunction(call.functionName, machine.nowMs());
    const below = { sheetId: FIRST_SHEET, row: grid.size(FIRST_SHEET).lastRow + 1, column: 1 };
    const outcome = await start({ functionName: name, args, door: 'cell', cell: below });
    return { ...outcome, value: outcome.ok ? (outcome.value ?? '') : FAILED };
  }

  const host: ProjectHost = {
    run: (functionName, ...args) => start({ functionName, args, door: 'menu' }),
    cell,
    async open() {
      shown.menu = null;
      // A project that cannot be read fails with the error of its first line that cannot.
      if (isCustom('onOpen') || !project.code.every(isReadable)) {
        const outcome = await start({ functionName: 'onOpen', args: [], door: 'open' });
        if (!outcome.ok) throw new Error(`onOpen failed: ${saidOf(outcome)}`);
      }
      await idle();
      return shown.menu;
    },
    async openSidebar(functionName) {
      shown.page = null;
      const { error } = await start({ functionName, args: [], door: 'menu' });
      const page = shown.page as Shown['page'];
      if (page === null) throw new Error(error?.message ?? `${functionName} showed no page.`);
      return {
        ...page,
        run: (name, ...args) => start({ functionName: name, args, door: 'sidebar' }),
      };
    },
    visit: async (visit = {}) => {
      const method = visit.method ?? (visit.body === undefined ? 'GET' : 'POST');
      const functionName = method === 'POST' ? 'doPost' : 'doGet';
      return served(await start({ functionName, args: [visitEvent(visit)], door: 'web' }));
    },
    async edit(address, values) {
      const { sheetId, rectangle } = placeOf(grid, address);
      const contents = typedIn(grid, values, machine.nowMs());
      machine.act({ do: 'edit', sheetId, row: rectangle.row, column: rectangle.column, contents });
      await idle();
    },
    executions: () => [...executions],
    lastRun: (address) => {
      const { sheetId, rectangle } = placeOf(grid, address);
      const isHere = ({ cell }: EndedExecution) =>
        cell?.sheetId === sheetId && cell.row === rectangle.row && cell.column === rectangle.column;
      return executions.findLast(isHere) ?? null;
    },
    values: (address, documentId = DOCUMENT_ID) => {
      const found = grids.get(documentId);
      if (found === undefined)
        throw new RangeError(
          `There is no spreadsheet ${documentId}. There are ${[...grids.keys()].join(', ')}.`,
        );
      const { sheetId, rectangle } = placeOf(found, address);
      return found.values(sheetId, rectangle);
    },
    dialogs: () => [...shown.dialogs],
    calls: (name) =>
      machine.stores.brought.filter((call) => call.name === name).map(({ args }) => args),
    async advance(ms) {
      await idle();
      machine.skip(ms);
      await machine.run(machine.nowMs() + ms);
    },
    kill: (at) => {
      checkCrash(at);
      crash = at;
      return host;
    },
    trace: machine.trace,
    nowMs: machine.nowMs,
    stores: machine.stores,
    stop: machine.stop,
  };
  return host;
}

const FIRST_SHEET = 0;

/** The innermost line of the project in which an execution failed. */
function located(outcome: Outcome, { code }: Project): Outcome {
  if (outcome.ok) return outcome;
  const { failure } = outcome;
  for (const [, name, line] of failure.stack?.matchAll(/([^\s()]+):(\d+):\d+\)?$/gm) ?? []) {
    const source = code.find((file) => file.name === name)?.text.split('\n')[Number(line) - 1];
    if (source !== undefined)
      return {
        ...outcome,
        failure: { ...failure, line: `${name}:${line}`, source: source.trim() },
      };
  }
  return outcome;
}

/** An error in one line, with the line of the script. */
function saidOf({ error, failure }: Outcome): string {
  const where = failure?.line === undefined ? '' : ` (${failure.line} | ${failure.source})`;
  return `${error?.name}: ${error?.message}${where}`;
}

/** Sheets gives this answer itself, without running anything. */
const unknownFunction = (name: string, nowMs: number): Outcome => ({
  ok: false,
  value: NO_NAME,
  error: { name: 'Error', message: `Unknown function: '${name}'.` },
  failure: {},
  ended: 'refused',
  startedMs: nowMs,
  endedMs: nowMs,
  serviceCalls: 0,
  logs: [],
});

interface Shown {
  menu: ScreenMenu | null;
  page: { readonly title: string; readonly html: string } | null;
  readonly dialogs: AskedDialog[];
}

/**
 * The functions that a formula can call, by their names in capitals, because formulas ignore case.
 * A name that ends in "_" is private (guide of custom functions, "Naming").
 */
function functionNames({ code }: Project): ReadonlyMap<string, string> {
  const names = code
    .flatMap((file) => [...functionsOf(file)])
    .filter((name) => !name.endsWith('_'));
  return new Map(names.map((name) => [name.toUpperCase(), name]));
}

function machineOf(
  options: ProjectHostOptions,
  project: Project,
  grids: Map<string, PlainGrid>,
  shown: Shown,
  onEnded: NonNullable<HostOptions['onEnded']>,
): Host {
  const { profile = 'bound', clock = 'virtual', seed = 1, locale = 'en', latency } = options;
  const { faults, limits, sites = {}, services = {} } = options;
  const answer = answering(options.answers ?? []);
  const documents = [...grids].map(([id, model]): HostDocument => {
    const name = id === DOCUMENT_ID ? 'Spreadsheet' : id;
    return { id, name, ownerEmail: OWNER, editors: [], model };
  });
  const onPage = (html: string, title: string) => {
    shown.page = { html, title };
  };
  const laws = { modelled: MODELLED_LATENCY, none: NO_LATENCY };
  const machine = createMachine({
    dist: project,
    memoryMb: MEMORY_MB,
    runawayMs: options.runawayMs ?? RUNAWAY_MS,
    onEnded,
    clock,
    seed,
    locales: locale,
    project: profile === 'add-on' ? 'add-on' : 'bound',
    documents: profile === 'web' ? documents.slice(1) : documents,
    onDocument: ({ id, model }) => {
      grids.set(id, model as PlainGrid);
      calculating(model as PlainGrid, { nowMs: machine.nowMs, isCustom: () => false });
    },
    internet: internetOf(sites, clock),
    screen: {
      onSidebar: onPage,
      onDialog: onPage,
      onMenu: (menu) => {
        shown.menu = menu;
      },
      onQuestion: (dialog) => {
        const reply = answer(dialog);
        shown.dialogs.push({ ...dialog, ...reply });
        return reply;
      },
    },
    services,
    ...(latency && { latency: typeof latency === 'string' ? laws[latency] : latency }),
    ...(faults && { faults }),
    ...(limits && { limits }),
  });
  return machine;
}

/** The given sites. With the machine's clock, also servers on this machine. */
function internetOf(
  sites: NonNullable<CommonOptions['sites']>,
  clock: 'virtual' | 'real',
): Internet {
  const services = Object.entries(sites).map(([name, site]) => {
    const service = (request: SandboxRequest) => {
      const told = site(request);
      const answer = typeof told === 'string' ? { body: told } : told;
      return { kind: 'answer', status: 200, headers: {}, body: '', delayMs: 0, ...answer } as const;
    };
    return [name, service] as const;
  });
  const told = createSandboxedInternet(Object.fromEntries(services));
  return (request, nowMs) => {
    const { host } = new URL(request.url);
    if (host in sites) return told(request, nowMs);
    if (clock === 'real') return loopbackInternet(request, nowMs);
    const hint = `no such site here; add it: createHost({ sites: { '${host}': (request) => 'text' } })`;
    return { kind: 'fault', fault: 'dns', delayMs: UNKNOWN_NAME_MS, hint };
  };
}

/**
 * Lets time pass until an outcome is there, or until nothing is under way. Callers that start at
 * the same moment share one pass of time.
 */
function passing(machine: Host, clock: 'virtual' | 'real') {
  let course: Promise<void> | null = null;
  const idle = () => {
    course ??= Promise.resolve()
      .then(() => machine.run())
      .finally(() => {
        course = null;
      });
    return course;
  };
  const settled = async (outcome: Promise<Outcome>): Promise<Outcome> => {
    if (clock === 'real') return outcome;
    let isSettled = false;
    outcome.finally(() => {
      isSettled = true;
    });
    while (!isSettled) await idle();
    return outcome;
  };
  return { settled, idle };
}

function placeOf(
  grid: PlainGrid,
  text: string,
): { readonly sheetId: number; readonly rectangle: Rectangle } {
  const address = parseAddress(text);
  const tab = grid
    .sheets()
    .find(({ name }, place) => (address?.sheetName ? name === address.sheetName : place === 0));
  if (address === null || tab === undefined) throw new RangeError(`There are no cells ${text}.`);
  return { sheetId: tab.id, rectangle: address.within(grid.size(tab.id)) };
}

/**
 * Texts as Sheets interprets typing: "=F(A1)" is a formula, "1.5" a number, "2026-01-05" a date.
 */
function typedIn(grid: PlainGrid, values: Matrix<CellValue>, nowMs: number): Matrix<CellContent> {
  const rules = { locale: grid.locale(), year: new Date(nowMs).getUTCFullYear() };
  const { toDate } = createDateSerial(grid.timeZone());
  const read = (value: CellValue) => {
    if (typeof value !== 'string') return value;
    const { content, format = GENERAL_FORMAT } = readInput(value, GENERAL_FORMAT, rules);
    return typeof content === 'number' && isDateFormat(format) ? toDate(content) : content;
  };
  const width = Math.max(...values.map(({ length }) => length));
  return values.map((row) => Array.from({ length: width }, (_, at) => read(row[at] ?? '')));
}

/** Google cuts a page of a web app like any other. */
function served(outcome: Outcome): Outcome {
  const answer = outcome.value as WebAnswer | undefined;
  if (answer?.kind !== 'html') return outcome;
  return { ...outcome, value: { ...answer, content: servedPage(answer.content) } };
}
