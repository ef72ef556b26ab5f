// The package's front: a project on this machine, its functions, cells, sidebar and web app run as Google runs them.

import { calculating } from './calculation';
import type { HostDocument } from './document';
import type { FaultLaw } from './faults';
import type { Host, Outcome } from './host';
import { createHost as createMachine } from './host';
import type { Execution } from './host-contract';
import { loopbackInternet } from './internet/http';
import type { Internet } from './internet/internet';
import { createSandboxedInternet, type SandboxRequest } from './internet/sandboxed';
import { type LatencyLaw, MODELLED_LATENCY, NO_LATENCY } from './latency';
import type { HostLimits } from './limits';
import type { Locale } from './messages';
import { type Project, type ProjectFiles, projectOf, readProject } from './project-files';
import { functionsOf } from './pushed-code';
import { argumentsOf, readCall, recalculating } from './recalculation';
import type { ScreenMenu } from './service';
import { servedPage } from './services/html';
import { readInput } from './services/spreadsheet-app/input';
import { parseAddress } from './sheet/a1-notation';
import { createDateSerial } from './sheet/date-serial';
import type { CellContent, CellValue, Matrix, Rectangle } from './sheet/model';
import { GENERAL_FORMAT } from './sheet/model';
import { isDateFormat } from './sheet/number-format';
import { createPlainGrid, type PlainGrid } from './sheet/plain-grid';
import { type Visit, visitEvent, type WebAnswer } from './web-app';

export type { CellValue, Outcome, ProjectFiles, Visit, WebAnswer };

/** What a website answers: a text is a page of status 200. */
export type SiteAnswer =
  | string
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      /** From the request's leaving to the answer's arrival, ms. */
      readonly delayMs?: number;
    };

interface CommonOptions {
  /** What the script belongs to: a spreadsheet, all of them, or none. Left out: a spreadsheet. */
  readonly profile?: 'add-on' | 'bound' | 'web';
  /** All that is left to chance follows from it. Left out: 1. */
  readonly seed?: number;
  /** Left out: virtual, in which hours pass in milliseconds. */
  readonly clock?: 'virtual' | 'real';
  /** How long Google takes. Left out: as measured in virtual time, nothing with the machine's clock. */
  readonly latency?: 'modelled' | 'none' | LatencyLaw;
  /** How often Google's services fail for no reason. Left out: never. */
  readonly faults?: FaultLaw;
  /** The language in which Google writes to people. Left out: English. */
  readonly locale?: Locale;
  readonly limits?: Partial<HostLimits>;
  /** Who answers UrlFetchApp, by host name. No other site is there, and nothing leaves this machine. */
  readonly sites?: Readonly<Record<string, (request: SandboxRequest) => SiteAnswer>>;
  /** What stands in the first sheet, from A1 on, as if it had been typed in; short rows end in blank cells. Formulas are worked out as time passes. */
  readonly cells?: Matrix<CellValue>;
}

export type ProjectHostOptions = CommonOptions &
  (
    | { readonly files: ProjectFiles; readonly projectDir?: never }
    /** A folder with the project, and with its .clasp.json if there is one. */
    | { readonly projectDir: string; readonly files?: never }
  );

/** A page beside the spreadsheet. */
export interface Sidebar {
  readonly title: string;
  /** As the browser gets it: Google cuts what it takes for comments out of inline scripts. */
  readonly html: string;
  /** As the page's `google.script.run` calls a function. */
  readonly run: (functionName: string, ...args: readonly unknown[]) => Promise<Outcome>;
}

/** At which service call an execution dies, the first being 1: just before its effect, or just after. */
export type Crash = { readonly beforeCall: number } | { readonly afterCall: number };

export interface ProjectHost {
  /** Runs a function as a menu does, to its end. */
  readonly run: (functionName: string, ...args: readonly unknown[]) => Promise<Outcome>;
  /**
   * Runs a custom function as a cell does: one call, whose arguments are numbers, texts in quotes and
   * references. `value` is what the cell shows, so "#ERROR!" where the function failed.
   */
  readonly cell: (formula: string) => Promise<Outcome>;
  /** Somebody opens the file: the menu that onOpen makes, or null. */
  readonly open: () => Promise<ScreenMenu | null>;
  /** Runs a function that shows a sidebar, or a dialog. */
  readonly openSidebar: (functionName: string) => Promise<Sidebar>;
  /** Somebody visits the web app; `value` is a {@link WebAnswer}. */
  readonly visit: (visit?: Visit) => Promise<Outcome>;
  /** Somebody types into cells of the first sheet, "=F(A1)" for a formula; triggers hear of it. */
  readonly edit: (address: string, values: Matrix<CellValue>) => Promise<void>;
  /** What cells show, such as "A1:C10" or "Log!A1:B". */
  readonly values: (address: string) => Matrix<CellValue>;
  /** Lets time pass: triggers fire, caches forget. */
  readonly advance: (ms: number) => Promise<void>;
  /** The next execution that is started here dies at a call. */
  readonly kill: (at: Crash) => ProjectHost;
  /** One line for each thing that happened. */
  readonly trace: () => readonly string[];
  readonly nowMs: () => number;
  /** What the services keep, for a look behind them. */
  readonly stores: Host['stores'];
  readonly stop: () => Promise<void>;
}

const OWNER = 'owner@example.com';
const DOCUMENT_ID = 'the-spreadsheet';

/** What cells show whose function is not there, and whose function has failed. */
const NO_NAME = '#NAME?';
const FAILED = '#ERROR!';

export function createHost(options: ProjectHostOptions): ProjectHost {
  const files = options.files ?? readProject(options.projectDir);
  const project = projectOf(files);
  const functions = functionNames(project);
  const grid = createPlainGrid({ timeZone: JSON.parse(project.manifest).timeZone });
  const shown: Shown = { menu: null, page: null };
  const machine = machineOf(options, project, grid, shown);
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
    );
  }

  const asDeclared = (name: string) => functions.get(name.toUpperCase()) ?? name;
  const isCustom = (name: string) => functions.has(name.toUpperCase());
  recalculating(
    { start: (run) => machine.start({ ...run, functionName: asDeclared(run.functionName) }) },
    grid,
    isCustom,
  );
  calculating(grid, { nowMs: machine.nowMs, isCustom });
  if (options.cells) grid.write(FIRST_SHEET, 1, 1, typedIn(grid, options.cells, machine.nowMs()));

  async function cell(formula: string): Promise<Outcome> {
    const call = readCall(formula);
    if (call === null || call.instead !== undefined)
      throw new RangeError(`${formula} is not one call of a custom function.`);
    const args = argumentsOf(grid, FIRST_SHEET, formula);
    const name = asDeclared(call.functionName);
    if (!isCustom(name)) return unknownFunction(call.functionName, machine.nowMs());
    const outcome = await start({ functionName: name, args, door: 'cell' });
    return { ...outcome, value: outcome.ok ? (outcome.value ?? '') : FAILED };
  }

  const host: ProjectHost = {
    run: (functionName, ...args) => start({ functionName, args, door: 'menu' }),
    cell,
    async open() {
      shown.menu = null;
      if (isCustom('onOpen')) await start({ functionName: 'onOpen', args: [], door: 'open' });
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
    values: (address) => {
      const { sheetId, rectangle } = placeOf(grid, address);
      return grid.values(sheetId, rectangle);
    },
    async advance(ms) {
      await idle();
      machine.skip(ms);
      await machine.run(machine.nowMs() + ms);
    },
    kill: (at) => {
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

/** Sheets' own answer: nothing is run. */
const unknownFunction = (name: string, nowMs: number): Outcome => ({
  ok: false,
  value: NO_NAME,
  error: { name: 'Error', message: `Unknown function: '${name}'.` },
  ended: 'refused',
  startedMs: nowMs,
  endedMs: nowMs,
  serviceCalls: 0,
  logs: [],
});

interface Shown {
  menu: ScreenMenu | null;
  page: { readonly title: string; readonly html: string } | null;
}

/**
 * The functions that a formula can call, by their names in capitals: formulas know no others. A name
 * that ends in "_" is private (guide of custom functions, "Naming").
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
  model: PlainGrid,
  shown: Shown,
): Host {
  const { profile = 'bound', clock = 'virtual', seed = 1, locale = 'en', latency } = options;
  const { faults, limits, sites = {} } = options;
  const document: HostDocument = {
    id: DOCUMENT_ID,
    name: 'Spreadsheet',
    ownerEmail: OWNER,
    editors: [],
    model,
  };
  const onPage = (html: string, title: string) => {
    shown.page = { html, title };
  };
  const laws = { modelled: MODELLED_LATENCY, none: NO_LATENCY };
  return createMachine({
    dist: project,
    clock,
    seed,
    locales: locale,
    project: profile === 'add-on' ? 'add-on' : 'bound',
    documents: profile === 'web' ? [] : [document],
    internet: internetOf(sites, clock),
    screen: {
      onSidebar: onPage,
      onDialog: onPage,
      onMenu: (menu) => {
        shown.menu = menu;
      },
    },
    ...(latency && { latency: typeof latency === 'string' ? laws[latency] : latency }),
    ...(faults && { faults }),
    ...(limits && { limits }),
  });
}

/** Sites as they are told; with the machine's clock also servers on this machine. */
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
  if (clock === 'virtual') return told;
  return (request, nowMs) =>
    new URL(request.url).host in sites ? told(request, nowMs) : loopbackInternet(request, nowMs);
}

/**
 * Lets time pass until an outcome is there, or until nothing is under way: one course of time for all
 * that was started at the same moment.
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

/** Texts as Sheets reads them: "=F(A1)" is a formula, "1.5" a number, "2026-01-05" a date. */
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

/** A page of a web app is cut like any other. */
function served(outcome: Outcome): Outcome {
  const answer = outcome.value as WebAnswer | undefined;
  if (answer?.kind !== 'html') return outcome;
  return { ...outcome, value: { ...answer, content: servedPage(answer.content) } };
}
